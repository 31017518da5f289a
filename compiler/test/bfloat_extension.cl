// SPDX-License-Identifier: Apache-2.0
// cl_rivulet_bfloat is there where floats have registers; its functions stand beside those of other
// types, and its pragma is silent. A file that is included may name it, too.
// RUN: %cc %s -o %t 2>&1 | FileCheck %s --allow-empty --check-prefix=SILENT
// RUN: %cc %s -o %t -cl-std=CL1.1 2>&1 | FileCheck %s --allow-empty --check-prefix=SILENT
// RUN: %cc %s -o %t -cl-std=CL3.0 2>&1 | FileCheck %s --allow-empty --check-prefix=SILENT
// RUN: %cc %s -o %t -cl-std=CLC++2021 2>&1 | FileCheck %s --allow-empty --check-prefix=SILENT
// RUN: %cc %s -o %t -cl-opt-disable
// RUN: %cc %s -o %t --target=rv32gc
// RUN: %cc %s -o %t --target=rv32imafc_zve32f --vlen=128
// RUN: %cc %s -o %t --target=host
// RUN: %cc %s -o %t --target=rv64gcv_zfbfmin_zvfbfmin_zvfbfwma --vlen=512
// RUN: %cc %s --emit=asm -o - --target=rv64gcv_zfbfmin_zvfbfmin_zvfbfwma --vlen=512 | FileCheck %s
// RUN: %cc %s --emit=asm -o - --target=rv64gcv --vlen=512 | FileCheck %s --check-prefix=SHIFTS
// RUN: %cc %s -o %t -DABSENT --target=rv64imac
// RUN: echo '#include "%s"' > %t.cl && %cc %t.cl -o %t
// SILENT-NOT: {{.}}
#pragma OPENCL EXTENSION cl_rivulet_bfloat : enable
#if defined(cl_rivulet_bfloat) == defined(ABSENT)
#error "cl_rivulet_bfloat"
#endif
#ifdef cl_rivulet_bfloat
// CHECK-LABEL: {{^}}product
// CHECK: vfwmaccbf16
// SHIFTS-LABEL: {{^}}product
// SHIFTS-NOT: call
// SHIFTS: vfm{{acc|add}}.vv
kernel void product(global float *sum, global bfloat *a, global bfloat *b) {
    size_t i = get_global_id(0);
    sum[i] = bfloat_fma(a[i], b[i], sum[i]);
}
// CHECK-LABEL: {{^}}narrow
// CHECK: vfncvtbf16
kernel void narrow(global float *a, global bfloat *b) {
    size_t i = get_global_id(0);
    b[i] = convert_bfloat(a[i]);
}
kernel void beside_others(global bfloat *a, global float *b, global int *c, bfloat4 d) {
    size_t i = get_global_id(0);
    float4 x = convert_float4(vload4(i, a)) + convert_float4(vload4(i, c)) + vload4(i, b);
    x += convert_float4(d) + convert_float4_rtz(vload4(i, c)) + convert_float4_rtz(d);
    vstore4(x, i, b);
    vstore4(convert_bfloat4_rtp(x), i, a);
    vstore4(as_int4(x), i, c);
    vstorea_bfloat3_rtn(x.xyz, i + 1, a);
    b[i] = fma(convert_float(a[i]), convert_float(c[i]), b[i]);
}
#pragma OPENCL SELECT_ROUNDING_MODE rtz
kernel void truncates(global bfloat *a, global float *b, global int *c) {
    size_t i = get_global_id(0);
    a[i] = convert_bfloat(b[i]) * a[i + 1] + (bfloat)c[i] - (bfloat)b[i + 1];
    b[i] = convert_float(a[i + 2]);
    vstore_bfloat2((float2)(b[i + 3]), i, a);
}
#endif
