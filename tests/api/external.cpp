// SPDX-License-Identifier: Apache-2.0
//
// cl_khr_external_memory and cl_khr_external_semaphore: memory and semaphores of one context in
// another, by file descriptors.
#include "on_device.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
// This header comes last, because it uses the API version set by those before it.
#include "host-runtime/include/CL/cl_ext_rivulet.h"

extern char **environ;

namespace rivulet::test {
namespace {

using Semaphore =
    std::unique_ptr<std::remove_pointer_t<cl_semaphore_khr>, cl_int (*)(cl_semaphore_khr)>;

class External : public OnDevice {
protected:
#define MEMBER(name) const name##_fn name = EXTENSION(name)
    MEMBER(clGetMemHandleForTypeRIVULET);
    const decltype(&::clImportMemoryARM) clImportMemoryARM =
        extension<decltype(&::clImportMemoryARM)>("clImportMemoryARM");
    MEMBER(clEnqueueAcquireExternalMemObjectsKHR);
    MEMBER(clEnqueueReleaseExternalMemObjectsKHR);
    MEMBER(clCreateSemaphoreWithPropertiesKHR);
    MEMBER(clGetSemaphoreHandleForTypeKHR);
    MEMBER(clReImportSemaphoreSyncFdKHR);
    MEMBER(clEnqueueSignalSemaphoresKHR);
    MEMBER(clEnqueueWaitSemaphoresKHR);
    MEMBER(clGetSemaphoreInfoKHR);
    MEMBER(clReleaseSemaphoreKHR);

    template <class T> std::vector<T> types(cl_device_info name) {
        size_t bytes = 0;
        EXPECT_EQ(clGetDeviceInfo(device(), name, 0, nullptr, &bytes), CL_SUCCESS);
        std::vector<T> list(bytes / sizeof(T));
        EXPECT_EQ(clGetDeviceInfo(device(), name, bytes, list.data(), nullptr), CL_SUCCESS);
        return list;
    }
    /// Bytes that the library has copied to and from the device.
    cl_ulong copied_bytes() {
        cl_ulong bytes = 0;
        EXPECT_EQ(clGetDeviceInfo(device(), CL_DEVICE_COPIED_BYTES_RIVULET, sizeof bytes, &bytes,
                                  nullptr),
                  CL_SUCCESS);
        return bytes;
    }
    cl::Context other{device};
    cl::CommandQueue other_queue{other, device};
};

class ExternalMemory : public External {
protected:
    void SetUp() override {
        cl_int code = 1;
        const cl_mem memory = clCreateBufferWithProperties(context(), exported, CL_MEM_READ_WRITE,
                                                           4096, nullptr, &code);
        if (code == CL_INVALID_OPERATION)
            GTEST_SKIP() << "this device's contexts can't share memory: too few PMP entries";
        ASSERT_EQ(code, CL_SUCCESS);
        clReleaseMemObject(memory);
    }
    static constexpr cl_mem_properties exported[] = {CL_MEM_EXPORT_HANDLE_TYPES_RIVULET,
                                                     CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, 0, 0};
    static cl::Buffer made(const cl::Context &in, const cl_mem_properties *properties, size_t bytes,
                           const void *contents = nullptr) {
        cl_int code = 1;
        const cl_mem memory = clCreateBufferWithProperties(
            in(), properties, contents ? CL_MEM_COPY_HOST_PTR : CL_MEM_READ_WRITE, bytes,
            const_cast<void *>(contents), &code);
        EXPECT_EQ(code, CL_SUCCESS);
        return cl::Buffer(memory);
    }
    int handle_of(const cl::Memory &memory) {
        int handle = -1;
        size_t bytes = 0;
        EXPECT_EQ(clGetMemHandleForTypeRIVULET(memory(), CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR,
                                               sizeof handle, &handle, &bytes),
                  CL_SUCCESS);
        EXPECT_EQ(bytes, sizeof handle);
        return handle;
    }
    static std::array<cl_mem_properties, 3> of(int handle) {
        return {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, static_cast<cl_mem_properties>(handle), 0};
    }
    /// Squares the values in a context, by a kernel of its own.
    void square(const cl::Context &in, const cl::CommandQueue &by, const cl::Buffer &values,
                size_t count) {
        cl::Program program(in, "kernel void square(global int *x) {"
                                "    size_t i = get_global_id(0);"
                                "    x[i] *= x[i];"
                                "}");
        program.build(device);
        cl::Kernel kernel(program, "square");
        kernel.setArg(0, values);
        const cl_mem memory = values();
        EXPECT_EQ(clEnqueueAcquireExternalMemObjectsKHR(by(), 1, &memory, 0, nullptr, nullptr),
                  CL_SUCCESS);
        by.enqueueNDRangeKernel(kernel, {}, cl::NDRange(count));
        cl_event event = nullptr;
        EXPECT_EQ(clEnqueueReleaseExternalMemObjectsKHR(by(), 1, &memory, 0, nullptr, &event),
                  CL_SUCCESS);
        const cl::Event released(event);
        EXPECT_EQ(released.getInfo<CL_EVENT_COMMAND_TYPE>(),
                  cl_command_type{CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR});
        by.finish();
    }
};

TEST_F(ExternalMemory, IsTheSameInAllContextsThatHaveIt) {
    const auto values = iota<int>(5000);
    const cl::Buffer first = made(context, exported, values.size() * 4, values.data());
    const cl::Buffer second = made(other, of(handle_of(first)).data(), values.size() * 4);
    square(other, other_queue, second, values.size());
    square(context, queue, first, values.size());
    std::vector<int> result(values.size());
    other_queue.enqueueReadBuffer(second, CL_TRUE, 0, result.size() * 4, result.data());
    for (size_t i = 0; i < values.size(); ++i)
        ASSERT_EQ(cl_uint(result[i]), cl_uint(i * i * i * i)) << i;
    EXPECT_EQ(
        types<cl_external_memory_handle_type_khr>(CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR)
            .at(0),
        cl_external_memory_handle_type_khr{CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR});
}

TEST_F(ExternalMemory, OutlivesItsContextByItsHandle) {
    int handle = -1;
    {
        const cl::Context ended(device);
        const auto values = iota<int>(1000, 7);
        handle = handle_of(made(ended, exported, 4000, values.data()));
    }
    const auto list = of(dup(handle));
    close(handle);
    const cl::Buffer kept = made(context, list.data(), 4000);
    square(context, queue, kept, 1000);
    EXPECT_EQ(read<int>(kept, 1000)[999], 1006 * 1006);
    cl_mem_properties known[3] = {};
    EXPECT_EQ(clGetMemObjectInfo(kept(), CL_MEM_PROPERTIES, sizeof known, known, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(known[1], list[1]);
}

TEST_F(ExternalMemory, IsFreeAgainOnceNobodyHasIt) {
    const size_t bytes = device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>() / 4;
    for (int round = 0; round < 12; ++round) {
        const cl::Buffer large = made(context, exported, bytes);
        const int handle = handle_of(large);
        if (round % 2 == 0)
            made(other, of(handle).data(), bytes);
        else
            close(handle);
    }
}

TEST_F(ExternalMemory, HoldsImages) {
    const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = 64;
    desc.image_height = 16;
    cl_int code = 1;
    const cl::Image2D picture(clCreateImageWithProperties(context(), exported, CL_MEM_READ_WRITE,
                                                          &format, &desc, nullptr, &code));
    ASSERT_EQ(code, CL_SUCCESS);
    const cl::Image2D same(clCreateImageWithProperties(
        other(), of(handle_of(picture)).data(), CL_MEM_READ_WRITE, &format, &desc, nullptr, &code));
    ASSERT_EQ(code, CL_SUCCESS);
    const std::array<cl::size_type, 3> all = {64, 16, 1};
    queue.enqueueFillImage(picture, cl_float4{{1, 0, 1, 0}}, {0, 0, 0}, all);
    queue.finish();
    std::vector<cl_uint> elements(64 * 16);
    other_queue.enqueueReadImage(same, CL_TRUE, {0, 0, 0}, all, 0, 0, elements.data());
    EXPECT_EQ(elements, std::vector<cl_uint>(elements.size(), 0x00ff00ff));
}

// Loopback's harts reach what the process can map; a memfd stands for a dma-buf here. Other devices
// refuse memory that is not theirs.
TEST_F(ExternalMemory, DmaBufsAreUsedInPlaceOrRefused) {
    const std::string extensions = device.getInfo<CL_DEVICE_EXTENSIONS>();
    const bool imports = extensions.find("cl_khr_external_memory_dma_buf") != std::string::npos;
    const std::string machine = environment("RIVULET_MACHINE") + environment("RIVULET_DRIVER");
    EXPECT_EQ(imports, (machine + ",").starts_with("loopback,"));
    const size_t pages = 200, bytes = pages * 4096, count = bytes / sizeof(int);
    int file = memfd_create("pictures", MFD_CLOEXEC);
    ASSERT_EQ(ftruncate(file, static_cast<off_t>(bytes)), 0);
    auto *const seen =
        static_cast<int *>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    ASSERT_NE(seen, MAP_FAILED);
    const cl_mem_properties properties[] = {CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR,
                                            static_cast<cl_mem_properties>(file), 0};
    const cl_import_properties_arm arm[] = {CL_IMPORT_TYPE_ARM, CL_IMPORT_TYPE_DMA_BUF_ARM, 0};
    for (const bool by_arm : {false, true}) {
        std::iota(seen, seen + count, 0);
        cl_int code = 1;
        const cl_mem memory =
            by_arm ? clImportMemoryARM(context(), CL_MEM_READ_WRITE, arm, &file, bytes, &code)
                   : clCreateBufferWithProperties(context(), properties, CL_MEM_READ_WRITE, bytes,
                                                  nullptr, &code);
        EXPECT_EQ(code, imports ? CL_SUCCESS : CL_INVALID_VALUE);
        if (!imports)
            continue;
        const cl::Buffer picture(memory);
        const cl_ulong before = copied_bytes();
        square(context, queue, picture, count);
        EXPECT_LT(copied_bytes() - before, bytes / 10) << "more than the code was copied";
        for (size_t i = 0; i < count; ++i)
            ASSERT_EQ(seen[i], static_cast<int>(static_cast<cl_uint>(i * i))) << by_arm;
        seen[7] = -7;
        const cl_ulong by_kernel = copied_bytes();
        EXPECT_EQ(read<int>(picture, 8)[7], -7);
        EXPECT_EQ(copied_bytes() - by_kernel, 8 * sizeof(int)); // copies are counted
    }
    munmap(seen, bytes);
    close(file);
    expect_healthy(); // with the pages that were there before
}

// Contexts that share memory can't reach one another's other buffers.
TEST_F(ExternalMemory, OpensNothingElse) {
    if (!on_qemu())
        GTEST_SKIP() << "loopback isolates nothing";
    const cl::Buffer shared = made(context, exported, 4096);
    const cl::Buffer there = made(other, of(handle_of(shared)).data(), 4096);
    const cl::Buffer own(other, CL_MEM_READ_WRITE, 4096);
    cl::Program program(other, "kernel void tell(global ulong *to, global int *own) {"
                               "    *to = (ulong)own; *own = 42;"
                               "}");
    program.build(device);
    cl::Kernel tell(program, "tell");
    tell.setArg(0, there);
    tell.setArg(1, own);
    other_queue.enqueueNDRangeKernel(tell, {}, cl::NDRange(1));
    other_queue.finish();
    cl::Kernel store = kernel("kernel void test(global ulong *at) { *(global int *)*at = 1; }");
    store.setArg(0, shared);
    EXPECT_LT(status_of([&] { launch(store, 1).wait(); }), 0);
    int value = 0;
    other_queue.enqueueReadBuffer(own, CL_TRUE, 0, 4, &value);
    EXPECT_EQ(value, 42);
    expect_healthy();
}

class ExternalSemaphores : public External {
protected:
    Semaphore made(const cl::Context &in, std::vector<cl_semaphore_properties_khr> more) {
        more.insert(more.begin(), {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR});
        more.push_back(0);
        cl_int code = 1;
        const cl_semaphore_khr semaphore =
            clCreateSemaphoreWithPropertiesKHR(in(), more.data(), &code);
        EXPECT_EQ(code, CL_SUCCESS);
        return {semaphore, clReleaseSemaphoreKHR};
    }
    Semaphore exported(cl_semaphore_properties_khr type) {
        return made(context, {CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, type, 0});
    }
    int handle_of(const Semaphore &semaphore, cl_external_semaphore_handle_type_khr type) {
        int handle = -2;
        size_t bytes = 0;
        EXPECT_EQ(clGetSemaphoreHandleForTypeKHR(semaphore.get(), device(), type, sizeof handle,
                                                 &handle, &bytes),
                  CL_SUCCESS);
        EXPECT_EQ(bytes, sizeof handle);
        return handle;
    }
    static std::vector<cl_semaphore_properties_khr> of(cl_semaphore_properties_khr type,
                                                       int handle) {
        return {type, static_cast<cl_semaphore_properties_khr>(handle)};
    }
    cl::Event enqueue(clEnqueueSignalSemaphoresKHR_fn what, const cl::CommandQueue &by,
                      const Semaphore &semaphore, const cl::Event *before = nullptr) {
        const cl_semaphore_khr handle = semaphore.get();
        const cl_event wait = before ? (*before)() : nullptr;
        cl_event event = nullptr;
        EXPECT_EQ(what(by(), 1, &handle, nullptr, before ? 1 : 0, before ? &wait : nullptr, &event),
                  CL_SUCCESS);
        by.flush();
        return cl::Event(event);
    }
    cl_semaphore_payload_khr payload(const Semaphore &semaphore) {
        cl_semaphore_payload_khr value = 99;
        EXPECT_EQ(clGetSemaphoreInfoKHR(semaphore.get(), CL_SEMAPHORE_PAYLOAD_KHR, sizeof value,
                                        &value, nullptr),
                  CL_SUCCESS);
        return value;
    }
    static constexpr cl_semaphore_properties_khr opaque = CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
                                                 sync = CL_SEMAPHORE_HANDLE_SYNC_FD_KHR;
};

TEST_F(ExternalSemaphores, OrderTheQueuesOfTwoContexts) {
    const Semaphore here = exported(opaque);
    const Semaphore there = made(other, of(opaque, handle_of(here, opaque)));
    for (const bool signal_comes_first : {true, false}) {
        cl::UserEvent gate(context);
        cl::Event waited;
        if (!signal_comes_first)
            waited = enqueue(clEnqueueWaitSemaphoresKHR, other_queue, there);
        const cl::Event signaled = enqueue(clEnqueueSignalSemaphoresKHR, queue, here, &gate);
        if (signal_comes_first)
            waited = enqueue(clEnqueueWaitSemaphoresKHR, other_queue, there);
        EXPECT_EQ(payload(there), 0u);
        EXPECT_GT(execution_status(waited), CL_COMPLETE);
        gate.setStatus(CL_COMPLETE);
        waited.wait();
        EXPECT_EQ(execution_status(signaled), CL_COMPLETE);
        EXPECT_EQ(payload(here), 0u);
    }
    enqueue(clEnqueueSignalSemaphoresKHR, other_queue, there).wait();
    EXPECT_EQ(payload(here), 1u);
    enqueue(clEnqueueWaitSemaphoresKHR, queue, here).wait();
    EXPECT_EQ(payload(there), 0u);
}

TEST_F(ExternalSemaphores, TellOfSignalsThatFail) {
    const Semaphore here = exported(opaque);
    const Semaphore there = made(other, of(opaque, handle_of(here, opaque)));
    cl::UserEvent gate(context);
    const cl::Event waited = enqueue(clEnqueueWaitSemaphoresKHR, other_queue, there);
    enqueue(clEnqueueSignalSemaphoresKHR, queue, here, &gate);
    gate.setStatus(-7);
    EXPECT_EQ(status_of([&] { waited.wait(); }), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    EXPECT_LT(execution_status(waited), 0);
}

TEST_F(ExternalSemaphores, EachWaitTakesOneSignal) {
    const Semaphore here = exported(opaque);
    const Semaphore there = made(other, of(opaque, handle_of(here, opaque)));
    for (int n = 0; n < 3; ++n)
        enqueue(clEnqueueSignalSemaphoresKHR, queue, here).wait();
    for (int n = 0; n < 3; ++n) {
        EXPECT_EQ(payload(there), 1u);
        enqueue(clEnqueueWaitSemaphoresKHR, n % 2 ? queue : other_queue, n % 2 ? here : there)
            .wait();
    }
    EXPECT_EQ(payload(there), 0u);
}

TEST_F(ExternalSemaphores, FailedWaitsTakeNoSignal) {
    const Semaphore here = exported(opaque);
    cl::CommandQueue third(context, device);
    for (const bool signal_comes_first : {true, false}) {
        if (signal_comes_first)
            enqueue(clEnqueueSignalSemaphoresKHR, third, here).wait();
        cl::UserEvent gate(context);
        const cl::Event waited = enqueue(clEnqueueWaitSemaphoresKHR, queue, here, &gate);
        gate.setStatus(-7);
        if (!signal_comes_first)
            enqueue(clEnqueueSignalSemaphoresKHR, third, here).wait();
        EXPECT_EQ(status_of([&] { waited.wait(); }), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        enqueue(clEnqueueWaitSemaphoresKHR, third, here).wait();
        EXPECT_EQ(payload(here), 0u);
    }
}

TEST_F(ExternalSemaphores, WaitForOneAnotherAgainAndAgain) {
    const Semaphore there = exported(opaque), back = exported(opaque);
    const Semaphore there_too = made(other, of(opaque, handle_of(there, opaque)));
    const Semaphore back_too = made(other, of(opaque, handle_of(back, opaque)));
    cl::Event last;
    for (int round = 0; round < 100; ++round) {
        enqueue(clEnqueueSignalSemaphoresKHR, queue, there);
        enqueue(clEnqueueWaitSemaphoresKHR, other_queue, there_too);
        enqueue(clEnqueueSignalSemaphoresKHR, other_queue, back_too);
        last = enqueue(clEnqueueWaitSemaphoresKHR, queue, back);
    }
    last.wait();
    EXPECT_EQ(payload(there) + payload(back), 0u);
}

// The child process has a device of its own.
TEST_F(ExternalSemaphores, ReachOtherProcesses) {
    if (const std::string mine = environment("RIVULET_TEST_SEMAPHORE"); !mine.empty()) {
        const Semaphore parents = made(context, of(opaque, std::stoi(mine)));
        enqueue(clEnqueueSignalSemaphoresKHR, queue, parents).wait();
        return;
    }
    const Semaphore semaphore = exported(opaque);
    const int handle = handle_of(semaphore, opaque);
    fcntl(handle, F_SETFD, 0);
    const cl::Event waited = enqueue(clEnqueueWaitSemaphoresKHR, queue, semaphore);
    EXPECT_GT(execution_status(waited), CL_COMPLETE);
    const std::string setting = "RIVULET_TEST_SEMAPHORE=" + std::to_string(handle);
    std::vector<char *> settings{const_cast<char *>(setting.c_str())};
    for (char **each = environ; *each; ++each)
        settings.push_back(*each);
    settings.push_back(nullptr);
    const char *arguments[] = {"child", "--gtest_filter=ExternalSemaphores.ReachOtherProcesses",
                               "--gtest_brief=1", nullptr};
    pid_t child = 0;
    ASSERT_EQ(posix_spawn(&child, "/proc/self/exe", nullptr, nullptr,
                          const_cast<char **>(arguments), settings.data()),
              0);
    close(handle);
    waited.wait();
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

TEST_F(ExternalSemaphores, GiveSyncFilesOfWhatHasHappened) {
    const Semaphore here = exported(sync);
    enqueue(clEnqueueSignalSemaphoresKHR, queue, here);
    const int handle = handle_of(here, sync);
    EXPECT_EQ(handle, -1) << "a past signal";
    EXPECT_EQ(payload(here), 0u) << "the handle has taken it";
    const Semaphore there = made(other, of(sync, handle));
    EXPECT_EQ(payload(there), 1u);
    enqueue(clEnqueueWaitSemaphoresKHR, other_queue, there).wait();
    EXPECT_EQ(payload(there), 0u);
    EXPECT_EQ(clReImportSemaphoreSyncFdKHR(there.get(), nullptr, -1), CL_SUCCESS);
    enqueue(clEnqueueWaitSemaphoresKHR, other_queue, there).wait();
}

TEST_F(ExternalSemaphores, TellTheTypesOfTheirHandles) {
    using Types = std::vector<cl_external_semaphore_handle_type_khr>;
    for (const cl_device_info name :
         {CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR, CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR})
        EXPECT_EQ(types<cl_external_semaphore_handle_type_khr>(name),
                  (Types{CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR}));
    const Semaphore one = exported(opaque), other_one = made(context, {});
    cl_external_semaphore_handle_type_khr type = 0;
    EXPECT_EQ(clGetSemaphoreInfoKHR(one.get(), CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, sizeof type,
                                    &type, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(type, opaque);
    for (const Semaphore *each : {&one, &other_one}) {
        cl_bool can = 99;
        EXPECT_EQ(clGetSemaphoreInfoKHR(each->get(), CL_SEMAPHORE_EXPORTABLE_KHR, sizeof can, &can,
                                        nullptr),
                  CL_SUCCESS);
        EXPECT_EQ(can, each == &one ? CL_TRUE : CL_FALSE);
    }
}

} // namespace
} // namespace rivulet::test
