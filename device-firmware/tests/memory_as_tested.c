/* SPDX-License-Identifier: Apache-2.0
 *
 * The firmware's functions beside those of the host's C library. */
#define memset firmware_memset
#define memcpy firmware_memcpy
#define memmove firmware_memmove
#include "device-firmware/arch/riscv/memory.c"
