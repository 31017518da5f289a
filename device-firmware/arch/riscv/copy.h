/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels' copies by an engine, on boards that have one (drivers/copy_engine.h). Others have none
 * of this code. */
#ifndef RIVULET_FIRMWARE_COPY_H
#define RIVULET_FIRMWARE_COPY_H

#include "device-firmware/arch/riscv/riscv.h"

#ifdef RIVULET_COPY_ENGINE
/* Looks for the board's engine. riscv_stop_devices then stops it. */
void copy_start(void);
uint32_t copy_channels(void);
bool copy_stop(firmware *, uint32_t channel);     /* as copy_driver.stop */
void copy_describe(uint32_t channel, char *text); /* that it goes on; STOP_TEXT_BYTES */
/* Adds RVL_COPY_EXTENSION if there is an engine, and room. */
void copy_add_extension(char *isa, size_t bytes);
bool copy_is_call(uintptr_t number);
bool copy_call(firmware *, hart *); /* false: the kernel has ended with a fault */
/* Its kernel begins, goes on after arch_hold_copy, or ends. While a hart is in no kernel, no engine
 * copies for it. */
void copy_enter(const hart *);
void copy_resume(const hart *);
void copy_leave(const hart *);
#else
static inline void copy_start(void) {}
static inline uint32_t copy_channels(void) { return 0; }
static inline bool copy_stop(firmware *f, uint32_t channel) {
    (void)f;
    (void)channel;
    return true;
}
static inline void copy_describe(uint32_t channel, char *text) {
    (void)channel;
    (void)text;
}
static inline void copy_add_extension(char *isa, size_t bytes) {
    (void)isa;
    (void)bytes;
}
static inline bool copy_is_call(uintptr_t number) {
    (void)number;
    return false;
}
static inline bool copy_call(firmware *f, hart *hart) {
    (void)f;
    (void)hart;
    return false;
}
static inline void copy_enter(const hart *hart) { (void)hart; }
static inline void copy_resume(const hart *hart) { (void)hart; }
static inline void copy_leave(const hart *hart) { (void)hart; }
#endif

#endif
