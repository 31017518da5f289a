/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIVULET_FIRMWARE_MMIO_H
#define RIVULET_FIRMWARE_MMIO_H

#include <stdint.h>

static inline uint32_t mmio_read32(uintptr_t address) {
    uint32_t value = *(volatile uint32_t *)address;
    __asm__ volatile("fence i, rw" ::: "memory");
    return value;
}
static inline void mmio_write32(uintptr_t address, uint32_t value) {
    __asm__ volatile("fence rw, o" ::: "memory");
    *(volatile uint32_t *)address = value;
}
static inline uint8_t mmio_read8(uintptr_t address) {
    uint8_t value = *(volatile uint8_t *)address;
    __asm__ volatile("fence i, rw" ::: "memory");
    return value;
}
static inline void mmio_write8(uintptr_t address, uint8_t value) {
    __asm__ volatile("fence rw, o" ::: "memory");
    *(volatile uint8_t *)address = value;
}

#endif
