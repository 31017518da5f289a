/* SPDX-License-Identifier: Apache-2.0
 *
 * What the portable part needs from the machine: RISC-V in M mode (arch/riscv) or host threads
 * (arch/host). */
#ifndef RIVULET_FIRMWARE_ARCH_H
#define RIVULET_FIRMWARE_ARCH_H

#include "device-firmware/core/firmware.h"

void arch_lock_take(arch_lock *);
void arch_lock_release(arch_lock *);

uint64_t arch_time(const firmware *); /* in ticks of firmware.timebase */

/* Doorbells. arch_interrupt makes a hart leave arch_wait, or calls firmware_interrupt if it runs
 * a kernel. Spurious interrupts are allowed, lost ones are not. */
void arch_interrupt(firmware *, hart *);
void arch_ring_host(firmware *);
/* Sleeps until an interrupt or hart.alarm; may return earlier. */
void arch_wait(firmware *, hart *);
/* Takes the interrupts that have come while the hart ran code of the firmware for long: kicks the
 * watchdog, and stops if another hart has failed. */
void arch_acknowledge_interrupts(firmware *, hart *);
bool arch_stopping(const firmware *);
/* Sets the hart's only timer; any hart may do so, under the lock. */
void arch_set_alarm(firmware *, hart *, uint64_t time);

/* How long a hart polls for work before it sleeps, in ticks. */
uint64_t arch_spin_time(const firmware *);
void arch_pause(void);

/* Makes the hart's instruction fetches see all earlier code writes (fence.i). */
void arch_icache_sync(firmware *);
/* Called after the firmware has written code that harts will run after arch_icache_sync. */
void arch_code_written(void *code, size_t bytes);
/* Whole blocks of the harts' caches, with respect to the host; complete on return. */
void arch_cache_clean(const firmware *, uint64_t address, uint64_t bytes);
void arch_cache_invalidate(const firmware *, uint64_t address, uint64_t bytes);
/* Clears what kernels leave behind in a hart: its registers, and this memory in whole cache
 * blocks. */
void arch_clear_hart(const firmware *, uint64_t memory, uint64_t bytes);
/* Zeroes memory. The hart keeps sending heartbeats meanwhile. */
void arch_clear_memory(firmware *, hart *, uint64_t address, uint64_t bytes);
/* Runs the kernel of hart.launch, and those of launches that take its place, until one exits,
 * faults, launch.ending is set or firmware_interrupt wants the hart to leave it; then its registers
 * are in the innermost of hart.held. Adds to hart.instructions. */
void arch_run_kernel(firmware *, hart *, rvl_hart_frame *);
/* Continues the kernel of hart.launch, whose registers are at this address. */
void arch_resume_kernel(firmware *, hart *, uint64_t registers);
/* Stops what an engine copies for the hart's kernel, under the lock, before the hart leaves the
 * kernel in the middle. Called if ARCH_HAS_COPIES. */
void arch_hold_copy(const hart *);
/* Has the unit's driver stop it; fails if it goes on, because it would write to memory of the next
 * owner. */
void arch_stop_unit(firmware *, uint32_t unit);
/* Size of a kernel's registers; a multiple of RVL_CACHE_BLOCK. */
uint64_t arch_register_bytes(const firmware *);
/* Fills in the interrupted kernel's registers for a fault report. */
void arch_describe_kernel(const hart *, rvl_fault *);
/* The pc at which the kernel was interrupted, or 0 if unknown. */
uint64_t arch_kernel_pc(const hart *);

void arch_log(firmware *, const char *line);

/* True if the code has a valid signature by firmware.kernel_key. */
bool arch_is_signed(const firmware *, const uint8_t *signature, const void *code, size_t bytes);

/* Stops all harts, leaves a crash report and does not return. */
_Noreturn void arch_panic(firmware *, const char *why);
/* Checks invariants that comments state. */
#define firmware_assert(f, condition)                                                              \
    ((condition) ? (void)0 : arch_panic((f), "assertion failed in " __FILE_NAME__ ": " #condition))
/* Performs the fault injection that rvl_injection names; false if unsupported. */
bool arch_inject(firmware *, uint32_t kind);

#endif
