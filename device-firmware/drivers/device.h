/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices described by the board's device tree. The rows are generated (boards/generator);
 * drivers find theirs by compatible strings. */
#ifndef RIVULET_FIRMWARE_DEVICE_H
#define RIVULET_FIRMWARE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* M-mode interrupts, by their bit numbers in mie and mcause. They also stand for S mode's, on
 * boards whose firmware runs there. */
enum { LINE_SOFTWARE = 3, LINE_TIMER = 7, LINE_EXTERNAL = 11 };

/* One wire from an interrupt controller or timer to a hart. */
typedef struct device_line {
    uint32_t hart_id; /* mhartid */
    uint32_t cause;
    uint32_t index; /* of its registers: PLIC context, CLINT comparator, page of an IMSIC … */
} device_line;

typedef struct device {
    const char *compatible; /* string list, terminated by an empty string */
    uintptr_t base[4], bytes[4];
    uint32_t interrupt;               /* 0: none */
    int32_t controller;               /* index in board_devices of its interrupt controller */
    uint32_t reg_shift;               /* registers are 1 << reg_shift bytes apart */
    uint32_t io_width;                /* in bytes; 0: unspecified */
    uint32_t clock;                   /* in Hz; 0: unspecified */
    uint32_t ring[2], acknowledge[2]; /* rivulet,ring and rivulet,acknowledge: offset, value */
    uint32_t guest_bits;              /* IMSICs: riscv,guest-index-bits */
    bool sends_messages;              /* interrupt controllers: the tree has an msi-parent */
    uint32_t first_line, lines;       /* in board_lines */
} device;

#ifndef RIVULET_REGISTER_MODEL
#define BOARD_TABLE const
#else
#define BOARD_TABLE /* tests use one board after the other */
#endif
extern BOARD_TABLE device board_devices[];
extern BOARD_TABLE size_t board_device_count;
extern BOARD_TABLE device_line board_lines[];
extern const int board_console; /* index in board_devices; -1: unspecified */

/* True if one of the names is among the device's compatible strings. `names` ends with NULL. */
bool device_is_any(const device *, const char *const *names);
bool device_is(const device *, const char *name);
/* True if a string list such as `compatible` contains the name. */
bool strings_hold(const char *list, const char *name);

/* Index of the device's register for this hart. A hart that only the handed-over tree lists uses
 * its mhartid as the index. */
uint32_t device_line_index(const device *, uint32_t hart_id, uint32_t cause);
bool device_has_line(const device *, uint32_t hart_id, uint32_t cause);

#endif
