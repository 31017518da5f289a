/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenCL C declarations that clang's table of built-in functions lacks: cl_intel_subgroups and its
 * variants for other element sizes. Read by the front end when a program names one of them.
 */
#ifdef cl_intel_subgroups
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif

#define __rvl_function __attribute__((overloadable, convergent))
#define __rvl_each_vector(F, T) F(T##2) F(T##3) F(T##4) F(T##8) F(T##16)

#define __rvl_shuffle(T)                                                                           \
    T __rvl_function intel_sub_group_shuffle(T, uint);                                             \
    T __rvl_function intel_sub_group_shuffle_down(T, T, uint);                                     \
    T __rvl_function intel_sub_group_shuffle_up(T, T, uint);                                       \
    T __rvl_function intel_sub_group_shuffle_xor(T, uint);
__rvl_shuffle(float) __rvl_each_vector(__rvl_shuffle, float)
__rvl_shuffle(int) __rvl_each_vector(__rvl_shuffle, int)
__rvl_shuffle(uint) __rvl_each_vector(__rvl_shuffle, uint)
__rvl_shuffle(long) __rvl_shuffle(ulong)
#ifdef cl_khr_fp16
__rvl_shuffle(half)
#endif
#ifdef cl_khr_fp64
__rvl_shuffle(double)
#endif

#define __rvl_memory_block(space, T, name, n)                                                      \
    T##n __rvl_function intel_sub_group_block_read##name##n(const space T *);                      \
    void __rvl_function intel_sub_group_block_write##name##n(space T *, T##n);
#ifdef cl_intel_subgroup_local_block_io
#define __rvl_buffer_block(T, name, n)                                                             \
    __rvl_memory_block(__global, T, name, n) __rvl_memory_block(__local, T, name, n)
#else
#define __rvl_buffer_block(T, name, n) __rvl_memory_block(__global, T, name, n)
#endif
#ifdef __IMAGE_SUPPORT__
#define __rvl_image_block(T, name, n)                                                              \
    T##n __rvl_function intel_sub_group_block_read##name##n(read_only image2d_t, int2);            \
    void __rvl_function intel_sub_group_block_write##name##n(write_only image2d_t, int2, T##n);
#else
#define __rvl_image_block(T, name, n)
#endif
#ifdef __opencl_c_read_write_images
#define __rvl_read_write_block(T, name, n)                                                         \
    T##n __rvl_function intel_sub_group_block_read##name##n(read_write image2d_t, int2);           \
    void __rvl_function intel_sub_group_block_write##name##n(read_write image2d_t, int2, T##n);
#else
#define __rvl_read_write_block(T, name, n)
#endif
#define __rvl_block(T, name, n)                                                                    \
    __rvl_buffer_block(T, name, n) __rvl_image_block(T, name, n) __rvl_read_write_block(T, name, n)
#define __rvl_blocks(T, name)                                                                      \
    __rvl_block(T, name, ) __rvl_block(T, name, 2) __rvl_block(T, name, 4) __rvl_block(T, name, 8)
__rvl_blocks(uint, ) __rvl_blocks(uint, _ui)

#define __rvl_broadcast(T) T __rvl_function intel_sub_group_broadcast(T, uint);
#define __rvl_arithmetic(T, op)                                                                    \
    T __rvl_function intel_sub_group_reduce_##op(T);                                               \
    T __rvl_function intel_sub_group_scan_inclusive_##op(T);                                       \
    T __rvl_function intel_sub_group_scan_exclusive_##op(T);
#define __rvl_type(T)                                                                              \
    __rvl_shuffle(T) __rvl_each_vector(__rvl_shuffle, T)                                           \
    __rvl_broadcast(T) __rvl_each_vector(__rvl_broadcast, T)                                       \
    __rvl_arithmetic(T, add) __rvl_arithmetic(T, min) __rvl_arithmetic(T, max)
#ifdef cl_intel_subgroups_short
__rvl_type(short) __rvl_type(ushort)
__rvl_blocks(ushort, _us) __rvl_block(ushort, _us, 16)
#endif
#ifdef cl_intel_subgroups_char
__rvl_type(char) __rvl_type(uchar)
__rvl_blocks(uchar, _uc) __rvl_block(uchar, _uc, 16)
#endif
#ifdef cl_intel_subgroups_long
__rvl_blocks(ulong, _ul)
#endif

#ifdef cl_rivulet_subgroup_matrix_multiply_accumulate
#define __rvl_rows(name, k, A, B, R)                                                               \
    R __rvl_function intel_sub_group_##name##_matrix_mad_##k(A, B##8, R);                          \
    R##2 __rvl_function intel_sub_group_##name##_matrix_mad_##k(A##2, B##8, R##2);                 \
    R##4 __rvl_function intel_sub_group_##name##_matrix_mad_##k(A##4, B##8, R##4);                 \
    R##8 __rvl_function intel_sub_group_##name##_matrix_mad_##k(A##8, B##8, R##8);
#define __rvl_matrices(A, unsigned_a)                                                              \
    __rvl_rows(i8_i8, k32, A, int, int) __rvl_rows(i8_u8, k32, A, uint, int)                       \
    __rvl_rows(u8_i8, k32, unsigned_a, int, int) __rvl_rows(u8_u8, k32, unsigned_a, uint, int)     \
    __rvl_rows(bf16_bf16, k16, A, int, float) __rvl_rows(f16_f16, k16, A, int, float)
__rvl_matrices(int, uint)     /* for sub-groups of 8 */
__rvl_matrices(short, ushort) /* for sub-groups of 16 */
#undef __rvl_rows
#undef __rvl_matrices
#endif

#undef __rvl_function
#undef __rvl_each_vector
#undef __rvl_shuffle
#undef __rvl_memory_block
#undef __rvl_buffer_block
#undef __rvl_image_block
#undef __rvl_read_write_block
#undef __rvl_block
#undef __rvl_blocks
#undef __rvl_broadcast
#undef __rvl_arithmetic
#undef __rvl_type
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : disable
#endif
#endif
