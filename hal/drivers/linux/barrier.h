// SPDX-License-Identifier: Apache-2.0
//
// Order between memory that a device shares and its registers. A fence of C++ orders memory alone:
// on weakly ordered hosts a store to a register may overtake stores to memory.
#pragma once

#include <atomic>

namespace rivulet::hal::window {

/// Earlier stores are seen by a device that sees a later store to a register: Linux's wmb.
inline void order_stores_before_register() {
#if defined(__riscv)
    asm volatile("fence w, o" ::: "memory"); // order: host.ring
#elif defined(__aarch64__)
    asm volatile("dsb st" ::: "memory");
#elif defined(__x86_64__)
    asm volatile("sfence" ::: "memory"); // write-combining windows
#else
    std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

/// Later loads are at least as new as the interrupt that was seen.
inline void order_interrupt_before_loads() {
#if defined(__riscv)
    asm volatile("fence i, r" ::: "memory");
#elif defined(__aarch64__)
    asm volatile("dsb ld" ::: "memory");
#else
    std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

} // namespace rivulet::hal::window
