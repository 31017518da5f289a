/* SPDX-License-Identifier: Apache-2.0
 *
 * Firmware state per hart and per machine on RISC-V. The offsets are for assembly code. */
#ifndef RIVULET_FIRMWARE_ARCH_STATE_H
#define RIVULET_FIRMWARE_ARCH_STATE_H

#include "device-firmware/arch/riscv/max_harts.h"

#define REGISTER_BYTES (__riscv_xlen / 8)
/* arch_hart: x[0] holds the kernel's pc. */
#define HART_X(n) ((n) * REGISTER_BYTES)
#define HART_FIRMWARE_SP HART_X(32)
#define HART_FIRMWARE_PC HART_X(33)
#define HART_INSTRUCTIONS_BEFORE HART_X(34)
#define HART_INSTRUCTIONS_AFTER HART_X(35)
#define HART_KERNEL_SATP HART_X(36)
#define HART_FIRMWARE_SATP HART_X(37)
#define HART_SATP_FENCE HART_X(38)

/* The firmware's stack of a hart, including its guard page. */
#define HART_STACK_BYTES 8192
#define HART_STACK_GUARD_BYTES 4096
/* At the stack's upper end: the hart's id. */
#define HART_STACK_TOP_BYTES 16

#ifndef __ASSEMBLER__
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device-firmware/arch/riscv/privilege.h"
#include "device-firmware/core/range.h"

/* Local memory that the board's tree names; a host's own takes its place. Compile-time constants,
 * so that boards without one contain no code for it. */
#ifdef BOARD_SCRATCHPAD_BASE
#define ARCH_SCRATCHPAD_BASE BOARD_SCRATCHPAD_BASE
#define ARCH_SCRATCHPAD_BYTES BOARD_SCRATCHPAD_BYTES
#else
#define ARCH_SCRATCHPAD_BASE 0
#define ARCH_SCRATCHPAD_BYTES 0
#endif

/* Whether an engine copies for kernels; others' firmware contains no code for it. */
#ifdef RIVULET_COPY_ENGINE
enum { ARCH_HAS_COPIES = 1 };
#else
enum { ARCH_HAS_COPIES = 0 };
#endif

enum { PMP_ENTRIES_USED = 8, PMP_ENTRIES_WITH_REGIONS = 13 };
/* Ranges that a launch may access, and what the hello says in place of PMP entries. */
enum { PAGED_RANGES = 6, PAGED_AS_ENTRIES = PMP_ENTRIES_WITH_REGIONS };

typedef struct arch_lock {
    uint32_t taken;
} arch_lock;

/* How to interrupt a hart (ipi.h). */
typedef struct ipi_route {
    uintptr_t address; /* of its MSIP register or its IMSIC's page; 0: no hart can interrupt it */
    bool by_message;
} ipi_route;

typedef struct arch_hart {
    uintptr_t x[32];                    /* the kernel's registers; x[0] is its pc */
    uintptr_t firmware_sp, firmware_pc; /* where the firmware goes on behind U mode */
    uintptr_t instructions_before;      /* XINSTRET on the way into U mode */
    uintptr_t instructions_after;       /* XINSTRET on the way out of it */
#ifdef BOARD_SUPERVISOR
    /* satp with the tables of each, and whether a change between them needs sfence.vma, because the
     * hart has no address space identifiers. */
    uintptr_t kernel_satp, firmware_satp, satp_fence;
    memory_range paged[PAGED_RANGES]; /* as painted in the kernel's page tables (paging.c) */
    uint32_t tables_used;
    bool calibrates; /* U mode can execute the firmware's first page */
#endif
    ipi_route route;     /* how others interrupt this hart */
    bool takes_messages; /* its IMSIC delivers its external interrupts */
    bool came_in_time;   /* it was checked when the boot hart went on */
    uint32_t checked;    /* atomic: what is below is known */
    uintptr_t timer_compare;
    uintptr_t misa, vector_bytes; /* this hart's misa and VLENB; vector_bytes is 0 without a
                                   * vector unit */
    uint64_t missing;             /* extensions this hart lacks; see extensions.c */
    bool has_user_mode;
    const char *pmp_flaw; /* why kernels can't be fenced; NULL if they can */
    uint32_t pmp_entries; /* that can hold the map of pmp.c, from pmp_first on */
    uint32_t pmp_first;
    bool pmp_closed;   /* the entry after them matches everything else */
    bool pmp_lockdown; /* M mode can't give U mode any memory: because of mseccfg.MML, or of locked
                        * entries */
    bool has_rights;   /* of a launch, with this launch.kind, stack limit and data */
    uint64_t kind;
    uint64_t stack_limit, memory_end;
    uint64_t data, data_bytes;
    bool regions_configured;                 /* PMP entries 9 to 12 are in use */
    uintptr_t pmp[PMP_ENTRIES_WITH_REGIONS]; /* pmpaddr as last written */
} arch_hart;
_Static_assert(offsetof(arch_hart, firmware_sp) == HART_FIRMWARE_SP, "offset for assembly");
_Static_assert(offsetof(arch_hart, instructions_after) == HART_INSTRUCTIONS_AFTER,
               "offset for assembly");

#ifdef BOARD_SUPERVISOR
_Static_assert(offsetof(arch_hart, kernel_satp) == HART_KERNEL_SATP &&
                   offsetof(arch_hart, firmware_satp) == HART_FIRMWARE_SATP &&
                   offsetof(arch_hart, satp_fence) == HART_SATP_FENCE,
               "offsets for assembly");
#endif

typedef struct arch_machine {
    const struct doorbell *doorbell;
    uintptr_t time_register; /* 0: none */
    uint64_t chore_ticks;    /* hart 0 has to wake at least this often; 0: no limit */
    bool has_time_csr;
    bool has_sstc; /* timer interrupts come from the hart's own stimecmp */
    bool has_float;
    bool has_double;
    bool has_vector;
    bool has_mstatush; /* 32-bit harts only */
    bool has_paging;   /* the hart has S mode: address translations may be cached along with
                        * their PMP permissions */
    /* Firmware instructions executed between the two readings of minstret. */
    uintptr_t interrupt_overhead;
    uintptr_t call_overhead;
    uint64_t missing; /* extensions that at least one hart lacks */
} arch_machine;

/* arch_time, if that takes no more than an instruction; else false. */
static inline bool arch_time_at_hand(const arch_machine *machine, uint64_t *time) {
#if __riscv_xlen == 64
    if (!machine->has_time_csr)
        return false;
    __asm__ volatile("csrr %0, time" : "=r"(*time));
    return true;
#else
    (void)machine, (void)time;
    return false;
#endif
}

#endif
#endif
