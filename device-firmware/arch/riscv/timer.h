/* SPDX-License-Identifier: Apache-2.0
 *
 * The clock, and a timer per hart. Only the implementation (timer.c: mtime and mtimecmp, or Sstc)
 * knows who keeps them. arch_time (core/arch.h) reads the clock. */
#ifndef RIVULET_FIRMWARE_TIMER_H
#define RIVULET_FIRMWARE_TIMER_H

#include "device-firmware/arch/riscv/csr.h"
#include "device-firmware/core/firmware.h"

/* Probes for the hardware; reports on the console if some of it is missing. */
void timer_start(firmware *);
void timer_start_hart(const firmware *);
/* Raises the hart's timer interrupt from that time on, and ends it until then. Returns false if
 * only the hart itself can do that. */
bool timer_set(const firmware *, const hart *, uint64_t time);
uintptr_t timer_enable_bits(const firmware *); /* of XIE and XIP */
/* True if timer_set works only on the hart itself. */
bool timer_is_own(const firmware *);

/* ---- for the implementations: the hart's own time and stimecmp ---- */

/* Effectively never. Not larger, because with -icount QEMU adds this time to its clock and spins
 * once that has overflowed. */
#define TIMER_LATEST (1ull << 53)

static inline uint64_t timer_read_csr(void) {
#if __riscv_xlen == 64
    return csr_read(time);
#else
    for (;;) {
        uint32_t high = csr_read(timeh), low = csr_read(time);
        if (high == csr_read(timeh))
            return (uint64_t)high << 32 | low;
    }
#endif
}

/* Sstc's, nominally S mode's interrupt. */
static inline void timer_write_stimecmp(uint64_t time) {
#if __riscv_xlen == 64
    csr_write_number(STIMECMP, time);
#else
    csr_write_number(STIMECMP, UINT32_MAX);
    csr_write_number(STIMECMPH, (uint32_t)(time >> 32));
    csr_write_number(STIMECMP, (uint32_t)time);
#endif
}

#endif
