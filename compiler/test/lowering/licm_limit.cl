// SPDX-License-Identifier: Apache-2.0
// LICM takes the square of a loop's blocks: it leaves those of more than 1,000 alone.
// RUN: %cc %s --emit=spmd --target=rv64gc -DBLOCKS=THOUSAND | %opt -passes=rvl-licm-limit - | FileCheck %s --check-prefix=LARGE
// RUN: %cc %s --emit=spmd --target=rv64gc -DBLOCKS=HUNDRED | %opt -passes=rvl-licm-limit - | FileCheck %s --check-prefix=SMALL
// LARGE: !{!"llvm.licm.disable", i32 1}
// SMALL-NOT: !"llvm.licm.disable", i32 1
#define BLOCK if (x & 1) { out[x & 255] = x; x = x * 5 + 1; } else { out[x & 127] += 3; x = x * 7 + 2; }
#define TEN BLOCK BLOCK BLOCK BLOCK BLOCK BLOCK BLOCK BLOCK BLOCK BLOCK
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
#define THOUSAND HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED
kernel void walk(global uint *out, uint x, uint n) {
    for (uint i = 0; i < n; i++) {
        BLOCKS
    }
}
