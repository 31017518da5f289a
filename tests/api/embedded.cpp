// SPDX-License-Identifier: Apache-2.0
//
// Minimums of the embedded profile (OpenCL 1.2, section 10, table 4.3 as amended there), and that
// all ways of asking for versions and extensions agree (OpenCL 3.0, 4.2).
#include <set>

#include "on_device.h"

namespace rivulet::test {
namespace {

using Embedded = OnDevice;
using Versions = OnDevice;

TEST_F(Embedded, TableOfMinimumsHolds) {
    EXPECT_GE(device.getInfo<CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS>(), 3u);
    EXPECT_GE(device.getInfo<CL_DEVICE_MAX_PARAMETER_SIZE>(), 256u);
    EXPECT_GE(device.getInfo<CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE>(), 1u << 10);
    EXPECT_GE(device.getInfo<CL_DEVICE_MAX_CONSTANT_ARGS>(), 4u);
    EXPECT_GE(device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>(), 1u << 10);
    EXPECT_GE(device.getInfo<CL_DEVICE_PRINTF_BUFFER_SIZE>(), 1u << 10);
    EXPECT_GE(device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>(),
              std::max<cl_ulong>(device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>() / 4, 1u << 20));
}

TEST_F(Embedded, MinimumsOfImagesHold) {
    if (!device.getInfo<CL_DEVICE_IMAGE_SUPPORT>())
        GTEST_SKIP() << "no images";
    EXPECT_GE(device.getInfo<CL_DEVICE_MAX_READ_IMAGE_ARGS>(), 8u);
    EXPECT_GE(device.getInfo<CL_DEVICE_MAX_WRITE_IMAGE_ARGS>(), 1u);
    EXPECT_GE(device.getInfo<CL_DEVICE_IMAGE2D_MAX_WIDTH>(), 2048u);
    EXPECT_GE(device.getInfo<CL_DEVICE_IMAGE2D_MAX_HEIGHT>(), 2048u);
    EXPECT_GE(device.getInfo<CL_DEVICE_IMAGE_MAX_BUFFER_SIZE>(), 2048u);
    EXPECT_GE(device.getInfo<CL_DEVICE_IMAGE_MAX_ARRAY_SIZE>(), 256u);
    EXPECT_GE(device.getInfo<CL_DEVICE_MAX_SAMPLERS>(), 8u);
}

TEST_F(Embedded, FloatsRoundAndHaveInfinityAndNaN) {
    const auto config = device.getInfo<CL_DEVICE_SINGLE_FP_CONFIG>();
    EXPECT_TRUE(config & (CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO));
    EXPECT_TRUE(config & CL_FP_INF_NAN);
}

TEST_F(Embedded, TheMacroSaysSo) {
    const cl::Program program(context, R"(kernel void profile(global int *to) {
    *to = __EMBEDDED_PROFILE__;
})");
    program.build(""); // cl::Program's own build is one of OpenCL C 2.0
    cl::Kernel kernel(program, "profile");
    const cl::Buffer to(context, CL_MEM_READ_WRITE, sizeof(cl_int));
    cl_int result = 0;
    queue.enqueueFillBuffer(to, result, 0, sizeof(cl_int));
    kernel.setArg(0, to);
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, 1);
    queue.enqueueReadBuffer(to, CL_TRUE, 0, sizeof(cl_int), &result);
    EXPECT_EQ(result, 1);
}

TEST_F(Versions, OfTextAndNumbersAgree) {
    const cl_version version = device.getInfo<CL_DEVICE_NUMERIC_VERSION>();
    const std::string number =
        std::to_string(CL_VERSION_MAJOR(version)) + "." + std::to_string(CL_VERSION_MINOR(version));
    EXPECT_THAT(device.getInfo<CL_DEVICE_VERSION>(), testing::StartsWith("OpenCL " + number + " "));
    EXPECT_EQ(cl::Platform::get().getInfo<CL_PLATFORM_NUMERIC_VERSION>(), version);
}

TEST_F(Versions, ExtensionsAreTheSameWithAndWithoutThem) {
    std::istringstream text(device.getInfo<CL_DEVICE_EXTENSIONS>());
    const std::set<std::string> names{std::istream_iterator<std::string>(text), {}};
    std::set<std::string> versioned;
    for (const cl_name_version &entry : device.getInfo<CL_DEVICE_EXTENSIONS_WITH_VERSION>()) {
        EXPECT_TRUE(versioned.insert(entry.name).second) << entry.name << " comes twice";
        EXPECT_NE(entry.version, 0u) << entry.name;
    }
    EXPECT_EQ(names, versioned);
}

TEST_F(Versions, EveryLanguageVersionThatIsNamedBuilds) {
    int newest = 0;
    for (const cl_name_version &entry : device.getInfo<CL_DEVICE_OPENCL_C_ALL_VERSIONS>()) {
        const int major = int(CL_VERSION_MAJOR(entry.version));
        const int minor = int(CL_VERSION_MINOR(entry.version));
        newest = std::max(newest, major * 100 + minor * 10);
        if (major == 1 && minor == 0)
            continue; // no option names it
        const cl::Program program(context, "kernel void nothing() {}");
        const std::string option =
            "-cl-std=CL" + std::to_string(major) + "." + std::to_string(minor);
        EXPECT_EQ(status_of([&] { program.build(option.c_str()); }), CL_SUCCESS) << option;
    }
    EXPECT_GE(newest, 300);
}

} // namespace
} // namespace rivulet::test
