/* SPDX-License-Identifier: Apache-2.0
 *
 * Starting and stopping the firmware on threads. */
#include "device-firmware/host/firmware_host.h"

#include <stdlib.h>
#include <string.h>

#include "device-firmware/core/arch.h"
#include "device-firmware/core/atomic.h"
#include "device-firmware/core/boot.h"
#include "device-firmware/core/lock.h"
#include "device-firmware/core/schedule.h"
#include "device-firmware/core/work.h"

enum {
    HART_MEMORY_BYTES = 4 << 20,
    LOCAL_MEMORY_BYTES = 64 << 10,
    THREAD_STACK_BYTES = 8 << 20,
};

struct rvl_firmware_host {
    firmware firmware;
    uint32_t threads; /* harts started so far */
};

void *machine_interrupt_thread(void *firmware_pointer);

static const unit_driver *const units[] = {&model_unit};

static void set_up(firmware *f, const rvl_firmware_host_config *config) {
    uintptr_t memory = (uintptr_t)config->memory;
    uintptr_t after_mailbox =
        (memory + sizeof(shared_memory) + RVL_PAGE_BYTES - 1) & -(uintptr_t)RVL_PAGE_BYTES;
    f->shared = config->memory;
    f->shared_bytes = after_mailbox - memory;
    f->board = "host";
    f->isa = f->arch.isa;
    f->harts = config->harts;
    f->vlen = config->vlen;
    f->cache_block = config->cache_block ? config->cache_block : RVL_CACHE_BLOCK;
    f->has_cache_operations = config->cache_clean && config->cache_invalidate;
    f->timebase = 1000000000;
    f->units = units;
    f->unit_count = sizeof units / sizeof *units;
    f->hart_memory = after_mailbox;
    f->hart_memory_bytes = HART_MEMORY_BYTES;
    f->local_memory_bytes = LOCAL_MEMORY_BYTES;
    f->heap = after_mailbox + config->harts * (uint64_t)HART_MEMORY_BYTES;
    f->heap_bytes = (memory + config->bytes - f->heap) & -(uint64_t)RVL_PAGE_BYTES;
}

static void make_condition(pthread_cond_t *condition) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

static void make_machine(firmware *f) {
    pthread_mutex_init(&f->lock, NULL);
    pthread_mutex_init(&f->log_lock, NULL);
    pthread_mutex_init(&f->arch.mutex, NULL);
    make_condition(&f->arch.interrupt_wanted);
    make_condition(&f->arch.booted_or_stopping);
    for (uint32_t i = 0; i < f->harts; ++i) {
        hart *hart = &f->hart[i];
        hart->firmware = f;
        hart->index = hart->id = i;
        hart->alarm = hart->arch.alarm = NEVER;
        make_condition(&hart->arch.wake);
    }
}

static void destroy(rvl_firmware_host *host) {
    firmware *f = &host->firmware;
    for (uint32_t i = 0; i < f->harts; ++i)
        pthread_cond_destroy(&f->hart[i].arch.wake);
    pthread_cond_destroy(&f->arch.booted_or_stopping);
    pthread_cond_destroy(&f->arch.interrupt_wanted);
    pthread_mutex_destroy(&f->arch.mutex);
    pthread_mutex_destroy(&f->log_lock);
    pthread_mutex_destroy(&f->lock);
    free(f->arch.isa);
    free(host);
}

static bool wait_for_boot(firmware *f) {
    pthread_mutex_lock(&f->arch.mutex);
    while (!f->arch.booted && !f->arch.stopping)
        pthread_cond_wait(&f->arch.booted_or_stopping, &f->arch.mutex);
    bool booted = f->arch.booted;
    pthread_mutex_unlock(&f->arch.mutex);
    return booted;
}

static void announce_boot(firmware *f) {
    pthread_mutex_lock(&f->arch.mutex);
    f->arch.booted = true;
    pthread_cond_broadcast(&f->arch.booted_or_stopping);
    pthread_mutex_unlock(&f->arch.mutex);
}

static void *hart_thread(void *hart_pointer) {
    hart *hart = hart_pointer;
    firmware *f = hart->firmware;
    if (hart == f->hart) {
        if (!firmware_boot(f))
            return NULL;
        announce_boot(f);
    } else if (!wait_for_boot(f)) {
        return NULL;
    }
    firmware_work(f, hart);
    return NULL;
}

static bool start_threads(rvl_firmware_host *host) {
    firmware *f = &host->firmware;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, THREAD_STACK_BYTES);
    bool ok = pthread_create(&f->arch.interrupts, NULL, machine_interrupt_thread, f) == 0;
    if (ok)
        for (; host->threads < f->harts; ++host->threads) {
            hart *hart = &f->hart[host->threads];
            if (pthread_create(&hart->arch.thread, &attributes, hart_thread, hart) != 0)
                break;
        }
    pthread_attr_destroy(&attributes);
    return ok;
}

static bool makes_sense(const rvl_firmware_host_config *config) {
    return config && config->memory && (uintptr_t)config->memory % RVL_PAGE_BYTES == 0 &&
           config->harts >= 1 && config->harts <= MAX_HARTS && config->isa && config->ring_host &&
           config->bytes >= RVL_FIRMWARE_HOST_LEAST_BYTES(config->harts);
}

rvl_firmware_host *rvl_firmware_host_start(const rvl_firmware_host_config *config) {
    if (!makes_sense(config))
        return NULL;
    rvl_firmware_host *host = calloc(1, sizeof *host);
    if (!host)
        return NULL;
    firmware *f = &host->firmware;
    f->arch.config = *config;
    f->arch.isa = strdup(config->isa);
    if (!f->arch.isa) {
        free(host);
        return NULL;
    }
    set_up(f, config);
    make_machine(f);
    if (!start_threads(host)) {
        destroy(host);
        return NULL;
    }
    if (host->threads < f->harts) {
        rvl_firmware_host_stop(host);
        return NULL;
    }
    return host;
}

void rvl_firmware_host_ring(rvl_firmware_host *host, uint64_t hart_mask) {
    firmware *f = &host->firmware;
    for (uint32_t i = 0; i < f->harts; ++i)
        if (hart_mask >> i & 1)
            arch_interrupt(f, &f->hart[i]);
}

uint32_t rvl_firmware_host_fetches(rvl_firmware_host *host) {
    return __atomic_load_n(&host->firmware.arch.fetches, __ATOMIC_RELAXED);
}

static void wake_everyone(firmware *f) {
    pthread_mutex_lock(&f->arch.mutex);
    f->arch.stopping = true;
    pthread_cond_broadcast(&f->arch.booted_or_stopping);
    pthread_cond_broadcast(&f->arch.interrupt_wanted);
    for (uint32_t i = 0; i < f->harts; ++i)
        pthread_cond_broadcast(&f->hart[i].arch.wake);
    pthread_mutex_unlock(&f->arch.mutex);
}

void rvl_firmware_host_stop(rvl_firmware_host *host) {
    firmware *f = &host->firmware;
    wake_everyone(f);
    firmware_lock(f);
    for (uint32_t i = 0; i < f->harts; ++i)
        if (f->hart[i].launch)
            schedule_end_early(f, f->hart[i].launch, RVL_RESULT_KILLED, RVL_FAULT_NONE);
    arch_lock_release(&f->lock);
    pthread_join(f->arch.interrupts, NULL);
    for (uint32_t i = 0; i < host->threads; ++i)
        pthread_join(f->hart[i].arch.thread, NULL);
    destroy(host);
}
