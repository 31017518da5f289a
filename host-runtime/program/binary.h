// SPDX-License-Identifier: Apache-2.0
//
// Program binaries as the application holds them (5.6.1). An executable is the kernel image
// itself; behind it may stand what it was built from, which other readers of ELF files don't see.
// Compiled objects and libraries are LLVM bitcode behind a header of ours, which says
// which of the two it is and what it was compiled for; bare bitcode is taken as an object.
#pragma once

#include <expected>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "host-runtime/api/opencl.h"
#include "host-runtime/program/kernel_image.h"

namespace rivulet {

/// What an executable was built from by clBuildProgram, to build it again in another way.
struct Recipe {
    std::string options;
    std::string source;
    std::vector<std::byte> spirv; // instead of source
};

/// A program's code for a device, in one of three forms.
struct Binary {
    cl_program_binary_type type = CL_PROGRAM_BINARY_TYPE_NONE;
    std::shared_ptr<const KernelImage> executable;
    std::vector<std::byte> object;                  // compiled object or library: bitcode
    std::shared_ptr<const Recipe> recipe = nullptr; // of an executable; null: not known

    /// Writes a binary as clGetProgramInfo(CL_PROGRAM_BINARIES) gives it.
    [[nodiscard]] std::vector<std::byte> file(const InstructionSet &device) const;

    /// Reads one that clCreateProgramWithBinary takes. An error says what is wrong with it.
    static std::expected<Binary, std::string> read(std::span<const std::byte> file,
                                                   const InstructionSet &device);
};

} // namespace rivulet
