// SPDX-License-Identifier: Apache-2.0
//
// OpenCL 5.7.2: arguments of every kind arrive as the host set them.
#include <algorithm>
#include <cmath>

#include "on_device.h"

namespace rivulet::test {
namespace {

class Arguments : public OnDevice {
protected:
    /// A kernel that stores its value argument of this type; returns what arrived.
    template <class T> T passed(const std::string &type, const T &value) {
        cl::Kernel kernel = OnDevice::kernel("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
                                             "kernel void test(char before, " +
                                             type +
                                             " value, "
                                             "short between, global " +
                                             type +
                                             " *out) {"
                                             "    if (before == 11 && between == 2222)"
                                             "        *out = value;"
                                             "}");
        const cl::Buffer out = buffer(std::vector<T>(1));
        kernel.setArg(0, cl_char{11});
        kernel.setArg(1, value);
        kernel.setArg(2, cl_short{2222});
        kernel.setArg(3, out);
        launch(kernel, 1);
        return read<T>(out, 1)[0];
    }
    template <class T> void expect_passed(const char *type, const T &value) {
        EXPECT_EQ(passed(type, value), value) << type;
    }
    template <class Vector> void expect_vector_passed(const char *type, size_t elements) {
        Vector value{};
        for (size_t i = 0; i < elements; ++i)
            value.s[i] = static_cast<std::remove_reference_t<decltype(value.s[0])>>(3 * i + 1);
        const Vector result = passed(type, value);
        for (size_t i = 0; i < elements; ++i)
            EXPECT_EQ(result.s[i], value.s[i]) << type << " element " << i;
    }
};

TEST_F(Arguments, ScalarsOfEveryType) {
    expect_passed<cl_char>("char", -100);
    expect_passed<cl_uchar>("uchar", 200);
    expect_passed<cl_short>("short", -30000);
    expect_passed<cl_ushort>("ushort", 60000);
    expect_passed<cl_int>("int", -2000000000);
    expect_passed<cl_uint>("uint", 4000000000u);
    expect_passed<cl_long>("long", -9000000000000000000ll);
    expect_passed<cl_ulong>("ulong", 18000000000000000000ull);
    expect_passed<cl_float>("float", -1.25e-30f);
}

TEST_F(Arguments, MaxParameterSizeCountsNoPadding) {
    const auto most = device.getInfo<CL_DEVICE_MAX_PARAMETER_SIZE>();
    std::string parameters, sum;
    size_t pairs = 0;
    for (size_t bytes = sizeof(void *); bytes + sizeof(cl_char) + sizeof(cl_long16) <= most;
         bytes += sizeof(cl_char) + sizeof(cl_long16), ++pairs) {
        const auto number = std::to_string(pairs);
        parameters += ", char c" + number + ", long16 v" + number;
        sum += " + c" + number + " + v" + number + ".sf";
    }
    cl::Kernel kernel = OnDevice::kernel("kernel void test(global long *out" + parameters +
                                         ") { *out = 0" + sum + "; }");
    const cl::Buffer out = buffer(std::vector<cl_long>(1));
    kernel.setArg(0, out);
    cl_long16 value{};
    value.s[15] = 1000;
    for (size_t i = 0; i < pairs; ++i) {
        kernel.setArg(static_cast<cl_uint>(1 + 2 * i), static_cast<cl_char>(i));
        kernel.setArg(static_cast<cl_uint>(2 + 2 * i), value);
    }
    launch(kernel, 1);
    EXPECT_EQ(read<cl_long>(out, 1)[0],
              static_cast<cl_long>(pairs * (pairs - 1) / 2 + pairs * 1000));
}

TEST_F(Arguments, Doubles) {
    if (device.getInfo<CL_DEVICE_DOUBLE_FP_CONFIG>() == 0)
        GTEST_SKIP() << "the device has no fp64";
    expect_passed<cl_double>("double", -1.25e-300);
}

TEST_F(Arguments, Vectors) {
    expect_vector_passed<cl_char2>("char2", 2);
    expect_vector_passed<cl_short3>("short3", 3);
    expect_vector_passed<cl_int4>("int4", 4);
    expect_vector_passed<cl_float8>("float8", 8);
    expect_vector_passed<cl_ulong16>("ulong16", 16);
}

TEST_F(Arguments, StructuresByValue) {
    struct Mixed {
        cl_int a;
        cl_char b[3];
        cl_float c[2];
    };
    cl::Kernel kernel = OnDevice::kernel("typedef struct { int a; char b[3]; float c[2]; } mixed;"
                                         "kernel void test(mixed m, global float *out) {"
                                         "    *out = m.a + m.b[0] + m.b[2] + m.c[1];"
                                         "}");
    const cl::Buffer out = buffer(std::vector<float>(1));
    kernel.setArg(0, Mixed{1000, {1, 2, 4}, {0.5f, 0.25f}});
    kernel.setArg(1, out);
    launch(kernel, 1);
    EXPECT_EQ(read<float>(out, 1)[0], 1005.25f);
}

TEST_F(Arguments, ConstantAndNullPointers) {
    cl::Kernel kernel =
        OnDevice::kernel("constant int table[4] = {2, 3, 5, 7};"
                         "kernel void test(constant int *in, global int *none, global int *out) {"
                         "    size_t i = get_global_id(0);"
                         "    out[i] = none ? -1 : in[i] * table[i & 3];"
                         "}");
    const cl::Buffer out = buffer(std::vector<int>(8));
    kernel.setArg(0, buffer(iota<int>(8, 1)));
    ASSERT_EQ(clSetKernelArg(kernel(), 1, sizeof(cl_mem), nullptr), CL_SUCCESS);
    kernel.setArg(2, out);
    launch(kernel, 8);
    EXPECT_EQ(read<int>(out, 8), (std::vector<int>{2, 6, 15, 28, 10, 18, 35, 56}));
}

TEST_F(Arguments, ManyOfThem) {
    std::string parameters = "global int *out", sum = "0";
    for (int i = 1; i <= 60; ++i) {
        parameters += ", int a" + std::to_string(i);
        sum += " + " + std::to_string(i) + " * a" + std::to_string(i);
    }
    cl::Kernel kernel =
        OnDevice::kernel("kernel void test(" + parameters + ") { *out = " + sum + "; }");
    const cl::Buffer out = buffer(std::vector<int>(1));
    kernel.setArg(0, out);
    int expected = 0;
    for (int i = 1; i <= 60; ++i) {
        kernel.setArg(cl_uint(i), 1000 - i);
        expected += i * (1000 - i);
    }
    launch(kernel, 1);
    EXPECT_EQ(read<int>(out, 1)[0], expected);
}

TEST_F(Arguments, AreTakenWhenTheKernelIsEnqueued) {
    cl::Kernel kernel = OnDevice::kernel("kernel void test(global int *out, int index, int value) {"
                                         "    out[index] = value;"
                                         "}");
    const cl::Buffer out = buffer(std::vector<int>(50));
    kernel.setArg(0, out);
    for (int i = 0; i < 50; ++i) {
        kernel.setArg(1, i);
        kernel.setArg(2, 100 + i);
        launch(kernel, 1);
    }
    EXPECT_EQ(read<int>(out, 50), iota<int>(50, 100));
}

TEST_F(Arguments, WrongOnesAreRefused) {
    cl::Kernel kernel = OnDevice::kernel("kernel void test(global int *out, int value) {"
                                         "    *out = value;"
                                         "}");
    const cl_long wide = 1;
    EXPECT_EQ(status_of([&] { launch(kernel, 1); }), CL_INVALID_KERNEL_ARGS) << "none set yet";
    EXPECT_EQ(clSetKernelArg(kernel(), 2, sizeof(cl_int), &wide), CL_INVALID_ARG_INDEX);
    EXPECT_EQ(clSetKernelArg(kernel(), 1, sizeof wide, &wide), CL_INVALID_ARG_SIZE);
    EXPECT_EQ(clSetKernelArg(kernel(), 1, sizeof(cl_int), nullptr), CL_INVALID_ARG_VALUE);
    EXPECT_EQ(clSetKernelArg(kernel(), 0, 3, &wide), CL_INVALID_ARG_SIZE);
    EXPECT_EQ(clSetKernelArg(nullptr, 0, sizeof(cl_mem), nullptr), CL_INVALID_KERNEL);
}

// 5.7.2: arguments aren't retained. The handle of a released one may become that of another kind of
// object, which the kernel must not get.
TEST_F(Arguments, ThatBecameObjectsOfAnotherKindAreRefused) {
    const cl::Program program = build("kernel void buffer(global int *a) { *a = 1; }"
                                      "kernel void image(read_only image2d_t a) {}");
    const auto make = [&](bool is_image, std::vector<cl::Memory> &to, size_t count) {
        for (size_t i = 0; i < count; ++i)
            if (is_image)
                to.emplace_back(cl::Image2D(context, CL_MEM_READ_ONLY, {CL_R, CL_FLOAT}, 4, 4));
            else
                to.emplace_back(cl::Buffer(context, CL_MEM_READ_ONLY, 64));
    };
    for (const bool was_image : {false, true}) {
        cl::Kernel kernel(program, was_image ? "image" : "buffer");
        size_t refused = 0;
        for (int attempt = 0; attempt < 100 && refused == 0; ++attempt) {
            std::vector<cl::Memory> before;
            make(was_image, before, 100);
            std::vector<cl_mem> handles;
            std::vector<cl::Kernel> kernels;
            for (const cl::Memory &memory : before) {
                handles.push_back(memory());
                kernels.push_back(kernel.clone());
                EXPECT_EQ(kernels.back().setArg(0, memory), CL_SUCCESS);
            }
            before.clear();
            std::vector<cl::Memory> after;
            make(!was_image, after, 200);
            for (size_t i = 0; i < handles.size() && refused == 0; ++i) {
                if (std::ranges::none_of(
                        after, [&](const cl::Memory &memory) { return memory() == handles[i]; }))
                    continue;
                EXPECT_EQ(status_of([&] { launch(kernels[i], 1); }), CL_INVALID_KERNEL_ARGS);
                ++refused;
            }
        }
        EXPECT_NE(refused, 0u) << "no address was used again";
    }
}

TEST_F(Arguments, KernelsTellOfTheirArguments) {
    const cl::Kernel kernel = OnDevice::kernel(
        "kernel void test(global const float *in, local int *shared, uchar4 value) {}", "test",
        "-cl-kernel-arg-info");
    EXPECT_EQ(kernel.getInfo<CL_KERNEL_NUM_ARGS>(), 3u);
    EXPECT_EQ(kernel.getInfo<CL_KERNEL_FUNCTION_NAME>(), "test");
    EXPECT_EQ(kernel.getArgInfo<CL_KERNEL_ARG_NAME>(0), "in");
    EXPECT_EQ(kernel.getArgInfo<CL_KERNEL_ARG_TYPE_NAME>(0), "float*");
    EXPECT_EQ(kernel.getArgInfo<CL_KERNEL_ARG_TYPE_QUALIFIER>(0),
              cl_kernel_arg_type_qualifier{CL_KERNEL_ARG_TYPE_CONST});
    EXPECT_EQ(kernel.getArgInfo<CL_KERNEL_ARG_ADDRESS_QUALIFIER>(1),
              cl_kernel_arg_address_qualifier{CL_KERNEL_ARG_ADDRESS_LOCAL});
    EXPECT_EQ(kernel.getArgInfo<CL_KERNEL_ARG_TYPE_NAME>(2), "uchar4");
}

} // namespace
} // namespace rivulet::test
