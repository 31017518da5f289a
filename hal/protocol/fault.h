/* SPDX-License-Identifier: Apache-2.0
 *
 * The firmware's report of a launch that it had to end. One slot of the fault table; the launch's
 * completion holds its index. Slots are reused in turn: `launch` shows whether a report is still
 * the expected one.
 */
#ifndef RIVULET_PROTOCOL_FAULT_H
#define RIVULET_PROTOCOL_FAULT_H

#include "hal/protocol/version.h"

typedef enum rvl_fault_kind {
    RVL_FAULT_FETCH = 1,      /* jump outside the kernel's code */
    RVL_FAULT_ILLEGAL = 2,    /* illegal instruction                                */
    RVL_FAULT_LOAD = 3,       /* load outside the context's memory */
    RVL_FAULT_STORE = 4,      /* store or atomic outside the context's memory */
    RVL_FAULT_STACK = 5,      /* the guard page below the stack                     */
    RVL_FAULT_MISALIGNED = 6, /* misaligned atomic                                  */
    RVL_FAULT_TIME_LIMIT = 7,
    RVL_FAULT_OTHER = 8, /* breakpoint, unknown ecall, …                       */
    RVL_FAULT_UNIT = 9,  /* since 1.7: reported by a unit; value is its error code */
} rvl_fault_kind;

typedef struct rvl_fault {
    uint32_t version; /* RVL_PROTOCOL_VERSION                    */
    uint32_t launch;
    uint32_t kind; /* rvl_fault_kind                            */
    uint32_t hart;
    uint64_t cause;       /* mcause                                    */
    uint64_t pc;          /* mepc                                      */
    uint64_t value;       /* mtval: the address, or the instruction    */
    uint64_t image_base;  /* pc - image_base is the address in the image */
    uint32_t first_group; /* linear ids of the groups that the hart was working on */
    uint32_t groups;
    uint64_t time;
    uint64_t x[32]; /* integer registers, x[0] = 0               */
} rvl_fault;
RVL_STATIC_ASSERT(offsetof(rvl_fault, x) == 64, "layout of a fault report");
RVL_STATIC_ASSERT(sizeof(rvl_fault) == 320, "a fault report is five cache blocks");

#endif
