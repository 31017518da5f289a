/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels built with -rv-sanitize=address (RVL_KERNEL_SANITIZED) get the bounds of their pointer
 * arguments in the page of the launch record, and report an out-of-bounds access in the registers
 * of an ecall, which ends the launch as a fault.
 */
#ifndef RIVULET_PROTOCOL_SANITIZER_H
#define RIVULET_PROTOCOL_SANITIZER_H

#include "hal/protocol/launch.h"

enum { /* rvl_kernel_note.flags, in addition to those of kernel_image.h */
       RVL_KERNEL_SANITIZED = 1 << 6,
};

/* a7 of the ecall, which is unknown to the firmware: it reports RVL_FAULT_OTHER, with
 * rvl_fault.cause 8. The other registers, in rvl_fault.x:
 *   a0          the index, from which the site computes where the access begins
 *   a1          address of the site, in the image
 *   a2, a3, a4  the work-item's global id
 */
enum { RVL_ECALL_BAD_ACCESS = 0x5a };
#define RVL_RETURNED 0xfffffffeu

/* The site: lines, ended by '\n', and a NUL.
 *   what the work-item does     "store of 4 bytes"
 *   where                       "program.cl:3", or nothing
 *   where the access begins     "OFFSET SCALE BITS": at OFFSET + index * SCALE, relative to what an
 *                               argument points to or to a variable; the index has BITS
 *                               bits, "-32" if signed; for an unknown object, at that
 *                               address
 *   size of the variable        "256", or "0"
 *   the object                  "argument 2 out", "unknown", or its description
 *
 * A work-item that arrives at a different barrier from others of its group, or returns, does the
 * same with "barrier" or "return" as its action and "lines 7 9 12", the lines of all barriers, as
 * the object; a0 is the number of the other one's barrier, or RVL_RETURNED.
 */
#define RVL_SITE_BYTES 512 /* maximum, including the NUL */

typedef struct rvl_bounds {
    uint32_t before; /* bytes of the allocation before the address the argument points to */
    uint32_t bytes;  /* size of the allocation; for local memory, of the argument */
} rvl_bounds;

/* The same for the code at rvl_kernel_note.large_entry. */
typedef struct rvl_large_bounds {
    uint64_t before;
    uint64_t bytes;
} rvl_large_bounds;

/* An entry of the table of allocations, by address. */
typedef struct rvl_allocation {
    uint64_t address;
    uint64_t bytes;
} rvl_allocation;

#define RVL_MAX_BOUNDS 128
#define RVL_MAX_LARGE_BOUNDS 64

/* In the page of the launch record, at RVL_SANITIZER_OFFSET. */
typedef struct rvl_sanitizer {
    uint64_t arena; /* address and size: anything outside isn't looked up */
    uint64_t arena_bytes;
    uint64_t allocations; /* address of the table, which has at least one entry */
    uint32_t allocation_count;
    uint32_t reserved;
    /* Indexed by argument: global, constant and local pointers, counted from 0. */
    union {
        rvl_bounds argument[RVL_MAX_BOUNDS];
        rvl_large_bounds large_argument[RVL_MAX_LARGE_BOUNDS];
    };
} rvl_sanitizer;

#define RVL_SANITIZER_OFFSET 2560
RVL_STATIC_ASSERT(sizeof(rvl_launch_record) <= RVL_SANITIZER_OFFSET, "behind the record");
RVL_STATIC_ASSERT(RVL_SANITIZER_OFFSET + sizeof(rvl_sanitizer) <= RVL_PAGE_BYTES, "in its page");

#endif
