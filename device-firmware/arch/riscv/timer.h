/* SPDX-License-Identifier: Apache-2.0
 *
 * The clock, and a timer per hart. Only the implementation (timer.c: mtime and mtimecmp, or Sstc)
 * knows who keeps them. arch_time (core/arch.h) reads the clock. */
#ifndef RIVULET_FIRMWARE_TIMER_H
#define RIVULET_FIRMWARE_TIMER_H

#include "device-firmware/core/firmware.h"

/* Probes for the hardware; reports on the console if some of it is missing. */
void timer_start(firmware *);
void timer_start_hart(const firmware *);
/* Raises the hart's timer interrupt from that time on, and ends it until then. Returns false if
 * only the hart itself can do that. */
bool timer_set(const firmware *, const hart *, uint64_t time);
uintptr_t timer_enable_bits(const firmware *); /* of XIE and XIP */
/* True if timer_set works only on the hart itself. */
bool timer_is_own(const firmware *);

#endif
