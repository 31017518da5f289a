/* SPDX-License-Identifier: Apache-2.0
 *
 * The launch as seen by its kernel, and how the kernel is entered. Written by the host, read by
 * firmware and kernel.
 *
 *   record  +-----------------------------+ page-aligned, in the context's code range: none of
 *           | rvl_launch_record           | its kernels can write there
 *           |   … arguments               |
 *           +-----------------------------+
 *   words   +-----------------------------+ in the context's arena
 *           | rvl_launch_words            |  what the kernel writes: next group, printf, counters
 *           +-----------------------------+
 *
 * Hosts before 1.2 put both in the arena, with the words on the page after the record's. Kernels
 * can write to such records.
 *
 * Every hart has its own memory, private to the launch it is running:
 *
 *   low     +-----------------------------+
 *           | guard, at least a page      |  no access
 *           | stack, grows down           |  stack_bytes, and one to two pages more
 *           | rvl_hart_frame, 64 bytes    |  ◄ sp at entry
 *           | saved values  saved_bytes   |  values of work-items live across barriers
 *           | local memory  local_bytes   |
 *   high    +-----------------------------+
 *
 * A hart that has left another launch in the middle keeps that one's part at the upper end.
 *
 * A kernel is entered in U mode, at record.start, with
 *   a0 = record, a1 = words, a2 = frame, a3 = record.kernel
 * and takes chunks of work-groups until there are none left or words.yield is set:
 *
 *   while ((first = amoadd(&words->next_group, record->chunk)) < record->total_groups) {
 *       frame->first_group = first; …run groups first … min(first + chunk, total_groups) - 1…
 *       if (words->yield) break;
 *   }
 *
 * Then record.start's code does `ecall` with a7 = gp, which is 0 at entry: RVL_ECALL_EXIT. Loopback
 * drivers call record.kernel(record, words, frame); on RISC-V they enter as described in
 * enter_riscv.S. A kernel may be entered again, on any hart, as long as there are groups left.
 * Vector and floating-point state at entry is as after reset: frm 0, vstart 0.
 */
#ifndef RIVULET_PROTOCOL_LAUNCH_H
#define RIVULET_PROTOCOL_LAUNCH_H

#include "hal/protocol/version.h"

#define RVL_MAX_ARGUMENT_BYTES 2048
#define RVL_MAX_COUNTERS 8
/* Of built-in kernels (RVL_LAUNCH_UNIT). Each argument has 8 bytes of the record: a value, with
 * zeros behind it, or an address. */
#define RVL_MAX_UNIT_ARGUMENTS 16

enum { /* a7 of an ecall from U mode */
       RVL_ECALL_EXIT = 0,
       /* RV32: compares the 8 bytes at a0 with a1 (low) and a2 and, if equal, stores a3 and a4
        * there. Returns the old value in a0 and a1. */
       RVL_ECALL_COMPARE_EXCHANGE = 1,
       /* Devices whose ISA string has RVL_COPY_EXTENSION: starts a copy of a3 lines of a2 bytes to
        * a0 from a1. Lines are a4 bytes apart at the destination, a5 at the source. It returns once
        * no earlier copy of this hart is under way. Memory that the kernel can't access itself ends
        * it with a fault. */
       RVL_ECALL_COPY = 2,
       RVL_ECALL_COPY_WAIT = 3, /* returns once no copy of this hart is under way */
};

/* The engine that copies behind async_work_group_copy. Devices that have one, and images that need
 * one, have this name in their ISA strings: other devices refuse such images. */
#define RVL_COPY_EXTENSION "xrvlcopy"

typedef struct rvl_launch_record {
    uint32_t version; /* RVL_PROTOCOL_VERSION                       */
    uint32_t dimensions;
    uint64_t start;            /* where harts enter: e_entry of the image */
    uint64_t kernel;           /* address of the kernel's function; of a unit: its number */
    uint64_t global_size[3];   /* unused dimensions: 1             */
    uint64_t global_offset[3]; /* unused dimensions: 0              */
    uint32_t local_size[3];    /* of full groups; remainder groups are smaller */
    uint32_t group_count[3];
    uint32_t total_groups; /* product of group_count, below 2^31   */
    uint32_t chunk;        /* groups taken at a time               */
    uint32_t local_bytes;  /* per group: static and arguments */
    uint32_t saved_bytes;  /* per group */
    uint32_t stack_bytes;  /* needed per hart */
    uint32_t argument_bytes;
    uint64_t image_base;  /* where the kernel image was loaded    */
    uint64_t printf_ring; /* address; 0: no printf                */
    uint32_t printf_bytes;
    uint32_t counters; /* atomic counters in use               */
    /* Since 1.2, for records in the code range: */
    uint64_t words; /* address of the rvl_launch_words, aligned to a cache block */
    uint64_t data;  /* the image's data: whole pages inside the code range, but writable */
    uint64_t data_bytes;
    uint64_t reserved[3];
    uint8_t arguments[RVL_MAX_ARGUMENT_BYTES]; /* laid out as described in the kernel image's
                                                * note */
    /* The firmware copies each counter from this address to words.counter when the launch
     * becomes active, and back after its last group if the launch succeeded. In the arena,
     * aligned to its size. */
    uint64_t counter_address[RVL_MAX_COUNTERS];
    uint8_t counter_bytes[RVL_MAX_COUNTERS]; /* 4 or 8 */
} rvl_launch_record;
RVL_STATIC_ASSERT(offsetof(rvl_launch_record, global_size) == 24, "layout of the record");
RVL_STATIC_ASSERT(offsetof(rvl_launch_record, local_size) == 72, "layout of the record");
RVL_STATIC_ASSERT(offsetof(rvl_launch_record, total_groups) == 96, "layout of the record");
RVL_STATIC_ASSERT(offsetof(rvl_launch_record, image_base) == 120, "layout of the record");
RVL_STATIC_ASSERT(offsetof(rvl_launch_record, arguments) == 192, "layout of the record");
RVL_STATIC_ASSERT(offsetof(rvl_launch_record, counter_address) == 2240, "layout of the record");
RVL_STATIC_ASSERT(sizeof(rvl_launch_record) <= RVL_PAGE_BYTES, "a record is one page");

typedef struct rvl_launch_words {
    uint32_t next_group; /* kernels add record.chunk                                    */
    uint8_t next_group_padding[60];
    uint32_t yield; /* written by the firmware: leave after this chunk */
    uint8_t yield_padding[60];
    uint32_t printf_used; /* bytes reserved in the printf ring; may exceed its size */
    uint32_t printf_lost; /* calls that found no room; stops soon above 2^31 */
    uint8_t printf_padding[56];
    uint64_t counter[RVL_MAX_COUNTERS]; /* copied in before the first group, out after the last
                                         * one */
} rvl_launch_words;
RVL_STATIC_ASSERT(offsetof(rvl_launch_words, yield) == 64, "layout of the words");
RVL_STATIC_ASSERT(offsetof(rvl_launch_words, counter) == 192, "layout of the words");

/* The record's page, then the words' page: for records in the arena. */
#define RVL_LAUNCH_BYTES (2 * RVL_PAGE_BYTES)

typedef struct rvl_hart_frame {
    uint64_t local_memory; /* address of this hart's local memory, 64-byte aligned       */
    uint64_t saved;        /* address of its saved values, 64-byte aligned               */
    uint32_t hart;
    uint32_t first_group; /* written by the kernel: the groups it works on, for fault reports */
    uint32_t groups;
    uint32_t reserved[9];
} rvl_hart_frame;
RVL_STATIC_ASSERT(sizeof(rvl_hart_frame) == 64, "a frame is one cache block");

/* Layout of rvl_launch_record.arguments:
 *   value            the bytes of the value
 *   global, constant 8 bytes: device address, 0 for NULL
 *   local            8 bytes: offset from rvl_hart_frame.local_memory
 *   image            8 bytes: device address of an rvl_image_descriptor
 *   sampler          4 bytes: RVL_SAMPLER_… bits, the same as clang's for literal samplers
 *   counter          4 or 8 bytes, as the counter: index in rvl_launch_words.counter, 4 bytes
 */

/* printf records of kernel images of version 1.0; newer ones use the records of printf.h. The ring
 * and the meaning of printf_used are the same. A record with bytes 0 was never written, because its
 * launch was ended; no record follows it. Each record is
 *
 *   +--------+-----------+--------+----------------+ ... +
 *   | bytes  | arguments | format | argument: bytes, value, padded to 8 each
 *   +--------+-----------+--------+----------------+ ... +
 *
 * format: location of the format string in the image, relative to image_base. Integers below 32
 * bits are passed as 32 bits, float as double if the target has double. A vector is passed in its
 * memory layout, with 4 components for 3. %s: the address of a string in the image (as a device
 * address).
 */
typedef struct rvl_printf_record {
    uint32_t bytes;     /* of the record, a multiple of 8 */
    uint32_t arguments; /* rvl_printf_argument            */
    uint64_t format;
} rvl_printf_record;
RVL_STATIC_ASSERT(sizeof(rvl_printf_record) == 16, "layout of a printf record");

typedef struct rvl_printf_argument {
    uint32_t bytes; /* of the value, which follows */
    uint32_t reserved;
} rvl_printf_argument;
RVL_STATIC_ASSERT(sizeof(rvl_printf_argument) == 8, "layout of a printf argument");

/* Elements are stored in rows and slices (or the layers of an array). Mip level n > 0 has the
 * same pitches and is to the right of level 0, at x = width, y = height - (height >> (n - 1)) +
 * n - 1: levels are below each other, with at most one row in between. */
typedef struct rvl_image_descriptor {
    uint64_t data; /* device address of the first element */
    uint64_t row_pitch;
    uint64_t slice_pitch;
    uint32_t width;
    uint32_t height;
    uint32_t depth;
    uint32_t array_size;
    uint32_t channel_order;     /* cl_channel_order           */
    uint32_t channel_data_type; /* cl_channel_type            */
    uint32_t element_bytes;
    uint32_t mip_levels;
    uint64_t reserved;
} rvl_image_descriptor;
RVL_STATIC_ASSERT(sizeof(rvl_image_descriptor) == 64, "a descriptor is one cache block");

enum { /* sampler bits, clang's encoding (SPIR 1.2) */
       RVL_SAMPLER_NORMALIZED = 1,
       RVL_SAMPLER_ADDRESS_MASK = 0xe, /* 0 none, 2 clamp_to_edge, 4 clamp, 6 repeat, 8 mirrored */
       RVL_SAMPLER_NEAREST = 0x10,
       RVL_SAMPLER_LINEAR = 0x20,
       /* cl_khr_mipmap_image: levels of detail in 1/256; the maximum is encoded as its distance
          below 0xfff. */
       RVL_SAMPLER_MIP_LINEAR = 0x40,
       RVL_SAMPLER_LOD_STEPS = 256,
       RVL_SAMPLER_LOD_MASK = 0xfff,
       RVL_SAMPLER_LOD_MIN_SHIFT = 8,
       RVL_SAMPLER_LOD_MAX_SHIFT = 20,
};

#endif
