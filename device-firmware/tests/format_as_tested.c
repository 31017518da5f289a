/* SPDX-License-Identifier: Apache-2.0
 *
 * Renames the firmware's functions, so that they can be linked with the host's C library. */
#define vsnprintf firmware_vsnprintf
#define snprintf firmware_snprintf
#include "device-firmware/arch/riscv/format.c"
