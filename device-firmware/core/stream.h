/* SPDX-License-Identifier: Apache-2.0
 *
 * The streams that have launches, or whose last launch failed. */
#ifndef RIVULET_FIRMWARE_STREAM_H
#define RIVULET_FIRMWARE_STREAM_H

#include "device-firmware/core/firmware.h"

/* All under the lock. */
void stream_append(stream_list *, stream *);
void stream_remove(stream_list *, stream *);
stream *stream_find(firmware *, uint32_t number); /* makes one if there is none */
/* For one that will be unused: what is in it becomes a stream of that number. False if there is
 * one. */
bool stream_rename(firmware *, stream *, uint32_t number);
void stream_release_if_unused(firmware *, stream *);
void stream_forget_a_failure(firmware *); /* frees the stream of the oldest one */

#endif
