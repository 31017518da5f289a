// SPDX-License-Identifier: Apache-2.0
//
// Pointers that mean the same on host and device: SVM and cl_intel_unified_shared_memory. On
// machines without, that everything says so.
#include <CL/cl_ext.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <memory>

#include "tests/api/on_device.h"

namespace rivulet::test {
namespace {

using testing::Each;

class SharedMemory : public OnDevice {
protected:
    cl_device_svm_capabilities capabilities = device.getInfo<CL_DEVICE_SVM_CAPABILITIES>();

    void SetUp() override {
        if (capabilities == 0)
            GTEST_SKIP() << "the device's addresses are not the host's";
    }

    /// Allocates memory that is freed at the end of the test.
    template <class T> T *allocate(size_t count, cl_svm_mem_flags flags = CL_MEM_READ_WRITE) {
        void *memory = clSVMAlloc(context(), flags, count * sizeof(T), 0);
        EXPECT_NE(memory, nullptr);
        allocations_.emplace_back(
            memory, [context = context](void *pointer) { clSVMFree(context(), pointer); });
        return static_cast<T *>(memory);
    }
    void map(void *memory, size_t bytes, cl_map_flags flags = CL_MAP_READ | CL_MAP_WRITE) {
        EXPECT_EQ(clEnqueueSVMMap(queue(), CL_TRUE, flags, memory, bytes, 0, nullptr, nullptr),
                  CL_SUCCESS);
    }
    void unmap(void *memory) {
        EXPECT_EQ(clEnqueueSVMUnmap(queue(), memory, 0, nullptr, nullptr), CL_SUCCESS);
    }

private:
    std::vector<std::unique_ptr<void, std::function<void(void *)>>> allocations_;
};

struct Node {
    Node *next;
    cl_ulong value;
};
constexpr const char *list_source = R"(
    typedef struct Node { global struct Node *next; ulong value; } Node;
    kernel void sum(global Node *node, global ulong *out) {
        ulong total = 0;
        for (; node; node = node->next)
            total += node->value;
        *out = total;
    }
    kernel void build(global Node *nodes, uint count) {
        for (uint i = 0; i < count; ++i) {
            nodes[i].next = i + 1 < count ? &nodes[i + 1] : 0;
            nodes[i].value = 3 * i;
        }
    }
)";

TEST_F(SharedMemory, DeviceWalksAListOfTheHostsAndTheHostOneOfTheDevices) {
    constexpr cl_uint count = 100;
    const cl::Program program = build(list_source);
    cl::Kernel sum(program, "sum");
    cl::Kernel make(program, "build");
    std::array<Node *, count> nodes{}; // separate allocations
    for (Node *&node : nodes)
        node = allocate<Node>(1);
    auto *total = allocate<cl_ulong>(1);
    for (cl_uint i = 0; i < count; ++i) {
        map(nodes[i], sizeof(Node), CL_MAP_WRITE_INVALIDATE_REGION);
        *nodes[i] = {i + 1 < count ? nodes[i + 1] : nullptr, i};
        unmap(nodes[i]);
    }
    EXPECT_EQ(clSetKernelArgSVMPointer(sum(), 0, nodes[0]), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArgSVMPointer(sum(), 1, total), CL_SUCCESS);
    EXPECT_EQ(clSetKernelExecInfo(sum(), CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof nodes, nodes.data()),
              CL_SUCCESS);
    launch(sum, 1);
    map(total, sizeof *total, CL_MAP_READ);
    EXPECT_EQ(*total, count * (count - 1) / 2);
    unmap(total);

    auto *built = allocate<Node>(count);
    EXPECT_EQ(clSetKernelArgSVMPointer(make(), 0, built), CL_SUCCESS);
    make.setArg(1, count);
    launch(make, 1);
    map(built, count * sizeof(Node), CL_MAP_READ);
    cl_ulong seen = 0;
    for (const Node *node = built; node; node = node->next)
        seen += node->value;
    EXPECT_EQ(seen, 3 * count * (count - 1) / 2);
    unmap(built);
    queue.finish();
}

TEST_F(SharedMemory, AtomicsOfHostAndKernelMissNoIncrement) {
    if (!(capabilities & CL_DEVICE_SVM_ATOMICS))
        GTEST_SKIP() << "no atomics between host and device";
    constexpr cl_uint items = 2000;
    auto *counter =
        new (allocate<std::atomic<cl_uint>>(1, CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS))
            std::atomic<cl_uint>(0);
    cl::Kernel add = kernel("kernel void test(volatile global uint *counter) {"
                            "    for (int i = 0; i < 50; ++i) atomic_inc(counter);"
                            "}");
    EXPECT_EQ(clSetKernelArgSVMPointer(add(), 0, counter), CL_SUCCESS);
    const cl::Event event = launch(add, items);
    queue.flush();
    cl_uint own = 0;
    for (; execution_status(event) > CL_COMPLETE; ++own)
        counter->fetch_add(1);
    EXPECT_EQ(counter->load(), 50 * items + own);
}

// Those between kernels, which the device does once the code for it is loaded: in later rounds.
TEST_F(SharedMemory, CopiesAndFillsBetweenKernelsKeepTheirOrder) {
    constexpr size_t count = 1000;
    auto *memory = allocate<cl_uint>(3 * count);
    std::vector<cl_uint> own(count, 77);
    cl::Kernel add = kernel("kernel void test(global uint *data) { data[get_global_id(0)] += 1; }");
    EXPECT_EQ(clSetKernelArgSVMPointer(add(), 0, memory), CL_SUCCESS);
    for (cl_uint round = 0; round < 50; ++round) {
        cl::UserEvent gate(context);
        const std::vector<cl::Event> waits{gate};
        launch(add, 1, &waits);
        EXPECT_EQ(clEnqueueSVMMemFill(queue(), memory, &round, 4, count * 4, 0, nullptr, nullptr),
                  CL_SUCCESS);
        launch(add, count);
        EXPECT_EQ(clEnqueueSVMMemcpy(queue(), CL_FALSE, memory + count + 3, memory, count * 4 - 12,
                                     0, nullptr, nullptr),
                  CL_SUCCESS);
        launch(add, count);
        EXPECT_EQ(clEnqueueSVMMemcpy(queue(), CL_FALSE, memory + 2 * count, own.data(), count * 4,
                                     0, nullptr, nullptr),
                  CL_SUCCESS); // from memory that the host alone has
        launch(add, 1);
        gate.setStatus(CL_COMPLETE);
        map(memory, 3 * count * 4, CL_MAP_READ);
        ASSERT_EQ(memory[0], round + 3);
        ASSERT_THAT(std::vector(memory + 1, memory + count), Each(round + 2));
        ASSERT_THAT(std::vector(memory + count + 3, memory + 2 * count), Each(round + 1));
        ASSERT_THAT(std::vector(memory + 2 * count, memory + 3 * count), Each(77u));
        unmap(memory);
    }
}

TEST_F(SharedMemory, CopiesAndFillsKeepTheOrderOfTheQueue) {
    constexpr size_t count = 50000;
    auto *memory = allocate<cl_uint>(count);
    const cl_uint one = 1;
    EXPECT_EQ(clEnqueueSVMMemFill(queue(), memory, &one, 4, count * 4, 0, nullptr, nullptr),
              CL_SUCCESS);
    cl::Kernel twice =
        kernel("kernel void test(global uint *data) { data[get_global_id(0)] *= 2; }");
    EXPECT_EQ(clSetKernelArgSVMPointer(twice(), 0, memory + 10), CL_SUCCESS);
    launch(twice, count - 10);
    std::vector<cl_uint> seen(count);
    EXPECT_EQ(
        clEnqueueSVMMemcpy(queue(), CL_TRUE, seen.data(), memory, count * 4, 0, nullptr, nullptr),
        CL_SUCCESS);
    EXPECT_THAT(std::vector(seen.begin(), seen.begin() + 10), Each(1u));
    EXPECT_THAT(std::vector(seen.begin() + 10, seen.end()), Each(2u));
    EXPECT_EQ(clEnqueueSVMMemcpy(queue(), CL_FALSE, memory, memory + 100, 400, 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(clEnqueueSVMMemcpy(queue(), CL_FALSE, memory, memory + 99, 400, 0, nullptr, nullptr),
              CL_MEM_COPY_OVERLAP);
    const void *pointers[] = {memory, memory + 7};
    EXPECT_EQ(clEnqueueSVMMigrateMem(queue(), 2, pointers, nullptr, 0, 0, nullptr, nullptr),
              CL_SUCCESS);
    const size_t too_long[] = {4, count * 4};
    EXPECT_EQ(clEnqueueSVMMigrateMem(queue(), 2, pointers, too_long, 0, 0, nullptr, nullptr),
              CL_INVALID_VALUE);
    queue.finish();
}

// The pointer doesn't point to the memory's beginning; all work-items or some go through it, in any
// order.
TEST_F(SharedMemory, KernelsReachWhatLiesBeforeTheirPointer) {
    constexpr cl_int count = 300;
    auto *from = allocate<cl_int>(2 * count), *to = allocate<cl_int>(2 * count);
    auto *indices = allocate<cl_int>(count);
    map(from, 2 * count * sizeof *from);
    map(to, 2 * count * sizeof *to);
    map(indices, count * sizeof *indices);
    for (cl_int i = 0; i < 2 * count; ++i)
        from[i] = 7 * i;
    for (cl_int i = 0; i < count; ++i)
        indices[i] = i * 89 % count - count / 2;
    const auto expect = [&](const char *source, const std::function<void(cl_int *)> &same) {
        SCOPED_TRACE(source);
        std::fill(to, to + 2 * count, -1);
        std::vector<cl_int> expected(to, to + 2 * count);
        same(expected.data() + count);
        for (cl_int *memory : {from, to, indices})
            unmap(memory);
        cl::Kernel kernel(build(std::string("kernel void test(global const int *from, "
                                            "global int *to, global const int *at) {"
                                            "int i = get_global_id(0);") +
                                source + "}"),
                          "test");
        ASSERT_EQ(clSetKernelArgSVMPointer(kernel(), 0, from + count), CL_SUCCESS);
        ASSERT_EQ(clSetKernelArgSVMPointer(kernel(), 1, to + count), CL_SUCCESS);
        ASSERT_EQ(clSetKernelArgSVMPointer(kernel(), 2, indices), CL_SUCCESS);
        queue.enqueueNDRangeKernel(kernel, cl::NullRange, count);
        map(from, 2 * count * sizeof *from);
        map(to, 2 * count * sizeof *to);
        map(indices, count * sizeof *indices);
        EXPECT_TRUE(std::equal(expected.begin(), expected.end(), to));
    };
    expect("to[at[i]] = from[at[i]] - from[at[i] + 1];", [&](cl_int *to) {
        for (cl_int i = 0; i < count; ++i)
            to[indices[i]] = -7;
    });
    expect("if (at[i] & 1) to[150 - i] = from[298 - 2 * i];", [&](cl_int *to) {
        for (cl_int i = 0; i < count; ++i)
            if (indices[i] & 1)
                to[150 - i] = from[count + 298 - 2 * i];
    });
    expect("for (int k = -(at[i] & 31); k < 0; ++k) to[i - 200] ^= from[k + at[i]];",
           [&](cl_int *to) {
               for (cl_int i = 0; i < count; ++i)
                   for (cl_int k = -(indices[i] & 31); k < 0; ++k)
                       to[i - 200] ^= from[count + k + indices[i]];
           });
    expect("int s = 0; for (int k = at[i]; k < at[i] + (i & 7); ++k) s += from[at[k & 255] - 3];"
           "to[at[i]] = s;",
           [&](cl_int *to) {
               for (cl_int i = 0; i < count; ++i) {
                   to[indices[i]] = 0;
                   for (cl_int k = indices[i]; k < indices[i] + (i & 7); ++k)
                       to[indices[i]] += from[count + indices[k & 255] - 3];
               }
           });
    expect("atomic_add(to + at[i], i);", [&](cl_int *to) {
        for (cl_int i = 0; i < count; ++i)
            to[indices[i]] += i;
    });
    unmap(from);
    unmap(to);
    unmap(indices);
}

TEST_F(SharedMemory, FreeIsACommandAndMayBeTheApplications) {
    static std::vector<void *> freed;
    freed.clear();
    void *first = clSVMAlloc(context(), CL_MEM_READ_WRITE, 1000, 256);
    void *second = clSVMAlloc(context(), CL_MEM_READ_WRITE, 1000, 0);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(first) % 256, 0u);
    cl::UserEvent gate(context);
    const cl_event wait = gate();
    cl_event event = nullptr;
    const auto callback = [](cl_command_queue, cl_uint count, void *pointers[], void *user) {
        freed.assign(pointers, pointers + count);
        for (void *pointer : freed)
            clSVMFree(static_cast<cl_context>(user), pointer);
    };
    void *pointers[] = {first, second};
    EXPECT_EQ(clEnqueueSVMFree(queue(), 2, pointers, callback, context(), 1, &wait, &event),
              CL_SUCCESS);
    pointers[0] = nullptr; // a copy was taken
    gate.setStatus(CL_COMPLETE);
    EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
    EXPECT_EQ(cl::Event(event).getInfo<CL_EVENT_COMMAND_TYPE>(),
              cl_command_type{CL_COMMAND_SVM_FREE});
    EXPECT_EQ(freed, (std::vector<void *>{first, second}));
    EXPECT_EQ(clEnqueueSVMFree(queue(), 1, nullptr, nullptr, nullptr, 0, nullptr, nullptr),
              CL_INVALID_VALUE);
}

TEST_F(SharedMemory, BufferOnItIsTheSameMemory) {
    auto *memory = allocate<cl_uint>(1000);
    const cl::Buffer buffer(context, cl_mem_flags{CL_MEM_USE_HOST_PTR}, 4000, memory);
    EXPECT_EQ(buffer.getInfo<CL_MEM_USES_SVM_POINTER>(), cl_bool{CL_TRUE});
    cl::Kernel iota = kernel(
        "kernel void test(global uint *data) { data[get_global_id(0)] = get_global_id(0); }");
    iota.setArg(0, buffer);
    launch(iota, 1000);
    void *mapped = queue.enqueueMapBuffer(buffer, CL_TRUE, CL_MAP_READ, 40, 3960);
    EXPECT_EQ(mapped, memory + 10);
    EXPECT_EQ(memory[999], 999u);
    queue.enqueueUnmapMemObject(buffer, mapped);
    EXPECT_EQ(read<cl_uint>(buffer, 1000), test::iota<cl_uint>(1000));
    EXPECT_EQ(
        status_of([&] { cl::Buffer(context, cl_mem_flags{CL_MEM_USE_HOST_PTR}, 4001, memory); }),
        CL_INVALID_BUFFER_SIZE);
}

TEST_F(SharedMemory, BadArgumentsGiveTheSpecificationsErrors) {
    const cl_context c = context();
    EXPECT_EQ(clSVMAlloc(c, CL_MEM_READ_WRITE | CL_MEM_READ_ONLY, 64, 0), nullptr);
    EXPECT_EQ(clSVMAlloc(c, CL_MEM_COPY_HOST_PTR, 64, 0), nullptr);
    EXPECT_EQ(clSVMAlloc(c, CL_MEM_SVM_ATOMICS, 64, 0), nullptr);
    EXPECT_EQ(clSVMAlloc(c, CL_MEM_READ_WRITE, 0, 0), nullptr);
    EXPECT_EQ(clSVMAlloc(c, CL_MEM_READ_WRITE, 64, 3), nullptr);
    EXPECT_EQ(
        clSVMAlloc(c, CL_MEM_READ_WRITE, device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>() + 1, 0),
        nullptr);
    EXPECT_EQ(clSVMAlloc(nullptr, CL_MEM_READ_WRITE, 64, 0), nullptr);
    auto *memory = allocate<cl_uint>(64);
    const cl_command_queue q = queue();
    const cl_uint pattern = 0;
    EXPECT_EQ(clEnqueueSVMMap(q, CL_TRUE, CL_MAP_READ, nullptr, 4, 0, nullptr, nullptr),
              CL_INVALID_VALUE);
    EXPECT_EQ(clEnqueueSVMMap(q, CL_TRUE, CL_MAP_READ, memory, 0, 0, nullptr, nullptr),
              CL_INVALID_VALUE);
    EXPECT_EQ(clEnqueueSVMMap(q, CL_TRUE, 64, memory, 4, 0, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clEnqueueSVMUnmap(q, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clEnqueueSVMUnmap(q, memory, 1, nullptr, nullptr), CL_INVALID_EVENT_WAIT_LIST);
    EXPECT_EQ(clEnqueueSVMMemFill(q, memory, &pattern, 3, 12, 0, nullptr, nullptr),
              CL_INVALID_VALUE);
    EXPECT_EQ(clEnqueueSVMMemFill(q, memory, &pattern, 4, 5, 0, nullptr, nullptr),
              CL_INVALID_VALUE);
    EXPECT_EQ(clEnqueueSVMMemFill(q, reinterpret_cast<char *>(memory) + 1, &pattern, 4, 4, 0,
                                  nullptr, nullptr),
              CL_INVALID_VALUE);
    EXPECT_EQ(clEnqueueSVMMemcpy(q, CL_TRUE, memory, nullptr, 4, 0, nullptr, nullptr),
              CL_INVALID_VALUE);
    cl::Kernel k = kernel("kernel void test(global uint *data, uint value) { *data = value; }");
    EXPECT_EQ(clSetKernelArgSVMPointer(k(), 2, memory), CL_INVALID_ARG_INDEX);
    EXPECT_EQ(clSetKernelArgSVMPointer(k(), 1, memory), CL_INVALID_ARG_VALUE);
    const cl_bool yes = CL_TRUE;
    EXPECT_EQ(clSetKernelExecInfo(k(), CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes),
              CL_INVALID_OPERATION);
    EXPECT_EQ(clSetKernelExecInfo(k(), CL_KERNEL_EXEC_INFO_SVM_PTRS, 3, &memory), CL_INVALID_VALUE);
    EXPECT_EQ(clSetKernelExecInfo(k(), 0, sizeof yes, &yes), CL_INVALID_VALUE);
}

class UnifiedMemory : public SharedMemory {
protected:
    template <class T> T info(const void *pointer, cl_mem_info_intel name) {
        T value{};
        EXPECT_EQ(EXTENSION(clGetMemAllocInfoINTEL)(context(), pointer, name, sizeof value, &value,
                                                    nullptr),
                  CL_SUCCESS);
        return value;
    }
    cl_int release(void *pointer) { return EXTENSION(clMemBlockingFreeINTEL)(context(), pointer); }
};

TEST_F(UnifiedMemory, AllocationsTellWhatTheyAre) {
    cl_int code = 1;
    auto *host =
        static_cast<char *>(EXTENSION(clHostMemAllocINTEL)(context(), nullptr, 1000, 0, &code));
    EXPECT_EQ(code, CL_SUCCESS);
    const cl_mem_properties_intel properties[] = {CL_MEM_ALLOC_FLAGS_INTEL,
                                                  CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL, 0};
    void *shared =
        EXTENSION(clSharedMemAllocINTEL)(context(), device(), properties, 1000, 64, &code);
    EXPECT_EQ(code, CL_SUCCESS);
    void *own = EXTENSION(clDeviceMemAllocINTEL)(context(), device(), nullptr, 1000, 0, &code);
    EXPECT_EQ(code, CL_SUCCESS);
    EXPECT_EQ(info<cl_uint>(host + 10, CL_MEM_ALLOC_TYPE_INTEL), cl_uint{CL_MEM_TYPE_HOST_INTEL});
    EXPECT_EQ(info<void *>(host + 10, CL_MEM_ALLOC_BASE_PTR_INTEL), host);
    EXPECT_EQ(info<size_t>(host + 10, CL_MEM_ALLOC_SIZE_INTEL), 1000u);
    EXPECT_EQ(info<cl_device_id>(host, CL_MEM_ALLOC_DEVICE_INTEL), nullptr);
    EXPECT_EQ(info<cl_device_id>(own, CL_MEM_ALLOC_DEVICE_INTEL), device());
    EXPECT_EQ(info<cl_mem_alloc_flags_intel>(shared, CL_MEM_ALLOC_FLAGS_INTEL), properties[1]);
    int elsewhere = 0;
    EXPECT_EQ(info<cl_uint>(&elsewhere, CL_MEM_ALLOC_TYPE_INTEL),
              cl_uint{CL_MEM_TYPE_UNKNOWN_INTEL});
    EXPECT_EQ(EXTENSION(clGetMemAllocInfoINTEL)(context(), host, 0, 0, nullptr, nullptr),
              CL_INVALID_VALUE);
    EXPECT_EQ(release(host + 1), CL_INVALID_VALUE);
    for (void *pointer : {static_cast<void *>(host), shared, own, static_cast<void *>(nullptr)})
        EXPECT_EQ(release(pointer), CL_SUCCESS);
    EXPECT_EQ(release(host), CL_INVALID_VALUE);
}

TEST_F(UnifiedMemory, KernelsWorkOnAllKindsAndBlockingFreeWaitsForThem) {
    constexpr size_t count = 1000;
    auto *host = static_cast<cl_uint *>(
        EXTENSION(clHostMemAllocINTEL)(context(), nullptr, count * 4, 0, nullptr));
    void *own =
        EXTENSION(clDeviceMemAllocINTEL)(context(), device(), nullptr, count * 4, 0, nullptr);
    ASSERT_TRUE(host && own);
    const cl_uchar ones = 1;
    EXPECT_EQ(
        EXTENSION(clEnqueueMemFillINTEL)(queue(), own, &ones, 1, count * 4, 0, nullptr, nullptr),
        CL_SUCCESS);
    cl::Kernel add = kernel("kernel void test(global uint *to, global const uint *from) {"
                            "    to[get_global_id(0)] = from[get_global_id(0)] + 1;"
                            "}");
    EXPECT_EQ(EXTENSION(clSetKernelArgMemPointerINTEL)(add(), 0, host), CL_SUCCESS);
    EXPECT_EQ(EXTENSION(clSetKernelArgMemPointerINTEL)(add(), 1, own), CL_SUCCESS);
    const cl::Event event = launch(add, count);
    std::vector<cl_uint> seen(count);
    EXPECT_EQ(EXTENSION(clEnqueueMemcpyINTEL)(queue(), CL_FALSE, seen.data(), host, count * 4, 0,
                                              nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(EXTENSION(clEnqueueMigrateMemINTEL)(queue(), own, count, 0, 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(EXTENSION(clEnqueueMemAdviseINTEL)(queue(), own, count, 0, 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(release(own), CL_SUCCESS);
    EXPECT_EQ(execution_status(event), CL_COMPLETE);
    EXPECT_THAT(seen, Each(0x01010102u));
    EXPECT_EQ(host[count - 1], 0x01010102u);
    EXPECT_EQ(release(host), CL_SUCCESS);
}

TEST_F(UnifiedMemory, BadArgumentsGiveTheExtensionsErrors) {
    const auto error = [&](cl_uint alignment, size_t size, const cl_mem_properties_intel *list) {
        cl_int code = CL_SUCCESS;
        EXPECT_EQ(
            EXTENSION(clDeviceMemAllocINTEL)(context(), device(), list, size, alignment, &code),
            nullptr);
        return code;
    };
    EXPECT_EQ(error(3, 64, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(error(0, 0, nullptr), CL_INVALID_BUFFER_SIZE);
    const cl_mem_properties_intel unknown[] = {1, 2, 0};
    EXPECT_EQ(error(0, 64, unknown), CL_INVALID_PROPERTY);
    const cl_mem_properties_intel placed[] = {CL_MEM_ALLOC_FLAGS_INTEL,
                                              CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL, 0};
    EXPECT_EQ(error(0, 64, placed), CL_INVALID_PROPERTY);
    cl_int code = CL_SUCCESS;
    EXPECT_EQ(EXTENSION(clDeviceMemAllocINTEL)(context(), nullptr, nullptr, 64, 0, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_DEVICE);
    EXPECT_EQ(EXTENSION(clHostMemAllocINTEL)(nullptr, nullptr, 64, 0, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_CONTEXT);
    int value = 0;
    EXPECT_EQ(
        EXTENSION(clEnqueueMemcpyINTEL)(queue(), CL_TRUE, &value, nullptr, 4, 0, nullptr, nullptr),
        CL_INVALID_VALUE);
    EXPECT_EQ(EXTENSION(clEnqueueMemAdviseINTEL)(queue(), &value, 4, 77, 0, nullptr, nullptr),
              CL_INVALID_VALUE);
}

/// Every machine keeps what the queries promise.
class SharedMemoryPromise : public SharedMemory {
    void SetUp() override {}
};

TEST_F(SharedMemoryPromise, QueriesAndCallsAgree) {
    const std::string machine = environment("RIVULET_MACHINE") + environment("RIVULET_DRIVER");
    const bool same_addresses =
        machine.find("unmapped") == machine.npos && machine.find("noncoherent") == machine.npos;
    if (capabilities && !same_addresses)
        ADD_FAILURE() << "SVM on a device that has other addresses";
    void *memory = clSVMAlloc(context(), CL_MEM_READ_WRITE, 64, 0);
    EXPECT_EQ(memory != nullptr, capabilities != 0);
    clSVMFree(context(), memory);
    if (counts_instructions() || machine.find("harts=1") != machine.npos)
        EXPECT_FALSE(capabilities & CL_DEVICE_SVM_ATOMICS) << "QEMU's are not exact there";
    const auto extensions = device.getInfo<CL_DEVICE_EXTENSIONS>();
    EXPECT_EQ(extensions.find("cl_intel_unified_shared_memory") != extensions.npos,
              capabilities != 0);
    cl_bitfield usm = 0;
    EXPECT_EQ(clGetDeviceInfo(device(), CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL, sizeof usm, &usm,
                              nullptr),
              CL_SUCCESS);
    EXPECT_EQ(usm != 0, capabilities != 0);
    if (capabilities)
        return;
    int value = 0;
    EXPECT_EQ(clEnqueueSVMMemcpy(queue(), CL_TRUE, &value, &value + 1, 4, 0, nullptr, nullptr),
              CL_INVALID_OPERATION);
    cl_int code = CL_SUCCESS;
    EXPECT_EQ(EXTENSION(clHostMemAllocINTEL)(context(), nullptr, 64, 0, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_OPERATION);
}

} // namespace
} // namespace rivulet::test
