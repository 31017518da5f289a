/* SPDX-License-Identifier: Apache-2.0
 *
 * How a kernel is called by the code that all images have (dispatch.c): once, or for rows of
 * work-items. A kernel that is called for rows is small, and compiled fast.
 */
#ifndef RIVULET_COMPILER_RUNTIME_DISPATCH_H
#define RIVULET_COMPILER_RUNTIME_DISPATCH_H

#include "hal/protocol/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rvl_call {
    RVL_CALL_ONCE, /* it takes its chunks itself, as launch.h says                        */
    RVL_CALL_ROW,  /* for a row of work-items, again and again: y and z make no difference */
    RVL_CALL_ROWS, /* for rows of work-items that have one z                              */
} rvl_call;

typedef struct rvl_run {
    uint32_t begin, end;
} rvl_run;

/* The word before a kernel's function is its rvl_call, which says what more it is given: the
 * work-items from (x, y, z) to (end_x - 1, end_y - 1, z), without the NDRange's offset; all numbers
 * are below 2^31. */
typedef void rvl_kernel(const rvl_launch_record *, rvl_launch_words *, rvl_hart_frame *);
typedef void rvl_row_kernel(const rvl_launch_record *, rvl_launch_words *, rvl_hart_frame *,
                            const rvl_run *x, uint32_t rows);
typedef void rvl_rows_kernel(const rvl_launch_record *, rvl_launch_words *, rvl_hart_frame *,
                             uint32_t x, uint32_t end_x, uint32_t y, uint32_t end_y, uint32_t z);

static inline rvl_call rvl_call_of(rvl_kernel *kernel) {
    return (rvl_call)((const uint8_t *)(uintptr_t)kernel)[-4]; /* a byte: it may lie at 2 bytes */
}

/* Runs the remaining chunks of work-groups, until the hart is asked to yield. */
void rvl_dispatch(const rvl_launch_record *, rvl_launch_words *, rvl_hart_frame *, rvl_kernel *,
                  rvl_call) __asm__("rivulet.dispatch");

#ifdef __cplusplus
}
#endif

#endif
