/* SPDX-License-Identifier: Apache-2.0
 *
 * The most harts that the firmware uses; also for assembly code. */
#ifndef RIVULET_FIRMWARE_MAX_HARTS_H
#define RIVULET_FIRMWARE_MAX_HARTS_H

#include "board.h"

#ifdef BOARD_MAX_HARTS /* rivulet,max-harts of /chosen */
#define MAX_HARTS BOARD_MAX_HARTS
#else
#define MAX_HARTS 64
#endif

#endif
