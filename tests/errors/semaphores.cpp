// SPDX-License-Identifier: Apache-2.0
//
// cl_khr_semaphore.
#include "errors.h"

namespace rivulet::test {
namespace {

using Properties = const cl_semaphore_properties_khr[];

/// What the specification lists for both commands.
#define EXPECT_SEMAPHORE_FAILS(function, one)                                                      \
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, function, nullptr, 1u, &one, nullptr, 0u, nullptr,      \
                 nullptr);                                                                         \
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, function, elsewhere.queue, 1u, &of_part, nullptr, 0u,   \
                 nullptr, nullptr);                                                                \
    EXPECT_FAILS(CL_INVALID_VALUE, function, queue, 0u, &one, nullptr, 0u, nullptr, nullptr);      \
    EXPECT_FAILS(CL_INVALID_SEMAPHORE_KHR, function, queue, 1u, &none, nullptr, 0u, nullptr,       \
                 nullptr);                                                                         \
    EXPECT_FAILS(CL_INVALID_CONTEXT, function, other_queue, 1u, &one, nullptr, 0u, nullptr,        \
                 nullptr);                                                                         \
    EXPECT_FAILS(CL_INVALID_CONTEXT, function, queue, 1u, &one, nullptr, 1u, &other_event,         \
                 nullptr);                                                                         \
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, function, queue, 1u, &one, nullptr, 1u, nullptr,      \
                 nullptr);                                                                         \
    EXPECT_FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, function, queue, 1u, &one, nullptr, \
                 1u, &failed, nullptr)

TEST_F(Errors, OfSemaphores) {
    EXTENSION(clCreateSemaphoreWithPropertiesKHR);
    EXTENSION(clEnqueueSignalSemaphoresKHR);
    EXTENSION(clEnqueueWaitSemaphoresKHR);
    EXTENSION(clGetSemaphoreInfoKHR);
    EXTENSION(clRetainSemaphoreKHR);
    EXTENSION(clReleaseSemaphoreKHR);
    const auto as_property = [](cl_device_id handle) {
        return reinterpret_cast<cl_semaphore_properties_khr>(handle);
    };
    const auto parts = halves();
    const cl_context both = context_of(parts);
    const cl_device_id part = parts[0];
    Properties binary = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
    Properties empty = {0};
    Properties unknown = {nonsense, 1, 0};
    Properties other_type = {CL_SEMAPHORE_TYPE_KHR, nonsense, 0};
    Properties twice = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, CL_SEMAPHORE_TYPE_KHR,
                        CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
    Properties foreign = {CL_SEMAPHORE_TYPE_KHR,
                          CL_SEMAPHORE_TYPE_BINARY_KHR,
                          CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR,
                          as_property(part),
                          0,
                          0};
    Properties no_device = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR,
                            CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, 0, 0};
    Properties two_devices = {CL_SEMAPHORE_TYPE_KHR,
                              CL_SEMAPHORE_TYPE_BINARY_KHR,
                              CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR,
                              as_property(parts[0]),
                              as_property(parts[1]),
                              0,
                              0};
    EXPECT_FAILS(CL_INVALID_CONTEXT, clCreateSemaphoreWithPropertiesKHR, nullptr, binary);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateSemaphoreWithPropertiesKHR, context, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateSemaphoreWithPropertiesKHR, context, empty);
    EXPECT_FAILS(CL_INVALID_PROPERTY, clCreateSemaphoreWithPropertiesKHR, context, unknown);
    EXPECT_FAILS(CL_INVALID_PROPERTY, clCreateSemaphoreWithPropertiesKHR, context, other_type);
    EXPECT_FAILS(CL_INVALID_PROPERTY, clCreateSemaphoreWithPropertiesKHR, context, twice);
    EXPECT_FAILS(CL_INVALID_PROPERTY, clCreateSemaphoreWithPropertiesKHR, both, binary);
    EXPECT_FAILS(CL_INVALID_DEVICE, clCreateSemaphoreWithPropertiesKHR, context, foreign);
    EXPECT_FAILS(CL_INVALID_DEVICE, clCreateSemaphoreWithPropertiesKHR, both, two_devices);
    EXPECT_FAILS(CL_INVALID_DEVICE, clCreateSemaphoreWithPropertiesKHR, context, no_device);

    const cl_semaphore_khr semaphore =
        made(clCreateSemaphoreWithPropertiesKHR, context, static_cast<const cl_ulong *>(binary));
    const cl_semaphore_khr of_part =
        made(clCreateSemaphoreWithPropertiesKHR, both, static_cast<const cl_ulong *>(foreign));
    const cl_semaphore_khr none = as<cl_semaphore_khr>(queue);
    const struct {
        cl_command_queue queue;
    } elsewhere{released_later(clReleaseCommandQueue,
                               made(clCreateCommandQueue, both, parts[1], cl_ulong{0}))};
    const cl_event failed = released_later(clReleaseEvent, made(clCreateUserEvent, context));
    ASSERT_EQ(clSetUserEventStatus(failed, -1), CL_SUCCESS);
    EXPECT_SEMAPHORE_FAILS(clEnqueueSignalSemaphoresKHR, semaphore);
    EXPECT_SEMAPHORE_FAILS(clEnqueueWaitSemaphoresKHR, semaphore);
    EXPECT_FAILS(CL_INVALID_SEMAPHORE_KHR, clGetSemaphoreInfoKHR, none, CL_SEMAPHORE_TYPE_KHR, 0u,
                 nullptr, &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetSemaphoreInfoKHR, semaphore, nonsense, 0u, nullptr, &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetSemaphoreInfoKHR, semaphore, CL_SEMAPHORE_TYPE_KHR, 1u,
                 data, &size);
    EXPECT_FAILS(CL_INVALID_SEMAPHORE_KHR, clRetainSemaphoreKHR, nullptr);
    EXPECT_FAILS(CL_INVALID_SEMAPHORE_KHR, clReleaseSemaphoreKHR, none);
    EXPECT_EQ(clReleaseSemaphoreKHR(semaphore), CL_SUCCESS);
    EXPECT_EQ(clReleaseSemaphoreKHR(of_part), CL_SUCCESS);
}

} // namespace
} // namespace rivulet::test
