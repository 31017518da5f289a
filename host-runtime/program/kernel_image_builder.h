// SPDX-License-Identifier: Apache-2.0
//
// Creates small kernel images for tests: every field of ELF file and note can be corrupted.
#pragma once

#include <cstring>
#include <elf.h>
#include <string>
#include <vector>

#include "hal/protocol/kernel_image.h"

namespace rivulet::testing {

struct ImageBuilder {
    Elf64_Ehdr header{};
    Elf64_Phdr code{}, data{}, dynamic{}, notes{};
    std::vector<Elf64_Dyn> dynamic_entries;
    std::vector<Elf64_Rela> relocations;
    rvl_image_note note{};
    std::vector<rvl_kernel_note> kernels;
    std::vector<rvl_argument_note> arguments;
    std::string strings = std::string(1, '\0');
    uint32_t kernel_bytes = sizeof(rvl_kernel_note); // of the minor version

    uint32_t string(const char *text) {
        const auto at = static_cast<uint32_t>(strings.size());
        strings.append(text, std::strlen(text) + 1);
        return at;
    }

    /// One kernel "scale(global float *data, float factor, local int *scratch)", 64 bytes of code,
    /// and data whose second word points to itself.
    ImageBuilder() {
        std::memcpy(header.e_ident, ELFMAG, SELFMAG);
        header.e_ident[EI_CLASS] = ELFCLASS64;
        header.e_ident[EI_DATA] = ELFDATA2LSB;
        header.e_ident[EI_VERSION] = EV_CURRENT;
        header.e_type = ET_DYN;
        header.e_machine = EM_RISCV;
        header.e_phentsize = sizeof(Elf64_Phdr);
        header.e_phnum = 4;
        header.e_phoff = sizeof header;
        code.p_flags = PF_R | PF_X;
        data.p_flags = PF_R | PF_W;
        data.p_vaddr = RVL_PAGE_BYTES;
        data.p_memsz = 64;
        relocations.push_back({RVL_PAGE_BYTES + 8, R_RISCV_RELATIVE, RVL_PAGE_BYTES + 8});

        note.version = RVL_KERNEL_IMAGE_VERSION;
        note.xlen = 64;
        note.vlen = 256;
        note.isa = string("rv64imafdcv_zvl256b");
        note.compiler = string("rivulet-cc 0.1");
        note.options = string("-cl-kernel-arg-info");
        note.flags = RVL_IMAGE_ARGUMENT_INFO;

        rvl_kernel_note kernel{};
        kernel.name = string("scale");
        kernel.entry = 16;
        kernel.argument_count = 3;
        kernel.argument_bytes = 24;
        kernel.stack_bytes = 256;
        kernel.preferred_multiple = 8;
        kernels.push_back(kernel);

        rvl_argument_note argument{};
        argument.name = string("data");
        argument.type = string("float*");
        argument.kind = RVL_ARGUMENT_GLOBAL;
        argument.bytes = 8;
        argument.pointee_alignment = 4;
        arguments.push_back(argument);
        argument = {};
        argument.name = string("factor");
        argument.type = string("float");
        argument.kind = RVL_ARGUMENT_VALUE;
        argument.offset = 8;
        argument.bytes = 4;
        arguments.push_back(argument);
        argument = {};
        argument.kind = RVL_ARGUMENT_LOCAL;
        argument.offset = 16;
        argument.bytes = 8;
        argument.pointee_alignment = 4;
        arguments.push_back(argument);
    }

    [[nodiscard]] std::vector<std::byte> file() const {
        std::vector<std::byte> out(sizeof header + 4 * sizeof(Elf64_Phdr));
        const auto append = [&](const void *bytes, size_t size) {
            const size_t at = out.size();
            out.resize(at + size);
            if (size != 0)
                std::memcpy(out.data() + at, bytes, size);
            return at;
        };
        Elf64_Phdr segments[4] = {code, data, dynamic, notes};
        enum { code_segment, data_segment, dynamic_segment, note_segment };

        // Relocations are at the end of the code, as with a real linker.
        const std::vector<std::byte> instructions(64, std::byte{0x13});
        const size_t code_at = append(instructions.data(), instructions.size());
        const size_t relocations_at =
            append(relocations.data(), relocations.size() * sizeof(Elf64_Rela));
        segments[code_segment].p_type = PT_LOAD;
        segments[code_segment].p_offset = code_at;
        segments[code_segment].p_filesz += out.size() - code_at;
        segments[code_segment].p_memsz += out.size() - code_at;
        const uint64_t words[] = {42, 0};
        segments[data_segment].p_type = PT_LOAD;
        segments[data_segment].p_offset = append(words, sizeof words);
        segments[data_segment].p_filesz += sizeof words;

        std::vector<Elf64_Dyn> entries{{DT_RELA, {relocations_at - code_at}},
                                       {DT_RELASZ, {relocations.size() * sizeof(Elf64_Rela)}},
                                       {DT_RELAENT, {sizeof(Elf64_Rela)}}};
        entries.insert(entries.end(), dynamic_entries.begin(), dynamic_entries.end());
        entries.push_back({DT_NULL, {0}});
        const size_t entries_bytes = entries.size() * sizeof(Elf64_Dyn);
        segments[dynamic_segment].p_type = PT_DYNAMIC;
        segments[dynamic_segment].p_offset = append(entries.data(), entries_bytes);
        segments[dynamic_segment].p_filesz += entries_bytes;

        rvl_image_note described = note;
        described.kernels += sizeof described;
        described.kernel_bytes += kernel_bytes;
        described.kernel_count += static_cast<uint32_t>(kernels.size());
        described.arguments += described.kernels + kernel_bytes * described.kernel_count;
        described.argument_bytes += sizeof(rvl_argument_note);
        described.argument_count += static_cast<uint32_t>(arguments.size());
        described.strings +=
            described.arguments + described.argument_bytes * described.argument_count;
        described.string_bytes += static_cast<uint32_t>(strings.size());
        described.bytes += described.strings + described.string_bytes;
        const Elf64_Nhdr note_header{8, described.bytes, RVL_IMAGE_NOTE};
        const size_t note_at = append(&note_header, sizeof note_header);
        append(RVL_NOTE_OWNER, 8);
        append(&described, sizeof described);
        for (const rvl_kernel_note &kernel : kernels) {
            append(&kernel, sizeof kernel);
            out.resize(out.size() + kernel_bytes - sizeof kernel);
        }
        append(arguments.data(), arguments.size() * sizeof(rvl_argument_note));
        append(strings.data(), strings.size());
        out.resize((out.size() + 3) & ~size_t{3});
        segments[note_segment].p_type = PT_NOTE;
        segments[note_segment].p_offset = note_at;
        segments[note_segment].p_filesz += out.size() - note_at;

        std::memcpy(out.data(), &header, sizeof header);
        std::memcpy(out.data() + sizeof header, segments, sizeof segments);
        return out;
    }
};

} // namespace rivulet::testing
