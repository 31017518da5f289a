/* SPDX-License-Identifier: Apache-2.0 */
/* cl_khr_extended_async_copies: each work-item copies its share of every line. Where all is aligned
 * in words, words are copied.
 */
#include "builtin.h"

OVERLOAD size_t get_local_linear_id(void) __attribute__((const));
OVERLOAD size_t get_local_size(uint dimension) __attribute__((const));

#define COPY(TO, FROM)                                                                             \
    INLINE OVERLOAD void copy_line(TO uchar *to, const FROM uchar *from, size_t bytes) {           \
        size_t first = get_local_linear_id();                                                      \
        size_t step = get_local_size(0) * get_local_size(1) * get_local_size(2);                   \
        if ((((size_t)to | (size_t)from | bytes) & 3) == 0)                                        \
            for (size_t i = first; i < bytes / 4; i += step)                                       \
                ((TO uint *)to)[i] = ((const FROM uint *)from)[i];                                 \
        else                                                                                       \
            for (size_t i = first; i < bytes; i += step)                                           \
                to[i] = from[i];                                                                   \
    }                                                                                              \
    OVERLOAD event_t async_work_group_copy_3D3D(                                                   \
        TO void *dst, size_t dst_offset, const FROM void *src, size_t src_offset,                  \
        size_t num_bytes_per_element, size_t num_elements_per_line, size_t num_lines,              \
        size_t num_planes, size_t src_total_line_length, size_t src_total_plane_area,              \
        size_t dst_total_line_length, size_t dst_total_plane_area, event_t event) {                \
        for (size_t plane = 0; plane < num_planes; ++plane)                                        \
            for (size_t line = 0; line < num_lines; ++line) {                                      \
                size_t to = dst_offset + plane * dst_total_plane_area + line * dst_total_line_length;   \
                size_t from = src_offset + plane * src_total_plane_area + line * src_total_line_length; \
                copy_line((TO uchar *)dst + to * num_bytes_per_element,                            \
                          (const FROM uchar *)src + from * num_bytes_per_element,                  \
                          num_elements_per_line * num_bytes_per_element);                          \
            }                                                                                      \
        return event;                                                                              \
    }                                                                                              \
    OVERLOAD event_t async_work_group_copy_2D2D(                                                   \
        TO void *dst, size_t dst_offset, const FROM void *src, size_t src_offset,                  \
        size_t num_bytes_per_element, size_t num_elements_per_line, size_t num_lines,              \
        size_t src_total_line_length, size_t dst_total_line_length, event_t event) {               \
        return async_work_group_copy_3D3D(dst, dst_offset, src, src_offset, num_bytes_per_element, \
                                          num_elements_per_line, num_lines, 1,                     \
                                          src_total_line_length, 0, dst_total_line_length, 0,      \
                                          event);                                                  \
    }
COPY(local, global)
COPY(global, local)
