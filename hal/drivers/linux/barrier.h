// SPDX-License-Identifier: Apache-2.0
//
// Ordering between memory shared with a device and its registers. C++ fences order memory only: on
// weakly ordered hosts, a store to a register may overtake stores to memory.
#pragma once

#include <atomic>

namespace rivulet::hal::window {

/// A device that sees a later register store also sees earlier stores, like Linux's wmb.
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

/// Later loads are at least as recent as the observed interrupt.
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
