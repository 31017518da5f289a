/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel image: a static-PIE ELF file, with one note that describes its kernels.
 *
 *   PT_LOAD R X   code and constants, from address 0; e_entry is the record's `start` (launch.h)
 *   PT_LOAD RW    program-scope variables and relocated constants, on the next page
 *   PT_NOTE       owner "Rivulet", type RVL_IMAGE_NOTE: below
 *   PT_DYNAMIC    RELATIVE relocations only
 *
 * It can be loaded at any page boundary; nothing in the code segment needs relocation.
 *
 *   note +------------------+
 *        | rvl_image_note   |
 *        | rvl_kernel_note  | × kernels
 *        | rvl_argument_note| × arguments
 *        | strings          | NUL-terminated, UTF-8; offset 0 is ""
 *        +------------------+
 *
 * Offsets are relative to rvl_image_note. Entries are `…_bytes` apart, so that a newer
 * minor version may append fields.
 */
#ifndef RIVULET_PROTOCOL_KERNEL_IMAGE_H
#define RIVULET_PROTOCOL_KERNEL_IMAGE_H

#include "hal/protocol/version.h"

#define RVL_NOTE_OWNER "Rivulet"
#define RVL_IMAGE_NOTE 0x524b4900u

typedef struct rvl_image_note {
    uint32_t version;  /* RVL_KERNEL_IMAGE_VERSION                      */
    uint32_t bytes;    /* of the whole description                      */
    uint32_t xlen;     /* 32 or 64                                      */
    uint32_t vlen;     /* exact VLEN in bits that it was built for; 0: any from min_vlen up */
    uint32_t min_vlen; /* 0: needs no vector unit                      */
    uint32_t isa;      /* string: every extension that the code may use */
    uint32_t compiler; /* string: name and version                     */
    uint32_t options;  /* string: build options                        */
    uint32_t kernels;  /* offset, entry size, number                   */
    uint32_t kernel_bytes;
    uint32_t kernel_count;
    uint32_t arguments;
    uint32_t argument_bytes;
    uint32_t argument_count;
    uint32_t strings;
    uint32_t string_bytes;
    uint32_t global_variable_bytes; /* program-scope variables in global memory */
    uint32_t flags;
} rvl_image_note;
RVL_STATIC_ASSERT(sizeof(rvl_image_note) == 72, "layout of the image note");

enum { /* rvl_image_note.flags */
       RVL_IMAGE_ARGUMENT_INFO =
           1 << 0, /* names and types of arguments are known (-cl-kernel-arg-info) */
};

enum { /* rvl_kernel_note.flags */
       RVL_KERNEL_BARRIERS =
           1 << 0, /* has work-group functions: group size is bounded by saved_bytes */
       RVL_KERNEL_FLAT = 1 << 1,   /* does not depend on the group size; chunks may be large */
       RVL_KERNEL_PRINTF = 1 << 2, /* uses printf, with records of version 1.0 (launch.h) */
       RVL_KERNEL_SUB_GROUPS = 1 << 3,
       RVL_KERNEL_UNIFORM = 1 << 4,        /* built for uniform work-groups only */
       RVL_KERNEL_PRINTF_COMPACT = 1 << 5, /* uses printf, with the records of printf.h */
       /* 1 << 6: RVL_KERNEL_SANITIZED, sanitizer.h */
       RVL_KERNEL_PRINTF_COUNTS = 1 << 7, /* since 1.2: counts rvl_launch_words.printf_lost */
       RVL_KERNEL_LARGE_BUFFERS = 1 << 8, /* since 1.3: has large_entry */
};

/* Kernel code addresses elements with 32-bit offsets: allocations that it accesses have at most
 * this size. The code at large_entry may access larger ones. */
#define RVL_SMALL_BUFFER_BYTES ((uint64_t)1 << 31)

typedef struct rvl_kernel_note {
    uint32_t name;       /* string                                                    */
    uint32_t attributes; /* string, as CL_KERNEL_ATTRIBUTES gives it                  */
    uint64_t entry;      /* address in the image, for rvl_launch_record.kernel        */
    uint32_t first_argument;
    uint32_t argument_count;
    uint32_t argument_bytes;         /* of the argument block                                  */
    uint32_t stack_bytes;            /* per hart, exact                                        */
    uint32_t saved_bytes;            /* per work-item                                          */
    uint32_t local_bytes;            /* static local memory                                    */
    uint32_t private_bytes;          /* per work-item, for CL_KERNEL_PRIVATE_MEM_SIZE          */
    uint32_t required_group_size[3]; /* 0: none                                        */
    uint32_t group_size_hint[3];
    uint32_t sub_group_size; /* used or preferred; see the flag */
    uint32_t required_sub_group_size;
    uint32_t preferred_multiple; /* work-items that fill the vector unit, at least 1   */
    uint32_t vector_type_hint;   /* string                                             */
    uint32_t flags;
    uint64_t large_entry; /* since 1.3: like entry, for buffers of any size; the sizes above are
                             the maximum of both */
} rvl_kernel_note;
RVL_STATIC_ASSERT(sizeof(rvl_kernel_note) == 96, "layout of a kernel note");
#define RVL_KERNEL_NOTE_BYTES_1_0 88 /* up to flags */

typedef enum rvl_argument_kind {
    RVL_ARGUMENT_VALUE = 0,
    RVL_ARGUMENT_GLOBAL = 1,
    RVL_ARGUMENT_CONSTANT = 2,
    RVL_ARGUMENT_LOCAL = 3,
    RVL_ARGUMENT_IMAGE = 4,
    RVL_ARGUMENT_SAMPLER = 5,
    RVL_ARGUMENT_COUNTER = 6, /* cl_ext_atomic_counters_32/64: bytes is 4 or 8 */
    RVL_ARGUMENT_PIPE = 7,
} rvl_argument_kind;

enum { /* rvl_argument_note.access */
       RVL_ACCESS_NONE = 0,
       RVL_ACCESS_READ_ONLY = 1,
       RVL_ACCESS_WRITE_ONLY = 2,
       RVL_ACCESS_READ_WRITE = 3,
};
enum { /* rvl_argument_note.qualifiers */
       RVL_QUALIFIER_CONST = 1,
       RVL_QUALIFIER_RESTRICT = 2,
       RVL_QUALIFIER_VOLATILE = 4,
       RVL_QUALIFIER_PIPE = 8,
};

enum {                                  /* rvl_argument_note.flags */
       RVL_ARGUMENT_UNWRITTEN = 1 << 0, /* no launch writes what this pointer points to, by it or by
                                           a pointer that it finds in memory */
};

typedef struct rvl_argument_note {
    uint32_t name;              /* string, "" when unknown                          */
    uint32_t type;              /* string, as CL_KERNEL_ARG_TYPE_NAME gives it      */
    uint32_t kind;              /* rvl_argument_kind                                */
    uint32_t offset;            /* in the argument block                          */
    uint32_t bytes;             /* in the argument block                          */
    uint32_t pointee_alignment; /* minimum alignment of what a pointer argument points to */
    uint8_t access;
    uint8_t qualifiers;
    uint8_t image_type; /* 0: none, else 1 + index in image1d, 1d_buffer, 1d_array, 2d, 2d_array,
                           3d, 2d_depth, 2d_array_depth */
    uint8_t flags;      /* since 1.2, before: 0 */
} rvl_argument_note;
RVL_STATIC_ASSERT(sizeof(rvl_argument_note) == 28, "layout of an argument note");

#endif
