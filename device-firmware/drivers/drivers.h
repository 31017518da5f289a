/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver classes. Each driver is a table of functions that get the device; none keeps state, so
 * they work before .bss is cleared. `compatible` ends with NULL. */
#ifndef RIVULET_FIRMWARE_DRIVERS_H
#define RIVULET_FIRMWARE_DRIVERS_H

#include "device-firmware/drivers/device.h"

/* Human-readable output, usable from the first instruction that has a stack. */
typedef struct console_driver {
    const char *const *compatible;
    void (*start)(const device *);
    void (*put)(const device *, char); /* gives up rather than waiting forever */
} console_driver;

/* A doorbell between host and device. `acknowledge` deasserts the interrupt. */
typedef struct bell_driver {
    const char *const *compatible;
    void (*start)(const device *);
    void (*acknowledge)(const device *);
    void (*ring)(const device *);
} bell_driver;

/* Routes one interrupt source to one hart; `line` is that hart's (device_line_index). `start`
 * returns false if the device can't do it in this way. `claim` returns whether an interrupt was
 * pending. */
typedef struct interrupt_controller {
    const char *const *compatible;
    bool by_message; /* to the hart's IMSIC; `line` is then the mhartid */
    bool (*start)(const device *, uint32_t line, uint32_t source);
    bool (*claim)(const device *, uint32_t line);
    void (*complete)(const device *, uint32_t line, uint32_t source);
} interrupt_controller;

typedef struct watchdog_driver {
    const char *const *compatible;
    void (*start)(const device *, uint32_t milliseconds);
    void (*kick)(const device *);
} watchdog_driver;

typedef struct reset_driver {
    const char *const *compatible;
    void (*reset)(const device *);
} reset_driver;

extern const console_driver uart_console;
extern const bell_driver uart_bell, mailbox_bell;
extern const interrupt_controller plic, aplic;
extern const interrupt_controller aplic_msi; /* the same device, by messages */
extern const watchdog_driver dw_watchdog;
extern const reset_driver test_finisher;

/* CLINT and ACLINT: register addresses; 0 if there is none. */
uintptr_t clint_software_interrupt(uint32_t hart_id); /* by the order of the wires */
uintptr_t clint_software_interrupt_by_id(uint32_t hart_id);
uintptr_t clint_compare(uint32_t hart_id);
uintptr_t clint_compare_by_id(uint32_t hart_id);
uintptr_t clint_time(void);

/* IMSIC: the page that receives messages for a hart (0: none). */
enum { IMSIC_BELL = 1, IMSIC_IPI = 2 }; /* identities, which are written to the page */
uintptr_t imsic_page(uint32_t hart_id);
uintptr_t imsic_page_by_id(uint32_t hart_id);
bool imsic_is_there(void); /* true if this hart has an IMSIC; the others assume it */
void imsic_start_hart(void);
void imsic_let_wires_through(void);
uint32_t imsic_claim(void); /* the identity that interrupts this hart, which ends; 0: none */
bool imsic_is_pending(uint32_t identity);
void imsic_clear(uint32_t identity);

#endif
