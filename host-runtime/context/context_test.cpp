// SPDX-License-Identifier: Apache-2.0
//
// Several devices: two machines of the loopback driver, and sub-devices.
#include <cstdlib>

#include "host-runtime/tests/opencl_test.h"

namespace rivulet::test {
namespace {

using testing::Each;

// The platform reads this variable when it enumerates devices, after static initialisation.
[[maybe_unused]] const int two_machines = setenv("RIVULET_MACHINE", "loopback;loopback", 1);

class TwoDevices : public OpenCL {
protected:
    void SetUp() override {
        OpenCL::SetUp();
        ASSERT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 2, devices, nullptr), CL_SUCCESS);
        cl_int code = CL_SUCCESS;
        clReleaseCommandQueue(queues.back());
        queues.clear();
        clReleaseContext(context);
        context = clCreateContext(nullptr, 2, devices, nullptr, nullptr, &code);
        ASSERT_EQ(code, CL_SUCCESS);
        queue = make_queue(0);
        device = devices[1];
        second = make_queue(0);
    }
    cl_device_id devices[2] = {};
    cl_command_queue second = nullptr;
};

TEST_F(TwoDevices, ShareABufferThatMovesBetweenThem) {
    cl_mem data = make_buffer(std::vector<cl_uint>(1024, 1));
    cl_kernel kernel =
        make_kernel("kernel void test(global uint *data) { data[get_global_id(0)] *= 2; }");
    set(kernel, 0, data);
    cl_event last = launch(queue, kernel, 1024);
    for (int round = 0; round < 6; ++round) {
        clFlush(round % 2 ? second : queue);
        cl_event next = launch(round % 2 ? queue : second, kernel, 1024, {last});
        clReleaseEvent(last);
        last = next;
    }
    EXPECT_EQ(clWaitForEvents(1, &last), CL_SUCCESS);
    clReleaseEvent(last);
    EXPECT_THAT(contents<cl_uint>(data), Each(128u));
}

TEST_F(TwoDevices, ShareAnImageThatMovesBetweenThem) {
    const cl_image_format format{CL_R, CL_UNSIGNED_INT32};
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = 64;
    desc.image_height = 8;
    cl_int code = CL_SUCCESS;
    cl_mem image = clCreateImage(context, 0, &format, &desc, nullptr, &code);
    ASSERT_EQ(code, CL_SUCCESS);
    buffers.push_back(image);
    const cl_uint color[4] = {1};
    const size_t origin[3] = {}, region[3] = {64, 8, 1};
    ASSERT_EQ(clEnqueueFillImage(queue, image, color, origin, region, 0, nullptr, nullptr),
              CL_SUCCESS);
    cl_kernel kernel = make_kernel("kernel void test(read_write image2d_t image) {"
                                   "    int2 at = (int2)(get_global_id(0) % 64,"
                                   "                     get_global_id(0) / 64);"
                                   "    write_imageui(image, at, 2 * read_imageui(image, at));"
                                   "}",
                                   "test", "-cl-std=CL3.0");
    set(kernel, 0, image);
    clFinish(queue);
    for (int round = 0; round < 6; ++round) {
        cl_event done = launch(round % 2 ? second : queue, kernel, 512);
        EXPECT_EQ(clWaitForEvents(1, &done), CL_SUCCESS);
        clReleaseEvent(done);
    }
    std::vector<cl_uint> elements(512);
    EXPECT_EQ(clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, elements.data(), 0,
                                 nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_THAT(elements, Each(64u));
}

TEST_F(TwoDevices, ReleasedContextIsReachedAndRetainedThroughItsQueueAsLongAsThatLives) {
    cl_int code = CL_SUCCESS;
    cl_context own = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    ASSERT_EQ(code, CL_SUCCESS);
    cl_command_queue own_queue = clCreateCommandQueueWithProperties(own, device, nullptr, &code);
    ASSERT_EQ(code, CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(own), CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(own), CL_INVALID_CONTEXT) << "released more often than retained";

    cl_context seen = nullptr;
    EXPECT_EQ(clGetCommandQueueInfo(own_queue, CL_QUEUE_CONTEXT, sizeof seen, &seen, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(seen, own);
    EXPECT_EQ(clRetainContext(seen), CL_SUCCESS);
    cl_uint references = 0;
    EXPECT_EQ(
        clGetContextInfo(seen, CL_CONTEXT_REFERENCE_COUNT, sizeof references, &references, nullptr),
        CL_SUCCESS);
    EXPECT_EQ(references, 1u);
    EXPECT_EQ(clReleaseContext(seen), CL_SUCCESS);
    EXPECT_EQ(clReleaseCommandQueue(own_queue), CL_SUCCESS);
    EXPECT_EQ(clRetainContext(seen), CL_INVALID_CONTEXT);
    EXPECT_EQ(clReleaseCommandQueue(own_queue), CL_INVALID_COMMAND_QUEUE);
}

TEST_F(TwoDevices, SubDevicesHaveTheHartsTheyWereGiven) {
    cl_uint harts = 0;
    ASSERT_EQ(clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof harts, &harts, nullptr),
              CL_SUCCESS);
    const cl_device_partition_property each_one[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_uint count = 0;
    if (harts < 2) {
        EXPECT_EQ(clCreateSubDevices(device, each_one, 0, nullptr, &count),
                  CL_DEVICE_PARTITION_FAILED);
        return;
    }
    std::vector<cl_device_id> parts(harts);
    ASSERT_EQ(clCreateSubDevices(device, each_one, harts, parts.data(), &count), CL_SUCCESS);
    EXPECT_EQ(count, harts);
    cl_ulong all = 0;
    for (cl_device_id part : parts) {
        cl_ulong mask = 0;
        EXPECT_EQ(clGetDeviceInfo(part, CL_DEVICE_HARTS_RIVULET, sizeof mask, &mask, nullptr),
                  CL_SUCCESS);
        EXPECT_EQ(mask & all, 0u);
        all |= mask;
        EXPECT_EQ(clReleaseDevice(part), CL_SUCCESS);
        EXPECT_EQ(clReleaseDevice(part), CL_INVALID_DEVICE);
    }
    cl_ulong whole = 0;
    EXPECT_EQ(clGetDeviceInfo(device, CL_DEVICE_HARTS_RIVULET, sizeof whole, &whole, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(all, whole);
}

} // namespace
} // namespace rivulet::test
