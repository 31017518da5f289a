/* SPDX-License-Identifier: Apache-2.0
 *
 * Samples of kernel pcs, for profiles. A hart's sampling clock runs only while it is in
 * launches, and continues where it stopped, so kernels shorter than the period are sampled in
 * proportion to their run time. */
#include "device-firmware/core/sample.h"

#include "device-firmware/core/arch.h"
#include "device-firmware/core/atomic.h"
#include "device-firmware/core/cache.h"
#include "device-firmware/core/log.h"
#include "device-firmware/core/regions.h"
#include "device-firmware/core/seldom.h"

static uint64_t ring_bytes(const rvl_sampling *sampling) {
    return sizeof(rvl_sample_ring) + (uint64_t)sampling->slots * sizeof(rvl_sample);
}

SELDOM rvl_result sample_start(firmware *f, const rvl_slot *command) {
    const rvl_sampling *asked = &command->sampling;
    if (!asked->period_us) {
        sample_stop(f);
        return RVL_RESULT_OK;
    }
    bool good = asked->slots && !(asked->slots & (asked->slots - 1)) &&
                asked->address % RVL_CACHE_BLOCK == 0 &&
                regions_hold(f, asked->address, ring_bytes(asked) * f->harts);
    if (!good) {
        firmware_log(f, 0,
                     "sampling refused: its rings are not in the heap, or of no power of two");
        return RVL_RESULT_INVALID;
    }
    f->sampling = *asked;
    uint32_t period_us = asked->period_us;
    if (period_us < RVL_SAMPLE_LEAST_PERIOD_US) {
        firmware_log(f, 0, "a sample every %u us leaves kernels no time: every %u us instead",
                     (unsigned)period_us, RVL_SAMPLE_LEAST_PERIOD_US);
        period_us = RVL_SAMPLE_LEAST_PERIOD_US;
    }
    const uint64_t ticks = period_us * f->timebase / 1000000;
    f->sample_ticks = ticks ? ticks : 1;
    const uint64_t now = arch_time(f);
    for (uint32_t i = 0; i < f->harts; ++i) {
        hart *hart = &f->hart[i];
        rvl_sample_ring *ring =
            (rvl_sample_ring *)(uintptr_t)(asked->address + i * ring_bytes(asked));
        store_release(&ring->count, 0);
        CLEAN_FOR_HOST(f, *ring);
        hart->sample_left = f->sample_ticks;
        hart->next_sample = hart->launch ? now + f->sample_ticks : NEVER;
    }
    return RVL_RESULT_OK;
}

void sample_stop(firmware *f) { f->sample_ticks = 0; }

SELDOM void sample_enter(firmware *f, hart *hart, uint64_t now) {
    (void)f;
    hart->next_sample = now + hart->sample_left;
}

SELDOM void sample_leave(firmware *f, hart *hart) {
    const uint64_t now = arch_time(f);
    /* An overdue sample belongs to time spent in M mode. */
    hart->sample_left = hart->next_sample > now ? hart->next_sample - now : f->sample_ticks;
}

void sample_take(firmware *f, hart *hart) {
    uint64_t now;
    if (!f->sample_ticks || !hart->launch || hart->launch->unit ||
        (now = arch_time(f)) < hart->next_sample)
        return;
    hart->next_sample = now + f->sample_ticks;
    const uint64_t pc = arch_kernel_pc(hart);
    if (!pc)
        return;
    rvl_sample_ring *ring = (rvl_sample_ring *)(uintptr_t)(f->sampling.address +
                                                           hart->index * ring_bytes(&f->sampling));
    rvl_sample *samples = (rvl_sample *)(ring + 1);
    const uint32_t count = load_relaxed(&ring->count);
    rvl_sample *sample = &samples[count & (f->sampling.slots - 1)];
    *sample = (rvl_sample){.launch = hart->launch->command.launch,
                           .pc_offset = (uint32_t)(pc - hart->launch->image_base),
                           .time = now};
    CLEAN_FOR_HOST(f, *sample);
    store_release(&ring->count, count + 1);
    CLEAN_FOR_HOST(f, ring->count);
}
