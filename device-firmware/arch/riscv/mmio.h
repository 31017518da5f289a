/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIVULET_FIRMWARE_MMIO_H
#define RIVULET_FIRMWARE_MMIO_H

#include <stdint.h>

static inline void fence_after_read(void) {
    __asm__ volatile("fence i, rw" ::: "memory"); /* order: mmio.read */
}
static inline void fence_before_write(void) {
    __asm__ volatile("fence rw, o" ::: "memory"); /* order: mmio.write */
}

static inline uint32_t mmio_read32(uintptr_t address) {
    uint32_t value = *(volatile uint32_t *)address;
    fence_after_read();
    return value;
}
static inline void mmio_write32(uintptr_t address, uint32_t value) {
    fence_before_write();
    *(volatile uint32_t *)address = value;
}
static inline uint8_t mmio_read8(uintptr_t address) {
    uint8_t value = *(volatile uint8_t *)address;
    fence_after_read();
    return value;
}
static inline void mmio_write8(uintptr_t address, uint8_t value) {
    fence_before_write();
    *(volatile uint8_t *)address = value;
}

#endif
