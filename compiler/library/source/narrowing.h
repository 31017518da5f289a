/* SPDX-License-Identifier: Apache-2.0 */
/* vstore_half and vstorea_half, and the same for bfloat: stores of float and double as an element E
 * of 16 bits, through E_from_T with each rounding. Offsets count vectors of `step` elements; those
 * of vstorea and 3 elements are four apart. */
#ifndef RIVULET_LIBRARY_NARROWING_H
#define RIVULET_LIBRARY_NARROWING_H

#include "rounding.h"

#define NARROWING(space, E, T, mode, rounding)                                                     \
    OVERLOAD void vstore_##E##mode(T data, size_t offset, space E *p) {                            \
        p[offset] = E##_from_##T##rounding(data);                                                  \
    }                                                                                              \
    OVERLOAD void vstorea_##E##mode(T data, size_t offset, space E *p) {                           \
        p[offset] = E##_from_##T##rounding(data);                                                  \
    }                                                                                              \
    NARROWING_VECTOR(space, E, T, vstore_##E, mode, rounding, 2, 2)                                \
    NARROWING_VECTOR(space, E, T, vstore_##E, mode, rounding, 3, 3)                                \
    NARROWING_VECTOR(space, E, T, vstore_##E, mode, rounding, 4, 4)                                \
    NARROWING_VECTOR(space, E, T, vstore_##E, mode, rounding, 8, 8)                                \
    NARROWING_VECTOR(space, E, T, vstore_##E, mode, rounding, 16, 16)                              \
    NARROWING_VECTOR(space, E, T, vstorea_##E, mode, rounding, 2, 2)                               \
    NARROWING_VECTOR(space, E, T, vstorea_##E, mode, rounding, 3, 4)                               \
    NARROWING_VECTOR(space, E, T, vstorea_##E, mode, rounding, 4, 4)                               \
    NARROWING_VECTOR(space, E, T, vstorea_##E, mode, rounding, 8, 8)                               \
    NARROWING_VECTOR(space, E, T, vstorea_##E, mode, rounding, 16, 16)
#define NARROWING_VECTOR(space, E, T, name, mode, rounding, n, step)                               \
    OVERLOAD void name##n##mode(T##n data, size_t offset, space E *p) {                            \
        p += offset * step;                                                                        \
        _Pragma("unroll") for (int i = 0; i < n; ++i) p[i] = E##_from_##T##rounding(data[i]);      \
    }
#define NARROWINGS(E, T)                                                                           \
    EACH_WRITABLE_SPACE(NARROWING, E, T, , _rte)                                                   \
    EACH_WRITABLE_SPACE(NARROWING, E, T, _rte, _rte)                                               \
    EACH_WRITABLE_SPACE(NARROWING, E, T, _rtz, _rtz)                                               \
    EACH_WRITABLE_SPACE(NARROWING, E, T, _rtp, _rtp)                                               \
    EACH_WRITABLE_SPACE(NARROWING, E, T, _rtn, _rtn)

#endif
