// SPDX-License-Identifier: Apache-2.0
//
// OpenCL 5.6 and 5.7: programs from source and binary, their options, logs and kernels.
#include <future>

#include "on_device.h"

namespace rivulet::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char *store_value = "kernel void test(global int *out) { *out = VALUE; }";

class Programs : public OnDevice {
protected:
    int value_of(const cl::Program &program) {
        cl::Kernel kernel(program, "test");
        const cl::Buffer out = buffer(std::vector<int>(1));
        kernel.setArg(0, out);
        launch(kernel, 1);
        return read<int>(out, 1)[0];
    }
    std::string log_of_failure(const char *source, const char *options = "") {
        cl::Program program(context, std::string(source));
        EXPECT_EQ(status_of([&] { program.build(device, options); }), CL_BUILD_PROGRAM_FAILURE);
        EXPECT_EQ(program.getBuildInfo<CL_PROGRAM_BUILD_STATUS>(device), CL_BUILD_ERROR);
        return program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device);
    }
};

TEST_F(Programs, OptionsReachTheCompiler) {
    EXPECT_EQ(value_of(build(store_value, "-D VALUE=42")), 42);
    EXPECT_EQ(value_of(build(store_value, "-DVALUE=(40+3) -cl-mad-enable -w")), 43);
    EXPECT_EQ(value_of(build(store_value, "-cl-std=CL1.2 -D VALUE=__OPENCL_C_VERSION__")), 120);
    EXPECT_EQ(build(store_value, "-D VALUE=1").getBuildInfo<CL_PROGRAM_BUILD_OPTIONS>(device),
              "-D VALUE=1");
}

TEST_F(Programs, ErrorsAreInTheLogWithTheirLine) {
    EXPECT_THAT(log_of_failure("kernel void test(global int *out) {\n"
                               "    *out = 1;\n"
                               "    *out = nonsense;\n"
                               "}\n"),
                AllOf(HasSubstr(":3:"), HasSubstr("nonsense"), HasSubstr("error")));
    expect_healthy();
}

TEST_F(Programs, UnresolvedFunctionsAreAnError) {
    EXPECT_THAT(log_of_failure("int elsewhere(int);\n"
                               "kernel void test(global int *out) { *out = elsewhere(1); }"),
                HasSubstr("elsewhere"));
}

TEST_F(Programs, WarningsAreInTheLogOfAGoodBuild) {
    const cl::Program program = build("kernel void test(global int *out) {\n"
                                      "#warning look here\n"
                                      "    *out = 1;\n"
                                      "}");
    EXPECT_THAT(program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device), HasSubstr("look here"));
}

TEST_F(Programs, UnknownOptionsAreRefused) {
    cl::Program program(context, store_value);
    EXPECT_EQ(status_of([&] { program.build(device, "-DVALUE=1 --no-such-option"); }),
              CL_INVALID_BUILD_OPTIONS);
}

TEST_F(Programs, KernelsAreFoundByName) {
    const cl::Program program = build("kernel void one(global int *out) { *out = 1; }\n"
                                      "kernel void two(global int *out) { *out = 2; }\n"
                                      "void helper(global int *out) { *out = 3; }");
    EXPECT_EQ(program.getInfo<CL_PROGRAM_NUM_KERNELS>(), 2u);
    const auto names = program.getInfo<CL_PROGRAM_KERNEL_NAMES>();
    EXPECT_TRUE(names == "one;two" || names == "two;one") << names;
    EXPECT_EQ(status_of([&] { cl::Kernel(program, "three"); }), CL_INVALID_KERNEL_NAME);
    EXPECT_EQ(status_of([&] { cl::Kernel(program, "helper"); }), CL_INVALID_KERNEL_NAME);
    EXPECT_EQ(status_of([&] { cl::Kernel(cl::Program(context, "kernel void test() {}"), "test"); }),
              CL_INVALID_PROGRAM_EXECUTABLE);
}

TEST_F(Programs, BinariesRunWithoutTheSource) {
    const cl::Program program = build(store_value, "-D VALUE=77");
    const auto binaries = program.getInfo<CL_PROGRAM_BINARIES>();
    ASSERT_EQ(binaries.size(), 1u);
    ASSERT_THAT(binaries[0], Not(IsEmpty()));
    const cl::Program loaded(context, {device}, binaries);
    loaded.build(device);
    EXPECT_EQ(value_of(loaded), 77);
}

TEST_F(Programs, DamagedBinariesAreRefused) {
    const auto good = build(store_value, "-D VALUE=1").getInfo<CL_PROGRAM_BINARIES>()[0];
    const auto refused = [&](std::vector<unsigned char> binary) {
        return status_of([&] {
            const cl::Program program(context, {device}, {std::move(binary)});
            program.build(device);
        });
    };
    EXPECT_EQ(refused({'n', 'o', 'n', 'e'}), CL_INVALID_BINARY);
    EXPECT_EQ(refused({good.begin(), good.begin() + 300}), CL_INVALID_BINARY) << "cut off";
    auto other_machine = good;
    other_machine.at(18) ^= 0xff; // e_machine
    EXPECT_EQ(refused(other_machine), CL_INVALID_BINARY);
    expect_healthy();
}

TEST_F(Programs, SeveralSourcesAreOneText) {
    cl::Program::Sources sources{"#define VALUE 5\n", store_value};
    const cl::Program program(context, sources);
    program.build(device);
    EXPECT_EQ(value_of(program), 5);
    EXPECT_THAT(program.getInfo<CL_PROGRAM_SOURCE>(), HasSubstr("#define VALUE 5"));
}

TEST_F(Programs, BuildFromSeveralThreadsAtOnce) {
    std::vector<std::future<int>> builds;
    for (int i = 0; i < 4; ++i)
        builds.push_back(std::async(std::launch::async, [this, i] {
            return value_of(build(store_value, ("-D VALUE=" + std::to_string(100 + i)).c_str()));
        }));
    for (int i = 0; i < 4; ++i)
        EXPECT_EQ(builds[size_t(i)].get(), 100 + i);
}

TEST_F(Programs, CallbackMakesTheBuildAsynchronous) {
    const cl::Program program(context, store_value);
    std::promise<void> built;
    const cl_device_id id = device();
    ASSERT_EQ(
        clBuildProgram(
            program(), 1, &id, "-D VALUE=9",
            [](cl_program, void *user) { static_cast<std::promise<void> *>(user)->set_value(); },
            &built),
        CL_SUCCESS);
    built.get_future().wait();
    EXPECT_EQ(program.getBuildInfo<CL_PROGRAM_BUILD_STATUS>(device), CL_BUILD_SUCCESS);
    EXPECT_EQ(value_of(program), 9);
}

TEST_F(Programs, SourcesOfNothingAreRefused) {
    cl_int status = 0;
    const char *none = nullptr;
    EXPECT_EQ(clCreateProgramWithSource(context(), 0, nullptr, nullptr, &status), nullptr);
    EXPECT_EQ(status, CL_INVALID_VALUE);
    EXPECT_EQ(clCreateProgramWithSource(context(), 1, &none, nullptr, &status), nullptr);
    EXPECT_EQ(status, CL_INVALID_VALUE);
}

TEST_F(Programs, FunctionsOfTheLibraryWork) {
    cl::Kernel kernel = OnDevice::kernel(
        "kernel void test(global float *f, global int *i, global uchar *c) {"
        "    size_t n = get_global_id(0);"
        "    float x = 0.25f * n;"
        "    f[n] = sqrt(x) + fma(x, 2.0f, 1.0f) + fmax(x, 3.0f) + floor(x);"
        "    i[n] = clamp((int)n, 10, 20) + popcount((int)n) + mul24((int)n, 3) + abs(-(int)n);"
        "    c[n] = convert_uchar_sat(x * 100.0f);"
        "}");
    const cl::Buffer floats = buffer(std::vector<float>(64)), ints = buffer(std::vector<int>(64)),
                     bytes = buffer(std::vector<uint8_t>(64));
    kernel.setArg(0, floats);
    kernel.setArg(1, ints);
    kernel.setArg(2, bytes);
    launch(kernel, 64);
    const auto f = read<float>(floats, 64);
    const auto i = read<int>(ints, 64);
    const auto c = read<uint8_t>(bytes, 64);
    for (int n = 0; n < 64; ++n) {
        const float x = 0.25f * float(n);
        const float exact = std::sqrt(x) + (2 * x + 1) + std::max(x, 3.0f) + std::floor(x);
        EXPECT_NEAR(f[size_t(n)], exact, 4 * 0x1p-23 * exact) << n;
        EXPECT_EQ(i[size_t(n)], std::clamp(n, 10, 20) + __builtin_popcount(unsigned(n)) + 4 * n);
        EXPECT_EQ(c[size_t(n)], n > 10 ? 255 : 25 * n);
    }
}

} // namespace
} // namespace rivulet::test
