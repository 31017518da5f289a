/* SPDX-License-Identifier: Apache-2.0
 *
 * Maintains the hart's caches, using Zicbom or the platform's own instructions. */
#include <string.h>

#include "device-firmware/arch/riscv/riscv.h"
#include "device-firmware/drivers/platform.h"

static void cbo_inval(uintptr_t address) {
    __asm__ volatile(".insn i 0x0f, 2, x0, %0, 0" ::"r"(address) : "memory");
}
static void cbo_clean(uintptr_t address) {
    __asm__ volatile(".insn i 0x0f, 2, x0, %0, 1" ::"r"(address) : "memory");
}

/* S mode may use Zicbom only as far as M mode lets it, whatever the ISA string says. */
bool riscv_has_cache_operations(const char *isa) {
    static uint8_t block[RVL_LARGEST_CACHE_BLOCK]
        __attribute__((aligned(RVL_LARGEST_CACHE_BLOCK))); /* of which nothing can be lost */
    const platform *row = platform_row();
    return (row->cache_clean && row->cache_invalidate) ||
           (strstr(isa, "zicbom") && riscv_succeeds(cbo_clean, (uintptr_t)block) &&
            riscv_succeeds(cbo_inval, (uintptr_t)block));
}

/* Fences on both sides: these operations are ordered like stores and output (CMO manual, 2.6),
 * and writes by other harts must have reached the caches first. */
static void for_each_block(const firmware *f, uint64_t address, uint64_t bytes,
                           void (*operation)(uintptr_t)) {
    if (!bytes)
        return;
    const uint64_t block = f->cache_block, end = address + bytes;
    __asm__ volatile("fence iorw, iorw" ::: "memory");
    for (uint64_t at = address & -block; at < end; at += block)
        operation((uintptr_t)at);
    __asm__ volatile("fence iorw, iorw" ::: "memory");
}

void arch_cache_clean(const firmware *f, uint64_t address, uint64_t bytes) {
    const platform *row = platform_row();
    for_each_block(f, address, bytes, row->cache_clean ? row->cache_clean : cbo_clean);
}

void arch_cache_invalidate(const firmware *f, uint64_t address, uint64_t bytes) {
    const platform *row = platform_row();
    for_each_block(f, address, bytes, row->cache_invalidate ? row->cache_invalidate : cbo_inval);
}
