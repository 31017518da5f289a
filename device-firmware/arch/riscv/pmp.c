/* SPDX-License-Identifier: Apache-2.0
 *
 * Restricts what a kernel can access, using PMP (privileged manual, 3.7). The first entry that
 * matches decides, so the image's data can be inside the code range, and the code inside the arena:
 *
 *   0, 1  data         from, to    RW      of its image
 *   2, 3  code         from, to    R X     all images and records of the context
 *   4, 5  hart memory  from, to    RW      above the launch's stack limit
 *   6, 7  arena        from, to    RW
 *   8     guard page of the M-mode stack: no access, not even from M mode (locked)
 *   9, 10 second arena from, to    RW      off unless the host provides memory for it or
 *  11, 12 local memory from, to    RW      for local memory (core/regions.c)
 *   –     everything else          none
 *
 * A hart with eight entries uses one for its hart memory and one for the guard page. The launch's
 * stack limit is coarser there (hart.coarse_stack), so that the size above it is a power of two:
 *
 *   4     hart memory  NAPOT       RW
 *   5, 6  arena        from, to    RW
 *   7     guard page of the M-mode stack
 *
 * All boundaries are page-aligned: QEMU is slow on pages that an entry splits. */
#include "board.h"
#include "device-firmware/arch/riscv/csr.h"
#include "device-firmware/arch/riscv/riscv.h"
#include "device-firmware/core/launch.h"
#include "device-firmware/core/range.h"
#include "device-firmware/core/regions.h"

#ifndef BOARD_SUPERVISOR

enum { PMP_R = 1, PMP_W = 2, PMP_X = 4, PMP_TOR = 1 << 3, PMP_NAPOT = 3 << 3 };

enum { PMP_LOCK = 0x80, PMP_GUARD = PMP_LOCK | PMP_NAPOT, STACK_GUARD = 8, STACK_GUARD_OF_8 = 7 };

#define CONFIG_LOW ((PMP_TOR | PMP_R | PMP_W) << 8 | (uint32_t)(PMP_TOR | PMP_R | PMP_X) << 24)
#define CONFIG_HIGH ((PMP_TOR | PMP_R | PMP_W) << 8 | (uint32_t)(PMP_TOR | PMP_R | PMP_W) << 24)
#define CONFIG_HIGH_OF_8                                                                           \
    ((PMP_NAPOT | PMP_R | PMP_W) | (PMP_TOR | PMP_R | PMP_W) << 16 | (uint32_t)PMP_GUARD << 24)

static bool has_eight(const arch_hart *hart) { return hart->pmp_entries == PMP_ENTRIES_USED; }

static void write_config(uint32_t low, uint32_t high) {
#if __riscv_xlen == 64
    csr_write(pmpcfg0, (uint64_t)high << 32 | low);
#else
    csr_write(pmpcfg0, low);
    csr_write(pmpcfg1, high);
#endif
}

/* Compares the low half only; on a hart with eight entries the high half may hold the locked
 * guard. */
static bool config_is_low(void) { return (uint32_t)csr_read(pmpcfg0) == CONFIG_LOW; }

static uintptr_t boundary(uint64_t address) { return (uintptr_t)(address >> 2); }
static uintptr_t napot(uint64_t address, uint64_t bytes) {
    return (uintptr_t)(address >> 2 | ((bytes >> 3) - 1));
}

/* An unimplemented entry reads as zero or traps. */
#define PMP_ENTRY_IMPLEMENTED(n)                                                                   \
    ({                                                                                             \
        uintptr_t value = 0;                                                                       \
        csr_try_write(0x3b0 + n, -1ul) && csr_try_read(0x3b0 + n, &value) && value;                \
    })

/* Clears four entries (RV32) or eight (RV64) and returns what remains, i.e. locked entries. */
#define CLEARED(n)                                                                                 \
    ({                                                                                             \
        uintptr_t config_ = 0;                                                                     \
        (void)(csr_try_write(0x3a0 + (n), 0) && csr_try_read(0x3a0 + (n), &config_));              \
        config_;                                                                                   \
    })

/* True for a stack's guard page locked by an earlier run of this firmware: a restart without a
 * hart reset leaves it in place. It may belong to another stack, because stacks are assigned in
 * order of arrival. */
static bool is_guard(uintptr_t address) {
    const uintptr_t first = napot((uintptr_t)hart_stacks, HART_STACK_GUARD_BYTES);
    return address >= first && (address - first) % (HART_STACK_BYTES >> 2) == 0 &&
           (address - first) / (HART_STACK_BYTES >> 2) < RVL_MAX_HARTS;
}

/* Clears all 64 possible entries, because leftovers beyond the ones used here would open memory.
 * Returns false if an entry other than our own guard is locked. */
static bool clear_configs(bool eight) {
    uintptr_t config[] = {
        CLEARED(0), CLEARED(2),  CLEARED(4),  CLEARED(6),
        CLEARED(8), CLEARED(10), CLEARED(12), CLEARED(14),
#if __riscv_xlen == 32
        CLEARED(1), CLEARED(3),  CLEARED(5),  CLEARED(7),
        CLEARED(9), CLEARED(11), CLEARED(13), CLEARED(15),
#endif
    };
    enum { OF_NINE = 1, OF_EIGHT = __riscv_xlen == 64 ? 0 : 8 }; /* index in config[] */
    const uintptr_t shift = __riscv_xlen - 8; /* entry 7 is the last one in its register */
    if (eight && config[OF_EIGHT] == (uintptr_t)PMP_GUARD << shift && is_guard(csr_read(pmpaddr7)))
        config[OF_EIGHT] = 0;
    if (!eight && config[OF_NINE] == PMP_GUARD && is_guard(csr_read(pmpaddr8)))
        config[OF_NINE] = 0;
    for (size_t i = 0; i < sizeof config / sizeof *config; ++i)
        if (config[i])
            return false;
    return true;
}

/* Counts among the first 16 entries; more are never needed. */
static uint32_t count_entries(void) {
    return PMP_ENTRY_IMPLEMENTED(0) + PMP_ENTRY_IMPLEMENTED(1) + PMP_ENTRY_IMPLEMENTED(2) +
           PMP_ENTRY_IMPLEMENTED(3) + PMP_ENTRY_IMPLEMENTED(4) + PMP_ENTRY_IMPLEMENTED(5) +
           PMP_ENTRY_IMPLEMENTED(6) + PMP_ENTRY_IMPLEMENTED(7) + PMP_ENTRY_IMPLEMENTED(8) +
           PMP_ENTRY_IMPLEMENTED(9) + PMP_ENTRY_IMPLEMENTED(10) + PMP_ENTRY_IMPLEMENTED(11) +
           PMP_ENTRY_IMPLEMENTED(12) + PMP_ENTRY_IMPLEMENTED(13) + PMP_ENTRY_IMPLEMENTED(14) +
           PMP_ENTRY_IMPLEMENTED(15);
}

/* 3.7.1: in an entry that is off, address bits below the grain read as zero. */
static bool grain_is_at_most_a_page(void) {
    csr_write(pmpaddr0, -1ul);
    uintptr_t value = csr_read(pmpaddr0);
    return (value & -value) <= RVL_PAGE_BYTES >> 2;
}

static bool keeps(const firmware *f) {
    const uintptr_t first = boundary(f->hart_memory), last = boundary(f->heap + f->heap_bytes);
    csr_write(pmpaddr2, first);
    csr_write(pmpaddr3, last);
    write_config(CONFIG_LOW, 0);
    bool kept = csr_read(pmpaddr2) == first && csr_read(pmpaddr3) == last && config_is_low();
    write_config(0, 0);
    return kept;
}

/* Removes M mode's own access to the page below this hart's stack. The lock bit makes the entry
 * apply to M mode until the hart is reset. */
void pmp_guard_stack(const arch_hart *hart) {
    uintptr_t sp;
    __asm__("mv %0, sp" : "=r"(sp));
    const uintptr_t stacks = (uintptr_t)hart_stacks;
    const uintptr_t guard = napot(sp - (sp - stacks) % HART_STACK_BYTES, HART_STACK_GUARD_BYTES);
    if (has_eight(hart)) {
        csr_write(pmpaddr7, guard);
        write_config(0, (uint32_t)PMP_GUARD << 24);
    } else {
        csr_write(pmpaddr8, guard);
        csr_write(pmpcfg2, PMP_GUARD);
    }
}

/* Run on every hart, because they may differ. */
const char *protection_check(const firmware *f, hart *hart) {
    uintptr_t rules = 0;
    hart->arch.pmp_entries = count_entries();
    hart->coarse_stack = has_eight(&hart->arch);
    bool is_clear = clear_configs(hart->coarse_stack);
    if (hart->arch.pmp_entries < PMP_ENTRIES_USED)
        return "it has too few PMP entries";
    if (!is_clear)
        return "earlier software has locked PMP entries";
    if (csr_try_read(MSECCFG, &rules) && (rules & (MSECCFG_MML | MSECCFG_MMWP)))
        return "earlier software has changed the PMP rules in mseccfg";
    if (!grain_is_at_most_a_page())
        return "its PMP granularity is coarser than a page";
    if (!keeps(f))
        return "its PMP entries don't retain what is written to them";
    pmp_guard_stack(&hart->arch);
    return NULL;
}

/* Used if kernels are not fenced (which the hello reports and the user requested). If PMP exists
 * at all, U mode still needs one entry. */
static void open_everything(void) {
    csr_try_write(0x3b0, -1ul);
    csr_try_write(0x3a0, PMP_NAPOT | PMP_R | PMP_W | PMP_X);
}

#define PMP_ADDR_UPDATE(n, wanted)                                                                 \
    do {                                                                                           \
        const uintptr_t wanted_ = (wanted);                                                        \
        if (hart->pmp[n] != wanted_)                                                               \
            csr_write(pmpaddr##n, hart->pmp[n] = wanted_);                                         \
    } while (0)

static void switch_nine(arch_hart *hart, memory_range own, const launch *launch) {
    PMP_ADDR_UPDATE(4, boundary(own.from));
    PMP_ADDR_UPDATE(5, boundary(own.to));
    PMP_ADDR_UPDATE(6, boundary(launch->arena));
    PMP_ADDR_UPDATE(7, boundary(launch->arena + launch_arena_bytes(launch)));
    if (!hart->has_rights)
        write_config(CONFIG_LOW, CONFIG_HIGH);
}

static void switch_eight(arch_hart *hart, memory_range own, const launch *launch) {
    PMP_ADDR_UPDATE(4, napot(own.from, own.to - own.from));
    PMP_ADDR_UPDATE(5, boundary(launch->arena));
    PMP_ADDR_UPDATE(6, boundary(launch->arena + launch_arena_bytes(launch)));
    if (!hart->has_rights)
        write_config(CONFIG_LOW, CONFIG_HIGH_OF_8);
}

_Static_assert(REGIONS_PMP_ENTRIES == PMP_ENTRIES_WITH_REGIONS, "entries up to 12");
static void switch_regions(const firmware *f, hart *of, memory_range own, const launch *launch) {
    arch_hart *hart = &of->arch;
    const memory_range second = {launch_second(launch),
                                 launch_second(launch) + launch_second_bytes(launch)};
    const memory_range to_second = launch_second_bytes(launch) ? second : own;
    const memory_range local = f->scratchpad ? regions_local_memory(f, of) : own;
    PMP_ADDR_UPDATE(9, boundary(to_second.from));
    PMP_ADDR_UPDATE(10, boundary(to_second.to));
    PMP_ADDR_UPDATE(11, boundary(local.from));
    PMP_ADDR_UPDATE(12, boundary(local.to));
    if (hart->regions_configured)
        return;
    hart->regions_configured = true;
    const uintptr_t range = PMP_TOR | PMP_R | PMP_W;
#if __riscv_xlen == 64
    csr_write(pmpcfg2, PMP_GUARD | range << 16 | range << 32);
#else
    csr_write(pmpcfg2, PMP_GUARD | range << 16);
    csr_write(pmpcfg3, range);
#endif
}

/* Gives the hart the access rights of a launch, before it enters the kernel. Most launches on a
 * hart belong to the same context, so pmpaddr registers are written only if their value changes,
 * and the configuration only once. U mode can't run in between, so intermediate states don't
 * matter. */
void protection_change_to(const firmware *f, hart *of, const launch *launch) {
    if (f->pmp_entries == 0) {
        open_everything();
        return;
    }
    arch_hart *hart = &of->arch;
    hart->access = launch->access;
    hart->stack_limit = of->stack_limit;
    hart->data_page = launch->data_page;
    hart->data_pages = launch->data_pages;
    const memory_range own = {of->stack_limit,
                              f->hart_memory + (of->index + 1) * f->hart_memory_bytes};
    /* A launch without data gets a range that the kernel may write anyway. Not an empty range:
     * one at address 0 matches all addresses on QEMU 10.0. */
    const memory_range data = launch->data_pages ? launch_data(launch) : own;
    PMP_ADDR_UPDATE(0, boundary(data.from));
    PMP_ADDR_UPDATE(1, boundary(data.to));
    PMP_ADDR_UPDATE(2, boundary(launch->code));
    PMP_ADDR_UPDATE(3, boundary(launch->code + launch_code_bytes(launch)));
    (has_eight(hart) ? switch_eight : switch_nine)(hart, own, launch);
    if (launch_second_bytes(launch) || f->second_heap_bytes || f->scratchpad ||
        hart->regions_configured)
        switch_regions(f, of, own, launch);
    hart->has_rights = true;
    /* Privileged manual, 3.7.2: address-translation caches may retain the permissions of the
     * previous launch, even if nothing is translated. */
    if (f->arch.has_paging)
        __asm__ volatile("sfence.vma" ::: "memory");
}

uintptr_t protection_allow_calibration(hart *hart, uintptr_t code) {
    (void)hart;
    csr_try_write(0x3b0, napot(BOARD_FIRMWARE_BASE, RVL_PAGE_BYTES));
    csr_try_write(0x3a0, PMP_NAPOT | PMP_R | PMP_X);
    return code;
}
#endif
