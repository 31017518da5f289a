/* SPDX-License-Identifier: Apache-2.0 */
/* 6.12.4: common functions. */
#include "builtin.h"

/* Results with NaN operands are undefined here, so the machine's minimum and maximum serve. */
#define fmaximum __builtin_elementwise_maxnum
#define fminimum __builtin_elementwise_minnum
#define fused __builtin_elementwise_fma

#define COMMON(n, T, U, S, ...)                                                                    \
    OVERLOAD T##n max(T##n x, T##n y) { return fmaximum(x, y); }                                   \
    OVERLOAD T##n min(T##n x, T##n y) { return fminimum(x, y); }                                   \
    OVERLOAD T##n clamp(T##n x, T##n low, T##n high) { return fminimum(fmaximum(x, low), high); }  \
    OVERLOAD T##n degrees(T##n radians) { return (T)57.295779513082320876798L * radians; }         \
    OVERLOAD T##n radians(T##n degrees) { return (T)0.017453292519943295769237L * degrees; }       \
    OVERLOAD T##n mix(T##n x, T##n y, T##n a) { return fused(y - x, a, x); }                       \
    OVERLOAD T##n step(T##n edge, T##n x) { return x < edge ? (T##n)(T)0 : (T##n)(T)1; }           \
    OVERLOAD T##n smoothstep(T##n edge0, T##n edge1, T##n x) {                                     \
        T##n t = (x - edge0) / (edge1 - edge0);                                                    \
        t = fminimum(fmaximum(t, (T##n)(T)0), (T##n)(T)1);                                         \
        return t * t * ((T)3 - (T)2 * t);                                                          \
    }                                                                                              \
    OVERLOAD T##n sign(T##n x) {                                                                   \
        T##n one = __builtin_elementwise_copysign((T##n)(T)1, x);                                  \
        T##n zero = __builtin_elementwise_copysign((T##n)(T)0, x);                                 \
        return x != x ? (T##n)(T)0 : x == (T)0 ? zero : one;                                       \
    }
EACH_FLOATING(EACH_WIDTH, COMMON)

#define WITH_SCALAR(n, T, U, S, ...)                                                               \
    OVERLOAD T##n max(T##n x, T y) { return fmaximum(x, (T##n)y); }                                \
    OVERLOAD T##n min(T##n x, T y) { return fminimum(x, (T##n)y); }                                \
    OVERLOAD T##n clamp(T##n x, T low, T high) { return clamp(x, (T##n)low, (T##n)high); }         \
    OVERLOAD T##n mix(T##n x, T##n y, T a) { return mix(x, y, (T##n)a); }                          \
    OVERLOAD T##n step(T edge, T##n x) { return step((T##n)edge, x); }                             \
    OVERLOAD T##n smoothstep(T edge0, T edge1, T##n x) {                                           \
        return smoothstep((T##n)edge0, (T##n)edge1, x);                                            \
    }
EACH_FLOATING(EACH_VECTOR, WITH_SCALAR)
