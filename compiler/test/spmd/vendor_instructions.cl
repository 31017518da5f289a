// SPDX-License-Identifier: Apache-2.0
// Built-in functions of a board's table are instructions where the hart has the extension, with vl
// and vtype of the strip.
// RUN: %cc %s --instructions=%S/../Inputs/instructions.h --target=rv64gcv_xacme_zvbb_zvqdotq --vlen=256 -DSPLIT --emit=asm -o - | FileCheck %s
// RUN: %cc %s --instructions=%S/../Inputs/instructions.h --target=rv64gcv_xtheadvdot --vlen=256 --emit=asm -o - | FileCheck --check-prefix=THEAD %s
// RUN: %cc %s --instructions=%S/../Inputs/instructions.h --target=rv32gcv_xacme --emit=asm -o - | FileCheck --check-prefix=WORDS %s
// Elsewhere the bodies run: on other harts, without vectors, on the host, where lanes stay work-items.
// RUN: %cc %s --instructions=%S/../Inputs/instructions.h --emit=asm -o - | FileCheck --check-prefix=NONE %s
// RUN: %cc %s --instructions=%S/../Inputs/instructions.h --target=rv64gc_xacme_zvbb --emit=asm -o - | FileCheck --check-prefix=NONE %s
// RUN: %cc %s --instructions=%S/../Inputs/instructions.h --target=host --emit=asm -o - | FileCheck --check-prefix=NONE %s
// RUN: %cc %s --instructions=%S/../Inputs/instructions.h --target=rv64gcv_xacme -rvl-vectorize=off --emit=asm -o - | FileCheck --check-prefix=NONE %s
// NONE-NOT: {{[.]insn|vandn|vwsll|vmaqa|vqdot}}
// The image needs the extension, though LLVM doesn't know it; one that doesn't use it, does not.
// RUN: %cc %s --instructions=%S/../Inputs/instructions.h --target=rv64gcv_xacme -o %t
// RUN: %cc --dump %t | FileCheck --check-prefix=NOTE %s
// NOTE: isa rv64{{.*}}_xacme,
// RUN: %cc %s -DPLAIN --instructions=%S/../Inputs/instructions.h --target=rv64gcv_xacme -o %t
// RUN: %cc --dump %t | FileCheck --check-prefix=PLAIN %s
// PLAIN-NOT: xacme
// An object has what it uses of the table.
// RUN: %cc %s --instructions=%S/../Inputs/instructions.h --target=rv64gcv_xacme --emit=object -o %t
// RUN: %cc %t --target=rv64gcv_xacme --emit=asm -o - | FileCheck --check-prefix=WORDS %s

#ifdef PLAIN
kernel void plain(global int *o) { *o = 1; }
#else
// The scalar form where the operand is the same for all; masked lanes are computed, too.
// CHECK-LABEL: mix:
// CHECK: vsetvli zero, {{[ats][0-9]+}}, e32, m[[LMUL:[1-8]]], ta, ma
// CHECK-NEXT: .insn r 11, 6, 1, v{{[0-9]+}}, v{{[0-9]+}}, {{[ats][0-9]+}}
// CHECK: vsetvli zero, {{[ats][0-9]+}}, e32, m[[LMUL]], ta, ma
// CHECK-NEXT: .insn r 11, 7, 1, v{{[0-9]+}}, v{{[0-9]+}}, v{{[0-9]+}}
// CHECK-NEXT: #NO_APP
// CHECK: vset{{.*}}e32
// CHECK: vse32.v
// WORDS: .insn r 11, 6, 1, v
kernel void mix(global int *o, global const int *a, int n) {
    size_t i = get_global_id(0);
    o[i] = acme_mix(a[i], n) + acme_mix(n, a[i]);
}

// The sum is overwritten in place; only active lanes are stored.
// CHECK-LABEL: mac:
// CHECK: .insn r 11, 5, 1, v[[SUM:[0-9]+]], v{{[0-9]+}}, v{{[0-9]+}}
// CHECK: vse32.v v[[SUM]], {{.*}}, v0.t
kernel void mac(global int *o, global const int *a) {
    size_t i = get_global_id(0);
    if (a[i] > 3)
        o[i] = acme_mac(o[i], a[i], a[i + 1]);
}

// Elements of a byte.
// CHECK-LABEL: bytes:
// CHECK: e8, m
// CHECK: vandn.vv
// CHECK: e8, m
// CHECK-NEXT: vandn.vx
kernel void bytes(global uchar *o, global uchar *p, uchar n) {
    size_t i = get_global_id(0);
    o[i] = acme_andn(acme_andn(o[i], p[i]), n);
}

// vtype has the width of the operands, and the result other registers than they.
// CHECK-LABEL: widens:
// CHECK: e32, m[[HALF:[124]]], ta, ma
// CHECK-NEXT: vwsll.vv
kernel void widens(global ulong *o, global const uint *a, global const uint *b) {
    size_t i = get_global_id(0);
    o[i] = acme_wsll(a[i], b[i]);
}

// CHECK-LABEL: reals:
// CHECK: vfmacc.vf v{{[0-9]+}}, fa{{[0-9]+}}, v{{[0-9]+}}
// Without a form for these operands the body runs for each lane.
// CHECK-LABEL: no_form:
// CHECK-NOT: vfmacc.vf
// CHECK: fmadd.s
kernel void reals(global float *o, float f) {
    size_t i = get_global_id(0);
    o[i] = acme_fmac(o[i], f, o[i + 1]);
}
kernel void no_form(global float *o) {
    size_t i = get_global_id(0);
    o[i] = acme_fmac(o[i], o[i + 2], o[i + 1]);
}

// CHECK-LABEL: dot:
// CHECK: vqdot.vv
// THEAD-LABEL: dot:
// THEAD: th.vmaqa.vv
kernel void dot(global int *o, global const int *a, global const int *b) {
    size_t i = get_global_id(0);
    o[i] = acme_dot(o[i], a[i], b[i]);
    o[i] = acme_dot_t(o[i], a[i], b[i]);
}

// A mask is in v0; elements that it excludes keep what was in the result's register.
// CHECK-LABEL: masked:
// CHECK-DAG: vmslt.vx v0,
// CHECK: e32, m{{[1-8]}}, ta, mu
// CHECK-NEXT: .insn r 11, 4, 0, v[[#]], v[[#]], v[[#]]
// CHECK: e32, m{{[1-8]}}, ta, mu
// CHECK-NEXT: vandn.vv v[[#]], v[[#]], v[[#]], v0.t
// CHECK: , ta, mu
// CHECK: vandn.vv v[[#]], v[[#]], v[[#]], v0.t
// CHECK: vadc.vvm v[[#]], v[[#]], v[[#]], v0
kernel void masked(global int *o, global const uint *a, int n) {
    size_t i = get_global_id(0);
    bool where = o[i] < n;
    uint x = acme_mix_where(o[i], a[i], a[i + 1], where);
    x = acme_andn_where(x, a[i], a[i + 1], where);
    x = acme_andn_masked(x, a[i + 2], a[i + 1], where);
    o[i] = acme_add_carry(x, a[i], where);
}

// Vectors of more than eight registers are halves.
// CHECK-LABEL: split:
// CHECK: e64, m8, ta, ma
// CHECK: e32, m4, ta, ma
// CHECK-NEXT: vwsll.vv
// CHECK: e32, m4, ta, ma
// CHECK-NEXT: vwsll.vv
#ifdef SPLIT
kernel __attribute__((intel_reqd_sub_group_size(64)))
void split(global ulong *o, global const uint *a, global const uint *b) {
    size_t i = get_global_id(0);
    o[i] = acme_wsll(a[i], b[i]) + sub_group_broadcast(o[i], 3);
}
#endif
#endif
