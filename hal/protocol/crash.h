/* SPDX-License-Identifier: Apache-2.0
 *
 * The report left by firmware that fails: a trap in M mode, or an assertion. The failing hart
 * writes `magic` last; then it stops harts and devices, which may take seconds or never end, adds
 * the last lines of the log, and makes the state CRASHED. So there may be a report in any state.
 * The hello has its address. */
#ifndef RIVULET_PROTOCOL_CRASH_H
#define RIVULET_PROTOCOL_CRASH_H

#include "hal/protocol/version.h"

#define RVL_CRASH_MAGIC 0x48535243u /* "CRSH" */
#define RVL_CRASH_CALLERS 16
#define RVL_CRASH_STACK_WORDS 32

typedef struct rvl_crash {
    uint32_t magic;
    uint32_t version; /* RVL_PROTOCOL_VERSION */
    uint32_t hart;    /* index; 0xffffffff: unknown */
    uint32_t callers;
    uint64_t hart_id; /* mhartid */
    uint64_t cause;   /* mcause  */
    uint64_t pc;      /* mepc    */
    uint64_t value;   /* mtval   */
    uint64_t status;  /* mstatus */
    uint64_t time;
    uint64_t x[32];                        /* integer registers, x[0] = 0 */
    uint64_t caller[RVL_CRASH_CALLERS];    /* words on the stack that are code addresses */
    uint64_t stack[RVL_CRASH_STACK_WORDS]; /* from sp upwards; 0 beyond the end of the stack */
    char reason[160];
    char log[1024]; /* its last lines, including those the host has already read */
} rvl_crash;
/* Where a hart was that did not fail itself but was stopped by the one that did. A hart that
 * does not notice the interrupt (during a long copy, for example) leaves nothing. */
typedef struct rvl_crash_hart {
    uint32_t stopped; /* 1, written last */
    uint32_t launch;  /* launch whose kernel has these registers; 0: they are M mode's */
    uint64_t x[32];   /* x[0] is the pc */
    uint8_t padding[56];
} rvl_crash_hart;
RVL_STATIC_ASSERT(sizeof(rvl_crash_hart) == 320, "whole cache blocks");

RVL_STATIC_ASSERT(offsetof(rvl_crash, x) == 64, "layout of a crash report");
RVL_STATIC_ASSERT(sizeof(rvl_crash) == 1888, "layout of a crash report");

#endif
