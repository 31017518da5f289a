// SPDX-License-Identifier: Apache-2.0
//
// Buffers through the API, on devices that map, don't map, or aren't coherent.
#include <algorithm>
#include <array>
#include <numeric>
#include <random>

#include "host-runtime/tests/opencl_test.h"

namespace rivulet::test {
namespace {

using testing::Each;

class Buffer : public OpenCL {
protected:
    static std::vector<cl_uchar> counting(size_t bytes) {
        std::vector<cl_uchar> values(bytes);
        std::iota(values.begin(), values.end(), cl_uchar{0});
        return values;
    }
};
class Map : public Buffer {};
class Rect : public Buffer {};
class SubBuffer : public Buffer {};

TEST_F(Buffer, ReadsWhatWasWritten) {
    cl_mem buffer = make_buffer(100000);
    const auto values = counting(50001);
    EXPECT_EQ(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 333, values.size(), values.data(), 0,
                                   nullptr, nullptr),
              CL_SUCCESS);
    std::vector<cl_uchar> seen(values.size());
    EXPECT_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 333, seen.size(), seen.data(), 0, nullptr,
                                  nullptr),
              CL_SUCCESS);
    EXPECT_EQ(seen, values);
}

TEST_F(Buffer, CopyAndFillMoveJustTheirRange) {
    cl_mem from = make_buffer(counting(1000));
    cl_mem to = make_buffer(std::vector<cl_uchar>(1000, 0));
    const cl_ushort pattern = 0xabcd;
    EXPECT_EQ(clEnqueueCopyBuffer(queue, from, to, 17, 33, 500, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clEnqueueFillBuffer(queue, to, &pattern, 2, 600, 100, 0, nullptr, nullptr),
              CL_SUCCESS);
    auto expected = std::vector<cl_uchar>(1000, 0);
    const auto source = counting(1000);
    std::copy_n(source.begin() + 17, 500, expected.begin() + 33);
    for (size_t at = 600; at < 700; at += 2)
        std::memcpy(&expected[at], &pattern, 2);
    EXPECT_EQ(contents<cl_uchar>(to), expected);
    EXPECT_EQ(clEnqueueCopyBuffer(queue, to, to, 0, 99, 100, 0, nullptr, nullptr),
              CL_MEM_COPY_OVERLAP);
}

// 5.4.3: regions mapped for writing must not overlap, checked with a model that marks each byte.
TEST_F(Map, ForWritingOnlyWhatIsNotMappedSoAlready) {
    constexpr size_t bytes = 4096;
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    cl_mem buffer = make_buffer(bytes);
    struct Mapped {
        void *pointer;
        size_t offset, size;
    };
    std::vector<Mapped> mapped;
    std::array<bool, bytes> is_mapped{};
    for (int round = 0; round < 3000; ++round) {
        if (!mapped.empty() && random() % 2) {
            std::swap(mapped[random() % mapped.size()], mapped.back());
            const auto [pointer, offset, size] = mapped.back();
            mapped.pop_back();
            ASSERT_EQ(clEnqueueUnmapMemObject(queue, buffer, pointer, 0, nullptr, nullptr),
                      CL_SUCCESS);
            std::fill_n(&is_mapped[offset], size, false);
            continue;
        }
        const size_t size = random() % (random() % 8 ? 32 : 600) + 1;
        const size_t offset = random() % (bytes - size);
        const bool taken =
            std::any_of(&is_mapped[offset], &is_mapped[offset] + size, [](bool is) { return is; });
        cl_int code = CL_SUCCESS;
        void *pointer = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, offset, size, 0,
                                           nullptr, nullptr, &code);
        ASSERT_EQ(code, taken ? CL_INVALID_OPERATION : CL_SUCCESS) << offset << ", " << size;
        if (taken)
            continue;
        std::fill_n(&is_mapped[offset], size, true);
        mapped.push_back({pointer, offset, size});
    }
    cl_uint count = 0;
    EXPECT_EQ(clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, sizeof count, &count, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(count, mapped.size());
    for (const Mapped &left : mapped)
        EXPECT_EQ(clEnqueueUnmapMemObject(queue, buffer, left.pointer, 0, nullptr, nullptr),
                  CL_SUCCESS);
}

TEST_F(Map, PointerShowsWhatTheKernelWroteAndTakesWhatTheHostWrites) {
    cl_mem buffer = make_buffer(std::vector<cl_uint>(1024, 5));
    cl_kernel kernel =
        make_kernel("kernel void test(global uint *data) { data[get_global_id(0)] *= 2; }");
    set(kernel, 0, buffer);
    for (int round = 0; round < 5; ++round) {
        clReleaseEvent(launch(queue, kernel, 1024));
        cl_int code = CL_SUCCESS;
        auto *values = static_cast<cl_uint *>(clEnqueueMapBuffer(queue, buffer, CL_TRUE,
                                                                 CL_MAP_READ | CL_MAP_WRITE, 1000,
                                                                 2000, 0, nullptr, nullptr, &code));
        ASSERT_EQ(code, CL_SUCCESS);
        EXPECT_THAT(std::vector(values, values + 500), Each(10u));
        std::fill_n(values, 500, 5);
        EXPECT_EQ(clEnqueueUnmapMemObject(queue, buffer, values, 0, nullptr, nullptr), CL_SUCCESS);
        const cl_uint five = 5;
        EXPECT_EQ(clEnqueueFillBuffer(queue, buffer, &five, 4, 0, 1000, 0, nullptr, nullptr),
                  CL_SUCCESS);
        EXPECT_EQ(clEnqueueFillBuffer(queue, buffer, &five, 4, 3000, 1096, 0, nullptr, nullptr),
                  CL_SUCCESS);
    }
    EXPECT_THAT(contents<cl_uint>(buffer), Each(5u));
}

TEST_F(Map, OfUseHostPtrIsTheHostPointer) {
    std::vector<cl_uint> memory(1024, 1);
    cl_mem buffer = make_buffer(4096, CL_MEM_USE_HOST_PTR, memory.data());
    cl_kernel kernel =
        make_kernel("kernel void test(global uint *data) { data[get_global_id(0)] += 6; }");
    set(kernel, 0, buffer);
    clReleaseEvent(launch(queue, kernel, 1024));
    void *mapped = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 64, 4032, 0, nullptr,
                                      nullptr, nullptr);
    EXPECT_EQ(mapped, memory.data() + 16);
    EXPECT_EQ(memory[16], 7u);
    EXPECT_EQ(memory[1023], 7u);
    EXPECT_EQ(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

TEST_F(Map, UnmapOfAPointerThatIsNoneIsAnError) {
    cl_mem buffer = make_buffer(4096);
    int other = 0;
    EXPECT_EQ(clEnqueueUnmapMemObject(queue, buffer, &other, 0, nullptr, nullptr),
              CL_INVALID_VALUE);
}

TEST_F(Rect, RandomBoxesGoWhereTheyShould) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const auto pick = [&](size_t below) { return static_cast<size_t>(random()) % below; };
    for (int round = 0; round < 30; ++round) {
        const std::array<size_t, 3> region{pick(20) + 1, pick(9) + 1, pick(4) + 1};
        const size_t row = region[0] + pick(7) + 5;
        const size_t slice = row * (region[1] + pick(3) + 2);
        const std::array<size_t, 3> origin{pick(5), pick(2), pick(2)};
        const size_t bytes = slice * (region[2] + 2);
        const auto source = counting(bytes);
        cl_mem from = make_buffer(source);
        cl_mem to = make_buffer(std::vector<cl_uchar>(bytes, 0));
        const std::array<size_t, 3> zero{};
        EXPECT_EQ(clEnqueueCopyBufferRect(queue, from, to, origin.data(), zero.data(),
                                          region.data(), row, slice, row, slice, 0, nullptr,
                                          nullptr),
                  CL_SUCCESS);
        std::vector<cl_uchar> seen(region[0] * region[1] * region[2]);
        EXPECT_EQ(clEnqueueReadBufferRect(queue, to, CL_TRUE, zero.data(), zero.data(),
                                          region.data(), row, slice, 0, 0, seen.data(), 0, nullptr,
                                          nullptr),
                  CL_SUCCESS);
        size_t at = 0;
        for (size_t z = 0; z < region[2]; ++z)
            for (size_t y = 0; y < region[1]; ++y)
                for (size_t x = 0; x < region[0]; ++x)
                    ASSERT_EQ(
                        seen[at++],
                        source[(z + origin[2]) * slice + (y + origin[1]) * row + x + origin[0]]);
    }
}

TEST_F(SubBuffer, IsAWindowOnItsBuffer) {
    cl_mem buffer = make_buffer(std::vector<cl_uint>(1024, 1));
    cl_buffer_region region{1024, 1024};
    cl_int code = CL_SUCCESS;
    cl_mem window = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    ASSERT_EQ(code, CL_SUCCESS);
    cl_kernel kernel =
        make_kernel("kernel void test(global uint *data) { data[get_global_id(0)] = 9; }");
    set(kernel, 0, window);
    clReleaseEvent(launch(queue, kernel, 256));
    EXPECT_THAT(contents<cl_uint>(window), Each(9u));
    auto expected = std::vector<cl_uint>(1024, 1);
    std::fill_n(expected.begin() + 256, 256, 9);
    EXPECT_EQ(contents<cl_uint>(buffer), expected);
    region.origin = 4;
    clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    EXPECT_EQ(code, CL_MISALIGNED_SUB_BUFFER_OFFSET);
    EXPECT_EQ(clReleaseMemObject(window), CL_SUCCESS);
}

} // namespace
} // namespace rivulet::test
