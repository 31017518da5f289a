/* SPDX-License-Identifier: Apache-2.0
 *
 * Clang calls these on RV32 for 64-bit arithmetic. Debian has no compiler-rt for
 * bare-metal RISC-V. */
#include <stdint.h>

uint64_t __udivdi3(uint64_t dividend, uint64_t divisor);
int __popcountdi2(int64_t value);

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
