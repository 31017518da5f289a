/* SPDX-License-Identifier: Apache-2.0
 *
 * The boot stage's memory: the board's region `boot`. It trusts an update request that it
 * finds there, so kernels must never be able to write to it: it belongs neither to the harts'
 * memory nor to the heap, the only memory that the firmware opens to them, and the firmware clears
 * the request before it serves a host.
 *
 *   +------------------------+---------------------------+
 *   | boot stage, stack last | requested update          |
 *   +------------------------+---------------------------+
 *   0                        64 KiB */
#ifndef RIVULET_BOOT_MEMORY_H
#define RIVULET_BOOT_MEMORY_H

#include "board.h"

#ifndef BOARD_BOOT_BASE
#error "a board with a boot stage needs a region with the label boot (boards/template/board.dts)"
#endif

#define BOOT_STAGE_BASE BOARD_BOOT_BASE
#define BOOT_STAGE_BYTES 0x10000
#define BOOT_MOST_HARTS 64
#define BOOT_UPDATE_BASE (BOARD_BOOT_BASE + BOOT_STAGE_BYTES)
#define BOOT_UPDATE_BYTES (BOARD_BOOT_BYTES - BOOT_STAGE_BYTES)

#endif
