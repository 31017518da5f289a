// SPDX-License-Identifier: Apache-2.0
// RVV's conversions saturate and round by themselves; NaN is the smaller of two.
// RUN: %cc %s --emit=spmd | FileCheck %s
// RUN: %cc %s --emit=asm | FileCheck %s --check-prefix=ASM
// CHECK-LABEL: @to_bytes(
// CHECK: @llvm.maxnum
// CHECK: @llvm.riscv.vfncvt.xu.f.w{{.*}}i64 7,
// CHECK: @llvm.umin
// ASM-LABEL: to_bytes:
// ASM: vfmax.vf
// ASM-NOT: vfmin
// ASM: vfncvt.xu.f.w
// ASM-NOT: vnsrl
// ASM: vnclipu.wi
kernel void to_bytes(global const float *a, global uchar *b) {
    int i = get_global_id(0);
    b[i] = convert_uchar_sat_rte(a[i]);
}
// Negative values are numbers still: the code looks for NaN.
// CHECK-LABEL: @to_shorts(
// CHECK: [[NAN:%.*]] = fcmp uno
// CHECK: @llvm.riscv.vfncvt.rtz.x.f.w
// CHECK: select <vscale x {{[0-9]+}} x i1> [[NAN]]
kernel void to_shorts(global const float *a, global short *b) {
    int i = get_global_id(0);
    b[i] = convert_short_sat(a[i]);
}
// A conversion with another rounding direction is one instruction, too.
// CHECK-LABEL: @upwards(
// CHECK-NOT: @llvm.ceil
// CHECK: @llvm.riscv.vfcvt.xu.f.v{{.*}}i64 3,
kernel void upwards(global const float *a, global uint *b) {
    int i = get_global_id(0);
    b[i] = convert_uint_sat_rtp(a[i]);
}
// Conversions to more bits are left to the backend.
// CHECK-LABEL: @to_longs(
// CHECK: @llvm.fptosi.sat
kernel void to_longs(global const float *a, global long *b) {
    int i = get_global_id(0);
    b[i] = convert_long_sat(a[i]);
}
// The conversion stays as it is where a sub-group's vectors take more than eight registers.
// RUN: %cc %s --vlen=128 -cl-std=CL3.0 -DSUB_GROUPS -o %t
// RUN: %cc %s --vlen=128 -cl-std=CL3.0 -DSUB_GROUPS --emit=spmd | FileCheck %s --check-prefix=WIDE
// WIDE-LABEL: @of_sub_groups(
// WIDE: @llvm.fptoui.sat.nxv16i64.nxv16f64
#ifdef SUB_GROUPS
__attribute__((intel_reqd_sub_group_size(32))) kernel void of_sub_groups(global const double *a,
                                                                         global ulong *b) {
    int i = get_global_id(0);
    b[i] = convert_ulong_sat(a[i]) + get_sub_group_local_id();
}
#endif
