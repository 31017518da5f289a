/* SPDX-License-Identifier: Apache-2.0 */
#include "device-firmware/arch/riscv/copy.h"

#include <stdio.h>
#include <string.h>

#include "device-firmware/core/atomic.h"
#include "device-firmware/core/range.h"
#include "device-firmware/core/seldom.h"
#include "device-firmware/core/work.h"
#include "device-firmware/drivers/copy_engine.h"
#include "device-firmware/drivers/platform.h"

enum { PIECE_BYTES = 4096, PIECE_LINES = 256 };

static const device *engine; /* NULL: none of the tree can be used */
static uint32_t channels;

/* One for each kernel that a hart is running or has left in the middle: the second index is the
 * number of kernels that it had left when this one began. Only the hart itself uses them. A job
 * with no lines means that no copy is under way. */
static copy_job jobs[MAX_HARTS][HELD_LEVELS + 1];
static bool by_hart[MAX_HARTS][HELD_LEVELS + 1];

static copy_job *job_of(const hart *hart) { return &jobs[hart->index][hart->levels]; }

static bool engine_copies(const hart *hart) {
    return job_of(hart)->lines && !by_hart[hart->index][hart->levels];
}

SELDOM void copy_start(void) {
    for (size_t i = 0; i < board_device_count && !engine; ++i)
        if (device_is_any(&board_devices[i], copy_engine.compatible))
            engine = &board_devices[i];
    if (!engine)
        return;
    channels = copy_engine.start(engine);
    if (channels > MAX_HARTS)
        channels = MAX_HARTS;
    if (!channels)
        console_print(CONSOLE_ERROR, "the copy engine doesn't start; kernels copy by themselves");
}

uint32_t copy_channels(void) { return channels; }

SELDOM bool copy_stop(firmware *f, uint32_t channel) {
    return copy_engine.stop(engine, channel, job_of(&f->hart[channel]));
}

SELDOM void copy_describe(uint32_t channel, char *text) {
    snprintf(text, STOP_TEXT_BYTES, "can't stop channel %u of the copy engine at 0x%lx (%s)",
             (unsigned)channel, (unsigned long)engine->base[0], engine->compatible);
}

void copy_add_extension(char *isa, size_t bytes) {
    static const char name[] = "_" RVL_COPY_EXTENSION;
    const size_t length = strlen(isa);
    if (channels && length + sizeof name <= bytes)
        memcpy(isa + length, name, sizeof name);
}

void copy_cache_clean(uintptr_t address, uintptr_t bytes) {
    arch_cache_clean(riscv_firmware(), address, bytes);
}

void copy_cache_invalidate(uintptr_t address, uintptr_t bytes) {
    arch_cache_invalidate(riscv_firmware(), address, bytes);
}

copy_state copy_by_hart(copy_job *job) {
    uintptr_t left = PIECE_BYTES;
    for (int i = 0; i < PIECE_LINES && left; ++i) {
        if (job->own[0] == job->lines)
            return COPY_DONE;
        const uintptr_t done = job->own[1], rest = job->bytes - done;
        const uintptr_t bytes = rest < left ? rest : left;
        memcpy((char *)(job->to + job->own[0] * job->to_pitch) + done,
               (const char *)(job->from + job->own[0] * job->from_pitch) + done, bytes);
        left -= bytes;
        job->own[0] += bytes == rest;
        job->own[1] = bytes == rest ? 0 : done + bytes;
    }
    return job->own[0] == job->lines ? COPY_DONE : COPY_BUSY;
}

/* From the first line's start to the last one's end; 0 if that is more than all memory. */
static uintptr_t extent(uintptr_t bytes, uintptr_t lines, uintptr_t pitch) {
    uintptr_t before, all;
    return __builtin_mul_overflow(lines - 1, pitch, &before) ||
                   __builtin_add_overflow(before, bytes, &all)
               ? 0
               : all;
}

/* Ends the kernel where its own accesses would have. */
static bool is_allowed(firmware *f, hart *hart, const copy_job *job) {
    const uintptr_t to = extent(job->bytes, job->lines, job->to_pitch);
    const uintptr_t from = extent(job->bytes, job->lines, job->from_pitch);
    if (!from || !riscv_kernel_may_read(f, hart, job->from, from))
        riscv_kernel_fault(f, hart, RVL_FAULT_LOAD, job->from);
    else if (!to || !riscv_kernel_may_write(f, hart, job->to, to))
        riscv_kernel_fault(f, hart, RVL_FAULT_STORE, job->to);
    else
        return true;
    return false;
}

static copy_state step(const hart *hart, copy_job *job) {
    return engine_copies(hart) ? copy_engine.step(engine, hart->index, job) : copy_by_hart(job);
}

static void begin(const hart *hart, copy_job *job) {
    __asm__ volatile("fence iorw, iorw" ::: "memory"); /* the engine sees what the kernel stored */
    const bool refused = hart->index >= channels || !copy_engine.begin(engine, hart->index, job);
    if (refused)
        memset(job->own, 0, sizeof job->own);
    by_hart[hart->index][hart->levels] = refused;
}

bool copy_is_call(uintptr_t number) {
    return engine && (number == RVL_ECALL_COPY || number == RVL_ECALL_COPY_WAIT);
}

static void stop(const hart *hart) {
    if (engine_copies(hart))
        riscv_stop_channel(hart->firmware, hart->index);
}

void copy_leave(const hart *hart) {
    stop(hart);
    job_of(hart)->lines = 0;
}

/* Follows whatever may have made the engine access memory. The hart that has failed stops all
 * channels after it has set riscv_panicking, so one of the two sees what the other has done. */
static void stop_if_panicking(const hart *hart) {
    __asm__ volatile("fence iorw, iorw" ::: "memory");
    if (load_acquire(&riscv_panicking)) {
        copy_leave(hart);
        riscv_stop_if_panicking();
    }
}

/* While a copy is under way, the kernel stays at its ecall, and comes again. */
bool copy_call(firmware *f, hart *hart) {
    enum { A0 = 10, A7 = 17 };
    const uintptr_t *x = hart->arch.x;
    copy_job *job = job_of(hart);
    if (job->lines) {
        const copy_state state = step(hart, job);
        if (state == COPY_BUSY) {
            stop_if_panicking(hart);
            return true;
        }
        if (state == COPY_FAILED) {
            copy_leave(hart); /* it may have failed because it is late */
            riscv_kernel_fault(f, hart, RVL_FAULT_OTHER, job->from);
            return false;
        }
        job->lines = 0;
        __asm__ volatile("fence iorw, iorw" ::: "memory"); /* the kernel sees what was copied */
    }
    if (x[A7] == RVL_ECALL_COPY && x[A0 + 2] && x[A0 + 3]) {
        const copy_job wanted = {.to = x[A0],
                                 .from = x[A0 + 1],
                                 .bytes = x[A0 + 2],
                                 .lines = x[A0 + 3],
                                 .to_pitch = x[A0 + 4],
                                 .from_pitch = x[A0 + 5]};
        if (!is_allowed(f, hart, &wanted))
            return false;
        *job = wanted;
        begin(hart, job);
        stop_if_panicking(hart);
    }
    hart->arch.x[0] += 4; /* skip the ecall */
    return true;
}

/* What follows on this level, after a kernel that was ended while the hart held it. */
void copy_enter(const hart *hart) { job_of(hart)->lines = 0; }

/* Another hart may end the kernel as soon as this one has given up the lock, and the host then
 * reuses its memory. */
void arch_hold_copy(const hart *hart) { stop(hart); }

void copy_resume(const hart *hart) {
    if (!engine_copies(hart))
        return;
    begin(hart, job_of(hart));
    stop_if_panicking(hart);
}
