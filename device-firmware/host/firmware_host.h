/* SPDX-License-Identifier: Apache-2.0
 *
 * The firmware as host threads: the same portable sources as on a device, with one thread per hart
 * and host pointers as device addresses. The mailbox is at the start of the memory that the caller
 * provides, followed by the rings; the rest is the heap. Several instances may exist in one
 * process.
 *
 * Unlike on a device, kernels are called as void kernel(record, words, frame) at
 * rvl_launch_record.kernel, neither fenced nor interruptible. So a kill or a time limit ends a
 * launch only at its next chunk of work-groups (words.yield), a stray store hits the process
 * itself, and instruction counts are 0. Memory that holds kernel images must be mapped executable
 * by the caller.
 */
#ifndef RIVULET_FIRMWARE_HOST_H
#define RIVULET_FIRMWARE_HOST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RVL_FIRMWARE_HOST_MAX_HARTS 128

typedef struct rvl_firmware_host rvl_firmware_host;

typedef struct rvl_firmware_host_config {
    void *memory;    /* page aligned; the mailbox's boot block is already written there      */
    size_t bytes;    /* at least RVL_FIRMWARE_HOST_LEAST_BYTES(harts)                        */
    uint32_t harts;  /* 1 … RVL_FIRMWARE_HOST_MAX_HARTS                                    */
    uint32_t vlen;   /* for the hello: the vector length to mirror, 0 for none             */
    const char *isa; /* for the hello: "host"                                             */
    void *user;      /* given to the callbacks, which come on threads of the firmware     */
    void (*ring_host)(void *user);             /* the doorbell towards the host      */
    void (*log)(void *user, const char *line); /* what also goes to the log ring; may be NULL */
    /* Used if the threads' view of memory differs from the host's: transfer whole cache blocks
     * between the two. If both are NULL, there is only one memory. */
    void (*cache_clean)(void *user, uint64_t address, uint64_t bytes);
    void (*cache_invalidate)(void *user, uint64_t address, uint64_t bytes);
    uint32_t cache_block; /* block size of these two; 0: RVL_CACHE_BLOCK */
} rvl_firmware_host_config;

/* Enough for mailbox, rings, the harts' own memory and some heap. */
#define RVL_FIRMWARE_HOST_LEAST_BYTES(harts) (((size_t)(harts) + 1) * (8u << 20))

/* Starts the harts; the mailbox's hello says when they run (state RUNNING, or REFUSED if the
 * boot block has another protocol major version). Returns NULL if the configuration is invalid
 * or threads can't be created. */
rvl_firmware_host *rvl_firmware_host_start(const rvl_firmware_host_config *config);

/* The doorbell towards the harts of the mask. May be called on any thread, never blocks; rings
 * may merge. */
void rvl_firmware_host_ring(rvl_firmware_host *firmware, uint64_t hart_mask);

/* Number of instruction fetch synchronisations requested from all harts; threads need none. */
uint32_t rvl_firmware_host_fetches(rvl_firmware_host *firmware);

/* Stops the harts, ending running launches at their next chunk, and frees everything but the
 * memory. No callback is made after it returns. */
void rvl_firmware_host_stop(rvl_firmware_host *firmware);

#ifdef __cplusplus
}
#endif
#endif
