// SPDX-License-Identifier: Apache-2.0
//
// OpenCL 5.4: mapped memory, without copies where host and device share it.
#include <memory>

#include "on_device.h"

namespace rivulet::test {
namespace {

class Map : public OnDevice {
protected:
    cl::Kernel twice = OnDevice::kernel("kernel void test(global int *v) {"
                                        "    v[get_global_id(0)] *= 2;"
                                        "}");

    int *map(const cl::Buffer &buffer, cl_map_flags flags, size_t first, size_t count) {
        return static_cast<int *>(queue.enqueueMapBuffer(buffer, CL_TRUE, flags,
                                                         first * sizeof(int), count * sizeof(int)));
    }
};

TEST_F(Map, WritesReachTheKernelAndItsResultsReachTheHost) {
    const cl::Buffer values(context, CL_MEM_READ_WRITE, 4000);
    int *written = map(values, CL_MAP_WRITE_INVALIDATE_REGION, 0, 1000);
    std::iota(written, written + 1000, 0);
    queue.enqueueUnmapMemObject(values, written);
    twice.setArg(0, values);
    launch(twice, 1000);
    int *result = map(values, CL_MAP_READ, 0, 1000);
    for (int i = 0; i < 1000; ++i)
        EXPECT_EQ(result[i], 2 * i);
    queue.enqueueUnmapMemObject(values, result);
    queue.finish();
}

TEST_F(Map, NonBlockingReadSeesEarlierWrites) {
    const cl::Buffer values = buffer(iota<int>(1000));
    twice.setArg(0, values);
    launch(twice, 1000);
    cl::Event mapped;
    auto *result = static_cast<int *>(
        queue.enqueueMapBuffer(values, CL_FALSE, CL_MAP_READ, 0, 4000, nullptr, &mapped));
    mapped.wait();
    EXPECT_EQ(result[999], 1998);
    queue.enqueueUnmapMemObject(values, result);
    queue.finish();
}

TEST_F(Map, PartOfABufferIsMappedAtItsPlace) {
    const cl::Buffer values = buffer(iota<int>(100));
    int *part = map(values, CL_MAP_READ | CL_MAP_WRITE, 30, 10);
    EXPECT_EQ(part[0], 30);
    part[9] = -1;
    queue.enqueueUnmapMemObject(values, part);
    EXPECT_EQ(read<int>(values, 40)[39], -1);
}

TEST_F(Map, SharedMemoryIsMappedWithoutCopies) {
    cl_bool unified = CL_FALSE;
    device.getInfo(CL_DEVICE_HOST_UNIFIED_MEMORY, &unified);
    if (!unified)
        GTEST_SKIP() << "this driver can't map";
    const cl::Buffer values = buffer(iota<int>(100000));
    int *first = map(values, CL_MAP_READ, 0, 100000), *second = map(values, CL_MAP_READ, 10, 10);
    EXPECT_EQ(second, first + 10);
    queue.enqueueUnmapMemObject(values, first);
    queue.enqueueUnmapMemObject(values, second);
    EXPECT_EQ(map(values, CL_MAP_READ, 0, 1), first) << "the same memory again";
    queue.enqueueUnmapMemObject(values, first);
    queue.finish();
}

TEST_F(Map, UseHostPointerMapsToThatPointer) {
    struct alignas(4096) Page {
        int values[1024];
    };
    const auto page = std::make_unique<Page>();
    int *const memory = page->values;
    std::iota(memory, memory + 1024, 0);
    {
        const cl::Buffer values(context, CL_MEM_USE_HOST_PTR, size_t{4096}, memory);
        twice.setArg(0, values);
        launch(twice, 1024);
        int *mapped = map(values, CL_MAP_READ, 0, 1024);
        EXPECT_EQ(mapped, memory);
        EXPECT_EQ(memory[1000], 2000);
        queue.enqueueUnmapMemObject(values, mapped);
        queue.finish();
    }
}

TEST_F(Map, UnmappingWhatIsNotMappedIsRefused) {
    const cl::Buffer values = buffer(iota<int>(10));
    int other = 0;
    EXPECT_EQ(status_of([&] { queue.enqueueUnmapMemObject(values, &other); }), CL_INVALID_VALUE);
    EXPECT_EQ(status_of([&] { map(values, CL_MAP_READ, 5, 6); }), CL_INVALID_VALUE);
}

} // namespace
} // namespace rivulet::test
