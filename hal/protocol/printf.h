/* SPDX-License-Identifier: Apache-2.0
 *
 * Records of a kernel's printf, since version 1.1 of the kernel image (RVL_KERNEL_PRINTF_COMPACT).
 *
 * At rvl_launch_record.printf_ring there are consecutive records, rvl_launch_words.printf_used
 * bytes or less: what did not fit was dropped, in order of arrival, and the printf returned -1. The
 * host clears the memory first: a record with format 0 was never written, because its launch was
 * ended; no record follows it. Each record is
 *
 *   0        4           6
 *   +--------+-----------+-------+ ... +--------+ ... +
 *   | format | arguments | bytes | ... | value  | ... |
 *   +--------+-----------+-------+ ... +--------+ ... +
 *
 * format: location of the format string in the image, relative to image_base; never 0. bytes: one
 * byte per argument, the size of its value. Then the values, each at the next multiple of 4.
 * Integers below 32 bits are passed as 32 bits, float as double if the target has double. A vector
 * is passed in its memory layout, with 4 components for 3. %s: the address of a string in the image
 * (as a device address).
 */
#ifndef RIVULET_PROTOCOL_PRINTF_H
#define RIVULET_PROTOCOL_PRINTF_H

#include "hal/protocol/version.h"

typedef struct rvl_printf_head {
    uint32_t format;
    uint16_t arguments;
    uint8_t bytes[2]; /* sizes of the first arguments; there may be more, or fewer */
} rvl_printf_head;
RVL_STATIC_ASSERT(offsetof(rvl_printf_head, bytes) == 6, "layout of a printf record");
RVL_STATIC_ASSERT(sizeof(rvl_printf_head) == 8, "layout of a printf record");

/* Alignment of the head and of each value. */
#define RVL_PRINTF_GRAIN 4

#endif
