/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine below the firmware, made of threads: one per hart, and one that emulates the
 * interrupt hardware while a hart is inside a kernel. Lock order: firmware.lock, then the
 * machine's mutex. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device-firmware/core/arch.h"
#include "device-firmware/core/atomic.h"
#include "device-firmware/core/launch.h"
#include "device-firmware/core/schedule.h"
#include "device-firmware/core/work.h"

#define NS_PER_SECOND 1000000000ull

void arch_lock_take(arch_lock *lock) { pthread_mutex_lock(lock); }
void arch_lock_release(arch_lock *lock) { pthread_mutex_unlock(lock); }

uint64_t arch_time(const firmware *f) {
    (void)f;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * NS_PER_SECOND + (uint64_t)now.tv_nsec;
}

/* A spinning thread may be holding the processor that the awaited thread needs, so never spin. */
uint64_t arch_spin_time(const firmware *f) {
    (void)f;
    return 0;
}
void arch_pause(void) {}

void arch_interrupt(firmware *f, hart *hart) {
    pthread_mutex_lock(&f->arch.mutex);
    hart->arch.pending = true;
    pthread_cond_signal(hart->arch.in_kernel ? &f->arch.interrupt_wanted : &hart->arch.wake);
    pthread_mutex_unlock(&f->arch.mutex);
}

void arch_ring_host(firmware *f) { f->arch.config.ring_host(f->arch.config.user); }

bool arch_stopping(const firmware *f) {
    arch_machine *machine = (arch_machine *)&f->arch; /* const except for its mutex */
    pthread_mutex_lock(&machine->mutex);
    bool stopping = machine->stopping;
    pthread_mutex_unlock(&machine->mutex);
    return stopping;
}

void arch_set_alarm(firmware *f, hart *hart, uint64_t time) {
    if (hart->alarm == time)
        return;
    hart->alarm = time;
    pthread_mutex_lock(&f->arch.mutex);
    hart->arch.alarm = time;
    pthread_cond_signal(hart->arch.in_kernel ? &f->arch.interrupt_wanted : &hart->arch.wake);
    pthread_mutex_unlock(&f->arch.mutex);
}

static void wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t time) {
    if (time == NEVER) {
        pthread_cond_wait(condition, mutex);
        return;
    }
    struct timespec at = {(time_t)(time / NS_PER_SECOND), (long)(time % NS_PER_SECOND)};
    pthread_cond_timedwait(condition, mutex, &at);
}

void arch_wait(firmware *f, hart *hart) {
    pthread_mutex_lock(&f->arch.mutex);
    if (!hart->arch.pending && !f->arch.stopping)
        wait_until(&hart->arch.wake, &f->arch.mutex, hart->arch.alarm);
    hart->arch.pending = false;
    pthread_mutex_unlock(&f->arch.mutex);
}

void arch_acknowledge_interrupts(firmware *f, hart *hart) {
    (void)f, (void)hart; /* what is pending makes arch_wait return */
}

void arch_stop_unit(firmware *f, uint32_t unit) {
    if (!f->units[unit]->stop(&f->unit_jobs[unit]))
        arch_panic(f, "a model of a unit doesn't stop");
}

void arch_icache_sync(firmware *f) { __atomic_fetch_add(&f->arch.fetches, 1, __ATOMIC_RELAXED); }

/* Makes the new code visible to instruction fetch on all processors whose instruction caches do
 * not snoop stores. */
void arch_code_written(void *code, size_t bytes) {
    __builtin___clear_cache(code, (char *)code + bytes);
}

void arch_cache_clean(const firmware *f, uint64_t address, uint64_t bytes) {
    f->arch.config.cache_clean(f->arch.config.user, address, bytes);
}

void arch_cache_invalidate(const firmware *f, uint64_t address, uint64_t bytes) {
    f->arch.config.cache_invalidate(f->arch.config.user, address, bytes);
}

/* Kernels are functions of the host process, so there are no registers to clear. */
void arch_clear_hart(const firmware *f, uint64_t memory, uint64_t bytes) {
    (void)f;
    memset((void *)(uintptr_t)memory, 0, (size_t)bytes);
}

void arch_clear_memory(firmware *f, hart *hart, uint64_t address, uint64_t bytes) {
    (void)f, (void)hart;
    memset((void *)(uintptr_t)address, 0, (size_t)bytes);
}

static void set_in_kernel(firmware *f, hart *hart, bool in_kernel) {
    pthread_mutex_lock(&f->arch.mutex);
    hart->arch.in_kernel = in_kernel;
    if (in_kernel && (hart->arch.pending || hart->arch.alarm != NEVER))
        pthread_cond_signal(&f->arch.interrupt_wanted);
    pthread_mutex_unlock(&f->arch.mutex);
}

#ifdef __riscv
/* The device's own images are entered as harts enter them (hal/protocol/launch.h). */
void rvl_enter_image(const rvl_launch_record *, rvl_launch_words *, rvl_hart_frame *,
                     uintptr_t kernel, uintptr_t start);

static void run_image(const launch *launch, rvl_hart_frame *frame) {
    rvl_enter_image((const rvl_launch_record *)(uintptr_t)launch->command.record, launch->words,
                    frame, (uintptr_t)launch->kernel, (uintptr_t)launch->start);
}
#else
static void run_image(const launch *launch, rvl_hart_frame *frame) {
    typedef void kernel_function(const rvl_launch_record *, rvl_launch_words *, rvl_hart_frame *);
    kernel_function *kernel = (kernel_function *)(uintptr_t)launch->kernel;
    kernel((const rvl_launch_record *)(uintptr_t)launch->command.record, launch->words, frame);
}
#endif

void arch_run_kernel(firmware *f, hart *hart, rvl_hart_frame *frame) {
    const launch *launch = hart->launch;
    do {
        set_in_kernel(f, hart, true);
        run_image(launch, frame);
        set_in_kernel(f, hart, false);
        frame = NULL;
        const schedule_repeated repeated = schedule_repeat(f, hart);
        if (repeated != NOT_REPEATED)
            frame = repeated == REPEATED ? launch_renew_frame(hart) : launch_make_frame(hart);
    } while (frame && !arch_stopping(f));
}

/* A thread can't leave a function of the process in the middle. */
void arch_resume_kernel(firmware *f, hart *hart, uint64_t registers) {
    (void)hart, (void)registers;
    arch_panic(f, "a kernel on a thread was held");
}
uint64_t arch_register_bytes(const firmware *f) {
    (void)f;
    return 0;
}

void arch_describe_kernel(const hart *hart, rvl_fault *fault) {
    (void)hart;
    (void)fault; /* another thread's registers are not accessible */
}

uint64_t arch_kernel_pc(const hart *hart) {
    (void)hart;
    return 0;
}

void arch_log(firmware *f, const char *line) {
    if (f->arch.config.log)
        f->arch.config.log(f->arch.config.user, line);
}

/* Never called: firmware.kernel_key is NULL, so no signatures are required. */
bool arch_is_signed(const firmware *f, const uint8_t *signature, const void *code, size_t bytes) {
    (void)f, (void)signature, (void)code, (void)bytes;
    return false;
}

void arch_panic(firmware *f, const char *why) {
    (void)f;
    fprintf(stderr, "firmware: %s\n", why);
    abort();
}

/* Not supported: a thread that hangs or traps would take the whole process down. */
bool arch_inject(firmware *f, uint32_t kind) {
    (void)f;
    (void)kind;
    return false;
}

static bool take_interrupt(hart *hart, uint64_t now) {
    if (!hart->arch.in_kernel || !(hart->arch.pending || hart->arch.alarm <= now))
        return false;
    hart->arch.pending = false;
    return true;
}

void *machine_interrupt_thread(void *firmware_pointer) {
    firmware *f = firmware_pointer;
    pthread_mutex_lock(&f->arch.mutex);
    while (!f->arch.stopping) {
        uint64_t now = arch_time(f), next = NEVER;
        bool any = false;
        for (uint32_t i = 0; i < f->harts; ++i) {
            hart *hart = &f->hart[i];
            if (take_interrupt(hart, now)) {
                any = true;
                pthread_mutex_unlock(&f->arch.mutex);
                (void)firmware_interrupt(f, hart);
                pthread_mutex_lock(&f->arch.mutex);
            } else if (hart->arch.in_kernel && hart->arch.alarm < next) {
                next = hart->arch.alarm;
            }
        }
        if (!any)
            wait_until(&f->arch.interrupt_wanted, &f->arch.mutex, next);
    }
    pthread_mutex_unlock(&f->arch.mutex);
    return NULL;
}
