// SPDX-License-Identifier: Apache-2.0
//
// OpenCL 5.2.2 to 5.2.3: reading, writing, copying and filling buffers.
#include "on_device.h"

namespace rivulet::test {
namespace {

using Copy = OnDevice;

TEST_F(Copy, ReadGivesBackWhatWasWritten) {
    for (const size_t bytes : {1u, 3u, 64u, 4096u, 1048583u}) {
        const auto contents = iota<uint8_t>(bytes, 7);
        EXPECT_EQ(read<uint8_t>(buffer(contents), bytes), contents) << bytes << " bytes";
    }
}

TEST_F(Copy, OffsetsOfReadAndWriteAreInBytes) {
    const cl::Buffer target = buffer(std::vector<uint8_t>(100));
    const auto part = iota<uint8_t>(13, 1);
    queue.enqueueWriteBuffer(target, CL_TRUE, 31, part.size(), part.data());
    const auto all = read<uint8_t>(target, 100);
    EXPECT_EQ(std::vector<uint8_t>(all.begin() + 31, all.begin() + 44), part);
    EXPECT_EQ(all[30], 0);
    EXPECT_EQ(all[44], 0);
    uint8_t one = 0;
    queue.enqueueReadBuffer(target, CL_TRUE, 33, 1, &one);
    EXPECT_EQ(one, 3);
}

TEST_F(Copy, CommandsOfAnInOrderQueueSeeEachOther) {
    const cl::Buffer first = buffer(iota<int>(1000)), second = buffer(std::vector<int>(1000));
    const auto other = iota<int>(500, 5000);
    std::vector<int> result(1000);
    queue.enqueueCopyBuffer(first, second, 0, 0, 4000);
    queue.enqueueWriteBuffer(first, CL_FALSE, 0, 2000, other.data());
    queue.enqueueCopyBuffer(first, second, 0, 2000, 2000);
    queue.enqueueReadBuffer(second, CL_FALSE, 0, 4000, result.data());
    queue.finish();
    EXPECT_EQ(result[499], 499);
    EXPECT_EQ(result[500], 5000);
    EXPECT_EQ(result[999], 5499);
}

TEST_F(Copy, CopyWithinABufferMovesWhatDoesNotOverlap) {
    const cl::Buffer target = buffer(iota<int>(100));
    queue.enqueueCopyBuffer(target, target, 0, 200, 200);
    const auto result = read<int>(target, 100);
    EXPECT_EQ(result[50], 0);
    EXPECT_EQ(result[99], 49);
    EXPECT_EQ(status_of([&] { queue.enqueueCopyBuffer(target, target, 0, 100, 200); }),
              CL_MEM_COPY_OVERLAP);
}

TEST_F(Copy, RangesBeyondTheBufferAreRefused) {
    const cl::Buffer target = buffer(std::vector<uint8_t>(100));
    uint8_t bytes[200] = {};
    EXPECT_EQ(status_of([&] { queue.enqueueWriteBuffer(target, CL_TRUE, 50, 51, bytes); }),
              CL_INVALID_VALUE);
    EXPECT_EQ(status_of([&] { queue.enqueueReadBuffer(target, CL_TRUE, 101, 1, bytes); }),
              CL_INVALID_VALUE);
    EXPECT_EQ(status_of([&] { queue.enqueueReadBuffer(target, CL_TRUE, 0, 10, nullptr); }),
              CL_INVALID_VALUE);
    EXPECT_EQ(status_of([&] { queue.enqueueCopyBuffer(target, target, 0, 60, 50); }),
              CL_INVALID_VALUE);
}

TEST_F(Copy, FillRepeatsThePattern) {
    const cl::Buffer target = buffer(std::vector<cl_uint>(64));
    queue.enqueueFillBuffer(target, cl_uint{0xdeadbeef}, 16, 128);
    const auto result = read<cl_uint>(target, 64);
    EXPECT_EQ(result[3], 0u);
    EXPECT_EQ(result[4], 0xdeadbeefu);
    EXPECT_EQ(result[35], 0xdeadbeefu);
    EXPECT_EQ(result[36], 0u);
    const cl_uchar byte = 0x5a;
    queue.enqueueFillBuffer(target, byte, 3, 5);
    EXPECT_EQ(read<cl_uchar>(target, 9), (std::vector<cl_uchar>{0, 0, 0, 90, 90, 90, 90, 90, 0}));
    EXPECT_EQ(status_of([&] { queue.enqueueFillBuffer(target, cl_uint{1}, 2, 8); }),
              CL_INVALID_VALUE)
        << "an offset that is no multiple of the pattern";
}

TEST_F(Copy, RectanglesHaveTheirOwnPitches) {
    constexpr size_t width = 16, height = 8;
    const cl::Buffer target = buffer(iota<uint8_t>(width * height));
    std::vector<uint8_t> window(4 * 3);
    queue.enqueueReadBufferRect(target, CL_TRUE, {5, 2, 0}, {0, 0, 0}, {4, 3, 1}, width, 0, 4, 0,
                                window.data());
    EXPECT_EQ(window[0], 2 * 16 + 5);
    EXPECT_EQ(window[4], 3 * 16 + 5);
    EXPECT_EQ(window[11], 4 * 16 + 8);

    const cl::Buffer other = buffer(std::vector<uint8_t>(width * height));
    queue.enqueueCopyBufferRect(target, other, {1, 1, 0}, {3, 2, 0}, {5, 4, 1}, width, 0, width, 0);
    const auto copied = read<uint8_t>(other, width * height);
    EXPECT_EQ(copied[2 * 16 + 3], 17);
    EXPECT_EQ(copied[5 * 16 + 7], 4 * 16 + 5);
    EXPECT_EQ(copied[5 * 16 + 8], 0);
}

// The rows of one are in the gaps between those of the other, from one slice to the next.
TEST_F(Copy, RectanglesOfOneBufferMayInterleave) {
    const cl::Buffer target = buffer(iota<uint8_t>(128));
    const auto copy = [&](size_t columns) {
        queue.enqueueCopyBufferRect(target, target, {0, 2, 3}, {2, 1, 3}, {columns, 4, 3}, 4, 16, 4,
                                    16);
    };
    copy(1);
    auto expected = iota<uint8_t>(128);
    for (size_t row = 0; row < 12; ++row)
        expected[54 + 4 * row] = uint8_t(56 + 4 * row);
    EXPECT_EQ(read<uint8_t>(target, 128), expected);
    EXPECT_EQ(status_of([&] { copy(3); }), CL_MEM_COPY_OVERLAP);
}

TEST_F(Copy, SubBufferIsAWindowOnItsBuffer) {
    const size_t align = device.getInfo<CL_DEVICE_MEM_BASE_ADDR_ALIGN>() / 8;
    cl::Buffer whole = buffer(iota<uint8_t>(4 * align));
    const cl_buffer_region region{align, align};
    cl::Buffer window =
        whole.createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region);
    EXPECT_EQ(read<uint8_t>(window, 1)[0], uint8_t(align));
    const uint8_t value = 201;
    queue.enqueueWriteBuffer(window, CL_TRUE, 2, 1, &value);
    EXPECT_EQ(read<uint8_t>(whole, 4 * align)[align + 2], 201);
    const cl_buffer_region odd{align + 1, 1};
    EXPECT_EQ(status_of([&] {
                  whole.createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &odd);
              }),
              CL_MISALIGNED_SUB_BUFFER_OFFSET);
}

TEST_F(Copy, CopyHostPointerTakesTheContentsAtOnce) {
    auto contents = iota<int>(100);
    const cl::Buffer target(context, CL_MEM_COPY_HOST_PTR, size_t{400}, contents.data());
    contents.assign(100, -1);
    EXPECT_EQ(read<int>(target, 100), iota<int>(100));
}

TEST_F(Copy, BufferSizesOfNothingAndTooMuchAreRefused) {
    EXPECT_EQ(status_of([&] { cl::Buffer(context, CL_MEM_READ_WRITE, 0); }),
              CL_INVALID_BUFFER_SIZE);
    EXPECT_EQ(status_of([&] {
                  cl::Buffer(context, CL_MEM_READ_WRITE,
                             device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>() + 1);
              }),
              CL_INVALID_BUFFER_SIZE);
}

TEST_F(Copy, MemoryIsGivenBack) {
    const size_t half = device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>() / 2;
    for (int round = 0; round < 16; ++round) {
        const cl::Buffer large(context, CL_MEM_READ_WRITE, half);
        const int value = round;
        queue.enqueueWriteBuffer(large, CL_TRUE, half - 4, 4, &value);
    }
}

} // namespace
} // namespace rivulet::test
