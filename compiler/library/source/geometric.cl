/* SPDX-License-Identifier: Apache-2.0 */
/* 6.12.5: geometric functions. */
#include "builtin.h"

#define magnitude __builtin_elementwise_abs
#define fmaximum __builtin_elementwise_maxnum
#define root __builtin_elementwise_sqrt
#define fused __builtin_elementwise_fma

#define CROSS(T, U, S, ...)                                                                        \
    OVERLOAD T##3 cross(T##3 a, T##3 b) { return a.yzx * b.zxy - a.zxy * b.yzx; }                  \
    OVERLOAD T##4 cross(T##4 a, T##4 b) { return (T##4)(cross(a.xyz, b.xyz), (T)0); }
#define ONCE(F, ...) F(__VA_ARGS__)
EACH_FLOATING(ONCE, CROSS)

/* Over the components of a vector. */
#define OVER_COMPONENTS(T)                                                                         \
    INLINE OVERLOAD T product(T a, T b) { return a * b; }                                          \
    INLINE OVERLOAD T product(T##2 a, T##2 b) { return fused(a.y, b.y, a.x * b.x); }               \
    INLINE OVERLOAD T product(T##3 a, T##3 b) { return fused(a.z, b.z, product(a.xy, b.xy)); }     \
    INLINE OVERLOAD T product(T##4 a, T##4 b) { return fused(a.w, b.w, product(a.xyz, b.xyz)); }   \
    INLINE OVERLOAD T greatest(T a) { return a; }                                                  \
    INLINE OVERLOAD T greatest(T##2 a) { return fmaximum(a.x, a.y); }                              \
    INLINE OVERLOAD T greatest(T##3 a) { return fmaximum(fmaximum(a.x, a.y), a.z); }               \
    INLINE OVERLOAD T greatest(T##4 a) { return greatest(fmaximum(a.lo, a.hi)); }
OVER_COMPONENTS(float)
OVER_COMPONENTS(double)

/* 7.5.1: length and its kin neither overflow nor lose precision by underflow: if a sum of squares
 * is not from `least` to `most`, components beyond `large` are scaled down and below `small` scaled
 * up, by powers of two, before they are squared. */
#define SCALES(T, U, least, most, large, down, small, up)                                          \
    INLINE bool extreme_##T(T square) {                                                            \
        const U lower = __builtin_astype((T)least, U), upper = __builtin_astype((T)most, U);       \
        return __builtin_astype(square, U) - lower > upper - lower;                                \
    }                                                                                              \
    INLINE T scale_##T(T m) { return m > (T)large ? (T)down : m < (T)small ? (T)up : (T)1; }       \
    INLINE T unscale_##T(T m) {                                                                    \
        return m > (T)large ? (T)(1 / down) : m < (T)small ? (T)(1 / up) : (T)1;                   \
    }
SCALES(float, uint, 0x1p-100, 0x1p+120, 0x1p+60, 0x1p-70, 0x1p-50, 0x1p+90)
SCALES(double, ulong, 0x1p-900, 0x1p+1000, 0x1p+500, 0x1p-530, 0x1p-450, 0x1p+600)

#define LENGTHS(n, T)                                                                              \
    OVERLOAD T dot(T##n a, T##n b) { return product(a, b); }                                       \
    INLINE OVERLOAD T careful_length(T##n v) {                                                     \
        T m = greatest(magnitude(v));                                                              \
        T##n scaled = v * scale_##T(m);                                                            \
        return m == (T)INFINITY ? m : root(product(scaled, scaled)) * unscale_##T(m);              \
    }                                                                                              \
    OVERLOAD T length(T##n v) {                                                                    \
        T square = product(v, v);                                                                  \
        bool extreme = extreme_##T(square);                                                        \
        T result = root(square);                                                                   \
        RARELY(extreme) { result = careful_length(v); }                                            \
        return result;                                                                             \
    }                                                                                              \
    OVERLOAD T distance(T##n a, T##n b) { return length(a - b); }                                  \
    INLINE OVERLOAD T##n careful_normalize(T##n v) {                                               \
        T m = greatest(magnitude(v));                                                              \
        T##n unit = __builtin_elementwise_copysign((T##n)(T)1, v);                                 \
        T##n of_infinite = magnitude(v) == (T##n)(T)INFINITY ? unit : v * (T)0;                    \
        T scale = scale_##T(m);                                                                    \
        T##n scaled = (T##n)m == (T##n)(T)INFINITY ? of_infinite : v * scale;                      \
        T square = product(scaled, scaled);                                                        \
        /* Scaled down, small components would lose bits: the result is scaled instead. */         \
        T##n down = v * ((T)1 / root(square)) * scale;                                             \
        T##n unit_length = scaled / root(square);                                                  \
        unit_length = ((T##n)scale < (T##n)(T)1) & ((T##n)m < (T##n)(T)INFINITY) ? down            \
                                                                                  : unit_length;   \
        return (T##n)square == (T##n)(T)0 ? v : unit_length;                                       \
    }                                                                                              \
    OVERLOAD T##n normalize(T##n v) {                                                              \
        T square = product(v, v);                                                                  \
        bool extreme = extreme_##T(square);                                                        \
        T##n result = v * ((T)1 / root(square));                                                   \
        RARELY(extreme) { result = careful_normalize(v); }                                         \
        return result;                                                                             \
    }
#define EACH_GEOMETRIC(F, ...)                                                                     \
    F(, __VA_ARGS__) F(2, __VA_ARGS__) F(3, __VA_ARGS__) F(4, __VA_ARGS__)
EACH_GEOMETRIC(LENGTHS, float)
EACH_GEOMETRIC(LENGTHS, double)

#define FAST(n)                                                                                    \
    OVERLOAD float fast_length(float##n v) { return root(product(v, v)); }                         \
    OVERLOAD float fast_distance(float##n a, float##n b) { return fast_length(a - b); }            \
    OVERLOAD float##n fast_normalize(float##n v) {                                                 \
        float square = product(v, v);                                                              \
        return (float##n)square == (float##n)0.0f ? v : v * (1.0f / root(square));                 \
    }
FAST()
FAST(2)
FAST(3)
FAST(4)

/* Squares of half fit float with room to spare. */
#define OF_HALF(n, unused)                                                                         \
    OVERLOAD half dot(half##n a, half##n b) {                                                      \
        return (half)dot(CONVERT(n, a, float), CONVERT(n, b, float));                              \
    }                                                                                              \
    OVERLOAD half length(half##n v) { return (half)length(CONVERT(n, v, float)); }                 \
    OVERLOAD half distance(half##n a, half##n b) {                                                 \
        return (half)distance(CONVERT(n, a, float), CONVERT(n, b, float));                         \
    }                                                                                              \
    OVERLOAD half##n normalize(half##n v) {                                                        \
        return CONVERT(n, normalize(CONVERT(n, v, float)), half);                                  \
    }
EACH_GEOMETRIC(OF_HALF)
