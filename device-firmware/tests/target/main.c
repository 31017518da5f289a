/* SPDX-License-Identifier: Apache-2.0
 *
 * Boots like the firmware, from its own source, then runs tests. */
#include <stdarg.h>

#define riscv_boot_hart_main unused_boot_hart_main
#define riscv_other_hart_main unused_other_hart_main
#include "device-firmware/arch/riscv/main.c" /* NOLINT: its static functions are what is run */
#undef riscv_boot_hart_main
#undef riscv_other_hart_main

#include "device-firmware/core/boot.h"
#include "device-firmware/tests/target/target.h"

enum { FINISHER = 0x100000, FINISHER_FAIL = 1 << 16 | 0x3333, FINISHER_PASS = 0x5555 };

#ifndef BOARD_SUPERVISOR
/* Harts 1 and 2 come with PMP entries that earlier software has locked: two in front of the
 * firmware's, and one behind them that opens everything. */
static void lock_entries(void) {
    const uintptr_t somewhere = 0x1000 >> 2 | 0x1ff, id = csr_read(mhartid);
    if (id == 1) {
        csr_write(pmpaddr0, somewhere);
        csr_write(pmpaddr1, somewhere);
        csr_write(pmpcfg0, 0x9898);
    } else if (id == 2) {
        csr_write(pmpaddr15, -1ul);
#if __riscv_xlen == 64
        csr_write(pmpcfg2, 0x9ful << 56);
#else
        csr_write(pmpcfg3, 0x9ful << 24);
#endif
    }
}
RIVULET_PLATFORM(of_tests) = {.compatible = "riscv-virtio", .hart_init = lock_entries};
#endif

const void *target_given_tree;
static uint32_t failures; /* atomic */
static void (*the_job)(firmware *, hart *);
static uint32_t job_number, harts_begun, harts_done; /* atomic */

void target_fail(const char *file, int line, const char *what) {
    if (__atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED) < 20)
        console_print(CONSOLE_ERROR, "# %s:%d: %s", file, line, what);
}

hart *target_hart(firmware *f) { return find_hart(f, riscv_hart_id()); }

/* Waits for all harts: otherwise the first might finish before the last one wakes. */
static void begin_together(const firmware *f) {
    __atomic_fetch_add(&harts_begun, 1, __ATOMIC_ACQ_REL);
    while (load_acquire(&harts_begun) < f->harts)
        arch_pause();
}

void target_on_all_harts(firmware *f, void (*job)(firmware *, hart *)) {
    the_job = job;
    store_relaxed(&harts_begun, 0);
    store_release(&harts_done, 0);
    __atomic_fetch_add(&job_number, 1, __ATOMIC_RELEASE);
    riscv_wake_other_harts(f);
    begin_together(f);
    job(f, target_hart(f));
    while (load_acquire(&harts_done) < f->harts - 1)
        arch_pause();
}

static void run(firmware *f, const target_test *tests, unsigned *number, unsigned *failed) {
    for (; tests->name; ++tests) {
        store_relaxed(&failures, 0);
        tests->run(f);
        const bool well = load_acquire(&failures) == 0;
        *failed += !well;
        console_print(CONSOLE_ERROR, "%s %u - %s", well ? "ok" : "not ok", ++*number, tests->name);
    }
}

_Noreturn void riscv_boot_hart_main(uint32_t hart_id, const void *given_tree);
_Noreturn void riscv_boot_hart_main(uint32_t hart_id, const void *given_tree) {
    firmware *f = &the_firmware;
    target_given_tree = given_tree;
    platform_hart_init();
    console_start();
    riscv_sanitise_hart();
    const ipi_route own = ipi_own_route(hart_id);
    take_board(f, given_tree);
    timer_start(f);
    riscv_start_other_harts(f);
    hart *hart = find_hart(f, hart_id);
    riscv_use_route(hart, &own);
    start_board(f, hart);
    check_hart(f, hart);
    enter_stage(f, STAGE_CHECK);
    while (!all_are_checked(f)) /* however busy the machine is */
        arch_pause();
    wait_for_checks(f);
    compare_harts(f);
    riscv_measure_overhead(f, hart);
    const bool booted = firmware_boot(f);
    enter_stage(f, STAGE_WORK);

    console_print(CONSOLE_ERROR, "TAP version 14");
    unsigned number = 0, failed = !booted;
    run(f, memory_tests, &number, &failed);
    run(f, tree_tests, &number, &failed);
    run(f, hart_tests, &number, &failed);
    run(f, ring_tests, &number, &failed);
    run(f, protection_tests, &number, &failed); /* last: PMP's lock entries */
    console_print(CONSOLE_ERROR, "1..%u", number);
    mmio_write32(FINISHER, failed ? FINISHER_FAIL : FINISHER_PASS);
    riscv_park();
}

_Noreturn void riscv_other_hart_main(uint32_t hart_id);
_Noreturn void riscv_other_hart_main(uint32_t hart_id) {
    hart *hart = start_other_hart(hart_id);
    firmware *f = hart->firmware;
    for (uint32_t done = 0;;) {
        while (load_acquire(&job_number) == done)
            arch_wait(f, hart);
        ++done;
        begin_together(f);
        the_job(f, hart);
        __atomic_fetch_add(&harts_done, 1, __ATOMIC_RELEASE);
    }
}
