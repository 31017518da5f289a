/* SPDX-License-Identifier: Apache-2.0 */
/* 6.12.3: integer functions. */
#include "builtin.h"

#define ANY_SIZE(n, T, U, S, ...)                                                                  \
    OVERLOAD T##n add_sat(T##n x, T##n y) { return __builtin_elementwise_add_sat(x, y); }          \
    OVERLOAD T##n sub_sat(T##n x, T##n y) { return __builtin_elementwise_sub_sat(x, y); }          \
    /* Without widening: the forms that become vaadd. */                                           \
    OVERLOAD T##n hadd(T##n x, T##n y) { return (x & y) + ((x ^ y) >> (T)1); }                     \
    OVERLOAD T##n rhadd(T##n x, T##n y) { return (x | y) - ((x ^ y) >> (T)1); }                    \
    OVERLOAD U##n abs_diff(T##n x, T##n y) {                                                       \
        return AS(n, maximum(x, y), U) - AS(n, minimum(x, y), U);                                  \
    }                                                                                              \
    OVERLOAD T##n clz(T##n x) {                                                                    \
        return __builtin_elementwise_clzg(x, (T##n)(T)(8 * sizeof(T)));                            \
    }                                                                                              \
    OVERLOAD T##n ctz(T##n x) {                                                                    \
        return __builtin_elementwise_ctzg(x, (T##n)(T)(8 * sizeof(T)));                            \
    }                                                                                              \
    OVERLOAD T##n popcount(T##n x) { return __builtin_elementwise_popcount(x); }                   \
    OVERLOAD T##n rotate(T##n v, T##n i) { return __builtin_elementwise_fshl(v, v, i); }           \
    OVERLOAD T##n max(T##n x, T##n y) { return maximum(x, y); }                                    \
    OVERLOAD T##n min(T##n x, T##n y) { return minimum(x, y); }                                    \
    OVERLOAD T##n clamp(T##n x, T##n low, T##n high) { return minimum(maximum(x, low), high); }
EACH_INTEGER(EACH_WIDTH, ANY_SIZE)

#define SIGNED(n, T, U) OVERLOAD U##n abs(T##n x) { return AS(n, abs_value(x), U); }
EACH_WIDTH(SIGNED, char, uchar)
EACH_WIDTH(SIGNED, short, ushort)
EACH_WIDTH(SIGNED, int, uint)
EACH_WIDTH(SIGNED, long, ulong)
#define UNSIGNED(n, T) OVERLOAD T##n abs(T##n x) { return x; }
EACH_WIDTH(UNSIGNED, uchar)
EACH_WIDTH(UNSIGNED, ushort)
EACH_WIDTH(UNSIGNED, uint)
EACH_WIDTH(UNSIGNED, ulong)

#define WITH_SCALAR(n, T, U, S, ...)                                                               \
    OVERLOAD T##n max(T##n x, T y) { return maximum(x, (T##n)y); }                                 \
    OVERLOAD T##n min(T##n x, T y) { return minimum(x, (T##n)y); }                                 \
    OVERLOAD T##n clamp(T##n x, T low, T high) {                                                   \
        return minimum(maximum(x, (T##n)low), (T##n)high);                                         \
    }
EACH_INTEGER(EACH_VECTOR, WITH_SCALAR)

/* The high half of a product: mulh, mulhu, vmulh and vmulhu. The compiler knows these functions of
 * scalars (high_product.h). */
#define HIGH_HALF(T, W)                                                                            \
    __attribute__((noinline)) OVERLOAD T mul_hi(T x, T y) {                                        \
        return (T)((W)x * (W)y >> (W)(8 * sizeof(T)));                                             \
    }                                                                                              \
    EACH_VECTOR(MAP_2, mul_hi, T, T, T)
HIGH_HALF(char, short)
HIGH_HALF(uchar, ushort)
HIGH_HALF(short, int)
HIGH_HALF(ushort, uint)
HIGH_HALF(int, long)
HIGH_HALF(uint, ulong)
HIGH_HALF(long, signed _BitInt(128))
HIGH_HALF(ulong, unsigned _BitInt(128))

/* Products of up to 32-bit integers fit a wider type W; bounds are those of T. */
#define BELOW_64(n, T, W, lowest, highest)                                                         \
    OVERLOAD T##n mad_sat(T##n a, T##n b, T##n c) {                                                \
        W##n sum = CONVERT(n, a, W) * CONVERT(n, b, W) + CONVERT(n, c, W);                         \
        return CONVERT(n, minimum(maximum(sum, (W##n)(W)lowest), (W##n)(W)highest), T);            \
    }
EACH_WIDTH(BELOW_64, char, short, CHAR_MIN, CHAR_MAX)
EACH_WIDTH(BELOW_64, uchar, ushort, 0, UCHAR_MAX)
EACH_WIDTH(BELOW_64, short, int, SHRT_MIN, SHRT_MAX)
EACH_WIDTH(BELOW_64, ushort, uint, 0, USHRT_MAX)
EACH_WIDTH(BELOW_64, int, long, INT_MIN, INT_MAX)
EACH_WIDTH(BELOW_64, uint, ulong, 0, UINT_MAX)

/* a * b + c exactly in 128 bits; it saturates unless the high half only repeats the sign. */
#define SATURATE_64(n, unused)                                                                     \
    OVERLOAD ulong##n mad_sat(ulong##n a, ulong##n b, ulong##n c) {                                \
        ulong##n low = a * b + c;                                                                  \
        ulong##n high = mul_hi(a, b);                                                              \
        return ((high != 0ul) | (low < c)) ? (ulong##n)ULONG_MAX : low;                            \
    }                                                                                              \
    OVERLOAD long##n mad_sat(long##n a, long##n b, long##n c) {                                    \
        ulong##n addend = AS(n, c, ulong);                                                         \
        ulong##n low = AS(n, a, ulong) * AS(n, b, ulong) + addend;                                 \
        long##n carry = CONVERT(n, MASK(n, low < addend), long);                                   \
        long##n high = mul_hi(a, b) + (c >> 63l) - carry;                                          \
        long##n bound = (high >> 63l) ^ LONG_MAX;                                                  \
        return high == (AS(n, low, long) >> 63l) ? AS(n, low, long) : bound;                       \
    }
EACH_WIDTH(SATURATE_64)

#define MULTIPLY_ADD(n, T, U, S, ...)                                                              \
    OVERLOAD T##n mad_hi(T##n a, T##n b, T##n c) { return mul_hi(a, b) + c; }
EACH_INTEGER(EACH_WIDTH, MULTIPLY_ADD)

#define UPSAMPLE(n, T, U, W)                                                                       \
    OVERLOAD W##n upsample(T##n high, U##n low) {                                                  \
        return (CONVERT(n, high, W) << (W)(8 * sizeof(T))) | CONVERT(n, low, W);                   \
    }
EACH_WIDTH(UPSAMPLE, char, uchar, short)
EACH_WIDTH(UPSAMPLE, uchar, uchar, ushort)
EACH_WIDTH(UPSAMPLE, short, ushort, int)
EACH_WIDTH(UPSAMPLE, ushort, ushort, uint)
EACH_WIDTH(UPSAMPLE, int, uint, long)
EACH_WIDTH(UPSAMPLE, uint, uint, ulong)

/* Table 6.11: outside of 24 bits any result is allowed, so the whole 32 bits are multiplied. */
#define FAST(n, T)                                                                                 \
    OVERLOAD T##n mul24(T##n x, T##n y) { return x * y; }                                          \
    OVERLOAD T##n mad24(T##n x, T##n y, T##n z) { return x * y + z; }
EACH_WIDTH(FAST, int)
EACH_WIDTH(FAST, uint)

/* cl_khr_extended_bit_ops */
#define BITS(n, T, U, S, ...)                                                                      \
    OVERLOAD T##n bit_reverse(T##n x) { return __builtin_elementwise_bitreverse(x); }              \
    OVERLOAD T##n bitfield_insert(T##n base, T##n insert, uint offset, uint count) {               \
        U ones = count == 0 ? (U)0 : (U)((U)-1 >> (8 * sizeof(T) - count));                        \
        T##n mask = (T##n)(T)(U)(ones << offset);                                                  \
        return (base & ~mask) | ((insert << (T##n)(T)offset) & mask);                              \
    }                                                                                              \
    OVERLOAD S##n bitfield_extract_signed(T##n base, uint offset, uint count) {                    \
        uint above = 8 * sizeof(T) - count; /* first to the top, then down with the sign */        \
        S##n top = AS(n, base, S) << (S##n)(S)(above - offset);                                    \
        return count == 0 ? (S##n)(S)0 : top >> (S##n)(S)above;                                    \
    }                                                                                              \
    OVERLOAD U##n bitfield_extract_unsigned(T##n base, uint offset, uint count) {                  \
        uint above = 8 * sizeof(T) - count;                                                        \
        U##n top = AS(n, base, U) << (U##n)(U)(above - offset);                                    \
        return count == 0 ? (U##n)(U)0 : top >> (U##n)(U)above;                                    \
    }
EACH_INTEGER(EACH_WIDTH, BITS)

/* cl_khr_integer_dot_product. A sum of four products of bytes fits 18 bits. The others call the
 * packed form, which the compiler knows (lowering/dot_products.h). */
#define DOT(R, A, B, signs)                                                                        \
    OVERLOAD __attribute__((noinline)) R dot_4x8packed_##signs##_##R(uint a, uint b) {             \
        int4 product = __builtin_convertvector(__builtin_astype(a, A##4), int4) *                  \
                       __builtin_convertvector(__builtin_astype(b, B##4), int4);                   \
        return (R)(product.x + product.y + product.z + product.w);                                 \
    }                                                                                              \
    OVERLOAD R dot(A##4 a, B##4 b) {                                                               \
        return dot_4x8packed_##signs##_##R(__builtin_astype(a, uint), __builtin_astype(b, uint));  \
    }                                                                                              \
    OVERLOAD R dot_acc_sat(A##4 a, B##4 b, R c) { return add_sat(dot(a, b), c); }                  \
    OVERLOAD R dot_acc_sat_4x8packed_##signs##_##R(uint a, uint b, R c) {                          \
        return add_sat(dot_4x8packed_##signs##_##R(a, b), c);                                      \
    }
DOT(uint, uchar, uchar, uu)
DOT(int, char, char, ss)
DOT(int, uchar, char, us)
DOT(int, char, uchar, su)
