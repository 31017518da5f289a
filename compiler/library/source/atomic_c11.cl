/* SPDX-License-Identifier: Apache-2.0 */
/* The C11 atomics of OpenCL C 2.0 and 3.0. Every scope is served by the widest one; orders are
 * constants after inlining.
 */
#include "builtin.h"

/* name(…), name_explicit(…, order) and name_explicit(…, order, scope) around a `call`. */
#define WITH_ORDERS(R, name, parameters, call)                                                     \
    OVERLOAD R name(UNWRAP parameters) {                                                           \
        const int order = __ATOMIC_SEQ_CST;                                                        \
        call;                                                                                      \
    }                                                                                              \
    OVERLOAD R name##_explicit(UNWRAP parameters, memory_order order) { call; }                    \
    OVERLOAD R name##_explicit(UNWRAP parameters, memory_order order, memory_scope scope) { call; }
#define UNWRAP(...) __VA_ARGS__

#define FETCH(space, T, V, name, operation)                                                        \
    WITH_ORDERS(T, atomic_fetch_##name, (volatile space atomic_##T *p, V value),                   \
                return operation((space T *)p, (T)value, order))
#define FETCHES(space, T, V)                                                                       \
    FETCH(space, T, V, add, __atomic_fetch_add)                                                    \
    FETCH(space, T, V, sub, __atomic_fetch_sub)                                                    \
    FETCH(space, T, V, and, __atomic_fetch_and)                                                    \
    FETCH(space, T, V, or, __atomic_fetch_or)                                                      \
    FETCH(space, T, V, xor, __atomic_fetch_xor)                                                    \
    FETCH(space, T, V, min, __atomic_fetch_min)                                                    \
    FETCH(space, T, V, max, __atomic_fetch_max)

/* cl_ext_float_atomics. Minimum and maximum are those of fmin and fmax. */
#define FLOAT_FETCHES(space, T)                                                                    \
    FETCH(space, T, T, add, __atomic_fetch_add)                                                    \
    FETCH(space, T, T, sub, __atomic_fetch_sub)                                                    \
    FETCH(space, T, T, min, __atomic_fetch_min)                                                    \
    FETCH(space, T, T, max, __atomic_fetch_max)

/* I: the integer type that carries T's bits. */
#define EXCHANGES(space, T, I)                                                                     \
    OVERLOAD void atomic_init(volatile space atomic_##T *p, T value) { *(space T *)p = value; }    \
    PLAIN_EXCHANGES(space, T, I)                                                                   \
    COMPARE_EXCHANGES(space, T, I, private)                                                        \
    COMPARE_EXCHANGES(space, T, I, global)                                                         \
    COMPARE_EXCHANGES(space, T, I, local)                                                          \
    COMPARE_EXCHANGES(space, T, I, generic)
#define PLAIN_EXCHANGES(space, T, I)                                                               \
    WITH_ORDERS(void, atomic_store, (volatile space atomic_##T *p, T value),                       \
                __atomic_store_n((space I *)p, __builtin_astype(value, I), order))                 \
    WITH_ORDERS(T, atomic_load, (volatile space atomic_##T *p),                                    \
                return __builtin_astype(__atomic_load_n((space I *)p, order), T))                  \
    WITH_ORDERS(T, atomic_exchange, (volatile space atomic_##T *p, T value),                       \
                I old = __atomic_exchange_n((space I *)p, __builtin_astype(value, I), order);      \
                return __builtin_astype(old, T))
/* In clang's table of functions, the values that halves in memory get are atomic themselves. */
#define HALF_EXCHANGES(space)                                                                      \
    PLAIN_EXCHANGES(space, half, short)                                                            \
    WITH_ORDERS(void, atomic_store, (volatile space atomic_half *p, atomic_half value),            \
                __atomic_store_n((space short *)p, *(private short *)&value, order))               \
    WITH_ORDERS(half, atomic_exchange, (volatile space atomic_half *p, atomic_half value),         \
                short old = __atomic_exchange_n((space short *)p, *(private short *)&value,        \
                                                order);                                            \
                return __builtin_astype(old, half))
#define COMPARE_EXCHANGES(space, T, I, other_space)                                                \
    COMPARE_EXCHANGE(strong, false, space, T, I, other_space)                                      \
    COMPARE_EXCHANGE(weak, true, space, T, I, other_space)

/* The failure order must be no stronger than acquire, so it is derived from the success order. */
#define COMPARE_EXCHANGE(name, weak, space, T, I, other_space)                                     \
    OVERLOAD bool atomic_compare_exchange_##name##_explicit(                                       \
        volatile space atomic_##T *p, other_space T *expected, T value, memory_order success,      \
        memory_order failure, memory_scope scope) {                                                \
        I found = __builtin_astype(*expected, I);                                                  \
        bool done = __atomic_compare_exchange_n((space I *)p, &found,                              \
                                                __builtin_astype(value, I), weak, success,         \
                                                failure);                                          \
        *expected = __builtin_astype(found, T);                                                    \
        return done;                                                                               \
    }                                                                                              \
    OVERLOAD bool atomic_compare_exchange_##name##_explicit(                                       \
        volatile space atomic_##T *p, other_space T *expected, T value, memory_order success,      \
        memory_order failure) {                                                                    \
        return atomic_compare_exchange_##name##_explicit(p, expected, value, success, failure,     \
                                                         memory_scope_device);                     \
    }                                                                                              \
    OVERLOAD bool atomic_compare_exchange_##name(volatile space atomic_##T *p,                     \
                                                 other_space T *expected, T value) {               \
        return atomic_compare_exchange_##name##_explicit(                                          \
            p, expected, value, memory_order_seq_cst, memory_order_seq_cst, memory_scope_device);  \
    }

#define FLAG(space)                                                                                \
    WITH_ORDERS(bool, atomic_flag_test_and_set, (volatile space atomic_flag *p),                   \
                return __atomic_exchange_n((space int *)p, 1, order) != 0)                         \
    WITH_ORDERS(void, atomic_flag_clear, (volatile space atomic_flag *p),                          \
                __atomic_store_n((space int *)p, 0, order))

/* atomic_intptr_t and its kin mix signs: uintptr_t objects take ptrdiff_t, and the reverse. */
#define POINTER_SIZED_(space, S, U) FETCHES(space, U, S) FETCHES(space, S, U)
#ifdef __SPIR64__
#define POINTER_SIZED(space) POINTER_SIZED_(space, long, ulong)
#else
#define POINTER_SIZED(space) POINTER_SIZED_(space, int, uint)
#endif

#define ATOMICS(space)                                                                             \
    FETCHES(space, int, int) FETCHES(space, uint, uint)                                            \
    FETCHES(space, long, long) FETCHES(space, ulong, ulong)                                        \
    POINTER_SIZED(space)                                                                           \
    EXCHANGES(space, int, int) EXCHANGES(space, uint, uint)                                        \
    EXCHANGES(space, long, long) EXCHANGES(space, ulong, ulong)                                    \
    EXCHANGES(space, float, int) EXCHANGES(space, double, long)                                    \
    HALF_EXCHANGES(space)                                                                          \
    FLOAT_FETCHES(space, half) FLOAT_FETCHES(space, float) FLOAT_FETCHES(space, double)            \
    FLAG(space)
ATOMICS(global)
ATOMICS(local)
ATOMICS(generic)
