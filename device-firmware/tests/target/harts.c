/* SPDX-License-Identifier: Apache-2.0
 *
 * Several harts at once: atomics, the lock, messages, interrupts, timers, instruction fetch
 * after code writes. */
#include <string.h>

#include "device-firmware/drivers/drivers.h"
#include "device-firmware/tests/target/target.h"

enum { ROUNDS = 20000, LOCK_ROUNDS = 40, MESSAGES = 5000 };

static uint32_t counter;
static volatile uint64_t plain[2];
static arch_lock lock;

static void add(firmware *f, hart *hart) {
    (void)f, (void)hart;
    for (uint32_t i = 0; i < ROUNDS; ++i)
        __atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
}
static void atomics(firmware *f) {
    counter = 0;
    target_on_all_harts(f, add);
    CHECK(counter == f->harts * ROUNDS);
}

static void add_under_lock(firmware *f, hart *hart) {
    (void)hart;
    for (uint32_t i = 0; i < LOCK_ROUNDS; ++i) {
        arch_lock_take(&lock);
        ++plain[0];
        /* Long enough for other harts to get a processor of the host. */
        for (uint64_t end = arch_time(f) + f->timebase / 1000; arch_time(f) < end;)
            arch_pause();
        ++plain[1];
        CHECK(plain[0] == plain[1]);
        arch_lock_release(&lock);
    }
}
static void locks(firmware *f) {
    plain[0] = plain[1] = 0;
    target_on_all_harts(f, add_under_lock);
    CHECK(plain[0] == f->harts * (uint64_t)LOCK_ROUNDS && lock.taken == 0);
}

/* Hart 0 writes, hart 1 reads and answers. */
static struct {
    uint32_t data, padding1[31], sent, padding2[31], seen;
} box;
static void pass_messages(firmware *f, hart *hart) {
    (void)f;
    for (uint32_t i = 1; i <= MESSAGES && hart->index < 2; ++i) {
        if (hart->index == 0) {
            box.data = i * 3;
            store_release(&box.sent, i);
            while (load_acquire(&box.seen) != i)
                arch_pause();
        } else {
            while (load_acquire(&box.sent) != i)
                arch_pause();
            CHECK(box.data == i * 3);
            store_release(&box.seen, i);
        }
    }
}
static void messages(firmware *f) {
    memset(&box, 0, sizeof box);
    target_on_all_harts(f, pass_messages);
    CHECK(box.seen == MESSAGES);
}

static uint32_t woken; /* atomic */
static void sleep_once(firmware *f, hart *hart) {
    if (hart->index == 0) {
        for (uint32_t i = 1; i < f->harts; ++i)
            while (!(load_acquire(&woken) >> i & 1)) {
                arch_interrupt(f, &f->hart[i]);
                arch_pause();
            }
        return;
    }
    ipi_clear(&hart->arch.route); /* the job's own interrupt, if it arrived late */
    while (!ipi_is_pending(&hart->arch.route))
        __asm__ volatile("wfi" ::: "memory");
    __atomic_fetch_or(&woken, 1u << hart->index, __ATOMIC_RELEASE);
    arch_acknowledge_interrupts(f, hart);
}
static void interrupts(firmware *f) {
    woken = 0;
    target_on_all_harts(f, sleep_once);
    CHECK(woken == (1u << f->harts) - 2);
}

static bool timer_is_pending(const firmware *f) { return csr_read(XIP) & timer_enable_bits(f); }
/* Each hart's own alarm, at a different time. */
static void await_alarm(firmware *f, hart *hart) {
    const uint64_t now = arch_time(f);
    const uint64_t at = now + f->timebase / 1000 * (1 + hart->index);
    CHECK(!timer_is_pending(f));
    arch_set_alarm(f, hart, at);
    while (!timer_is_pending(f))
        __asm__ volatile("wfi" ::: "memory");
    CHECK(arch_time(f) >= at);
    arch_set_alarm(f, hart, NEVER);
    for (uint64_t end = arch_time(f) + f->timebase / 10000; arch_time(f) < end;)
        ;
    CHECK(!timer_is_pending(f));
}
static void timers(firmware *f) { target_on_all_harts(f, await_alarm); }

static void look_at_clock(firmware *f, hart *hart) {
    (void)hart;
    uint64_t last = arch_time(f);
    for (uint32_t i = 0; i < 2000; ++i) {
        const uint64_t now = arch_time(f);
        CHECK(now >= last);
        last = now;
    }
}
static void clocks(firmware *f) { target_on_all_harts(f, look_at_clock); }

static uint32_t code[2];
static void call_code(firmware *f, hart *hart) {
    (void)hart;
    arch_icache_sync(f);
    const uintptr_t got = ((uintptr_t (*)(void))code)();
    CHECK(got == code[0] >> 20);
}
static void fetches(firmware *f) {
    for (uint32_t value = 1; value < 50; ++value) {
        code[0] = value << 20 | 0x513; /* li a0, value */
        code[1] = 0x8067;              /* ret          */
        target_on_all_harts(f, call_code);
    }
}

/* The UART loops back: each byte has to arrive through the board's interrupt controller, and its
 * interrupt must end with the acknowledgement. With the FIFO on, its timeout may come between
 * claim and read if the processor is busy elsewhere for 4 ms; QEMU's PLIC and its APLIC in MSI
 * mode count that as another interrupt, for which a second acknowledgement finds no byte. */
static void take_bytes(firmware *f, hart *hart) {
    enum { FCR = 2, MCR = 4, MCR_LOOP = 1 << 4, LSR = 5, LSR_ALL_SENT = 1 << 6, THR = 0 };
    enum { BYTES = 20 };
    if (hart->index != 0)
        return;
    const uintptr_t uart = board_devices[board_console].base[0];
    while (!(mmio_read8(uart + LSR) & LSR_ALL_SENT)) /* what the console said goes outside */
        arch_pause();
    arch_acknowledge_interrupts(f, hart);
    mmio_write8(uart + MCR, MCR_LOOP);
    uint32_t came = 0, too_often = 0; /* told when the console speaks again */
    for (uint8_t fifo = 0; fifo <= 1; ++fifo) {
        mmio_write8(uart + FCR, fifo);
        for (uint32_t i = 0; i < BYTES; ++i) {
            too_often += (csr_read(XIP) & XIP_EXTERNAL) != 0;
            mmio_write8(uart + THR, 'x');
            const uint64_t end = arch_time(f) + 20 * f->timebase;
            while (!(csr_read(XIP) & XIP_EXTERNAL) && arch_time(f) < end)
                arch_pause();
            came += (csr_read(XIP) & XIP_EXTERNAL) != 0;
            arch_acknowledge_interrupts(f, hart);
            if (fifo)
                arch_acknowledge_interrupts(f, hart);
        }
    }
    mmio_write8(uart + MCR, 0);
    CHECK(came == 2 * BYTES);
    CHECK(too_often == 0);
}
static void bytes_interrupt(firmware *f) {
    CHECK(strcmp(f->arch.doorbell->name, "wired") == 0);
    target_on_all_harts(f, take_bytes);
}

/* An access to a CSR that does not exist is detected, and the trap vector is restored. */
static void registers(firmware *f) {
#ifdef BOARD_SUPERVISOR
    enum { SCRATCH = 0x140 };
#else
    enum { SCRATCH = 0x340 };
    CHECK((csr_read(mstatus) & MSTATUS_TW) != 0);
#endif
    (void)f;
    uintptr_t value = 1;
    const uintptr_t vector = csr_read(XTVEC);
    CHECK(!csr_try_read(0x8ff, &value) && value == 0);
    CHECK(!csr_try_write(0x8ff, 1));
    CHECK(csr_try_write(SCRATCH, 0x123) && csr_try_read(SCRATCH, &value) && value == 0x123);
    csr_write(XSCRATCH, 0); /* which says that no kernel runs */
    CHECK(csr_read(XTVEC) == vector);
}

const target_test hart_tests[] = {
    {"atomic additions of all harts", atomics},
    {"the lock excludes", locks},
    {"what was written before a release is seen after the acquire", messages},
    {"harts wake each other", interrupts},
    {"alarms come in time and can be cancelled", timers},
    {"the clock never runs backwards", clocks},
    {"every hart fetches new code", fetches},
    {"bytes from outside interrupt hart 0", bytes_interrupt},
    {"control registers that don't exist", registers},
    {0},
};
