/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIVULET_FIRMWARE_SCHEDULE_H
#define RIVULET_FIRMWARE_SCHEDULE_H

#include "device-firmware/core/firmware.h"

/* All under the lock. */
/* Whether a launch can be added. A stream may be in use without a launch: a wait that was killed or
 * abandoned stays in the list of the launch it waited for. */
static inline bool schedule_has_room(const firmware *f) {
    return f->free && (f->free_streams || f->failed.first);
}
void schedule_add(firmware *, rvl_header, const rvl_slot *, bool may_be_of_kind);
bool schedule_kill(firmware *, uint32_t number);
void schedule_end_early(firmware *, launch *, rvl_result, uint32_t fault);
/* Ends the launch that the hart has just finished and enters the next one of its stream, if that
 * needs no decision; NULL, with nothing changed, if it does. */
launch *schedule_follow(firmware *, hart *);
/* The same for a launch of the same kind that is next in the ring or in its stream; it takes the
 * place of hart.launch. Takes the lock by itself. */
typedef enum schedule_repeated {
    NOT_REPEATED,
    REPEATED, /* the same kernel, with the same memory of the hart */
    REPEATED_BY_ANOTHER_KERNEL,
} schedule_repeated;
schedule_repeated schedule_repeat(firmware *, hart *);
/* The value of firmware.unattended. */
uint32_t schedule_unattended(const firmware *);
void schedule_leave(firmware *, hart *);
launch *schedule_enter(firmware *, hart *);
/* Takes the hart out of its launch in the middle of the kernel. It goes on with it in
 * schedule_enter, once there is nothing of a higher priority for it. */
void schedule_hold(firmware *, hart *);
/* True if the hart is to leave its kernel now; after schedule_balance. */
bool schedule_preempts(firmware *, hart *);
void schedule_balance(firmware *, const hart *own);
void schedule_wake_idle(firmware *);
bool schedule_advance(firmware *); /* activates more launches of streams; true if some are left */
/* Ends all launches, without reporting them, over several calls; true once none is left. */
bool schedule_abandon(firmware *);

#endif
