/* SPDX-License-Identifier: Apache-2.0
 *
 * Records of a kernel's printf, from version 1.1 of the kernel image on
 * (RVL_KERNEL_PRINTF_COMPACT).
 *
 * At rvl_launch_record.printf_ring lie records one after the other, rvl_launch_words.printf_used
 * bytes of them, or less: what no longer fitted was dropped, by order of arrival, and the printf
 * returned -1. The host clears the memory first: a record with format 0 was never written, since
 * its launch was ended; none follows. Each record is
 *
 *   0        4           6
 *   +--------+-----------+-------+ ... +--------+ ... +
 *   | format | arguments | bytes | ... | value  | ... |
 *   +--------+-----------+-------+ ... +--------+ ... +
 *
 * format: where the format string lies in the image, from image_base; an image doesn't begin with
 * one. bytes: one byte for each argument, the size of its value. Then the values; the first one,
 * and each next one, begins at the next multiple of 4. Integers below 32 bits come as 32 bits,
 * float as double where the target has double; a vector comes as it lies in memory, 3 components in
 * the place of 4. %s: the address of a string in the image (as device address).
 */
#ifndef RIVULET_PROTOCOL_PRINTF_H
#define RIVULET_PROTOCOL_PRINTF_H

#include "hal/protocol/version.h"

typedef struct rvl_printf_head {
    uint32_t format;
    uint16_t arguments;
    uint8_t bytes[2]; /* of the first arguments; there may be more, or fewer */
} rvl_printf_head;
RVL_STATIC_ASSERT(offsetof(rvl_printf_head, bytes) == 6, "layout of a printf record");
RVL_STATIC_ASSERT(sizeof(rvl_printf_head) == 8, "layout of a printf record");

/* Alignment of the head and of each value. */
#define RVL_PRINTF_GRAIN 4

#endif
