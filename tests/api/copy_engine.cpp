// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous copies by an engine that the firmware drives: on a machine with the model of one
// (boards/virt-dma), whose harts 0 and 1 have channels for words. A channel copies a piece each
// time a kernel on any hart waits. The bodies of hostile kernels call the firmware themselves.
#include <thread>

#include "reports.h"

namespace rivulet::test {
namespace {

using testing::Each;
using testing::HasSubstr;

/// A copy of lines as the firmware takes it (RVL_ECALL_COPY, RVL_ECALL_COPY_WAIT).
constexpr char calls[] = R"(
void copy(ulong to, ulong from, ulong bytes, ulong lines, ulong to_pitch, ulong from_pitch) {
    __asm__ volatile("mv a0, %0\n\tmv a1, %1\n\tmv a2, %2\n\tmv a3, %3\n\tmv a4, %4\n\tmv a5, %5\n\t"
                     "li a7, 2\n\tecall"
                     : : "r"(to), "r"(from), "r"(bytes), "r"(lines), "r"(to_pitch), "r"(from_pitch)
                     : "a0", "a1", "a2", "a3", "a4", "a5", "a7", "memory");
}
void wait_for_copy() { __asm__ volatile("li a7, 3\n\tecall" : : : "a7", "memory"); }
)";

class CopyEngine : public Reports {
protected:
    static constexpr size_t groups = 64, group = 16;

    template <class T>
    std::vector<T> run(const std::string &source, const std::vector<T> &in, size_t results,
                       size_t work_groups = groups) {
        cl::Kernel test = kernel(source);
        const cl::Buffer from = buffer(in);
        const cl::Buffer to = buffer(std::vector<T>(results));
        test.setArg(0, from);
        test.setArg(1, to);
        queue.enqueueNDRangeKernel(test, {}, cl::NDRange(work_groups * group), cl::NDRange(group));
        return read<T>(to, results);
    }

    /// Waits for many copies, with which others go on that are under way.
    void expect_copies() {
        const auto out = run<int>(R"(
kernel void test(global int *in, global int *out) {
    local int tile[4096];
    event_t event = async_work_group_copy(tile, in, 4096, 0);
    wait_group_events(1, &event);
    out[get_global_id(0)] = tile[get_global_id(0)];
})",
                                  iota<int>(4096), groups * group);
        EXPECT_EQ(out, iota<int>(groups * group));
    }

    static std::string hostile(const std::string &body) {
        return calls + ("kernel void test(global int *out, ulong n, global volatile int *stop) {"
                        "    local int tile[64];"
                        "    tile[get_local_id(0)] = 1;" +
                        body + "}");
    }
    cl::Event launch_hostile(const std::string &body, const cl::Buffer &out, cl_ulong number) {
        cl::Kernel test = kernel(hostile(body));
        test.setArg(0, out);
        test.setArg(1, number);
        test.setArg(2, buffer(std::vector<int>(1)));
        return launch(test, 1);
    }
    void expect_fault(const std::string &body, cl_ulong number) {
        const cl::Buffer out = buffer(std::vector<int>(1024));
        const cl::Event event = launch_hostile(body, out, number);
        EXPECT_NE(status_of([&] { event.wait(); }), CL_SUCCESS) << body << " " << number;
        EXPECT_THAT(log.next(), HasSubstr("test")) << body;
    }
};

// What no kernel may rely on tells the engine from work-items that copy. A single work-group:
// others' waits would let the engine go on.
TEST_F(CopyEngine, CopiesAfterTheCallAndBeforeTheWaitEnds) {
    for (int launches = 0; launches < 8; ++launches) {
        const auto out = run<int>(R"(
kernel void test(global int *in, global int *out) {
    local int tile[2048];
    size_t l = get_local_id(0), i = get_global_id(0);
    tile[l] = -1;
    tile[2047] = -1;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t event = async_work_group_copy(tile, in, 2048, 0);
    volatile local int *now = tile;
    int before = now[l] + now[2047];
    wait_group_events(1, &event);
    out[2 * i] = before;
    out[2 * i + 1] = tile[l] + tile[2047];
})",
                                  iota<int>(2048), 2 * group, 1);
        for (size_t i = 0; i < group; ++i) {
            EXPECT_EQ(out[2 * i], -2) << i;
            EXPECT_EQ(out[2 * i + 1], int(i) + 2047) << i;
        }
    }
}

TEST_F(CopyEngine, BytesThatAreNoWords) {
    const auto out = run<cl_uchar>(R"(
kernel void test(global uchar *in, global uchar *out) {
    local uchar tile[40];
    event_t events[2];
    events[0] = async_work_group_copy(tile, in + 33 * get_group_id(0), 30, 0);
    events[1] = async_work_group_copy(tile + 30, in + 33 * get_group_id(0) + 30, 3, 0);
    wait_group_events(2, events);
    events[0] = async_work_group_copy(out + 33 * get_group_id(0), tile, 33, 0);
    wait_group_events(1, events);
})",
                                   iota<cl_uchar>(33 * groups), 33 * groups);
    EXPECT_EQ(out, iota<cl_uchar>(33 * groups));
}

TEST_F(CopyEngine, OneEventOfSeveralCopiesInALoop) {
    const auto out = run<int>(R"(
kernel void test(global int *in, global int *out) {
    local int tile[2][512];
    event_t event = 0;
    for (int round = 0; round < 4; ++round) {
        for (int part = 0; part < 2; ++part)
            event = async_work_group_copy(tile[part], in + 512 * (2 * round + part), 512, event);
        wait_group_events(1, &event);
        for (size_t k = get_local_id(0); k < 512; k += 16)
            tile[0][k] += tile[1][k];
        event = async_work_group_copy(out + 512 * (4 * get_group_id(0) + round), tile[0], 512, event);
        wait_group_events(1, &event);
        wait_group_events(1, &event);
    }
})",
                              iota<int>(4096), 2048 * groups);
    for (size_t i = 0; i < out.size(); ++i) {
        const int k = int(i % 512), round = int(i / 512 % 4);
        ASSERT_EQ(out[i], 2 * (1024 * round + k) + 512) << i;
    }
}

TEST_F(CopyEngine, NoCopyIsLostWithoutAWait) {
    const auto out = run<int>(R"(
kernel void test(global int *in, global int *out) {
    local int tile[1024];
    for (size_t k = get_local_id(0); k < 1024; k += 16)
        tile[k] = in[k] + get_group_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    async_work_group_copy(out + 1024 * get_group_id(0), tile, 1024, 0);
})",
                              std::vector<int>(1024), 1024 * groups);
    for (size_t i = 0; i < out.size(); ++i)
        ASSERT_EQ(out[i], int(i / 1024)) << i;
}

TEST_F(CopyEngine, GoesNowhereThatItsKernelCannot) {
    constexpr cl_ulong firmware = 0x80000000, past_all = ~cl_ulong{63};
    const auto copies = [](const char *to, const char *from, const char *rest) {
        return "copy(" + std::string(to) + ", " + from + ", " + rest + "); wait_for_copy();";
    };
    const char *const out = "(ulong)out", *const tile = "(ulong)tile";
    // Memory of the firmware, of other contexts and none at all, from both ends.
    for (const cl_ulong address :
         {firmware, past_all, past_all - 64, cl_ulong{0}, cl_ulong{0x10000000}}) {
        expect_fault(copies(tile, "n", "64, 1, 64, 64"), address);
        expect_fault(copies("n", tile, "64, 1, 64, 64"), address);
    }
    // Ends beyond the kernel's memory, or beyond all of it; the second and further lines too.
    for (const cl_ulong bytes :
         {cl_ulong{1} << 32, ~cl_ulong{0}, -cl_ulong{4096}, cl_ulong{1} << 63}) {
        expect_fault(copies(out, tile, "n, 1, n, n"), bytes);
        expect_fault(copies(tile, out, "n, 1, n, n"), bytes);
        expect_fault(copies(out, tile, "64, 2, n, 64"), bytes);
        expect_fault(copies(tile, out, "64, 2, 64, n"), bytes);
        expect_fault(copies(out, tile, "64, n, 64, 0"), bytes);
        expect_fault(copies(tile, out, "64, n, 0, 64"), bytes);
    }
    // Code, which kernels can read, and their stack's guard.
    const std::string pc = "ulong pc; __asm__ volatile(\"auipc %0, 0\" : \"=r\"(pc));";
    expect_fault(pc + copies("pc", tile, "4, 1, 4, 4"), 0);
    expect_fault(pc + copies("pc - 4096", out, "4096, 2, 4096, 0"), 0);
    const std::string sp = "ulong sp; __asm__ volatile(\"mv %0, sp\" : \"=r\"(sp));";
    expect_fault(sp + copies("sp - (1 << 20)", tile, "1 << 20, 1, 0, 0"), 0);
    expect_fault(sp + copies(tile, "sp - (4 << 20)", "4, 1, 4, 4"), 0);
    expect_healthy();
    const cl::Buffer read_code = buffer(std::vector<int>(1024));
    launch_hostile(pc + copies(out, "pc", "4, 1, 4, 4"), read_code, 0).wait();
    EXPECT_NE(read<int>(read_code, 1).front(), 0);
}

// The host gets the memory once the kernel has ended, however it does. The harts with channels are
// devices of their own here, so that one has nothing else to do afterwards.
TEST_F(CopyEngine, StopsWithItsKernel) {
    std::vector<cl::Device> parts;
    const cl_device_partition_property each[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    device.createSubDevices(each, &parts);
    context = log.context_of({device, parts.at(0), parts.at(1)});
    const cl::CommandQueue queues[] = {{context, parts[0]}, {context, parts[1]}};
    const std::string start = "copy((ulong)out, (ulong)(out + (1 << 20)), 4 << 20, 1, 0, 0);";
    const std::string endless = "copy((ulong)out, (ulong)(out + (1 << 20)), 4, n, 0, 0);";
    const struct {
        std::string body;
        bool fails;
    } ends[] = {
        {start, false},
        {start + "*(global volatile int *)n = 0;", true},
        {start + "while (!*stop);", true},
        {endless + "wait_for_copy();", true},
        {endless, false},
    };
    for (const auto &end : ends) {
        queue = queues[0];
        const cl::Buffer out = buffer(std::vector<int>(2 << 20, 1));
        const cl::Event event = launch_hostile(end.body, out, cl_ulong{1} << 62);
        EXPECT_EQ(status_of([&] { event.wait(); }) != CL_SUCCESS, end.fails) << end.body;
        if (end.fails)
            EXPECT_THAT(log.next(), HasSubstr("test")) << end.body;
        queue = queues[1];
        queue.enqueueWriteBuffer(out, CL_TRUE, 0, 4 << 20, std::vector<int>(1 << 20).data());
        expect_copies();
        EXPECT_EQ(read<int>(out, 1 << 20), std::vector<int>(1 << 20)) << end.body;
    }
}

// Its long launch takes more than the other tests' time limit.
class CopyEngineShared : public CopyEngine {};

// Kernels of two contexts use the same local memory one within the other.
TEST_F(CopyEngineShared, LetsKernelsOfAHighPriorityInBetween) {
    cl::Context other = log.context_of(device);
    const cl_queue_properties list[] = {CL_QUEUE_PRIORITY_KHR, CL_QUEUE_PRIORITY_HIGH_KHR, 0};
    const cl::CommandQueue high(
        clCreateCommandQueueWithProperties(other(), device(), list, nullptr));
    const size_t harts = device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
    cl::Kernel low_kernel = kernel(R"(
kernel void test(global int *in, global int *out, global volatile int *words) {
    local int tile[4096];
    for (int round = 0; round < 64 || (!words[1] && round < 1 << 20); ++round) {
        for (size_t k = get_local_id(0); k < 4096; k += 16)
            tile[k] = -1;
        barrier(CLK_LOCAL_MEM_FENCE);
        event_t event = async_work_group_copy(tile, in, 4096, 0);
        atomic_inc(words);
        wait_group_events(1, &event);
        for (size_t k = get_local_id(0); k < 4096; k += 16)
            if (tile[k] != in[k])
                atomic_inc(&words[2]);
        barrier(CLK_LOCAL_MEM_FENCE);
        event = async_work_group_copy(out + 4096 * get_group_id(0), tile, 4096, 0);
        wait_group_events(1, &event);
    }
})");
    const cl::Buffer in = buffer(iota<int>(4096)), out = buffer(std::vector<int>(4096 * 16)),
                     words = buffer(std::vector<int>(3));
    low_kernel.setArg(0, in);
    low_kernel.setArg(1, out);
    low_kernel.setArg(2, words);
    cl::Event low;
    queue.enqueueNDRangeKernel(low_kernel, {}, cl::NDRange(harts * group), cl::NDRange(group),
                               nullptr, &low);
    queue.flush();
    while (execution_status(low) > CL_RUNNING)
        std::this_thread::yield();
    cl::Program program(other, R"(
kernel void test(global const int *in, global int *out) {
    local int tile[4096];
    event_t event = async_work_group_copy(tile, in, 4096, 0);
    wait_group_events(1, &event);
    event = async_work_group_copy(out + 4096 * get_group_id(0), tile, 4096, 0);
    wait_group_events(1, &event);
})");
    program.build(device);
    cl::Kernel high_kernel(program, "test");
    std::vector<int> source(4096, 7), results(4096 * harts);
    const cl::Buffer from(other, CL_MEM_COPY_HOST_PTR, 4096 * sizeof(int), source.data());
    const cl::Buffer to(other, CL_MEM_READ_WRITE, results.size() * sizeof(int));
    high_kernel.setArg(0, from);
    high_kernel.setArg(1, to);
    for (int launches = 0; launches < 50; ++launches) {
        high.enqueueFillBuffer(to, 0, 0, results.size() * sizeof(int));
        high.enqueueNDRangeKernel(high_kernel, {}, cl::NDRange(harts * group), cl::NDRange(group));
        high.enqueueReadBuffer(to, CL_TRUE, 0, results.size() * sizeof(int), results.data());
        ASSERT_THAT(results, Each(7));
    }
    const std::vector<int> stop(1, 1);
    const cl::CommandQueue second(context, device);
    second.enqueueWriteBuffer(words, CL_TRUE, sizeof(int), sizeof(int), stop.data());
    low.wait();
    EXPECT_EQ(read<int>(words, 3)[2], 0);
    const auto copied = read<int>(out, 4096 * harts);
    for (size_t i = 0; i < copied.size(); ++i)
        ASSERT_EQ(copied[i], int(i % 4096)) << i;
}

} // namespace
} // namespace rivulet::test
