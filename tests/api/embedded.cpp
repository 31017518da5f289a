// SPDX-License-Identifier: Apache-2.0
//
// Minimums of the embedded profile (OpenCL 1.2, section 10, table 4.3 as amended there), and that
// all ways of asking for versions and extensions agree (OpenCL 3.0, 4.2).
#include <set>

#include "host-runtime/include/CL/cl_ext_rivulet.h"
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

// 4.2, 4.3: what OpenCL 3.1 requires. SPIR-V needs a translator.
TEST_F(Versions, ThreePointOneIsComplete) {
    const std::string extensions = " " + device.getInfo<CL_DEVICE_EXTENSIONS>() + " ";
    for (const char *name :
         {"cl_khr_device_uuid", "cl_khr_extended_bit_ops", "cl_khr_integer_dot_product",
          "cl_khr_subgroup_extended_types", "cl_khr_subgroup_rotate", "cl_khr_subgroup_shuffle",
          "cl_khr_subgroup_shuffle_relative", "cl_khr_suggested_local_work_size"})
        EXPECT_NE(extensions.find(std::string(" ") + name + " "), std::string::npos) << name;
    EXPECT_GE(device.getInfo<CL_DEVICE_MAX_NUM_SUB_GROUPS>(), 1u);
    std::set<cl_version> languages;
    for (const cl_name_version &entry : device.getInfo<CL_DEVICE_OPENCL_C_ALL_VERSIONS>())
        languages.insert(entry.version);
    for (const unsigned minor : {0u, 1u, 2u})
        EXPECT_TRUE(languages.contains(CL_MAKE_VERSION(1u, minor, 0u))) << minor;
    for (const unsigned minor : {0u, 1u})
        EXPECT_TRUE(languages.contains(CL_MAKE_VERSION(3u, minor, 0u))) << minor;
    std::set<cl_version> modules;
    for (const cl_name_version &entry : device.getInfo<CL_DEVICE_ILS_WITH_VERSION>())
        modules.insert(entry.version);
    for (unsigned minor = 0; minor <= 4 && !modules.empty(); ++minor)
        EXPECT_TRUE(modules.contains(CL_MAKE_VERSION(1u, minor, 0u))) << minor;
    EXPECT_EQ(modules.empty(), extensions.find(" cl_khr_spirv_queries ") == std::string::npos);
    EXPECT_EQ(device.getInfo<CL_DEVICE_NUMERIC_VERSION>(),
              CL_MAKE_VERSION(3u, modules.empty() ? 0u : 1u, 0u));
}

TEST_F(Versions, NamesOfThreePointOneAreThoseOfExtensions) {
    const auto ask = [&]<class T>(cl_device_info name, T value) {
        size_t bytes = 0;
        EXPECT_EQ(clGetDeviceInfo(device(), name, sizeof value, &value, &bytes), CL_SUCCESS);
        EXPECT_EQ(bytes, sizeof value) << std::hex << name;
        return value;
    };
    using Sizes = std::array<size_t, 3>;
    EXPECT_EQ(ask(CL_DEVICE_MAX_WORK_GROUP_SIZES, Sizes{}),
              ask(CL_DEVICE_MAX_WORK_ITEM_SIZES, Sizes{}));
    using Uuid = std::array<cl_uchar, CL_UUID_SIZE>;
    const auto uuid = ask(CL_DEVICE_UUID, Uuid{});
    EXPECT_EQ(uuid, ask(CL_DEVICE_UUID, Uuid{}));
    EXPECT_NE(uuid, Uuid{});
    EXPECT_NE(uuid, ask(CL_DRIVER_UUID, Uuid{}));
    EXPECT_EQ(ask(CL_DEVICE_LUID_VALID, cl_bool{CL_TRUE}), cl_bool{CL_FALSE});
    EXPECT_EQ(ask(CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES,
                  cl_device_integer_dot_product_capabilities{}),
              cl_device_integer_dot_product_capabilities(
                  CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED |
                  CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT));
    for (const cl_device_info name :
         {CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT,
          CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED})
        EXPECT_LE(
            ask(name, cl_device_integer_dot_product_acceleration_properties{}).signed_accelerated,
            cl_bool{CL_TRUE});
    // No longer deprecated: a host that can map the device's memory shares it.
    EXPECT_LE(ask(CL_DEVICE_HOST_UNIFIED_MEMORY, cl_bool{}), cl_bool{CL_TRUE});
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
        const cl::Program program(context, "kernel void nothing() {}");
        const std::string option =
            "-cl-std=CL" + std::to_string(major) + "." + std::to_string(minor);
        EXPECT_EQ(status_of([&] { program.build(option.c_str()); }), CL_SUCCESS) << option;
    }
    EXPECT_GE(newest, 300);
}

TEST_F(Versions, TheMacroIsTheDevices) {
    const std::string name = device.getInfo<CL_DEVICE_VERSION>(); // "OpenCL 3.1 …"
    const std::string version{name.at(7), name.at(9), '0'};
    const cl::Program program(context, "#if __OPENCL_VERSION__ != " + version +
                                           "\n#error another version\n#endif\n"
                                           "kernel void nothing() {}");
    EXPECT_EQ(status_of([&] { program.build(); }), CL_SUCCESS) << version;
}

} // namespace
} // namespace rivulet::test
