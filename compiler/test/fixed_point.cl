// SPDX-License-Identifier: Apache-2.0
// Saturating, averaging and high-half arithmetic uses RVV's fixed-point instructions for every type;
// vxrm is set where it counts (2: rounds down, 0: rounds half up).
// RUN: %cc %s --emit=asm -o - --vlen=256 "-DCALL=add_sat(a, b)" \
// RUN:   | FileCheck --check-prefix=ALL -DSIGNED=vsadd.vv -DUNSIGNED=vsaddu.vv %s
// RUN: %cc %s --emit=asm -o - --vlen=256 "-DCALL=sub_sat(a, b)" \
// RUN:   | FileCheck --check-prefix=ALL -DSIGNED=vssub.vv -DUNSIGNED=vssubu.vv %s
// RUN: %cc %s --emit=asm -o - --vlen=256 "-DCALL=mul_hi(a, b)" \
// RUN:   | FileCheck --check-prefix=ALL -DSIGNED=vmulh.vv -DUNSIGNED=vmulhu.vv %s
// RUN: %cc %s --emit=asm -o - --vlen=256 "-DCALL=mad_hi(a, b, a)" \
// RUN:   | FileCheck --check-prefix=ALL -DSIGNED=vmulh.vv -DUNSIGNED=vmulhu.vv %s
// RUN: %cc %s --emit=asm -o - --vlen=256 "-DCALL=hadd(a, b)" \
// RUN:   | FileCheck --check-prefix=AVERAGE -DSIGNED=vaadd.vv -DUNSIGNED=vaaddu.vv -DROUNDING=2 %s
// RUN: %cc %s --emit=asm -o - --vlen=256 "-DCALL=rhadd(a, b)" \
// RUN:   | FileCheck --check-prefix=AVERAGE -DSIGNED=vaadd.vv -DUNSIGNED=vaaddu.vv -DROUNDING=0 %s
// ALL-LABEL: of_char:
// ALL: [[SIGNED]]
// AVERAGE-LABEL: of_char:
// AVERAGE: csrwi{{[[:space:]]+}}vxrm, [[ROUNDING]]
// AVERAGE: [[SIGNED]]
// ALL-LABEL: of_uchar:
// ALL: [[UNSIGNED]]
// AVERAGE-LABEL: of_uchar:
// AVERAGE: csrwi{{[[:space:]]+}}vxrm, [[ROUNDING]]
// AVERAGE: [[UNSIGNED]]
// ALL-LABEL: of_short:
// ALL: [[SIGNED]]
// AVERAGE-LABEL: of_short:
// AVERAGE: csrwi{{[[:space:]]+}}vxrm, [[ROUNDING]]
// AVERAGE: [[SIGNED]]
// ALL-LABEL: of_ushort:
// ALL: [[UNSIGNED]]
// AVERAGE-LABEL: of_ushort:
// AVERAGE: csrwi{{[[:space:]]+}}vxrm, [[ROUNDING]]
// AVERAGE: [[UNSIGNED]]
// ALL-LABEL: of_int:
// ALL: [[SIGNED]]
// AVERAGE-LABEL: of_int:
// AVERAGE: csrwi{{[[:space:]]+}}vxrm, [[ROUNDING]]
// AVERAGE: [[SIGNED]]
// ALL-LABEL: of_uint:
// ALL: [[UNSIGNED]]
// AVERAGE-LABEL: of_uint:
// AVERAGE: csrwi{{[[:space:]]+}}vxrm, [[ROUNDING]]
// AVERAGE: [[UNSIGNED]]
// ALL-LABEL: of_long:
// ALL: [[SIGNED]]
// AVERAGE-LABEL: of_long:
// AVERAGE: csrwi{{[[:space:]]+}}vxrm, [[ROUNDING]]
// AVERAGE: [[SIGNED]]
// ALL-LABEL: of_ulong:
// ALL: [[UNSIGNED]]
// AVERAGE-LABEL: of_ulong:
// AVERAGE: csrwi{{[[:space:]]+}}vxrm, [[ROUNDING]]
// AVERAGE: [[UNSIGNED]]

// RUN: %cc %s --emit=asm -o - --vlen=256 "-DCALL=mad_sat(a, b, a)" \
// RUN:   | FileCheck --check-prefix=MAD_SAT %s
// MAD_SAT-LABEL: of_char:
// MAD_SAT: vwmul.vv
// MAD_SAT: vwadd.wv
// MAD_SAT: vnclip.wi
// MAD_SAT-LABEL: of_uchar:
// MAD_SAT: vwmulu.vv
// MAD_SAT: vwaddu.wv
// MAD_SAT: vnclipu.wi
// MAD_SAT-LABEL: of_short:
// MAD_SAT: vwmul.vv
// MAD_SAT: vwadd.wv
// MAD_SAT: vnclip.wi
// MAD_SAT-LABEL: of_ushort:
// MAD_SAT: vwmulu.vv
// MAD_SAT: vwaddu.wv
// MAD_SAT: vnclipu.wi
// MAD_SAT-LABEL: of_int:
// MAD_SAT: vwmul.vv
// MAD_SAT: vwadd.wv
// MAD_SAT: vnclip.wi
// MAD_SAT-LABEL: of_uint:
// MAD_SAT: vwmulu.vv
// MAD_SAT: vwaddu.wv
// MAD_SAT: vnclipu.wi
// MAD_SAT-LABEL: of_long:
// MAD_SAT: vmulh.vv
// MAD_SAT-LABEL: of_ulong:
// MAD_SAT: vmulhu.vv
#ifdef CALL
#define OF(T)                                                                                      \
    kernel void of_##T(global T *out, global const T *x, global const T *y) {                      \
        int i = get_global_id(0);                                                                  \
        T a = x[i], b = y[i];                                                                      \
        out[i] = CALL;                                                                             \
    }
OF(char) OF(uchar) OF(short) OF(ushort) OF(int) OF(uint) OF(long) OF(ulong)
#endif

// Conversions that saturate; to an unsigned type a negative value is 0 first.
// RUN: %cc %s --emit=asm -o - --vlen=256 -DCONVERT | FileCheck --check-prefix=CONVERT %s
// CONVERT-LABEL: char_of_short:
// CONVERT: vnclip.wi
// CONVERT-LABEL: uchar_of_short:
// CONVERT: vmax.vx
// CONVERT: vnclipu.wi
// CONVERT-LABEL: uchar_of_ushort:
// CONVERT: vnclipu.wi
// CONVERT-LABEL: char_of_int:
// CONVERT-COUNT-2: vnclip.wi
// CONVERT-LABEL: uchar_of_int:
// CONVERT: vmax.vx
// CONVERT-COUNT-2: vnclipu.wi
// CONVERT-LABEL: short_of_int:
// CONVERT: vnclip.wi
// CONVERT-LABEL: ushort_of_int:
// CONVERT: vmax.vx
// CONVERT: vnclipu.wi
// CONVERT-LABEL: uchar_of_uint:
// CONVERT-COUNT-2: vnclipu.wi
// CONVERT-LABEL: ushort_of_uint:
// CONVERT: vnclipu.wi
// CONVERT-LABEL: char_of_long:
// CONVERT-COUNT-3: vnclip.wi
// CONVERT-LABEL: uchar_of_long:
// CONVERT: vmax.vx
// CONVERT-COUNT-3: vnclipu.wi
// CONVERT-LABEL: short_of_long:
// CONVERT-COUNT-2: vnclip.wi
// CONVERT-LABEL: ushort_of_long:
// CONVERT: vmax.vx
// CONVERT-COUNT-2: vnclipu.wi
// CONVERT-LABEL: int_of_long:
// CONVERT: vnclip.wi
// CONVERT-LABEL: uint_of_long:
// CONVERT: vmax.vx
// CONVERT: vnclipu.wi
// CONVERT-LABEL: uchar_of_ulong:
// CONVERT-COUNT-3: vnclipu.wi
// CONVERT-LABEL: ushort_of_ulong:
// CONVERT-COUNT-2: vnclipu.wi
// CONVERT-LABEL: uint_of_ulong:
// CONVERT: vnclipu.wi
#ifdef CONVERT
#define TO(R, T)                                                                                   \
    kernel void R##_of_##T(global R *out, global const T *x) {                                     \
        int i = get_global_id(0);                                                                  \
        out[i] = convert_##R##_sat(x[i]);                                                          \
    }
TO(char, short) TO(uchar, short)
TO(uchar, ushort)
TO(char, int) TO(uchar, int) TO(short, int) TO(ushort, int)
TO(uchar, uint) TO(ushort, uint)
TO(char, long) TO(uchar, long) TO(short, long) TO(ushort, long) TO(int, long) TO(uint, long)
TO(uchar, ulong) TO(ushort, ulong) TO(uint, ulong)
#endif

// The high half of 128 bits remains one instruction whatever is done with it.
// RUN: %cc %s --emit=asm -o - --vlen=256 -DHIGH | FileCheck --check-prefix=HIGH %s
// RUN: %cc %s -o %t --target=rv64gc -DHIGH
// RUN: %cc %s -o %t --target=host -DHIGH
// HIGH-LABEL: of_unsigned:
// HIGH-COUNT-3: vmulhu.vv
// HIGH: vsrl.vi
// HIGH-LABEL: of_signed:
// HIGH: vmulh.vv
// HIGH: vsra.vi
#ifdef HIGH
kernel void of_unsigned(global ulong2 *out, global const ulong2 *x, global const ulong2 *y) {
    int i = get_global_id(0);
    ulong2 a = x[i], b = y[i];
    out[i] = (mul_hi(mul_hi(a, b), a) >> 3) + mad_sat(a, b, a) * mad_hi(b, a, b);
}
kernel void of_signed(global long *out, global const long *x, global const long *y) {
    int i = get_global_id(0);
    out[i] = mul_hi(x[i], y[i]) >> 3;
}
#endif
