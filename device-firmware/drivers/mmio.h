/* SPDX-License-Identifier: Apache-2.0
 *
 * Register access for drivers: on harts with the fences that MMIO needs, in tests through a
 * device model. */
#ifndef RIVULET_FIRMWARE_DRIVER_MMIO_H
#define RIVULET_FIRMWARE_DRIVER_MMIO_H

#ifndef RIVULET_REGISTER_MODEL
#include "device-firmware/arch/riscv/csr.h"
#include "device-firmware/arch/riscv/mmio.h"
#else
#include <stdbool.h>
#include <stdint.h>
enum { /* csr.h */
       XISELECT = 0x350,
       XIREG = 0x351,
       XTOPEI = 0x35c,
       IMSIC_EIDELIVERY = 0x70,
       IMSIC_DELIVERS = 1,
       IMSIC_WIRES_DELIVER = 0x40000000,
       IMSIC_EITHRESHOLD = 0x72,
       IMSIC_EIP0 = 0x80,
       IMSIC_EIE0 = 0xc0,
};
uint32_t mmio_read32(uintptr_t address);
void mmio_write32(uintptr_t address, uint32_t value);
uint8_t mmio_read8(uintptr_t address);
void mmio_write8(uintptr_t address, uint8_t value);
bool model_csr_write(uint32_t number, uintptr_t value);
bool model_csr_read(uint32_t number, uintptr_t *value);
#define csr_try_write(number, value) model_csr_write(number, value)
#define csr_try_read(number, to) model_csr_read(number, to)
uintptr_t csr_read_number(uint32_t number);
void csr_write_number(uint32_t number, uintptr_t value);
void csr_clear_number(uint32_t number, uintptr_t bits);
uintptr_t csr_exchange_number(uint32_t number, uintptr_t value);
#endif

#endif
