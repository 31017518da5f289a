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
 * Entries that earlier software has locked stay as they are: the map begins after those that are in
 * front of it, at hart.pmp_first. Then the entry after the map matches all addresses and gives U
 * mode nothing (hart.pmp_closed), because locked entries further on could give it access. M mode
 * may access what matches an entry that isn't locked, so the same entry is what it needs where
 * mseccfg.MMWP denies it everything else. Under mseccfg.MML, which can't be undone, M mode can't
 * access what U mode may execute: no kernel could be loaded or entered, and the hart is rejected.
 *
 * All boundaries are page-aligned: QEMU is slow on pages that an entry splits. */
#include <string.h>

#include "board.h"
#include "device-firmware/arch/riscv/csr.h"
#include "device-firmware/arch/riscv/riscv.h"
#include "device-firmware/core/launch.h"
#include "device-firmware/core/range.h"
#include "device-firmware/core/regions.h"
#include "device-firmware/core/seldom.h"
#include "device-firmware/drivers/platform.h"

#ifndef BOARD_SUPERVISOR

enum { PMP_R = 1, PMP_W = 2, PMP_X = 4, PMP_TOR = 1 << 3, PMP_NAPOT = 3 << 3 };
enum { PMP_MATCHING = 3 << 3, PMP_LOCK = 0x80, PMP_GUARD = PMP_LOCK | PMP_NAPOT };
enum { STACK_GUARD = 8, STACK_GUARD_OF_8 = 7 };
enum { PMP_ENTRIES_SEEN = 16 }; /* more are never needed */

static bool has_eight(const arch_hart *hart) { return hart->pmp_entries == PMP_ENTRIES_USED; }
static uint32_t guard_of(uint32_t entries) {
    return entries == PMP_ENTRIES_USED ? STACK_GUARD_OF_8 : STACK_GUARD;
}

static uintptr_t boundary(uint64_t address) { return (uintptr_t)(address >> 2); }
static uintptr_t napot(uint64_t address, uint64_t bytes) {
    return (uintptr_t)(address >> 2 | ((bytes >> 3) - 1));
}

/* The number of a CSR is part of the instruction. */
#define FOR_EACH_ENTRY(DO)                                                                         \
    DO(0)                                                                                          \
    DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15)

__attribute__((noinline)) static void write_address(uint32_t entry, uintptr_t value) {
    switch (entry) {
#define WRITE(n)                                                                                   \
    case n:                                                                                        \
        csr_write(pmpaddr##n, value);                                                              \
        break;
        FOR_EACH_ENTRY(WRITE)
#undef WRITE
    default:
        break;
    }
}

__attribute__((noinline)) static uintptr_t read_address(uint32_t entry) {
    switch (entry) {
#define READ(n)                                                                                    \
    case n:                                                                                        \
        return csr_read(pmpaddr##n);
        FOR_EACH_ENTRY(READ)
#undef READ
    default:
        return 0;
    }
}

/* Writes the configuration of the first 16 entries; locked ones keep theirs. Harts with fewer
 * entries may have fewer registers. */
__attribute__((noinline)) static void write_config(const uint8_t config[PMP_ENTRIES_SEEN]) {
    uintptr_t words[PMP_ENTRIES_SEEN / sizeof(uintptr_t)];
    memcpy(words, config, sizeof words);
#if __riscv_xlen == 64
    (void)(csr_try_write(0x3a0, words[0]) && csr_try_write(0x3a2, words[1]));
#else
    (void)(csr_try_write(0x3a0, words[0]) && csr_try_write(0x3a1, words[1]) &&
           csr_try_write(0x3a2, words[2]) && csr_try_write(0x3a3, words[3]));
#endif
}

__attribute__((noinline)) static void read_config(uint8_t config[PMP_ENTRIES_SEEN]) {
    uintptr_t words[PMP_ENTRIES_SEEN / sizeof(uintptr_t)] = {0};
#if __riscv_xlen == 64
    (void)(csr_try_read(0x3a0, &words[0]) && csr_try_read(0x3a2, &words[1]));
#else
    (void)(csr_try_read(0x3a0, &words[0]) && csr_try_read(0x3a1, &words[1]) &&
           csr_try_read(0x3a2, &words[2]) && csr_try_read(0x3a3, &words[3]));
#endif
    memcpy(config, words, sizeof words);
}

/* Entries of the map, at its place on this hart: none of a kernel's, U mode's for the firmware's
 * first page (calibration), a launch's, or one that opens everything. */
typedef enum map { MAP_EMPTY, MAP_CALIBRATION, MAP_LAUNCH, MAP_OPEN } map;

__attribute__((noinline)) static void configure(const arch_hart *hart, map map) {
    uint8_t config[PMP_ENTRIES_SEEN] = {0}, *own = config + hart->pmp_first;
    const uint8_t range = PMP_TOR | PMP_R | PMP_W;
    if (map == MAP_CALIBRATION)
        own[0] = PMP_NAPOT | PMP_R | PMP_X;
    if (map == MAP_OPEN)
        own[0] = PMP_NAPOT | PMP_R | PMP_W | PMP_X;
    if (map == MAP_LAUNCH) {
        own[1] = range;
        own[3] = PMP_TOR | PMP_R | PMP_X;
        if (has_eight(hart)) {
            own[4] = PMP_NAPOT | PMP_R | PMP_W;
            own[6] = range;
        } else {
            own[5] = own[7] = range;
        }
        if (hart->regions_configured)
            own[10] = own[12] = range;
    }
    if (hart->pmp_closed)
        own[hart->pmp_entries] = PMP_NAPOT;
    write_config(config);
}

/* Clears the entries beyond the first 16, because leftovers there would open memory. A trap at the
 * first register that does not exist ends this function. *locked becomes true if an entry is
 * locked. */
SELDOM static void clear_beyond(uintptr_t locked) {
#define CLEAR(n)                                                                                   \
    csr_write_number(0x3a0 + (n), 0);                                                              \
    *(volatile bool *)locked |= csr_read_number(0x3a0 + (n)) != 0;
#if __riscv_xlen == 64
    CLEAR(4) CLEAR(6) CLEAR(8) CLEAR(10) CLEAR(12) CLEAR(14)
#else
    CLEAR(4)
    CLEAR(5)
    CLEAR(6) CLEAR(7) CLEAR(8) CLEAR(9) CLEAR(10) CLEAR(11) CLEAR(12) CLEAR(13) CLEAR(14) CLEAR(15)
#endif
#undef CLEAR
}

/* True for a stack's guard page locked by an earlier run of this firmware: a restart without a
 * hart reset leaves it in place. It may belong to another stack, because stacks are assigned in
 * order of arrival. */
static bool is_guard(uint8_t config, uintptr_t address) {
    const uintptr_t first = napot((uintptr_t)hart_stacks, HART_STACK_GUARD_BYTES);
    return config == PMP_GUARD && address >= first &&
           (address - first) % (HART_STACK_BYTES >> 2) == 0 &&
           (address - first) / (HART_STACK_BYTES >> 2) < MAX_HARTS;
}

/* Entries that an earlier stage has left locked, as bit masks. */
typedef struct locks {
    uint32_t all;    /* their configuration or their address can't be written */
    uint32_t guards; /* … of those, guard pages of an earlier run */
    bool is_foreign; /* there are others than guards */
    uint8_t config[PMP_ENTRIES_SEEN];
} locks;

static locks read_locks(void) {
    locks found = {0};
    (void)riscv_try(clear_beyond, (uintptr_t)&found.is_foreign);
    read_config(found.config);
    for (uint32_t i = 0; i < PMP_ENTRIES_SEEN; ++i) {
        const uint8_t config = found.config[i];
        if (!(config & PMP_LOCK))
            continue;
        found.all |= 1u << i;
        if (is_guard(config, read_address(i))) {
            found.guards |= 1u << i;
            continue;
        }
        found.is_foreign = true;
        if (i > 0 && (config & PMP_MATCHING) == PMP_TOR)
            found.all |= 1u << (i - 1); /* 3.7.1: its lower bound is locked, too */
    }
    return found;
}

/* Places the map in the longest run of entries that can be written, without the one that is to
 * match everything else (pmp_closed). The only locked entry among them may be the map's own guard.
 * False if no run is long enough. */
static bool place_map(arch_hart *hart, const locks *locks, uint32_t entries) {
    uint32_t best = 0;
    for (uint32_t first = 0; first < entries; ++first)
        for (uint32_t usable = entries - first - hart->pmp_closed;
             usable >= PMP_ENTRIES_USED && usable <= entries && usable > best; --usable) {
            const uint32_t run = ((1u << (usable + hart->pmp_closed)) - 1) << first;
            const uint32_t own_guard = locks->guards & 1u << (first + guard_of(usable));
            if (run & locks->all & ~own_guard)
                continue;
            best = usable;
            hart->pmp_first = first;
        }
    hart->pmp_entries = best;
    return best != 0;
}

/* What matches an entry of others in front of the map never gets to the map. */
static const char *flaw_of_entry(const firmware *f, const locks *locks, uint32_t entry) {
    const uint8_t config = locks->config[entry], matching = config & PMP_MATCHING;
    if (!matching)
        return NULL;
    if (config & (PMP_R | PMP_W | PMP_X))
        return "earlier software has locked a PMP entry that gives kernels access to memory";
    const uint64_t address = read_address(entry), below = entry ? read_address(entry - 1) : 0;
    const uint64_t size = matching == PMP_NAPOT ? 2 * (~address & (address + 1)) : 1;
    const uint64_t from = matching == PMP_TOR ? below : address & ~(size - 1);
    const uint64_t to = matching == PMP_TOR ? address : from + size;
    const memory_range used[] = {{f->code, f->code + f->code_bytes},
                                 {f->hart_memory, f->hart_memory + f->harts * f->hart_memory_bytes},
                                 {f->heap, f->heap + f->heap_bytes},
                                 {(uintptr_t)f->shared, (uintptr_t)(f->shared + 1)}};
    for (size_t i = 0; i < sizeof used / sizeof *used; ++i)
        if (from < (used[i].to >> 2) && to > (used[i].from >> 2) && from < to)
            return "earlier software has locked a PMP entry that denies access to memory of the "
                   "firmware or its heap; reserve that memory in the device tree";
    return NULL;
}

/* Stores in *entries how many of the first PMP_ENTRIES_SEEN there are. Those that are not
 * implemented read as zero, or trap, which ends this function. Locked ones may read as zero, too,
 * so the last one that doesn't counts. */
SELDOM static void count_entries(uintptr_t entries) {
#pragma clang loop unroll(disable)
    for (uint32_t i = 0; i < PMP_ENTRIES_SEEN; ++i) {
        write_address(i, -1ul);
        if (read_address(i))
            *(volatile uint32_t *)entries = i + 1;
    }
}

/* 3.7.1: in an entry that is off, address bits below the grain read as zero. */
static bool grain_is_at_most_a_page(const arch_hart *hart) {
    write_address(hart->pmp_first, -1ul);
    uintptr_t value = read_address(hart->pmp_first);
    return (value & -value) <= RVL_PAGE_BYTES >> 2;
}

static bool keeps(const firmware *f, arch_hart *hart) {
    const uintptr_t first = boundary(f->hart_memory), last = boundary(f->heap + f->heap_bytes);
    const uint32_t at = hart->pmp_first;
    uint8_t config[PMP_ENTRIES_SEEN];
    write_address(at + 2, first);
    write_address(at + 3, last);
    configure(hart, MAP_LAUNCH);
    read_config(config);
    bool kept = read_address(at + 2) == first && read_address(at + 3) == last &&
                config[at + 1] == (PMP_TOR | PMP_R | PMP_W) &&
                config[at + 3] == (PMP_TOR | PMP_R | PMP_X) && !config[at] && !config[at + 2];
    configure(hart, MAP_EMPTY);
    return kept;
}

/* Removes M mode's own access to the page below this hart's stack. The lock bit makes the entry
 * apply to M mode until the hart is reset. */
SELDOM void pmp_guard_stack(const arch_hart *hart) {
    uintptr_t sp;
    __asm__("mv %0, sp" : "=r"(sp));
    const uintptr_t stacks = (uintptr_t)hart_stacks;
    const uintptr_t guard = napot(sp - (sp - stacks) % HART_STACK_BYTES, HART_STACK_GUARD_BYTES);
    const uint32_t entry = hart->pmp_first + guard_of(hart->pmp_entries);
    uint8_t config[PMP_ENTRIES_SEEN] = {0};
    config[entry] = PMP_GUARD;
    if (hart->pmp_closed)
        config[hart->pmp_first + hart->pmp_entries] = PMP_NAPOT;
    write_address(entry, guard);
    write_config(config);
}

/* With MMWP, M mode can access only what an entry matches. Before the entries of earlier software
 * are cleared, one that matches everything replaces them, in the last entry that can be written.
 * False if no entry can. */
static bool keep_access(uint8_t config[PMP_ENTRIES_SEEN]) {
    read_config(config);
    for (uint32_t i = PMP_ENTRIES_SEEN; i-- > 0;) {
        const bool bounds_locked = i + 1 < PMP_ENTRIES_SEEN && config[i + 1] & PMP_LOCK &&
                                   (config[i + 1] & PMP_MATCHING) == PMP_TOR;
        if (config[i] & PMP_LOCK || bounds_locked)
            continue;
        write_address(i, -1ul);
        if (!read_address(i))
            continue; /* the hart lacks this entry */
        config[i] = PMP_NAPOT;
        write_config(config);
        memset(config, 0, PMP_ENTRIES_SEEN);
        config[i] = PMP_NAPOT;
        return true;
    }
    return false;
}

/* U mode gets one entry, with which it can run unfenced, or can't run at all. */
static const char *leave_unfenced(arch_hart *hart, const locks *locks, uint32_t entries,
                                  bool has_mmwp) {
    const uint32_t writable = ((1u << entries) - 1) & ~locks->all;
    hart->pmp_lockdown = entries && (!writable || has_mmwp);
    hart->pmp_closed = false;
    hart->pmp_first = writable ? (uint32_t)__builtin_ctz(writable) : 0;
    return entries < PMP_ENTRIES_USED ? "it has too few PMP entries"
                                      : "earlier software has locked too many PMP entries";
}

/* Clears what can be cleared, and finds the place of the map among what can't. */
static const char *take_entries(const firmware *f, arch_hart *hart, bool has_mmwp) {
    uint8_t config[PMP_ENTRIES_SEEN] = {0};
    if (has_mmwp && !keep_access(config)) {
        hart->pmp_lockdown = true;
        return "earlier software has set mseccfg.MMWP and locked all PMP entries";
    }
    write_config(config);
    uint32_t entries = 0;
    (void)riscv_try(count_entries, (uintptr_t)&entries);
    const locks locks = read_locks();
    hart->pmp_closed = locks.is_foreign || has_mmwp;
    if (!place_map(hart, &locks, entries))
        return leave_unfenced(hart, &locks, entries, has_mmwp);
    if (hart->pmp_closed) {
        write_address(hart->pmp_first + hart->pmp_entries, -1ul);
        config[hart->pmp_first + hart->pmp_entries] = PMP_NAPOT;
        write_config(config);
    }
    configure(hart, MAP_EMPTY);
    const char *flaw = NULL;
    for (uint32_t i = 0; i < hart->pmp_first && !flaw; ++i)
        if (locks.all & ~locks.guards & 1u << i)
            flaw = flaw_of_entry(f, &locks, i);
    return flaw;
}

/* Run on every hart, because they may differ. */
SELDOM const char *protection_check(const firmware *f, hart *of) {
    arch_hart *hart = &of->arch;
    uintptr_t rules = 0;
    hart->pmp_first = hart->pmp_entries = 0;
    hart->pmp_closed = false;
    (void)csr_try_read(MSECCFG, &rules);
    hart->pmp_lockdown = rules & MSECCFG_MML;
    if (hart->pmp_lockdown)
        return "earlier software has set mseccfg.MML";
    const char *flaw = take_entries(f, hart, rules & MSECCFG_MMWP);
    of->coarse_stack = has_eight(hart);
    if (flaw)
        return flaw;
    if (!grain_is_at_most_a_page(hart))
        return "its PMP granularity is coarser than a page";
    if (!keeps(f, hart))
        return "its PMP entries don't retain what is written to them";
    pmp_guard_stack(hart);
    if (hart->pmp_closed)
        console_print(
            CONSOLE_INFO,
            "hart %u: kernels are fenced by PMP entries %u to %u, because of what earlier "
            "software has locked",
            (unsigned)of->id, (unsigned)hart->pmp_first,
            (unsigned)(hart->pmp_first + hart->pmp_entries));
    return NULL;
}

/* Used if kernels are not fenced (which the hello reports and the user requested). If PMP exists
 * at all, U mode still needs one entry. */
SELDOM static void open_everything(const arch_hart *hart) {
    uintptr_t value;
    if (!csr_try_read(0x3b0, &value))
        return;
    write_address(hart->pmp_first, -1ul);
    configure(hart, MAP_OPEN);
}

static void update(arch_hart *hart, uint32_t n, uintptr_t wanted) {
    if (hart->pmp[n] == wanted)
        return;
    hart->pmp[n] = wanted;
    write_address(hart->pmp_first + n, wanted);
}

static void switch_nine(arch_hart *hart, memory_range own, const launch *launch) {
    update(hart, 4, boundary(own.from));
    update(hart, 5, boundary(own.to));
    update(hart, 6, boundary(launch->arena));
    update(hart, 7, boundary(launch->arena + launch_arena_bytes(launch)));
}

static void switch_eight(arch_hart *hart, memory_range own, const launch *launch) {
    update(hart, 4, napot(own.from, own.to - own.from));
    update(hart, 5, boundary(launch->arena));
    update(hart, 6, boundary(launch->arena + launch_arena_bytes(launch)));
}

_Static_assert(REGIONS_PMP_ENTRIES == PMP_ENTRIES_WITH_REGIONS, "entries up to 12");
static void switch_regions(const firmware *f, hart *of, memory_range own, const launch *launch) {
    arch_hart *hart = &of->arch;
    const memory_range second = {launch_second(launch),
                                 launch_second(launch) + launch_second_bytes(launch)};
    const memory_range to_second = launch_second_bytes(launch) ? second : own;
    const memory_range local = f->scratchpad ? regions_local_memory(f, of) : own;
    update(hart, 9, boundary(to_second.from));
    update(hart, 10, boundary(to_second.to));
    update(hart, 11, boundary(local.from));
    update(hart, 12, boundary(local.to));
    if (!hart->regions_configured)
        hart->has_rights = false; /* so that they are configured */
    hart->regions_configured = true;
}

static void give_rights(const firmware *f, hart *of, const launch *launch) {
    arch_hart *hart = &of->arch;
    hart->kind = launch->kind;
    hart->stack_limit = of->stack_limit;
    hart->memory_end = of->memory_end;
    hart->data = launch->data;
    hart->data_bytes = launch->data_bytes;
    const memory_range own = {of->stack_limit, of->memory_end};
    /* A launch without data gets a range that the kernel may write anyway. Not an empty range:
     * one at address 0 matches all addresses on QEMU 10.0. */
    const memory_range data = launch->data_bytes ? launch_data(launch) : own;
    update(hart, 0, boundary(data.from));
    update(hart, 1, boundary(data.to));
    update(hart, 2, boundary(launch->code));
    update(hart, 3, boundary(launch->code + launch_code_bytes(launch)));
    (has_eight(hart) ? switch_eight : switch_nine)(hart, own, launch);
    if (launch_second_bytes(launch) || f->second_heap_bytes || f->scratchpad ||
        hart->regions_configured)
        switch_regions(f, of, own, launch);
    if (!hart->has_rights)
        configure(hart, MAP_LAUNCH);
    hart->has_rights = true;
}

/* Gives the hart the access rights of a launch, before it enters the kernel. Most launches on a
 * hart belong to the same context, so pmpaddr registers are written only if their value changes,
 * and the configuration only once. U mode can't run in between, so intermediate states don't
 * matter. */
void protection_change_to(const firmware *f, hart *hart, const launch *launch) {
    if (f->pmp_entries == 0)
        open_everything(&hart->arch);
    else
        give_rights(f, hart, launch);
    /* Privileged manual, 3.7.2: address-translation caches may retain the permissions of the
     * previous launch, even if nothing is translated. */
    if (f->arch.has_paging)
        __asm__ volatile("sfence.vma" ::: "memory");
}

SELDOM uintptr_t protection_allow_calibration(hart *of, uintptr_t code) {
    const arch_hart *hart = &of->arch;
    uintptr_t value;
    if (hart->pmp_lockdown || !csr_try_read(0x3b0, &value))
        return code;
    write_address(hart->pmp_first, napot(BOARD_FIRMWARE_BASE, RVL_PAGE_BYTES));
    configure(hart, MAP_CALIBRATION);
    return code;
}
#endif
