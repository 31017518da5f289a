// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_TUNING_RVV_H
#define RIVULET_COMPILER_TUNING_RVV_H

#include <cstddef>
#include <cstdint>

namespace rivulet::compiler::tuning {
#define RVL_TUNING(type, name, value, unit, what, evidence) inline constexpr type name = value;
#include "compiler/tuning/rvv.def"
#undef RVL_TUNING
} // namespace rivulet::compiler::tuning

#endif
