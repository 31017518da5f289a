/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIVULET_FIRMWARE_ARCH_STATE_H
#define RIVULET_FIRMWARE_ARCH_STATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "device-firmware/host/firmware_host.h"

#define MAX_HARTS RVL_FIRMWARE_HOST_MAX_HARTS
#define ARCH_SCRATCHPAD_BASE 0
#define ARCH_SCRATCHPAD_BYTES 0
enum { ARCH_HAS_COPIES = 0 };

typedef pthread_mutex_t arch_lock;

typedef struct arch_hart {
    pthread_t thread;
    pthread_cond_t wake;
    bool pending;   /* an interrupt is pending */
    bool in_kernel; /* the interrupt thread takes interrupts on this hart's behalf */
    uint64_t alarm;
} arch_hart;

typedef struct arch_machine {
    rvl_firmware_host_config config;
    char *isa;
    pthread_mutex_t mutex;           /* guards the fields below and every arch_hart */
    pthread_cond_t interrupt_wanted; /* wakes the interrupt thread */
    pthread_cond_t booted_or_stopping;
    pthread_t interrupts;
    uint32_t fetches; /* atomic: calls of arch_icache_sync */
    bool booted;
    bool stopping;
} arch_machine;

static inline bool arch_time_at_hand(const arch_machine *machine, uint64_t *time) {
    (void)machine, (void)time;
    return false;
}

#endif
