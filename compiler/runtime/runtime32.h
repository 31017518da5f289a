// SPDX-License-Identifier: Apache-2.0
//
// On harts of 32 bits, what they do with 64: division, conversions, atomics. Part of runtime.c.
#include <stdbool.h>

#include "hal/protocol/launch.h"

// Functions are taken into an image one by one: they call none of the others.
#define FLAT __attribute__((flatten))

// Bit by bit, from the highest that can be in the quotient.
static inline uint64_t divide(uint64_t dividend, uint64_t divisor, uint64_t *remainder) {
    uint64_t quotient = 0;
    if (divisor != 0 && dividend >= divisor)
        for (int shift = __builtin_clzll(divisor) - __builtin_clzll(dividend); shift >= 0; --shift)
            if (dividend >= divisor << shift) {
                dividend -= divisor << shift;
                quotient |= UINT64_C(1) << shift;
            }
    *remainder = dividend;
    return quotient;
}

static inline uint64_t magnitude(int64_t value) {
    return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

uint64_t __udivdi3(uint64_t dividend, uint64_t divisor) {
    uint64_t remainder;
    return divide(dividend, divisor, &remainder);
}
uint64_t __umoddi3(uint64_t dividend, uint64_t divisor) {
    uint64_t remainder;
    divide(dividend, divisor, &remainder);
    return remainder;
}
int64_t __divdi3(int64_t dividend, int64_t divisor) {
    uint64_t remainder;
    const uint64_t quotient = divide(magnitude(dividend), magnitude(divisor), &remainder);
    return (int64_t)((dividend < 0) != (divisor < 0) ? -quotient : quotient);
}
int64_t __moddi3(int64_t dividend, int64_t divisor) {
    uint64_t remainder;
    divide(magnitude(dividend), magnitude(divisor), &remainder);
    return (int64_t)(dividend < 0 ? -remainder : remainder);
}

// The highest 32 bits, with the lowest as the sticky bit for all lost ones: rounded only once.
float __floatundisf(uint64_t value) {
    if (value >> 32 == 0)
        return (float)(uint32_t)value;
    const int lost = 32 - __builtin_clz((uint32_t)(value >> 32));
    const uint32_t top = (uint32_t)(value >> lost) | ((value & ((UINT64_C(1) << lost) - 1)) != 0);
    union {
        uint32_t bits;
        float value;
    } scale = {(uint32_t)(127 + lost) << 23};
    return (float)top * scale.value;
}
double __floatundidf(uint64_t value) {
    return (double)(uint32_t)(value >> 32) * 0x1p32 + (double)(uint32_t)value;
}
double __floatdidf(int64_t value) {
    return (double)(int32_t)(value >> 32) * 0x1p32 + (double)(uint32_t)value;
}

// Rounding to nearest is the same on both sides of zero; other modes are the conversions' own.
FLAT float __floatdisf(int64_t value) {
    const float rounded = __floatundisf(magnitude(value));
    return value < 0 ? -rounded : rounded;
}

uint64_t __fixunssfdi(float value) {
    const uint32_t high = (uint32_t)(value * 0x1p-32f);
    return (uint64_t)high << 32 | (uint32_t)(value - (float)high * 0x1p32f);
}
FLAT int64_t __fixsfdi(float value) {
    return value < 0 ? -(int64_t)__fixunssfdi(-value) : (int64_t)__fixunssfdi(value);
}
uint64_t __fixunsdfdi(double value) {
    const uint32_t high = (uint32_t)(value * 0x1p-32);
    return (uint64_t)high << 32 | (uint32_t)(value - (double)high * 0x1p32);
}
FLAT int64_t __fixdfdi(double value) {
    return value < 0 ? -(int64_t)__fixunsdfdi(-value) : (int64_t)__fixunsdfdi(value);
}

int __popcountdi2(int64_t value) {
    return __builtin_popcount((uint32_t)value) + __builtin_popcount((uint32_t)(value >> 32));
}

// A lock held in U mode would be held for ever by a hart that is stopped: the firmware does it.
static inline uint64_t exchange_if(volatile void *address, uint64_t expected, uint64_t desired) {
    register uint32_t low __asm__("a0") = (uint32_t)(uintptr_t)address;
    register uint32_t high __asm__("a1") = (uint32_t)expected;
    register uint32_t expected_high __asm__("a2") = (uint32_t)(expected >> 32);
    register uint32_t desired_low __asm__("a3") = (uint32_t)desired;
    register uint32_t desired_high __asm__("a4") = (uint32_t)(desired >> 32);
    register uint32_t call __asm__("a7") = RVL_ECALL_COMPARE_EXCHANGE;
    __asm__ volatile("ecall"
                     : "+r"(low), "+r"(high)
                     : "r"(expected_high), "r"(desired_low), "r"(desired_high), "r"(call)
                     : "memory");
    return (uint64_t)high << 32 | low;
}

// `before` is a first guess, which may be torn: then it is not what the firmware finds.
#define ATOMIC(name, result)                                                                       \
    uint64_t atomic_##name(volatile void *address, uint64_t value,                                 \
                           int order) __asm__("__atomic_" #name "_8");                             \
    uint64_t atomic_##name(volatile void *address, uint64_t value, int order) {                    \
        (void)order;                                                                               \
        uint64_t before = *(volatile uint64_t *)address;                                           \
        for (uint64_t expected;;) {                                                                \
            expected = before;                                                                     \
            before = exchange_if(address, expected, (result));                                     \
            if (before == expected)                                                                \
                return before;                                                                     \
        }                                                                                          \
    }
ATOMIC(fetch_add, expected + value)
ATOMIC(fetch_sub, expected - value)
ATOMIC(fetch_and, expected &value)
ATOMIC(fetch_or, expected | value)
ATOMIC(fetch_xor, expected ^ value)
ATOMIC(exchange, value)

bool atomic_compare_exchange(volatile void *address, void *expected, uint64_t desired, int success,
                             int failure) __asm__("__atomic_compare_exchange_8");
bool atomic_compare_exchange(volatile void *address, void *expected, uint64_t desired, int success,
                             int failure) {
    (void)success, (void)failure;
    const uint64_t wanted = *(uint64_t *)expected;
    const uint64_t before = exchange_if(address, wanted, desired);
    *(uint64_t *)expected = before;
    return before == wanted;
}

uint64_t atomic_load(const volatile void *address, int order) __asm__("__atomic_load_8");
uint64_t atomic_load(const volatile void *address, int order) {
    (void)order;
    return exchange_if((volatile void *)(uintptr_t)address, 0, 0);
}

void atomic_store(volatile void *address, uint64_t value, int order) __asm__("__atomic_store_8");
FLAT void atomic_store(volatile void *address, uint64_t value, int order) {
    (void)atomic_exchange(address, value, order);
}

// To integers within double, which harts of 32 bits have no wide enough integers for. Above 2^52
// all are; below, adding that rounds to nearest even.
static inline double nearest(double value) {
    const double all_integers = 0x1p52, magnitude = __builtin_fabs(value);
    if (!(magnitude < all_integers))
        return value;
    return __builtin_copysign(magnitude + all_integers - all_integers, value);
}
static inline double towards_zero(double value) {
    const double magnitude = __builtin_fabs(value), near = nearest(magnitude);
    return __builtin_copysign(near > magnitude ? near - 1 : near, value);
}
FLAT double rint(double value) { return nearest(value); }
FLAT double nearbyint(double value) { return nearest(value); }
FLAT double roundeven(double value) { return nearest(value); }
FLAT double trunc(double value) { return towards_zero(value); }
FLAT double floor(double value) {
    const double near = nearest(value);
    return __builtin_copysign(near > value ? near - 1 : near, value);
}
FLAT double ceil(double value) {
    const double near = nearest(value);
    return __builtin_copysign(near < value ? near + 1 : near, value);
}
FLAT double round(double value) {
    const double magnitude = __builtin_fabs(value), whole = towards_zero(magnitude);
    return __builtin_copysign(magnitude - whole >= 0.5 ? whole + 1 : whole, value);
}
