// SPDX-License-Identifier: Apache-2.0
#include "base/elf_note.h"

#include <elf.h>

#include <algorithm>
#include <cstring>

namespace rivulet {

std::optional<std::span<const std::byte>> find_elf_note(std::span<const std::byte> notes,
                                                        uint64_t alignment, std::string_view owner,
                                                        uint32_t type) {
    const uint64_t unit = alignment == 8 ? 8 : 4;
    const auto padded = [unit](uint64_t bytes) { return (bytes + unit - 1) & ~(unit - 1); };
    Elf64_Nhdr header;
    while (notes.size() >= sizeof header) {
        std::memcpy(&header, notes.data(), sizeof header);
        const uint64_t contents_at = padded(sizeof header + uint64_t{header.n_namesz});
        if (contents_at > notes.size() || header.n_descsz > notes.size() - contents_at)
            return std::nullopt;
        std::string_view name(reinterpret_cast<const char *>(notes.data()) + sizeof header,
                              header.n_namesz);
        name = name.substr(0, name.find('\0'));
        if (header.n_type == type && name == owner)
            return notes.subspan(contents_at, header.n_descsz);
        notes =
            notes.subspan(std::min<uint64_t>(padded(contents_at + header.n_descsz), notes.size()));
    }
    return std::nullopt;
}

} // namespace rivulet
