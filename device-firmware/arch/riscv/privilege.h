/* SPDX-License-Identifier: Apache-2.0
 *
 * The mode that the firmware runs in: M mode or, on boards with `rivulet,privilege =
 * "supervisor"`, S mode above an SBI. Both have the same registers for traps and interrupts, under
 * names with another first letter, for which the privileged manual writes x: XTVEC is mtvec or
 * stvec. For C and assembly. */
#ifndef RIVULET_FIRMWARE_PRIVILEGE_H
#define RIVULET_FIRMWARE_PRIVILEGE_H

#include "board.h"

#ifndef BOARD_SUPERVISOR
#define XSTATUS mstatus
#define XIE mie
#define XIP mip
#define XTVEC mtvec
#define XSCRATCH mscratch
#define XEPC mepc
#define XCAUSE mcause
#define XTVAL mtval
#define XRET mret
#define XCYCLE 0xb00 /* counters: numbers, because some may not exist */
#define XCYCLEH 0xb80
#define XINSTRET 0xb02
#define XINSTRETH 0xb82
#define XISELECT 0x350 /* AIA */
#define XIREG 0x351
#define XTOPEI 0x35c

#define MNSCRATCH 0x740 /* Smrnmi */
#define MNEPC 0x741
#define MNCAUSE 0x742
#define MNSTATUS 0x744
#define MNSTATUS_NMIE 8

#define XSTATUS_XPP 0x1800 /* 0: xRET goes to U mode */
#define XIP_SOFTWARE 0x8
#define XIP_EXTERNAL 0x800
/* Exceptions of accesses that kernels may not do (pmp.c). */
#define CAUSE_FETCH_DENIED 1
#define CAUSE_LOAD_DENIED 5
#define CAUSE_STORE_DENIED 7
#else
#define XSTATUS sstatus
#define XIE sie
#define XIP sip
#define XTVEC stvec
#define XSCRATCH sscratch
#define XEPC sepc
#define XCAUSE scause
#define XTVAL stval
#define XRET sret
#define XCYCLE 0xc00 /* counters: numbers, because some may not exist */
#define XCYCLEH 0xc80
#define XINSTRET 0xc02
#define XINSTRETH 0xc82
#define XISELECT 0x150 /* AIA */
#define XIREG 0x151
#define XTOPEI 0x15c

#define XSTATUS_XPP 0x100 /* 0: xRET goes to U mode */
#define XIP_SOFTWARE 0x2
#define XIP_TIMER 0x20
#define XIP_EXTERNAL 0x200
/* Page faults (paging.c). */
#define CAUSE_FETCH_DENIED 12
#define CAUSE_LOAD_DENIED 13
#define CAUSE_STORE_DENIED 15
#endif

#define CAUSE_ILLEGAL 2
#define CAUSE_ECALL_FROM_U 8

/* Writable bits of XSTATUS that must not be inherited from earlier software. Bits 25 to 30 have no
 * meaning in the privileged manual, but matrix units are switched on there: XSfmm's tiles by bits
 * 29 and 30, those of SpacemiT's draft by bits 25 and 26. Nothing clears tiles, so they stay off.
 */
#ifdef BOARD_SUPERVISOR
#define XSTATUS_INHERITED                                                                          \
    0x678c6762 /* SIE, SPIE, UBE, SPP, VS, FS, SUM, MXR, SPELP, SDT; 25, 26, 29, 30 */
#elif __riscv_xlen == 64
#define XSTATUS_INHERITED 0x6f07fffffea /* up to 30; SBE, MBE, GVA, MPV, MPELP, MDT */
#else
#define XSTATUS_INHERITED 0x7fffffea /* up to 30 */
#endif

#endif
