// SPDX-License-Identifier: Apache-2.0
//
// cl_ext_float_atomics: numbers that work-items of all harts update at the same time.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "on_device.h"
// This header comes last, because it uses the API version set by those before it.
#include "host-runtime/include/CL/cl_ext_rivulet.h"

namespace rivulet::test {
namespace {

constexpr size_t items = 1000, group = 100;

/// A type of OpenCL C, how its features begin, and the integers up to which all are exact.
struct Type {
    const char *name, *prefix;
    cl_device_info query;
    int largest_integer;
};
constexpr Type types[] = {
    {"half", "__opencl_c_ext_fp16", CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT, 2048},
    {"float", "__opencl_c_ext_fp32", CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT, 1 << 24},
    {"double", "__opencl_c_ext_fp64", CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT, 1 << 30}};

class FloatAtomics : public OnDevice, public testing::WithParamInterface<Type> {
protected:
    void SetUp() override {
        OnDevice::SetUp();
        if (!offered())
            GTEST_SKIP() << "no atomics of " << GetParam().name;
    }
    cl_device_fp_atomic_capabilities_ext offered() const {
        cl_device_fp_atomic_capabilities_ext all = 0;
        EXPECT_EQ(clGetDeviceInfo(device(), GetParam().query, sizeof all, &all, nullptr),
                  CL_SUCCESS);
        return all;
    }
    /// A kernel with arguments `global float *out, global const float *in`, in which T is the type,
    /// A the atomic one.
    cl::Kernel kernel(const std::string &body) {
        const std::string type = GetParam().name;
        return OnDevice::kernel("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                                "#define T " +
                                    type + "\n#define A atomic_" + type + "\n" + body,
                                "test", "-cl-std=CL3.0");
    }
    /// Numbers are float for the host, and T in the memory that kernels update.
    std::vector<float> run(cl::Kernel kernel, const std::vector<float> &in, size_t out_count) {
        const cl::Buffer from = buffer(in), to = buffer(std::vector<float>(out_count)),
                         memory = buffer(std::vector<double>(64));
        kernel.setArg(0, to);
        kernel.setArg(1, from);
        kernel.setArg(2, memory);
        queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(in.size()), cl::NDRange(group));
        std::vector<double> updated = read<double>(memory, 64);
        after.resize(updated.size() * sizeof(double));
        std::memcpy(after.data(), updated.data(), after.size());
        return read<float>(to, out_count);
    }
    /// Element `index` of the memory that the last kernel updated.
    double updated(size_t index) const {
        const auto at = [&]<class N>(N number) {
            std::memcpy(&number, after.data() + index * sizeof number, sizeof number);
            return number;
        };
        const std::string_view type = GetParam().name;
        return type == "double"  ? at(double{})
               : type == "float" ? static_cast<double>(at(float{}))
                                 : half_value(at(cl_ushort{}));
    }
    static double half_value(cl_ushort bits) {
        const int exponent = bits >> 10 & 31, fraction = bits & 1023;
        const double size = exponent == 0    ? std::ldexp(fraction, -24)
                            : exponent == 31 ? (fraction ? std::numeric_limits<double>::quiet_NaN()
                                                         : std::numeric_limits<double>::infinity())
                                             : std::ldexp(fraction + 1024, exponent - 25);
        return bits & 0x8000 ? -size : size;
    }
    std::vector<cl_uchar> after;
};

TEST_P(FloatAtomics, QueriesAgreeWithTheMacros) {
    const std::string prefix = GetParam().prefix;
    std::string body = "kernel void test(global float *out, global const float *in, "
                       "global void *m) {\n";
    const std::pair<const char *, cl_device_fp_atomic_capabilities_ext> operations[] = {
        {"_global_atomic_add", CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT},
        {"_global_atomic_min_max", CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT},
        {"_local_atomic_add", CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT},
        {"_local_atomic_min_max", CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT},
        {"_global_atomic_load_store", CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT},
        {"_local_atomic_load_store", CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT}};
    const size_t count = prefix.ends_with("16") ? 6 : 4; // the others have no feature
    for (size_t i = 0; i < count; ++i)
        body += "#ifdef " + prefix + operations[i].first + "\n  out[" + std::to_string(i) +
                "] = 1;\n#endif\n";
    const auto macros = run(kernel(body + "}"), std::vector<float>(group), 6);
    for (size_t i = 0; i < count; ++i)
        EXPECT_EQ(macros[i] != 0, (offered() & operations[i].second) != 0) << operations[i].first;
    EXPECT_THAT(device.getInfo<CL_DEVICE_EXTENSIONS>(), testing::HasSubstr("cl_ext_float_atomics"));
}

// Small integers, so that every order of the additions gives the same sum.
TEST_P(FloatAtomics, NoUpdateIsLost) {
    const auto sums = kernel(R"(
kernel void test(global float *out, global const float *in, global A *m) {
    uint i = get_global_id(0);
    T x = (T)in[i];
    atomic_fetch_add_explicit(&m[0], x, memory_order_relaxed);
    atomic_fetch_sub_explicit(&m[1], x, memory_order_relaxed, memory_scope_device);
    atomic_fetch_add(&m[2 + i % 7], (T)1);        // several lanes of a vector, others apart
    if (i % 3 == 0)
        atomic_fetch_add(&m[9], (T)2);            // the same for the lanes of a mask
    atomic_fetch_max(&m[10], x);
    atomic_fetch_min(&m[11], x);
    A *anywhere = m + 12;
    if (x > 0)
        atomic_fetch_add(anywhere, x);
})");
    std::vector<float> in(items);
    for (size_t i = 0; i < items; ++i)
        in[i] = static_cast<float>(static_cast<int>(i * 37 % 5) - 2 + (i % 500 == 77));
    double sum = 0, positive = 0;
    for (const float x : in) {
        sum += static_cast<double>(x);
        positive += static_cast<double>(std::max(x, 0.0f));
    }
    run(sums, in, 1);
    EXPECT_EQ(updated(0), sum);
    EXPECT_EQ(updated(1), -sum);
    for (size_t i = 0; i < 7; ++i)
        EXPECT_EQ(updated(2 + i), static_cast<double>((items - i + 6) / 7));
    EXPECT_EQ(updated(9), 2.0 * ((items + 2) / 3));
    EXPECT_EQ(updated(10), static_cast<double>(std::ranges::max(in)));
    EXPECT_EQ(updated(11), static_cast<double>(std::ranges::min(in)));
    EXPECT_EQ(updated(12), positive);
}

TEST_P(FloatAtomics, EveryWorkItemSeesAnotherOldValue) {
    const auto tickets = kernel(R"(
kernel void test(global float *out, global const float *in, global A *m) {
    out[get_global_id(0)] = (float)atomic_fetch_add(m, (T)1);
    if (in[get_global_id(0)] > 0)
        out[get_global_size(0) + get_global_id(0)] = (float)atomic_fetch_sub(m + 1, (T)1);
})");
    std::vector<float> in(items);
    for (size_t i = 0; i < items; i += 3)
        in[i] = 1;
    auto got = run(tickets, in, 2 * items);
    std::vector<float> some;
    for (size_t i = 0; i < items; i += 3)
        some.push_back(-got[items + i]);
    got.resize(items);
    std::ranges::sort(got);
    std::ranges::sort(some);
    EXPECT_EQ(got, iota<float>(items));
    EXPECT_EQ(some, iota<float>(some.size()));
}

TEST_P(FloatAtomics, LocalMemoryIsUpdatedByTheGroup) {
    const auto groups = kernel(R"(
kernel void test(global float *out, global const float *in, global void *unused) {
    local A sums[3];
    uint i = get_local_id(0);
    if (i < 3)
        atomic_store((local A *)&sums[i], (T)in[get_group_id(0)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add(&sums[0], (T)(i & 1));
    atomic_fetch_min_explicit(&sums[1], (T)-(int)i, memory_order_relaxed, memory_scope_work_group);
    atomic_fetch_max(&sums[2], (T)i);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < 3)
        out[get_group_id(0) * 3 + i] = (float)atomic_load(&sums[i]);
})");
    const auto in = iota<float>(items);
    const auto out = run(groups, in, items / group * 3);
    for (size_t g = 0; g < items / group; ++g) {
        EXPECT_EQ(out[g * 3], static_cast<float>(g + group / 2));
        EXPECT_EQ(out[g * 3 + 1], -static_cast<float>(group - 1));
        EXPECT_EQ(out[g * 3 + 2], static_cast<float>(group - 1));
    }
}

// As fmin and fmax: a NaN is no number that could win.
TEST_P(FloatAtomics, SpecialValuesAreThoseOfTheOperators) {
    const auto special = kernel(R"(
kernel void test(global float *out, global const float *in, global A *m) {
    if (get_global_id(0) == 0) {
        for (int i = 0; i < 6; ++i)
            atomic_store(&m[i], (T)in[i]);
        atomic_fetch_min(&m[0], (T)NAN);
        atomic_fetch_max(&m[1], (T)3);
        atomic_fetch_add(&m[2], (T)-INFINITY);
        atomic_fetch_add(&m[3], (T)INFINITY);
        atomic_fetch_sub(&m[4], (T)0.5f);
        out[0] = (float)atomic_exchange(&m[5], (T)7);
    }
})");
    std::vector<float> in(group);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::ranges::copy(std::vector<float>{5, nan, 1, -std::numeric_limits<float>::infinity(), 2, 9},
                      in.begin());
    const auto out = run(special, in, 1);
    EXPECT_EQ(updated(0), 5);
    EXPECT_EQ(updated(1), 3);
    EXPECT_EQ(updated(2), -std::numeric_limits<double>::infinity());
    EXPECT_TRUE(std::isnan(updated(3)));
    EXPECT_EQ(updated(4), 1.5);
    EXPECT_EQ(updated(5), 7);
    EXPECT_EQ(out[0], 9);
}

// Each addition rounds, as if the work-items came one after the other: their sum isn't made first.
TEST_P(FloatAtomics, EachAdditionIsRounded) {
    const auto small = kernel(R"(
kernel void test(global float *out, global const float *in, global A *m) {
    if (get_global_id(0) == 0)
        atomic_store(m, (T)in[0]);
    barrier(CLK_GLOBAL_MEM_FENCE);
    atomic_fetch_add(m, (T)0.5f);
})");
    const auto largest = static_cast<float>(GetParam().largest_integer);
    run(small, std::vector<float>(group, largest), 1);
    // Half of an ULP or less, and ties go to even; double holds all of the sum.
    EXPECT_EQ(updated(0), std::string_view(GetParam().name) == "double"
                              ? static_cast<double>(largest) + 0.5 * group
                              : static_cast<double>(largest));
}

INSTANTIATE_TEST_SUITE_P(, FloatAtomics, testing::ValuesIn(types),
                         [](const auto &parameter) { return parameter.param.name; });

} // namespace
} // namespace rivulet::test
