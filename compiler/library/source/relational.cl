/* SPDX-License-Identifier: Apache-2.0 */
/* 6.12.6: relational functions. Comparisons give 0 or 1 for scalars, 0 or -1 for vectors. */
#include "builtin.h"

#define magnitude __builtin_elementwise_abs

/* R: int for scalars of every type, otherwise the signed integer of the component's size. */
#define COMPARISONS(n, T, R, I, smallest_normal)                                                   \
    OVERLOAD R##n isequal(T##n x, T##n y) { return x == y; }                                       \
    OVERLOAD R##n isnotequal(T##n x, T##n y) { return x != y; }                                    \
    OVERLOAD R##n isgreater(T##n x, T##n y) { return x > y; }                                      \
    OVERLOAD R##n isgreaterequal(T##n x, T##n y) { return x >= y; }                                \
    OVERLOAD R##n isless(T##n x, T##n y) { return x < y; }                                         \
    OVERLOAD R##n islessequal(T##n x, T##n y) { return x <= y; }                                   \
    OVERLOAD R##n islessgreater(T##n x, T##n y) { return (x < y) | (x > y); }                      \
    OVERLOAD R##n isordered(T##n x, T##n y) { return (x == x) & (y == y); }                        \
    OVERLOAD R##n isunordered(T##n x, T##n y) { return (x != x) | (y != y); }                      \
    OVERLOAD R##n isnan(T##n x) { return x != x; }                                                 \
    OVERLOAD R##n isinf(T##n x) { return magnitude(x) == (T##n)(T)INFINITY; }                      \
    OVERLOAD R##n isfinite(T##n x) { return magnitude(x) < (T##n)(T)INFINITY; }                    \
    OVERLOAD R##n isnormal(T##n x) {                                                               \
        return (magnitude(x) < (T##n)(T)INFINITY) & (magnitude(x) >= (T##n)(T)smallest_normal);    \
    }                                                                                              \
    OVERLOAD R##n signbit(T##n x) { return AS(n, x, I) < (I##n)(I)0; }
COMPARISONS(, float, int, int, 0x1p-126)
COMPARISONS(, double, int, long, 0x1p-1022)
COMPARISONS(, half, int, short, 0x1p-14)
EACH_VECTOR(COMPARISONS, float, int, int, 0x1p-126)
EACH_VECTOR(COMPARISONS, double, long, long, 0x1p-1022)
EACH_VECTOR(COMPARISONS, half, short, short, 0x1p-14)

/* The most significant bits of all components, or-ed and and-ed. */
#define ANY_ALL(T)                                                                                 \
    OVERLOAD int any(T x) { return x < 0; }                                                        \
    OVERLOAD int any(T##2 x) { return (x.x | x.y) < 0; }                                           \
    OVERLOAD int any(T##3 x) { return (x.x | x.y | x.z) < 0; }                                     \
    OVERLOAD int any(T##4 x) { return any(x.lo | x.hi); }                                          \
    OVERLOAD int any(T##8 x) { return any(x.lo | x.hi); }                                          \
    OVERLOAD int any(T##16 x) { return any(x.lo | x.hi); }                                         \
    OVERLOAD int all(T x) { return x < 0; }                                                        \
    OVERLOAD int all(T##2 x) { return (x.x & x.y) < 0; }                                           \
    OVERLOAD int all(T##3 x) { return (x.x & x.y & x.z) < 0; }                                     \
    OVERLOAD int all(T##4 x) { return all(x.lo & x.hi); }                                          \
    OVERLOAD int all(T##8 x) { return all(x.lo & x.hi); }                                          \
    OVERLOAD int all(T##16 x) { return all(x.lo & x.hi); }
ANY_ALL(char)
ANY_ALL(short)
ANY_ALL(int)
ANY_ALL(long)

#define BITSELECT(n, T, U, S, ...)                                                                 \
    OVERLOAD T##n bitselect(T##n a, T##n b, T##n c) {                                              \
        U##n bits = (AS(n, a, U) & ~AS(n, c, U)) | (AS(n, b, U) & AS(n, c, U));                    \
        return AS(n, bits, T);                                                                     \
    }
EACH_TYPE(EACH_WIDTH, BITSELECT)

#define SELECT_SCALAR(F, T, U, S, ...)                                                             \
    OVERLOAD T select(T a, T b, U c) { return c ? b : a; }                                         \
    OVERLOAD T select(T a, T b, S c) { return c ? b : a; }
EACH_TYPE(SELECT_SCALAR, )
#define SELECT(n, T, U, S, ...)                                                                    \
    OVERLOAD T##n select(T##n a, T##n b, S##n c) { return c < (S)0 ? b : a; }                      \
    OVERLOAD T##n select(T##n a, T##n b, U##n c) { return AS(n, c, S) < (S)0 ? b : a; }
EACH_TYPE(EACH_VECTOR, SELECT)
