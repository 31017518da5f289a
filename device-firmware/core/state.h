/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIVULET_FIRMWARE_STATE_H
#define RIVULET_FIRMWARE_STATE_H

#include "device-firmware/core/firmware.h"

/* Enters a state and tells the host. */
void firmware_enter_state(firmware *, rvl_state);

/* The same without telling it. */
void state_store(firmware *, rvl_state);

/* Chooses the words that this host shares, according to firmware.noncoherent. */
void state_choose_words(firmware *);
/* Tells the host that it is served, or why not. */
void state_enter_session(firmware *, rvl_state);

#endif
