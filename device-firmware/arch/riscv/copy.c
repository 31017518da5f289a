/* SPDX-License-Identifier: Apache-2.0 */
#include "device-firmware/arch/riscv/copy.h"

#include <string.h>

#include "device-firmware/core/atomic.h"
#include "device-firmware/core/range.h"
#include "device-firmware/core/work.h"
#include "device-firmware/drivers/copy_engine.h"
#include "device-firmware/drivers/platform.h"

enum { PIECE_BYTES = 4096, PIECE_LINES = 256 };

static const device *engine; /* NULL: none of the tree can be used */
static uint32_t channels;

/* Of each kernel that a hart is in or has left in the middle, whose levels they have; each used by
 * its hart only. */
typedef struct copy {
    copy_job job;
    bool is_active, is_by_hart;
} copy;
static copy copies[RVL_MAX_HARTS][HELD_LEVELS + 1];

static copy *copy_of(const hart *hart) { return &copies[hart->index][hart->levels]; }

void copy_start(char *isa, size_t bytes) {
    static const char name[] = "_" RVL_COPY_EXTENSION;
    for (size_t i = 0; i < board_device_count && !engine; ++i)
        if (device_is_any(&board_devices[i], copy_engine.compatible))
            engine = &board_devices[i];
    const size_t length = strlen(isa);
    if (!engine || length + sizeof name > bytes)
        return;
    channels = copy_engine.start(engine);
    if (channels)
        memcpy(isa + length, name, sizeof name);
    else
        console_print(CONSOLE_ERROR, "the copy engine doesn't start; kernels copy by themselves");
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

static copy_state step(const hart *hart, copy *copy) {
    return copy->is_by_hart ? copy_by_hart(&copy->job)
                            : copy_engine.step(engine, hart->index, &copy->job);
}

static void begin(const hart *hart, copy *copy) {
    __asm__ volatile("fence iorw, iorw" ::: "memory"); /* the engine sees what the kernel stored */
    copy->is_by_hart =
        hart->index >= channels || !copy_engine.begin(engine, hart->index, &copy->job);
    if (copy->is_by_hart)
        memset(copy->job.own, 0, sizeof copy->job.own);
}

bool copy_is_call(uintptr_t number) {
    return engine && (number == RVL_ECALL_COPY || number == RVL_ECALL_COPY_WAIT);
}

/* While a copy is under way, the kernel stays at its ecall, and comes again. */
bool copy_call(firmware *f, hart *hart) {
    enum { A0 = 10, A7 = 17 };
    const uintptr_t *x = hart->arch.x;
    copy *copy = copy_of(hart);
    if (copy->is_active) {
        const copy_state state = step(hart, copy);
        if (state == COPY_BUSY)
            return true;
        copy->is_active = false;
        __asm__ volatile("fence iorw, iorw" ::: "memory"); /* the kernel sees what was copied */
        if (state == COPY_FAILED) {
            riscv_kernel_fault(f, hart, RVL_FAULT_OTHER, copy->job.from);
            return false;
        }
    }
    const copy_job job = {.to = x[A0],
                          .from = x[A0 + 1],
                          .bytes = x[A0 + 2],
                          .lines = x[A0 + 3],
                          .to_pitch = x[A0 + 4],
                          .from_pitch = x[A0 + 5]};
    if (x[A7] == RVL_ECALL_COPY && job.bytes && job.lines) {
        if (!is_allowed(f, hart, &job))
            return false;
        copy->job = job;
        copy->is_active = true;
        begin(hart, copy);
    }
    hart->arch.x[0] += 4; /* skip the ecall */
    return true;
}

static void stop(const hart *hart, copy *copy) {
    if (copy->is_active && !copy->is_by_hart)
        copy_engine.stop(engine, hart->index, &copy->job);
}

/* What follows on this level, after a kernel that was ended while the hart held it. */
void copy_enter(const hart *hart) { copy_of(hart)->is_active = false; }

/* Another hart may end the kernel as soon as this one has given up the lock, and the host then
 * reuses its memory. */
void arch_hold_copy(const hart *hart) { stop(hart, copy_of(hart)); }

void copy_resume(const hart *hart) {
    copy *copy = copy_of(hart);
    if (copy->is_active && !copy->is_by_hart)
        begin(hart, copy);
}

void copy_leave(const hart *hart) {
    stop(hart, copy_of(hart));
    copy_of(hart)->is_active = false;
}
