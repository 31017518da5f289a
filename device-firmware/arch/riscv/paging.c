/* SPDX-License-Identifier: Apache-2.0
 *
 * Restricts what a kernel can access, by page tables (Sv39; Sv32 with 32 bits), on boards where the
 * firmware runs in S mode. Addresses are physical ones in all tables. Every hart has two sets:
 *
 *   the firmware's  S mode: everything, in pages as large as possible, except the guard page below
 *                   the hart's stack. They never change.
 *   the kernel's    S mode: everything, for the way in and out (start.S). U mode: the ranges of the
 *                   current launch, painted over that in this order, which permits what PMP does
 *                   (pmp.c):
 *
 *     arena            R W
 *     second arena     R W      off unless the host provides memory for it or
 *     local memory     R W      for local memory (core/regions.c)
 *     hart memory      R W      above the launch's stack limit
 *     code             R   X    all images and records of the context
 *     data             R W      of its image
 *
 * The firmware needs tables of its own because it writes code where kernels may only execute it. A
 * launch repaints only the ranges that differ from the previous launch's. Tables are not returned
 * one by one: if none is left, all of the kernel's are rebuilt, and for that a hart's share is
 * always sufficient.
 *
 * A hart's tables are used by that hart alone. So no other hart has to be told of changes, and two
 * address space identifiers are sufficient, which spare it fences on the way in and out. A and D
 * are always set, because harts may trap instead of setting them. */
#include "board.h"
#include "device-firmware/arch/riscv/csr.h"
#include "device-firmware/arch/riscv/riscv.h"
#include "device-firmware/arch/riscv/sbi.h"
#include "device-firmware/core/launch.h"
#include "device-firmware/core/range.h"
#include "device-firmware/core/regions.h"
#include "device-firmware/drivers/platform.h"

#ifdef BOARD_SUPERVISOR

#if __riscv_xlen == 64
enum { LEVELS = 3, INDEX_BITS = 9 };
#define SATP_MODE (8ul << 60) /* Sv39 */
#define SATP_ASID_1 (1ul << 44)
#else
enum { LEVELS = 2, INDEX_BITS = 10 };
#define SATP_MODE (1ul << 31) /* Sv32 */
#define SATP_ASID_1 (1ul << 22)
#endif
enum { PAGE_BITS = 12, ENTRIES = 1 << INDEX_BITS, PPN_SHIFT = 10 };
/* Where U mode finds the firmware's first page during calibration: S mode can't execute U mode's
 * pages, and the page also holds code of the firmware. */
#define ALIAS ((uintptr_t)PAGED_END)

typedef uintptr_t entry;
enum { V = 1, R = 2, W = 4, X = 8, U = 16, A = 64, D = 128 };
enum {
    NOTHING = 0,
    OF_FIRMWARE = V | R | W | X | A | D,
    DATA = V | R | W | U | A | D,
    CODE = V | R | X | U | A,
};

/* Each edge of a range adds a table of each level below the root; guard page and alias have both
 * edges in the same tables. */
enum { TABLES_OF_FIRMWARE = LEVELS, FIRST_OF_KERNEL = TABLES_OF_FIRMWARE };
enum { TABLES_LEAST = 1 + (2 * PAGED_RANGES + 1) * (LEVELS - 1) };
/* Some more, so that tables are rarely rebuilt. */
enum { TABLES = LEVELS == 3 ? 32 : 20 };
_Static_assert(TABLES_OF_FIRMWARE + TABLES_LEAST <= TABLES,
               "a hart's tables are sufficient for all ranges");

static const uint8_t rights_of[PAGED_RANGES] = {DATA, DATA, DATA, DATA, CODE, DATA};
enum { ARENA, SECOND, LOCAL, OWN, TEXT, IMAGE_DATA };

extern uint8_t firmware_end[]; /* firmware.ld */

static entry *tables_of(const hart *hart) {
    return (entry *)(((uintptr_t)firmware_end + RVL_PAGE_BYTES - 1) / RVL_PAGE_BYTES *
                         RVL_PAGE_BYTES +
                     hart->index * (uintptr_t)(TABLES * RVL_PAGE_BYTES));
}

/* The table below an entry; splits the entry if it is a page. NULL: no table is left. */
static entry *table_below(hart *hart, entry *above, uint32_t level) {
    if (*above & V && !(*above & (R | W | X)))
        return (entry *)(*above >> PPN_SHIFT << PAGE_BITS);
    if (hart->arch.tables_used == TABLES)
        return NULL;
    entry *table = tables_of(hart) + ENTRIES * hart->arch.tables_used++;
    const entry step = *above & V ? (entry)1 << (PPN_SHIFT + (level - 1) * INDEX_BITS) : 0;
    entry page = *above;
    for (uint32_t i = 0; i < ENTRIES; ++i, page += step)
        table[i] = page;
    *above = (uintptr_t)table >> PAGE_BITS << PPN_SHIFT | V;
    return table;
}

/* Maps whole pages, the last of which contains `last`; `distance` is physical minus virtual. False
 * if no table is left. */
static bool paint_below(hart *hart, entry *table, uint32_t level, uintptr_t from, uintptr_t last,
                        uintptr_t distance, entry rights) {
    const uint32_t shift = PAGE_BITS + level * INDEX_BITS;
    const uintptr_t inside = ((uintptr_t)1 << shift) - 1;
    for (;;) {
        entry *at = &table[from >> shift & (ENTRIES - 1)];
        const uintptr_t end = from | inside;
        if (level == 0 || ((from & inside) == 0 && end <= last)) {
            *at = rights ? (from + distance) >> PAGE_BITS << PPN_SHIFT | rights : 0;
        } else {
            entry *below = table_below(hart, at, level);
            if (!below || !paint_below(hart, below, level - 1, from, end < last ? end : last,
                                       distance, rights))
                return false;
        }
        if (end >= last)
            return true;
        from = end + 1;
    }
}

static entry *root_of_kernel(const hart *hart) {
    return tables_of(hart) + FIRST_OF_KERNEL * ENTRIES;
}

static bool paint(hart *hart, memory_range range, entry rights) {
    return range.from == range.to ||
           paint_below(hart, root_of_kernel(hart), LEVELS - 1, (uintptr_t)range.from,
                       (uintptr_t)(range.to - 1), 0, rights);
}

static bool paint_alias(hart *hart, entry rights) {
    return paint_below(hart, root_of_kernel(hart), LEVELS - 1, ALIAS, ALIAS,
                       BOARD_FIRMWARE_BASE - ALIAS, rights);
}

static bool equal(memory_range a, memory_range b) { return a.from == b.from && a.to == b.to; }

static memory_range both(memory_range a, memory_range b) {
    const uint64_t from = a.from > b.from ? a.from : b.from, to = a.to < b.to ? a.to : b.to;
    return from < to ? (memory_range){from, to} : (memory_range){0, 0};
}

/* Paints part of the address space from scratch, with the launch's ranges in it. */
static bool repaint(hart *hart, memory_range part) {
    bool done = paint(hart, part, OF_FIRMWARE);
    for (uint32_t i = 0; i < PAGED_RANGES; ++i)
        done = done && paint(hart, both(hart->arch.paged[i], part), rights_of[i]);
    return done;
}

/* Everything, for S mode. */
static void fill_root(entry *root) {
    const uint32_t shift = PAGE_BITS + (LEVELS - 1) * INDEX_BITS;
    for (uint32_t i = 0; i < ENTRIES; ++i) {
        const uint64_t address = (uint64_t)i << shift;
        root[i] =
            address < PAGED_END ? (entry)(address >> PAGE_BITS) << PPN_SHIFT | OF_FIRMWARE : 0;
    }
}

static void build_for_firmware(hart *hart) {
    uintptr_t sp;
    __asm__("mv %0, sp" : "=r"(sp));
    const uintptr_t guard = sp - (sp - (uintptr_t)hart_stacks) % HART_STACK_BYTES;
    hart->arch.tables_used = 1;
    fill_root(tables_of(hart));
    (void)paint_below(hart, tables_of(hart), LEVELS - 1, guard, guard + HART_STACK_GUARD_BYTES - 1,
                      0, NOTHING);
    firmware_assert(hart->firmware, hart->arch.tables_used <= TABLES_OF_FIRMWARE);
}

static bool rebuild(hart *hart) {
    hart->arch.tables_used = FIRST_OF_KERNEL + 1;
    fill_root(root_of_kernel(hart));
    bool done = true;
    for (uint32_t i = 0; i < PAGED_RANGES; ++i)
        done = done && paint(hart, hart->arch.paged[i], rights_of[i]);
    return done;
}

/* What the hart may have cached of its tables is dropped, and its stores to them are seen. */
static void fence(void) { __asm__ volatile("sfence.vma" ::: "memory"); }

/* T-Head's C906, C908 and C910 can take memory attributes from bits 63 to 59 of page table entries,
 * where M mode turns that on (MAEE). Without these bits memory isn't cached, and atomics fault. */
static bool needs_attributes(void) {
    enum { THEAD = 0x5b7, TH_SXSTATUS = 0x5c0, MAEE = 1 << 21 };
    uintptr_t status;
    return sbi_vendor_id() == THEAD && csr_try_read(TH_SXSTATUS, &status) && status & MAEE;
}

/* Run on every hart, because they may differ. */
const char *protection_check(const firmware *f, hart *hart) {
    const uintptr_t end = BOARD_FIRMWARE_BASE + BOARD_FIRMWARE_BYTES;
    arch_hart *state = &hart->arch;
    state->pmp_entries = 0;
    if ((uintptr_t)tables_of(hart) + TABLES * RVL_PAGE_BYTES > end)
        return "the board's region `firmware` has no room for its page tables";
    if (f->heap + f->heap_bytes > PAGED_END)
        return "the heap has addresses that page tables can't translate";
    if (needs_attributes())
        return "its page tables need T-Head's memory attributes, because M mode has set "
               "mxstatus.MAEE";
    build_for_firmware(hart);
    (void)rebuild(hart);
    const uintptr_t firmware_satp = SATP_MODE | (uintptr_t)tables_of(hart) >> PAGE_BITS;
    const uintptr_t kernel_satp = SATP_MODE | (uintptr_t)root_of_kernel(hart) >> PAGE_BITS;
    fence();
    csr_write(satp, firmware_satp | SATP_ASID_1);
    fence();
    const bool has_asids = csr_read(satp) & SATP_ASID_1;
    csr_write(satp, firmware_satp);
    fence();
    if (csr_read(satp) != firmware_satp)
        return __riscv_xlen == 64 ? "it has no Sv39" : "it has no Sv32";
    state->firmware_satp = firmware_satp;
    state->kernel_satp = kernel_satp | (has_asids ? SATP_ASID_1 : 0);
    state->satp_fence = !has_asids;
    state->pmp_entries = PAGED_AS_ENTRIES;
    return NULL;
}

/* Gives the hart the access rights of a launch, before it enters the kernel. */
void protection_change_to(const firmware *f, hart *hart, const launch *launch) {
    arch_hart *state = &hart->arch;
    state->has_rights = true;
    state->kind = launch->kind;
    state->stack_limit = hart->stack_limit;
    state->memory_end = hart->memory_end;
    state->data = launch->data;
    state->data_bytes = launch->data_bytes;
    if (f->pmp_entries == 0) { /* kernels are not fenced, which the user requested */
        state->kernel_satp = 0;
        fence();
        return;
    }
    const memory_range none = {0, 0}, local = regions_local_memory(f, hart);
    const memory_range wanted[PAGED_RANGES] = {
        [ARENA] = {launch->arena, launch->arena + launch_arena_bytes(launch)},
        [SECOND] = launch_second_bytes(launch)
                       ? (memory_range){launch_second(launch),
                                        launch_second(launch) + launch_second_bytes(launch)}
                       : none,
        [LOCAL] = f->scratchpad ? local : none,
        [OWN] = {hart->stack_limit, hart->memory_end},
        [TEXT] = {launch->code, launch->code + launch_code_bytes(launch)},
        [IMAGE_DATA] = launch->data_bytes ? launch_data(launch) : none,
    };
    memory_range before[PAGED_RANGES];
    bool changes = state->calibrates, done = true;
    for (uint32_t i = 0; i < PAGED_RANGES; ++i) {
        before[i] = state->paged[i];
        state->paged[i] = wanted[i];
        changes |= !equal(before[i], wanted[i]);
    }
    if (!changes)
        return;
    if (state->calibrates)
        done = paint_alias(hart, NOTHING);
    state->calibrates = false;
    for (uint32_t i = 0; i < PAGED_RANGES && done; ++i)
        if (!equal(before[i], wanted[i]))
            done = repaint(hart, before[i]) && repaint(hart, wanted[i]);
    if (!done && !rebuild(hart))
        arch_panic(hart->firmware, "the page tables of a hart are too few");
    fence();
}

uintptr_t protection_allow_calibration(hart *hart, uintptr_t code) {
    if (hart->arch.pmp_entries == 0) /* without page tables, U mode can do anything */
        return code;
    hart->arch.calibrates = true;
    hart->arch.has_rights = false;
    if (!paint_alias(hart, CODE) && !(rebuild(hart) && paint_alias(hart, CODE)))
        arch_panic(hart->firmware, "the page tables of a hart are too few");
    fence();
    return ALIAS + (code - BOARD_FIRMWARE_BASE);
}
#endif
