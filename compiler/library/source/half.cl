/* SPDX-License-Identifier: Apache-2.0 */
/* 6.12.7: vload_half, vstore_half and their aligned forms, for float and double. */
#include "narrowing.h"

/* offset counts vectors of `step` halves; those of vloada_half3 are four apart. */
#define LOAD(space, n, name, step)                                                                 \
    OVERLOAD float##n name(size_t offset, const space half *p) {                                   \
        typedef half##n stored __attribute__((aligned(2)));                                        \
        return CONVERT(n, *(const space stored *)(p + offset * step), float);                      \
    }
#define LOAD_3(space, name, step)                                                                  \
    OVERLOAD float3 name(size_t offset, const space half *p) {                                     \
        p += offset * step;                                                                        \
        return (float3)((float)p[0], (float)p[1], (float)p[2]);                                    \
    }
EACH_SPACE(LOAD, , vload_half, 1)
EACH_SPACE(LOAD, 2, vload_half2, 2)
EACH_SPACE(LOAD_3, vload_half3, 3)
EACH_SPACE(LOAD, 4, vload_half4, 4)
EACH_SPACE(LOAD, 8, vload_half8, 8)
EACH_SPACE(LOAD, 16, vload_half16, 16)
#define LOAD_ALIGNED(space, n, step)                                                               \
    OVERLOAD float##n vloada_half##n(size_t offset, const space half *p) {                         \
        return CONVERT(n, ((const space half##n *)p)[offset], float);                              \
    }
EACH_SPACE(LOAD_ALIGNED, , 1)
EACH_SPACE(LOAD_ALIGNED, 2, 2)
EACH_SPACE(LOAD_3, vloada_half3, 4)
EACH_SPACE(LOAD_ALIGNED, 4, 4)
EACH_SPACE(LOAD_ALIGNED, 8, 8)
EACH_SPACE(LOAD_ALIGNED, 16, 16)

NARROWINGS(half, float)
NARROWINGS(half, double)
