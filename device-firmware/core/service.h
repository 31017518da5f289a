/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIVULET_FIRMWARE_SERVICE_H
#define RIVULET_FIRMWARE_SERVICE_H

#include "device-firmware/core/atomic.h"
#include "device-firmware/core/cache.h"
#include "device-firmware/core/firmware.h"

/* All under the lock. */
void service_commands(firmware *);
bool service_nothing_new(firmware *); /* … after it has requested a doorbell */
/* Enters the first of the launches that stay in the ring into its stream, and the wait in front of
 * it, if there is room. */
void service_take_left(firmware *);
/* Whether launches stay in the ring, but nothing is left that they wait for: it has ended without
 * becoming active. */
static inline bool service_chain_has_ended(const firmware *f) {
    return KEEPS_CHAINS && f->left && !(f->chain && f->chain->newest);
}
/* Gives the slots before `head` back to the host. */
static inline void service_free_commands_as(firmware *f, uint32_t head, bool noncoherent) {
    uint32_t *word = f->words.command_head;
    store_release(word, head); /* order: command.free */
    if (noncoherent)
        CLEAN_FOR_HOST(f, *word);
}
static inline void service_free_commands(firmware *f, uint32_t head) {
    service_free_commands_as(f, head, f->noncoherent);
}
/* Whether a slot is a wait for this launch only. */
bool service_is_wait_for(const rvl_slot *, uint32_t launch);

#endif
