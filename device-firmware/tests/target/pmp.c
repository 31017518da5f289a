/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests what U mode can access under a launch's entries, at every boundary, for harts with nine
 * entries and, on the last hart, for the map of harts with eight. */
#include <string.h>

#include "board.h"
#include "device-firmware/core/launch.h"
#include "device-firmware/core/regions.h"
#include "device-firmware/drivers/platform.h"
#include "device-firmware/tests/target/target.h"

enum { READ, WRITE, EXECUTE };

/* Accesses memory from M mode with the rights of mstatus.MPP. False if it traps. */
#define PROBE(instruction, with_rights_of_user)                                                    \
    ({                                                                                             \
        uintptr_t went_ = 0, vector_, bits_ = (with_rights_of_user) ? 1ul << 17 : 0;               \
        csr_clear(XSTATUS, XSTATUS_XPP);                                                           \
        __asm__ volatile("la %1, 1f\n"                                                             \
                         "csrrw %1, mtvec, %1\n"                                                   \
                         "csrs mstatus, %2\n" instruction "\n"                                     \
                         "li %0, 1\n"                                                              \
                         ".balign 4\n"                                                             \
                         "1: csrc mstatus, %2\n"                                                   \
                         "csrw mtvec, %1\n"                                                        \
                         : "+&r"(went_), "=&r"(vector_)                                            \
                         : "r"(bits_), "r"(address)                                                \
                         : "t0", "memory");                                                        \
        went_ != 0;                                                                                \
    })

static bool reads(uintptr_t address) { return PROBE("lb t0, 0(%3)", true); }
static bool writes(uintptr_t address) {
    return PROBE("lb t0, 0(%3)", false) && PROBE("sb t0, 0(%3)", true);
}
static bool machine_reads(uintptr_t address) { return PROBE("lb t0, 0(%3)", false); }

/* Executes a two-byte instruction in U mode at that address. An ecall is too long for the last
 * bytes of a page, so it is c.ebreak. */
static bool executes(hart *hart, uintptr_t address) {
    enum { BREAKPOINT = 3 };
    *(volatile uint16_t *)address = 0x9002;
    arch_icache_sync(hart->firmware);
    for (;;) {
        csr_clear(XSTATUS, XSTATUS_XPP);
        user_begin(&hart->arch, address, 0, (uintptr_t[]){0, 0, 0});
        if (!(csr_read(XCAUSE) & CAUSE_INTERRUPT))
            return csr_read(XCAUSE) == BREAKPOINT;
        arch_acknowledge_interrupts(hart->firmware, hart); /* it was told of this job late */
    }
}

static void expect(hart *hart, uintptr_t first, uintptr_t end, const char *rights) {
    const uintptr_t addresses[] = {first, first + (end - first) / 2, end - 2};
    for (size_t i = 0; i < 3; ++i) {
        CHECK(reads(addresses[i]) == (rights[READ] == 'r'));
        CHECK(writes(addresses[i]) == (rights[WRITE] == 'w'));
        CHECK(executes(hart, addresses[i] & -2ul) == (rights[EXECUTE] == 'x'));
        CHECK(reads(addresses[i] + 1) == (rights[READ] == 'r'));
    }
}

static void look_at_map(firmware *f, hart *hart, uint64_t stack_pages) {
    const uint64_t heap = f->heap + hart->index * (32ull * RVL_PAGE_BYTES);
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
    CHECK(!reads(BOARD_MAILBOX_BASE) && !reads((uintptr_t)riscv_firmware()));
    CHECK(!reads(BOARD_UART_BASE) && !reads(platform_timer_compare(0)) && !reads(0));
    CHECK(reads(record) && !writes(record));
    CHECK(end - hart->stack_limit >= stack_pages * PAGE);
}

static void look_at_guard(void) {
    uintptr_t sp;
    __asm__("mv %0, sp" : "=r"(sp));
    const uintptr_t stack = (uintptr_t)hart_stacks;
    const uintptr_t guard = sp - (sp - stack) % HART_STACK_BYTES;
    CHECK(!machine_reads(guard) && !machine_reads(guard + HART_STACK_GUARD_BYTES - 1));
    CHECK(machine_reads(guard + HART_STACK_GUARD_BYTES));
    CHECK(guard == stack || machine_reads(guard - 1));
}

static void look_with_nine(firmware *f, hart *hart) {
    const uint32_t usable[] = {16, 13, 14};
    CHECK(hart->id > 2 || hart->arch.pmp_entries == usable[hart->id]);
    CHECK(hart->arch.pmp_entries >= 9 && !hart->arch.pmp_flaw && !hart->coarse_stack);
    for (uint64_t pages = 1; pages < 40; pages += 5) {
        look_at_map(f, hart, pages);
        CHECK(f->hart_memory + (hart->index + 1) * f->hart_memory_bytes - hart->stack_limit <=
              (pages + 2) * RVL_PAGE_BYTES);
    }
    look_at_guard();
}
static void nine_entries(firmware *f) { target_on_all_harts(f, look_with_nine); }

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
    target_on_all_harts(f, look_with_nine);
}

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

const target_test pmp_tests[] = {
    {"a launch can access exactly what it may, with nine entries", nine_entries},
    {"… and the regions that the host adds to the board's memory", regions},
    {"… with eight", eight_entries},
    {"a guard page locked by an earlier run does not count as locked", own_lock},
    {"locked entries are detected", locked_entries},
    {0},
};
