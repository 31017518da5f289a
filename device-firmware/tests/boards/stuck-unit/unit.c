/* SPDX-License-Identifier: Apache-2.0
 *
 * A unit with a flaw, whose functions never end and tell *argument that they have begun:
 *
 *   0  can be stopped
 *   1  can't be stopped
 *   2  fails and can't be stopped
 *   3  can't be stopped, because its registers can't be accessed any more
 *   4  can't be stopped, and the clock stands still from now on
 *   5  the clock can't be read from now on
 *   6  begins only after it was told to stop, and adds 1 to *argument then and when it stops
 *   7  from now on, interrupts can't be sent to other harts
 *   8  can't be stopped; when failed firmware tells it to, it waits for a non-maskable interrupt
 *      of the hart that it adds to *argument, plus 1 */
#include "device-firmware/arch/riscv/riscv.h"
#include "device-firmware/core/unit_driver.h"
#include "device-firmware/drivers/mmio.h"

enum function {
    OBEDIENT,
    STUCK,
    FAILING,
    DEAD,
    STOPS_CLOCK,
    KILLS_CLOCK,
    LATE,
    KILLS_INTERRUPTS,
    INTERRUPTED
};

enum { NOTHING = 0x10200000 }; /* no device answers there */

static bool is_stuck, is_dead;
static volatile bool was_told;
static volatile uint32_t *late, *interrupted;

static void put_clock_at(uintptr_t address) {
    firmware *f = riscv_firmware();
    f->arch.has_time_csr = false;
    f->arch.time_register = address;
}

static void kill_interrupts(void) {
    firmware *f = riscv_firmware();
    for (uint32_t i = 0; i < f->harts; ++i)
        f->hart[i].arch.route.address = NOTHING;
}

static unit_state begin(unit_job *job) {
    static uint64_t stopped_clock;
    volatile uint32_t *begun =
        unit_memory(job, job->argument[0], sizeof(uint32_t), RVL_FAULT_STORE);
    if (!begun)
        return UNIT_FAILED;
    const enum function function = (enum function)job->function;
    is_stuck = function == STUCK || function == FAILING || function == STOPS_CLOCK ||
               function == INTERRUPTED;
    is_dead = function == DEAD;
    was_told = false;
    if (function == STOPS_CLOCK) {
        stopped_clock = arch_time(riscv_firmware());
        put_clock_at((uintptr_t)&stopped_clock);
    }
    if (function == KILLS_CLOCK)
        put_clock_at(NOTHING);
    if (function == KILLS_INTERRUPTS)
        kill_interrupts();
    *begun = 1;
    interrupted = function == INTERRUPTED ? begun : NULL;
    while (function == LATE && !was_told)
        continue;
    if (function == LATE) {
        *begun += 1;
        late = begun;
    }
    return UNIT_BUSY;
}

static unit_state step(unit_job *job) { return job->function == FAILING ? UNIT_FAILED : UNIT_BUSY; }

/* A hart that has not failed may tell the unit to stop, too. The stack for failures is behind those
 * of the harts. */
static void wait_if_failed(void) {
    volatile uint32_t *told = interrupted;
    const uintptr_t into = (uintptr_t)&told - (uintptr_t)hart_stacks;
    if (!told || into < MAX_HARTS * HART_STACK_BYTES)
        return;
    interrupted = NULL;
    *told += 1 + riscv_hart_id();
    for (;;)
        arch_pause();
}

static bool stop(unit_job *job) {
    (void)job;
    was_told = true;
    if (is_dead)
        (void)mmio_read32(NOTHING);
    wait_if_failed();
    if (late)
        *late += 1;
    late = NULL;
    return !is_stuck;
}

static const unit_driver stuck_unit = {0x4b435453, begin, step, stop}; /* "STCK" */
RIVULET_UNIT(stuck_unit);
