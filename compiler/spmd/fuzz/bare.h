/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared by programs that run kernels on a bare QEMU: output, memory functions, a launch. */
#ifndef RIVULET_COMPILER_SPMD_FUZZ_BARE_H
#define RIVULET_COMPILER_SPMD_FUZZ_BARE_H

#include "compiler/runtime/dispatch.h"

/* OpenCL's buffers are aligned to its largest type. */
#define ALIGNED __attribute__((aligned(128)))

struct ndrange {
    uint32_t dimensions, size[3], offset[3], local[3], chunk;
};

static rvl_launch_record record __attribute__((aligned(4096)));
static rvl_launch_words words __attribute__((aligned(4096)));
static rvl_hart_frame frame;
static uint8_t local_memory[65536] __attribute__((aligned(64)));
static uint8_t saved[1 << 20] __attribute__((aligned(64)));

void *memset(void *to, int value, size_t bytes) {
    for (uint8_t *at = to; bytes; --bytes)
        *at++ = (uint8_t)value;
    return to;
}
void *memcpy(void *to, const void *from, size_t bytes) {
    const uint8_t *next = from;
    for (uint8_t *at = to; bytes; --bytes)
        *at++ = *next++;
    return to;
}
static void print(const char *text) {
    for (; *text; ++text)
        *(volatile uint8_t *)0x10000000 = (uint8_t)*text;
}
static void print_number(unsigned long value, unsigned base) {
    char digits[24];
    int count = 0;
    do
        digits[count++] = "0123456789abcdef"[value % base];
    while (value /= base);
    while (count) {
        char text[2] = {digits[--count], 0};
        print(text);
    }
}
void trapped(unsigned long cause, unsigned long pc, unsigned long address) {
    print("TRAP ");
    print_number(cause, 10);
    print(" at ");
    print_number(pc, 16);
    print(" address ");
    print_number(address, 16);
    print("\n");
}

/* The arguments take as many bytes, as a launch record has them. */
static void launch(rvl_kernel *kernel, const struct ndrange *range, const void *arguments,
                   size_t bytes) {
    memset(&record, 0, sizeof record);
    memset(&words, 0, sizeof words);
    memset(saved, 0xa5, sizeof saved);
    record.dimensions = range->dimensions;
    record.total_groups = 1;
    for (int d = 0; d < 3; ++d) {
        record.global_size[d] = range->size[d];
        record.global_offset[d] = range->offset[d];
        record.local_size[d] = range->local[d];
        record.group_count[d] = (range->size[d] + range->local[d] - 1) / range->local[d];
        record.total_groups *= record.group_count[d];
    }
    record.chunk = range->chunk;
    frame.local_memory = (uintptr_t)local_memory;
    frame.saved = (uintptr_t)saved;
    memcpy(record.arguments, arguments, bytes);
    rvl_dispatch(&record, &words, &frame, kernel, rvl_call_of(kernel));
}

#endif
