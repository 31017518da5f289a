// SPDX-License-Identifier: Apache-2.0
//
// Reads as much of ELF as a kernel image uses: segments, RELATIVE relocations and one note, for 32
// and 64 bits. The file may come from anyone, so nothing in it is believed.
//
// parse_firmware() and `rivulet sign` read program headers, too, and share the reader of notes.
// They accept other types of file, place segments by other rules and say other things of what is
// wrong; one reader of headers for all of them saves 47 of 817 lines, those of both writers
// included. The compiler reads ELF with LLVM.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"

namespace rivulet {

/// Thrown by readers of a file: says what is wrong with it, as part of a sentence.
struct BadImage {
    std::string reason;
};
[[noreturn]] void refuse(std::initializer_list<Part> reason);

struct ElfFile {
    struct Relocation {
        uint64_t offset; // in memory; a word of xlen bits, always in the data part
        uint64_t addend; // the word is base + addend
    };

    uint16_t machine = 0; // EM_…
    uint32_t xlen = 0;
    uint64_t entry = 0;
    std::vector<std::byte> memory; // as loaded at the base: code, then data; whole pages
    uint64_t code_bytes = 0;       // whole pages
    std::vector<Relocation> relocations;
    std::span<const std::byte> note; // into the file: contents of the note asked for

    /// Checks and reads; throws BadImage.
    static ElfFile read(std::span<const std::byte> file, const char *note_owner,
                        uint32_t note_type);
};

} // namespace rivulet
