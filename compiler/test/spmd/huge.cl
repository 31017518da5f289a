// SPDX-License-Identifier: Apache-2.0
// In a huge function each block takes a vector length of its own from the one of the strip: LLVM
// needs the square of what shares one. In others they share it. The length of a sub-group is what is
// left of the work-group, no vsetvli's. Many uses in one block don't share one either.
// RUN: %cc %s --emit=asm --vlen=256 -DSTEPS=EIGHT | FileCheck %s --check-prefix=HUGE
// RUN: %cc %s --emit=asm --vlen=256 -DSTEPS=STEP | FileCheck %s --check-prefix=SMALL
// RUN: %cc %s --emit=asm --vlen=256 -cl-std=CL3.0 -DSTEPS=EIGHT -DWAVES \
// RUN:   | FileCheck %s --check-prefix=WAVES
// RUN: %cc %s --emit=asm --vlen=256 -DSTEPS=STEP -DLONG | FileCheck %s --check-prefix=LONG
#define STEP v = (v ^ v >> 7) * n + v;
#define EIGHT STEP STEP STEP STEP STEP STEP STEP STEP
#define BLOCK(bit) \
    if (n >> bit & 1) { \
        v ^= b[i + bit]; \
        STEPS STEPS STEPS STEPS STEPS STEPS STEPS STEPS STEPS STEPS STEPS STEPS \
    }

// HUGE-LABEL: mix:
// HUGE: #APP
// HUGE-NEXT: #NO_APP
// HUGE-NEXT: vsetvli
// HUGE: vle32.v
// SMALL-LABEL: mix:
// SMALL-NOT: #APP
// SMALL: vle32.v
// WAVES-LABEL: mix:
// WAVES-COUNT-32: #APP
// LONG-LABEL: mix:
// LONG-COUNT-50: #APP
kernel void mix(global uint *a, global const uint *b, uint n) {
    size_t i = get_global_id(0);
    uint v = a[i];
#ifdef WAVES
    v ^= get_sub_group_id();
#endif
#ifdef LONG
#define WORD v = (v ^ v >> 7) * n + b[v % n] / v;
#define WORDS WORD WORD WORD WORD WORD WORD WORD WORD WORD WORD WORD WORD WORD WORD WORD WORD
    WORDS WORDS WORDS WORDS WORDS WORDS WORDS WORDS WORDS WORDS WORDS WORDS WORDS WORDS WORDS WORDS
#endif
    for (uint k = 0; k < n; ++k) {
        BLOCK(0) BLOCK(1) BLOCK(2) BLOCK(3) BLOCK(4) BLOCK(5) BLOCK(6) BLOCK(7)
        BLOCK(8) BLOCK(9) BLOCK(10) BLOCK(11) BLOCK(12) BLOCK(13) BLOCK(14) BLOCK(15)
        BLOCK(16) BLOCK(17) BLOCK(18) BLOCK(19) BLOCK(20) BLOCK(21) BLOCK(22) BLOCK(23)
        BLOCK(24) BLOCK(25) BLOCK(26) BLOCK(27) BLOCK(28) BLOCK(29) BLOCK(30) BLOCK(31)
    }
    a[i] = v;
}
