// SPDX-License-Identifier: Apache-2.0
#include "hal/core/firmware_file.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/elf_note.h"

namespace rivulet::hal {
namespace {

/// Bounds-checked access to a file in memory.
struct Bytes {
    std::span<const std::byte> all;

    [[nodiscard]] std::optional<std::span<const std::byte>> part(uint64_t offset,
                                                                 uint64_t bytes) const {
        if (offset > all.size() || bytes > all.size() - offset)
            return std::nullopt;
        return all.subspan(offset, bytes);
    }
    template <class T> [[nodiscard]] std::optional<T> at(uint64_t offset) const {
        const auto bytes = part(offset, sizeof(T));
        if (!bytes)
            return std::nullopt;
        T value;
        std::memcpy(&value, bytes->data(), sizeof value);
        return value;
    }
};

std::optional<rvl_firmware_note> find_note(std::span<const std::byte> notes, uint64_t alignment) {
    const auto contents = find_elf_note(notes, alignment, "Rivulet", RVL_FIRMWARE_NOTE);
    if (!contents || contents->size() < RVL_FIRMWARE_NOTE_LEAST_BYTES)
        return std::nullopt;
    rvl_firmware_note note{}; // older firmware's is shorter
    std::memcpy(&note, contents->data(), std::min(contents->size(), sizeof note));
    return note;
}

/// Parses segments and note of either ELF class.
template <class Header, class Program>
Result<FirmwareFile> parse(const Bytes &file, const std::string &name) {
    const auto header = file.at<Header>(0);
    if (!header || header->e_machine != EM_RISCV || header->e_type != ET_EXEC)
        return fail(RVL_INVALID,
                    {name, " is not a RISC-V program; use firmware built for a board"});

    FirmwareFile firmware;
    firmware.entry = header->e_entry;
    std::optional<rvl_firmware_note> note;
    for (unsigned i = 0; i < header->e_phnum; ++i) {
        const auto program = file.at<Program>(header->e_phoff + uint64_t{i} * header->e_phentsize);
        const auto contents =
            program ? file.part(program->p_offset, program->p_filesz) : std::nullopt;
        if (!contents || program->p_memsz < program->p_filesz)
            return fail(RVL_INVALID, {name, " is truncated or damaged; rebuild it"});
        if (program->p_type == PT_NOTE && !note)
            note = find_note(*contents, program->p_align);
        if (program->p_type == PT_LOAD && program->p_memsz != 0)
            firmware.segments.push_back({program->p_paddr, program->p_memsz, *contents});
    }
    if (!note)
        return fail(RVL_INVALID,
                    {name, " has no ELF note of owner \"Rivulet\": it is not Rivulet firmware"});
    firmware.note = *note;
    firmware.note.board[sizeof note->board - 1] = 0;
    return firmware;
}

} // namespace

Result<FirmwareFile> parse_firmware(std::span<const std::byte> elf, const std::string &name) {
    const Bytes file{elf};
    const auto ident = file.part(0, EI_NIDENT);
    if (!ident || std::memcmp(ident->data(), ELFMAG, SELFMAG) != 0)
        return fail(RVL_INVALID, {name, " is not an ELF file"});
    if (std::to_integer<int>((*ident)[EI_CLASS]) == ELFCLASS32)
        return parse<Elf32_Ehdr, Elf32_Phdr>(file, name);
    return parse<Elf64_Ehdr, Elf64_Phdr>(file, name);
}

uint64_t local_memory_of(const rvl_firmware_note &note, uint32_t harts) {
    return rvl_least_local_memory(note.local_memory_bytes,
                                  uint64_t{note.scratchpad_pages} * RVL_PAGE_BYTES, harts);
}

} // namespace rivulet::hal
