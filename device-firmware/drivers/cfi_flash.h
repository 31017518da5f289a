/* SPDX-License-Identifier: Apache-2.0
 *
 * NOR flash with Intel's command set (JEDEC CFI, primary command set 1), as a 32-bit bank of two
 * 16-bit chips. While these functions run, nothing else can be read from the bank: the caller's
 * code is elsewhere, and so are the other harts. Each wait is limited to a few seconds. */
#ifndef RIVULET_FIRMWARE_CFI_FLASH_H
#define RIVULET_FIRMWARE_CFI_FLASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Both return false if the chip reports a failure (write-protected, worn out) or never becomes
 * ready. */
bool cfi_flash_erase(uintptr_t block);
/* Whole words; `at` is aligned. Programming can only turn ones into zeros. */
bool cfi_flash_program(uintptr_t at, const uint32_t *words, size_t count);

#endif
