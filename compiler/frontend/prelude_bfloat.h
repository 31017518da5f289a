/* SPDX-License-Identifier: Apache-2.0
 *
 * The types and functions of cl_rivulet_bfloat (docs/cl_rivulet_bfloat.md). Read by the front end
 * when a program names the extension. Where clang's table has functions of the same name, these are
 * added to them (builtin_overloads.h).
 */
#if defined(cl_rivulet_bfloat) && !defined(as_bfloat)
typedef __bf16 bfloat;
typedef bfloat bfloat2 __attribute__((ext_vector_type(2)));
typedef bfloat bfloat3 __attribute__((ext_vector_type(3)));
typedef bfloat bfloat4 __attribute__((ext_vector_type(4)));
typedef bfloat bfloat8 __attribute__((ext_vector_type(8)));
typedef bfloat bfloat16 __attribute__((ext_vector_type(16)));

#define as_bfloat(x) __builtin_astype((x), bfloat)
#define as_bfloat2(x) __builtin_astype((x), bfloat2)
#define as_bfloat3(x) __builtin_astype((x), bfloat3)
#define as_bfloat4(x) __builtin_astype((x), bfloat4)
#define as_bfloat8(x) __builtin_astype((x), bfloat8)
#define as_bfloat16(x) __builtin_astype((x), bfloat16)

#define __rvl_function __attribute__((overloadable))
#define __rvl_each_vector(F, ...)                                                                  \
    F(2, __VA_ARGS__) F(3, __VA_ARGS__) F(4, __VA_ARGS__) F(8, __VA_ARGS__) F(16, __VA_ARGS__)
#define __rvl_each_width(F, ...) F(, __VA_ARGS__) __rvl_each_vector(F, __VA_ARGS__)
#define __rvl_each_mode(F, ...)                                                                    \
    F(, __VA_ARGS__) F(_rte, __VA_ARGS__) F(_rtz, __VA_ARGS__) F(_rtp, __VA_ARGS__)                \
    F(_rtn, __VA_ARGS__)
#ifdef __opencl_c_generic_address_space
#define __rvl_generic(F, ...) F(generic, __VA_ARGS__)
#else
#define __rvl_generic(F, ...)
#endif
#define __rvl_each_writable_space(F, ...)                                                          \
    F(private, __VA_ARGS__) F(local, __VA_ARGS__) F(global, __VA_ARGS__)                           \
    __rvl_generic(F, __VA_ARGS__)
#define __rvl_each_space(F, ...)                                                                   \
    __rvl_each_writable_space(F, __VA_ARGS__) F(constant, __VA_ARGS__)

#define __rvl_from(mode, n, T)                                                                     \
    bfloat##n __rvl_function __attribute__((const)) convert_bfloat##n##mode(T##n);
#define __rvl_to(mode, n, T)                                                                       \
    T##n __rvl_function __attribute__((const)) convert_##T##n##mode(bfloat##n);
#define __rvl_convert_to(n, T) __rvl_each_mode(__rvl_to, n, T)
#define __rvl_convert(n, T) __rvl_convert_to(n, T) __rvl_each_mode(__rvl_from, n, T)
__rvl_each_width(__rvl_convert, float)
__rvl_each_width(__rvl_convert_to, bfloat)
#ifdef cl_khr_fp64
__rvl_each_width(__rvl_convert, double)
#endif

#define __rvl_fma(n, T)                                                                            \
    T##n __rvl_function __attribute__((const)) bfloat_fma(bfloat##n, bfloat##n, T##n);
__rvl_each_width(__rvl_fma, float)

#define __rvl_load(space, n)                                                                       \
    bfloat##n __rvl_function __attribute__((pure)) vload##n(size_t, const space bfloat *);
#define __rvl_store(space, n) void __rvl_function vstore##n(bfloat##n, size_t, space bfloat *);
#define __rvl_plain(n, T) __rvl_each_space(__rvl_load, n) __rvl_each_writable_space(__rvl_store, n)
__rvl_each_vector(__rvl_plain, )

#define __rvl_widening_load(space, n)                                                              \
    float##n __rvl_function __attribute__((pure)) vload_bfloat##n(size_t, const space bfloat *);   \
    float##n __rvl_function __attribute__((pure)) vloada_bfloat##n(size_t, const space bfloat *);
#define __rvl_narrowing_store(space, mode, n, T)                                                   \
    void __rvl_function vstore_bfloat##n##mode(T##n, size_t, space bfloat *);                      \
    void __rvl_function vstorea_bfloat##n##mode(T##n, size_t, space bfloat *);
#define __rvl_narrowing_stores(mode, n, T)                                                         \
    __rvl_each_writable_space(__rvl_narrowing_store, mode, n, T)
#define __rvl_stores(n, T) __rvl_each_mode(__rvl_narrowing_stores, n, T)
#define __rvl_loads(n, T) __rvl_each_space(__rvl_widening_load, n)
__rvl_each_width(__rvl_loads, float)
__rvl_each_width(__rvl_stores, float)
#ifdef cl_khr_fp64
__rvl_each_width(__rvl_stores, double)
#endif

#undef __rvl_function
#undef __rvl_each_vector
#undef __rvl_each_width
#undef __rvl_each_mode
#undef __rvl_generic
#undef __rvl_each_writable_space
#undef __rvl_each_space
#undef __rvl_from
#undef __rvl_to
#undef __rvl_convert_to
#undef __rvl_convert
#undef __rvl_fma
#undef __rvl_load
#undef __rvl_store
#undef __rvl_plain
#undef __rvl_widening_load
#undef __rvl_narrowing_store
#undef __rvl_narrowing_stores
#undef __rvl_stores
#undef __rvl_loads
#endif
