// SPDX-License-Identifier: Apache-2.0
//
// C++ for OpenCL 2021 (cl_ext_cxx_for_opencl).
#include "on_device.h"

namespace rivulet::test {
namespace {

constexpr const char *cxx = "-cl-std=CLC++2021";

class Cxx : public OnDevice {
protected:
    std::vector<int> results(const std::string &source, size_t items = 4) {
        return results(kernel(source, "test", cxx), items);
    }
    std::vector<int> results(cl::Kernel test, size_t items = 4) {
        const cl::Buffer out = buffer(std::vector<int>(items));
        test.setArg(0, out);
        launch(test, items);
        return read<int>(out, items);
    }
    cl::Program program(const std::string &source) {
        cl::Program program(context, source);
        program.build(device, cxx);
        return program;
    }
};

TEST_F(Cxx, TemplatesLambdasAndClassesWork) {
    EXPECT_EQ(
        results(
            "template <typename T> T twice(T x) { return x + x; }\n"
            "template <int N> struct Sum { static constexpr int value = N + Sum<N - 1>::value; };\n"
            "template <> struct Sum<0> { static constexpr int value = 0; };\n"
            "namespace shapes { enum class Kind { square = 3 }; }\n"
            "struct Pair {\n"
            "    int a, b;\n"
            "    Pair(int a, int b) : a(a), b(b) {}\n"
            "    int operator*(const Pair &other) const { return a * other.a + b * other.b; }\n"
            "};\n"
            "kernel void test(global int *out) {\n"
            "    const int i = get_global_id(0);\n"
            "    auto add = [&](int x) { return x + i; };\n"
            "    static_assert(Sum<4>::value == 10);\n"
            "    out[i] = twice(add(5)) + Pair(i, 1) * Pair(2, "
            "static_cast<int>(shapes::Kind::square));\n"
            "}\n"),
        (std::vector<int>{13, 17, 21, 25}));
}

TEST_F(Cxx, VectorsAndBuiltInsAreThoseOfOpenCLC) {
    EXPECT_EQ(results("kernel void test(global int *out) {\n"
                      "    const int i = get_global_id(0);\n"
                      "    int4 v = (int4)(1, 2, 3, 4) * i;\n"
                      "    out[i] = v.x + v.hi.y + convert_int(fmax((float)i, 1.5f) * 2.0f) +\n"
                      "             (int)popcount((uint)i);\n"
                      "}\n"),
              (std::vector<int>{3, 9, 15, 23}));
}

// The loop keeps the compiler from computing the value itself.
constexpr const char *constructed =
    "struct Counter {\n"
    "    int value;\n"
    "    Counter(int from) : value(from) {\n"
    "        for (int i = 0; i < from * 100; ++i)\n"
    "            value = value * 31 + i;\n"
    "    }\n"
    "    ~Counter() { value = 0; }\n"
    "};\n"
    "global Counter counter(7);\n"
    "global Counter next(counter.value & 15);\n"
    "kernel void test(global int *out) {\n"
    "    out[get_global_id(0)] = get_global_id(0) ? next.value : counter.value;\n"
    "    if (get_global_id(0) == 0)\n"
    "        counter.value += 1;\n"
    "}\n";

int counted(int from) {
    auto value = static_cast<unsigned>(from);
    for (unsigned i = 0; i < static_cast<unsigned>(from) * 100; ++i)
        value = value * 31 + i;
    return static_cast<int>(value);
}

TEST_F(Cxx, ConstructorsRunOnceBeforeTheFirstKernel) {
    const cl::Program built = program(constructed);
    const int first = counted(7), second = counted(first & 15);
    for (int launch = 0; launch < 3; ++launch)
        EXPECT_EQ(results(cl::Kernel(built, "test"), 2),
                  (std::vector<int>{first + launch, second}));
}

TEST_F(Cxx, ConstructorsAreNoKernels) {
    const cl::Program built = program(constructed);
    EXPECT_EQ(built.getInfo<CL_PROGRAM_KERNEL_NAMES>(), "test");
    EXPECT_EQ(built.getInfo<CL_PROGRAM_NUM_KERNELS>(), 1u);
    std::vector<cl::Kernel> kernels;
    cl::Program(built).createKernels(&kernels);
    EXPECT_EQ(kernels.size(), 1u);
}

TEST_F(Cxx, ConstructorsRunInProgramsFromBinaries) {
    const cl::Program built = program(constructed);
    results(cl::Kernel(built, "test"), 2); // changes this program's variable, not the binary
    cl::Program again(context, {device}, {built.getInfo<CL_PROGRAM_BINARIES>().at(0)});
    again.build(device);
    EXPECT_EQ(results(cl::Kernel(again, "test"), 2)[0], counted(7));
}

TEST_F(Cxx, ConstructorsOfAllLinkedObjectsRun) {
    const auto compiled = [&](const std::string &source) {
        cl::Program part(context, source);
        part.compile(cxx);
        return part;
    };
    const std::string type =
        "struct Value { int value; Value(global const int &from) { value = from + 1; } };\n";
    const cl::Program linked = cl::linkProgram(std::vector<cl::Program>{
        compiled(type + "global int one = 1;\nglobal Value a(one);\n"),
        compiled(type + "global int ten = 10;\nglobal Value b(ten);\n"
                        "extern global Value a;\n"
                        "kernel void test(global int *out) {\n"
                        "    out[get_global_id(0)] = a.value * 100 + b.value;\n"
                        "}\n")});
    EXPECT_EQ(results(cl::Kernel(linked, "test"), 1)[0], 211);
}

TEST_F(Cxx, ConstructorsThatFaultFailTheBuild) {
    if (!on_qemu())
        GTEST_SKIP() << "the loopback driver doesn't isolate kernels";
    cl::Program bad(context, "struct Bad { int x; Bad() { x = *(volatile global int *)64; } };\n"
                             "global Bad bad;\n"
                             "kernel void test(global int *out) { *out = bad.x; }\n");
    EXPECT_EQ(status_of([&] { bad.build(device, cxx); }), CL_BUILD_PROGRAM_FAILURE);
    EXPECT_THAT(bad.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device),
                testing::HasSubstr("A constructor of the program's variables failed"));
    expect_healthy();
}

TEST_F(Cxx, IsInTheQueries) {
    EXPECT_THAT(device.getInfo<CL_DEVICE_EXTENSIONS>(),
                testing::HasSubstr("cl_ext_cxx_for_opencl"));
    cl_version version = 0;
    ASSERT_EQ(clGetDeviceInfo(device(), CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT,
                              sizeof version, &version, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(version, static_cast<cl_version>(CL_MAKE_VERSION(2021U, 0U, 0U)));
    EXPECT_EQ(
        results(
            "kernel void test(global int *out) { out[get_global_id(0)] = __OPENCL_CPP_VERSION__; }",
            1)[0],
        202100);
}

TEST_F(Cxx, OfVersionOneIsBuiltAs2021) {
    for (const char *standard : {"-cl-std=CLC++", "-cl-std=CLC++1.0"}) {
        const cl::Kernel test =
            kernel("template <typename T> T twice(T x) { return x + x; }\n"
                   "kernel void test(global int *out) {\n"
                   "    out[get_global_id(0)] = twice(__OPENCL_CPP_VERSION__);\n"
                   "}\n",
                   "test", standard);
        EXPECT_THAT(results(test), testing::Each(200));
        EXPECT_THAT(test.getInfo<CL_KERNEL_PROGRAM>().getBuildInfo<CL_PROGRAM_BUILD_LOG>(device),
                    testing::HasSubstr("note: -cl-std=CLC++ is built as C++ for OpenCL 2021"));
    }
}

TEST_F(Cxx, WhatItLacksIsABuildError) {
    for (const char *source :
         {"struct A { virtual int f(); };", "kernel void test() { new int; }",
          "kernel void test() { throw 1; }", "kernel void __rivulet_initialise() {}",
          "template <typename T> kernel void test(global T *out) {}"}) {
        cl::Program bad(context, source);
        EXPECT_EQ(status_of([&] { bad.build(device, cxx); }), CL_BUILD_PROGRAM_FAILURE) << source;
        EXPECT_THAT(bad.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device), testing::HasSubstr("error"))
            << source;
    }
}

} // namespace
} // namespace rivulet::test
