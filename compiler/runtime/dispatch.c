// SPDX-License-Identifier: Apache-2.0
//
// Every instruction counts: a launch may be over in two hundred. So the record is read
// again rather than kept in registers, which would have to be saved.
#include "compiler/runtime/dispatch.h"

#include "hal/protocol/leave_kernel.h"

#define INLINE static inline __attribute__((always_inline))

INLINE uint32_t least(uint32_t first, uint32_t second) { return first < second ? first : second; }

// The work-items of groups that are neighbours in one dimension.
INLINE rvl_run work_items(const rvl_launch_record *record, int dimension, uint32_t first,
                          uint32_t count) {
    const uint32_t size = record->local_size[dimension];
    const uint32_t all = (uint32_t)record->global_size[dimension];
    return (rvl_run){first * size, least((first + count) * size, all)};
}

// Rows that are alike are shared out evenly: each row of groups gets as many, whichever they are,
// and the first ones one more.
INLINE uint32_t rows_of(const rvl_launch_record *record, uint32_t row_of_groups) {
    if (record->dimensions == 1)
        return 1;
    const size_t rows = (size_t)record->global_size[1] * (size_t)record->global_size[2];
    const size_t groups = (size_t)record->group_count[1] * record->group_count[2];
    return (uint32_t)(rows / groups) + (row_of_groups < rows % groups);
}

// Groups that are neighbours in x have long rows …
INLINE void run_row(const rvl_launch_record *record, rvl_launch_words *words, rvl_hart_frame *frame,
                    rvl_row_kernel *kernel, rvl_run groups) {
    do {
        const uint32_t in_x = record->group_count[0];
        const uint32_t row = groups.begin / in_x, at = groups.begin % in_x;
        const uint32_t width = least(in_x - at, groups.end - groups.begin);
        const rvl_run x = work_items(record, 0, at, width);
        groups.begin += width;
        kernel(record, words, frame, &x, rows_of(record, row));
    } while (groups.begin < groups.end);
}

// … and where they are all of x, the groups next in y have the same.
INLINE void run_rows(const rvl_launch_record *record, rvl_launch_words *words,
                     rvl_hart_frame *frame, rvl_rows_kernel *kernel, rvl_run groups) {
    do {
        const uint32_t in_x = record->group_count[0], in_y = record->group_count[1];
        const uint32_t row = groups.begin / in_x, at_x = groups.begin % in_x;
        const uint32_t at_z = row / in_y, at_y = row % in_y;
        const uint32_t left = groups.end - groups.begin;
        const uint32_t width = least(in_x - at_x, left);
        const uint32_t height = width < in_x ? 1 : least(in_y - at_y, left / in_x);
        const rvl_run x = work_items(record, 0, at_x, width);
        const rvl_run y = work_items(record, 1, at_y, height);
        rvl_run z = work_items(record, 2, at_z, 1);
        groups.begin += width * height;
        do
            kernel(record, words, frame, x.begin, x.end, y.begin, y.end, z.begin);
        while (++z.begin < z.end);
    } while (groups.begin < groups.end);
}

INLINE void run_chunks(const rvl_launch_record *record, rvl_launch_words *words,
                       rvl_hart_frame *frame, rvl_kernel *kernel, rvl_call call) {
    do {
        const uint32_t chunk = record->chunk, total = record->total_groups;
        const uint32_t first = __atomic_fetch_add(&words->next_group, chunk, __ATOMIC_RELAXED);
        if (first >= total)
            return;
        const uint32_t count = least(chunk, total - first);
        frame->first_group = first;
        frame->groups = count;
        if (call == RVL_CALL_ROW)
            run_row(record, words, frame, (rvl_row_kernel *)(uintptr_t)kernel,
                    (rvl_run){first, first + count});
        else
            run_rows(record, words, frame, (rvl_rows_kernel *)(uintptr_t)kernel,
                     (rvl_run){first, first + count});
    } while (!*(const volatile uint32_t *)&words->yield);
}

void rvl_dispatch(const rvl_launch_record *record, rvl_launch_words *words, rvl_hart_frame *frame,
                  rvl_kernel *kernel, rvl_call call) {
    if (call == RVL_CALL_ONCE)
        kernel(record, words, frame);
    else if (call == RVL_CALL_ROW)
        run_chunks(record, words, frame, kernel, RVL_CALL_ROW);
    else
        run_chunks(record, words, frame, kernel, RVL_CALL_ROWS);
}

#ifdef __riscv
// The code at record.start, from which no register needs to be saved.
static _Noreturn __attribute__((noinline)) void start_row(const rvl_launch_record *record,
                                                          rvl_launch_words *words,
                                                          rvl_hart_frame *frame,
                                                          rvl_kernel *kernel) {
    run_chunks(record, words, frame, kernel, RVL_CALL_ROW);
    rvl_leave_kernel();
}

static _Noreturn __attribute__((noinline)) void start_rows(const rvl_launch_record *record,
                                                           rvl_launch_words *words,
                                                           rvl_hart_frame *frame,
                                                           rvl_kernel *kernel) {
    run_chunks(record, words, frame, kernel, RVL_CALL_ROWS);
    rvl_leave_kernel();
}

_Noreturn void rvl_start(const rvl_launch_record *, rvl_launch_words *, rvl_hart_frame *,
                         rvl_kernel *) __asm__("rivulet.start");
_Noreturn void rvl_start(const rvl_launch_record *record, rvl_launch_words *words,
                         rvl_hart_frame *frame, rvl_kernel *kernel) {
    switch (rvl_call_of(kernel)) {
    case RVL_CALL_ONCE:
        kernel(record, words, frame);
        rvl_leave_kernel();
    case RVL_CALL_ROW:
        start_row(record, words, frame, kernel);
    case RVL_CALL_ROWS:
        start_rows(record, words, frame, kernel);
    }
    __builtin_unreachable();
}
#endif
