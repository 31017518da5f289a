// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/program/printf.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <random>
#include <thread>

#include "hal/protocol/launch.h"
#include "hal/protocol/printf.h"
#include "host-runtime/tests/api_fixture.h"

namespace rivulet::testing {
namespace {

class Printf : public Api {
protected:
    /// The output of a kernel `test` with this body.
    std::string printed(const std::string &body, size_t items = 1, const char *options = "") {
        const std::string source =
            "kernel void test() { size_t i = get_global_id(0); " + body + "}";
        const cl_program program = built_program(source.c_str(), options);
        const cl_kernel kernel = clCreateKernel(program, "test", &code);
        EXPECT_EQ(code, CL_SUCCESS);
        const cl_command_queue queue =
            clCreateCommandQueueWithProperties(context, device, nullptr, &code);
        EXPECT_EQ(code, CL_SUCCESS);
        cl_event event = nullptr;
        ::testing::internal::CaptureStdout();
        EXPECT_EQ(
            clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, &event),
            CL_SUCCESS);
        EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
        std::string text = ::testing::internal::GetCapturedStdout();
        clReleaseEvent(event);
        clReleaseCommandQueue(queue);
        clReleaseKernel(kernel);
        clReleaseProgram(program);
        return text;
    }
};

TEST_F(Printf, PrintsIntegers) {
    EXPECT_EQ(printed(R"(printf("%d %i %u %o %x %X", -5, 7, -1, 8, 255, 255);)"),
              "-5 7 4294967295 10 ff FF");
    EXPECT_EQ(printed(R"(printf("%ld %lu %hhd %hd %hhu", -5L, -1L, 300, 65537, -1);)"),
              "-5 18446744073709551615 44 1 255");
    EXPECT_EQ(printed(R"(printf("[%5d|%-5d|%05d|%+d|%.3d|%#x|% d]", 1, 2, 3, 4, 5, 6, 7);)"),
              "[    1|2    |00003|+4|005|0x6| 7]");
}

TEST_F(Printf, PrintsFloats) {
    EXPECT_EQ(printed(R"(printf("%f %.2f %e %G %a", 1.5f, 2.345f, 1e3f, 1e-9f, 0.5f);)"),
              "1.500000 2.35 1.000000e+03 1E-09 0x1p-1");
    EXPECT_EQ(printed(R"(printf("%f %F %f", INFINITY, -INFINITY, NAN);)"), "inf -INF nan");
}

// The lengths of OpenCL C 3.1, which has no "ll".
TEST_F(Printf, PrintsSizesAndDifferences) {
    EXPECT_EQ(printed(R"(printf("%zu %5zd|%zx %td %-4ti|%to", sizeof(long16), (size_t)-1,
                                (size_t)255, (ptrdiff_t)-7, (ptrdiff_t)8, (ptrdiff_t)8);)",
                      1, "-cl-std=CL3.1 -Werror"),
              "128    -1|ff -7 8   |10");
}

TEST_F(Printf, PrintsVectors) {
    EXPECT_EQ(printed(R"(printf("%.1v4hlf", (float4)(1, 2, 3, 4.5f));)"), "1.0,2.0,3.0,4.5");
    EXPECT_EQ(printed(R"(printf("%v4f", (float4)(1));)"), "1.000000,1.000000,1.000000,1.000000");
    EXPECT_EQ(printed(R"(printf("%v4hld %v3hlu", (int4)(1, -2, 3, 4), (uint3)(5, 6, 7));)"),
              "1,-2,3,4 5,6,7");
    EXPECT_EQ(printed(R"(printf("%v2hhx|%04v2hx", (uchar2)(1, 255), (ushort2)(9, 65535));)"),
              "1,ff|0009,ffff");
    EXPECT_EQ(printed(R"(printf("%v2ld %v8hhd", (long2)(-1, 2), (char8)(-3));)"),
              "-1,2 -3,-3,-3,-3,-3,-3,-3,-3");
    // 6.12.13.2's examples
    EXPECT_EQ(printed(R"(printf("f4 = %2.2v4hlf", (float4)(1, 2, 3, 4));)"),
              "f4 = 1.00,2.00,3.00,4.00");
    EXPECT_EQ(printed(R"(printf("uc = %#v4hhx", (uchar4)(0xFA, 0xFB, 0xFC, 0xFD));)"),
              "uc = 0xfa,0xfb,0xfc,0xfd");
    EXPECT_EQ(printed(R"(printf("%v3lf %-6.1v2hlg|%v2hla", (double3)(1, 2, 3),
                                (float2)(1, 0.25f), (float2)(1, 0.5f));)"),
              "1.000000,2.000000,3.000000 1     ,0.2   |0x1p+0,0x1p-1");
}

TEST_F(Printf, PrintsCharactersAndStrings) {
    EXPECT_EQ(printed(R"(printf("%c%s|%5s|%-3s|%.2s 100%% %p", 'a', "bc", "d", "e", "fgh",
                                (global int *)16);)"),
              "abc|    d|e  |fg 100% 0x10");
    EXPECT_EQ(printed(R"(printf("plain\n");)"), "plain\n");
}

TEST_F(Printf, EveryWorkItemPrintsInItsOrder) {
    const std::string text = printed(R"(printf("%d;", (int)i); printf("-%d;", (int)i);)", 100);
    for (int item = 0; item < 100; ++item) {
        const std::string first = std::to_string(item) + ";";
        const size_t second = (";" + text).find(";-" + first);
        EXPECT_LT((";" + text).find(";" + first), second);
        EXPECT_NE(second, std::string::npos);
    }
}

TEST_F(Printf, WhatNoLongerFitsIsDropped) {
    size_t size = 0;
    ASSERT_EQ(clGetDeviceInfo(device, CL_DEVICE_PRINTF_BUFFER_SIZE, sizeof size, &size, nullptr),
              CL_SUCCESS);
    const std::string text = printed(R"(printf("%d\n", 1);)", size / 8);
    const auto lines = static_cast<size_t>(std::ranges::count(text, '\n'));
    EXPECT_EQ(lines, size / 12); // format, sizes, value
    EXPECT_EQ(text.size(), 2 * lines);
}

TEST_F(Printf, ArgumentsOfEverySizeLieSideBySide) {
    EXPECT_EQ(printed(R"(printf("%c%v2hhd %ld %v16lf %d%c", 'a', (char2)(1, -2), -3L,
                                (double16)(0.5), 7, 'b');
                         printf("|");
                         printf("%v3hd%c|", (short3)(1, 2, 3), 'c');
                         printf("%d%d%d%d%d%d%d%d%d\n", 1, 2, 3, 4, 5, 6, 7, 8, 9);)"),
              "a1,-2 -3 0.500000,0.500000,0.500000,0.500000,0.500000,0.500000,0.500000,0.500000,"
              "0.500000,0.500000,0.500000,0.500000,0.500000,0.500000,0.500000,0.500000 7b|"
              "1,2,3c|123456789\n");
}

// Each launch occupies a ring while in flight.
TEST_F(Printf, ThousandsOfLaunchesPrintInTheirOrder) {
    const cl_program program = built_program(R"(kernel void test(int n) { printf("%d ", n); })");
    const cl_kernel kernel = clCreateKernel(program, "test", &code);
    const cl_command_queue queue =
        clCreateCommandQueueWithProperties(context, device, nullptr, &code);
    const size_t one = 1;
    std::string expected;
    ::testing::internal::CaptureStdout();
    for (int n = 0; n < 2000; ++n) {
        expected += std::to_string(n) + " ";
        EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof n, &n), CL_SUCCESS);
        EXPECT_EQ(
            clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
            CL_SUCCESS);
    }
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    EXPECT_EQ(::testing::internal::GetCapturedStdout(), expected);
    clReleaseCommandQueue(queue);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
}

// Standard output is a full pipe without a reader: whatever doesn't print must continue.
TEST_F(Printf, FullPipeHoldsUpNobodyElse) {
    const cl_program program = built_program(
        "kernel void test(int n) { for (int i = 0; i < n; ++i) printf(\"%100d\\n\", i); }");
    const cl_kernel kernel = clCreateKernel(program, "test", &code);
    cl_command_queue queues[2];
    for (cl_command_queue &queue : queues)
        queue = clCreateCommandQueueWithProperties(context, device, nullptr, &code);
    std::fflush(stdout);
    const int before = dup(STDOUT_FILENO);
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    dup2(ends[1], STDOUT_FILENO);
    close(ends[1]);
    const size_t one = 1;
    cl_event events[2];
    cl_int statuses[2] = {1, 1};
    const int lines[] = {2000, 0}; // 200 KB, and none
    for (int i = 0; i < 2; ++i) {
        clSetKernelArg(kernel, 0, sizeof lines[i], &lines[i]);
        clEnqueueNDRangeKernel(queues[i], kernel, 1, nullptr, &one, nullptr, 0, nullptr,
                               &events[i]);
        clFlush(queues[i]);
    }
    const cl_int other = clFinish(queues[1]);
    for (int i = 0; i < 2; ++i)
        clGetEventInfo(events[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof statuses[i],
                       &statuses[i], nullptr);
    // A process started meanwhile may have inherited the pipe, so its end is not awaited.
    std::atomic<bool> is_printed = false;
    std::thread reader([&is_printed, end = ends[0]] {
        char bytes[4096];
        pollfd there{.fd = end, .events = POLLIN, .revents = 0};
        for (bool last = false; !last;) {
            last = is_printed;
            while (poll(&there, 1, 10) > 0 && read(end, bytes, sizeof bytes) > 0)
                ;
        }
    });
    const cl_int printing = clFinish(queues[0]);
    std::fflush(stdout);
    dup2(before, STDOUT_FILENO);
    is_printed = true;
    reader.join();
    close(before);
    close(ends[0]);
    EXPECT_EQ(other, CL_SUCCESS);
    EXPECT_EQ(statuses[1], CL_COMPLETE);
    EXPECT_NE(statuses[0], CL_COMPLETE);
    EXPECT_EQ(printing, CL_SUCCESS);
    for (int i = 0; i < 2; ++i) {
        clReleaseEvent(events[i]);
        clReleaseCommandQueue(queues[i]);
    }
    clReleaseKernel(kernel);
    clReleaseProgram(program);
}

// Kernel images before version 1.1 write these records.
TEST(PrintfRecords, OfVersion10AreReadStill) {
    const char image[] = "\0%d %.1f|";
    const struct {
        rvl_printf_record head{48, 2, 1};
        rvl_printf_argument first{4, 0};
        int64_t number = 7;
        rvl_printf_argument second{8, 0};
        double fraction = 0.5;
    } record;
    ::testing::internal::CaptureStdout();
    const auto records = std::as_bytes(std::span(&record, 1));
    print_records(records.first(40), PrintfRecords::old, std::as_bytes(std::span(image)), 0,
                  stdout);
    print_records(records, PrintfRecords::old, std::as_bytes(std::span(image)), 0, stdout);
    EXPECT_EQ(::testing::internal::GetCapturedStdout(), "7 0.5|");
}

TEST(PrintfRecords, AdviceForMoreOutputCanBeFollowed) {
    EXPECT_EQ(more_printf(1), "which RIVULET_PRINTF=8 makes more");
    EXPECT_EQ(more_printf(1023), "which RIVULET_PRINTF=1024 makes more");
    EXPECT_THAT(more_printf(1024), ::testing::StartsWith("the most that RIVULET_PRINTF allows"));
}

TEST(PrintfRecords, OverwrittenRecordsDoNoHarm) {
    std::mt19937 random(1);
    const char alphabet[] = "%%%dsvfcxhl123.-#0 a\0";
    const std::unique_ptr<std::FILE, int (*)(std::FILE *)> nowhere(std::fopen("/dev/null", "w"),
                                                                   std::fclose);
    for (int round = 0; round < 40000; ++round) {
        std::vector<std::byte> image(64);
        for (std::byte &byte : image)
            byte = static_cast<std::byte>(alphabet[random() % (sizeof alphabet - 1)]);
        std::vector<std::byte> records(random() % 128);
        for (std::byte &byte : records)
            byte = static_cast<std::byte>(random() % 4 ? 0 : random() % 64);
        const auto kind = round % 2 ? PrintfRecords::old : PrintfRecords::compact;
        const rvl_printf_record old{static_cast<uint32_t>(16 + random() % 112), 1, random() % 70};
        const rvl_printf_head head{
            static_cast<uint32_t>(random() % 70), static_cast<uint16_t>(random() % 8), {4, 8}};
        if (kind == PrintfRecords::old && records.size() >= sizeof old)
            std::memcpy(records.data(), &old, sizeof old);
        if (kind == PrintfRecords::compact && records.size() >= sizeof head)
            std::memcpy(records.data(), &head, sizeof head);
        print_records(records, kind, image, 0, nowhere.get());
    }
}

} // namespace
} // namespace rivulet::testing
