// SPDX-License-Identifier: Apache-2.0
//
// Memory that a driver adds to the board's own: the second heap has the buffers that don't fit in
// the first, local memory is in the scratchpad. RIVULET_TEST_REGIONS describes them: "SECOND_HEAP
// BYTES SCRATCHPAD BYTES_OF_A_HART", with addresses 0 if unknown.
#include <algorithm>
#include <sstream>

#include "on_device.h"

namespace rivulet::test {
namespace {

class Regions : public OnDevice {
protected:
    cl_ulong second = 0, second_bytes = 0, scratchpad = 0, share = 0, harts = 0;

    void SetUp() override {
        std::istringstream named(environment("RIVULET_TEST_REGIONS"));
        named >> second >> second_bytes >> scratchpad >> share;
        ASSERT_TRUE(named) << "RIVULET_TEST_REGIONS names no regions";
        harts = device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
    }
    [[nodiscard]] bool in_second(cl_ulong address) const { return address - second < second_bytes; }

    static constexpr size_t piece = 2 << 20;
    static constexpr size_t words = piece / sizeof(cl_uint);

    /// Buffers until memory is full.
    [[nodiscard]] std::vector<cl::Buffer> all_of_memory() const {
        std::vector<cl::Buffer> buffers;
        cl_int status = CL_SUCCESS;
        while (status == CL_SUCCESS) {
            cl_mem made = clCreateBuffer(context(), CL_MEM_READ_WRITE, piece, nullptr, &status);
            if (status == CL_SUCCESS)
                buffers.emplace_back(made);
        }
        EXPECT_EQ(status, CL_MEM_OBJECT_ALLOCATION_FAILURE);
        return buffers;
    }
};

constexpr const char *fill = R"(
kernel void test(global uint *to, global ulong *where, uint number) {
    to[get_global_id(0)] = number * 0x9e3779b9u + get_global_id(0);
    if (get_global_id(0) == 0)
        where[number] = (ulong)to;
})";

TEST_F(Regions, BuffersLieInTheSecondHeapOnceTheFirstIsFull) {
    cl::Kernel kernel = OnDevice::kernel(fill);
    const cl::Buffer where = buffer(std::vector<cl_ulong>(4096));
    const std::vector<cl::Buffer> buffers = all_of_memory();
    const auto whole = device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>();
    EXPECT_GT(whole, second_bytes);
    EXPECT_GT(buffers.size() * piece, whole - second_bytes) << "the first has no more";
    EXPECT_GT(buffers.size() * piece, whole / 10 * 8);
    for (cl_uint number = 0; number < buffers.size(); ++number) {
        kernel.setArg(0, buffers[number]);
        kernel.setArg(1, where);
        kernel.setArg(2, number);
        launch(kernel, words);
    }
    for (cl_uint number = 0; number < buffers.size(); ++number) {
        const auto found = read<cl_uint>(buffers[number], words);
        for (const size_t at : {size_t{0}, words / 2, words - 1})
            ASSERT_EQ(found[at], cl_uint(number * 0x9e3779b9u + at)) << "buffer " << number;
    }
    auto addresses = read<cl_ulong>(where, buffers.size());
    if (second != 0) {
        EXPECT_FALSE(in_second(addresses.front()));
        EXPECT_TRUE(in_second(addresses.back()));
        const auto found = std::ranges::count_if(addresses, [&](auto at) { return in_second(at); });
        EXPECT_GE(static_cast<cl_ulong>(found) * piece, second_bytes / 10 * 9);
    }
    // A copy from one heap to the other arrives whole.
    queue.enqueueCopyBuffer(buffers.front(), buffers.back(), 0, 0, piece / 2);
    queue.enqueueCopyBuffer(buffers.back(), buffers.front(), piece / 2, piece / 2, piece / 2);
    EXPECT_EQ(read<cl_uint>(buffers.front(), words), read<cl_uint>(buffers.back(), words));
    std::ranges::sort(addresses);
    for (size_t i = 1; i < addresses.size(); ++i)
        ASSERT_GE(addresses[i] - addresses[i - 1], piece) << "buffers overlap";
    // A mapping of a buffer in the second region shows the same bytes.
    const auto *mapped = static_cast<const cl_uint *>(
        queue.enqueueMapBuffer(buffers.back(), CL_TRUE, CL_MAP_READ, 0, piece));
    EXPECT_EQ(mapped[words - 1], cl_uint((buffers.size() - 1) * 0x9e3779b9u + words - 1));
    queue.enqueueUnmapMemObject(buffers.back(), const_cast<cl_uint *>(mapped));
    queue.finish();
}

TEST_F(Regions, ReleasedMemoryOfBothIsHandedOutAgain) {
    const size_t most = all_of_memory().size();
    EXPECT_EQ(all_of_memory().size(), most);
    expect_healthy();
}

constexpr const char *sum_up = R"(
kernel void test(global ulong *sums, global ulong *where, local uint *pad, uint words) {
    for (uint i = get_local_id(0); i < words; i += get_local_size(0))
        pad[i] = i + get_group_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        ulong sum = 0;
        for (uint i = 0; i < words; ++i)
            sum += pad[i];
        sums[get_group_id(0)] = sum;
        where[get_group_id(0)] = (ulong)pad;
    }
})";

TEST_F(Regions, LocalMemoryIsAShareOfTheScratchpad) {
    ASSERT_EQ(device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>(), share);
    constexpr size_t groups = 32;
    constexpr size_t items = 16;
    const auto pad_words = static_cast<cl_uint>(share / sizeof(cl_uint));
    cl::Kernel kernel = OnDevice::kernel(sum_up);
    const cl::Buffer sums = buffer(std::vector<cl_ulong>(groups));
    const cl::Buffer where = buffer(std::vector<cl_ulong>(groups));
    kernel.setArg(0, sums);
    kernel.setArg(1, where);
    kernel.setArg(2, cl::Local(share));
    kernel.setArg(3, pad_words);
    queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(groups * items), cl::NDRange(items));
    const auto found = read<cl_ulong>(sums, groups);
    const auto addresses = read<cl_ulong>(where, groups);
    for (cl_ulong group = 0; group < groups; ++group) {
        EXPECT_EQ(found[group], cl_ulong{pad_words} * (pad_words - 1) / 2 + group * pad_words);
        if (scratchpad != 0) {
            EXPECT_EQ((addresses[group] - scratchpad) % share, 0u) << addresses[group];
            EXPECT_LT(addresses[group] - scratchpad, harts * share) << addresses[group];
        }
    }
    kernel.setArg(2, cl::Local(share + 1));
    EXPECT_EQ(status_of([&] {
                  queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(items), cl::NDRange(items));
              }),
              CL_OUT_OF_RESOURCES);
}

TEST_F(Regions, KeepContextsApart) {
    if (second == 0)
        GTEST_SKIP() << "the loopback driver doesn't isolate kernels";
    // The buffer takes two thirds of the first region, so that only the second one has room for as
    // much again.
    const auto bytes = (device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>() - second_bytes) / 3 * 2;
    const cl::Context other = context;
    const cl::Buffer first_of_other(other, CL_MEM_READ_WRITE, bytes);
    const cl::Buffer second_of_other(other, CL_MEM_READ_WRITE, second_bytes / 4 * 3);
    context = cl::Context(device);
    queue = cl::CommandQueue(context, device);
    cl::Kernel look = OnDevice::kernel("kernel void test(global uint *out, ulong address) {"
                                       "    *out = *(global uint *)address;"
                                       "}");
    cl::Kernel store = OnDevice::kernel("kernel void test(global uint *out, ulong address) {"
                                        "    *(global uint *)address = 1;"
                                        "}");
    const cl::Buffer out = buffer(std::vector<cl_uint>(1));
    look.setArg(0, out);
    store.setArg(0, out);
    for (const cl_ulong address : {second + second_bytes / 2, scratchpad - 64,
                                   scratchpad + harts * share, scratchpad + 64 * share})
        for (cl::Kernel *kernel : {&look, &store}) {
            kernel->setArg(1, address);
            EXPECT_NE(status_of([&] { launch(*kernel, 1).wait(); }), CL_SUCCESS) << address;
        }
    expect_healthy();
    // The same loads and stores are not faults in the context's own memory.
    cl::Kernel where = OnDevice::kernel("kernel void test(global uint *own, global ulong *out) {"
                                        "    own[0] = 7; *out = (ulong)own;"
                                        "}");
    const cl::Buffer own(context, CL_MEM_READ_WRITE, second_bytes / 8);
    const cl::Buffer at = buffer(std::vector<cl_ulong>(1));
    where.setArg(0, own);
    where.setArg(1, at);
    launch(where, 1).wait();
    look.setArg(1, read<cl_ulong>(at, 1)[0]);
    launch(look, 1).wait();
    EXPECT_EQ(read<cl_uint>(out, 1)[0], 7u);
}

constexpr const char *reach_for = R"(
kernel void test(global uint *out, ulong scratchpad, ulong share, ulong shares, ulong further,
                 volatile local uint *pad) { // which is read through another address space
    *pad = 5;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const ulong at = ((ulong)pad - scratchpad + further * share) % (shares * share);
    *out = *(volatile global uint *)(scratchpad + at);
})";

TEST_F(Regions, KeepSharesOfHartsApart) {
    if (scratchpad == 0)
        GTEST_SKIP() << "the loopback driver doesn't isolate kernels";
    ASSERT_GT(harts, 1u);
    cl::Kernel kernel = OnDevice::kernel(reach_for);
    const cl::Buffer out = buffer(std::vector<cl_uint>(1));
    kernel.setArg(0, out);
    kernel.setArg(1, scratchpad);
    kernel.setArg(2, share);
    kernel.setArg(3, harts);
    kernel.setArg(5, cl::Local(64));
    kernel.setArg(4, cl_ulong{0}); // its own
    launch(kernel, 1).wait();
    EXPECT_EQ(read<cl_uint>(out, 1)[0], 5u);
    for (cl_ulong further = 1; further < harts; ++further) {
        kernel.setArg(4, further);
        EXPECT_NE(status_of([&] { launch(kernel, 1).wait(); }), CL_SUCCESS) << further;
    }
    expect_healthy();
}

} // namespace
} // namespace rivulet::test
