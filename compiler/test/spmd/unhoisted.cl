// SPDX-License-Identifier: Apache-2.0
// Nothing is hoisted out of loops of huge functions after selection: it would take every block of
// the loop times every exit.
// RUN: %cc %s --emit=asm --vlen=256 -DHUGE | FileCheck %s --check-prefix=HUGE
// RUN: %cc %s --emit=asm --vlen=256 | FileCheck %s --check-prefix=SMALL
#define STEP v = (v ^ v >> 7) * n + v;
#define STEPS STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP
#define BLOCK(bit) \
    if (n >> bit & 1) { \
        v ^= b[i + bit]; \
        STEPS STEPS STEPS STEPS STEPS STEPS STEPS STEPS STEPS STEPS STEPS STEPS \
    }

// HUGE-LABEL: mix:
// HUGE: lui {{.*}}, 74565
// HUGE-NOT: {{^}}.LBB
// HUGE: vadd.vx
// SMALL-LABEL: mix:
// SMALL: lui {{.*}}, 74565
// SMALL: {{^}}.LBB
// SMALL: vadd.vx
kernel void mix(global uint *a, global const uint *b, uint n) {
    size_t i = get_global_id(0);
    uint v = a[i];
    for (uint k = 0; k < n; ++k) {
        v += 0x12345678;
        BLOCK(0)
#ifdef HUGE
        BLOCK(1) BLOCK(2) BLOCK(3) BLOCK(4) BLOCK(5) BLOCK(6) BLOCK(7) BLOCK(8) BLOCK(9) BLOCK(10)
        BLOCK(11) BLOCK(12) BLOCK(13) BLOCK(14) BLOCK(15) BLOCK(16) BLOCK(17) BLOCK(18) BLOCK(19)
        BLOCK(20) BLOCK(21) BLOCK(22) BLOCK(23) BLOCK(24) BLOCK(25) BLOCK(26) BLOCK(27) BLOCK(28)
        BLOCK(29) BLOCK(30) BLOCK(31)
#endif
    }
    a[i] = v;
}
