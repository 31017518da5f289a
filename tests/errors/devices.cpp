// SPDX-License-Identifier: Apache-2.0
//
// Chapter 4 and 5.1: platform, devices, contexts, queues. Runs on two devices: loopback with four
// harts, and null, which can't be started.
#include "errors.h"

namespace rivulet::test {
namespace {

TEST_F(Errors, OfThePlatform) {
    EXPECT_FAILS(CL_INVALID_VALUE, clGetPlatformIDs, 0u, &platform, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetPlatformIDs, 1u, nullptr, nullptr);
    EXTENSION(clIcdGetPlatformIDsKHR);
    EXPECT_FAILS(CL_INVALID_VALUE, clIcdGetPlatformIDsKHR, 0u, &platform, nullptr);
    const auto no_platform = as<cl_platform_id>(context);
    EXPECT_FAILS(CL_INVALID_PLATFORM, clGetPlatformInfo, no_platform, CL_PLATFORM_NAME, 0u, nullptr,
                 &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetPlatformInfo, platform, nonsense, 0u, nullptr, &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetPlatformInfo, platform, CL_PLATFORM_NAME, 1u, data, &size);
    EXPECT_FAILS(CL_INVALID_PLATFORM, clUnloadPlatformCompiler, no_platform);
    EXPECT_FAILS(CL_INVALID_PLATFORM, clUnloadPlatformCompiler, nullptr);
    EXPECT_EQ(clGetExtensionFunctionAddressForPlatform(no_platform, "clIcdGetPlatformIDsKHR"),
              nullptr);
    EXPECT_EQ(clGetExtensionFunctionAddress(nullptr), nullptr);
}

TEST_F(Errors, OfDevices) {
    EXPECT_FAILS(CL_INVALID_PLATFORM, clGetDeviceIDs, as<cl_platform_id>(context),
                 CL_DEVICE_TYPE_ALL, 1u, &device, nullptr);
    EXPECT_FAILS(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs, platform, 0u, 1u, &device, nullptr);
    EXPECT_FAILS(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs, platform, 1u << 20, 1u, &device, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetDeviceIDs, platform, CL_DEVICE_TYPE_ALL, 0u, &device,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetDeviceIDs, platform, CL_DEVICE_TYPE_ALL, 1u, nullptr,
                 nullptr);
    EXPECT_FAILS(CL_DEVICE_NOT_FOUND, clGetDeviceIDs, platform, CL_DEVICE_TYPE_CUSTOM, 1u, &device,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_DEVICE, clGetDeviceInfo, nullptr, CL_DEVICE_NAME, 0u, nullptr, &size);
    EXPECT_FAILS(CL_INVALID_DEVICE, clGetDeviceInfo, as<cl_device_id>(platform), CL_DEVICE_NAME, 0u,
                 nullptr, &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetDeviceInfo, device, nonsense, 0u, nullptr, &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetDeviceInfo, device, CL_DEVICE_NAME, 1u, data, &size);
    EXPECT_FAILS(CL_INVALID_DEVICE, clRetainDevice, nullptr);
    EXPECT_FAILS(CL_INVALID_DEVICE, clReleaseDevice, as<cl_device_id>(context));
    cl_ulong time = 0;
    EXPECT_FAILS(CL_INVALID_DEVICE, clGetDeviceAndHostTimer, nullptr, &time, &time);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetDeviceAndHostTimer, device, nullptr, &time);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetDeviceAndHostTimer, device, &time, nullptr);
    EXPECT_FAILS(CL_INVALID_DEVICE, clGetHostTimer, nullptr, &time);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetHostTimer, device, nullptr);
}

TEST_F(Errors, OfSubDevices) {
    cl_device_id parts[8];
    const auto expect = [&](cl_int code, std::vector<cl_device_partition_property> list,
                            cl_uint room = 8) {
        list.push_back(0);
        EXPECT_EQ(clCreateSubDevices(device, list.data(), room, parts, nullptr), code);
    };
    const cl_device_partition_property two[] = {CL_DEVICE_PARTITION_EQUALLY, 2, 0};
    EXPECT_FAILS(CL_INVALID_DEVICE, clCreateSubDevices, nullptr, two, 8u, parts, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateSubDevices, device, nullptr, 8u, parts, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateSubDevices, device, two, 1u, parts, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateSubDevices, device, two, 0u, parts, nullptr);
    expect(CL_INVALID_VALUE, {CL_DEVICE_PARTITION_EQUALLY, 0});
    expect(CL_INVALID_VALUE,
           {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE});
    expect(CL_INVALID_VALUE, {nonsense, 1});
    expect(CL_INVALID_VALUE, {});
    const cl_device_partition_property all_four[] = {CL_DEVICE_PARTITION_EQUALLY, 4, 0};
    EXPECT_FAILS(CL_DEVICE_PARTITION_FAILED, clCreateSubDevices, device, all_four, 8u, parts,
                 nullptr); // one part is not a partition
    expect(CL_INVALID_DEVICE_PARTITION_COUNT, {CL_DEVICE_PARTITION_EQUALLY, 100});
    const cl_device_partition_property five[] = {CL_DEVICE_PARTITION_BY_COUNTS, 3, 2,
                                                 CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
    EXPECT_FAILS(CL_INVALID_DEVICE_PARTITION_COUNT, clCreateSubDevices, device, five, 8u, parts,
                 nullptr);
    expect(CL_INVALID_DEVICE_PARTITION_COUNT,
           {CL_DEVICE_PARTITION_BY_COUNTS, 5, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END});
    expect(CL_INVALID_DEVICE_PARTITION_COUNT,
           {CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, 1, 1, 1, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END});
}

TEST_F(Errors, OfContexts) {
    const auto notify = +[](const char *, const void *, size_t, void *) {};
    const cl_context_properties no_platform[] = {CL_CONTEXT_PLATFORM, 1, 0};
    const cl_context_properties unknown[] = {nonsense, 1, 0};
    const cl_context_properties twice[] = {CL_CONTEXT_INTEROP_USER_SYNC, CL_TRUE,
                                           CL_CONTEXT_INTEROP_USER_SYNC, CL_TRUE, 0};
    const cl_context_properties wrong[] = {CL_CONTEXT_INTEROP_USER_SYNC, 7, 0};
    const auto no_device = as<cl_device_id>(platform);
    EXPECT_FAILS(CL_INVALID_PLATFORM, clCreateContext, no_platform, 1u, &device, nullptr, nullptr);
    for (const auto *properties : {unknown, twice, wrong})
        EXPECT_FAILS(CL_INVALID_PROPERTY, clCreateContext, properties, 1u, &device, nullptr,
                     nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateContext, nullptr, 1u, nullptr, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateContext, nullptr, 0u, &device, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateContext, nullptr, 1u, &device, nullptr, data);
    EXPECT_FAILS(CL_INVALID_DEVICE, clCreateContext, nullptr, 1u, &no_device, notify, nullptr);

    constexpr cl_device_type any = CL_DEVICE_TYPE_DEFAULT;
    EXPECT_FAILS(CL_INVALID_PLATFORM, clCreateContextFromType, no_platform, any, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_PROPERTY, clCreateContextFromType, unknown, any, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateContextFromType, nullptr, any, nullptr, data);
    EXPECT_FAILS(CL_INVALID_DEVICE_TYPE, clCreateContextFromType, nullptr, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_DEVICE_NOT_FOUND, clCreateContextFromType, nullptr, CL_DEVICE_TYPE_CUSTOM,
                 nullptr, nullptr);

    EXPECT_FAILS(CL_INVALID_CONTEXT, clRetainContext, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clReleaseContext, as<cl_context>(queue));
    EXPECT_FAILS(CL_INVALID_CONTEXT, clGetContextInfo, nullptr, CL_CONTEXT_DEVICES, 0u, nullptr,
                 &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetContextInfo, context, nonsense, 0u, nullptr, &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetContextInfo, context, CL_CONTEXT_DEVICES, 1u, data, &size);
    const auto destroyed = +[](cl_context, void *) {};
    EXPECT_FAILS(CL_INVALID_CONTEXT, clSetContextDestructorCallback, nullptr, destroyed, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clSetContextDestructorCallback, context, nullptr, nullptr);
}

TEST_F(Errors, OfDevicesThatCantBeStarted) {
    cl_device_id both[2];
    ASSERT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 2, both, nullptr), CL_SUCCESS);
    EXPECT_FAILS(CL_DEVICE_NOT_AVAILABLE, clCreateContext, nullptr, 1u, both + 1, nullptr, nullptr);
    EXPECT_FAILS(CL_DEVICE_NOT_AVAILABLE, clCreateContextFromType, nullptr, CL_DEVICE_TYPE_ALL,
                 nullptr, nullptr);
}

TEST_F(Errors, OfQueues) {
    const cl_device_id part = sub_device(); // in neither context
    EXPECT_FAILS(CL_INVALID_CONTEXT, clCreateCommandQueue, nullptr, device, 0u);
    EXPECT_FAILS(CL_INVALID_DEVICE, clCreateCommandQueue, context, nullptr, 0u);
    EXPECT_FAILS(CL_INVALID_DEVICE, clCreateCommandQueue, context, part, 0u);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateCommandQueue, context, device, 1u << 20);
    EXPECT_FAILS(CL_INVALID_QUEUE_PROPERTIES, clCreateCommandQueue, context, device,
                 CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);

    const cl_queue_properties unknown[] = {nonsense, 1, 0};
    const cl_queue_properties bits[] = {CL_QUEUE_PROPERTIES, 1 << 20, 0};
    const cl_queue_properties no_priority[] = {CL_QUEUE_PRIORITY_KHR, 8, 0};
    const cl_queue_properties priorities[] = {
        CL_QUEUE_PRIORITY_KHR, CL_QUEUE_PRIORITY_HIGH_KHR | CL_QUEUE_PRIORITY_LOW_KHR, 0};
    const cl_queue_properties throttle[] = {CL_QUEUE_THROTTLE_KHR, CL_QUEUE_THROTTLE_LOW_KHR, 0};
    const cl_queue_properties on_device[] = {
        CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    EXPECT_FAILS(CL_INVALID_CONTEXT, clCreateCommandQueueWithProperties, nullptr, device, nullptr);
    EXPECT_FAILS(CL_INVALID_DEVICE, clCreateCommandQueueWithProperties, context, part, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateCommandQueueWithProperties, context, device, unknown);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateCommandQueueWithProperties, context, device, bits);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateCommandQueueWithProperties, context, device,
                 no_priority);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateCommandQueueWithProperties, context, device, priorities);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateCommandQueueWithProperties, context, device, throttle);
    EXPECT_FAILS(CL_INVALID_QUEUE_PROPERTIES, clCreateCommandQueueWithProperties, context, device,
                 on_device);
    EXTENSION(clCreateCommandQueueWithPropertiesKHR);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clCreateCommandQueueWithPropertiesKHR, nullptr, device,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_DEVICE, clCreateCommandQueueWithPropertiesKHR, context, part, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateCommandQueueWithPropertiesKHR, context, device, unknown);
    EXPECT_FAILS(CL_INVALID_QUEUE_PROPERTIES, clCreateCommandQueueWithPropertiesKHR, context,
                 device, on_device);

    EXPECT_FAILS(CL_INVALID_CONTEXT, clSetDefaultDeviceCommandQueue, nullptr, device, queue);
    EXPECT_FAILS(CL_INVALID_DEVICE, clSetDefaultDeviceCommandQueue, context, part, queue);
    EXPECT_FAILS(CL_INVALID_OPERATION, clSetDefaultDeviceCommandQueue, context, device, queue);
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clSetCommandQueueProperty, nullptr, 0u, CL_TRUE,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_OPERATION, clSetCommandQueueProperty, queue, 0u, CL_TRUE, nullptr);
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clRetainCommandQueue, nullptr);
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clReleaseCommandQueue, as<cl_command_queue>(context));
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clGetCommandQueueInfo, nullptr, CL_QUEUE_DEVICE, 0u,
                 nullptr, &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetCommandQueueInfo, queue, nonsense, 0u, nullptr, &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetCommandQueueInfo, queue, CL_QUEUE_DEVICE, 1u, data, &size);
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clGetCommandQueueInfo, queue, CL_QUEUE_SIZE, 4u, data,
                 &size); // 3.0: of queues on the device only
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clFlush, nullptr);
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clFinish, as<cl_command_queue>(device));
}

TEST_F(Errors, OfAllTypesOfDevicesAreNone) {
    for (const cl_device_type all : {cl_device_type{CL_DEVICE_TYPE_ALL}, ~cl_device_type{0},
                                     cl_device_type{0x1f}, cl_device_type{0xff}}) {
        cl_uint count = 0;
        EXPECT_EQ(clGetDeviceIDs(platform, all, 0, nullptr, &count), CL_SUCCESS) << all;
        EXPECT_GE(count, 1u);
    }
    cl_device_id found = nullptr;
    EXPECT_EQ(clGetDeviceIDs(nullptr, CL_DEVICE_TYPE_ALL, 1, &found, nullptr), CL_SUCCESS);
    EXPECT_EQ(found, device);
}

// 4.2: each feature is listed with the OpenCL C version that introduced it.
TEST_F(Errors, OfFeaturesOfTheLanguageAreOfVersionThree) {
    cl_name_version features[64];
    size_t filled = 0;
    ASSERT_EQ(
        clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_FEATURES, sizeof features, features, &filled),
        CL_SUCCESS);
    ASSERT_GT(filled, 0u);
    for (size_t i = 0; i < filled / sizeof *features; ++i)
        EXPECT_EQ(features[i].version, CL_MAKE_VERSION(3u, 0u, 0u)) << features[i].name;
}

} // namespace
} // namespace rivulet::test
