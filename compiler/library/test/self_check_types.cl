/* SPDX-License-Identifier: Apache-2.0
 *
 * The same as self_check.cl for what chapter 6 says of types, their layout, literals, components and
 * reinterpretation, and the built-in functions that are there for every type.
 */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define EXPECT(condition)                                                                          \
    if (!(condition))                                                                              \
    failures[failures[0] < 15 ? ++failures[0] : 15] = __LINE__
#define CHECK(name) kernel void name(global int *failures, int zero)

/* 6.1.1, 6.1.2, 6.1.5, 6.11.1 */
typedef struct {
    char a;
    float3 b;
    short c;
    double d;
    char3 e;
    half f;
    long2 g;
} mixed;
typedef struct __attribute__((packed)) {
    char a;
    float3 b;
    short c;
    double d;
} packed;
struct aligned_type {
    short f[3];
} __attribute__((aligned(8)));
struct packed_field {
    char a;
    int x[2] __attribute__((packed));
};
struct aligned_field {
    int x[2] __attribute__((aligned(8)));
    char c;
};
constant mixed made = {1, (float3)(1, 2, 3), 4, 5.0, (char3)(6, 7, 8), 9, (long2)(10, 11)};
constant float4 table[2] = {(float4)(1, 2, 3, 4), (float4)(5)};
constant int nested[2][3] = {{1, 2, 3}, {4, 5, 6}};

__attribute__((noinline)) mixed moved(mixed value, float3 by, packed also) {
    value.b += by + also.b;
    value.g.y += also.c;
    return value;
}

#define IS(T, size) EXPECT(sizeof(T) == size && __alignof__(T) == size)
#define ARE(T, size)                                                                               \
    IS(T, size);                                                                                   \
    IS(T##2, 2 * size);                                                                            \
    IS(T##3, 4 * size);                                                                            \
    IS(T##4, 4 * size);                                                                            \
    IS(T##8, 8 * size);                                                                            \
    IS(T##16, 16 * size);                                                                          \
    EXPECT(vec_step(T) == 1 && vec_step(T##2) == 2 && vec_step(T##3) == 4);                        \
    EXPECT(vec_step(T##4) == 4 && vec_step(T##8) == 8 && vec_step(T##16) == 16)

CHECK(layout) {
    ARE(char, 1);
    ARE(uchar, 1);
    ARE(short, 2);
    ARE(ushort, 2);
    ARE(int, 4);
    ARE(uint, 4);
    ARE(long, 8);
    ARE(ulong, 8);
    ARE(half, 2);
    ARE(float, 4);
    ARE(double, 8);
    IS(size_t, sizeof(void *));
    IS(ptrdiff_t, sizeof(global int *));
    EXPECT(sizeof(mixed) == 80 && sizeof(packed) == 27 && sizeof(struct aligned_type) == 8);
    EXPECT(sizeof(struct packed_field) == 9 && sizeof(struct aligned_field) == 16);
    packed also = {1, (float3)(10, 20, 30), 3, 4.0};
    mixed here = made;
    here.b += (float3)zero;
    mixed there = moved(here, (float3)(100), also);
    EXPECT(all(there.b == (float3)(111, 122, 133)) && there.g.y == 14 && there.e.z == 8);
    EXPECT(there.f == (half)9 && there.c == 4 && there.d == 5.0 && there.a == 1);
    EXPECT(table[zero].w == 4 && table[1 + zero].x == 5 && nested[1 + zero][2] == 6);
}

/* 6.1.1, 6.1.3 of C99, 6.3 */
CHECK(literals) {
    EXPECT(sizeof(1.0) == 8 && sizeof(1.0f) == 4 && sizeof(1.0h) == 2 && sizeof(1l) == 8);
    EXPECT(0x1.8p1f == 3.0f && 0x.8p1 == 1.0 && .5f == 0.5f && 010 == 8 && sizeof(4294967296) == 8);
    EXPECT((1 << (33 + zero)) == 2 && (1l << (65 + zero)) == 2 && (-8 >> (33 + zero)) == -4);
    EXPECT(((char)1 << (char)(9 + zero)) == 512);
    EXPECT(all(((uchar4)(uchar)(1 + zero) << (uchar4)9) == (uchar4)2));
    EXPECT(HALF_MAX == 65504.0h && FLT_EPSILON == 0x1p-23f && DBL_MAX_EXP == 1024);
    EXPECT((int)(-2.7f + zero) == -2 && (uchar)(-1 + zero) == 255 && (bool)(0.5f + zero) == 1);
    EXPECT(all((int2)(1.9f + zero, 2) == (int2)(1, 2)));
    bool yes = zero == 0;
    EXPECT(all((uchar4)yes == (uchar4)255)); /* 6.2.2 */
}

/* 6.1.7 */
CHECK(components) {
    float16 x;
    for (int i = 0; i < 16; ++i)
        ((private float *)&x)[i] = i + zero;
    EXPECT(x.sA == 10 && x.sf == 15 && x.SF == 15 && x.s0F.y == 15 && x.S9aB.z == 11);
    EXPECT(all(x.odd == (float8)(1, 3, 5, 7, 9, 11, 13, 15)) && x.hi.hi.hi.hi == 15);
    EXPECT(all(x.lo.hi == (float4)(4, 5, 6, 7)) && all(x.hi.lo.even == (float2)(8, 10)));
    float16 y = x;
    y.even = x.hi;
    y.hi.odd.lo = (float2)(100, 200);
    EXPECT(y.s0 == 8 && y.s1 == 1 && y.se == 15 && y.s9 == 100 && y.sb == 200 && y.sd == 13);
    y.sfedcba98 = x.lo;
    y.s01.y += 5;
    EXPECT(y.sf == 0 && y.s8 == 7 && y.s1 == 6);
    float4 v = (float4)(1, 2, 3, 4) + zero;
    v.xw = (float2)(5, 6);
    v.wx = (float2)(7, 8);
    v.xyz = (float3)(3, 5, 9);
    v.wzyx = v;
    EXPECT(all(v == (float4)(7, 9, 5, 3)));
    float3 t = (float3)(1, 2, 3) + zero;
    EXPECT(t.lo.y == 2 && t.hi.x == 3 && t.even.y == 3 && t.odd.x == 2);
    t.hi.x = 9;
    t.zyx = t;
    EXPECT(all(t == (float3)(9, 2, 1)));
    int4 a = (int4)(1, 2, 3, 4) + zero, b = (int4)(4, 3, 2, 1);
    EXPECT(all((a > b ? a : b) == (int4)(4, 3, 3, 4)) && all((a < b) == (int4)(-1, -1, 0, 0)));
    EXPECT(all((a && (int4)(0, 1, 0, 1)) == (int4)(0, -1, 0, -1)) && all(!a == (int4)0));
    EXPECT(all((1.0f < (float4)(0, 1, 2, 3) + zero) == (int4)(0, 0, -1, -1)));
}

/* 6.2.4.2 */
CHECK(reinterpretation) {
    EXPECT(as_int(1.0f + zero) == 0x3f800000 && as_double(0x4000000000000000l + zero) == 2.0);
    EXPECT(as_short((half)(1 + zero)) == 0x3c00 && as_half((short)(0x4000 + zero)) == (half)2);
    EXPECT(as_uchar8(0x0807060504030201ul + zero).s7 == 8 && as_ushort((uchar2)(1, 2)) == 0x201);
    EXPECT(as_int((char4)(1, 2, 3, 4 + zero)) == 0x04030201 && as_char((uchar)(255 + zero)) == -1);
    EXPECT(as_int3((float4)(1 + zero)).z == 0x3f800000 && as_int4((float3)(1 + zero)).y == 0x3f800000);
    EXPECT(as_uint8((double4)(1 + zero)).s7 == 0x3ff00000 && as_short16((int8)(0x20001)).sf == 2);
    EXPECT(as_uchar16((uint4)(0x01020304 + zero)).sc == 4 && as_char3((char4)(1, 2, 3, 4)).z == 3);
    EXPECT(as_half4((ushort4)(0x3c00 + zero)).w == (half)1 && as_ulong2((int4)(1)).y == 0x100000001ul);
}

/* 6.12.6 */
#define RELATIONS(T, I)                                                                            \
    {                                                                                              \
        T##4 p = (T##4)((T)1, (T)-2, (T)NAN, (T)INFINITY) + (T)zero;                               \
        T##4 r = (T##4)((T)1, (T)3, (T)3, -(T)INFINITY);                                           \
        EXPECT(all(isequal(p, r) == (I##4)(-1, 0, 0, 0)));                                         \
        EXPECT(all(isnotequal(p, r) == (I##4)(0, -1, -1, -1)));                                    \
        EXPECT(all(isgreater(p, r) == (I##4)(0, 0, 0, -1)));                                       \
        EXPECT(all(isgreaterequal(p, r) == (I##4)(-1, 0, 0, -1)));                                 \
        EXPECT(all(isless(p, r) == (I##4)(0, -1, 0, 0)));                                          \
        EXPECT(all(islessequal(p, r) == (I##4)(-1, -1, 0, 0)));                                    \
        EXPECT(all(islessgreater(p, r) == (I##4)(0, -1, 0, -1)));                                  \
        EXPECT(all(isordered(p, r) == (I##4)(-1, -1, 0, -1)));                                     \
        EXPECT(all(isunordered(p, r) == (I##4)(0, 0, -1, 0)));                                     \
        EXPECT(all(isfinite(p) == (I##4)(-1, -1, 0, 0)));                                          \
        EXPECT(all(isinf(p) == (I##4)(0, 0, 0, -1)));                                              \
        EXPECT(all(isnan(p) == (I##4)(0, 0, -1, 0)));                                              \
        EXPECT(all(isnormal(p) == (I##4)(-1, -1, 0, 0)));                                          \
        EXPECT(all(signbit(p) == (I##4)(0, -1, 0, 0)));                                            \
        EXPECT(isequal(p.x, r.x) == 1 && isnan(p.z) == 1 && signbit(p.y) == 1);                    \
        EXPECT(all(select(p.xyx, r.xyy, (I##3)(-1, 1, 0)) == (T##3)(1, -2, 1)));                   \
        EXPECT(all(bitselect(p.xyxy, r.xyxy, as_##T##4((I##4)(-1))) == r.xyxy));                   \
    }
CHECK(relations_of_every_type) {
    RELATIONS(float, int)
    RELATIONS(double, long)
    RELATIONS(half, short)
}

/* 6.12.6, 6.12.12 */
#define CHOICES(T, M)                                                                              \
    {                                                                                              \
        T##4 a = (T##4)(1, 2, 3, 4) + (T)zero;                                                     \
        T##16 z = shuffle(a, (M##16)(0, 1, 2, 3, 3, 2, 1, 0, 4, 5, 6, 7, 8, 9, 10, 11));           \
        EXPECT(z.s4 == (T)4 && z.s8 == (T)1 && z.sf == (T)4);                                      \
        T##2 w = shuffle2(a, a + (T)4, (M##2)(7, 0));                                              \
        EXPECT(w.x == (T)8 && w.y == (T)1);                                                        \
        EXPECT(select(a, a + (T)1, (M##4)((M)-1)).w == (T)5 && select(a, a, (M##4)1).x == (T)1);   \
        T both[8];                                                                                 \
        vstore3((T##3)(7, 8, 9) + (T)zero, 1, both + 1);                                           \
        EXPECT(both[4] == (T)7 && both[6] == (T)9 && vload3(1, both + 1).y == (T)8);               \
    }
CHECK(choices_of_every_type) {
    CHOICES(char, uchar)
    CHOICES(uchar, uchar)
    CHOICES(short, ushort)
    CHOICES(ushort, ushort)
    CHOICES(int, uint)
    CHOICES(uint, uint)
    CHOICES(long, ulong)
    CHOICES(ulong, ulong)
    CHOICES(half, ushort)
    CHOICES(float, uint)
    CHOICES(double, ulong)
}

/* 6.12.10: the copies go from constants to local memory and, two elements at a time, into a
 * buffer of the caller's. */
#define COPIES(T)                                                                                  \
    CHECK(copies_of_##T) {                                                                         \
        local T##3 triples[4], twice[8];                                                           \
        for (int i = 0; i < 4; ++i)                                                                \
            triples[i] = (T##3)((T)i, (T)(i + 10), (T)(i + 20));                                   \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        global T##3 *memory = (global T##3 *)(failures + 32);                                      \
        event_t event = async_work_group_copy(memory, (const local T##3 *)triples, 4, 0);          \
        wait_group_events(1, &event);                                                              \
        event = async_work_group_strided_copy(twice, (const global T##3 *)memory, 2, 2, 0);        \
        wait_group_events(1, &event);                                                              \
        EXPECT(twice[1].x == (T)2 && twice[1].z == (T)22);                                         \
        event = async_work_group_strided_copy(memory, (const local T##3 *)twice, 2, 3, 0);         \
        wait_group_events(1, &event);                                                              \
        EXPECT(memory[3].y == (T)12 && memory[1].x == (T)1);                                       \
    }
COPIES(char)
COPIES(uchar)
COPIES(short)
COPIES(ushort)
COPIES(int)
COPIES(uint)
COPIES(long)
COPIES(ulong)
COPIES(half)
COPIES(float)
COPIES(double)
