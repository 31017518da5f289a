// SPDX-License-Identifier: Apache-2.0
// Conversions are instructions of the vector unit, in the rounding mode that is asked for: no calls,
// no lane by itself.
// RUN: %cc %s --vlen=256 --emit=asm | FileCheck %s
// CHECK-LABEL: widened:
// CHECK-NOT: {{call|jalr}}
// CHECK: {{vfcvt.f.xu?.v|vfwcvt.f.xu?.v}}
// CHECK: .Lfunc_end
kernel void widened(global const uchar *a, global float *b) {
    uint i = get_global_id(0);
    b[i] = convert_float(a[i]);
}
// CHECK-LABEL: truncated:
// CHECK-NOT: {{call|jalr}}
// CHECK: {{vfn?cvt.rtz.x.f}}
// CHECK: .Lfunc_end
kernel void truncated(global const float *a, global int *b) {
    uint i = get_global_id(0);
    b[i] = convert_int_rtz(a[i]);
}
// CHECK-LABEL: saturated:
// CHECK-NOT: {{call|jalr}}
// CHECK: vse8.v
// CHECK-NOT: {{call|jalr}}
// CHECK: .Lfunc_end
kernel void saturated(global const float *a, global uchar *b) {
    uint i = get_global_id(0);
    b[i] = convert_uchar_sat_rte(a[i]);
}
