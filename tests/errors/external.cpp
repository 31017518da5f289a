// SPDX-License-Identifier: Apache-2.0
//
// cl_khr_external_memory and cl_khr_external_semaphore.
#include "errors.h"

#include <fcntl.h>

namespace rivulet::test {
namespace {

using MemProperties = const cl_mem_properties[];
using SemaphoreProperties = const cl_semaphore_properties_khr[];
constexpr cl_mem_properties opaque_memory = CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR;
constexpr cl_semaphore_properties_khr opaque = CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
                                      sync = CL_SEMAPHORE_HANDLE_SYNC_FD_KHR;

/// What is listed for both commands.
#define EXPECT_EXTERNAL_FAILS(function, one)                                                       \
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, function, nullptr, 1u, &one, 0u, nullptr, nullptr);     \
    EXPECT_FAILS(CL_INVALID_VALUE, function, queue, 0u, &one, 0u, nullptr, nullptr);               \
    EXPECT_FAILS(CL_INVALID_VALUE, function, queue, 1u, nullptr, 0u, nullptr, nullptr);            \
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, function, queue, 1u, &buffer, 0u, nullptr, nullptr);       \
    EXPECT_FAILS(CL_INVALID_CONTEXT, function, other_queue, 1u, &one, 0u, nullptr, nullptr);       \
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, function, queue, 1u, &one, 1u, nullptr, nullptr)

TEST_F(Errors, OfExternalMemory) {
    EXTENSION(clGetMemHandleForTypeRIVULET);
    EXTENSION(clEnqueueAcquireExternalMemObjectsKHR);
    EXTENSION(clEnqueueReleaseExternalMemObjectsKHR);
    const auto parts = halves();
    const cl_context both = context_of(parts);
    MemProperties exported = {CL_MEM_EXPORT_HANDLE_TYPES_RIVULET, opaque_memory, 0, 0};
    MemProperties other_type = {CL_MEM_EXPORT_HANDLE_TYPES_RIVULET, nonsense, 0, 0};
    MemProperties twice = {opaque_memory, 0, opaque_memory, 0, 0};
    MemProperties to_and_fro = {opaque_memory, 0, CL_MEM_EXPORT_HANDLE_TYPES_RIVULET,
                                opaque_memory, 0, 0};
    MemProperties no_handle = {opaque_memory, cl_mem_properties(-1), 0};
    MemProperties foreign = {CL_MEM_DEVICE_HANDLE_LIST_KHR,
                             reinterpret_cast<cl_mem_properties>(parts[0]), 0, 0};
    const cl_mem memory =
        released_later(clReleaseMemObject, made(clCreateBufferWithProperties, context,
                                                static_cast<const cl_ulong *>(exported),
                                                cl_ulong{0}, size_t{4096}, nullptr));
    int handle = -1;
    ASSERT_EQ(clGetMemHandleForTypeRIVULET(memory, opaque_memory, sizeof handle, &handle, nullptr),
              CL_SUCCESS);
    MemProperties imported = {opaque_memory, cl_mem_properties(handle), 0};
    const auto refused = [&](cl_int code, const cl_context in, const cl_mem_properties *list,
                             cl_mem_flags flags = 0, size_t bytes = 4096, void *host = nullptr) {
        EXPECT_FAILS(code, clCreateBufferWithProperties, in, list, flags, bytes, host);
    };
    MemProperties of_two = {opaque_memory, 0, CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR, 0, 0};
    for (const cl_mem_properties *list : {other_type, twice, to_and_fro, of_two})
        refused(CL_INVALID_PROPERTY, context, list);
    EXPECT_FAILS(CL_INVALID_DEVICE, clCreateBufferWithProperties, context, foreign, 0u, 4096u,
                 nullptr);
    refused(CL_INVALID_VALUE, context, no_handle);
    refused(CL_INVALID_VALUE, context, imported, CL_MEM_ALLOC_HOST_PTR);
    refused(CL_INVALID_VALUE, context, exported, CL_MEM_USE_HOST_PTR, sizeof data, data);
    refused(CL_INVALID_BUFFER_SIZE, context, imported, 0, 4097);
    EXPECT_NE(fcntl(handle, F_GETFD), -1) << "a handle that was refused stays the caller's";
    const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = desc.image_height = 4;
    EXPECT_FAILS(CL_INVALID_DEVICE, clCreateImageWithProperties, context, foreign, 0u, &format,
                 &desc, nullptr);

    EXPECT_EXTERNAL_FAILS(clEnqueueAcquireExternalMemObjectsKHR, memory);
    EXPECT_EXTERNAL_FAILS(clEnqueueReleaseExternalMemObjectsKHR, memory);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clGetMemHandleForTypeRIVULET, buffer,
                 cl_uint(opaque_memory), size_t{0}, nullptr, &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetMemHandleForTypeRIVULET, memory, nonsense, size_t{0},
                 nullptr, &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetMemHandleForTypeRIVULET, memory, cl_uint(opaque_memory),
                 size_t{1}, data, &size);
    close(handle);
    refused(CL_INVALID_VALUE, context, imported);

    EXTENSION(clImportMemoryARM);
    const cl_import_properties_arm host[] = {CL_IMPORT_TYPE_ARM, CL_IMPORT_TYPE_HOST_ARM, 0};
    const cl_import_properties_arm dma_buf[] = {CL_IMPORT_TYPE_ARM, CL_IMPORT_TYPE_DMA_BUF_ARM, 0};
    const cl_import_properties_arm strange[] = {nonsense, 0, 0};
    const auto import_fails = [&](cl_int code, cl_context in, const cl_import_properties_arm *list,
                                  void *memory, size_t bytes) {
        EXPECT_FAILS(code, clImportMemoryARM, in, cl_mem_flags{0}, list, memory, bytes);
    };
    int no_file = -1;
    EXPECT_FAILS(CL_INVALID_CONTEXT, clImportMemoryARM, nullptr, cl_mem_flags{0},
                 static_cast<const cl_import_properties_arm *>(dma_buf), &no_file, size_t{4096});
    for (const cl_import_properties_arm *list : {host, strange})
        import_fails(CL_INVALID_PROPERTY, context, list, data, 4096);
    EXPECT_FAILS(CL_INVALID_PROPERTY, clImportMemoryARM, context, cl_mem_flags{0}, nullptr, data,
                 size_t{4096});
    EXPECT_FAILS(CL_INVALID_VALUE, clImportMemoryARM, context, cl_mem_flags{0},
                 static_cast<const cl_import_properties_arm *>(dma_buf), &no_file, size_t{4096});
    import_fails(CL_INVALID_VALUE, context, dma_buf, nullptr, 4096);
    import_fails(CL_INVALID_VALUE, context, dma_buf, &no_file,
                 CL_IMPORT_MEMORY_WHOLE_ALLOCATION_ARM);
    EXPECT_FAILS(CL_INVALID_BUFFER_SIZE, clImportMemoryARM, context, cl_mem_flags{0},
                 static_cast<const cl_import_properties_arm *>(dma_buf), &no_file, size_t{0});
    static_cast<void>(both);
}

TEST_F(Errors, OfExternalSemaphores) {
    EXTENSION(clCreateSemaphoreWithPropertiesKHR);
    EXTENSION(clReleaseSemaphoreKHR);
    EXTENSION(clGetSemaphoreHandleForTypeKHR);
    EXTENSION(clReImportSemaphoreSyncFdKHR);
    const auto parts = halves();
    const auto refused = [&](cl_int code, std::vector<cl_semaphore_properties_khr> list) {
        list.insert(list.begin(), {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR});
        list.push_back(0);
        EXPECT_FAILS(code, clCreateSemaphoreWithPropertiesKHR, context,
                     static_cast<const cl_ulong *>(list.data()));
    };
    constexpr cl_semaphore_properties_khr no_handle = cl_semaphore_properties_khr(-1);
    constexpr cl_semaphore_properties_khr types = CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR;
    refused(CL_INVALID_PROPERTY, {types, nonsense, 0});
    refused(CL_INVALID_PROPERTY, {types, opaque, 0, types, opaque, 0});
    refused(CL_INVALID_VALUE, {types, opaque, sync, 0});
    refused(CL_INVALID_VALUE, {types, opaque, opaque, 0});
    refused(CL_INVALID_PROPERTY, {opaque, no_handle, sync, no_handle});
    for (const auto from : {opaque, sync})
        for (const auto to : {opaque, sync})
            refused(CL_INVALID_OPERATION, {from, no_handle, types, to, 0});
    refused(CL_INVALID_VALUE, {opaque, no_handle});
    refused(CL_INVALID_VALUE, {sync, 0x7fff0000});

    SemaphoreProperties of_sync = {
        CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, types, sync, 0, 0};
    SemaphoreProperties plain = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
    SemaphoreProperties past = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, sync,
                                no_handle, 0};
    const auto make = [&](const cl_ulong *list) {
        return made(clCreateSemaphoreWithPropertiesKHR, context, list);
    };
    const cl_semaphore_khr semaphore = make(of_sync), other = make(plain), imported = make(past);
    const cl_semaphore_khr none = as<cl_semaphore_khr>(queue);
    EXPECT_FAILS(CL_INVALID_SEMAPHORE_KHR, clGetSemaphoreHandleForTypeKHR, none, device, 1u, 0u,
                 nullptr, &size);
    EXPECT_FAILS(CL_INVALID_DEVICE, clGetSemaphoreHandleForTypeKHR, semaphore, parts[0],
                 cl_uint(sync), 0u, nullptr, &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetSemaphoreHandleForTypeKHR, other, device, cl_uint(sync), 0u,
                 nullptr, &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetSemaphoreHandleForTypeKHR, semaphore, device, cl_uint(sync),
                 1u, data, &size);
    EXPECT_FAILS(CL_INVALID_OPERATION, clGetSemaphoreHandleForTypeKHR, semaphore, device,
                 cl_uint(sync), 4u, data, &size);
    cl_semaphore_reimport_properties_khr unknown[] = {nonsense, 0};
    EXPECT_FAILS(CL_INVALID_SEMAPHORE_KHR, clReImportSemaphoreSyncFdKHR, semaphore, nullptr, -1);
    EXPECT_FAILS(CL_INVALID_VALUE, clReImportSemaphoreSyncFdKHR, imported, unknown, -1);
    EXPECT_FAILS(CL_INVALID_VALUE, clReImportSemaphoreSyncFdKHR, imported, nullptr, 0x7fff0000);
    for (const cl_semaphore_khr each : {semaphore, other, imported})
        EXPECT_EQ(clReleaseSemaphoreKHR(each), CL_SUCCESS);
}

} // namespace
} // namespace rivulet::test
