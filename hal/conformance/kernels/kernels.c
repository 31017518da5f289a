// SPDX-License-Identifier: Apache-2.0
//
// Compiled for the harts and for the host: see kernels.def.
#include "hal/protocol/launch.h"

typedef struct arguments {
    uint64_t buffer;
    uint64_t value;
} arguments;

static const arguments *arguments_of(const rvl_launch_record *record) {
    return (const arguments *)record->arguments;
}

static volatile uint32_t *buffer_of(const rvl_launch_record *record) {
    return (volatile uint32_t *)(uintptr_t)arguments_of(record)->buffer;
}

typedef void group_function(const rvl_launch_record *, const rvl_hart_frame *, uint32_t group);

// The loop of hal/protocol/launch.h.
static inline __attribute__((always_inline)) void for_each_group(const rvl_launch_record *record,
                                                                 rvl_launch_words *words,
                                                                 rvl_hart_frame *frame,
                                                                 group_function *run) {
    uint32_t first;
    while ((first = __atomic_fetch_add(&words->next_group, record->chunk, __ATOMIC_RELAXED)) <
           record->total_groups) {
        uint32_t end = first + record->chunk;
        if (end > record->total_groups)
            end = record->total_groups;
        frame->first_group = first;
        frame->groups = end - first;
        for (uint32_t group = first; group < end; ++group)
            run(record, frame, group);
        if (__atomic_load_n(&words->yield, __ATOMIC_RELAXED))
            break;
    }
}

#define GROUP_FUNCTION(name)                                                                       \
    static inline __attribute__((always_inline)) void name##_group(                                \
        const rvl_launch_record *record, const rvl_hart_frame *frame, uint32_t group);             \
    void name(const rvl_launch_record *record, rvl_launch_words *words, rvl_hart_frame *frame) {   \
        for_each_group(record, words, frame, name##_group);                                        \
    }                                                                                              \
    static void name##_group(const rvl_launch_record *record, const rvl_hart_frame *frame,         \
                             uint32_t group)

GROUP_FUNCTION(iota) {
    (void)frame;
    buffer_of(record)[group] = (uint32_t)arguments_of(record)->value + group;
}

GROUP_FUNCTION(count) {
    (void)frame, (void)group;
    __atomic_fetch_add(buffer_of(record), 1, __ATOMIC_RELAXED);
}

GROUP_FUNCTION(copy) {
    (void)frame;
    const volatile uint8_t *from = (const volatile uint8_t *)(uintptr_t)arguments_of(record)->value;
    ((volatile uint8_t *)buffer_of(record))[group] = from[group];
}

GROUP_FUNCTION(spin) {
    (void)frame, (void)group;
    volatile uint32_t *buffer = buffer_of(record);
    __atomic_store_n(&buffer[16], 1, __ATOMIC_RELEASE); // in a cache block of its own
    while (__atomic_load_n(&buffer[0], __ATOMIC_ACQUIRE) == 0)
        ;
}

GROUP_FUNCTION(hart) { buffer_of(record)[group] = 1 + frame->hart; }

GROUP_FUNCTION(store) {
    (void)frame;
    if (group == 0)
        *(volatile uint32_t *)(uintptr_t)arguments_of(record)->value = 0xdeadbeef;
}

GROUP_FUNCTION(load) {
    (void)frame;
    if (group == 0)
        buffer_of(record)[0] = *(volatile uint32_t *)(uintptr_t)arguments_of(record)->value;
}

GROUP_FUNCTION(illegal) {
    (void)frame, (void)record;
    if (group == 0) {
#ifdef __riscv
        __asm__ volatile(".4byte 0"); // all zeros is an illegal instruction by definition
#endif
    }
}

GROUP_FUNCTION(jump) {
    (void)frame;
    if (group == 0)
        ((void (*)(void))(uintptr_t)arguments_of(record)->value)();
}

GROUP_FUNCTION(deep) {
    (void)record, (void)group;
    volatile uint8_t *below = (volatile uint8_t *)frame;
    for (;;)
        *--below = 1;
}
