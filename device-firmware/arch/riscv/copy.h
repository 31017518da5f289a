/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels' copies by an engine, on boards that have one (drivers/copy_engine.h). Others have none
 * of this code. */
#ifndef RIVULET_FIRMWARE_COPY_H
#define RIVULET_FIRMWARE_COPY_H

#include "device-firmware/arch/riscv/riscv.h"

#ifdef RIVULET_COPY_ENGINE
/* Starts the board's engine. What it returns is the same as below. */
const char *copy_start(void);
/* Adds RVL_COPY_EXTENSION if there is an engine, and room. */
void copy_add_extension(char *isa, size_t bytes);
/* Stops all channels, after riscv_panicking was set. NULL, or why memory isn't safe from the engine
 * even so; continues "hart N …". */
const char *copy_stop_all(void);
bool copy_is_call(uintptr_t number);
bool copy_call(firmware *, hart *); /* false: the kernel has ended with a fault */
/* Its kernel begins, goes on after arch_hold_copy, or ends. While a hart is in no kernel, no engine
 * copies for it. */
void copy_enter(const hart *);
void copy_resume(const hart *);
void copy_leave(const hart *);
#else
static inline const char *copy_start(void) { return NULL; }
static inline void copy_add_extension(char *isa, size_t bytes) {
    (void)isa;
    (void)bytes;
}
static inline const char *copy_stop_all(void) { return NULL; }
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
