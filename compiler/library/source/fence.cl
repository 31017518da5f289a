/* SPDX-License-Identifier: Apache-2.0 */
/* 6.12.9 fences, 6.12.10 prefetch. */
#include "builtin.h"

/* One memory serves all address spaces, so the flags don't narrow a fence. */
OVERLOAD void mem_fence(cl_mem_fence_flags flags) { __atomic_thread_fence(__ATOMIC_ACQ_REL); }
OVERLOAD void read_mem_fence(cl_mem_fence_flags flags) { __atomic_thread_fence(__ATOMIC_ACQUIRE); }
OVERLOAD void write_mem_fence(cl_mem_fence_flags flags) { __atomic_thread_fence(__ATOMIC_RELEASE); }
OVERLOAD void atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order,
                                     memory_scope scope) {
    __atomic_thread_fence(order);
}

/* A hint: does nothing. */
#define PREFETCH(n, T, ...)                                                                        \
    OVERLOAD void prefetch(const global T##n *p, size_t count) {}
EACH_TYPE(EACH_WIDTH, PREFETCH)
