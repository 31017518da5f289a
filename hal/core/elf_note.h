// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace rivulet::hal {

/// The contents of the first note of that owner and type among those of a PT_NOTE segment, which
/// both ELF classes write in the same way; nullopt if there is none. `alignment` is the segment's.
/// Nothing in `notes` is believed; the view returned lies in it.
std::optional<std::span<const std::byte>> find_elf_note(std::span<const std::byte> notes,
                                                        uint64_t alignment, std::string_view owner,
                                                        uint32_t type);

} // namespace rivulet::hal
