// SPDX-License-Identifier: Apache-2.0
#include "tools/flash/kernel_file.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/elf_note.h"
#include "hal/protocol/kernel_image.h"

namespace rivulet::flash {
namespace {

constexpr uint64_t largest_memory = 64u << 20; // the runtime's limit

template <class T> std::optional<T> read_at(View file, uint64_t offset) {
    T value;
    if (offset > file.size() || sizeof value > file.size() - offset)
        return std::nullopt;
    std::memcpy(&value, file.data() + offset, sizeof value);
    return value;
}

uint64_t page_ceiling(uint64_t address) {
    return (address + RVL_PAGE_BYTES - 1) & ~uint64_t{RVL_PAGE_BYTES - 1};
}

struct Found {
    Bytes code;
    bool has_note = false;
};

/// Returns nullopt if the file is damaged.
template <class Header, class Program> std::optional<Found> find(View file) {
    const auto header = read_at<Header>(file, 0);
    if (!header || header->e_type != ET_DYN)
        return std::nullopt;
    Found found;
    uint64_t code_end = 0;
    std::optional<uint64_t> data_begin;
    std::vector<Program> loads;
    for (unsigned i = 0; i < header->e_phnum; ++i) {
        const auto program =
            read_at<Program>(file, header->e_phoff + uint64_t{i} * sizeof(Program));
        if (!program || program->p_offset > file.size() ||
            program->p_filesz > file.size() - program->p_offset)
            return std::nullopt;
        const View contents = file.subspan(program->p_offset, program->p_filesz);
        if (program->p_type == PT_NOTE &&
            find_elf_note(contents, program->p_align, RVL_NOTE_OWNER, RVL_IMAGE_NOTE))
            found.has_note = true;
        if (program->p_type != PT_LOAD)
            continue;
        const uint64_t address = program->p_vaddr, memory = program->p_memsz;
        if (program->p_filesz > memory || address > largest_memory ||
            memory > largest_memory - address)
            return std::nullopt;
        if ((program->p_flags & PF_W) == 0) {
            code_end = std::max(code_end, address + memory);
            loads.push_back(*program);
        } else if (!data_begin) {
            data_begin = address / RVL_PAGE_BYTES * RVL_PAGE_BYTES;
        }
    }
    found.code.resize(data_begin.value_or(page_ceiling(code_end)));
    if (code_end > found.code.size())
        return std::nullopt;
    for (const auto &load : loads)
        std::ranges::copy(file.subspan(load.p_offset, load.p_filesz),
                          found.code.begin() + static_cast<std::ptrdiff_t>(load.p_vaddr));
    return found;
}

std::optional<Found> find_either(View file) {
    if (file.size() < EI_NIDENT || std::memcmp(file.data(), ELFMAG, SELFMAG) != 0)
        return std::nullopt;
    return std::to_integer<int>(file[EI_CLASS]) == ELFCLASS32 ? find<Elf32_Ehdr, Elf32_Phdr>(file)
                                                              : find<Elf64_Ehdr, Elf64_Phdr>(file);
}

} // namespace

bool is_kernel_image(View file) {
    const auto found = find_either(file);
    return found && found->has_note;
}

Result<Bytes> kernel_code(View file, const std::string &name) {
    auto found = find_either(file);
    if (!found || !found->has_note)
        return fail(RVL_INVALID, {name, " is no kernel image, or damaged; rivulet cc makes one"});
    return std::move(found->code);
}

Bytes kernel_message(View code) {
    rvl_kernel_statement statement{};
    std::memcpy(statement.what, RVL_KERNEL_STATEMENT, sizeof RVL_KERNEL_STATEMENT);
    statement.bytes = code.size();
    const auto head = std::as_bytes(std::span(&statement, 1));
    Bytes message(head.begin(), head.end());
    message.insert(message.end(), code.begin(), code.end());
    return message;
}

} // namespace rivulet::flash
