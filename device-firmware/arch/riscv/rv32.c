/* SPDX-License-Identifier: Apache-2.0
 *
 * Clang calls these on RV32 for 64-bit arithmetic. Debian has no compiler-rt for
 * bare-metal RISC-V. */
#include <stdint.h>

uint64_t __udivdi3(uint64_t dividend, uint64_t divisor);
int __popcountdi2(int64_t value);
uint64_t __ashldi3(uint64_t value, int bits);
uint64_t __lshrdi3(uint64_t value, int bits);

/* Bit by bit; speed is irrelevant because only times are divided. */
uint64_t __udivdi3(uint64_t dividend, uint64_t divisor) {
    uint64_t quotient = 0, remainder = 0;
    for (int bit = 63; bit >= 0; --bit) {
        remainder = remainder << 1 | (dividend >> bit & 1);
        if (remainder >= divisor) {
            remainder -= divisor;
            quotient |= 1ull << bit;
        }
    }
    return quotient;
}

int __popcountdi2(int64_t value) {
    int count = 0;
    for (uint64_t rest = (uint64_t)value; rest; rest &= rest - 1)
        ++count;
    return count;
}

/* Shifts of code that is optimised for size, by less than 64 bits, in halves, because a shift of
 * 64 bits would call the function itself. */
static uint64_t of_halves(uint32_t low, uint32_t high) { return low | (uint64_t)high << 32; }

uint64_t __ashldi3(uint64_t value, int bits) {
    const uint32_t low = (uint32_t)value, high = (uint32_t)(value >> 32);
    if (bits >= 32)
        return of_halves(0, low << (bits - 32));
    return of_halves(low << bits, high << bits | low >> 1 >> (31 - bits));
}

uint64_t __lshrdi3(uint64_t value, int bits) {
    const uint32_t low = (uint32_t)value, high = (uint32_t)(value >> 32);
    if (bits >= 32)
        return of_halves(high >> (bits - 32), 0);
    return of_halves(low >> bits | high << 1 << (31 - bits), high >> bits);
}
