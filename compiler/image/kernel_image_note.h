// SPDX-License-Identifier: Apache-2.0
//
// The note of a kernel image (hal/protocol/kernel_image.h): written by the compiler, read by
// --dump.
#ifndef RIVULET_COMPILER_IMAGE_KERNEL_IMAGE_NOTE_H
#define RIVULET_COMPILER_IMAGE_KERNEL_IMAGE_NOTE_H

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <vector>

#include "compiler/support/program.h"

namespace rivulet::compiler {

constexpr llvm::StringLiteral note_section = ".note.rivulet";

// The ELF note with its header; entries and stacks of kernels are still 0.
std::vector<char> write_note(const Program &program, const Target &target);

// Facts that only the linked image tells.
struct Placement {
    uint64_t entry;
    uint32_t stack_bytes;
};
// `note` is write_note's, wherever it ended up; one placement per kernel of the program, in order.
void complete_note(std::span<char> note, const Program &program,
                   std::span<const Placement> placements);

// In words, for people.
std::expected<std::string, std::string> describe_image(std::string_view image);

} // namespace rivulet::compiler

#endif
