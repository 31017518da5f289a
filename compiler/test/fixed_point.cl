// SPDX-License-Identifier: Apache-2.0
// Saturating, averaging and high-half arithmetic uses RVV's fixed-point instructions; vxrm is set
// where it counts (2: rounds down, 0: rounds half up).
// RUN: %cc %s --emit=asm -o - --vlen=256 | FileCheck %s
#define KERNEL(name, T, R, expression)                                                             \
    kernel void name(global R *out, global const T *x, global const T *y) {                        \
        int i = get_global_id(0);                                                                  \
        T a = x[i], b = y[i];                                                                      \
        out[i] = expression;                                                                       \
    }

// CHECK-LABEL: add_sat_char:
// CHECK: vsadd.vv
KERNEL(add_sat_char, char, char, add_sat(a, b))

// CHECK-LABEL: add_sat_uint:
// CHECK: vsaddu.vv
KERNEL(add_sat_uint, uint, uint, add_sat(a, b))

// CHECK-LABEL: sub_sat_short:
// CHECK: vssub.vv
KERNEL(sub_sat_short, short, short, sub_sat(a, b))

// CHECK-LABEL: sub_sat_ulong:
// CHECK: vssubu.vv
KERNEL(sub_sat_ulong, ulong, ulong, sub_sat(a, b))

// CHECK-LABEL: hadd_int:
// CHECK: csrwi{{[[:space:]]+}}vxrm, 2
// CHECK: vaadd.vv
KERNEL(hadd_int, int, int, hadd(a, b))

// CHECK-LABEL: hadd_uchar:
// CHECK: csrwi{{[[:space:]]+}}vxrm, 2
// CHECK: vaaddu.vv
KERNEL(hadd_uchar, uchar, uchar, hadd(a, b))

// CHECK-LABEL: rhadd_short:
// CHECK: csrwi{{[[:space:]]+}}vxrm, 0
// CHECK: vaadd.vv
KERNEL(rhadd_short, short, short, rhadd(a, b))

// CHECK-LABEL: rhadd_ulong:
// CHECK: csrwi{{[[:space:]]+}}vxrm, 0
// CHECK: vaaddu.vv
KERNEL(rhadd_ulong, ulong, ulong, rhadd(a, b))

// CHECK-LABEL: mul_hi_int:
// CHECK: vmulh.vv
KERNEL(mul_hi_int, int, int, mul_hi(a, b))

// CHECK-LABEL: mul_hi_uchar:
// CHECK: vmulhu.vv
KERNEL(mul_hi_uchar, uchar, uchar, mul_hi(a, b))

// CHECK-LABEL: mul_hi_ulong:
// CHECK: vmulhu.vv
KERNEL(mul_hi_ulong, ulong, ulong, mul_hi(a, b))

// CHECK-LABEL: mad_hi_uint:
// CHECK: vmulhu.vv
// CHECK: vadd.vv
KERNEL(mad_hi_uint, uint, uint, mad_hi(a, b, a))

// CHECK-LABEL: mad_sat_short:
// CHECK: vwmul.vv
// CHECK: vwadd.wv
// CHECK: vnclip.wi
KERNEL(mad_sat_short, short, short, mad_sat(a, b, a))

// CHECK-LABEL: mad_sat_uchar:
// CHECK: vwmulu.vv
// CHECK: vwaddu.wv
// CHECK: vnclipu.wi
KERNEL(mad_sat_uchar, uchar, uchar, mad_sat(a, b, a))

// CHECK-LABEL: convert_char_of_short:
// CHECK: vnclip.wi
KERNEL(convert_char_of_short, short, char, convert_char_sat(a))

// CHECK-LABEL: convert_uchar_of_ushort:
// CHECK: vnclipu.wi
KERNEL(convert_uchar_of_ushort, ushort, uchar, convert_uchar_sat(a))

// CHECK-LABEL: convert_uchar_of_int:
// CHECK: vmax.vx
// CHECK: vnclipu.wi
// CHECK: vnclipu.wi
KERNEL(convert_uchar_of_int, int, uchar, convert_uchar_sat(a))

// CHECK-LABEL: convert_uint_of_ulong:
// CHECK: vnclipu.wi
KERNEL(convert_uint_of_ulong, ulong, uint, convert_uint_sat(a))
