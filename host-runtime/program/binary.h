// SPDX-License-Identifier: Apache-2.0
//
// Program binaries as the application sees them (5.6.1). An executable is the kernel image itself,
// optionally followed by what it was built from, which other ELF readers ignore. Compiled objects
// and libraries are LLVM bitcode with a header that says which of the two it is and what it was
// compiled for; bare bitcode is accepted as an object.
#pragma once

#include <expected>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "host-runtime/include/opencl.h"
#include "host-runtime/program/kernel_image.h"

namespace rivulet {

/// What clBuildProgram built an executable from, to rebuild it with other options.
struct Recipe {
    std::string options;
    std::string source;
    std::vector<std::byte> spirv; // instead of source
};

/// A program's code for a device, in one of three forms.
struct Binary {
    cl_program_binary_type type = CL_PROGRAM_BINARY_TYPE_NONE;
    std::shared_ptr<const KernelImage> executable;
    std::vector<std::byte> object;                  // bitcode of a compiled object or library
    std::shared_ptr<const Recipe> recipe = nullptr; // of an executable; null if unknown

    /// Serialises the binary for clGetProgramInfo(CL_PROGRAM_BINARIES).
    [[nodiscard]] std::vector<std::byte> file(const InstructionSet &device) const;

    /// Parses a binary passed to clCreateProgramWithBinary. An error describes the problem.
    static std::expected<Binary, std::string> read(std::span<const std::byte> file,
                                                   const InstructionSet &device);
};

} // namespace rivulet
