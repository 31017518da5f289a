// SPDX-License-Identifier: Apache-2.0
//
// Functions that LLVM's code generators call by name. They go into an image only when its code
// calls them.
#include <stddef.h>
#include <stdint.h>

typedef uint64_t __attribute__((may_alias)) word;

static inline int is_aligned(const void *first, const void *second) {
    return (((uintptr_t)first | (uintptr_t)second) & (sizeof(word) - 1)) == 0;
}

void *memcpy(void *restrict to, const void *restrict from, size_t bytes) {
    char *at = to;
    const char *source = from;
    if (is_aligned(to, from))
        for (; bytes >= sizeof(word); bytes -= sizeof(word)) {
            *(word *)at = *(const word *)source;
            at += sizeof(word);
            source += sizeof(word);
        }
    while (bytes-- > 0)
        *at++ = *source++;
    return to;
}

void *memmove(void *to, const void *from, size_t bytes) {
    char *at = to;
    const char *source = from;
    if ((uintptr_t)at - (uintptr_t)source >= bytes)
        while (bytes-- > 0)
            *at++ = *source++;
    else
        while (bytes-- > 0)
            at[bytes] = source[bytes];
    return to;
}

void *memset(void *to, int value, size_t bytes) {
    char *at = to;
    const word pattern = (unsigned char)value * UINT64_C(0x0101010101010101);
    if (is_aligned(to, to))
        for (; bytes >= sizeof(word); bytes -= sizeof(word), at += sizeof(word))
            *(word *)at = pattern;
    while (bytes-- > 0)
        *at++ = (char)value;
    return to;
}

// Half precision, where the processor has no conversions of its own.

static inline _Float16 half_of_bits(uint16_t bits) {
    return (union {
               uint16_t bits;
               _Float16 value;
           }){.bits = bits}
        .value;
}

float __extendhfsf2(_Float16 value) {
    uint16_t half = (union {
                        _Float16 value;
                        uint16_t bits;
                    }){.value = value}
                        .bits;
    uint32_t sign = (uint32_t)(half & 0x8000) << 16, magnitude = half & 0x7fff;
    uint32_t bits;
    if (magnitude >= 0x7c00) { // infinite or NaN, which becomes quiet
        bits = 0x7f800000 | (magnitude & 0x3ff) << 13;
        bits |= magnitude > 0x7c00 ? 0x400000 : 0;
    } else if (magnitude >= 0x400) {
        bits = (magnitude << 13) + ((127 - 15) << 23);
    } else { // subnormal: exact as a product
        float scaled = (float)(int32_t)magnitude * 0x1p-24f;
        return sign ? -scaled : scaled;
    }
    bits |= sign;
    return (union {
               uint32_t bits;
               float value;
           }){.bits = bits}
        .value;
}

// Rounds to nearest even from the bits of a wider format, all the exponent's bits known.
static inline uint16_t round_to_half(uint64_t sign, int64_t exponent, uint64_t fraction,
                                     int fraction_bits, int is_special) {
    uint16_t result = (uint16_t)(sign << 15);
    if (is_special)
        return result | 0x7c00 |
               (fraction ? (uint16_t)(0x200 | fraction >> (fraction_bits - 10)) : 0);
    if (exponent > 15)
        return result | 0x7c00;
    fraction |= UINT64_C(1) << fraction_bits;
    // Bits that go: more of them below the smallest normal exponent, -14.
    int shift = fraction_bits - 10 + (exponent < -14 ? (int)(-14 - exponent) : 0);
    if (shift > fraction_bits + 1)
        return result;
    uint64_t kept = fraction >> shift, lost = fraction & ((UINT64_C(1) << shift) - 1);
    uint64_t middle = UINT64_C(1) << (shift - 1);
    kept += lost > middle || (lost == middle && (kept & 1));
    // The leading bit of a normal number counts as one in the exponent.
    uint64_t biased = exponent < -14 ? 0 : (uint64_t)(exponent + 14);
    return (uint16_t)(result + (biased << 10) + kept);
}

_Float16 __truncsfhf2(float value) {
    uint32_t bits = (union {
                        float value;
                        uint32_t bits;
                    }){.value = value}
                        .bits;
    int64_t exponent = (bits >> 23) & 0xff;
    return half_of_bits(
        round_to_half(bits >> 31, exponent - 127, bits & 0x7fffff, 23, exponent == 0xff));
}

_Float16 __truncdfhf2(double value) {
    uint64_t bits = (union {
                        double value;
                        uint64_t bits;
                    }){.value = value}
                        .bits;
    int64_t exponent = (bits >> 52) & 0x7ff;
    return half_of_bits(
        round_to_half(bits >> 63, exponent - 1023, bits & 0xfffffffffffff, 52, exponent == 0x7ff));
}

// bfloat16: the upper half of a float, rounded to nearest even; a NaN becomes quiet.
static inline __bf16 upper_half(uint32_t bits) {
    uint32_t rounded = bits + 0x7fff + (bits >> 16 & 1);
    if ((bits & 0x7fffffff) > 0x7f800000)
        rounded = bits | 0x400000;
    return (union {
               uint16_t bits;
               __bf16 value;
           }){.bits = (uint16_t)(rounded >> 16)}
        .value;
}

__bf16 __truncsfbf2(float value) {
    return upper_half((union {
                          float value;
                          uint32_t bits;
                      }){.value = value}
                          .bits);
}

// By a float that is odd where it isn't exact, so that the second rounding is right.
__bf16 __truncdfbf2(double value) {
    const float near = (float)value;
    uint32_t bits = (union {
                        float value;
                        uint32_t bits;
                    }){.value = near}
                        .bits;
    if (near != value && value == value) {
        bits -= __builtin_fabs((double)near) > __builtin_fabs(value);
        bits |= 1;
    }
    return upper_half(bits);
}

// Minimum and maximum of half, where it is computed as float.

float fmaxf(float x, float y) { return x != x || x < y ? y : x; }
float fminf(float x, float y) { return x != x || y < x ? y : x; }

#if defined(__riscv) && __riscv_xlen == 32
#include "compiler/runtime/runtime32.h"
#endif
