/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels of one work-item that check built-in functions against what the specification says,
 * component by component. failures[0] counts, the lines follow. Run on the build machine and on the
 * device. `zero` is 0, but the compiler doesn't know.
 */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define EXPECT(condition)                                                                          \
    if (!(condition))                                                                              \
    failures[failures[0] < 15 ? ++failures[0] : 15] = __LINE__
#define CHECK(name) kernel void name(global int *failures, int zero)

/* 6.12.6 */
CHECK(relational) {
    float nan = as_float(0x7fc00000 + zero), inf = as_float(0x7f800000 + zero);
    float4 x = (float4)(1.0f, -2.0f, nan, inf), y = (float4)(1.0f, 3.0f, 3.0f, -inf);
    EXPECT(all(isequal(x, y) == (int4)(-1, 0, 0, 0)));
    EXPECT(all(isnotequal(x, y) == (int4)(0, -1, -1, -1)));
    EXPECT(all(isgreater(x, y) == (int4)(0, 0, 0, -1)));
    EXPECT(all(isless(x, y) == (int4)(0, -1, 0, 0)));
    EXPECT(all(islessequal(x, y) == (int4)(-1, -1, 0, 0)));
    EXPECT(all(islessgreater(x, y) == (int4)(0, -1, 0, -1)));
    EXPECT(all(isordered(x, y) == (int4)(-1, -1, 0, -1)));
    EXPECT(all(isunordered(x, y) == (int4)(0, 0, -1, 0)));
    EXPECT(all(isnan(x) == (int4)(0, 0, -1, 0)));
    EXPECT(all(isinf(x) == (int4)(0, 0, 0, -1)));
    EXPECT(all(isfinite(x) == (int4)(-1, -1, 0, 0)));
    EXPECT(all(isnormal((float4)(0.0f, 1e-40f, 1e-30f, inf)) == (int4)(0, 0, -1, 0)));
    EXPECT(all(signbit(x) == (int4)(0, -1, 0, 0)));
    EXPECT(isequal(x.x, y.x) == 1 && isnan(nan) == 1 && signbit(-nan) == 1);
    EXPECT(all(isequal((double2)(1, 2), (double2)(1, 3)) == (long2)(-1, 0)));
    EXPECT(isequal((double)1, (double)1) == 1);
    EXPECT(any((int3)(0, 0, INT_MIN)) == 1 && any((int3)(1, 2, 3)) == 0);
    EXPECT(all((char8)(-1)) == 1 && all((char2)(-1, 1)) == 0);
    EXPECT(all(select((int4)1, (int4)2, (int4)(-1, 1, 0, INT_MIN)) == (int4)(2, 1, 1, 2)));
    EXPECT(all(select((uchar2)1, (uchar2)2, (uchar2)(127, 128)) == (uchar2)(1, 2)));
    EXPECT(select(1.0f, 2.0f, 1) == 2.0f && select(1.0f, 2.0f, 0u) == 1.0f);
    EXPECT(as_int(bitselect(as_float(0x0f0f), as_float(0x7070), as_float(0xff))) == 0x0f70);
    EXPECT(bitselect((uchar)0x0f, (uchar)0xf0, (uchar)0x3c) == 0x33);
}

/* 6.12.4, 6.12.5 */
CHECK(common_and_geometric) {
    float one = 1.0f + zero;
    EXPECT(clamp(5.0f * one, 1.0f, 3.0f) == 3.0f && clamp(-5.0f * one, 1.0f, 3.0f) == 1.0f);
    EXPECT(all(max((float3)(1, 5, 3) * one, 2.0f) == (float3)(2, 5, 3)));
    EXPECT(fabs(degrees(one) - 57.29578f) < 1e-5f && fabs(radians(180.0f * one) - 3.1415927f) < 1e-6f);
    EXPECT(all(mix((float2)(0, 10), (float2)(10, 20), 0.5f * one) == (float2)(5, 15)));
    EXPECT(all(step((float2)(1, 2), (float2)(1.5f) * one) == (float2)(1, 0)));
    EXPECT(smoothstep(0.0f, 2.0f, one) == 0.5f && smoothstep(0.0f, 2.0f, 9.0f * one) == 1.0f);
    EXPECT(sign(-3.0f * one) == -1.0f && sign(7.0 * one) == 1.0);
    EXPECT(as_int(sign(-0.0f * one)) == INT_MIN && sign(as_float(0x7fc00000 + zero)) == 0.0f);
    EXPECT(all(cross((float3)(1, 0, 0) * one, (float3)(0, 1, 0)) == (float3)(0, 0, 1)));
    EXPECT(dot((float4)(1, 2, 3, 4) * one, (float4)(5, 6, 7, 8)) == 70.0f);
    EXPECT(length((float2)(3, 4) * one) == 5.0f && length((double3)(2, 3, 6) * (double)one) == 7.0);
    EXPECT(length((float2)(3e30f, 4e30f) * one) == 5e30f);
    EXPECT(fabs(length((float2)(3e-38f, 4e-38f) * one) / 5e-38f - 1.0f) < 1e-6f);
    EXPECT(length((float2)(INFINITY, 1) * one) == INFINITY);
    EXPECT(distance((float2)(1, 1) * one, (float2)(4, 5)) == 5.0f);
    EXPECT(all(fabs(normalize((float2)(3e30f, 4e30f) * one) - (float2)(0.6f, 0.8f)) < 1e-6f));
    EXPECT(all(normalize((float3)0 * one) == (float3)0));
    EXPECT(normalize(0x1.cfa5e4p+127f * one) == 1.0f);
    EXPECT(normalize((float2)(0x1p+62f, 0x1.96p-73f) * one).y == 0x1.96p-135f);
    EXPECT(all(normalize((float2)(INFINITY, 7) * one) == (float2)(1, 0)));
    EXPECT(all(isnan(normalize((float2)(as_float(0x7fc00000 + zero), 0)))));
    EXPECT(fast_length((float2)(3, 4) * one) == 5.0f);
    EXPECT(dot((half2)(3, 4), (half2)(3, 4)) == (half)25 && length((half2)(300, 400)) == (half)500);
}

/* 6.12.12 */
CHECK(shuffles) {
    float8 x;
    uint16 many;
    for (int i = 0; i < 8; ++i)
        ((private float *)&x)[i] = i + zero;
    for (int i = 0; i < 16; ++i)
        ((private uint *)&many)[i] = (uint)(i * 11 + 3 + zero) * 17;
    float16 shuffled = shuffle(x, many), twice = shuffle2(x, x + 8.0f, many);
    for (int i = 0; i < 16; ++i) {
        EXPECT(((private float *)&shuffled)[i] == (((private uint *)&many)[i] & 7));
        EXPECT(((private float *)&twice)[i] == (((private uint *)&many)[i] & 15));
    }
    EXPECT(all(shuffle((int4)(1, 2, 3, 4) + zero, (uint2)(3, 4)) == (int2)(4, 1)));
    EXPECT(vec_step(x) == 8 && vec_step(float3) == 4);
}

/* 6.12.7 */
CHECK(loads_and_stores) {
    int from[50];
    int to[50];
    for (int i = 0; i < 50; ++i)
        from[i] = i + zero, to[i] = -1;
    EXPECT(all(vload2(1, from + 1) == (int2)(3, 4)));
    EXPECT(all(vload3(2, from) == (int3)(6, 7, 8)));
    EXPECT(all(vload4(1, from + 1) == (int4)(5, 6, 7, 8)));
    EXPECT(all(vload16(1, from).s0f == (int2)(16, 31)));
    vstore3((int3)(1, 2, 3), 2, to);
    EXPECT(to[5] == -1 && to[6] == 1 && to[8] == 3 && to[9] == -1);
    vstore8(vload8(0, from + 3), 1, to + 3);
    EXPECT(to[10] == -1 && to[11] == 3 && to[18] == 10 && to[19] == -1);

    ushort bits[24];
    for (int i = 0; i < 24; ++i)
        bits[i] = 0;
    private half *halves = (private half *)bits;
    vstore_half(1.0f + 0x1p-11f + zero, 0, halves); /* halfway: to even */
    vstore_half_rtz(1.0f + 0x1.8p-11f + zero, 1, halves);
    vstore_half_rtp(1.0f + 0x1p-20f + zero, 2, halves);
    vstore_half_rtn(-1.0f - 0x1p-20f + zero, 3, halves);
    vstore_half_rte(65520.0f + zero, 4, halves);
    vstore_half_rtz(1e30f + zero, 5, halves);
    vstore_half(1.0 + 0x1p-11 + 0x1p-40 + zero, 6, halves); /* not rounded twice */
    vstore_half(0x1.8p-24f + zero, 7, halves);
    EXPECT(bits[0] == 0x3c00 && bits[1] == 0x3c00 && bits[2] == 0x3c01 && bits[3] == 0xbc01);
    EXPECT(bits[4] == 0x7c00 && bits[5] == 0x7bff && bits[6] == 0x3c01 && bits[7] == 2);
    vstorea_half3((float3)(1, 2, 3), 1, halves);
    EXPECT(bits[3] == 0xbc01 && bits[4] == 0x3c00 && bits[6] == 0x4200 && bits[7] == 2);
    EXPECT(all(vloada_half3(1, halves) == (float3)(1, 2, 3)));
    vstore_half4((double4)(1, 2, 3, 4), 2, halves);
    EXPECT(all(vload_half4(2, halves) == (float4)(1, 2, 3, 4)));
    EXPECT(vload_half(9, halves) == 2.0f && all(vload_half2(4, halves) == (float2)(1, 2)));
}

/* 6.12.2: functions that split numbers into parts */
CHECK(parts_of_numbers) {
    float inf = as_float(0x7f800000 + zero), not_a_number = as_float(0x7fc00000 + zero), rest;
    int e;
    EXPECT(frexp(12.0f + zero, &e) == 0.75f && e == 4);
    EXPECT(frexp(-0x1p-149f + zero, &e) == -0.5f && e == -148);
    EXPECT(frexp(-inf, &e) == -inf && e == 0);
    EXPECT(frexp(0x1.8p-1070 + zero, &e) == 0.75 && e == -1069);
    EXPECT(ilogb(0x1p-149f + zero) == -149 && ilogb(inf) == INT_MAX && ilogb(0.0f + zero) == FP_ILOGB0);
    EXPECT(ilogb(not_a_number) == FP_ILOGBNAN && ilogb(10.0 + zero) == 3);
    EXPECT(logb(0x1p-149f + zero) == -149.0f && logb(-inf) == inf && logb(0.0f + zero) == -inf);
    EXPECT(ldexp(0x1.000002p0f + zero, -127) == 0x1p-127f && ldexp(3.0f + zero, -149) == 0x1.8p-148f);
    EXPECT(all(ldexp((float2)(1, 3) + zero, (int2)(2, -1)) == (float2)(4, 1.5f)));
    EXPECT(fract(-0.25f + zero, &rest) == 0.75f && rest == -1.0f);
    EXPECT(fract(-1e-30f + zero, &rest) == 0x1.fffffep-1f && fract(-inf, &rest) == 0.0f);
    EXPECT(modf(-3.75f + zero, &rest) == -0.75f && rest == -3.0f);
    EXPECT(as_int(modf(-inf, &rest)) == INT_MIN && rest == -inf);
    EXPECT(nextafter(1.0f + zero, 2.0f) == 0x1.000002p0f && nextafter(0.0f + zero, -1.0f) == -0x1p-149f);
    EXPECT(nextafter(-1.0f + zero, 0.0f) == -0x1.fffffep-1f && nextafter(1.0 + zero, 0.0) == 0x1.fffffffffffffp-1);
    EXPECT(isnan(nextafter(not_a_number, 1.0f)) && nextafter(inf, 0.0f) == 0x1.fffffep127f);
    EXPECT(remquo(29.0f + zero, 3.0f, &e) == -1.0f && e == 10);
    EXPECT(remquo(-29.0f + zero, 3.0f, &e) == 1.0f && e == -10);
    EXPECT(remquo(1.5 + zero, 1.0, &e) == -0.5 && e == 2 && isnan(remquo(inf, 1.0f, &e)) && e == 0);
    EXPECT(fmax(not_a_number, 1.0f) == 1.0f && fmin(1.0f + zero, not_a_number) == 1.0f && isnan(fmax(not_a_number, not_a_number)));
    EXPECT(fdim(5.0f + zero, 3.0f) == 2.0f && fdim(3.0f + zero, 5.0f) == 0.0f && isnan(fdim(not_a_number, 1.0f)));
    EXPECT(maxmag(-5.0f + zero, 3.0f) == -5.0f && minmag(-5.0f + zero, 5.0f) == -5.0f);
    EXPECT(round(-2.5f + zero) == -3.0f && rint(2.5f + zero) == 2.0f && as_int(ceil(-0.5f + zero)) == INT_MIN);
    EXPECT(trunc(-2.7 + zero) == -2.0 && floor(-2.1f + zero) == -3.0f && isnan(nan(7u + zero)));
    EXPECT(as_int(copysign(2.0f + zero, -not_a_number)) == as_int(-2.0f) && copysign(-inf, 1.0f) == inf);
    float cosine;
    float sine = sincos(1.0f + zero, &cosine);
    EXPECT(fabs(sine - 0x1.aed548p-1f) < 3e-7f && fabs(cosine - 0x1.14a28p-1f) < 3e-7f);
    float far = -0x1.922p+39f + zero; /* beyond 2^16 half_ functions are still functions */
    EXPECT(fabs(half_sin(far)) <= 1 && fabs(half_cos(far)) <= 1 && !isnan(half_tan(far)));
    EXPECT(isnan(half_sin(inf)) && isnan(half_cos(not_a_number)) && isnan(half_tan(-inf)));
    EXPECT(fabs(lgamma_r(-0.5f + zero, &e) - 1.2655121f) < 1e-6f && e == -1);
    EXPECT(lgamma_r(-2.0f + zero, &e) == inf && e == 0 && fabs(lgamma(10.0 + zero) - 12.801827480081469) < 1e-13);
    half4 h = (half4)(1, 2, 4, 8) + (half)zero;
    EXPECT(all(convert_float4(log2(h)) == (float4)(0, 1, 2, 3)));
    EXPECT(all(convert_float4(sqrt(h * h)) == convert_float4(h)));
    EXPECT(all(convert_float4(fmax(h, (half)3)) == (float4)(3, 3, 4, 8)));
    EXPECT(all(convert_float4(clamp(h, (half)2, (half)4)) == (float4)(2, 2, 4, 4)));
    int4 exponents;
    EXPECT(frexp(h, &exponents).x == (half)0.5 && all(exponents == (int4)(1, 2, 3, 4)));
}

/* cl_khr_extended_bit_ops, cl_khr_integer_dot_product, 6.12.3 */
CHECK(bits_and_dot_products) {
    EXPECT(bitfield_insert(0xffff0000u + zero, 0xabu, 4u, 8u) == 0xffff0ab0u);
    EXPECT(bitfield_insert((uchar2)(0, 255), (uchar2)(255, 0), 2u, 3u).x == 0x1c);
    EXPECT(bitfield_insert(5 + zero, -1, 0u, 32u) == -1 && bitfield_insert(5 + zero, -1, 3u, 0u) == 5);
    EXPECT(bitfield_extract_signed(0xf0u + zero, 4u, 4u) == -1);
    EXPECT(bitfield_extract_unsigned(0xf0 + zero, 4u, 4u) == 15u);
    EXPECT(bitfield_extract_signed((long)0xf0 + zero, 4u, 0u) == 0);
    EXPECT(bit_reverse((uchar)(1 + zero)) == 128);
    EXPECT(dot((uchar4)(255, 255, 255, 255), (uchar4)(255 + zero)) == 260100u);
    EXPECT(dot((char4)(-128, -128, 1, 2), (char4)(-128 + zero, 127, 3, 4)) == 16384 - 16256 + 11);
    EXPECT(dot((uchar4)(200, 1, 0, 0), (char4)(-1 + zero, 2, 0, 0)) == -198);
    EXPECT(dot_acc_sat((char4)(127 + zero), (char4)(127), INT_MAX - 5) == INT_MAX);
    EXPECT(dot_4x8packed_ss_int(0x01020304u + zero, 0x010101ffu) == 1 + 2 + 3 - 4);
    EXPECT(dot_acc_sat_4x8packed_uu_uint(0x01020304u + zero, 0x01010101u, 5u) == 15u);
    EXPECT(upsample((char)(-1 + zero), (uchar)2) == -254 && mul24(-3 + zero, 5) == -15);
    EXPECT(mad24(3u + zero, 5u, 7u) == 22u && all(mad_hi((short2)(20000 + zero), (short2)8, (short2)1) == (short2)3));
    EXPECT(mul_hi(LONG_MIN + zero, -3l) == 1 && mul_hi(-1l + zero, 5l) == -1 && mul_hi(~0ul - zero, ~0ul) == ~1ul);
    EXPECT(all(mul_hi((long2)(1l << 62) + zero, (long2)(8, -8)) == (long2)(2, -2)));
    EXPECT(mad_sat(LONG_MAX - zero, 2l, 5l) == LONG_MAX && mad_sat(LONG_MAX - zero, -2l, LONG_MAX) == -LONG_MAX);
}

/* 6.12.11 and the C11 atomics */
CHECK(atomics) {
    global int *p = failures + 16;
    global uint *u = (global uint *)failures + 17;
    *p = 5 + zero;
    *u = 5u;
    EXPECT(atomic_add(p, 3) == 5 && *p == 8);
    EXPECT(atomic_sub(p, 2) == 8 && atomic_inc(p) == 6 && atomic_dec(p) == 7 && *p == 6);
    EXPECT(atomic_min(p, -1) == 6 && *p == -1 && atomic_max(u, 9u) == 5u && *u == 9u);
    EXPECT(atomic_min((volatile global uint *)p, 3u) == ~0u && *p == 3);
    EXPECT(atomic_xchg(p, 12) == 3 && atomic_cmpxchg(p, 12, 13) == 12 && atomic_cmpxchg(p, 12, 14) == 13);
    EXPECT(*p == 13 && atomic_and(p, 6) == 13 && atomic_or(p, 3) == 4 && atomic_xor(p, 5) == 7 && *p == 2);
#ifdef __opencl_c_atomic_order_seq_cst
    volatile global atomic_int *a = (volatile global atomic_int *)p;
    int expected = 1;
    EXPECT(!atomic_compare_exchange_strong(a, &expected, 9) && expected == 2);
    EXPECT(atomic_compare_exchange_strong(a, &expected, 9) && atomic_load(a) == 9);
    EXPECT(atomic_fetch_add_explicit(a, 4, memory_order_relaxed, memory_scope_device) == 9);
    EXPECT(atomic_exchange(a, 1) == 13 && atomic_fetch_max(a, 5) == 1);
    atomic_store_explicit(a, 7, memory_order_release, memory_scope_work_group);
    EXPECT(*p == 7 && !atomic_flag_test_and_set((volatile global atomic_flag *)(failures + 18)));
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
#endif
    mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
}
