/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests what U mode can access during a launch, at every boundary: by page tables, or by PMP for
 * harts with nine entries and, on the last hart, for the map of harts with eight. */
#include <string.h>

#include "board.h"
#include "device-firmware/core/launch.h"
#include "device-firmware/core/regions.h"
#include "device-firmware/drivers/platform.h"
#include "device-firmware/tests/target/target.h"

enum { READ, WRITE, EXECUTE };
extern uint8_t firmware_end[]; /* firmware.ld; page tables follow */

/* Where U mode finds the instructions of `reads` and `writes`: in the code of a launch, between the
 * addresses that `expect` tries. */
enum { PROBES_AT = 64, LOAD_PROBE = 0, STORE_PROBE = 8 };
static uintptr_t probes[MAX_HARTS];

static void write_probes(const hart *hart, uintptr_t code) {
    static const uint32_t load = 0x50283, store = 0xb50023; /* lb t0, (a0); sb a1, (a0) */
    static const uint16_t end = 0x9002;                     /* c.ebreak */
    const uintptr_t at = probes[hart->index] = code + PROBES_AT;
    memcpy((void *)(at + LOAD_PROBE), &load, sizeof load);
    memcpy((void *)(at + LOAD_PROBE + sizeof load), &end, sizeof end);
    memcpy((void *)(at + STORE_PROBE), &store, sizeof store);
    memcpy((void *)(at + STORE_PROBE + sizeof store), &end, sizeof end);
    arch_icache_sync(hart->firmware);
}

/* True if U mode gets from that address to a breakpoint, whatever interrupts it meanwhile. */
__attribute__((noinline)) static bool comes_to_breakpoint(hart *hart, uintptr_t pc, uintptr_t a0,
                                                          uintptr_t a1) {
    enum { BREAKPOINT = 3 };
    for (;;) {
        csr_clear(XSTATUS, XSTATUS_XPP);
        user_begin(&hart->arch, pc, 0, (uintptr_t[]){a0, a1, 0});
        if (!(csr_read(XCAUSE) & CAUSE_INTERRUPT))
            return csr_read(XCAUSE) == BREAKPOINT;
        arch_acknowledge_interrupts(hart->firmware, hart); /* it was told of this job late */
    }
}

__attribute__((noinline)) static bool reads(hart *hart, uintptr_t address) {
    return comes_to_breakpoint(hart, probes[hart->index] + LOAD_PROBE, address, 0);
}
__attribute__((noinline)) static bool writes(hart *hart, uintptr_t address) {
    const uint8_t as_before = *(const volatile uint8_t *)address;
    return comes_to_breakpoint(hart, probes[hart->index] + STORE_PROBE, address, as_before);
}
/* An ecall is too long for the last bytes of a page. */
static bool executes(hart *hart, uintptr_t address) {
    *(volatile uint16_t *)address = 0x9002;
    arch_icache_sync(hart->firmware);
    return comes_to_breakpoint(hart, address, 0, 0);
}

static void load_byte(uintptr_t address) { (void)*(const volatile uint8_t *)address; }
static bool firmware_reads(uintptr_t address) { return riscv_succeeds(load_byte, address); }

__attribute__((noinline)) static void expect(hart *hart, uintptr_t first, uintptr_t end,
                                             const char *rights) {
    const uintptr_t addresses[] = {first, first + (end - first) / 2, end - 2};
    for (size_t i = 0; i < 3; ++i) {
        CHECK(reads(hart, addresses[i]) == (rights[READ] == 'r'));
        CHECK(writes(hart, addresses[i]) == (rights[WRITE] == 'w'));
        CHECK(executes(hart, addresses[i] & -2ul) == (rights[EXECUTE] == 'x'));
        CHECK(reads(hart, addresses[i] + 1) == (rights[READ] == 'r'));
    }
}

static void look_at_map_in(firmware *f, hart *hart, uint64_t heap, uint64_t stack_pages) {
    enum { PAGE = RVL_PAGE_BYTES };
    launch launch = {
        .arena = heap + PAGE,
        .code = heap + 8 * PAGE,
        .kind = hart->arch.kind + 1,
        .data = heap + 10 * PAGE,
        .data_bytes = 2 * PAGE,
        .stack_bytes = (uint32_t)(stack_pages * PAGE),
        .command = {.record = heap + 9 * PAGE, .arena_pages = 4, .code_pages = 6},
    };
    const uintptr_t record = (uintptr_t)launch.command.record;
    const uintptr_t data = (uintptr_t)heap + 10 * PAGE, data_end = data + 2 * PAGE;
    const uint64_t end = f->hart_memory + (hart->index + 1) * f->hart_memory_bytes;
    launch_place(f, hart, &launch);
    (void)launch_make_frame(hart);
    protection_switch_to(f, hart, &launch);
    write_probes(hart, (uintptr_t)launch.code);
    expect(hart, (uintptr_t)heap, (uintptr_t)launch.arena, "---");
    expect(hart, (uintptr_t)launch.arena, (uintptr_t)launch.arena + 4 * PAGE, "rw-");
    expect(hart, (uintptr_t)launch.arena + 4 * PAGE, (uintptr_t)launch.code, "---");
    expect(hart, (uintptr_t)launch.code, record, "r-x");
    expect(hart, data, data_end, "rw-");
    expect(hart, data_end, (uintptr_t)launch.code + 6 * PAGE, "r-x");
    expect(hart, (uintptr_t)launch.code + 6 * PAGE, (uintptr_t)heap + 20 * PAGE, "---");
    expect(hart, (uintptr_t)hart->stack_limit, (uintptr_t)end, "rw-");
    if (end - hart->stack_limit < f->hart_memory_bytes)
        expect(hart, (uintptr_t)(end - f->hart_memory_bytes), (uintptr_t)hart->stack_limit, "---");
    expect(hart, (uintptr_t)end, (uintptr_t)end + PAGE, "---");
    CHECK(!reads(hart, BOARD_MAILBOX_BASE) && !reads(hart, (uintptr_t)riscv_firmware()));
    CHECK(!reads(hart, BOARD_UART_BASE) && !reads(hart, platform_timer_compare(0)));
    CHECK(!reads(hart, 0) && !reads(hart, -1ul));
    CHECK(reads(hart, record) && !writes(hart, record));
    CHECK(end - hart->stack_limit >= stack_pages * PAGE);
#ifdef BOARD_SUPERVISOR
    const uintptr_t tables = ((uintptr_t)firmware_end + PAGE - 1) & -(uintptr_t)PAGE;
    CHECK(!reads(hart, tables) && !writes(hart, tables));
#endif
}

static void look_at_map(firmware *f, hart *hart, uint64_t stack_pages) {
    look_at_map_in(f, hart, f->heap + hart->index * (32ull * RVL_PAGE_BYTES), stack_pages);
}

static void look_at_guard(void) {
    uintptr_t sp;
    __asm__("mv %0, sp" : "=r"(sp));
    const uintptr_t stack = (uintptr_t)hart_stacks;
    const uintptr_t guard = sp - (sp - stack) % HART_STACK_BYTES;
    CHECK(!firmware_reads(guard) && !firmware_reads(guard + HART_STACK_GUARD_BYTES - 1));
    CHECK(firmware_reads(guard + HART_STACK_GUARD_BYTES));
    CHECK(guard == stack || firmware_reads(guard - 1));
}

static void look_with_all(firmware *f, hart *hart) {
#ifndef BOARD_SUPERVISOR
    const uint32_t usable[] = {16, 13, 14};
    CHECK(hart->id > 2 || hart->arch.pmp_entries == usable[hart->id]);
#endif
    CHECK(hart->arch.pmp_entries >= 9 && !hart->arch.pmp_flaw && !hart->coarse_stack);
    for (uint64_t pages = 1; pages < 40; pages += 5) {
        look_at_map(f, hart, pages);
        CHECK(f->hart_memory + (hart->index + 1) * f->hart_memory_bytes - hart->stack_limit <=
              (pages + 2) * RVL_PAGE_BYTES);
    }
    look_at_guard();
}
static void all_entries(firmware *f) { target_on_all_harts(f, look_with_all); }

/* The same with regions at the heap's end, in the entries after the guard's. */
static void look_at_regions(firmware *f, hart *hart) {
    enum { PAGE = RVL_PAGE_BYTES, PAGES = 4 };
    const uint64_t second = f->second_heap + (1 + hart->index * (PAGES + 2ull)) * PAGE;
    launch launch = {
        .kind = hart->arch.kind + 1,
        .arena = f->heap,
        .code = f->heap + 8 * PAGE,
        .stack_bytes = PAGE,
        .local_bytes = 2 * PAGE,
        .command = {.record = f->heap + 9 * PAGE,
                    .arena_page = (uint32_t)(f->heap / PAGE),
                    .arena_pages = 4,
                    .code_pages = 2,
                    .second_page = (uint32_t)(second / PAGE),
                    .second_pages = PAGES},
    };
    launch_place(f, hart, &launch);
    rvl_hart_frame *frame = launch_make_frame(hart);
    protection_switch_to(f, hart, &launch);
    write_probes(hart, (uintptr_t)launch.code);
    const uint64_t local = f->scratchpad + hart->index * f->local_memory_bytes;
    CHECK(frame->local_memory == local);
    expect(hart, (uintptr_t)local, (uintptr_t)(local + f->local_memory_bytes), "rw-");
    expect(hart, (uintptr_t)(local + f->local_memory_bytes),
           (uintptr_t)(local + f->local_memory_bytes + PAGE), "---");
    expect(hart, (uintptr_t)(local - PAGE), (uintptr_t)local, "---");
    expect(hart, (uintptr_t)(second - PAGE), (uintptr_t)second, "---");
    expect(hart, (uintptr_t)second, (uintptr_t)(second + PAGES * PAGE), "rw-");
    expect(hart, (uintptr_t)(second + PAGES * PAGE), (uintptr_t)(second + (PAGES + 1) * PAGE),
           "---");
    launch.command.second_pages = 0; /* the next launch has none */
    ++launch.kind;
    launch_place(f, hart, &launch);
    (void)launch_make_frame(hart);
    protection_switch_to(f, hart, &launch);
    expect(hart, (uintptr_t)second, (uintptr_t)(second + PAGES * PAGE), "---");
    expect(hart, (uintptr_t)local, (uintptr_t)(local + f->local_memory_bytes), "rw-");
    look_at_map(f, hart, 3);
}
static void regions(firmware *f) {
    f->board_heap_bytes = f->heap_bytes;
    f->board_local_memory_bytes = f->local_memory_bytes;
    const uint64_t end = f->heap + f->heap_bytes;
    const rvl_boot host = {
        .protocol = RVL_PROTOCOL_VERSION,
        .second_heap_base = end - (2ull << 20),
        .second_heap_bytes = 1 << 20,
        .scratchpad_base = end - (1 << 20),
        .scratchpad_bytes = f->harts * (3ull * RVL_PAGE_BYTES),
    };
    regions_take(f, &host);
    CHECK(f->second_heap && f->scratchpad && f->local_memory_bytes == 3 * RVL_PAGE_BYTES);
    target_on_all_harts(f, look_at_regions);
    const rvl_boot none = {.protocol = RVL_PROTOCOL_VERSION};
    regions_take(f, &none);
    target_on_all_harts(f, look_with_all);
}

#ifdef BOARD_SUPERVISOR
/* Every other map is in memory that needs another table, so the hart's own are used up. */
static void look_after_rebuilding(firmware *f, hart *hart) {
    const uint64_t step = __riscv_xlen == 64 ? 2 << 20 : 4 << 20;
    const uint64_t end = f->heap + f->heap_bytes;
    uint32_t rebuilt = 0;
    for (uint64_t at = f->heap + hart->index * step; at + step <= end && rebuilt < 2;
         at += f->harts * step) {
        const uint32_t before = hart->arch.tables_used;
        look_at_map_in(f, hart, at, 3);
        rebuilt += hart->arch.tables_used < before;
    }
    CHECK(rebuilt > 0);
}
static void rebuilt_tables(firmware *f) { target_on_all_harts(f, look_after_rebuilding); }

const target_test protection_tests[] = {
    {"a launch can access exactly what it may, by page tables", all_entries},
    {"… and the regions that the host adds to the board's memory", regions},
    {"… when a hart's tables were used up and are built again", rebuilt_tables},
    {0},
};
#else
static void look_with_eight(firmware *f, hart *hart) {
    if (hart->index != f->harts - 1)
        return;
    hart->arch.pmp_entries = 8;
    hart->arch.has_rights = false;
    hart->coarse_stack = true;
    memset(hart->arch.pmp, 0, sizeof hart->arch.pmp);
    pmp_guard_stack(&hart->arch);
    for (uint64_t pages = 1; pages < 1000; pages = pages * 2 + 1)
        look_at_map(f, hart, pages);
    look_at_guard();
    /* The entry belongs to the guard; protection_switch_to must not use it. */
    CHECK((csr_read(pmpaddr7) & 0x1ff) == 0x1ff); /* 4 KiB, naturally aligned */
#if __riscv_xlen == 64
    CHECK(csr_read(pmpcfg0) >> 56 == 0x98); /* locked */
#else
    CHECK(csr_read(pmpcfg1) >> 24 == 0x98);
#endif
}
static void eight_entries(firmware *f) { target_on_all_harts(f, look_with_eight); }

/* The locked guard of our own stack, which survives a restart without a hart reset, does not
 * count as locked by a boot loader. The last hart also has one in entry 7, from its map of eight,
 * to which it then keeps. */
static void look_at_own_lock(firmware *f, hart *hart) {
    const char *flaw = protection_check(f, hart);
    CHECK(!flaw && hart->coarse_stack == (hart->index == f->harts - 1));
}
static void own_lock(firmware *f) { target_on_all_harts(f, look_at_own_lock); }

/* Other locked entries are detected: the same page with rights, or another page without. */
static void look_at_locked(firmware *f, hart *hart) {
    const uintptr_t guard = hart->id == 1 ? csr_read(pmpaddr10) : csr_read(pmpaddr8);
    const bool is_odd = hart->index % 2;
    csr_write(pmpaddr9, is_odd ? guard : (uintptr_t)f->hart_memory >> 2 | 0x1ff);
    csr_write(pmpcfg2, (is_odd ? 0x99ul : 0x98ul) << 8); /* R; none */
    const char *flaw = protection_check(f, hart);
    CHECK(flaw && strstr(flaw, "locked"));
}
static void locked_entries(firmware *f) { target_on_all_harts(f, look_at_locked); }

const target_test protection_tests[] = {
    {"a launch can access exactly what it may, with nine entries", all_entries},
    {"… and the regions that the host adds to the board's memory", regions},
    {"… with eight", eight_entries},
    {"a guard page locked by an earlier run does not count as locked", own_lock},
    {"locked entries are detected", locked_entries},
    {0},
};
#endif
