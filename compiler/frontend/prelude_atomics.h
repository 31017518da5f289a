/* SPDX-License-Identifier: Apache-2.0
 *
 * clang's table has atomic_fetch_… of atomic_uintptr_t with two types of values, so that calls with
 * an int are ambiguous, also on the unsigned integer that uintptr_t is. Read by the front end when
 * a program names one of them; these declarations hide the table's.
 */
#ifdef __opencl_c_generic_address_space
#define __rvl_forms(operation, T)                                                                  \
    T __attribute__((overloadable)) atomic_fetch_##operation(volatile atomic_##T *, T);            \
    T __attribute__((overloadable))                                                                \
    atomic_fetch_##operation##_explicit(volatile atomic_##T *, T, memory_order);                   \
    T __attribute__((overloadable))                                                                \
    atomic_fetch_##operation##_explicit(volatile atomic_##T *, T, memory_order, memory_scope);
#define __rvl_types(operation)                                                                     \
    __rvl_forms(operation, int) __rvl_forms(operation, uint)                                       \
    __rvl_forms(operation, long) __rvl_forms(operation, ulong)
__rvl_types(add) __rvl_types(sub) __rvl_types(and) __rvl_types(or) __rvl_types(xor)
__rvl_types(min) __rvl_types(max)
#define __rvl_float_types(T)                                                                       \
    __rvl_forms(add, T) __rvl_forms(sub, T) __rvl_forms(min, T) __rvl_forms(max, T)
#ifdef __opencl_c_ext_fp16_global_atomic_add
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__rvl_float_types(half)
#pragma OPENCL EXTENSION cl_khr_fp16 : disable
#endif
#ifdef __opencl_c_ext_fp32_global_atomic_add
__rvl_float_types(float)
#endif
#ifdef __opencl_c_ext_fp64_global_atomic_add
__rvl_float_types(double)
#endif
#undef __rvl_float_types
#undef __rvl_types
#undef __rvl_forms
#endif
