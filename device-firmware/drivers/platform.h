/* SPDX-License-Identifier: Apache-2.0
 *
 * One row per SoC that needs more than device drivers. Rows are collected in a linker section: a
 * board's own .c file adds one with RIVULET_PLATFORM, without any other change. The row whose
 * `compatible` is among those of the board's root node is used. All its fields may be NULL: the
 * defaults come from the devices in the board's tree. */
#ifndef RIVULET_FIRMWARE_PLATFORM_H
#define RIVULET_FIRMWARE_PLATFORM_H

#include "device-firmware/drivers/drivers.h"

struct doorbell; /* arch/riscv/riscv.h */

/* Its size is a multiple of the alignment of rows, which follow each other in the section. */
typedef struct __attribute__((aligned(8))) platform {
    const char *compatible;
    /* Vendor CSRs (caches, prediction, errata): each hart, before anything else. No .data, no .bss:
     * only registers and constants. */
    void (*hart_init)(void);
    /* Run by the boot hart before the console is started: clocks, pins. */
    void (*early_init)(void);
    const console_driver *console;
    const struct doorbell *doorbell;
    /* Operate on the cache line at that address; NULL selects Zicbom. */
    void (*cache_clean)(uintptr_t address);
    void (*cache_invalidate)(uintptr_t address);
    uintptr_t (*software_interrupt)(uint32_t hart_id); /* register to which 1 is written, or 0 */
    uintptr_t (*timer_compare)(uint32_t hart_id);      /* register of 64 bits, or 0            */
    uintptr_t (*time)(void);                           /* register of 64 bits, or 0            */
    /* In place of wfi, once a hart has been idle for rivulet,suspend-after-ms of /chosen: saves
     * more power, and returns after an interrupt that XIE enables. Memory, registers and the timer
     * keep their contents. NULL: wfi, or in S mode the SBI's hart_suspend. */
    void (*suspend_hart)(void);
    const watchdog_driver *watchdog;
    void (*reset)(void);
} platform;

#define RIVULET_PLATFORM(name)                                                                     \
    const platform platform_##name __attribute__((section(".platforms"), used, aligned(8)))

const platform *platform_row(void); /* never NULL */
void platform_hart_init(void);
void platform_early_init(void);
uintptr_t platform_software_interrupt(uint32_t hart_id);
uintptr_t platform_timer_compare(uint32_t hart_id);
uintptr_t platform_time(void);
void platform_watchdog_start(uint32_t milliseconds);
void platform_watchdog_kick(void);
void platform_reset(void); /* returns if the board can't */

/* The first device, in tree order, that one of the bell drivers supports; NULL if none. */
typedef struct bound_bell {
    const bell_driver *driver;
    const struct device *device;
    const interrupt_controller *controller;
    const struct device *controller_device;
} bound_bell;
bool platform_find_bell(bound_bell *);

/* console.c. Levels as in RIVULET_LOG; `rivulet,log-level` of /chosen selects the ones to print.
 * Conversions are those of arch/riscv/format.c. */
enum { CONSOLE_ERROR = 1, CONSOLE_INFO = 2, CONSOLE_DEBUG = 3 };
void console_start(void);
void console_stop(void); /* nothing is printed any more */
void console_write(int level, const char *line);
__attribute__((format(printf, 2, 3))) void console_print(int level, const char *format, ...);

#endif
