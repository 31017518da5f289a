/* SPDX-License-Identifier: Apache-2.0
 *
 * The firmware as host threads: the same portable sources as on a device, one thread per hart,
 * device addresses are host pointers. The mailbox lies at the start of the memory that the caller
 * gives, rings after it, the heap is the rest. Several instances may live in one process.
 *
 * Unlike on a device, kernels are called as void kernel(record, words, frame) at
 * rvl_launch_record.kernel, not fenced and not interrupted. So a kill or a time limit ends a launch
 * at its next chunk of work-groups (words.yield), a wild store is the process's own, and counts
 * of instructions are 0. Memory that holds kernel images must be mapped executable by the caller.
 */
#ifndef RIVULET_FIRMWARE_HOST_H
#define RIVULET_FIRMWARE_HOST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rvl_firmware_host rvl_firmware_host;

typedef struct rvl_firmware_host_config {
    void *memory;    /* page aligned; the mailbox's boot block is already written there      */
    size_t bytes;    /* at least RVL_FIRMWARE_HOST_LEAST_BYTES(harts)                        */
    uint32_t harts;  /* 1 … RVL_MAX_HARTS                                                  */
    uint32_t vlen;   /* for the hello: the vector length to mirror, 0 for none             */
    const char *isa; /* for the hello: "host"                                             */
    void *user;      /* given to the callbacks, which come on threads of the firmware     */
    void (*ring_host)(void *user);             /* the doorbell towards the host      */
    void (*log)(void *user, const char *line); /* what also goes to the log ring; may be NULL */
    /* Where the threads' view of memory is not the host's: bring whole cache blocks from the one to
     * the other. Both NULL: there is one memory. */
    void (*cache_clean)(void *user, uint64_t address, uint64_t bytes);
    void (*cache_invalidate)(void *user, uint64_t address, uint64_t bytes);
    uint32_t cache_block; /* bytes that these work on; 0: RVL_CACHE_BLOCK */
} rvl_firmware_host_config;

/* Mailbox, rings, the harts' own memory, and some heap take this. */
#define RVL_FIRMWARE_HOST_LEAST_BYTES(harts) (((size_t)(harts) + 1) * (8u << 20))

/* Starts the harts; the mailbox's hello says when they run (state RUNNING, or REFUSED when the
 * boot block is of another protocol major). NULL when the configuration makes no sense or threads
 * can't be had. */
rvl_firmware_host *rvl_firmware_host_start(const rvl_firmware_host_config *config);

/* The doorbell towards the harts of the mask. Any thread, never blocks; rings may merge. */
void rvl_firmware_host_ring(rvl_firmware_host *firmware, uint64_t hart_mask);

/* How often harts were told to fetch instructions anew, all together; threads do it by themselves.
 */
uint32_t rvl_firmware_host_fetches(rvl_firmware_host *firmware);

/* Ends the harts, launches under way at their next chunk, and frees everything but the memory;
 * no callback comes after it. */
void rvl_firmware_host_stop(rvl_firmware_host *firmware);

#ifdef __cplusplus
}
#endif
#endif
