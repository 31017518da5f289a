// SPDX-License-Identifier: Apache-2.0
//
// Declarations that clang's header and its table of built-in functions lack. Programs that name one
// of them read this right after opencl-c-base.h.
#ifndef RIVULET_COMPILER_FRONTEND_PRELUDE_H
#define RIVULET_COMPILER_FRONTEND_PRELUDE_H

#include <string_view>

namespace rivulet::compiler {

// Atomic counters are implemented as an image type that no device supports in OpenCL C: clang's
// restrictions for images are those that the specification has for counters.
// lowering/atomic_counters.h does the rest.
constexpr std::string_view counters_prelude = R"(
#if __OPENCL_C_VERSION__ < 300 || defined(__opencl_c_images)
typedef read_only image2d_msaa_t counter32_t;
typedef read_only image2d_array_msaa_t counter64_t;

// A declaration hides those of clang's table.
#define RIVULET_DECLARE(name)                                    \
    uint __attribute__((overloadable)) name(counter32_t);        \
    ulong __attribute__((overloadable)) name(counter64_t);       \
    int __attribute__((overloadable)) name(volatile global int *);   \
    int __attribute__((overloadable)) name(volatile local int *);    \
    uint __attribute__((overloadable)) name(volatile global uint *); \
    uint __attribute__((overloadable)) name(volatile local uint *);
RIVULET_DECLARE(atomic_inc)
RIVULET_DECLARE(atomic_dec)
#undef RIVULET_DECLARE
#endif
)";

constexpr std::string_view images_prelude = R"(
#ifdef cl_ext_image_unorm_int_2_101010
#define CLK_UNORM_INT_2_101010_EXT 0x10E5
#endif
)";

constexpr std::string_view copies_prelude = R"(
#ifdef cl_khr_extended_async_copies
#define RIVULET_COPIES(TO, FROM) \
    event_t __attribute__((overloadable, convergent)) async_work_group_copy_2D2D( \
        TO void *dst, size_t dst_offset, const FROM void *src, size_t src_offset, \
        size_t num_bytes_per_element, size_t num_elements_per_line, size_t num_lines, \
        size_t src_total_line_length, size_t dst_total_line_length, event_t event); \
    event_t __attribute__((overloadable, convergent)) async_work_group_copy_3D3D( \
        TO void *dst, size_t dst_offset, const FROM void *src, size_t src_offset, \
        size_t num_bytes_per_element, size_t num_elements_per_line, size_t num_lines, \
        size_t num_planes, size_t src_total_line_length, size_t src_total_plane_area, \
        size_t dst_total_line_length, size_t dst_total_plane_area, event_t event);
RIVULET_COPIES(__local, __global)
RIVULET_COPIES(__global, __local)
#undef RIVULET_COPIES
#endif

#ifdef cl_khr_async_work_group_copy_fence
void __attribute__((overloadable, convergent))
async_work_group_copy_fence(cl_mem_fence_flags flags);
#endif
)";

constexpr std::string_view collectives_prelude = R"(
#if defined(cl_khr_work_group_uniform_arithmetic) && \
    defined(__opencl_c_work_group_collective_functions)
#define RIVULET_GROUP __attribute__((overloadable, convergent))
#define RIVULET_FORMS(operation, T) \
    T RIVULET_GROUP work_group_reduce_##operation(T x); \
    T RIVULET_GROUP work_group_scan_exclusive_##operation(T x); \
    T RIVULET_GROUP work_group_scan_inclusive_##operation(T x);
#define RIVULET_INTEGERS(operation) \
    RIVULET_FORMS(operation, int) \
    RIVULET_FORMS(operation, uint) \
    RIVULET_FORMS(operation, long) \
    RIVULET_FORMS(operation, ulong)
RIVULET_INTEGERS(mul)
RIVULET_INTEGERS(and)
RIVULET_INTEGERS(or)
RIVULET_INTEGERS(xor)
RIVULET_FORMS(logical_and, int)
RIVULET_FORMS(logical_or, int)
RIVULET_FORMS(logical_xor, int)
RIVULET_FORMS(mul, float)
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
RIVULET_FORMS(mul, half)
#pragma OPENCL EXTENSION cl_khr_fp16 : disable
#endif
#ifdef cl_khr_fp64
RIVULET_FORMS(mul, double)
#endif
#undef RIVULET_INTEGERS
#undef RIVULET_FORMS
#undef RIVULET_GROUP
#endif
)";

} // namespace rivulet::compiler

#endif
