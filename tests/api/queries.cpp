// SPDX-License-Identifier: Apache-2.0
//
// OpenCL 4.1 and 4.2: what platform and device report is true and meets the minimum of the embedded
// profile.
#include "on_device.h"

namespace rivulet::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

using Queries = OnDevice;

TEST_F(Queries, PlatformIsRivulet) {
    std::vector<cl::Platform> platforms;
    cl::Platform::get(&platforms);
    ASSERT_EQ(platforms.size(), 1u);
    EXPECT_EQ(platforms[0].getInfo<CL_PLATFORM_NAME>(), "Rivulet");
    EXPECT_EQ(platforms[0].getInfo<CL_PLATFORM_PROFILE>(), "EMBEDDED_PROFILE");
    EXPECT_THAT(platforms[0].getInfo<CL_PLATFORM_VERSION>(), StartsWith("OpenCL 3."));
    EXPECT_THAT(platforms[0].getInfo<CL_PLATFORM_EXTENSIONS>(), HasSubstr("cl_khr_icd"));
}

TEST_F(Queries, DeviceIsAnAcceleratorAndTheDefault) {
    std::vector<cl::Platform> platforms;
    cl::Platform::get(&platforms);
    for (const auto type : std::initializer_list<cl_device_type>{
             CL_DEVICE_TYPE_ACCELERATOR, CL_DEVICE_TYPE_DEFAULT, CL_DEVICE_TYPE_ALL}) {
        std::vector<cl::Device> devices;
        platforms[0].getDevices(type, &devices);
        ASSERT_EQ(devices.size(), 1u);
        EXPECT_EQ(devices[0](), device());
    }
    cl_uint count = 0;
    EXPECT_EQ(clGetDeviceIDs(platforms[0](), CL_DEVICE_TYPE_GPU, 0, nullptr, &count),
              CL_DEVICE_NOT_FOUND);
}

TEST_F(Queries, DeviceKeepsTheMinimumOfTheEmbeddedProfile) {
    EXPECT_EQ(device.getInfo<CL_DEVICE_PROFILE>(), "EMBEDDED_PROFILE");
    EXPECT_GE(device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>(), 1u);
    EXPECT_GE(device.getInfo<CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS>(), 3u);
    EXPECT_GE(device.getInfo<CL_DEVICE_MAX_PARAMETER_SIZE>(), 256u);
    EXPECT_GE(device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>(), 1024u);
    EXPECT_GE(device.getInfo<CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE>(), 1024u);
    EXPECT_LE(device.getInfo<CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE>(),
              device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>());
    EXPECT_GE(device.getInfo<CL_DEVICE_MAX_CONSTANT_ARGS>(), 4u);
    EXPECT_GE(device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>(), cl_ulong{1} << 20);
    EXPECT_LE(device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>(),
              device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>());
    EXPECT_TRUE(device.getInfo<CL_DEVICE_AVAILABLE>());
    EXPECT_TRUE(device.getInfo<CL_DEVICE_ENDIAN_LITTLE>());
    EXPECT_TRUE(device.getInfo<CL_DEVICE_QUEUE_PROPERTIES>() &
                CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

TEST_F(Queries, ComputeUnitsAreTheHartsOfTheMachine) {
    const std::string machine = environment("RIVULET_MACHINE");
    const size_t at = machine.find("harts=");
    if (at == std::string::npos)
        GTEST_SKIP() << "RIVULET_MACHINE doesn't name a number of harts";
    EXPECT_EQ(device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>(),
              cl_uint(std::stoi(machine.substr(at + 6))));
}

TEST_F(Queries, WorkGroupLimitsHold) {
    const auto most = device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>();
    const auto sizes = device.getInfo<CL_DEVICE_MAX_WORK_ITEM_SIZES>();
    ASSERT_GE(sizes.size(), 3u);
    EXPECT_GE(most, 1u);
    EXPECT_LE(sizes[0], most);
}

// cl_khr_pci_bus_info. RIVULET_TEST_PCI is the function's address, as Linux writes it, in tests on
// a card.
TEST_F(Queries, PciFunctionsTellWhereTheyAre) {
    cl_device_pci_bus_info_khr info{};
    size_t bytes = 0;
    const cl_int status =
        clGetDeviceInfo(device(), CL_DEVICE_PCI_BUS_INFO_KHR, sizeof info, &info, &bytes);
    const std::string function = environment("RIVULET_TEST_PCI");
    const bool is_listed = device.getInfo<CL_DEVICE_EXTENSIONS>().contains("cl_khr_pci_bus_info");
    EXPECT_EQ(is_listed, status == CL_SUCCESS);
    if (function.empty()) {
        EXPECT_EQ(status, CL_INVALID_VALUE);
        return;
    }
    ASSERT_EQ(status, CL_SUCCESS);
    EXPECT_EQ(bytes, sizeof info);
    char text[32];
    std::snprintf(text, sizeof text, "%04x:%02x:%02x.%x", info.pci_domain, info.pci_bus,
                  info.pci_device, info.pci_function);
    EXPECT_EQ(text, function);
}

TEST_F(Queries, EveryExtensionHasOneName) {
    auto extensions = device.getInfo<CL_DEVICE_EXTENSIONS>();
    EXPECT_THAT(extensions, HasSubstr("cl_khr_global_int32_base_atomics"));
    EXPECT_EQ(extensions.find("  "), std::string::npos);
    EXPECT_EQ(platform(), cl::Platform::get()());
}

TEST_F(Queries, SizesAndBadValuesFollowTheRules) {
    size_t needed = 0;
    ASSERT_EQ(clGetDeviceInfo(device(), CL_DEVICE_NAME, 0, nullptr, &needed), CL_SUCCESS);
    ASSERT_GT(needed, 1u);
    std::vector<char> name(needed);
    EXPECT_EQ(clGetDeviceInfo(device(), CL_DEVICE_NAME, needed - 1, name.data(), nullptr),
              CL_INVALID_VALUE);
    EXPECT_EQ(clGetDeviceInfo(device(), CL_DEVICE_NAME, needed, name.data(), nullptr), CL_SUCCESS);
    EXPECT_EQ(name.back(), '\0');
    EXPECT_EQ(clGetDeviceInfo(device(), 0xffff, 0, nullptr, &needed), CL_INVALID_VALUE);
    EXPECT_EQ(clGetPlatformIDs(0, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST_F(Queries, ContextsAndQueuesTellWhatTheyAre) {
    EXPECT_EQ(context.getInfo<CL_CONTEXT_NUM_DEVICES>(), 1u);
    EXPECT_EQ(context.getInfo<CL_CONTEXT_DEVICES>().at(0)(), device());
    EXPECT_EQ(queue.getInfo<CL_QUEUE_CONTEXT>()(), context());
    EXPECT_EQ(queue.getInfo<CL_QUEUE_PROPERTIES>(),
              cl_command_queue_properties{CL_QUEUE_PROFILING_ENABLE});
    EXPECT_EQ(status_of([&] { cl::CommandQueue(context, device, 1ull << 40); }), CL_INVALID_VALUE);
    EXPECT_EQ(status_of([&] { cl::Context(std::vector<cl::Device>{}); }), CL_INVALID_VALUE);
}

TEST_F(Queries, SeveralContextsShareTheDevice) {
    for (int i = 0; i < 4; ++i) {
        const cl::Context other(device);
        const cl::CommandQueue other_queue(other, device);
        const cl::Buffer memory(other, CL_MEM_READ_WRITE, 4);
        const int value = i;
        int result = -1;
        other_queue.enqueueWriteBuffer(memory, CL_TRUE, 0, 4, &value);
        other_queue.enqueueReadBuffer(memory, CL_TRUE, 0, 4, &result);
        EXPECT_EQ(result, i);
        EXPECT_EQ(status_of([&] { queue.enqueueReadBuffer(memory, CL_TRUE, 0, 4, &result); }),
                  CL_INVALID_CONTEXT);
    }
}

} // namespace
} // namespace rivulet::test
