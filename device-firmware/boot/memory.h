/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the boot stage has its memory: in that of the first hart, which is nobody's before the
 * firmware runs.
 *
 *   +------------------------+---------+------------------------ … +
 *   | boot stage, stack last |         | update that is asked for  |
 *   +------------------------+---------+------------------------ … +
 *   0                        64 KiB    1 MiB */
#ifndef RIVULET_BOOT_MEMORY_H
#define RIVULET_BOOT_MEMORY_H

#include "board.h"

#define BOOT_STAGE_BASE BOARD_HARTS_BASE
#define BOOT_STAGE_BYTES 0x10000
#define BOOT_MOST_HARTS 64
#define BOOT_UPDATE_BASE (BOARD_HARTS_BASE + 0x100000)

#endif
