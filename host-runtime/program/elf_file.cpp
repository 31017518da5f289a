// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/program/elf_file.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <optional>
#include <string_view>

#include "hal/protocol/version.h"

namespace rivulet {
namespace {

using Bytes = std::span<const std::byte>;
using Checked = std::expected<void, std::string>;

constexpr uint64_t largest_memory = 64 << 20; // more is surely a damaged file

struct Elf32 {
    using Header = Elf32_Ehdr;
    using Segment = Elf32_Phdr;
    using Dynamic = Elf32_Dyn;
    using Relocation = Elf32_Rela;
    static constexpr uint32_t xlen = 32;
    static uint32_t symbol(uint64_t info) { return static_cast<uint32_t>(info >> 8); }
    static uint32_t type(uint64_t info) { return static_cast<uint8_t>(info); }
};

struct Elf64 {
    using Header = Elf64_Ehdr;
    using Segment = Elf64_Phdr;
    using Dynamic = Elf64_Dyn;
    using Relocation = Elf64_Rela;
    static constexpr uint32_t xlen = 64;
    static uint32_t symbol(uint64_t info) { return static_cast<uint32_t>(info >> 32); }
    static uint32_t type(uint64_t info) { return static_cast<uint32_t>(info); }
};

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

template <class T> std::optional<T> read_at(Bytes bytes, uint64_t offset) {
    if (!lies_within(offset, sizeof(T), bytes.size()))
        return std::nullopt;
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

std::unexpected<std::string> refuse(std::string reason) {
    return std::unexpected(std::move(reason));
}

template <class Elf> class Reader {
public:
    Reader(Bytes file, std::string_view note_owner, uint32_t note_type)
        : file_(file), note_owner_(note_owner), note_type_(note_type) {}

    std::expected<ElfFile, std::string> read() {
        for (const auto step : {&Reader::read_header, &Reader::place_segments,
                                &Reader::read_dynamic, &Reader::find_note})
            if (Checked checked = (this->*step)(); !checked)
                return std::unexpected(std::move(checked.error()));
        return std::move(result_);
    }

private:
    using Segment = typename Elf::Segment;

    Checked read_header() {
        const auto header = read_at<typename Elf::Header>(file_, 0);
        if (!header)
            return refuse("the file ends within its ELF header");
        if (header->e_ident[EI_DATA] != ELFDATA2LSB || header->e_ident[EI_VERSION] != EV_CURRENT)
            return refuse("it is not a little-endian ELF file of version 1");
        if (header->e_type != ET_DYN)
            return refuse("it is not a position-independent ELF file");
        const auto *machine = std::ranges::find(machines, header->e_machine,
                                                [](const auto &row) { return row.machine; });
        if (machine == std::end(machines))
            return refuse("it is for an unknown machine (ELF machine " +
                          std::to_string(header->e_machine) + ")");
        if (header->e_phentsize != sizeof(Segment))
            return refuse("its program headers have the wrong size");
        relative_ = machine->relative;
        result_.machine = header->e_machine;
        result_.xlen = Elf::xlen;
        result_.entry = header->e_entry;
        for (uint64_t i = 0; i < header->e_phnum; ++i) {
            const auto segment = read_at<Segment>(file_, header->e_phoff + i * sizeof(Segment));
            if (!segment)
                return refuse("its program headers lie outside of the file");
            if (!lies_within(segment->p_offset, segment->p_filesz, file_.size()))
                return refuse("segment " + std::to_string(i) + " lies outside of the file");
            segments_.push_back(*segment);
        }
        return {};
    }

    /// Code and constants first, everything writable after them and on pages of its own.
    Checked place_segments() {
        uint64_t end = 0;
        uint64_t code_end = 0;
        std::optional<uint64_t> data_begin;
        bool has_entry = false;
        for (const Segment &segment : segments_) {
            if (segment.p_type != PT_LOAD)
                continue;
            if (segment.p_filesz > segment.p_memsz ||
                !lies_within(segment.p_vaddr, segment.p_memsz, largest_memory))
                return refuse("a segment is larger than a kernel image may be");
            if (segment.p_vaddr < end)
                return refuse("its segments overlap or are out of order");
            end = segment.p_vaddr + segment.p_memsz;
            const bool is_writable = segment.p_flags & PF_W;
            const bool is_executable = segment.p_flags & PF_X;
            if (is_writable && is_executable)
                return refuse("a segment is both writable and executable");
            if (is_writable && !data_begin)
                data_begin = page_floor(segment.p_vaddr);
            if (!is_writable)
                code_end = end;
            has_entry |= is_executable && result_.entry >= segment.p_vaddr && result_.entry < end;
        }
        if (!has_entry)
            return refuse("its entry point lies outside of its code");
        result_.code_bytes = data_begin.value_or(page_ceiling(code_end));
        if (code_end > result_.code_bytes)
            return refuse("code and data share a page");
        result_.memory.resize(page_ceiling(end));
        for (const Segment &segment : segments_)
            if (segment.p_type == PT_LOAD && segment.p_filesz != 0)
                std::memcpy(result_.memory.data() + segment.p_vaddr,
                            file_.data() + segment.p_offset, segment.p_filesz);
        return {};
    }

    Checked read_dynamic() {
        uint64_t table = 0;
        uint64_t table_bytes = 0;
        for (const Segment &segment : segments_) {
            if (segment.p_type != PT_DYNAMIC)
                continue;
            using Dynamic = typename Elf::Dynamic;
            for (uint64_t at = 0; at + sizeof(Dynamic) <= segment.p_filesz; at += sizeof(Dynamic)) {
                const auto entry = read_at<Dynamic>(file_, segment.p_offset + at);
                if (!entry || entry->d_tag == DT_NULL)
                    break;
                for (const auto &refused : refused_dynamic_tags)
                    if (entry->d_tag == refused.tag)
                        return refuse(refused.reason);
                if (entry->d_tag == DT_RELA)
                    table = entry->d_un.d_ptr;
                if (entry->d_tag == DT_RELASZ)
                    table_bytes = entry->d_un.d_val;
                if (entry->d_tag == DT_RELAENT &&
                    entry->d_un.d_val != sizeof(typename Elf::Relocation))
                    return refuse("its relocations have the wrong size");
            }
        }
        return read_relocations(table, table_bytes);
    }

    Checked read_relocations(uint64_t table, uint64_t bytes) {
        using Entry = typename Elf::Relocation;
        constexpr uint64_t word = Elf::xlen / 8;
        const uint64_t size = result_.memory.size();
        if (!lies_within(table, bytes, size) || bytes % sizeof(Entry) != 0)
            return refuse("its relocations lie outside of its memory");
        for (uint64_t at = table; at < table + bytes; at += sizeof(Entry)) {
            const auto entry = *read_at<Entry>(result_.memory, at);
            if (Elf::type(entry.r_info) != relative_ || Elf::symbol(entry.r_info) != 0)
                return refuse("it has a relocation of a kind other than RELATIVE");
            const uint64_t offset = entry.r_offset;
            if (offset < result_.code_bytes || !lies_within(offset, word, size) ||
                offset % word != 0)
                return refuse("a relocation lies outside of its data");
            const auto addend = static_cast<uint64_t>(entry.r_addend);
            if (addend > size)
                return refuse("a relocation points outside of its memory");
            result_.relocations.push_back({offset, addend});
        }
        return {};
    }

    Checked find_note() {
        for (const Segment &segment : segments_) {
            if (segment.p_type != PT_NOTE)
                continue;
            Bytes notes = file_.subspan(segment.p_offset, segment.p_filesz);
            const uint64_t alignment = segment.p_align == 8 ? 8 : 4;
            const auto padded = [&](uint64_t n) { return (n + alignment - 1) & ~(alignment - 1); };
            while (const auto header = read_at<Elf64_Nhdr>(notes, 0)) { // the same for 32 bits
                const uint64_t name_at = sizeof *header;
                const uint64_t contents_at = padded(name_at + header->n_namesz);
                if (!lies_within(contents_at, header->n_descsz, notes.size()))
                    return refuse("a note lies outside of its segment");
                const std::string_view name(reinterpret_cast<const char *>(notes.data()) + name_at,
                                            header->n_namesz);
                if (header->n_type == note_type_ &&
                    name.substr(0, name.find('\0')) == note_owner_) {
                    result_.note = notes.subspan(contents_at, header->n_descsz);
                    return {};
                }
                const uint64_t next = padded(contents_at + header->n_descsz);
                notes = notes.subspan(std::min<uint64_t>(next, notes.size()));
            }
        }
        return refuse("it has no note that describes its kernels");
    }

    Bytes file_;
    std::string_view note_owner_;
    uint32_t note_type_;
    uint32_t relative_ = 0;
    std::vector<Segment> segments_;
    ElfFile result_;
};

} // namespace

std::expected<ElfFile, std::string> ElfFile::read(std::span<const std::byte> file,
                                                  const char *note_owner, uint32_t note_type) {
    if (file.size() < EI_NIDENT || std::memcmp(file.data(), ELFMAG, SELFMAG) != 0)
        return refuse("it is not an ELF file");
    switch (std::to_integer<int>(file[EI_CLASS])) {
    case ELFCLASS32:
        return Reader<Elf32>(file, note_owner, note_type).read();
    case ELFCLASS64:
        return Reader<Elf64>(file, note_owner, note_type).read();
    default:
        return refuse("it is an ELF file of neither 32 nor 64 bits");
    }
}

} // namespace rivulet
