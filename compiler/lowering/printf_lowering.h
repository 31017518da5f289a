// SPDX-License-Identifier: Apache-2.0
//
// printf (6.12.13): a record in the launch's ring, formatted by the host.
#ifndef RIVULET_COMPILER_LOWERING_PRINTF_LOWERING_H
#define RIVULET_COMPILER_LOWERING_PRINTF_LOWERING_H

#include "compiler/support/program.h"

namespace rivulet::compiler {

// After the work-group pass: calls of printf in kernels become stores, as hal/protocol/printf.h
// draws them.
void lower_printf(Program &program);

} // namespace rivulet::compiler

#endif
