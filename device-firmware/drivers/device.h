/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices as the board's tree describes them. The rows are generated (boards/generator); drivers
 * find theirs by its compatible strings. */
#ifndef RIVULET_FIRMWARE_DEVICE_H
#define RIVULET_FIRMWARE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Interrupts of M mode, by their numbers in mie and mcause. */
enum { LINE_SOFTWARE = 3, LINE_TIMER = 7, LINE_EXTERNAL = 11 };

/* One wire of an interrupt controller or timer to a hart. */
typedef struct device_line {
    uint32_t hart_id; /* mhartid */
    uint32_t cause;
    uint32_t index; /* of the registers behind it: context of a PLIC, comparator of a CLINT … */
} device_line;

typedef struct device {
    const char *compatible; /* several, each with its NUL; then an empty one */
    uintptr_t base[4], bytes[4];
    uint32_t interrupt;               /* 0: none */
    int32_t controller;               /* of that interrupt, index in board_devices */
    uint32_t reg_shift;               /* registers are 1 << reg_shift bytes apart */
    uint32_t io_width;                /* in bytes; 0: not said */
    uint32_t clock;                   /* in Hz; 0: not said */
    uint32_t ring[2], acknowledge[2]; /* rivulet,ring and rivulet,acknowledge: offset, value */
    uint32_t first_line, lines;       /* in board_lines */
} device;

#ifndef RIVULET_REGISTER_MODEL
#define BOARD_TABLE const
#else
#define BOARD_TABLE /* a test has one board after the other */
#endif
extern BOARD_TABLE device board_devices[];
extern BOARD_TABLE size_t board_device_count;
extern BOARD_TABLE device_line board_lines[];
extern const int board_console; /* index in board_devices; -1: not said */

/* One of these names is among the compatible strings. `names` ends with NULL. */
bool device_is_any(const device *, const char *const *names);
bool device_is(const device *, const char *name);
/* A list as in `compatible` holds the name. */
bool strings_hold(const char *list, const char *name);

/* The device's register for that hart. A hart that only a handed tree knows has the place of its
 * mhartid. */
uint32_t device_line_index(const device *, uint32_t hart_id, uint32_t cause);

#endif
