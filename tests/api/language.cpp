// SPDX-License-Identifier: Apache-2.0
//
// OpenCL C 3.0's optional features and the language extensions, on the device.
#include <algorithm>
#include <bit>
#include <cmath>
#include <condition_variable>

#include "host-runtime/include/CL/cl_ext_rivulet.h"
#include "on_device.h"

namespace rivulet::test {
namespace {

class Language : public OnDevice {
protected:
    cl::Kernel kernel(const std::string &source, const char *options = "-cl-std=CL3.0") {
        return OnDevice::kernel(source, "test", options);
    }
    /// The values that test(global T *out) writes, with one group of `items`.
    template <class T = int>
    std::vector<T> run(cl::Kernel kernel, size_t items, size_t results, size_t group) {
        const cl::Buffer out = buffer(std::vector<T>(results));
        kernel.setArg(0, out);
        queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(items), cl::NDRange(group));
        return read<T>(out, results);
    }
};

TEST_F(Language, FeatureQueriesAgreeWithTheMacros) {
    EXPECT_TRUE(device.getInfo<CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT>());
    EXPECT_TRUE(device.getInfo<CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT>());
    EXPECT_GE(device.getInfo<CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE>(), size_t{64} << 10);
    EXPECT_GE(device.getInfo<CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE>(), size_t{64} << 10);
    for (const auto &feature : device.getInfo<CL_DEVICE_OPENCL_C_FEATURES>())
        build(std::string("#ifndef ") + feature.name + "\n#error\n#endif\n", "-cl-std=CL3.0");
    const auto memory = device.getInfo<CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES>();
    for (const cl_device_atomic_capabilities wanted :
         {CL_DEVICE_ATOMIC_ORDER_RELAXED, CL_DEVICE_ATOMIC_ORDER_ACQ_REL,
          CL_DEVICE_ATOMIC_ORDER_SEQ_CST, CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP,
          CL_DEVICE_ATOMIC_SCOPE_DEVICE, CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES})
        EXPECT_TRUE(memory & wanted) << wanted;
    EXPECT_EQ(device.getInfo<CL_DEVICE_ATOMIC_FENCE_CAPABILITIES>(),
              memory | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM);
}

// 6.1 of the extensions' specification. Names that aren't offered are the compiler's tests.
TEST_F(Language, PragmasOfAdvertisedExtensionsDoNotWarn) {
    std::string source;
    for (const auto &extension : device.getInfo<CL_DEVICE_EXTENSIONS_WITH_VERSION>())
        for (const char *state : {"enable", "disable", "enable"})
            source += std::string("#pragma OPENCL EXTENSION ") + extension.name + " : " + state +
                      "\n_Pragma(\"OPENCL EXTENSION " + extension.name + " : " + state + "\")\n";
    source += "#pragma OPENCL EXTENSION all : disable\n";
    for (const char *standard : {"CL1.0", "CL1.1", "CL1.2", "CL3.0"})
        build(source, (std::string("-Werror -cl-std=") + standard).c_str());
}

TEST_F(Language, GenericPointersReachAndTellAllAddressSpaces) {
    auto result = run(kernel(R"(
global int in_program = 4;
int kind(int *p) { // 1 global, 2 local, 4 private
    return (to_global(p) != 0) | (to_local(p) != 0) << 1 | (to_private(p) != 0) << 2;
}
kernel void test(global int *out) {
    int i = get_global_id(0);
    int own[8];
    local int shared[64];
    for (int k = 0; k < 8; ++k)
        own[k] = 100 * i + k;
    shared[i] = 1000 + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    int *ways[4] = {out + 3 * i, shared + (i ^ 3), own + i % 8, &in_program};
    int *p = ways[i % 4];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[3 * i + 1] = kind(p);
    out[3 * i + 2] = *p;
    out[3 * i] = get_fence(p) == CLK_LOCAL_MEM_FENCE;
})"),
                      64, 192, 64);
    for (int i = 0; i < 64; ++i) {
        const size_t at = size_t(3 * i);
        constexpr int kinds[] = {1, 2, 4, 1};
        const int values[] = {0, 1000 + (i ^ 3), 100 * i + i % 8, 4};
        EXPECT_EQ(result[at + 1], kinds[i % 4]) << i;
        EXPECT_EQ(result[at + 2], values[i % 4]) << i;
        EXPECT_EQ(result[at], i % 4 == 1) << i;
    }
}

// 6.12.2
TEST_F(Language, SecondResultsGoToEveryAddressSpace) {
    const auto result = run(kernel(R"(
#define SAME(a, b) all(as_int2(a) == as_int2(b))
#define CHECK(R, call) {                                \
        R own;                                          \
        global R *g = (global R *)(memory + 16);         \
        local R *l = (local R *)&shared;                \
        R *any = g;                                     \
        any = memory[15] ? l : any;                     \
        float2 first = call(&own);                      \
        bool same = SAME(first, call(g)) && SAME(own, *g) && SAME(first, call(l)) && SAME(own, *l); \
        *g = 0;                                         \
        *out++ = same && SAME(first, call(any)) && SAME(own, *g); \
    }
#define FRACT(p) fract(x, p)
#define FREXP(p) frexp(x, p)
#define LGAMMA_R(p) lgamma_r(x, p)
#define MODF(p) modf(x, p)
#define REMQUO(p) remquo(x, x / 3, p)
#define SINCOS(p) sincos(x, p)
kernel void test(global int *memory) {
    global int *out = memory;
    local int2 shared;
    float2 x = (float2)(2.75f, -7.5f) + out[0];
    CHECK(float2, FRACT)
    CHECK(int2, FREXP)
    CHECK(int2, LGAMMA_R)
    CHECK(float2, MODF)
    CHECK(int2, REMQUO)
    CHECK(float2, SINCOS)
})"),
                            1, 64, 1);
    EXPECT_THAT(std::vector(result.begin(), result.begin() + 6), testing::Each(1));
}

TEST_F(Language, GenericPointersToPrivateVariablesNeedNoBarrier) {
    const auto result = run(kernel(R"(
kernel void test(global int *out) {
    long wide = get_global_id(0);
    char narrow = 1;
    long *p = &wide;
    char *q = &narrow;
    out[get_global_id(0)] = (to_private(p) != 0) | (to_private(q) != 0) << 1 |
                            (to_global(p) == 0) << 2 | (to_local(q) == 0) << 3;
})"),
                            100, 100, 100);
    EXPECT_EQ(result, std::vector<int>(100, 15));
}

// 6.12 of OpenCL C 3.0: what a block uses of its surroundings is copied when the block is made, of
// arrays their address; a block's body is a function like others.
// Clang's __bf16: rounded to nearest even when a value is stored, computed as float.
TEST_F(Language, BfloatsAreTheUpperHalvesOfFloats) {
    constexpr size_t items = 500;
    const std::vector<float> out = run<float>(kernel(R"(
struct pair { __bf16 first, second; };
__bf16 squared(__bf16 x) { return x * x; }
kernel void test(global float *out) {
    int i = get_global_id(0);
    __bf16 own[4];
    for (int k = 0; k < 4; ++k)
        own[k] = (__bf16)(i * 0.375f - 40.125f + k);
    struct pair both = {own[i & 3], i & 1 ? squared(own[2]) : own[3]};
    out[2 * i] = (float)both.first;
    out[2 * i + 1] = (float)both.second;
}
)"),
                                              items, 2 * items, 50);
    const auto rounded = [](float value) {
        const auto bits = std::bit_cast<uint32_t>(value);
        return std::bit_cast<float>((bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000u);
    };
    for (size_t i = 0; i < items; ++i) {
        const auto own = [&](size_t k) {
            const float product = static_cast<float>(i) * 0.375f; // exact
            return rounded(product - 40.125f + static_cast<float>(k));
        };
        EXPECT_EQ(out[2 * i], own(i & 3)) << i;
        EXPECT_EQ(out[2 * i + 1], i & 1 ? rounded(own(2) * own(2)) : own(3)) << i;
    }
}

TEST_F(Language, BlocksCaptureValuesAndTheAddressesOfArrays) {
    auto result = run(kernel(R"(
constant int bias = 5;
global int in_program = 7;
int add(int a, int b) { return a + b; }
typedef int (^unary)(int);
unary global_block = ^(int x) { return add(x, bias) ^ in_program; };
struct pair { int a; short b[3]; };
kernel void test(global int *out) {
    int i = get_global_id(0);
    local int shared[64];
    shared[get_local_id(0)] = 3 * i;
    int scale = i + 2;
    int3 vector = (int3)(i, 10, 20);
    long wide = 1L << 40;
    struct pair pair = {i, {1, 2, 3}};
    int array[4] = {1, 2, 3, 4};
    int *into = array + 1;
    global int *mine = out + 12 * i;
    unary scalar = ^(int x) { return x * scale; };
    unary whole = ^(int x) { return vector.y + pair.b[x & 1] + pair.a + (int)(wide >> 38); };
    unary same = scalar;
    int (^sum)(void) = ^{
        int total = 0;
        for (int k = 0; k < 4; ++k)
            total += array[k];
        return total;
    };
    unary neighbour = ^(int x) {
        barrier(CLK_LOCAL_MEM_FENCE);
        return shared[get_local_id(0) ^ x];
    };
    void (^store)(int) = ^(int x) { mine[8] = x ^ 1; *into = x; };
    unary outer = ^(int x) {
        int twice = 2 * x;
        unary inner = ^(int y) { return y + twice + scale + array[0]; };
        return inner(x) - global_block(x);
    };
    mine[0] = scalar(3);
    mine[1] = whole(1);
    scale = 1000;
    vector.y = 1000;
    pair.b[1] = 1000;
    mine[2] = scalar(3) + whole(1) + same(1);
    mine[3] = sum();
    array[i & 3] = 50;
    mine[4] = sum();
    mine[5] = neighbour(1);
    barrier(CLK_LOCAL_MEM_FENCE);
    shared[get_local_id(0)] = -i;
    mine[6] = neighbour(2);
    if (i % 3 == 0)
        mine[7] = (outer)(i);
    else
        mine[7] = ^(int x) { return x + global_block(x); }(i);
    store(i);
    mine[9] = array[1];
    for (int k = 0; k < i; ++k) {
        int (^step)(int) = ^(int x) { return x + k * i; };
        mine[10] = step(mine[10]);
    }
    mine[11] = as_int(^(float x) { return x * 0.5f; }((float)i));
}
)"),
                      128, 12 * 128, 64);
    auto global_block = [](int x) { return (x + 5) ^ 7; };
    for (int i = 0; i < 128; ++i) {
        const int scale = i + 2;
        std::vector<int> array = {1, 2, 3, 4};
        const int whole = 10 + 2 + i + 4;
        std::vector<int> expected(12);
        expected[0] = 3 * scale;
        expected[1] = whole;
        expected[2] = 3 * scale + whole + scale;
        expected[3] = 10;
        array[unsigned(i) & 3] = 50;
        expected[4] = std::accumulate(array.begin(), array.end(), 0);
        expected[5] = 3 * (i ^ 1);
        expected[6] = -(i ^ 2);
        expected[7] =
            i % 3 == 0 ? i + 2 * i + scale + array[0] - global_block(i) : i + global_block(i);
        expected[8] = i ^ 1;
        expected[9] = i;
        expected[10] = i * (i * (i - 1) / 2);
        expected[11] = std::bit_cast<int>(0.5f * float(i));
        for (size_t k = 0; k < expected.size(); ++k)
            ASSERT_EQ(result[12 * size_t(i) + k], expected[k]) << i << ", " << k;
    }
}

TEST_F(Language, ProgramScopeVariablesLiveAsLongAsTheProgram) {
    const cl::Program program = build(R"(
global int count = 40;
global float zeroed[1000];
static global int *global where = &count;
constant int table[3] = {5, 6, 7};
kernel void add(int x) { atomic_add(where, x); zeroed[999] += 0.5f; }
kernel void test(global int *out) {
    static global int calls = 1;
    out[0] = count; out[1] = (int)(2 * zeroed[999]); out[2] = calls++; out[3] = table[get_work_dim()];
})",
                                      "-cl-std=CL3.0");
    EXPECT_GE(program.getBuildInfo<CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE>(device), 4008u);
    cl::Kernel add(program, "add"), test(program, "test");
    add.setArg(0, 2);
    EXPECT_THAT(run(test, 1, 4, 1), testing::ElementsAre(40, 0, 1, 6));
    launch(add, 10);
    EXPECT_THAT(run(test, 1, 4, 1), testing::Contains(60));
    cl::Kernel again(program, "test");
    EXPECT_EQ(run(again, 1, 4, 1)[2], 3);
}

// A literal 1 is an int, whatever the object is.
TEST_F(Language, AtomicsTakeTheSameValueFromAllWorkItems) {
    auto check = [&]<class T>(const std::string &type, T) {
        std::string source = R"(
kernel void test(global atomic_$ *a) {
    size_t i = get_global_id(0);
    if (i % 3) {
        atomic_fetch_add(a, 1);
        atomic_fetch_sub_explicit(a + 1, 3, memory_order_relaxed);
        atomic_fetch_xor_explicit(a + 2, 5, memory_order_acq_rel, memory_scope_device);
        atomic_fetch_or(a + 3, 6u);
        atomic_fetch_and(a + 4, (uchar)12);
        atomic_fetch_max(a + 5, 1000);
        atomic_fetch_min(a + 6, 7);
    }
    atomic_fetch_xor(a + 7, 9);
    atomic_fetch_max(a + 8, ($)1 << (8 * sizeof($) - 2));
}
)";
        for (size_t at; (at = source.find('$')) != std::string::npos;)
            source.replace(at, 1, type);
        cl::Kernel tested = kernel(source);
        const std::vector<T> before = {0, 0, 0, 0, T(~T{0}), 3, 100, 0, 0};
        const cl::Buffer values = buffer(before);
        tested.setArg(0, values);
        queue.enqueueNDRangeKernel(tested, {}, cl::NDRange(101), cl::NDRange(101));
        EXPECT_EQ(read<T>(values, before.size()), (std::vector<T>{67, T(-201), 5, 6, 12, 1000, 7, 9,
                                                                  T(T{1} << (8 * sizeof(T) - 2))}))
            << type;
    };
    check("int", cl_int{});
    check("uint", cl_uint{});
    check("long", cl_long{});
    check("ulong", cl_ulong{});
}

// Harts that have no such instructions ask the firmware for them.
TEST_F(Language, AtomicsOf64BitsOutsideOfGlobalMemory) {
    const auto result = run<cl_ulong>(kernel(R"(
ulong twice(atomic_ulong *p, ulong value) {
    ulong before = atomic_load(p);
    atomic_store(p, before + value);
    return atomic_fetch_add(p, value) - before;
}
kernel void test(global ulong *out) {
    local atomic_ulong sum, largest;
    atomic_ulong own;
    ulong i = get_global_id(0) + 1;
    if (get_local_id(0) == 0) {
        atomic_init(&sum, 1ul << 40);
        atomic_store_explicit(&largest, 0, memory_order_relaxed, memory_scope_work_group);
    }
    atomic_init(&own, i << 33);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_max(&largest, i << 32);
    atomic_fetch_add(&sum, i << 35);
    barrier(CLK_LOCAL_MEM_FENCE);
    ulong seen = atomic_load(&sum) + atomic_load(&largest);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        seen += twice(&sum, i << 36);
    out[get_global_id(0)] = seen + twice(&own, i) + atomic_load(&own);
})"),
                                      32, 32, 8);
    for (size_t i = 0; i < 32; ++i) {
        const cl_ulong first = i / 8 * 8 + 1, id = i + 1;
        cl_ulong expected = (cl_ulong{1} << 40) + ((8 * first + 28) << 35) + ((first + 7) << 32);
        if (i % 8 == 0)
            expected += id << 36;
        EXPECT_EQ(result[i], expected + id + (id << 33) + 2 * id) << "work-item " << i;
    }
}

TEST_F(Language, CollectivesCombineAllWorkItemsOfAGroup) {
    constexpr const char *source = R"(
kernel void test(global int *out) {
    int l = get_local_id(0), x = (l * 7) % 11 + 1;
    int r[16] = {work_group_reduce_add(x), work_group_reduce_min(x), work_group_reduce_max(-x),
                 work_group_scan_exclusive_add(x), work_group_scan_inclusive_max(x),
                 work_group_broadcast(x, 2), work_group_all(x > 0), work_group_any(x > 11),
                 work_group_reduce_xor(x), work_group_scan_inclusive_mul((uint)x),
                 work_group_scan_exclusive_and(x), work_group_reduce_or(x),
                 work_group_scan_exclusive_logical_and(x != 9), work_group_reduce_logical_xor(x),
                 work_group_scan_inclusive_logical_or(x == 9),
                 (int)(64 * work_group_scan_exclusive_min(x / 4.0f))};
    for (int i = 0; i < 16; ++i)
        out[get_global_id(0) * 16 + i] = r[i];
})";
    constexpr size_t items = 75, group = 25;
    const auto result = run(kernel(source), items, items * 16, group);
    std::vector<int> x(group);
    for (size_t l = 0; l < group; ++l)
        x[l] = int(l * 7 % 11 + 1);
    int sum = 0, smallest = 99, largest = 0, bits = 0, either = 0, odd = 0;
    for (const int each : x) {
        sum += each;
        smallest = std::min(smallest, each);
        largest = std::max(largest, each);
        bits ^= each;
        either |= each;
        odd ^= 1;
    }
    for (size_t g = 0; g < items / group; ++g) {
        int before = 0, most = 0, both = -1, no_nine = 1, nine = 0;
        unsigned product = 1;
        float least = INFINITY;
        for (size_t l = 0; l < group; ++l) {
            const int *r = &result[(g * group + l) * 16];
            most = std::max(most, x[l]);
            product *= unsigned(x[l]);
            nine |= x[l] == 9;
            const int expected[] = {sum,  smallest,     -smallest, before, most,    x[2], 1,   0,
                                    bits, int(product), both,      either, no_nine, odd,  nine};
            for (int i = 0; i < 15; ++i)
                EXPECT_EQ(r[i], expected[i]) << "result " << i << " of work-item " << l;
            if (l > 0) {
                EXPECT_EQ(r[15], int(64 * least)) << l;
            }
            before += x[l];
            both &= x[l];
            no_nine &= x[l] != 9;
            least = std::min(least, float(x[l]) / 4);
        }
    }
}

TEST_F(Language, AsyncCopiesOfTwoAndThreeDimensions) {
    // 5 × 3 × 2 elements of 3 bytes, out of 8 × 4 × 2 and into 6 × 5 × 2, and back by twos.
    auto result = run<cl_uchar>(kernel(R"(
kernel void test(global uchar *out) {
    local uchar shared[200];
    int l = get_local_id(0);
    for (int i = l; i < 192; i += get_local_size(0))
        out[i] = i;
    for (int i = l; i < 200; i += get_local_size(0))
        shared[i] = 255;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    event_t e = async_work_group_copy_3D3D(shared, 1, out, 2, 3, 5, 3, 2, 8, 32, 6, 30, 0);
    async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy_2D2D(out + 192, 0, shared, 0, 4, 15, 3, 16, 20, e);
    wait_group_events(1, &e);
})"),
                                7, 192 + 240, 7);
    std::vector<cl_uchar> shared(200, 255), expected(240);
    for (size_t z = 0; z < 2; ++z)
        for (size_t y = 0; y < 3; ++y)
            for (size_t i = 0; i < 15; ++i)
                shared[3 * (1 + z * 30 + y * 6) + i] = cl_uchar(3 * (2 + z * 32 + y * 8) + i);
    for (size_t y = 0; y < 3; ++y)
        for (size_t i = 0; i < 60; ++i)
            expected[y * 80 + i] = shared[y * 64 + i];
    result.erase(result.begin(), result.begin() + 192);
    EXPECT_EQ(result, expected);
}

// 6.3.a leaves the result open, not whether the program goes on. The scalar unit converts a value
// that all work-items share, and on harts of 32 bits it has no instructions for it.
TEST_F(Language, DoublesAreRoundedToIntegers) {
    if (device.getInfo<CL_DEVICE_DOUBLE_FP_CONFIG>() == 0)
        GTEST_SKIP() << "no double";
    cl::Kernel tested = kernel(R"(
kernel void test(global double *out, double x) {
    out[0] = floor(x);
    out[1] = ceil(x);
    out[2] = trunc(x);
    out[3] = rint(x);
    out[4] = round(x);
    out[5] = convert_long_sat_rtn(x) + (long)(convert_ulong_sat_rtp(fabs(x)) / 2);
})");
    const cl::Buffer out = buffer(std::vector<double>(6));
    tested.setArg(0, out);
    for (const double size :
         {0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.5, 3.5, 0x1.fffffffffffffp-2, 4503599627370495.5,
          4503599627370497.0, 9007199254740993.0, 1e300, double(INFINITY), double(NAN)})
        for (const double x : {size, -size}) {
            tested.setArg(1, x);
            launch(tested, 1);
            const auto results = read<double>(out, 6);
            const double expected[] = {std::floor(x), std::ceil(x), std::trunc(x), std::rint(x),
                                       std::round(x)};
            for (size_t i = 0; i < std::size(expected); ++i)
                EXPECT_TRUE(std::isnan(x) ? std::isnan(results[i])
                                          : std::bit_cast<uint64_t>(results[i]) ==
                                                std::bit_cast<uint64_t>(expected[i]))
                    << i << " of " << x << ": " << results[i];
            if (size < 1e15) {
                EXPECT_EQ(results[5],
                          double(int64_t(std::floor(x)) + int64_t(std::ceil(size)) / 2));
            }
        }
}

// NaN of both signs and the results of arithmetic with them, which have one sign only.
TEST_F(Language, LowerBoundsLetNaNPass) {
    cl::Kernel tested = kernel(R"(
kernel void test(global float *out, global const float *in) {
    int i = get_global_id(0), n = get_global_size(0);
    float x = in[i], y = x * 1.5f;
    out[i] = y < -5.0f ? -5.0f : y;
    out[n + i] = !(y < 3.0f) ? y : 3.0f;
    out[2 * n + i] = y <= 0.0f ? 0.0f : y;
    out[3 * n + i] = y < 0.0f ? 0.0f : y;
    out[4 * n + i] = x < -5.0f ? -5.0f : x;
    out[5 * n + i] = x < 3.0f ? 3.0f : x;
    out[6 * n + i] = -y < -5.0f ? -5.0f : -y;
})");
    std::vector<float> in;
    for (const float size : {0.0f, 1e-40f, 1.0f, 2.0f, 2.5f, 10.0f / 3, 4.0f, 5.0f, 1e30f, INFINITY,
                             NAN, std::bit_cast<float>(0x7f800001)})
        for (const uint32_t sign : {0u, 1u << 31})
            in.push_back(std::bit_cast<float>(std::bit_cast<uint32_t>(size) | sign));
    const size_t n = in.size();
    const cl::Buffer out = buffer(std::vector<float>(7 * n));
    tested.setArg(0, out);
    tested.setArg(1, buffer(in));
    launch(tested, n);
    const auto results = read<float>(out, 7 * n);
    for (size_t i = 0; i < n; ++i) {
        const float x = in[i], y = x * 1.5f;
        const float expected[] = {y < -5 ? -5 : y, y < 3 ? 3 : y, y <= 0 ? 0 : y,   y < 0 ? 0 : y,
                                  x < -5 ? -5 : x, x < 3 ? 3 : x, -y < -5 ? -5 : -y};
        for (size_t k = 0; k < std::size(expected); ++k)
            EXPECT_TRUE(std::isnan(expected[k]) ? std::isnan(results[k * n + i])
                                                : std::bit_cast<uint32_t>(results[k * n + i]) ==
                                                      std::bit_cast<uint32_t>(expected[k]))
                << k << " of " << x << ": " << results[k * n + i];
    }
}

TEST_F(Language, HalvesThatAllWorkItemsShareAreStored) {
    cl::Kernel tested = kernel(R"(
kernel void test(global half *out, global const float *in, int step) {
    size_t i = get_global_id(0);
    vstore_half(in[1], i * step, out);
    if (in[i] > 50)
        vstore_half2((float2)(in[2], in[i]), i * step / 2, out);
})");
    constexpr size_t count = 100;
    const cl::Buffer in = buffer(iota<float>(count, 1));
    const cl::Buffer out = buffer(std::vector<cl_half>(2 * count));
    tested.setArg(0, out);
    tested.setArg(1, in);
    tested.setArg(2, 2);
    launch(tested, count);
    const auto halves = read<cl_half>(out, 2 * count);
    for (size_t i = 0; i < count; ++i) {
        const bool both = i + 1 > 50;
        EXPECT_EQ(float(std::bit_cast<_Float16>(halves[2 * i])), both ? 3 : 2) << i;
        EXPECT_EQ(float(std::bit_cast<_Float16>(halves[2 * i + 1])), both ? i + 1 : 0) << i;
    }
}

TEST_F(Language, DivisionByZeroEndsNothing) {
    auto result = run(kernel(R"(
kernel void test(global int *out) {
    int i = get_global_id(0), divisor = i % 3 - 1, lowest = INT_MIN + i / 64;
    out[i] = i % 2 ? lowest / divisor : lowest % divisor;
    out[64 + i] = (uint)i / (uint)(divisor + 1) + (int)((short4)i / (short4)divisor).x;
    out[128 + i] = divisor == 1 ? i / divisor : 0;
})"),
                      64, 192, 64);
    for (size_t i = 0; i < 64; ++i)
        EXPECT_EQ(result[128 + i], i % 3 == 2 ? int(i) : 0);
    expect_healthy();
}

// The condition is one for all work-items, but not all of them ask it in that iteration.
TEST_F(Language, SomeWorkItemsComeToAWayOut) {
    const auto result = run<cl_uint>(kernel(R"(
kernel void test(global uint *out) {
    uint v = get_global_id(0) * 77, limit = get_local_size(0) / 8, sum = 0, left_with = 0;
    for (uint i = 0; i < 20; ++i) {
        sum += v & 15;
        if ((v + i) & 1) {
            left_with = v;
            if (i >= limit)
                break;
            sum ^= i;
        }
        v = v * 5 + (v >> 3);
    }
    out[get_global_id(0)] = sum * 1000 + left_with % 1000;
})"),
                                     64, 64, 32);
    for (cl_uint id = 0; id < 64; ++id) {
        cl_uint v = id * 77, sum = 0, left_with = 0;
        for (cl_uint i = 0; i < 20; ++i) {
            sum += v & 15;
            if ((v + i) & 1) {
                left_with = v;
                if (i >= 4)
                    break;
                sum ^= i;
            }
            v = v * 5 + (v >> 3);
        }
        EXPECT_EQ(result[id], sum * 1000 + left_with % 1000) << "work-item " << id;
    }
}

// The same text for the device and for the host.
#define CYCLES_WITH_TWO_ENTRIES(v, n)                                                              \
    if (v & 1)                                                                                     \
        goto b;                                                                                    \
    a:                                                                                             \
    v = v * 5 + 1;                                                                                 \
    if (++n > 20)                                                                                  \
        goto end;                                                                                  \
    if (v & 4)                                                                                     \
        goto c;                                                                                    \
    b:                                                                                             \
    v = v * 3 + 7;                                                                                 \
    n += 2;                                                                                        \
    if (v & 8)                                                                                     \
        goto a;                                                                                    \
    if (n > 25)                                                                                    \
        goto end;                                                                                  \
    c:                                                                                             \
    v ^= v >> 3;                                                                                   \
    n += 3;                                                                                        \
    if (v & 2)                                                                                     \
        goto b;                                                                                    \
    goto a;                                                                                        \
    end:                                                                                           \
    v += n;
#define TEXT_OF(...) #__VA_ARGS__
#define TEXT(...) TEXT_OF(__VA_ARGS__)

TEST_F(Language, CyclesWithTwoEntries) {
    constexpr size_t items = 100;
    const auto result =
        run<cl_uint>(kernel("kernel void test(global uint *out) {"
                            "    uint v = get_global_id(0) * 2654435761u, n = 0;" TEXT(
                                CYCLES_WITH_TWO_ENTRIES(v, n)) "    out[get_global_id(0)] = v;"
                                                               "}"),
                     items, items, 10);
    for (size_t i = 0; i < items; ++i) {
        cl_uint v = cl_uint(i) * 2654435761u, n = 0;
        CYCLES_WITH_TWO_ENTRIES(v, n)
        EXPECT_EQ(result[i], v) << "work-item " << i;
    }
}

TEST_F(Language, ClocksGoForward) {
    const auto result = run<cl_ulong>(kernel(R"(
kernel void test(global ulong *out) {
    ulong device_time = clock_read_device(), cycles = clock_read_work_group();
    uint2 parts = clock_read_hilo_device();
    for (int i = 0; i < 1000; ++i)
        atomic_inc((volatile global int *)out + 6);
    out[0] = clock_read_device() - device_time;
    out[1] = clock_read_work_group() - cycles;
    out[2] = ((ulong)parts.y << 32 | parts.x) - device_time;
})"),
                                      1, 4, 1);
    EXPECT_GT(result[0], 0u);
    EXPECT_GT(result[1], 0u);
    EXPECT_LE(result[2], result[0]);
    cl_device_kernel_clock_capabilities_khr scopes = 0;
    device.getInfo(CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR, &scopes);
    EXPECT_TRUE(scopes & CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR);
    EXPECT_TRUE(scopes & CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR);
}

// cl_khr_initialize_memory
TEST_F(Language, MemoryIsZeroWhereTheContextAsksForIt) {
    const cl_context_properties wanted[] = {
        CL_CONTEXT_MEMORY_INITIALIZE_KHR,
        CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR | CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR, 0};
    context = cl::Context(device, wanted);
    queue = cl::CommandQueue(context, device);
    constexpr const char *source = R"(
kernel void dirty(global int *out, local int *shared) {
    for (int i = get_local_id(0); i < 64; i += get_local_size(0))
        shared[i] = i + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = shared[get_local_id(0)];
}
kernel void test(global int *out, local int *argument) {
    local int shared[32];
    int own[4];
    int x;
    int i = get_local_id(0);
    out[get_global_id(0)] = shared[i % 32] | argument[i % 32] | own[i & 3] | x;
    shared[i % 32] = argument[i % 32] = 7;
})";
    const cl::Program program = build(source);
    cl::Kernel dirty(program, "dirty"), test(program, "test");
    dirty.setArg(1, cl::Local(256));
    test.setArg(1, cl::Local(128));
    for (const int each : run(dirty, 64, 64, 16))
        EXPECT_NE(each, 0);
    EXPECT_EQ(run(test, 64, 64, 16), std::vector<int>(64));
    const cl_context_properties wrong[] = {CL_CONTEXT_MEMORY_INITIALIZE_KHR, 8, 0};
    EXPECT_EQ(status_of([&] { cl::Context(device, wrong); }), CL_INVALID_PROPERTY);
}

// The conformance tests ask for as many, of a buffer of a megabyte.
TEST_F(Language, PrintfHoldsACharacterOfEachOf65536Calls) {
    constexpr size_t items = 65536;
    ASSERT_GE(device.getInfo<CL_DEVICE_PRINTF_BUFFER_SIZE>(), size_t{1} << 20);
    for (const char *body : {"printf(\"%c\", 'a' + (int)(get_global_id(0) % 26));",
                             "printf(\"%d\", (int)(get_global_id(0) % 10));"}) {
        const auto source = std::string("kernel void test() {") + body + "}";
        const cl::Kernel prints = kernel(source);
        testing::internal::CaptureStdout();
        launch(prints, items).wait();
        std::string text = testing::internal::GetCapturedStdout();
        EXPECT_EQ(text.size(), items);
        std::ranges::sort(text);
        const char first = text.empty() ? ' ' : text.front();
        const int kinds = first == 'a' ? 26 : 10;
        for (int kind = 0; kind < kinds; ++kind)
            EXPECT_NEAR(double(std::ranges::count(text, char(first + kind))), items / kinds, 1);
    }
}

// Output that does not fit is lost; the context is told so, and which setting to change.
TEST_F(Language, LostPrintfIsTold) {
    struct Told {
        std::mutex mutex;
        std::condition_variable came;
        std::string text;
    } told;
    const cl::Context listening(
        device, nullptr,
        [](const char *text, const void *, size_t, void *user) {
            auto &to = *static_cast<Told *>(user);
            const std::lock_guard lock(to.mutex);
            to.text = text;
            to.came.notify_all();
        },
        &told);
    cl::Program program(listening, "kernel void test() { printf(\"%d %d %d\\n\", "
                                   "(int)get_global_id(0), 7, 8); }");
    program.build(device);
    constexpr size_t items = 100000;
    cl::CommandQueue own(listening, device);
    testing::internal::CaptureStdout();
    own.enqueueNDRangeKernel(cl::Kernel(program, "test"), {}, cl::NDRange(items));
    own.finish();
    const std::string text = testing::internal::GetCapturedStdout();
    const auto lines = static_cast<size_t>(std::ranges::count(text, '\n'));
    EXPECT_LT(lines, items);
    EXPECT_GT(lines, items / 4);
    std::unique_lock lock(told.mutex);
    told.came.wait(lock, [&] { return !told.text.empty(); });
    EXPECT_EQ(told.text, "kernel test: " + std::to_string(items - lines) +
                             " calls of printf are lost: the output of a launch has room for "
                             "1 MiB, which RIVULET_PRINTF=8 makes more");
}

} // namespace
} // namespace rivulet::test
