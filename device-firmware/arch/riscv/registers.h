/* SPDX-License-Identifier: Apache-2.0
 *
 * All registers that a kernel can see, while a hart holds it for a launch of a higher priority. */
#ifndef RIVULET_FIRMWARE_REGISTERS_H
#define RIVULET_FIRMWARE_REGISTERS_H

#include "device-firmware/core/firmware.h"

typedef struct riscv_registers {
    uintptr_t x[32]; /* x[0] is the pc */
    uintptr_t fcsr, vstart, vcsr, vl, vtype;
    uint32_t reservation; /* written to by a store-conditional */
    uint64_t f[32];       /* FLEN may be 32 */
    /* followed by v0 to v31 */
} riscv_registers;

/* All but x. */
void registers_save(const firmware *, riscv_registers *);
void registers_restore(const firmware *, const riscv_registers *);

#endif
