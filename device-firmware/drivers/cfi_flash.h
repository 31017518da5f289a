/* SPDX-License-Identifier: Apache-2.0
 *
 * NOR flash with Intel's command set (JEDEC's CFI, primary command set 1), as a bank of 32 bits
 * that is made of two chips of 16. While these run, nothing else can be read of the bank: its code
 * is elsewhere, and so are the other harts. Nothing that takes longer than a few seconds is waited
 * for. */
#ifndef RIVULET_FIRMWARE_CFI_FLASH_H
#define RIVULET_FIRMWARE_CFI_FLASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Each is false if the chip reports a failure (write-protected, worn out) or never gets ready. */
bool cfi_flash_erase(uintptr_t block);
/* Whole words; `at` is aligned. Makes ones zeros only. */
bool cfi_flash_program(uintptr_t at, const uint32_t *words, size_t count);

#endif
