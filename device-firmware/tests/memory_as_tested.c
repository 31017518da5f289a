/* SPDX-License-Identifier: Apache-2.0
 *
 * Renames the firmware's functions, so that they can be linked with the host's C library. */
#define memset firmware_memset
#define memcpy firmware_memcpy
#define memmove firmware_memmove
#include "device-firmware/arch/riscv/memory.c"
