/* SPDX-License-Identifier: Apache-2.0
 *
 * Locks of harts, which are taken for so short that waiting harts spin. */
#include "device-firmware/arch/riscv/riscv.h"
#include "device-firmware/core/atomic.h"
#include "device-firmware/core/seldom.h"

SELDOM static void wait_until_free(const arch_lock *lock) {
    while (load_relaxed(&lock->taken)) {
        riscv_stop_if_panicking();
        arch_pause();
    }
}

void arch_lock_take(arch_lock *lock) {
    while (__atomic_exchange_n(&lock->taken, 1, __ATOMIC_ACQUIRE)) /* order: lock.take */
        wait_until_free(lock);
}

/* Device registers (other harts' alarms) are also written under the lock. The next holder's
 * writes must come after ours, and a release fence orders memory only. The counterpart on the
 * acquiring side is the fence in mmio_write32. */
void arch_lock_release(arch_lock *lock) {
    __asm__ volatile("fence iorw, ow" ::: "memory"); /* order: lock.release */
    store_relaxed(&lock->taken, 0);
}
