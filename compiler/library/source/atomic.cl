/* SPDX-License-Identifier: Apache-2.0 */
/* 6.12.11 and the 1.0 extensions' atom_…: relaxed, of device scope. The pointers' volatile is
 * dropped: an atomic access happens anyway, and lanes of one vector may be combined.
 */
#include "builtin.h"

#define OPERATION(space, T, prefix, name, call)                                                    \
    OVERLOAD T prefix##_##name(volatile space T *p, T value) {                                     \
        return call((space T *)p, value, __ATOMIC_RELAXED);                                        \
    }
#define OPERATIONS(space, T, prefix)                                                               \
    OPERATION(space, T, prefix, add, __atomic_fetch_add)                                           \
    OPERATION(space, T, prefix, sub, __atomic_fetch_sub)                                           \
    OPERATION(space, T, prefix, xchg, __atomic_exchange_n)                                         \
    OPERATION(space, T, prefix, min, __atomic_fetch_min)                                           \
    OPERATION(space, T, prefix, max, __atomic_fetch_max)                                           \
    OPERATION(space, T, prefix, and, __atomic_fetch_and)                                           \
    OPERATION(space, T, prefix, or, __atomic_fetch_or)                                             \
    OPERATION(space, T, prefix, xor, __atomic_fetch_xor)                                           \
    OVERLOAD T prefix##_inc(volatile space T *p) {                                                 \
        return __atomic_fetch_add((space T *)p, (T)1, __ATOMIC_RELAXED);                           \
    }                                                                                              \
    OVERLOAD T prefix##_dec(volatile space T *p) {                                                 \
        return __atomic_fetch_sub((space T *)p, (T)1, __ATOMIC_RELAXED);                           \
    }                                                                                              \
    OVERLOAD T prefix##_cmpxchg(volatile space T *p, T expected, T value) {                        \
        __atomic_compare_exchange_n((space T *)p, &expected, value, false, __ATOMIC_RELAXED,       \
                                    __ATOMIC_RELAXED);                                             \
        return expected;                                                                           \
    }
#define EXCHANGE_FLOAT(space)                                                                      \
    OVERLOAD float atomic_xchg(volatile space float *p, float value) {                             \
        return as_float(__atomic_exchange_n((space int *)p, as_int(value), __ATOMIC_RELAXED));     \
    }
#define ATOMICS(space)                                                                             \
    OPERATIONS(space, int, atomic)                                                                 \
    OPERATIONS(space, uint, atomic)                                                                \
    OPERATIONS(space, int, atom)                                                                   \
    OPERATIONS(space, uint, atom)                                                                  \
    OPERATIONS(space, long, atom)                                                                  \
    OPERATIONS(space, ulong, atom)                                                                 \
    EXCHANGE_FLOAT(space)
ATOMICS(global)
ATOMICS(local)
ATOMICS(generic)
