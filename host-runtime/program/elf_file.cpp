// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/program/elf_file.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <optional>
#include <string_view>

#include "base/elf_note.h"
#include "base/error.h"
#include "hal/protocol/version.h"

namespace rivulet {
namespace {

using Bytes = std::span<const std::byte>;

constexpr uint64_t largest_memory = 64 << 20; // tables of a program, or a damaged file

constexpr struct {
    uint16_t machine;
    uint32_t relative; // R_…_RELATIVE
} machines[] = {
    {EM_RISCV, R_RISCV_RELATIVE},
    {EM_X86_64, R_X86_64_RELATIVE},
    {EM_AARCH64, R_AARCH64_RELATIVE},
};

constexpr struct {
    int64_t tag;
    const char *reason;
} refused_dynamic_tags[] = {
    {DT_NEEDED, "it needs a shared library"},
    {DT_TEXTREL, "its code needs relocation"},
    {DT_REL, "it has relocations without addend"},
    {DT_JMPREL, "it has a procedure linkage table"},
    {36 /* DT_RELR */, "it has packed relocations"},
};

uint64_t page_floor(uint64_t address) { return address & ~uint64_t{RVL_PAGE_BYTES - 1}; }
uint64_t page_ceiling(uint64_t address) { return page_floor(address + RVL_PAGE_BYTES - 1); }

bool lies_within(uint64_t offset, uint64_t bytes, uint64_t size) {
    return offset <= size && bytes <= size - offset;
}

bool copy_from(Bytes bytes, uint64_t offset, void *to, size_t size) {
    if (!lies_within(offset, size, bytes.size()))
        return false;
    std::memcpy(to, bytes.data() + offset, size);
    return true;
}

template <class T> std::optional<T> read_at(Bytes bytes, uint64_t offset) {
    T value;
    return copy_from(bytes, offset, &value, sizeof value) ? std::optional(value) : std::nullopt;
}

// The structures of 32 bits, as those of 64.

Elf64_Ehdr widened(const Elf32_Ehdr &header) {
    Elf64_Ehdr wide{};
    std::memcpy(wide.e_ident, header.e_ident, sizeof wide.e_ident);
    wide.e_type = header.e_type;
    wide.e_machine = header.e_machine;
    wide.e_entry = header.e_entry;
    wide.e_phoff = header.e_phoff;
    wide.e_phentsize = header.e_phentsize;
    wide.e_phnum = header.e_phnum;
    wide.e_shoff = header.e_shoff;
    wide.e_shentsize = header.e_shentsize;
    wide.e_shnum = header.e_shnum;
    return wide;
}

Elf64_Phdr widened(const Elf32_Phdr &segment) {
    return {segment.p_type,  segment.p_flags,  segment.p_offset, segment.p_vaddr,
            segment.p_paddr, segment.p_filesz, segment.p_memsz,  segment.p_align};
}

Elf64_Dyn widened(const Elf32_Dyn &entry) { return {entry.d_tag, {entry.d_un.d_val}}; }

Elf64_Rela widened(const Elf32_Rela &relocation) {
    const uint64_t symbol = ELF32_R_SYM(relocation.r_info);
    return {relocation.r_offset, ELF64_R_INFO(symbol, ELF32_R_TYPE(relocation.r_info)),
            relocation.r_addend};
}

class Reader {
public:
    Reader(Bytes file, std::string_view note_owner, uint32_t note_type)
        : file_(file), note_owner_(note_owner), note_type_(note_type) {}

    ElfFile read() {
        read_header();
        place_segments();
        read_dynamic();
        find_note();
        return std::move(result_);
    }

private:
    template <class Narrow, class Wide>
    [[nodiscard]] std::optional<Wide> get(Bytes bytes, uint64_t table, uint64_t index) const {
        if (!is_narrow_)
            return read_at<Wide>(bytes, table + index * sizeof(Wide));
        const auto narrow = read_at<Narrow>(bytes, table + index * sizeof(Narrow));
        return narrow ? std::optional(widened(*narrow)) : std::nullopt;
    }
    template <class Narrow, class Wide> [[nodiscard]] size_t size() const {
        return is_narrow_ ? sizeof(Narrow) : sizeof(Wide);
    }

    void read_header() {
        if (file_.size() < EI_NIDENT || std::memcmp(file_.data(), ELFMAG, SELFMAG) != 0)
            refuse({"it is not an ELF file"});
        const int bits = std::to_integer<int>(file_[EI_CLASS]);
        if (bits != ELFCLASS32 && bits != ELFCLASS64)
            refuse({"it is an ELF file of neither 32 nor 64 bits"});
        is_narrow_ = bits == ELFCLASS32;
        const auto header = get<Elf32_Ehdr, Elf64_Ehdr>(file_, 0, 0);
        if (!header)
            refuse({"the file ends within its ELF header"});
        if (header->e_ident[EI_DATA] != ELFDATA2LSB || header->e_ident[EI_VERSION] != EV_CURRENT)
            refuse({"it is not a little-endian ELF file of version 1"});
        if (header->e_type != ET_DYN)
            refuse({"it is not a position-independent ELF file"});
        for (const auto &[machine, relative] : machines)
            if (machine == header->e_machine)
                relative_ = relative;
        if (relative_ == 0)
            refuse({"it is for an unknown machine (ELF machine ", header->e_machine, ")"});
        // The section headers stand last: with them in place, nothing is cut off.
        if (!lies_within(header->e_shoff, uint64_t{header->e_shnum} * header->e_shentsize,
                         file_.size()))
            refuse({"the file is cut off"});
        if (header->e_phentsize != size<Elf32_Phdr, Elf64_Phdr>())
            refuse({"its program headers have the wrong size"});
        result_.machine = header->e_machine;
        result_.xlen = is_narrow_ ? 32 : 64;
        result_.entry = header->e_entry;
        for (uint64_t i = 0; i < header->e_phnum; ++i) {
            const auto segment = get<Elf32_Phdr, Elf64_Phdr>(file_, header->e_phoff, i);
            if (!segment)
                refuse({"its program headers lie outside of the file"});
            if (!lies_within(segment->p_offset, segment->p_filesz, file_.size()))
                refuse({"segment ", i, " lies outside of the file"});
            segments_.push_back(*segment);
        }
    }

    /// Code and constants first, everything writable after them and on pages of its own.
    void place_segments() {
        uint64_t end = 0;
        uint64_t code_end = 0;
        std::optional<uint64_t> data_begin;
        bool has_entry = false;
        for (const Elf64_Phdr &segment : segments_) {
            if (segment.p_type != PT_LOAD)
                continue;
            if (segment.p_filesz > segment.p_memsz ||
                !lies_within(segment.p_vaddr, segment.p_memsz, largest_memory))
                refuse({"its code, constants or variables take more than ", largest_memory >> 20,
                        " MiB"});
            if (segment.p_vaddr < end)
                refuse({"its segments overlap or are out of order"});
            end = segment.p_vaddr + segment.p_memsz;
            const bool is_writable = segment.p_flags & PF_W;
            const bool is_executable = segment.p_flags & PF_X;
            if (is_writable && is_executable)
                refuse({"a segment is both writable and executable"});
            if (is_writable && !data_begin)
                data_begin = page_floor(segment.p_vaddr);
            if (!is_writable)
                code_end = end;
            has_entry |= is_executable && result_.entry >= segment.p_vaddr && result_.entry < end;
        }
        if (!has_entry)
            refuse({"its entry point lies outside of its code"});
        result_.code_bytes = data_begin.value_or(page_ceiling(code_end));
        if (code_end > result_.code_bytes)
            refuse({"code and data share a page"});
        result_.memory.resize(page_ceiling(end));
        for (const Elf64_Phdr &segment : segments_)
            if (segment.p_type == PT_LOAD && segment.p_filesz != 0)
                std::memcpy(result_.memory.data() + segment.p_vaddr,
                            file_.data() + segment.p_offset, segment.p_filesz);
    }

    void read_dynamic() {
        uint64_t table = 0;
        uint64_t table_bytes = 0;
        for (const Elf64_Phdr &segment : segments_) {
            if (segment.p_type != PT_DYNAMIC)
                continue;
            const Bytes entries = file_.subspan(segment.p_offset, segment.p_filesz);
            for (uint64_t i = 0;; ++i) {
                const auto entry = get<Elf32_Dyn, Elf64_Dyn>(entries, 0, i);
                if (!entry || entry->d_tag == DT_NULL)
                    break;
                for (const auto &[tag, reason] : refused_dynamic_tags)
                    if (entry->d_tag == tag)
                        refuse({reason});
                if (entry->d_tag == DT_RELA)
                    table = entry->d_un.d_ptr;
                if (entry->d_tag == DT_RELASZ)
                    table_bytes = entry->d_un.d_val;
                if (entry->d_tag == DT_RELAENT &&
                    entry->d_un.d_val != size<Elf32_Rela, Elf64_Rela>())
                    refuse({"its relocations have the wrong size"});
            }
        }
        read_relocations(table, table_bytes);
    }

    void read_relocations(uint64_t table, uint64_t bytes) {
        const uint64_t word = result_.xlen / 8;
        const uint64_t memory = result_.memory.size();
        const uint64_t entry_bytes = size<Elf32_Rela, Elf64_Rela>();
        if (!lies_within(table, bytes, memory) || bytes % entry_bytes != 0)
            refuse({"its relocations lie outside of its memory"});
        for (uint64_t i = 0; i < bytes / entry_bytes; ++i) {
            // The table lies within. NOLINTNEXTLINE(bugprone-unchecked-optional-access)
            const auto entry = *get<Elf32_Rela, Elf64_Rela>(result_.memory, table, i);
            if (entry.r_info != relative_) // of no symbol
                refuse({"it has a relocation of a kind other than RELATIVE"});
            const uint64_t offset = entry.r_offset;
            if (offset < result_.code_bytes || !lies_within(offset, word, memory) ||
                offset % word != 0)
                refuse({"a relocation lies outside of its data"});
            const auto addend = static_cast<uint64_t>(entry.r_addend);
            if (addend > memory)
                refuse({"a relocation points outside of its memory"});
            result_.relocations.push_back({offset, addend});
        }
    }

    void find_note() {
        for (const Elf64_Phdr &segment : segments_) {
            if (segment.p_type != PT_NOTE)
                continue;
            const Bytes notes = file_.subspan(segment.p_offset, segment.p_filesz);
            if (const auto note = find_elf_note(notes, segment.p_align, note_owner_, note_type_)) {
                result_.note = *note;
                return;
            }
        }
        refuse({"it has no note that describes its kernels"});
    }

    Bytes file_;
    std::string_view note_owner_;
    uint32_t note_type_;
    bool is_narrow_ = false;
    uint32_t relative_ = 0;
    std::vector<Elf64_Phdr> segments_;
    ElfFile result_;
};

} // namespace

void refuse(std::initializer_list<Part> reason) { throw BadImage{text(reason)}; }

ElfFile ElfFile::read(std::span<const std::byte> file, const char *note_owner, uint32_t note_type) {
    return Reader(file, note_owner, note_type).read();
}

} // namespace rivulet
