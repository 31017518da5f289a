// SPDX-License-Identifier: Apache-2.0
// Code grows with the number of conditions, not with its square: what leaves a guard for a block
// behind others leaves it by one edge. 128 conditions take at most 9,999 instructions (some 50
// each; they took 150 and 10 spilled vectors each when every one had an edge through all guards).
// RUN: %cc %s --vlen=512 -o %t --stats -DAND 2>&1 | FileCheck %s
// RUN: %cc %s --vlen=512 -o %t --stats -DOR 2>&1 | FileCheck %s
// RUN: %cc %s --vlen=512 -o %t --stats -DCONTINUE 2>&1 | FileCheck %s
// RUN: %cc %s --vlen=512 -o %t --stats -DBREAK 2>&1 | FileCheck %s
// RUN: %cc %s --vlen=512 -o %t --stats -DGOTO 2>&1 | FileCheck %s
// RUN: %cc %s --vlen=1024 -o %t --stats -DAND 2>&1 | FileCheck %s
// RUN: %cc %s --target=rv32gc_zve32f --vlen=128 -o %t --stats -DAND 2>&1 | FileCheck %s
// CHECK: kernel k: {{[0-9]?[0-9][0-9][0-9]}} instructions
#define X2(F, n) F(n) F(n + 1)
#define X8(F, n) X2(F, n) X2(F, n + 2) X2(F, n + 4) X2(F, n + 6)
#define X32(F, n) X8(F, n) X8(F, n + 8) X8(F, n + 16) X8(F, n + 24)
#define X128(F) X32(F, 0) X32(F, 32) X32(F, 64) X32(F, 96)
#define BOTH(n) &&in[g + n] > g *(n)
#define EITHER(n) || in[g + n] > g *(n)
#define ONE(n, leave)                                                                              \
    if (in[g + j + n] < j * (n))                                                                   \
        leave;                                                                                     \
    s += in[j + g * (n)];
#define CONTINUES(n) ONE(n, continue)
#define BREAKS(n) ONE(n, break)
#define GOES(n) ONE(n, goto end)

kernel void k(global uint *out, global const uint *in, uint m) {
    uint g = get_global_id(0), s = 0;
#ifdef AND
    if (in[g] X128(BOTH))
        out[g] = 1;
    else
        out[g] = 2;
#elif defined OR
    if (in[g] X128(EITHER))
        out[g] = 1;
    else
        out[g] = 2;
#elif defined GOTO
    uint j = in[g];
    X128(GOES)
    s *= 3;
end:
    out[g] = s;
#else
    for (uint j = 0; j < m; ++j) {
#ifdef CONTINUE
        X128(CONTINUES)
#else
        X128(BREAKS)
#endif
        s ^= j;
    }
    out[g] = s;
#endif
}
