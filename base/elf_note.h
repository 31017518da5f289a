// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace rivulet {

/// Returns the contents of the first note with this owner and type in a PT_NOTE segment, whose
/// format is the same in both ELF classes, or nullopt. `alignment` is the segment's. `notes` is
/// untrusted; the result is a view into it.
std::optional<std::span<const std::byte>> find_elf_note(std::span<const std::byte> notes,
                                                        uint64_t alignment, std::string_view owner,
                                                        uint32_t type);

} // namespace rivulet
