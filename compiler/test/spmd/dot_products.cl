// SPDX-License-Identifier: Apache-2.0
// Dot products of four bytes are one instruction where the hart has it.
// RUN: %cc %s -cl-std=CL3.0 --target=rv64gcv_zvqdotq --vlen=512 --emit=asm -o - | FileCheck --check-prefix=ZVQDOTQ %s
// RUN: %cc %s -cl-std=CL3.0 --target=rv64gcv_xtheadvdot --vlen=512 --emit=asm -o - | FileCheck --check-prefix=THEAD %s
// RUN: %cc %s -cl-std=CL3.0 --target=rv64gcv_xandesvdot --vlen=512 --emit=asm -o - | FileCheck --check-prefix=ANDES %s
// RUN: %cc %s -cl-std=CL3.0 --vlen=512 --emit=asm -o - | FileCheck --check-prefix=NONE %s
// RUN: %cc %s -cl-std=CL3.0 --target=rv64gc_zvqdotq --emit=asm -o - | FileCheck --check-prefix=SCALAR %s
// RUN: %cc %s -cl-std=CL3.0 --target=rv64gcv_zvqdotq -o %t
// RUN: %cc %s -cl-std=CL3.0 --target=rv32imafdc_zve32f_zvqdotq --vlen=128 --emit=asm -o - | FileCheck --check-prefix=WORDS %s
// NONE-NOT: {{vqdot|th\.vmaqa|nds\.vd4dot}}
// Without a vector unit that passes use, LLVM knows of none.
// SCALAR-NOT: {{vqdot[su]*\.v|zve32x|vset}}

// The sum of a loop is the one that the instruction adds to.
// ZVQDOTQ-LABEL: sum:
// ZVQDOTQ: vle32.v
// ZVQDOTQ: vqdot.vx
// THEAD-LABEL: sum:
// THEAD: th.vmaqa.vv
// ANDES-LABEL: sum:
// ANDES: nds.vd4dots.vv
// WORDS: vqdot.vx
kernel void sum(global const uint *a, global const uint *b, global int *c, int n, int width) {
    int x = get_global_id(0), s = 0;
    for (int k = 0; k < n; ++k)
        s += dot_4x8packed_ss_int(a[k], b[k * width + x]);
    c[x] = s;
}
// ZVQDOTQ-LABEL: saturates:
// ZVQDOTQ: vqdotu.vv
// ZVQDOTQ: vsaddu.vv
// THEAD-LABEL: saturates:
// THEAD: th.vmaqau.vv
// ANDES-LABEL: saturates:
// ANDES: nds.vd4dotu.vv
kernel void saturates(global const uchar4 *a, global const uchar4 *b, global uint *c) {
    int i = get_global_id(0);
    c[i] = dot_acc_sat(a[i], b[i], c[i]);
}

// vs2 has the signed bytes of vqdotsu, vs1 those of the others.
// ZVQDOTQ-LABEL: signed_first:
// ZVQDOTQ: vle32.v [[A:v[0-9]+]], (
// ZVQDOTQ-NOT: ret
// ZVQDOTQ: vqdotsu.vv {{v[0-9]+}}, [[A]], {{v[0-9]+}}
// THEAD-LABEL: signed_first:
// THEAD: vle32.v [[A:v[0-9]+]], (
// THEAD: th.vmaqasu.vv {{v[0-9]+}}, [[A]], {{v[0-9]+}}
// ANDES-LABEL: signed_first:
// ANDES: vle32.v [[A:v[0-9]+]], (
// ANDES: nds.vd4dotsu.vv {{v[0-9]+}}, [[A]], {{v[0-9]+}}
kernel void signed_first(global const char4 *a, global const uchar4 *b, global int *c) {
    int i = get_global_id(0);
    c[i] = dot(a[i], b[i]);
}
// ZVQDOTQ-LABEL: signed_last:
// ZVQDOTQ: vle32.v [[A:v[0-9]+]], (
// ZVQDOTQ: vqdotsu.vv {{v[0-9]+}}, {{v[0-9]+}}, [[A]]
// THEAD-LABEL: signed_last:
// THEAD: vle32.v [[A:v[0-9]+]], (
// THEAD: th.vmaqasu.vv {{v[0-9]+}}, {{v[0-9]+}}, [[A]]
kernel void signed_last(global const uchar4 *a, global const char4 *b, global int *c) {
    int i = get_global_id(0);
    c[i] = dot(a[i], b[i]);
}

// A word that all work-items share is a scalar: signed with unsigned bytes, or the other way round.
// ZVQDOTQ-LABEL: signed_scalar:
// ZVQDOTQ: vqdotus.vx
// THEAD-LABEL: signed_scalar:
// THEAD: th.vmaqasu.vv
kernel void signed_scalar(global const uint *a, global int *c, uint w) {
    int i = get_global_id(0);
    c[i] = dot_4x8packed_us_int(a[i], w);
}
// ZVQDOTQ-LABEL: unsigned_scalar:
// ZVQDOTQ: vqdotsu.vx
kernel void unsigned_scalar(global const uint *a, global int *c, uint w) {
    int i = get_global_id(0);
    c[i] = dot_4x8packed_us_int(w, a[i]);
}

// The same for all work-items: scalar code, once.
// ZVQDOTQ-LABEL: uniform:
// ZVQDOTQ-NOT: vqdot
// ZVQDOTQ: .size uniform
kernel void uniform(global int *c, uint v, uint w) {
    c[get_global_id(0)] = dot_4x8packed_su_int(v, w);
}
