// SPDX-License-Identifier: Apache-2.0
//
// 6.12.13.2: checks of printf formats beyond clang's -Wformat, which implements C99's rules.
#ifndef RIVULET_COMPILER_FRONTEND_PRINTF_CHECKS_H
#define RIVULET_COMPILER_FRONTEND_PRINTF_CHECKS_H

#include <optional>
#include <string>
#include <vector>

#include <llvm/ADT/StringRef.h>

namespace rivulet::compiler {

struct FormatFlaw {
    std::string sentence;
    bool is_error; // no implementation could print it; otherwise behaviour is undefined
};

// In the order of the text. The length modifiers z and t are OpenCL C 3.1's.
std::vector<FormatFlaw> flaws_of_format(llvm::StringRef format, bool is_opencl_c_3_1);

// For each argument after the format, whether it is printed with %s.
std::vector<bool> printed_as_text(llvm::StringRef format);

} // namespace rivulet::compiler

#endif
