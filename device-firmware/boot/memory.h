/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the boot stage has its memory: the board's region `boot`. It believes an update that it
 * finds there, so that kernels must never write to it: it is no part of the harts' memory or the
 * heap, which alone the firmware opens to them, and the firmware drops what is there before each
 * host.
 *
 *   +------------------------+---------------------------+
 *   | boot stage, stack last | update that is asked for  |
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
