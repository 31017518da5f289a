// SPDX-License-Identifier: Apache-2.0
//
// Cores that code can be tuned for.
#ifndef RIVULET_COMPILER_ANALYSIS_TUNED_CORES_H
#define RIVULET_COMPILER_ANALYSIS_TUNED_CORES_H

#include <algorithm>
#include <string>
#include <string_view>

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringRef.h>

namespace rivulet::compiler {

// In-order cores whose vector unit LLVM has a scheduling model of, by LLVM's names. On each of them
// code that is tuned for it takes fewer modelled cycles than other code (benchmarks/cycles), in the
// geometric mean of 18 kernels; sobel takes 1.056 times as many on the X280. A core for which that
// was not measured is not in the table.
inline constexpr llvm::StringLiteral tuned_cores[] = {"sifive-x280", "spacemit-x60"};

// The name in the table, given that name or the one in a device tree ("spacemit,x60"). Empty if the
// core isn't in the table.
inline std::string core_name(std::string_view name) {
    std::string core(name);
    std::ranges::replace(core, ',', '-');
    return llvm::is_contained(tuned_cores, llvm::StringRef(core)) ? core : "";
}

// The core that a function is tuned for. Without it, code is for any core.
inline constexpr llvm::StringLiteral core_attribute = "rivulet-core";

} // namespace rivulet::compiler

#endif
