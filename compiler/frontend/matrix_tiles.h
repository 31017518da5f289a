// SPDX-License-Identifier: Apache-2.0
//
// SiFive's XSfmm has matrix tiles, registers that the firmware does not clear.
#ifndef RIVULET_COMPILER_FRONTEND_MATRIX_TILES_H
#define RIVULET_COMPILER_FRONTEND_MATRIX_TILES_H

#include <expected>
#include <string>

#include <llvm/IR/Module.h>

namespace rivulet::compiler {

// Fails for the first intrinsic, or assembly, of XSfmm: a kernel of another context could read what
// it leaves in tiles. Of a module as clang made it, because lowering to LLVM IR for work-items
// would complain about these calls in words of its own.
std::expected<void, std::string> check_tiles(const llvm::Module &module);

} // namespace rivulet::compiler

#endif
