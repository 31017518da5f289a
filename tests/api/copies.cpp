// SPDX-License-Identifier: Apache-2.0
//
// OpenCL 5.2.2 to 5.2.3: reading, writing, copying and filling buffers.
#include <chrono>
#include <random>
#include <thread>

#include "on_device.h"
// This header comes last, because it uses the API version set by those before it.
#include "host-runtime/include/CL/cl_ext_rivulet.h"

namespace rivulet::test {
namespace {

class Copy : public OnDevice {
protected:
    static constexpr const char *increment = "kernel void test(global uchar *data) {"
                                             "    data[get_global_id(0)] += 3;"
                                             "}";

    /// What the host has copied to and from the device.
    [[nodiscard]] cl_ulong copied() const {
        cl_ulong bytes = 0;
        EXPECT_EQ(clGetDeviceInfo(device(), CL_DEVICE_COPIED_BYTES_RIVULET, sizeof bytes, &bytes,
                                  nullptr),
                  CL_SUCCESS);
        return bytes;
    }
    /// Bytes that the host copies for what `enqueue` puts into the queue between two kernels, none
    /// of which runs before all of it is there.
    template <class Enqueue> cl_ulong copied_between(const cl::Kernel &kernel, Enqueue enqueue) {
        cl::UserEvent gate(context);
        const std::vector<cl::Event> waits{gate};
        const cl_ulong before = copied();
        launch(kernel, 1, &waits);
        enqueue();
        launch(kernel, 1);
        gate.setStatus(CL_COMPLETE);
        queue.finish();
        return copied() - before;
    }
    /// The first fill between kernels has the code for that loaded, in the background.
    void expect_fills_on_device(const cl::Kernel &kernel, const cl::Buffer &target) {
        const auto fill = [&] { queue.enqueueFillBuffer(target, cl_uchar{0}, 0, 64); };
        const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (copied_between(kernel, fill) != 0) {
            ASSERT_LT(std::chrono::steady_clock::now(), patience)
                << "the host still fills memory between two kernels";
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }
};

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

TEST_F(Copy, BetweenKernelsTheDeviceFillsAndCopies) {
    const cl::Buffer first = buffer(iota<uint8_t>(4096)), second = buffer(iota<uint8_t>(4096));
    cl::Kernel kernel = this->kernel(increment);
    kernel.setArg(0, first);
    ASSERT_NO_FATAL_FAILURE(expect_fills_on_device(kernel, second));
    cl::Event filled, copied;
    EXPECT_EQ(
        copied_between(kernel,
                       [&] {
                           queue.enqueueFillBuffer(first, cl_uchar{5}, 0, 100, nullptr, &filled);
                           launch(kernel, 100);
                           queue.enqueueCopyBuffer(first, second, 0, 7, 100, nullptr, &copied);
                       }),
        0u);
    EXPECT_EQ(filled.getInfo<CL_EVENT_COMMAND_TYPE>(), cl_command_type{CL_COMMAND_FILL_BUFFER});
    EXPECT_EQ(copied.getInfo<CL_EVENT_COMMAND_TYPE>(), cl_command_type{CL_COMMAND_COPY_BUFFER});
    const auto time = [](const cl::Event &event, cl_profiling_info point) {
        cl_ulong value = 0;
        EXPECT_EQ(clGetEventProfilingInfo(event(), point, sizeof value, &value, nullptr),
                  CL_SUCCESS);
        return value;
    };
    EXPECT_LE(time(filled, CL_PROFILING_COMMAND_SUBMIT), time(filled, CL_PROFILING_COMMAND_START));
    EXPECT_LE(time(filled, CL_PROFILING_COMMAND_START), time(filled, CL_PROFILING_COMMAND_END));
    EXPECT_LE(time(filled, CL_PROFILING_COMMAND_END), time(copied, CL_PROFILING_COMMAND_START));
    cl_ulong harts = 0; // it is no kernel, whatever runs it
    EXPECT_EQ(clGetEventProfilingInfo(filled(), CL_PROFILING_COMMAND_HARTS_RIVULET, sizeof harts,
                                      &harts, nullptr),
              CL_PROFILING_INFO_NOT_AVAILABLE);
    const auto result = read<uint8_t>(second, 4096);
    EXPECT_EQ(result[6], 0);
    EXPECT_EQ(std::vector<uint8_t>(result.begin() + 7, result.begin() + 107),
              std::vector<uint8_t>(100, 8));
    EXPECT_EQ(result[107], uint8_t(107));
    EXPECT_EQ(read<uint8_t>(first, 1)[0], 11);
}

// On an in-order queue they order nothing that isn't in order without them.
TEST_F(Copy, BetweenKernelsBarriersAndMarkersKeepNothingOnTheHost) {
    const cl::Buffer first = buffer(iota<uint8_t>(64)), second = buffer(iota<uint8_t>(64));
    cl::Kernel kernel = this->kernel(increment);
    kernel.setArg(0, first);
    ASSERT_NO_FATAL_FAILURE(expect_fills_on_device(kernel, second));
    cl::Event marker;
    EXPECT_EQ(copied_between(kernel,
                             [&] {
                                 queue.enqueueBarrierWithWaitList();
                                 queue.enqueueFillBuffer(first, cl_uchar{5}, 0, 64);
                                 queue.enqueueMarkerWithWaitList(nullptr, &marker);
                                 queue.enqueueCopyBuffer(first, second, 0, 0, 64);
                                 queue.enqueueBarrierWithWaitList();
                             }),
              0u);
    EXPECT_EQ(execution_status(marker), CL_COMPLETE);
    EXPECT_EQ(read<uint8_t>(second, 64), std::vector<uint8_t>(64, 5));
}

TEST_F(Copy, BetweenKernelsARowMayCrossQueues) {
    const cl::Buffer first = buffer(iota<uint8_t>(64)), second = buffer(iota<uint8_t>(64));
    cl::Kernel kernel = this->kernel(increment);
    kernel.setArg(0, first);
    ASSERT_NO_FATAL_FAILURE(expect_fills_on_device(kernel, second));
    const cl::CommandQueue other(context, device);
    EXPECT_EQ(
        copied_between(kernel,
                       [&] {
                           std::vector<cl::Event> filled(1), copied(1);
                           queue.enqueueFillBuffer(first, cl_uchar{5}, 0, 64, nullptr, &filled[0]);
                           other.enqueueCopyBuffer(first, second, 0, 0, 64, &filled, &copied[0]);
                           launch(kernel, 64, &copied);
                       }),
        0u);
    EXPECT_EQ(read<uint8_t>(second, 64), std::vector<uint8_t>(64, 5));
    EXPECT_EQ(read<uint8_t>(first, 2), (std::vector<uint8_t>{11, 8}));
}

// What the host does at no risk: much, and what no kernel waits for.
TEST_F(Copy, LargeOnesAndThoseAtTheEndStayOnTheHost) {
    constexpr size_t large = 1 << 20;
    const cl::Buffer target = buffer(std::vector<uint8_t>(large));
    cl::Kernel kernel = this->kernel(increment);
    kernel.setArg(0, target);
    ASSERT_NO_FATAL_FAILURE(expect_fills_on_device(kernel, target));
    EXPECT_GE(
        copied_between(kernel, [&] { queue.enqueueFillBuffer(target, cl_uchar{1}, 0, large); }),
        large);
    cl::UserEvent gate(context);
    const std::vector<cl::Event> waits{gate};
    const cl_ulong before = copied();
    launch(kernel, 1, &waits);
    queue.enqueueFillBuffer(target, cl_uchar{2}, 0, 64);
    gate.setStatus(CL_COMPLETE);
    queue.finish();
    EXPECT_EQ(copied() - before, 64u);
    EXPECT_EQ(read<uint8_t>(target, 65), [] {
        std::vector<uint8_t> expected(65, 2);
        expected[64] = 1;
        return expected;
    }());
}

// Each row costs the device hundreds of bytes.
TEST_F(Copy, ManyNarrowRowsStayOnTheHost) {
    constexpr size_t rows = 4000, pitch = 3;
    const cl::Buffer first = buffer(iota<uint8_t>(rows * pitch));
    const cl::Buffer second = buffer(std::vector<uint8_t>(rows * pitch));
    cl::Kernel kernel = this->kernel(increment);
    kernel.setArg(0, first);
    ASSERT_NO_FATAL_FAILURE(expect_fills_on_device(kernel, second));
    EXPECT_GE(copied_between(kernel,
                             [&] {
                                 queue.enqueueCopyBufferRect(first, second, {0, 0, 0}, {0, 0, 0},
                                                             {1, rows, 1}, pitch, 0, pitch, 0);
                             }),
              rows);
}

TEST_F(Copy, BetweenKernelsAFailedPredecessorFailsThoseThatWaitForIt) {
    const cl::Buffer first = buffer(iota<uint8_t>(64)), second = buffer(iota<uint8_t>(64));
    cl::Kernel kernel = this->kernel(increment);
    kernel.setArg(0, first);
    ASSERT_NO_FATAL_FAILURE(expect_fills_on_device(kernel, buffer(iota<uint8_t>(64))));
    cl::CommandQueue unordered(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl::UserEvent gate(context);
    std::vector<cl::Event> behind_gate{gate}, behind_kernel(1), behind_fill(1);
    cl::Event last, independent;
    unordered.enqueueNDRangeKernel(kernel, {}, cl::NDRange(1), {}, &behind_gate, &behind_kernel[0]);
    unordered.enqueueFillBuffer(second, cl_uchar{9}, 0, 64, &behind_kernel, &behind_fill[0]);
    unordered.enqueueNDRangeKernel(kernel, {}, cl::NDRange(1), {}, &behind_fill, &last);
    unordered.enqueueFillBuffer(second, cl_uchar{7}, 0, 1, nullptr, &independent);
    gate.setStatus(-5);
    unordered.finish();
    EXPECT_EQ(execution_status(behind_kernel[0]), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    EXPECT_EQ(execution_status(behind_fill[0]), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    EXPECT_EQ(execution_status(last), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    EXPECT_EQ(execution_status(independent), CL_COMPLETE);
    EXPECT_EQ(read<uint8_t>(second, 2), (std::vector<uint8_t>{7, 1}));
}

// So that a fill is wanted on the device before, while and after the thread begins to wait.
TEST_F(Copy, FillsMayBeAwaitedWhileKernelsAreEnqueuedBehindThem) {
    const cl::Buffer target = buffer(std::vector<uint8_t>(64));
    cl::Kernel kernel = this->kernel(increment);
    kernel.setArg(0, target);
    ASSERT_NO_FATAL_FAILURE(expect_fills_on_device(kernel, target));
    for (int round = 0; round < 300; ++round) {
        cl::UserEvent gate(context);
        const std::vector<cl::Event> waits{gate};
        launch(kernel, 64, &waits);
        cl::Event filled;
        queue.enqueueFillBuffer(target, static_cast<cl_uchar>(round), 0, 64, nullptr, &filled);
        std::thread waiting([&] { filled.wait(); });
        if (round % 3 == 0)
            std::this_thread::yield();
        launch(kernel, 64);
        gate.setStatus(CL_COMPLETE);
        launch(kernel, 64);
        waiting.join();
        ASSERT_EQ(read<uint8_t>(target, 64),
                  std::vector<uint8_t>(64, static_cast<uint8_t>(round + 6)));
    }
}

TEST_F(Copy, ContextMayGoWhileTheCodeForItsFillsIsLoaded) {
    for (int round = 0; round < 20; ++round) {
        context = cl::Context(device);
        queue = cl::CommandQueue(context, device);
        const cl::Buffer data = buffer(std::vector<uint8_t>(4096));
        cl::Kernel kernel = this->kernel(increment);
        kernel.setArg(0, data);
        launch(kernel, 1);
        queue.enqueueFillBuffer(data, cl_uchar{0}, 0, 64);
        launch(kernel, 1);
        queue.finish();
    }
    expect_healthy();
}

TEST_F(Copy, BetweenKernelsRandomOnesGiveWhatTheyShould) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const auto below = [&](size_t end) { return random() % end; };
    constexpr size_t bytes = 6000;
    std::vector<uint8_t> expected[2] = {iota<uint8_t>(bytes), iota<uint8_t>(bytes, 100)};
    const cl::Buffer buffers[2] = {buffer(expected[0]), buffer(expected[1])};
    cl::Kernel kernel = this->kernel(increment);
    kernel.setArg(0, buffers[0]);
    ASSERT_NO_FATAL_FAILURE(expect_fills_on_device(kernel, buffer(expected[0])));
    expected[0] = read<uint8_t>(buffers[0], bytes);
    cl::UserEvent gate(context);
    const std::vector<cl::Event> waits{gate};
    queue.enqueueBarrierWithWaitList(&waits);
    for (int step = 0; step < 150; ++step) {
        const size_t to = below(2);
        std::vector<uint8_t> &target = expected[to];
        const std::vector<uint8_t> &source = expected[1 - to];
        switch (below(4)) {
        case 0: {
            kernel.setArg(0, buffers[to]);
            const size_t count = 1 + below(bytes);
            launch(kernel, count);
            for (size_t i = 0; i < count; ++i)
                target[i] = uint8_t(target[i] + 3);
            break;
        }
        case 1: {
            const size_t unit = size_t{1} << below(8);
            const auto pattern = iota<uint8_t>(unit, uint8_t(below(200)));
            const size_t offset = below(bytes / unit) * unit;
            const size_t count = (1 + below((bytes - offset) / unit)) * unit;
            clEnqueueFillBuffer(queue(), buffers[to](), pattern.data(), unit, offset, count, 0,
                                nullptr, nullptr);
            for (size_t i = 0; i < count; ++i)
                target[offset + i] = pattern[i % unit];
            break;
        }
        case 2: {
            const size_t from = below(bytes), at = below(bytes);
            const size_t count = 1 + below(bytes - std::max(from, at));
            queue.enqueueCopyBuffer(buffers[1 - to], buffers[to], from, at, count);
            std::copy_n(source.begin() + from, count, target.begin() + at);
            break;
        }
        default: {
            const size_t width = 1 + below(20), rows = 1 + below(10), slices = 1 + below(4);
            const size_t from_pitch = width + below(9), to_pitch = width + below(9);
            const size_t from_slice = from_pitch * (rows + below(2));
            const size_t to_slice = to_pitch * (rows + below(2));
            const size_t from = below(bytes - from_slice * slices);
            const size_t at = below(bytes - to_slice * slices);
            queue.enqueueCopyBufferRect(buffers[1 - to], buffers[to], {from, 0, 0}, {at, 0, 0},
                                        {width, rows, slices}, from_pitch, from_slice, to_pitch,
                                        to_slice);
            for (size_t z = 0; z < slices; ++z)
                for (size_t y = 0; y < rows; ++y)
                    std::copy_n(source.begin() + from + z * from_slice + y * from_pitch, width,
                                target.begin() + at + z * to_slice + y * to_pitch);
        }
        }
    }
    gate.setStatus(CL_COMPLETE);
    for (const size_t i : {0, 1})
        EXPECT_EQ(read<uint8_t>(buffers[i], bytes), expected[i]) << i;
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
