// SPDX-License-Identifier: Apache-2.0
#include "base/core_file.h"

#include <elf.h>
#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/file_descriptor.h"
#include "base/file_size.h"

namespace rivulet {
namespace {

constexpr uint64_t page = 4096;

/// Offsets of fields in prstatus of Linux core files.
struct Layout {
    size_t bytes, signal, thread, registers, word;
};
constexpr Layout layout_64{.bytes = 376, .signal = 12, .thread = 32, .registers = 112, .word = 8};
constexpr Layout layout_32{.bytes = 204, .signal = 12, .thread = 24, .registers = 72, .word = 4};

void append(std::string &to, const void *from, size_t bytes) {
    to.append(static_cast<const char *>(from), bytes);
}

std::string notes_of(const Core &core) {
    const Layout &layout = core.xlen == 32 ? layout_32 : layout_64;
    constexpr char owner[8] = "CORE"; // padded as in the note
    std::string notes;
    for (const CoreThread &thread : core.threads) {
        const uint32_t header[] = {sizeof "CORE", static_cast<uint32_t>(layout.bytes), NT_PRSTATUS};
        append(notes, header, sizeof header);
        append(notes, owner, sizeof owner);
        std::string status(layout.bytes, '\0');
        std::memcpy(&status[layout.signal], &thread.signal, sizeof(uint16_t));
        std::memcpy(&status[layout.thread], &thread.id, sizeof thread.id);
        for (size_t i = 0; i < thread.registers.size(); ++i) // little endian, like the host
            std::memcpy(&status[layout.registers + i * layout.word], &thread.registers[i],
                        layout.word);
        notes += status;
    }
    return notes;
}

template <class Header, class Segment>
std::string headers_of(const Core &core, const std::string &notes, uint8_t elf_class,
                       std::vector<uint64_t> &offsets) {
    Header header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = elf_class;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_CORE;
    header.e_machine = EM_RISCV;
    header.e_version = EV_CURRENT;
    header.e_flags = EF_RISCV_RVC;
    header.e_phoff = sizeof header;
    header.e_ehsize = sizeof header;
    header.e_phentsize = sizeof(Segment);
    header.e_phnum = static_cast<uint16_t>(1 + core.ranges.size());
    std::string all;
    append(all, &header, sizeof header);

    Segment segment{};
    segment.p_type = PT_NOTE;
    segment.p_offset =
        static_cast<decltype(segment.p_offset)>(sizeof header + header.e_phnum * sizeof segment);
    segment.p_filesz = static_cast<decltype(segment.p_filesz)>(notes.size());
    segment.p_align = 4;
    append(all, &segment, sizeof segment);
    uint64_t offset = (segment.p_offset + notes.size() + page - 1) / page * page;
    for (const CoreRange &range : core.ranges) {
        segment = {};
        segment.p_type = PT_LOAD;
        segment.p_flags = PF_R | PF_W | PF_X;
        segment.p_offset = static_cast<decltype(segment.p_offset)>(offset);
        segment.p_vaddr = segment.p_paddr = static_cast<decltype(segment.p_vaddr)>(range.address);
        segment.p_filesz = segment.p_memsz = static_cast<decltype(segment.p_filesz)>(range.bytes);
        segment.p_align = static_cast<decltype(segment.p_align)>(page);
        append(all, &segment, sizeof segment);
        offsets.push_back(offset);
        offset += range.bytes;
    }
    return all + notes;
}

Result<> put(int file, const void *from, size_t bytes, uint64_t offset) {
    const auto *at = static_cast<const char *>(from);
    while (bytes > 0) {
        const auto done = pwrite(file, at, bytes, static_cast<off_t>(offset));
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return fail(RVL_IO, errno_text(errno));
        at += done;
        offset += static_cast<uint64_t>(done);
        bytes -= static_cast<size_t>(done);
    }
    return {};
}

Result<> put_range(int file, const CoreRange &range, uint64_t offset, const CoreReader &read) {
    std::vector<std::byte> buffer(64 * page);
    for (uint64_t at = 0; at < range.bytes;) {
        const auto bytes = std::min<uint64_t>(buffer.size(), range.bytes - at);
        const auto piece = std::span(buffer).first(bytes);
        if (auto done = read(range.address + at, piece); !done)
            return done;
        for (uint64_t in = 0; in < bytes; in += page) {
            const auto one = piece.subspan(in, std::min(page, bytes - in));
            const bool is_last = at + in + page >= range.bytes; // determines the size of the file
            if (!is_last &&
                std::ranges::all_of(one, [](std::byte byte) { return byte == std::byte{}; }))
                continue;
            if (auto done = put(file, one.data(), one.size(), offset + at + in); !done)
                return done;
        }
        at += bytes;
    }
    return {};
}

} // namespace

Result<> write_core(int file, const Core &core, const CoreReader &read) {
    const std::string notes = notes_of(core);
    std::vector<uint64_t> offsets;
    const std::string headers =
        core.xlen == 32 ? headers_of<Elf32_Ehdr, Elf32_Phdr>(core, notes, ELFCLASS32, offsets)
                        : headers_of<Elf64_Ehdr, Elf64_Phdr>(core, notes, ELFCLASS64, offsets);
    // A write beyond the process's file size limit would terminate the program with SIGXFSZ.
    if (!core.ranges.empty() && !may_have_file_of(offsets.back() + core.ranges.back().bytes))
        return fail(RVL_IO, errno_text(EFBIG));
    auto done = put(file, headers.data(), headers.size(), 0);
    for (size_t i = 0; done && i < core.ranges.size(); ++i)
        done = put_range(file, core.ranges[i], offsets[i], read);
    return done;
}

Result<> write_core(const std::string &path, const Core &core, const CoreReader &read) {
    const std::string part = path + ".part";
    unlink(part.c_str()); // a process with the same id may have left it, with an owner who could
                          // read this one
    FileDescriptor file(::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!file)
        return fail(RVL_IO, {"cannot create ", part, ": ", errno_text(errno)});
    auto done = write_core(file.get(), core, read);
    file.reset();
    if (done && std::rename(part.c_str(), path.c_str()) != 0)
        done = fail(RVL_IO, errno_text(errno));
    if (done)
        return done;
    unlink(part.c_str());
    return fail(RVL_IO, {"cannot write ", path, ": ", done.error().message});
}

} // namespace rivulet
