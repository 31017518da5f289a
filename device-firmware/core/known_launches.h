/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches that wait or are active, by number, and the streams that wait for them. */
#ifndef RIVULET_FIRMWARE_KNOWN_LAUNCHES_H
#define RIVULET_FIRMWARE_KNOWN_LAUNCHES_H

#include "device-firmware/core/firmware.h"
#include "device-firmware/core/seldom.h"

/* All under the lock. */
static inline uint16_t launch_place_in_table(const firmware *f, const launch *launch) {
    return (uint16_t)(launch - f->launch + 1);
}

static inline launch **launch_bucket(firmware *f, uint32_t number) {
    return &f->known[number % LAUNCH_BUCKETS];
}

static inline void launch_remember(firmware *f, launch *launch) {
    struct launch **first = launch_bucket(f, launch->command.launch);
    launch->next_known = *first;
    *first = launch;
}

static inline launch *launch_find(firmware *f, uint32_t number) {
    if (f->moved && f->moved->command.launch == number)
        return f->moved;
    launch *launch = *launch_bucket(f, number);
    while (launch && launch->command.launch != number)
        launch = launch->next_known;
    return launch;
}

static inline void launch_leave_bucket(firmware *f, const launch *launch) {
    struct launch **link =
        launch_bucket(f, f->moved == launch ? f->moved_as : launch->command.launch);
    while (*link != launch)
        link = &(*link)->next_known;
    *link = launch->next_known;
}

/* Its number is about to change. Only one launch at a time is in the bucket of another number. */
SELDOM static inline void launch_move(firmware *f, launch *launch) {
    if (f->moved) {
        struct launch *before = f->moved;
        launch_leave_bucket(f, before);
        f->moved = NULL;
        launch_remember(f, before);
    }
    f->moved = launch;
    f->moved_as = launch->command.launch;
}

ALWAYS_INLINE static inline void launch_renumber(firmware *f, launch *launch) {
    if (f->moved != launch)
        launch_move(f, launch);
}

/* The streams that wait for it are looked at later (schedule_advance), since there may be many. */
static inline void launch_release_held(firmware *f, const launch *launch) {
    *(f->released.last ? &f->released.last->next_held : &f->released.first) = launch->holds.first;
    f->released.last = launch->holds.last;
}

static inline void launch_forget(firmware *f, const launch *launch) {
    launch_leave_bucket(f, launch);
    if (f->moved == launch)
        f->moved = NULL;
    if (launch->holds.first)
        launch_release_held(f, launch);
}

/* A stream that is still in another launch's list looks at this one when that has ended. */
static inline void launch_hold_stream(launch *launch, stream *stream) {
    if (stream->held)
        return;
    stream->held = true;
    stream->next_held = NULL;
    *(launch->holds.first ? &launch->holds.last->next_held : &launch->holds.first) = stream;
    launch->holds.last = stream;
}

#endif
