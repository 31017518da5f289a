/* SPDX-License-Identifier: Apache-2.0
 *
 * Firmware state per hart and per machine on RISC-V. The offsets are for assembly code. */
#ifndef RIVULET_FIRMWARE_ARCH_STATE_H
#define RIVULET_FIRMWARE_ARCH_STATE_H

#define REGISTER_BYTES (__riscv_xlen / 8)
/* arch_hart: x[0] holds the kernel's pc. */
#define HART_X(n) ((n) * REGISTER_BYTES)
#define HART_MACHINE_SP HART_X(32)
#define HART_INSTRUCTIONS_BEFORE HART_X(33)
#define HART_INSTRUCTIONS_AFTER HART_X(34)

/* M-mode stack, including its guard page. */
#define HART_STACK_BYTES 8192
#define HART_STACK_GUARD_BYTES 4096

/* Writable bits of mstatus that must not be inherited from earlier software. */
#if __riscv_xlen == 64
#define MSTATUS_INHERITED 0x6f001ffffea /* up to SDT; SBE, MBE, GVA, MPV, MPELP, MDT */
#else
#define MSTATUS_INHERITED 0x1ffffea
#endif

#ifndef __ASSEMBLER__
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PMP_ENTRIES_USED = 8, PMP_ENTRIES_WITH_REGIONS = 13 };

typedef struct arch_lock {
    uint32_t taken;
} arch_lock;

/* How to interrupt a hart (ipi.h). */
typedef struct ipi_route {
    uintptr_t address; /* of its MSIP register or its IMSIC's page; 0: no hart can interrupt it */
    bool by_message;
} ipi_route;

typedef struct arch_hart {
    uintptr_t x[32]; /* the kernel's registers; x[0] is its pc */
    uintptr_t machine_sp;
    uintptr_t instructions_before; /* minstret on the way into U mode */
    uintptr_t instructions_after;  /* minstret on the way out of it */
    ipi_route route;               /* how others interrupt this hart */
    bool takes_messages;           /* its IMSIC delivers its external interrupts */
    uintptr_t timer_compare;
    uintptr_t misa, vector_bytes; /* this hart's misa and VLENB; vector_bytes is 0 without a
                                   * vector unit */
    uint64_t missing;             /* extensions this hart lacks; see extensions.c */
    bool has_user_mode;
    const char *pmp_flaw; /* why kernels can't be fenced; NULL if they can */
    uint32_t pmp_entries;
    bool pmp_configured;
    uint64_t access; /* launch.access, stack limit and data that the entries stand for */
    uint64_t stack_limit;
    uint32_t data_page, data_pages;
    bool regions_configured;                 /* PMP entries 9 to 12 are in use */
    uintptr_t pmp[PMP_ENTRIES_WITH_REGIONS]; /* pmpaddr as last written */
} arch_hart;
_Static_assert(offsetof(arch_hart, machine_sp) == HART_MACHINE_SP, "offset for assembly");
_Static_assert(offsetof(arch_hart, instructions_after) == HART_INSTRUCTIONS_AFTER,
               "offset for assembly");

typedef struct arch_machine {
    const struct doorbell *doorbell;
    uintptr_t time_register; /* 0: none */
    uint64_t chore_ticks;    /* hart 0 has to wake at least this often; 0: no limit */
    bool has_time_csr;
    bool has_sstc; /* timer interrupts come from the hart's own stimecmp */
    bool has_float;
    bool has_vector;
    bool has_mstatush; /* 32-bit harts only */
    bool has_paging;   /* the hart has S mode: address translations may be cached along with
                        * their PMP permissions */
    /* Firmware instructions executed between the two readings of minstret. */
    uintptr_t interrupt_overhead;
    uintptr_t call_overhead;
    uint64_t missing;       /* extensions that at least one hart lacks */
    uint64_t harts_checked; /* atomic: mask of harts whose pmp_flaw is known */
} arch_machine;

#endif
#endif
