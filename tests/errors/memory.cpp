// SPDX-License-Identifier: Apache-2.0
//
// 5.2, 5.4, 5.5: buffers, memory objects, samplers; pipes, which are not supported.
#include "errors.h"

namespace rivulet::test {
namespace {

constexpr size_t huge = size_t{1} << 60;

TEST_F(Errors, OfBuffers) {
    cl_ulong largest = 0;
    clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clCreateBuffer, nullptr, 0u, 16u, nullptr);
    constexpr cl_mem_flags wrong[] = {
        1ull << 40,
        CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
        CL_MEM_READ_WRITE | CL_MEM_READ_ONLY,
        CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR,
        CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR,
        CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY,
        CL_MEM_HOST_NO_ACCESS | CL_MEM_HOST_READ_ONLY,
    };
    for (const cl_mem_flags flags : wrong)
        EXPECT_FAILS(CL_INVALID_VALUE, clCreateBuffer, context, flags, 16u, data);
    EXPECT_FAILS(CL_INVALID_BUFFER_SIZE, clCreateBuffer, context, 0u, 0u, nullptr);
    EXPECT_FAILS(CL_INVALID_BUFFER_SIZE, clCreateBuffer, context, 0u, huge, nullptr);
    EXPECT_FAILS(CL_INVALID_HOST_PTR, clCreateBuffer, context, 0u, 16u, data);
    EXPECT_FAILS(CL_INVALID_HOST_PTR, clCreateBuffer, context, CL_MEM_USE_HOST_PTR, 16u, nullptr);
    EXPECT_FAILS(CL_INVALID_HOST_PTR, clCreateBuffer, context, CL_MEM_COPY_HOST_PTR, 16u, nullptr);

    const cl_mem_properties none[] = {0};
    const cl_mem_properties unknown[] = {nonsense, 1, 0};
    EXPECT_FAILS(CL_INVALID_CONTEXT, clCreateBufferWithProperties, nullptr, none, 0u, 16u, nullptr);
    EXPECT_FAILS(CL_INVALID_PROPERTY, clCreateBufferWithProperties, context, unknown, 0u, 16u,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateBufferWithProperties, context, none, 1ull << 40, 16u,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_BUFFER_SIZE, clCreateBufferWithProperties, context, none, 0u, 0u,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_HOST_PTR, clCreateBufferWithProperties, context, nullptr,
                 CL_MEM_USE_HOST_PTR, 16u, nullptr);
    // cl_ext_buffer_device_address
    const cl_mem_properties odd[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, 2, 0},
                            twice[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, 1,
                                       CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, 1, 0};
    for (const cl_mem_properties *wrong : {odd, twice})
        EXPECT_FAILS(CL_INVALID_PROPERTY, clCreateBufferWithProperties, context, wrong, 0u, 16u,
                     nullptr);
    EXPECT_FAILS(CL_INVALID_OPERATION, clGetMemObjectInfo, buffer, CL_MEM_DEVICE_ADDRESS_EXT, 64u,
                 data, nullptr);
    EXTENSION(clSetKernelArgDevicePointerEXT);
    const cl_kernel subject = kernel();
    EXPECT_FAILS(CL_INVALID_KERNEL, clSetKernelArgDevicePointerEXT, nullptr, 0u, 0u);
    for (const cl_uint wrong : {1u, 9u}) // a value, and no argument
        EXPECT_FAILS(CL_INVALID_ARG_INDEX, clSetKernelArgDevicePointerEXT, subject, wrong, 0u);
    EXPECT_FAILS(CL_INVALID_VALUE, clSetKernelExecInfo, subject,
                 CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, 3u, data);
    EXPECT_FAILS(CL_INVALID_VALUE, clSetKernelExecInfo, subject,
                 CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, 8u, nullptr);

    // Creates buffers of maximum size until memory is full.
    for (int i = 0; i < 64; ++i) {
        cl_int code = 1;
        const cl_mem one = clCreateBuffer(context, 0, largest, nullptr, &code);
        if (one == nullptr)
            break;
        released_later(clReleaseMemObject, one);
    }
    EXPECT_FAILS(CL_MEM_OBJECT_ALLOCATION_FAILURE, clCreateBuffer, context, 0u, largest, nullptr);
    EXPECT_FAILS(CL_MEM_OBJECT_ALLOCATION_FAILURE, clCreateBufferWithProperties, context, none, 0u,
                 largest, nullptr);
}

TEST_F(Errors, OfSubBuffers) {
    constexpr auto region = CL_BUFFER_CREATE_TYPE_REGION;
    const cl_buffer_region first{0, 512};
    const cl_buffer_region empty{0, 0};
    const cl_buffer_region odd{1, 16};
    const cl_mem readable = memory(CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY);
    const cl_mem part = released_later(
        clReleaseMemObject, made(clCreateSubBuffer, buffer, cl_mem_flags{0}, region, &first));
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clCreateSubBuffer, nullptr, 0u, region, &first);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clCreateSubBuffer, part, 0u, region, &first);
    for (const cl_mem_flags flags : {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_HOST_WRITE_ONLY,
                                     CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR})
        EXPECT_FAILS(CL_INVALID_VALUE, clCreateSubBuffer, readable, flags, region, &first);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateSubBuffer, buffer, 0u, nonsense, &first);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateSubBuffer, buffer, 0u, region, nullptr);
    const cl_buffer_region outside[] = {{0, 1025}, {1024, 128}, {huge, 128}, {128, ~size_t{0}}};
    for (const cl_buffer_region &wrong : outside)
        EXPECT_FAILS(CL_INVALID_VALUE, clCreateSubBuffer, buffer, 0u, region, &wrong);
    EXPECT_FAILS(CL_INVALID_BUFFER_SIZE, clCreateSubBuffer, buffer, 0u, region, &empty);
    EXPECT_FAILS(CL_MISALIGNED_SUB_BUFFER_OFFSET, clCreateSubBuffer, buffer, 0u, region, &odd);
}

TEST_F(Errors, OfMemoryObjects) {
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clRetainMemObject, nullptr);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clReleaseMemObject, as<cl_mem>(queue));
    const auto destroyed = +[](cl_mem, void *) {};
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clSetMemObjectDestructorCallback, nullptr, destroyed,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clSetMemObjectDestructorCallback, buffer, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clGetMemObjectInfo, as<cl_mem>(context), CL_MEM_SIZE, 0u,
                 nullptr, &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetMemObjectInfo, buffer, nonsense, 0u, nullptr, &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetMemObjectInfo, buffer, CL_MEM_SIZE, 1u, data, &size);
}

TEST_F(Errors, OfPipes) {
    EXPECT_FAILS(CL_INVALID_CONTEXT, clCreatePipe, nullptr, 0u, 4u, 4u, nullptr);
    EXPECT_FAILS(CL_INVALID_OPERATION, clCreatePipe, context, 0u, 4u, 4u, nullptr);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clGetPipeInfo, buffer, CL_PIPE_PACKET_SIZE, 0u, nullptr,
                 &size);
}

TEST_F(Errors, OfSamplers) {
    constexpr cl_addressing_mode clamp = CL_ADDRESS_CLAMP;
    constexpr cl_filter_mode nearest = CL_FILTER_NEAREST;
    EXPECT_FAILS(CL_INVALID_CONTEXT, clCreateSampler, nullptr, CL_TRUE, clamp, nearest);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateSampler, context, 7u, clamp, nearest);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateSampler, context, CL_TRUE, nonsense, nearest);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateSampler, context, CL_TRUE, clamp, nonsense);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateSampler, context, CL_FALSE, CL_ADDRESS_REPEAT, nearest);

    const cl_sampler_properties unknown[] = {nonsense, 1, 0};
    const cl_sampler_properties twice[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_NEAREST,
                                           CL_SAMPLER_FILTER_MODE, CL_FILTER_NEAREST, 0};
    EXPECT_FAILS(CL_INVALID_CONTEXT, clCreateSamplerWithProperties, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateSamplerWithProperties, context, unknown);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateSamplerWithProperties, context, twice);
    EXPECT_FAILS(CL_INVALID_SAMPLER, clRetainSampler, nullptr);
    EXPECT_FAILS(CL_INVALID_SAMPLER, clReleaseSampler, as<cl_sampler>(buffer));
    EXPECT_FAILS(CL_INVALID_SAMPLER, clGetSamplerInfo, as<cl_sampler>(buffer),
                 CL_SAMPLER_FILTER_MODE, 0u, nullptr, &size);
    cl_bool images = CL_FALSE;
    clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, nullptr);
    if (images == CL_FALSE)
        GTEST_SKIP() << "the device has no images, and so no samplers to ask";
    const cl_sampler sampler = released_later(
        clReleaseSampler, made(clCreateSampler, context, cl_bool{CL_TRUE}, clamp, nearest));
    EXPECT_FAILS(CL_INVALID_VALUE, clGetSamplerInfo, sampler, nonsense, 0u, nullptr, &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetSamplerInfo, sampler, CL_SAMPLER_FILTER_MODE, 1u, data,
                 &size);
}

} // namespace
} // namespace rivulet::test
