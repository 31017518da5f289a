/* SPDX-License-Identifier: Apache-2.0
 *
 * Comes between the SBI and the firmware, with any value in a1; starts_test.py fills in the words. The
 * firmware starts the other harts itself. */
#if __riscv_xlen == 64
#define LOAD ld
#else
#define LOAD lw
#endif
        .option norelax
        .text
        j       begin
        .balign 8
entry:  .8byte  0                       /* of the firmware */
set:    .8byte  0                       /* else a1 stays as it is */
given:  .8byte  0

begin:  LOAD    t0, set
        beqz    t0, 1f
        LOAD    a1, given
1:      LOAD    t0, entry
        jr      t0
