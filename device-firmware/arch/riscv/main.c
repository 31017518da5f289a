/* SPDX-License-Identifier: Apache-2.0
 *
 * The only instance of `firmware`, and the path that harts take from start.S to it. */
#include <stdio.h>
#include <string.h>

#include "board.h"
#include "build_id.h"
#include "device-firmware/arch/riscv/copy.h"
#include "device-firmware/arch/riscv/csr.h"
#include "device-firmware/arch/riscv/device_tree.h"
#include "device-firmware/arch/riscv/ipi.h"
#include "device-firmware/arch/riscv/riscv.h"
#include "device-firmware/arch/riscv/timer.h"
#ifdef BOARD_BOOT_BASE
#include "device-firmware/boot/memory.h"
#endif
#include "device-firmware/core/atomic.h"
#include "device-firmware/core/boot.h"
#include "device-firmware/core/log.h"
#include "device-firmware/core/work.h"
#include "device-firmware/drivers/platform.h"
#include "hal/protocol/boot_slot.h"

_Static_assert(RVL_PAGE_BYTES == 4096, "start.S has this number, too");
_Static_assert(BOARD_HART_MEMORY_BYTES % RVL_PAGE_BYTES == 0 &&
                   (BOARD_HART_MEMORY_BYTES & (BOARD_HART_MEMORY_BYTES - 1)) == 0 &&
                   BOARD_HARTS_BASE % BOARD_HART_MEMORY_BYTES == 0,
               "a hart's memory is one PMP entry: a naturally aligned power of two");
_Static_assert(sizeof(shared_memory) + sizeof(rvl_boot_report) <= BOARD_MAILBOX_BYTES,
               "mailbox and rings fit");

#ifndef BOARD_SECURITY_VERSION /* rivulet,security-version of /chosen */
#define BOARD_SECURITY_VERSION 0
#endif

/* Note read by loaders from the ELF file. ELF notes are padded to 4 bytes only. */
static const struct __attribute__((packed, aligned(4))) {
    uint32_t name_bytes, description_bytes, type;
    char name[8];
    rvl_firmware_note note;
} firmware_note __attribute__((section(".note.rivulet"), used)) = {
    .name_bytes = sizeof "Rivulet",
    .description_bytes = sizeof(rvl_firmware_note),
    .type = RVL_FIRMWARE_NOTE,
    .name = "Rivulet",
    .note = {.protocol = RVL_PROTOCOL_VERSION,
             .xlen = __riscv_xlen,
             .mailbox = BOARD_MAILBOX_BASE,
             .build_id = {RIVULET_BUILD_ID},
             .board = BOARD_NAME,
             .security_version = BOARD_SECURITY_VERSION,
             .local_memory_bytes = BOARD_LOCAL_MEMORY_BYTES,
             .scratchpad_pages = ARCH_SCRATCHPAD_BYTES / RVL_PAGE_BYTES},
};

static firmware the_firmware;

#ifndef BOARD_DEVICE_TREE /* rivulet,device-tree of /chosen */
#define BOARD_DEVICE_TREE DEVICE_TREE_OF_BOOT
#endif
enum { DEVICE_TREE_OF_BOOT = 0, DEVICE_TREE_OF_BOARD = 1, DEVICE_TREE_MERGED = 2 };

typedef struct reading {
    const void *address;
    device_tree *tree;
    bool good;
} reading;

static void read_tree(uintptr_t argument) {
    reading *r = (reading *)argument;
    r->good = device_tree_read(r->address, BOARD_FIRMWARE_BASE, r->tree);
}

/* Earlier boot stages may leave anything in a1; an unreadable address means there is no tree. */
static bool try_tree(const void *address, device_tree *tree) {
    reading r = {address, tree, false};
    return address && riscv_succeeds(read_tree, (uintptr_t)&r) && r.good;
}

/* Chooses the host's tree if there is one; otherwise, as the board specifies, the one passed in
 * a1 or the built-in one. */
static const void *read_device_tree(const void *given, device_tree *tree) {
    static device_tree of_board;
    const rvl_mailbox *mailbox = (const rvl_mailbox *)BOARD_MAILBOX_BASE;
    if (mailbox->boot.magic == RVL_MAILBOX_MAGIC) {
        const void *of_host = (const void *)(uintptr_t)mailbox->boot.device_tree;
        if (try_tree(of_host, tree))
            return of_host;
    }
    const bool takes = BOARD_DEVICE_TREE != DEVICE_TREE_OF_BOARD && try_tree(given, tree);
    if (given && !takes)
        console_print(CONSOLE_INFO, "a1 is 0x%lx: %s; the board's own device tree is taken",
                      (unsigned long)(uintptr_t)given,
                      BOARD_DEVICE_TREE == DEVICE_TREE_OF_BOARD ? "not looked at" : "no tree");
    if (!takes)
        return device_tree_read(riscv_board_tree, BOARD_FIRMWARE_BASE, tree) ? riscv_board_tree
                                                                             : NULL;
    if (BOARD_DEVICE_TREE == DEVICE_TREE_MERGED &&
        device_tree_read(riscv_board_tree, BOARD_FIRMWARE_BASE, &of_board))
        tree->cpus = of_board.cpus;
    return given;
}

#ifdef BOARD_HEAP_FIRST /* the harts' memory is tightly coupled, and sufficient for so many */
enum { MEMORIES = BOARD_HARTS_BYTES / BOARD_HART_MEMORY_BYTES };
#else
enum { MEMORIES = MAX_HARTS };
#endif
enum { MOST_HARTS = MEMORIES < MAX_HARTS ? MEMORIES : MAX_HARTS };

/* The board's boot hart is always hart 0, because doorbells go to it. The others follow in the
 * tree's order; hart ids may be arbitrary. */
static void take_harts(firmware *f, const device_tree *tree) {
    f->harts = 1;
    f->hart[0].id = BOARD_BOOT_HART;
    for (uint32_t i = 0; i < tree->cpus.harts; ++i)
        if (tree->cpus.hart_id[i] != BOARD_BOOT_HART && f->harts < MOST_HARTS)
            f->hart[f->harts++].id = tree->cpus.hart_id[i];
    for (uint32_t i = 0; i < f->harts; ++i) {
        f->hart[i].firmware = f;
        f->hart[i].index = i;
        f->hart[i].alarm = NEVER;
        riscv_take_registers(f, &f->hart[i]);
    }
}

/* Takes the largest unreserved piece of this range, in whole pages. */
static void take_heap(firmware *f, const device_tree *tree, uint64_t from, uint64_t end) {
    f->heap = from;
    f->heap_bytes = 0;
    while (from < end) {
        const device_tree_range *next = NULL;
        for (uint32_t i = 0; i < tree->reserved_ranges; ++i) {
            const device_tree_range *range = &tree->reserved[i];
            if (range->base + range->bytes > from && (!next || range->base < next->base))
                next = range;
        }
        uint64_t until = next && next->base < end ? next->base : end;
        until &= -(uint64_t)RVL_PAGE_BYTES;
        if (until > from && until - from > f->heap_bytes) {
            f->heap = from;
            f->heap_bytes = until - from;
        }
        if (!next)
            break;
        const uint64_t after =
            (next->base + next->bytes + RVL_PAGE_BYTES - 1) & -(uint64_t)RVL_PAGE_BYTES;
        if (after <= from)
            break; /* reaches the last address */
        from = after;
    }
}

/* The heap runs from the last hart's memory, or the firmware's if the harts' is not in RAM, to the
 * end of RAM, or to the device tree if that is near the end (QEMU). A tree further down has already
 * been read, so its memory is free. */
static void take_memory(firmware *f, const device_tree *tree, uint64_t tree_address) {
    uint64_t end = tree->memory_base + tree->memory_bytes;
    enum { NEAR_THE_END = 4 << 20 };
    if (tree_address < end && tree_address >= end - NEAR_THE_END)
        end = tree_address & -(uint64_t)RVL_PAGE_BYTES;
    f->code = BOARD_FIRMWARE_BASE;
    f->code_bytes = BOARD_FIRMWARE_BYTES;
#ifdef BOARD_BOOT_BASE
    f->boot = BOARD_BOOT_BASE;
    f->boot_bytes = BOARD_BOOT_BYTES;
    f->update = (rvl_update *)BOOT_UPDATE_BASE;
#endif
    f->hart_memory = BOARD_HARTS_BASE;
    f->hart_memory_bytes = BOARD_HART_MEMORY_BYTES;
    f->local_memory_bytes = BOARD_LOCAL_MEMORY_BYTES;
#ifdef BOARD_SUPERVISOR
    f->address_end = PAGED_END;
#endif
#ifdef BOARD_HEAP_FIRST
    take_heap(f, tree, BOARD_HEAP_FIRST, end);
    if (f->hart_memory >= f->heap && f->hart_memory < f->heap + f->heap_bytes)
        f->heap_bytes = f->hart_memory - f->heap; /* RAM in the eyes of the boot chain's tree */
#else
    take_heap(f, tree, f->hart_memory + f->harts * f->hart_memory_bytes, end);
#endif
}

extern const unit_driver *const units_start[], *const units_end[]; /* firmware.ld */

static void take_board(firmware *f, const void *given_tree) {
    static device_tree tree; /* the ISA string points into it, so it must live as long as the
                              * firmware */
    const void *address = read_device_tree(given_tree, &tree);
    f->shared = (shared_memory *)BOARD_MAILBOX_BASE;
    f->shared_bytes = BOARD_MAILBOX_BYTES;
    f->board = BOARD_NAME;
    f->isa = *tree.cpus.isa ? tree.cpus.isa : BOARD_ISA;
    f->core = *tree.cpus.core ? tree.cpus.core : BOARD_CORE;
    f->kernel_key = riscv_kernel_key();
    f->build = RIVULET_BUILD_VERSION;
    memcpy(f->build_id, firmware_note.note.build_id, sizeof f->build_id);
    f->timebase = tree.cpus.timebase ? tree.cpus.timebase : BOARD_TIMEBASE;
    f->cache_block = tree.cpus.cache_block ? tree.cpus.cache_block : BOARD_CACHE_BLOCK;
    if (!f->cache_block)
        f->cache_block = RVL_CACHE_BLOCK;
    f->has_cache_operations = riscv_has_cache_operations(f->isa);
    f->units = units_start;
    f->unit_count = (uint32_t)(units_end - units_start);
    take_harts(f, &tree);
    if (tree.cpus.isa_differs) {
        f->difference = "has another ISA in the device tree than the first one; kernels are built "
                        "for all harts alike";
        f->different_hart = tree.cpus.differing_hart_id;
    }
    f->preempts = true;
    take_memory(f, &tree, (uintptr_t)address);
}

firmware *riscv_firmware(void) { return &the_firmware; }

/* Boot progress of the boot hart. In .data, so that it is valid before any code runs: other
 * harts read it while .bss is still being cleared. An interrupt alone proves nothing, because
 * one may be pending from before the reset. */
enum { STAGE_LEFT = 1, STAGE_CHECK = 2, STAGE_WORK = 3 };
static uint32_t boot_stage __attribute__((section(".data"))) = 0;
static uint32_t boot_taken; /* after STAGE_LEFT: claimed by the hart that boots */

static void enter_stage(firmware *f, uint32_t stage) {
    store_release(&boot_stage, stage); /* order: stage.enter */
    riscv_wake_other_harts(f);
}

static void wait_for_stage(uint32_t hart_id, const ipi_route *own, uint32_t stage) {
    const ipi_route senders = ipi_route_by_tree(hart_id); /* the route that others use */
    csr_write(XIE, ipi_enable_bits(own));
    while (load_acquire(&boot_stage) < stage) { /* order: stage.seen */
        ipi_clear(own);
        fence_all();                            /* order: stage.sleep */
        if (load_acquire(&boot_stage) >= stage) /* order: stage.last_look */
            break;
        if (ipi_is_there(own) && ipi_same_route(own, &senders))
            __asm__ volatile("wfi" ::: "memory");
        else
            arch_pause(); /* no hart could wake this one */
    }
}

static void check_hart(firmware *f, hart *hart) {
    hart->arch.pmp_flaw = protection_check(f, hart);
    hart->arch.misa = riscv_isa_register();
    hart->arch.vector_bytes = riscv_vector_bytes();
    hart->arch.missing = riscv_missing_extensions();
    hart->arch.has_user_mode = riscv_has_user_mode(hart);
    if (!hart->arch.pmp_flaw && !riscv_is_fenced(hart))
        hart->arch.pmp_flaw = "nothing holds U mode back from the firmware's memory";
    store_release(&hart->arch.checked, 1);
}

static bool all_are_checked(const firmware *f) {
    uint32_t i = 0;
    while (i < f->harts && load_acquire(&f->hart[i].arch.checked))
        ++i;
    return i == f->harts;
}

/* Waits for the other harts. One that does not arrive will not get work either. */
static void wait_for_checks(firmware *f) {
    const uint64_t end = arch_time(f) + 2 * f->timebase;
    while (!all_are_checked(f) && arch_time(f) < end)
        arch_pause();
    for (uint32_t i = 0; i < f->harts; ++i) {
        f->hart[i].arch.came_in_time = load_acquire(&f->hart[i].arch.checked);
        if (!f->hart[i].arch.came_in_time) {
            console_print(CONSOLE_ERROR, "hart %u of the device tree has not come within 2 s",
                          (unsigned)f->hart[i].id);
            continue;
        }
        f->arch.missing |= f->hart[i].arch.missing;
        /* Here, because a hart that comes late must not change what the others do: with 0 entries,
         * kernels are not fenced. */
        if (f->hart[i].arch.pmp_entries < f->pmp_entries)
            f->pmp_entries = f->hart[i].arch.pmp_entries;
        if (!f->flaw) {
            f->flaw = f->hart[i].arch.pmp_flaw;
            f->flawed_hart = i;
        }
    }
    if (f->flaw) {
        f->pmp_entries = 0;
        console_print(CONSOLE_ERROR, "hart %u can't fence kernels: %s",
                      (unsigned)f->hart[f->flawed_hart].id, f->flaw);
    }
}

/* Returns why a hart can't work together with the others, or NULL if it can. */
static const char *difference_of(const firmware *f, const hart *hart) {
    const arch_hart *first = &f->hart[0].arch, *own = &hart->arch;
    if (!ipi_is_there(&own->route))
        return "can't be interrupted: no register of a CLINT or MSWI in the tree is its own, and "
               "no page of an IMSIC";
    if (own->pmp_lockdown)
        return "can't run kernels, because earlier software has set mseccfg.MML or locked the PMP "
               "entries that they need";
    if (!own->has_user_mode)
        return "has no U mode, which kernels run in";
    if (own->misa != first->misa)
        return "has other extensions in misa than hart 0; kernels are built for all harts alike";
    if (own->vector_bytes != first->vector_bytes)
        return "has another VLEN than hart 0; kernels are built for all harts alike";
    return NULL;
}

static void compare_harts(firmware *f) {
    if (!f->hart[0].arch.came_in_time) {
        f->difference = "did not start, and doorbells come to it";
        f->different_hart = f->hart[0].id;
    }
    for (uint32_t i = 0; i < f->harts && !f->difference; ++i)
        if (f->hart[i].arch.came_in_time) {
            f->difference = difference_of(f, &f->hart[i]);
            f->different_hart = f->hart[i].id;
        }
}

/* For a hart that arrives after the others have started: the hello and loaded kernels can no
 * longer be adapted to it. */
static const char *flaw_of_late(const firmware *f, const hart *hart) {
    const char *flaw = difference_of(f, hart);
    if (!flaw && hart->arch.missing & ~f->arch.missing)
        flaw = "lacks extensions that the others have";
    if (!flaw && f->pmp_entries)
        flaw = hart->arch.pmp_flaw;
    if (!flaw && hart->arch.pmp_entries < f->pmp_entries)
        flaw = "has fewer PMP entries than the others";
    return flaw;
}

/* Kernels are compiled for the ISA string, so it must not name anything that traps in U mode. */
static void check_isa(firmware *f, hart *hart) {
    static char isa[sizeof f->shared->mailbox.hello.isa];
    if (strlen(f->isa) >= sizeof isa)
        return;
    strcpy(isa, f->isa);
    char dropped[120];
    riscv_drop_missing(isa, f->arch.missing, f->vlen, dropped, sizeof dropped);
    if (*dropped)
        console_print(CONSOLE_ERROR, "harts lack what the device tree says of them:%s", dropped);
    if (!riscv_kernels_may_zero_blocks(hart))
        riscv_drop_extension(isa, "zicboz");
    if (!riscv_kernels_may_clean_blocks(hart))
        riscv_drop_extension(isa, "zicbom");
    copy_add_extension(isa, sizeof isa);
    f->isa = isa;
}

static hart *find_hart(firmware *f, uint32_t hart_id) {
    for (uint32_t i = 0; i < f->harts; ++i)
        if (f->hart[i].id == hart_id)
            return &f->hart[i];
    return NULL;
}

/* Done by the boot hart on behalf of all harts, before any of them is checked. */
static void start_board(firmware *f, hart *hart) {
    riscv_prepare_user_mode();
    probe_fp_vector(f);
    riscv_start_doorbell(f);
    riscv_start_interrupts(f, hart);
    f->pmp_entries = UINT32_MAX;
    copy_start();
    static char flaw[STOP_TEXT_BYTES];
    if (!riscv_stop_devices(f, flaw)) {
        f->difference = flaw;
        f->different_hart = hart->id;
    }
}

_Noreturn static void boot(firmware *f, hart *hart, const ipi_route *own) {
    riscv_use_route(hart, own);
    start_board(f, hart);
    check_hart(f, hart);
    enter_stage(f, STAGE_CHECK);
    wait_for_checks(f);
    f->arch.has_double = !riscv_has_extension(f->arch.missing, "d");
    compare_harts(f);
    riscv_measure_overhead(f, hart);
    check_isa(f, hart);
    if (!firmware_boot(f))
        riscv_park();
    riscv_report_health(f);
    enter_stage(f, STAGE_WORK);
    riscv_start_watchdog(f);
    firmware_work(f, hart);
    riscv_park();
}

/* The first hart to arrive may be absent from the device tree (e.g. a small management core).
 * Then the next hart that is in the tree boots instead. */
_Noreturn static void leave_boot(firmware *f, uint32_t hart_id) {
    console_print(CONSOLE_INFO, "hart %u is not in the device tree: another one boots",
                  (unsigned)hart_id);
    enter_stage(f, STAGE_LEFT);
    const uint64_t end = arch_time(f) + 2 * f->timebase;
    while (!load_acquire(&boot_taken) && arch_time(f) < end)
        arch_pause();
    if (!load_acquire(&boot_taken))
        console_print(CONSOLE_ERROR, "no hart of the device tree has come within 2 s");
    riscv_park();
}

_Noreturn void riscv_boot_hart_main(uint32_t hart_id, const void *given_tree);
_Noreturn void riscv_boot_hart_main(uint32_t hart_id, const void *given_tree) {
    firmware *f = &the_firmware;
    platform_hart_init();
    platform_early_init();
    console_start();
    console_print(CONSOLE_INFO, "rivulet firmware for " BOARD_NAME ", hart %u", (unsigned)hart_id);
    riscv_sanitise_hart();
    const ipi_route own = ipi_own_route(hart_id);
    take_board(f, given_tree);
    timer_start(f);
    riscv_start_other_harts(f);
    hart *hart = find_hart(f, hart_id);
    if (!hart)
        leave_boot(f, hart_id);
    boot(f, hart, &own);
}

/* Entry of every hart except the boot hart; returns once the hart may work. A hart that the
 * board does not list is parked. Until the boot hart has reached a stage, only boot_stage may be
 * accessed. */
static hart *start_other_hart(uint32_t hart_id) {
    platform_hart_init();
    riscv_sanitise_hart();
    const ipi_route own = ipi_own_route(hart_id);
    wait_for_stage(hart_id, &own, STAGE_LEFT);
    firmware *f = &the_firmware;
    hart *hart = find_hart(f, hart_id);
    if (!hart)
        riscv_park();
    if (load_acquire(&boot_stage) == STAGE_LEFT &&
        !__atomic_exchange_n(&boot_taken, 1, __ATOMIC_ACQ_REL))
        boot(f, hart, &own);
    wait_for_stage(hart_id, &own, STAGE_CHECK);
    riscv_use_route(hart, &own);
    check_hart(f, hart);
    wait_for_stage(hart_id, &own, STAGE_WORK);
    const char *flaw = flaw_of_late(f, hart);
    if (flaw) {
        firmware_log(f, hart->index, "hart %u came late and does no work: it %s", (unsigned)hart_id,
                     flaw);
        riscv_park();
    }
    riscv_prepare_user_mode();
    riscv_start_interrupts(f, hart);
    return hart;
}

_Noreturn void riscv_other_hart_main(uint32_t hart_id);
_Noreturn void riscv_other_hart_main(uint32_t hart_id) {
    hart *hart = start_other_hart(hart_id);
    firmware_work(hart->firmware, hart);
    riscv_park();
}

void arch_log(firmware *f, const char *line) {
    (void)f;
    console_write(CONSOLE_INFO, line);
}
