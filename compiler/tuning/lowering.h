// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_TUNING_LOWERING_H
#define RIVULET_COMPILER_TUNING_LOWERING_H

#include <cstddef>
#include <cstdint>

namespace rivulet::compiler::tuning {
#define RVL_TUNING(type, name, value, unit, what, evidence) inline constexpr type name = value;
#include "compiler/tuning/lowering.def"
#undef RVL_TUNING
} // namespace rivulet::compiler::tuning

#endif
