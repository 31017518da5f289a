// SPDX-License-Identifier: Apache-2.0
//
// What clang's header and its table of built-in functions lack: every program sees it, right after
// opencl-c-base.h.
#ifndef RIVULET_COMPILER_PRELUDE_H
#define RIVULET_COMPILER_PRELUDE_H

#include <string_view>

namespace rivulet::compiler {

// Atomic counters are images of a kind that OpenCL C has on no device of ours: what clang forbids
// with images is what the specification forbids with counters. counters.h does the rest.
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

} // namespace rivulet::compiler

#endif
