// SPDX-License-Identifier: Apache-2.0
//
// A context of three devices: where the latest bytes of memory objects are, and that nothing but
// what changed is moved. The devices don't map, so that the driver sees all that is written to
// them.
#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <thread>

#include "hal/hal.h"
#include "host-runtime/tests/doorbells.h"
// This header comes last, for it takes the API's version from those before it.
#include "host-runtime/include/CL/cl_ext_rivulet.h"

namespace rivulet::test {
namespace {

using testing::Each;

// The platform reads these variables when it looks for its devices, after static initialisation.
[[maybe_unused]] const int counted = setenv("RIVULET_DRIVER", RIVULET_COUNTING_DRIVER, 1);
[[maybe_unused]] const int machines =
    setenv("RIVULET_MACHINE",
           "loopback-unmapped,harts=2;loopback-unmapped,harts=2;loopback-unmapped,harts=2", 1);

constexpr size_t large = 1 << 17; // moved by a worker
constexpr size_t small = 4096;    // moved at once

class ThreeDevices : public CountsDoorbells {
protected:
    void SetUp() override {
        ASSERT_EQ(clGetPlatformIDs(1, &platform, nullptr), CL_SUCCESS);
        ASSERT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 3, devices.data(), nullptr),
                  CL_SUCCESS);
        cl_int code = CL_SUCCESS;
        context = clCreateContext(nullptr, 3, devices.data(), nullptr, nullptr, &code);
        ASSERT_EQ(code, CL_SUCCESS);
        for (const cl_device_id each : devices) {
            device = each;
            on.push_back(make_queue(0));
        }
        queue = on[0];
        step = make_kernel("kernel void test(global uint *data, uint factor) {"
                           "    data[get_global_id(0)] = data[get_global_id(0)] * factor + 1;"
                           "}");
    }
    cl_mem window(cl_mem parent, size_t origin, size_t bytes, cl_mem_flags flags = 0) {
        const cl_buffer_region region{origin, bytes};
        cl_int code = CL_SUCCESS;
        buffers.push_back(
            clCreateSubBuffer(parent, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
        EXPECT_EQ(code, CL_SUCCESS);
        return buffers.back();
    }
    /// data = data × factor + 1, for so many bytes.
    void run(cl_command_queue to, cl_mem data, size_t bytes, cl_uint factor) {
        set(step, 0, data);
        set(step, 1, factor);
        const size_t items = bytes / sizeof(cl_uint);
        EXPECT_EQ(
            clEnqueueNDRangeKernel(to, step, 1, nullptr, &items, nullptr, 0, nullptr, nullptr),
            CL_SUCCESS);
        EXPECT_EQ(clFlush(to), CL_SUCCESS);
    }
    void finish() {
        for (cl_command_queue each : queues)
            EXPECT_EQ(clFinish(each), CL_SUCCESS);
    }
    std::vector<cl_uint> read(cl_mem buffer, size_t offset, size_t bytes) {
        std::vector<cl_uint> values(bytes / sizeof(cl_uint));
        EXPECT_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, offset, bytes, values.data(), 0,
                                      nullptr, nullptr),
                  CL_SUCCESS);
        return values;
    }
    template <class Enqueue> size_t written_by(Enqueue enqueue) {
        auto &written = counter<std::atomic_ulong>("rvl_written");
        finish();
        const size_t before = written;
        enqueue();
        finish();
        return written - before;
    }

    std::array<cl_device_id, 3> devices{};
    std::vector<cl_command_queue> on; // one for each device
    cl_kernel step = nullptr;
};

TEST_F(ThreeDevices, SubBuffersWrittenAtOnceKeepAllResults) {
    for (const size_t bytes : {small, large})
        for (int round = 0; round < 20; ++round) {
            cl_mem parent = make_buffer(std::vector<cl_uint>(3 * bytes / sizeof(cl_uint), 1));
            for (cl_uint n = 0; n < 3; ++n)
                run(on[n], window(parent, n * bytes, bytes), bytes, n + 2);
            finish();
            for (cl_uint n = 0; n < 3; ++n)
                ASSERT_THAT(read(parent, n * bytes, bytes), Each(n + 3)) << "device " << n;
            // The parent has all of it, on each device.
            run(on[static_cast<size_t>(round % 3)], parent, 3 * bytes, 10);
            finish();
            for (cl_uint n = 0; n < 3; ++n)
                ASSERT_THAT(read(parent, n * bytes, bytes), Each((n + 3) * 10 + 1));
        }
}

TEST_F(ThreeDevices, HostWritesOneHalfWhileADeviceWritesTheOther) {
    const std::vector<cl_uint> source(large / sizeof(cl_uint), 7);
    cl_mem other = make_buffer(source);
    const cl_uint seven = 7;
    const size_t rows[3] = {1024, large / 1024, 1};
    const size_t zero[3] = {};
    using Way = std::function<cl_int(cl_command_queue, cl_mem)>;
    const std::pair<const char *, Way> ways[] = {
        {"write",
         [&](auto to, auto half) {
             return clEnqueueWriteBuffer(to, half, CL_FALSE, 0, large, source.data(), 0, nullptr,
                                         nullptr);
         }},
        {"write of rows",
         [&](auto to, auto half) {
             return clEnqueueWriteBufferRect(to, half, CL_FALSE, zero, zero, rows, 0, 0, 0, 0,
                                             source.data(), 0, nullptr, nullptr);
         }},
        {"fill",
         [&](auto to, auto half) {
             return clEnqueueFillBuffer(to, half, &seven, 4, 0, large, 0, nullptr, nullptr);
         }},
        {"copy",
         [&](auto to, auto half) {
             return clEnqueueCopyBuffer(to, other, half, 0, 0, large, 0, nullptr, nullptr);
         }},
        {"copy of rows",
         [&](auto to, auto half) {
             return clEnqueueCopyBufferRect(to, other, half, zero, zero, rows, 0, 0, 0, 0, 0,
                                            nullptr, nullptr);
         }},
        {"map",
         [&](auto to, auto half) {
             cl_int code = CL_SUCCESS;
             auto *values = static_cast<cl_uint *>(clEnqueueMapBuffer(
                 to, half, CL_TRUE, CL_MAP_WRITE, 0, large, 0, nullptr, nullptr, &code));
             EXPECT_EQ(code, CL_SUCCESS);
             std::copy(source.begin(), source.end(), values);
             return clEnqueueUnmapMemObject(to, half, values, 0, nullptr, nullptr);
         }},
        {"image of the buffer",
         [&](auto to, auto half) {
             const cl_image_format format{CL_R, CL_UNSIGNED_INT32};
             cl_image_desc description{};
             description.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
             description.image_width = 4096;
             description.buffer = half;
             cl_int code = CL_SUCCESS;
             cl_mem image = clCreateImage(context, 0, &format, &description, nullptr, &code);
             EXPECT_EQ(code, CL_SUCCESS);
             const size_t region[3] = {4096, 1, 1};
             const cl_uint color[4] = {7, 7, 7, 7};
             EXPECT_EQ(clEnqueueFillImage(to, image, color, zero, region, 0, nullptr, nullptr),
                       CL_SUCCESS);
             clReleaseMemObject(image);
             return clEnqueueFillBuffer(to, half, &seven, 4, 4096 * 4, large - 4096 * 4, 0, nullptr,
                                        nullptr);
         }},
    };
    for (const auto &[name, way] : ways)
        for (const size_t busy : {0, 1, 2})
            for (const size_t written : {0, 1}) {
                SCOPED_TRACE(std::string(name) + ", device " + std::to_string(busy) + ", half " +
                             std::to_string(written));
                cl_mem parent = make_buffer(std::vector<cl_uint>(2 * large / sizeof(cl_uint), 1));
                cl_mem halves[] = {window(parent, 0, large), window(parent, large, large)};
                run(on[busy], halves[1 - written], large, 4);
                EXPECT_EQ(way(on[(busy + 1) % 3], halves[written]), CL_SUCCESS);
                finish();
                EXPECT_THAT(read(parent, written * large, large), Each(7u));
                EXPECT_THAT(read(parent, (1 - written) * large, large), Each(5u));
            }
}

TEST_F(ThreeDevices, ReadOnlyMemoryIsCopiedOnceToEach) {
    const char *source = "kernel void test(%s *table, global uint *out) { out[0] = table[1]; }";
    const std::pair<const char *, cl_mem_flags> ways[] = {{"global const uint", CL_MEM_READ_ONLY},
                                                          {"constant uint", CL_MEM_READ_WRITE},
                                                          {"global const uint", CL_MEM_READ_WRITE},
                                                          {"global uint", CL_MEM_READ_WRITE}};
    for (const auto &[type, flags] : ways) {
        SCOPED_TRACE(type);
        char text[200];
        std::snprintf(text, sizeof text, source, type);
        cl_kernel reader = make_kernel(text);
        std::vector<cl_uint> table(large / sizeof(cl_uint), 3);
        cl_mem memory = make_buffer(large, flags | CL_MEM_COPY_HOST_PTR, table.data());
        set(reader, 0, memory);
        std::vector<cl_mem> out;
        for (size_t n = 0; n < 3; ++n)
            out.push_back(make_buffer(sizeof(cl_uint)));
        const auto all = [&] {
            for (int round = 0; round < 10; ++round)
                for (size_t n = 0; n < 3; ++n) {
                    set(reader, 1, out[n]);
                    clReleaseEvent(launch(on[n], reader, 1));
                    EXPECT_EQ(clFlush(on[n]), CL_SUCCESS);
                }
        };
        EXPECT_EQ(written_by(all), 2 * large);
        // The host's write makes the others fetch what it changed, and nothing else.
        EXPECT_EQ(written_by([&] {
                      EXPECT_EQ(clEnqueueWriteBuffer(queue, memory, CL_TRUE, large / 2, small,
                                                     table.data(), 0, nullptr, nullptr),
                                CL_SUCCESS);
                      all();
                  }),
                  3 * small);
        for (cl_mem result : out)
            EXPECT_THAT(read(result, 0, sizeof(cl_uint)), Each(3u));
    }
}

TEST_F(ThreeDevices, OnlyWhatChangedMoves) {
    cl_mem parent = make_buffer(2 * large);
    cl_mem half = window(parent, large, large);
    // Bytes that were never written needn't be anywhere.
    EXPECT_EQ(written_by([&] { run(on[1], parent, 2 * large, 0); }), 0u);
    EXPECT_EQ(written_by([&] { run(on[2], half, large, 2); }), large);
    EXPECT_EQ(written_by([&] { run(on[1], parent, large, 2); }), large);
    EXPECT_EQ(written_by([&] { run(on[1], half, large, 2); }), 0u);
    EXPECT_EQ(written_by([&] {
                  EXPECT_THAT(read(parent, 0, large), Each(3u));
                  EXPECT_THAT(read(parent, large, large), Each(7u));
              }),
              0u);
    // A host's write goes to where the bytes are; the device that has them needs nothing.
    EXPECT_EQ(written_by([&] {
                  const cl_uint zero = 0;
                  EXPECT_EQ(clEnqueueFillBuffer(on[0], parent, &zero, 4, small, small, 0, nullptr,
                                                nullptr),
                            CL_SUCCESS);
                  finish();
                  run(on[1], parent, 2 * large, 2);
              }),
              small);
    // A migration copies, and leaves what was there.
    EXPECT_EQ(written_by([&] {
                  EXPECT_EQ(clEnqueueMigrateMemObjects(on[0], 1, &half, 0, 0, nullptr, nullptr),
                            CL_SUCCESS);
                  finish();
                  run(on[1], half, large, 2);
              }),
              large);
}

TEST_F(ThreeDevices, UseHostPtrShowsWhatEachDeviceWrote) {
    std::vector<cl_uint> memory(3 * small / sizeof(cl_uint), 1);
    cl_mem parent = make_buffer(3 * small, CL_MEM_USE_HOST_PTR, memory.data());
    for (cl_uint n = 0; n < 3; ++n)
        run(on[n], window(parent, n * small, small), small, n + 2);
    finish();
    void *mapped = clEnqueueMapBuffer(queue, parent, CL_TRUE, CL_MAP_READ, 0, 3 * small, 0, nullptr,
                                      nullptr, nullptr);
    EXPECT_EQ(mapped, memory.data());
    for (size_t i = 0; i < memory.size(); ++i)
        ASSERT_EQ(memory[i], 3 + i / (small / sizeof(cl_uint)));
    EXPECT_EQ(clEnqueueUnmapMemObject(queue, parent, mapped, 0, nullptr, nullptr), CL_SUCCESS);
    finish();
}

TEST_F(ThreeDevices, ImagesAreOneForAllThatReadAndWrite) {
    cl_kernel copy = make_kernel("kernel void test(read_only image2d_t from,"
                                 "                 write_only image2d_t to) {"
                                 "    int2 at = (int2)(get_global_id(0), get_global_id(1));"
                                 "    write_imageui(to, at, read_imageui(from, at) + 1);"
                                 "}");
    constexpr size_t side = 64;
    const cl_image_format format{CL_R, CL_UNSIGNED_INT32};
    cl_image_desc description{};
    description.image_type = CL_MEM_OBJECT_IMAGE2D;
    description.image_width = description.image_height = side;
    std::vector<cl_uint> pixels(side * side, 5);
    std::vector<cl_mem> images;
    for (int n = 0; n < 4; ++n) {
        cl_int code = CL_SUCCESS;
        buffers.push_back(clCreateImage(context, CL_MEM_COPY_HOST_PTR, &format, &description,
                                        pixels.data(), &code));
        ASSERT_EQ(code, CL_SUCCESS);
        images.push_back(buffers.back());
    }
    const size_t size[2] = {side, side};
    const auto run_on = [&](size_t n, cl_mem from, cl_mem to) {
        set(copy, 0, from);
        set(copy, 1, to);
        EXPECT_EQ(
            clEnqueueNDRangeKernel(on[n], copy, 2, nullptr, size, nullptr, 0, nullptr, nullptr),
            CL_SUCCESS);
        EXPECT_EQ(clFlush(on[n]), CL_SUCCESS);
    };
    constexpr size_t bytes = side * side * sizeof(cl_uint);
    const size_t moved = written_by([&] {
        for (int round = 0; round < 5; ++round)
            for (size_t n = 0; n < 3; ++n)
                run_on(n, images[3], images[n]);
    });
    EXPECT_EQ(moved, 4 * bytes); // the one that is read, and once what was in those written
    run_on(0, images[2], images[1]);
    finish();
    const size_t zero[3] = {};
    const size_t region[3] = {side, side, 1};
    EXPECT_EQ(clEnqueueReadImage(queue, images[1], CL_TRUE, zero, region, 0, 0, pixels.data(), 0,
                                 nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_THAT(pixels, Each(7u));
}

// A const pointer says nothing of the memory: the cast is valid C, and the buffer no const object.
TEST_F(ThreeDevices, KernelThatCastsConstAwayHasWritten) {
    cl_kernel writer = make_kernel("kernel void test(global const uint *data) {"
                                   "    ((global uint *)data)[get_global_id(0)] = 5;"
                                   "}");
    cl_mem data = make_buffer(std::vector<cl_uint>(small / sizeof(cl_uint), 1));
    EXPECT_EQ(clEnqueueMigrateMemObjects(on[1], 1, &data, 0, 0, nullptr, nullptr), CL_SUCCESS);
    finish(); // it is on two of them
    set(writer, 0, data);
    clReleaseEvent(launch(on[0], writer, small / sizeof(cl_uint)));
    finish();
    run(on[1], data, small, 3);
    finish();
    EXPECT_THAT(read(data, 0, small), Each(16u));
}

// 5.4.4: nothing is copied by the migration, nor by the command that comes next.
TEST_F(ThreeDevices, MigrationOfUndefinedContentsCopiesNothing) {
    cl_mem data = make_buffer(large);
    EXPECT_EQ(written_by([&] { run(on[1], data, large, 0); }), 0u);
    EXPECT_EQ(written_by([&] {
                  for (const cl_mem_migration_flags flags :
                       {CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED,
                        CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED | CL_MIGRATE_MEM_OBJECT_HOST})
                      EXPECT_EQ(
                          clEnqueueMigrateMemObjects(on[0], 1, &data, flags, 0, nullptr, nullptr),
                          CL_SUCCESS);
                  finish();
                  run(on[0], data, large, 0);
              }),
              0u);
    EXPECT_THAT(read(data, 0, large), Each(1u));
    EXPECT_EQ(written_by([&] { run(on[2], data, large, 2); }), large);
    EXPECT_THAT(read(data, 0, large), Each(3u));
}

TEST_F(ThreeDevices, CommandBufferUsesWhatOthersWroteEachTime) {
    cl_mem data = make_buffer(std::vector<cl_uint>(large / sizeof(cl_uint), 1));
    set(step, 0, data);
    set(step, 1, cl_uint{2});
    cl_int code = CL_SUCCESS;
    cl_command_buffer_khr commands = clCreateCommandBufferKHR(1, &on[1], nullptr, &code);
    ASSERT_EQ(code, CL_SUCCESS);
    const auto record = reinterpret_cast<clCommandNDRangeKernelKHR_098_fn>(
        clGetExtensionFunctionAddress("clCommandNDRangeKernelKHR"));
    const size_t items = large / sizeof(cl_uint);
    for (int n = 0; n < 2; ++n)
        EXPECT_EQ(record(commands, nullptr, nullptr, step, 1, nullptr, &items, nullptr, 0, nullptr,
                         nullptr, nullptr),
                  CL_SUCCESS);
    EXPECT_EQ(clFinalizeCommandBufferKHR(commands), CL_SUCCESS);
    cl_uint expected = 1;
    for (int round = 0; round < 5; ++round) {
        cl_event event = nullptr;
        EXPECT_EQ(clEnqueueCommandBufferKHR(0, nullptr, commands, 0, nullptr, &event), CL_SUCCESS);
        cl_event last = launch(on[2], step, items, {event});
        EXPECT_EQ(clWaitForEvents(1, &last), CL_SUCCESS);
        clReleaseEvent(event);
        clReleaseEvent(last);
        expected = expected * 8 + 7;
    }
    EXPECT_THAT(read(data, 0, large), Each(expected));
    EXPECT_EQ(clReleaseCommandBufferKHR(commands), CL_SUCCESS);
}

TEST_F(ThreeDevices, LaunchThatLacksMemoryEndsWithTheErrorOfItsWaitList) {
    cl_mem data = make_buffer(std::vector<cl_uint>(large / sizeof(cl_uint), 1));
    run(on[0], data, large, 4);
    finish();
    cl_int code = CL_SUCCESS;
    cl_event gate = clCreateUserEvent(context, &code);
    cl_event first = (set(step, 1, cl_uint{2}), launch(on[1], step, 4, {gate}));
    cl_event second = launch(on[2], step, 4, {first});
    EXPECT_EQ(clSetUserEventStatus(gate, -1), CL_SUCCESS);
    EXPECT_EQ(clWaitForEvents(1, &second), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    EXPECT_EQ(status(first), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    for (cl_event event : {gate, first, second})
        clReleaseEvent(event);
    EXPECT_THAT(read(data, 0, large), Each(5u));
}

// The launch on one device becomes ready by the other's completion, while a thread begins to wait
// for it and the scheduler has just taken the last completion of its device.
TEST_F(ThreeDevices, LaunchesThatWaitForOtherDevicesAreNeverForgotten) {
    cl_mem data[] = {make_buffer(16), make_buffer(16), make_buffer(16)};
    for (int round = 0; round < 3000; ++round) {
        run(on[1], data[1], 16, 0);
        set(step, 0, data[0]);
        cl_event first = launch(on[0], step, 4);
        set(step, 0, data[2]);
        cl_event second = launch(on[1], step, 4, {first});
        for (const size_t n : {0, 1})
            EXPECT_EQ(clFlush(on[n]), CL_SUCCESS);
        for (int wait = round % 40 * 50; wait > 0; --wait)
            std::atomic_signal_fence(std::memory_order_seq_cst);
        EXPECT_EQ(clWaitForEvents(1, &second), CL_SUCCESS);
        clReleaseEvent(first);
        clReleaseEvent(second);
    }
}

// One of them is polled by a thread that waits for another launch, which the one that is freed
// ends: else that thread comes back after a second.
TEST_F(ThreeDevices, LaunchesOnSeveralDevicesThatOneEventFreesBeginAtOnce) {
    using Clock = std::chrono::steady_clock;
    cl_kernel spin = make_kernel("kernel void test(volatile global uint *data) {"
                                 "    while (data[0] == 0) {}"
                                 "}");
    device = devices[1];
    cl_command_queue second = make_queue(0);
    cl_mem others[] = {make_buffer(16), nullptr, make_buffer(16)};
    constexpr auto at_once = std::chrono::milliseconds(400);
    auto shortest = Clock::duration::max();
    for (int round = 0; round < 20 && shortest >= at_once; ++round) { // a busy machine may be slow
        cl_mem data = make_buffer(std::vector<cl_uint>(4));
        run(on[1], data, 16, 0); // brings the memory there
        finish();
        const cl_uint zero = 0;
        EXPECT_EQ(clEnqueueFillBuffer(on[1], data, &zero, 4, 0, 16, 0, nullptr, nullptr),
                  CL_SUCCESS);
        set(spin, 0, data);
        cl_event spinning = launch(on[1], spin, 1);
        std::thread poller([&] { EXPECT_EQ(clWaitForEvents(1, &spinning), CL_SUCCESS); });
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        cl_int code = CL_SUCCESS;
        cl_event gate = clCreateUserEvent(context, &code);
        set(step, 1, cl_uint{0});
        const auto launch_behind = [&](cl_command_queue to, cl_mem memory) {
            set(step, 0, memory);
            clReleaseEvent(launch(to, step, 4, {gate}));
        };
        launch_behind(on[0], others[0]);
        launch_behind(second, data);
        launch_behind(on[2], others[2]);
        const auto start = Clock::now();
        EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
        poller.join();
        shortest = std::min(shortest, Clock::now() - start);
        finish();
        clReleaseEvent(gate);
        clReleaseEvent(spinning);
    }
    EXPECT_LT(shortest, at_once);
}

void lose_second_device() {
    const rvl_host *host = (&counter<const rvl_host *>("rvl_hosts"))[1];
    host->died(host->user, "the test said so");
}

TEST_F(ThreeDevices, LostDeviceTakesNothingWithItThatOthersHave) {
    cl_mem data = make_buffer(std::vector<cl_uint>(2 * large / sizeof(cl_uint), 1));
    run(on[0], data, 2 * large, 4);
    finish();
    EXPECT_EQ(clEnqueueMigrateMemObjects(on[1], 1, &data, 0, 0, nullptr, nullptr), CL_SUCCESS);
    finish();
    lose_second_device();
    set(step, 0, data);
    const size_t items = 4;
    cl_event event = nullptr;
    if (clEnqueueNDRangeKernel(on[1], step, 1, nullptr, &items, nullptr, 0, nullptr, &event) ==
        CL_SUCCESS) {
        EXPECT_NE(clWaitForEvents(1, &event), CL_SUCCESS);
        clReleaseEvent(event);
    }
    EXPECT_THAT(read(data, 0, 2 * large), Each(5u));
    run(on[2], data, 2 * large, 3);
    EXPECT_EQ(clFinish(on[2]), CL_SUCCESS);
    EXPECT_THAT(read(data, 0, 2 * large), Each(16u));
}

TEST_F(ThreeDevices, WhatALostDeviceHadIsAnErrorUntilItIsWrittenAnew) {
    cl_mem data = make_buffer(std::vector<cl_uint>(3 * large / sizeof(cl_uint), 1));
    cl_mem half = window(data, large, large);
    run(on[1], half, large, 4);
    finish();
    lose_second_device();
    std::vector<cl_uint> values(large / sizeof(cl_uint), 7);
    EXPECT_NE(
        clEnqueueReadBuffer(queue, half, CL_TRUE, 0, large, values.data(), 0, nullptr, nullptr),
        CL_SUCCESS);
    set(step, 0, half);
    cl_event failed = launch(on[2], step, 4);
    EXPECT_NE(clWaitForEvents(1, &failed), CL_SUCCESS);
    clReleaseEvent(failed);
    values.assign(values.size(), 7);
    EXPECT_EQ(
        clEnqueueWriteBuffer(queue, half, CL_TRUE, 0, large, values.data(), 0, nullptr, nullptr),
        CL_SUCCESS);
    EXPECT_THAT(read(half, 0, large), Each(7u));
    run(on[2], half, large, 3);
    EXPECT_EQ(clFinish(on[2]), CL_SUCCESS);
    EXPECT_THAT(read(data, large, large), Each(22u));
    EXPECT_THAT(read(data, 0, large), Each(1u));
    EXPECT_THAT(read(data, 2 * large, large), Each(1u));
}

// No command is added where nothing has to move: the launches stay in one stream of the device.
TEST_F(ThreeDevices, ManyDependentKernelsNeedTwoDoorbells) {
    cl_mem data = make_buffer(std::vector<cl_uint>(4, 0));
    run(on[1], data, 16, 1); // brings the memory there
    finish();
    device = devices[1];
    cl_uint launched = 1;
    EXPECT_LE(fewest_doorbells(on[1],
                               [&] {
                                   const size_t items = 4;
                                   for (int n = 0; n < 400; ++n)
                                       EXPECT_EQ(clEnqueueNDRangeKernel(on[1], step, 1, nullptr,
                                                                        &items, nullptr, 0, nullptr,
                                                                        nullptr),
                                                 CL_SUCCESS);
                                   launched += 400;
                               }),
              2);
    EXPECT_THAT(read(data, 0, 16), Each(launched));
}

} // namespace
} // namespace rivulet::test
