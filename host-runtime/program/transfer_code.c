/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel that fills and copies memory. It is compiled for each XLEN, and for loopback devices
 * of this host, and linked as bytes without any relocation, which librivulet.so has as arrays. It
 * is entered at its first byte (hal/protocol/launch.h), and runs on any RISC-V device: its vector
 * instructions need no more than Zve32x, of any VLEN, and are skipped where there is no unit.
 */
#include "host-runtime/program/transfer_code.h"

#include <stddef.h>

#include "hal/protocol/launch.h"
#include "hal/protocol/leave_kernel.h"

#define INLINE static inline __attribute__((always_inline))

typedef uintptr_t __attribute__((may_alias)) word;

INLINE void copy_row(char *to, const char *from, size_t bytes, int has_vectors) {
#ifdef __riscv
    if (has_vectors) {
        __asm__ volatile(".option push\n"
                         ".option arch, +zve32x\n"
                         "1: vsetvli t0, %2, e8, m8, ta, ma\n"
                         "vle8.v v0, (%1)\n"
                         "add %1, %1, t0\n"
                         "sub %2, %2, t0\n"
                         "vse8.v v0, (%0)\n"
                         "add %0, %0, t0\n"
                         "bnez %2, 1b\n"
                         ".option pop"
                         : "+r"(to), "+r"(from), "+r"(bytes)
                         :
                         : "t0", "memory");
        return;
    }
#else
    (void)has_vectors;
#endif
    /* Four words at a time, because a hart that waits for each load does not wait for all four. */
    enum { BLOCK = 4 * sizeof(word) };
    if ((((uintptr_t)to | (uintptr_t)from) & (sizeof(word) - 1)) == 0)
        for (; bytes >= BLOCK; bytes -= BLOCK, to += BLOCK, from += BLOCK) {
            const word a = ((const word *)from)[0], b = ((const word *)from)[1];
            const word c = ((const word *)from)[2], d = ((const word *)from)[3];
            ((word *)to)[0] = a;
            ((word *)to)[1] = b;
            ((word *)to)[2] = c;
            ((word *)to)[3] = d;
        }
    while (bytes-- > 0)
        *to++ = *from++;
}

/* The whole is one work-group, because what is worth sharing out is left to the host. */
INLINE void transfer(const rvl_launch_record *record, rvl_launch_words *words) {
    if (__atomic_fetch_add(&words->next_group, 1, __ATOMIC_RELAXED) != 0)
        return;
    const rvl_transfer *how = (const rvl_transfer *)record->arguments;
    char *to = (char *)(uintptr_t)how->to;
    const char *from = how->from ? (const char *)(uintptr_t)how->from : (const char *)how->run;
    size_t left = how->bytes;
    do {
        const size_t row = left < how->width ? left : how->width;
        copy_row(to, from, row, how->has_vectors != 0);
        to += (uintptr_t)how->to_pitch;
        from += (uintptr_t)how->from_pitch;
        left -= row;
    } while (left);
}

void start(const rvl_launch_record *record, rvl_launch_words *words) {
    transfer(record, words);
#ifdef __riscv
    rvl_leave_kernel();
#endif
}
