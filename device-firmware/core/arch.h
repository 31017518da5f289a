/* SPDX-License-Identifier: Apache-2.0
 *
 * The portable part needs this of the machine below it: RISC-V in M mode (arch/riscv) or host
 * threads (arch/host). */
#ifndef RIVULET_FIRMWARE_ARCH_H
#define RIVULET_FIRMWARE_ARCH_H

#include "device-firmware/core/firmware.h"

void arch_lock_take(arch_lock *);
void arch_lock_release(arch_lock *);

uint64_t arch_time(const firmware *); /* in ticks of firmware.timebase */

/* Doorbells. `interrupt` makes a hart leave arch_wait, or calls firmware_interrupt while it runs a
 * kernel; it may come too often, never too seldom. */
void arch_interrupt(firmware *, hart *);
void arch_ring_host(firmware *);
/* Sleeps until an interrupt or hart.alarm; may return earlier. */
void arch_wait(firmware *, hart *);
bool arch_stopping(const firmware *);
/* The hart's one timer; any hart may set it, under the lock. */
void arch_set_alarm(firmware *, hart *, uint64_t time);

/* How long a hart looks for work before it sleeps, in ticks. */
uint64_t arch_spin_time(const firmware *);
void arch_pause(void);

/* The hart fetches instructions anew. */
void arch_icache_sync(firmware *);
/* The firmware has written code there, which harts run after arch_icache_sync. */
void arch_code_written(void *code, size_t bytes);
/* The harts' caches, of whole blocks, as far as the host: on return it is done. */
void arch_cache_clean(const firmware *, uint64_t address, uint64_t bytes);
void arch_cache_invalidate(const firmware *, uint64_t address, uint64_t bytes);
/* Clears what kernels leave in a hart: its registers, and this memory, whole cache blocks of it. */
void arch_clear_hart(const firmware *, uint64_t memory, uint64_t bytes);
/* Makes memory zeros, while the hart goes on to show that it lives. */
void arch_clear_memory(firmware *, hart *, uint64_t address, uint64_t bytes);
/* Runs the kernel of hart.launch until it exits, faults or launch.ending is set; adds to
 * hart.instructions. */
void arch_run_kernel(firmware *, hart *, rvl_hart_frame *);
/* Registers of the kernel that was interrupted, for a fault report. */
void arch_describe_kernel(const hart *, rvl_fault *);
/* The pc at which the kernel was interrupted; 0: not known. */
uint64_t arch_kernel_pc(const hart *);

void arch_log(firmware *, const char *line);

/* The code bears a signature of firmware.kernel_key. */
bool arch_is_signed(const firmware *, const uint8_t *signature, const void *code, size_t bytes);

/* Stops all harts, leaves a crash report and does not return. */
_Noreturn void arch_panic(firmware *, const char *why);
/* For what comments promise. */
#define firmware_assert(f, condition)                                                              \
    ((condition) ? (void)0 : arch_panic((f), "assertion failed in " __FILE_NAME__ ": " #condition))
/* Does what rvl_injection says; false if it can't. */
bool arch_inject(firmware *, uint32_t kind);

#endif
