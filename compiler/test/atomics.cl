// SPDX-License-Identifier: Apache-2.0
// Atomic objects of pointers' size are those of a size: no call is ambiguous, on any device.
// RUN: %cc %s -o %t -cl-std=CL3.0
// RUN: %cc %s -o %t -cl-std=CL3.0 --target=rv32gcv
// RUN: %cc %s -o %t -cl-std=CL3.0 --target=rv32gc
#define FETCH(operation, T)                                                                        \
    kernel void operation##_##T(global atomic_##T *g, local atomic_##T *l, int i, uint u, long n,  \
                                ulong m) {                                                         \
        atomic_fetch_##operation(g, 1);                                                            \
        atomic_fetch_##operation(l, i);                                                            \
        atomic_fetch_##operation##_explicit(g, u, memory_order_relaxed);                           \
        atomic_fetch_##operation##_explicit(l, n, memory_order_acquire, memory_scope_work_group);  \
        *(global T *)g = atomic_fetch_##operation(g, m);                                           \
    }
#define TYPES(operation)                                                                           \
    FETCH(operation, int) FETCH(operation, uint) FETCH(operation, long) FETCH(operation, ulong)    \
    FETCH(operation, size_t) FETCH(operation, ptrdiff_t) FETCH(operation, intptr_t)                \
    FETCH(operation, uintptr_t)
TYPES(add) TYPES(sub) TYPES(and) TYPES(or) TYPES(xor) TYPES(min) TYPES(max)
