// SPDX-License-Identifier: Apache-2.0
//
// How launches share the harts, and sub-devices (4.3), which have separate harts.
#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <utility>

#include "on_device.h"

namespace rivulet::test {
namespace {

class Scheduling : public OnDevice {
protected:
    const cl_uint harts = device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();

    std::vector<cl::Device> parts(std::vector<cl_device_partition_property> properties) {
        std::vector<cl::Device> devices;
        device.createSubDevices(properties.data(), &devices);
        return devices;
    }
    /// A mask of the harts that an event's launch ran on.
    static cl_ulong harts_of(const cl::Event &event) {
        constexpr cl_profiling_info harts_rivulet = 0x4F02;
        cl_ulong mask = 0;
        EXPECT_EQ(clGetEventProfilingInfo(event(), harts_rivulet, sizeof mask, &mask, nullptr),
                  CL_SUCCESS);
        return mask;
    }

    /// While a launch of many chunks runs, short ones in `other` note how many of its work-groups
    /// have begun: from one to the next it may be two chunks on each hart. That holds of harts
    /// whose time is the device's own: a single one, or those of a machine that counts
    /// instructions. Elsewhere the operating system may hold back one hart's thread while others go
    /// on with the long launch; there the short ones only have to come in between.
    void expect_turns(const cl::CommandQueue &other) {
        const char *machine = std::getenv("RIVULET_MACHINE");
        const bool counts = machine && std::string_view(machine).contains("icount");
        const bool exact = harts == 1 || counts;
        const int groups = static_cast<int>(harts) * (exact ? 32 : 4096); // chunks of 4
        EXPECT_LE(longest_turn(other, groups), exact ? groups / 4 : groups - 1);
    }

    /// The most work-groups that began from one short launch to the next, at most `groups`.
    int longest_turn(const cl::CommandQueue &other, int groups) {
        const cl::Program program = build(R"(
kernel void slow(global volatile int *stop, global volatile int *begun) {
    atomic_inc(begun);
    for (int n = 0; n < 500000 && !*stop; ++n)
        ;
    barrier(CLK_LOCAL_MEM_FENCE); // one group at a time, not rows of them
}
kernel void note(global volatile int *begun, global int *seen, int index) {
    seen[index] = atomic_or(begun, 0);
}
kernel void end(global volatile int *stop) { *stop = 1; })");
        constexpr int notes = 5;
        const cl::Buffer stop = buffer(std::vector<int>(1));
        const cl::Buffer begun = buffer(std::vector<int>(1));
        const cl::Buffer seen = buffer(std::vector<int>(notes));
        cl::Kernel slow(program, "slow"), note(program, "note"), end(program, "end");
        slow.setArg(0, stop);
        slow.setArg(1, begun);
        note.setArg(0, begun);
        note.setArg(1, seen);
        end.setArg(0, stop);
        cl::Event running;
        queue.enqueueNDRangeKernel(slow, {}, cl::NDRange(size_t(groups)), cl::NDRange(1), nullptr,
                                   &running);
        queue.flush();
        while (execution_status(running) > CL_SUBMITTED)
            std::this_thread::yield();
        cl::UserEvent all_there(context); // the device gets them in one go, however slow we are
        const std::vector<cl::Event> gate{all_there};
        for (int index = 0; index < notes; ++index) {
            note.setArg(2, index);
            other.enqueueNDRangeKernel(note, {}, cl::NDRange(1), {}, index ? nullptr : &gate);
        }
        other.enqueueNDRangeKernel(end, {}, cl::NDRange(1));
        all_there.setStatus(CL_COMPLETE);
        other.finish();
        queue.finish();
        const auto counts = read<int>(seen, notes);
        if (counts.back() >= groups)
            return groups; // they didn't come in between
        int longest = 0;
        for (size_t index = 1; index < notes; ++index)
            longest = std::max(longest, counts[index] - counts[index - 1]);
        return longest;
    }
};

TEST_F(Scheduling, LongLaunchLetsThoseOfAnotherQueueThroughWithinTwoChunks) {
    expect_turns(cl::CommandQueue(context, device));
}

TEST_F(Scheduling, LongLaunchLetsThoseOfASubDeviceThroughWithinTwoChunks) {
    if (harts < 2)
        GTEST_SKIP() << "one hart can't be divided";
    const auto half = parts({CL_DEVICE_PARTITION_EQUALLY, harts / 2, 0}).at(0);
    context = cl::Context(std::vector<cl::Device>{device, half});
    queue = cl::CommandQueue(context, device);
    expect_turns(cl::CommandQueue(context, half));
}

TEST_F(Scheduling, LaunchesOfAHighPriorityComeBeforeOthers) {
    const std::string extensions = " " + device.getInfo<CL_DEVICE_EXTENSIONS>() + " ";
    ASSERT_NE(extensions.find(" cl_khr_priority_hints "), std::string::npos);
    const auto with_priority = [&](cl_queue_priority_khr priority) {
        const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES,
                                            CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                            CL_QUEUE_PRIORITY_KHR, priority, 0};
        cl_int code = CL_SUCCESS;
        cl::CommandQueue made(clCreateCommandQueueWithProperties(context(), device(), list, &code));
        EXPECT_EQ(code, CL_SUCCESS);
        EXPECT_EQ(made.getInfo<CL_QUEUE_PROPERTIES_ARRAY>(),
                  std::vector<cl_queue_properties>(std::begin(list), std::end(list)));
        return made;
    };
    const cl::CommandQueue low = with_priority(CL_QUEUE_PRIORITY_LOW_KHR);
    const cl::CommandQueue high = with_priority(CL_QUEUE_PRIORITY_HIGH_KHR);
    const cl::Program program = build(R"(
kernel void endless(global volatile int *stop) {
    for (int n = 0; n < 500000 && !*stop; ++n)
        ;
    barrier(CLK_LOCAL_MEM_FENCE); // one group at a time, not rows of them
}
kernel void add(global volatile int *sum) { atomic_inc(sum); }
kernel void end(global volatile int *stop, global volatile int *sum, global int *seen) {
    *seen = atomic_or(sum, 0);
    *stop = 1;
})");
    const cl::Buffer stop = buffer(std::vector<int>(1)), sum = buffer(std::vector<int>(1)),
                     seen = buffer(std::vector<int>(1));
    cl::Kernel endless(program, "endless"), add(program, "add"), end(program, "end");
    endless.setArg(0, stop);
    add.setArg(0, sum);
    end.setArg(0, stop);
    end.setArg(1, sum);
    end.setArg(2, seen);
    cl::Event running;
    low.enqueueNDRangeKernel(endless, {}, cl::NDRange(size_t{harts} << 16), cl::NDRange(1), nullptr,
                             &running);
    low.flush();
    while (execution_status(running) > CL_SUBMITTED)
        std::this_thread::yield();
    cl::UserEvent all_there(context);
    const std::vector<cl::Event> gate{all_there};
    // More than the device knows at a time, and all of them before the one of a high priority.
    constexpr int others = 1500;
    for (int n = 0; n < others; ++n)
        low.enqueueNDRangeKernel(add, {}, cl::NDRange(1), {}, &gate);
    high.enqueueNDRangeKernel(end, {}, cl::NDRange(1), {}, &gate);
    low.flush();
    all_there.setStatus(CL_COMPLETE);
    high.finish();
    low.finish();
    EXPECT_EQ(read<int>(sum, 1).front(), others);
    EXPECT_LT(read<int>(seen, 1).front(), others / 2); // of 1,500, some may come in between
}

// Where queues alternate, the firmware goes from a launch to the one that waits for it without a
// look at anything else. It then takes the time once, as the end of one and the start of the other.
TEST_F(Scheduling, LaunchesOfTwoQueuesFollowEachOtherAtOnce) {
    cl::Kernel add = kernel("kernel void test(global int *sum) { *sum += 1; }");
    const cl::Buffer sum = buffer(std::vector<int>(1));
    add.setArg(0, sum);
    const cl::CommandQueue other(context, device, CL_QUEUE_PROFILING_ENABLE);
    cl::UserEvent gate(context);
    std::vector<cl::Event> events{gate};
    constexpr size_t launches = 200;
    for (size_t i = 0; i < launches; ++i) {
        const std::vector<cl::Event> last{events.back()};
        (i % 2 == 0 ? queue : other)
            .enqueueNDRangeKernel(add, {}, cl::NDRange(1), {}, &last, &events.emplace_back());
    }
    gate.setStatus(CL_COMPLETE);
    queue.finish();
    other.finish();
    EXPECT_EQ(read<int>(sum, 1).front(), static_cast<int>(launches));
    size_t at_once = 0;
    for (size_t i = 2; i <= launches; ++i)
        at_once += events[i].getProfilingInfo<CL_PROFILING_COMMAND_START>() ==
                   events[i - 1].getProfilingInfo<CL_PROFILING_COMMAND_END>();
    EXPECT_GT(at_once, launches / 2);
}

// More launches behind a long one than the device knows at a time leave places for other queues.
// On a busy machine, all that the test does meanwhile has to be little in comparison with the long
// launch: no compiler runs, and others have their turns after 4,096 of its groups.
TEST_F(Scheduling, LaunchesThatWaitForALongOneDontKeepOtherQueuesFromTheDevice) {
    const cl::Program program = build(R"(
kernel void endless(global volatile int *stop) {
    for (int n = 0; n < 5000 && !*stop; ++n)
        ;
    barrier(CLK_LOCAL_MEM_FENCE); // one group at a time, not rows of them
}
kernel void add(global volatile int *sum) { atomic_inc(sum); }
kernel void end(global volatile int *stop) { *stop = 1; })");
    const cl::Buffer stop = buffer(std::vector<int>(1)), sum = buffer(std::vector<int>(1));
    cl::Kernel endless(program, "endless"), add(program, "add"), end(program, "end");
    endless.setArg(0, stop);
    add.setArg(0, sum);
    end.setArg(0, stop);
    const cl::Context first = std::exchange(context, cl::Context(device));
    queue = cl::CommandQueue(context, device);
    cl::Kernel iota = kernel("kernel void test(global int *out) {"
                             "    out[get_global_id(0)] = get_global_id(0);"
                             "}");
    const cl::Buffer out = buffer(std::vector<int>(1000));
    iota.setArg(0, out);
    context = first;
    // Two queues of that kind, and one that waits for the same launch out of order.
    std::vector<cl::CommandQueue> waiting{
        {context, device},
        {context, device},
        {context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}};
    std::vector<cl::Event> running(1);
    waiting[0].enqueueNDRangeKernel(endless, {}, cl::NDRange(size_t{harts} << 18), cl::NDRange(1),
                                    nullptr, &running[0]);
    waiting[0].flush();
    while (execution_status(running[0]) > CL_SUBMITTED)
        std::this_thread::yield();
    constexpr int others = 1200;
    for (const cl::CommandQueue &each : waiting) {
        for (int n = 0; n < others; ++n)
            each.enqueueNDRangeKernel(add, {}, cl::NDRange(1), {}, &running);
        each.flush();
    }
    launch(iota, 1000);
    EXPECT_EQ(read<int>(out, 1000), test::iota<int>(1000));
    queue = cl::CommandQueue(context, device);
    EXPECT_GT(execution_status(running[0]), CL_COMPLETE);
    queue.enqueueNDRangeKernel(end, {}, cl::NDRange(1));
    queue.finish();
    for (const cl::CommandQueue &each : waiting)
        each.finish();
    EXPECT_EQ(read<int>(sum, 1).front(), static_cast<int>(waiting.size()) * others);
}

TEST_F(Scheduling, SubDevicesRunOnTheirOwnHartsAlone) {
    if (harts < 2)
        GTEST_SKIP() << "one hart can't be divided";
    for (const std::vector<cl_device_partition_property> &properties :
         {std::vector<cl_device_partition_property>{CL_DEVICE_PARTITION_EQUALLY, 1, 0},
          {CL_DEVICE_PARTITION_BY_COUNTS, cl_device_partition_property(harts - 1), 1,
           CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0}}) {
        cl_ulong taken = 0;
        for (const cl::Device &part : parts(properties)) {
            context = cl::Context(part);
            queue = cl::CommandQueue(context, part, CL_QUEUE_PROFILING_ENABLE);
            device = part;
            cl::Kernel touch = kernel("kernel void test(global int *out) {"
                                      "    out[get_global_id(0)] = get_group_id(0); }");
            const cl::Buffer out = buffer(std::vector<int>(4096));
            touch.setArg(0, out);
            cl::Event event;
            queue.enqueueNDRangeKernel(touch, {}, cl::NDRange(4096), cl::NDRange(16), nullptr,
                                       &event);
            queue.finish();
            const cl_ulong used = harts_of(event);
            EXPECT_NE(used, 0u);
            EXPECT_EQ(used & taken, 0u);
            EXPECT_LE(__builtin_popcountll(used),
                      static_cast<int>(part.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>()));
            taken |= used;
            device = first_device();
        }
    }
}

TEST_F(Scheduling, SubDevicesLiveAsLongAsWhatUsesThem) {
    if (harts < 2)
        GTEST_SKIP() << "one hart can't be divided";
    {
        auto devices = parts({CL_DEVICE_PARTITION_EQUALLY, 1, 0});
        context = cl::Context(devices);
        queue = cl::CommandQueue(context, devices.back(), CL_QUEUE_PROFILING_ENABLE);
        device = devices.back();
    }
    expect_healthy();
    context = cl::Context(); // the queue has it still
    const cl::CommandQueue last = queue;
    queue = cl::CommandQueue();
    device = cl::Device();
    EXPECT_EQ(last.finish(), CL_SUCCESS);
}

} // namespace
} // namespace rivulet::test
