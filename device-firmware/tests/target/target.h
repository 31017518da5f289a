/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests that run on the harts, in M mode or above an SBI, in place of firmware_work: what tests of
 * the portable part on the host can't show. They print TAP on the console. */
#ifndef RIVULET_FIRMWARE_TARGET_H
#define RIVULET_FIRMWARE_TARGET_H

#include "device-firmware/arch/riscv/csr.h"
#include "device-firmware/arch/riscv/ipi.h"
#include "device-firmware/arch/riscv/mmio.h"
#include "device-firmware/arch/riscv/riscv.h"
#include "device-firmware/arch/riscv/timer.h"
#include "device-firmware/core/atomic.h"
#include "device-firmware/core/cache.h"

typedef struct target_test {
    const char *name;
    void (*run)(firmware *);
} target_test;

extern const target_test memory_tests[], hart_tests[], protection_tests[], ring_tests[],
    tree_tests[];

/* A false condition is reported and fails the test, which continues. */
#define CHECK(condition) ((condition) ? (void)0 : target_fail(__FILE_NAME__, __LINE__, #condition))
void target_fail(const char *file, int line, const char *what);

/* Runs the job on all harts including this one; returns when all have finished. */
void target_on_all_harts(firmware *, void (*job)(firmware *, hart *));
hart *target_hart(firmware *); /* this one */

extern const void *target_given_tree;

#endif
