/* SPDX-License-Identifier: Apache-2.0
 *
 * crash.so: writes the core file of failed firmware. A separate shared object, loaded only if
 * RIVULET_CRASH_DUMP is set and firmware has failed, to keep the library small. */
#ifndef RIVULET_CRASH_DUMP_H
#define RIVULET_CRASH_DUMP_H

#include "hal/hal.h"
#include "hal/protocol/mailbox.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rivulet_crash_request {
    uint32_t size;
    uint32_t with_harts; /* 1: also kernels' stacks and local memory */
    const char *folder;
    const rvl_hello *hello;
    uint64_t mailbox, memory_base, memory_bytes;
    const rvl_host *host; /* its log gets the file's path, or why there is none */
    void *user;           /* passed to read */
    rvl_status (*read)(void *user, uint64_t address, void *to, size_t bytes);
} rivulet_crash_request;

__attribute__((visibility("default"))) void
rivulet_write_crash(const rivulet_crash_request *request);

#ifdef __cplusplus
}
#endif
#endif
