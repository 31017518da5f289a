/* SPDX-License-Identifier: Apache-2.0
 *
 * A DMA engine that copies for kernels, behind async_work_group_copy. Kernels of a device that has
 * one start a copy by an ecall and wait for it by another (RVL_ECALL_COPY, hal/protocol/launch.h);
 * arch/riscv/copy.c checks the addresses, since PMP doesn't confine engines, and calls the driver:
 *
 *   async_work_group_copy ──► ecall ──► begin ──► (the kernel goes on) ──┐
 *   wait_group_events ──────► ecall ──► step, step, … until it is done ◄─┘
 *
 * The hart runs the kernel between two steps, so interrupts, kills and time limits come as usual.
 * Each hart has a channel of its own and one copy at a time. Harts beyond the last channel, and
 * copies that `begin` refuses, are done by the hart itself.
 *
 * To add an engine, define copy_engine in a file of the board's folder, describe the device in
 * board.dts, and pass COPY_ENGINE to rivulet_add_board. boards/virt-dma is one to copy,
 * boards/k230 one of a chip. */
#ifndef RIVULET_FIRMWARE_COPY_ENGINE_H
#define RIVULET_FIRMWARE_COPY_ENGINE_H

#include "device-firmware/drivers/device.h"

/* Lines of the same size; the addresses and pitches are in bytes. All of it can be accessed by the
 * kernel, and nothing overflows. A kernel may choose as many lines as it likes, all at one address.
 */
typedef struct copy_job {
    uintptr_t to, from;
    uintptr_t bytes, lines; /* not 0 */
    uintptr_t to_pitch, from_pitch;
    uintptr_t own[4]; /* the driver's, 0 at first; kept until the copy has ended */
} copy_job;

typedef enum copy_state { COPY_BUSY, COPY_DONE, COPY_FAILED } copy_state;

/* What the hart has stored is ordered before `begin`, and what the engine has stored before the
 * kernel goes on after COPY_DONE. An engine that bypasses the harts' caches needs their maintenance
 * in both (copy_cache_clean, copy_cache_invalidate); it must refuse destinations that are not whole
 * cache blocks, whose other bytes an invalidation would lose. */
typedef struct copy_driver {
    const char *const *compatible;
    /* Looks for the engine, at boot; all its channels are then stopped. Returns the number of its
     * channels; 0: it isn't there. */
    uint32_t (*start)(const device *);
    /* Starts the job, or continues it after `stop`: from its first line, or from what `own` tells.
     * False: the hart has to copy. The job stays where it is until `step` has not returned
     * COPY_BUSY, or `stop`. All take microseconds at most, and none waits for the engine. */
    bool (*begin)(const device *, uint32_t channel, copy_job *);
    copy_state (*step)(const device *, uint32_t channel, copy_job *);
    /* Tells the engine to stop, and returns whether it no longer accesses memory; called until it
     * doesn't. The kernel has ended, or its hart leaves it for one of a higher priority, and begins
     * the job again when it comes back. Also for channels that have no job: at boot, and, from
     * another hart, when the firmware has failed. An engine that doesn't stop within a second would
     * write to memory that is the next owner's, so the device then fails. */
    bool (*stop)(const device *, uint32_t channel, copy_job *);
} copy_driver;

extern const copy_driver copy_engine;

/* Whole blocks of the harts' caches, for engines that bypass them; complete on return. */
void copy_cache_clean(uintptr_t address, uintptr_t bytes);
void copy_cache_invalidate(uintptr_t address, uintptr_t bytes);

/* Copies a few KiB of the job, for models of engines; own[0] and own[1] say how far it has come. */
copy_state copy_by_hart(copy_job *);

#endif
