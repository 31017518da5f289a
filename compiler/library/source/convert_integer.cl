/* SPDX-License-Identifier: Apache-2.0 */
/* 6.2.3: convert_TO…() for one integer type TO (-DTO=char …) without saturation. */
#include "builtin.h"

#define FUNCTION(TO, n, mode) FUNCTION_(TO, n, mode)
#define FUNCTION_(TO, n, mode) convert_##TO##n##mode
#define TYPE(TO, n) TYPE_(TO, n)
#define TYPE_(TO, n) TO##n
#define VALUE(n, x) VALUE_(n, x, TO)
#define VALUE_(n, x, TO) CONVERT(n, x, TO)

#define TO_INTEGER(n, T, U, S, mode)                                                               \
    OVERLOAD TYPE(TO, n) FUNCTION(TO, n, mode)(T##n x) { return VALUE(n, x); }
EACH_INTEGER(EACH_WIDTH, TO_INTEGER, )
EACH_INTEGER(EACH_WIDTH, TO_INTEGER, _rte)
EACH_INTEGER(EACH_WIDTH, TO_INTEGER, _rtz)
EACH_INTEGER(EACH_WIDTH, TO_INTEGER, _rtp)
EACH_INTEGER(EACH_WIDTH, TO_INTEGER, _rtn)

/* Rounding to an integral value first; half goes through float, which loses nothing. */
#define FROM_FLOATING(n, T, W, mode, integral)                                                     \
    OVERLOAD TYPE(TO, n) FUNCTION(TO, n, mode)(T##n x) {                                           \
        return VALUE(n, integral(CONVERT(n, x, W)));                                               \
    }
#define TO_INTEGER_FROM(T, W)                                                                      \
    EACH_WIDTH(FROM_FLOATING, T, W, , )                                                            \
    EACH_WIDTH(FROM_FLOATING, T, W, _rtz, )                                                        \
    EACH_WIDTH(FROM_FLOATING, T, W, _rte, __builtin_elementwise_rint)                              \
    EACH_WIDTH(FROM_FLOATING, T, W, _rtp, __builtin_elementwise_ceil)                              \
    EACH_WIDTH(FROM_FLOATING, T, W, _rtn, __builtin_elementwise_floor)
TO_INTEGER_FROM(float, float)
TO_INTEGER_FROM(double, double)
TO_INTEGER_FROM(half, float)
