// SPDX-License-Identifier: Apache-2.0
//
// QEMU dies under us, or stops, or loses its mind: everything under way ends with an error, nothing
// hangs, and a new context has a device again.
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include "hal/protocol/mailbox.h"
#include "reports.h"
// This header comes last, because it uses the API version set by those before it.
#include "host-runtime/include/CL/cl_ext_rivulet.h"

namespace rivulet::test {
namespace {

struct ProcessState {
    std::string name; // in parentheses
    char state = 'X';
    pid_t parent = 0;
};

ProcessState state_of(pid_t process) {
    ProcessState found;
    std::string pid;
    std::ifstream("/proc/" + std::to_string(process) + "/stat") >> pid >> found.name >>
        found.state >> found.parent;
    return found;
}

// Orphans that this process leaves are its children, from before the first device is started.
[[maybe_unused]] const int adopts = prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);

/// Process ids of this process's QEMUs, whatever program runs them. Their keepers are orphans,
/// which it adopts.
std::vector<pid_t> qemus() {
    std::vector<pid_t> found;
    for (const auto &entry : std::filesystem::directory_iterator("/proc")) {
        const pid_t pid = std::atoi(entry.path().filename().c_str());
        const ProcessState process = state_of(pid);
        const ProcessState keeper = state_of(process.parent);
        if (keeper.name == "(keeper)" && keeper.parent == getpid())
            found.push_back(pid);
    }
    return found;
}

using namespace std::chrono_literals;

/// The mailbox of this process's device, in the memory that it shares with QEMU.
rvl_mailbox *mailbox() {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        if (line.find("rivulet-memory") == std::string::npos)
            continue;
        const uint64_t begin = std::stoull(line, nullptr, 16);
        constexpr uint64_t searched = 16u << 20; // the firmware is at the beginning
        for (uint64_t at = begin; at < begin + searched; at += RVL_PAGE_BYTES) {
            auto *found = reinterpret_cast<rvl_mailbox *>(at); // NOLINT
            if (found->hello.magic == RVL_MAILBOX_MAGIC && found->boot.magic == RVL_MAILBOX_MAGIC)
                return found;
        }
    }
    return nullptr;
}

constexpr const char *endless = "kernel void test(global int *out) {"
                                "    while (*(volatile global int *)out == 0) {}"
                                "}";

class DeviceDeath : public OnDevice {
protected:
    void SetUp() override {
        if (!on_qemu())
            GTEST_SKIP() << "only QEMU is a process of its own";
    }
    cl::Kernel endless_kernel;
    cl::Buffer out;
    ReportLog &log = ReportLog::create();

    /// Creates all objects again, with a context that records what it is told about the device.
    void start_again() {
        context = log.context_of(device);
        queue = cl::CommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE);
    }

    /// A kernel that doesn't end by itself.
    cl::Event spin() {
        prepare_to_spin();
        return start_to_spin();
    }
    void prepare_to_spin() {
        endless_kernel = kernel(endless);
        out = buffer(std::vector<int>(1));
        endless_kernel.setArg(0, out);
    }
    cl::Event start_to_spin() {
        const cl::Event event = launch(endless_kernel, 1);
        queue.flush();
        return event;
    }
    static void kill_qemu(int signal = SIGKILL) {
        const auto children = qemus();
        ASSERT_EQ(children.size(), 1u);
        kill(children[0], signal);
        while (signal == SIGSTOP && state_of(children[0]).state != 'T')
            std::this_thread::sleep_for(1ms); // until all of its threads have stopped
    }
};
// CMakeLists.txt runs these with a deadline of some seconds.
using DeviceSilence = DeviceDeath;

// The device would do the fill, once the code for that is loaded: it copies nothing from the host
// then.
TEST_F(DeviceDeath, EndsAFillBetweenKernelsLikeThose) {
    const auto copied = [&] {
        cl_ulong bytes = 0;
        clGetDeviceInfo(device(), CL_DEVICE_COPIED_BYTES_RIVULET, sizeof bytes, &bytes, nullptr);
        return bytes;
    };
    prepare_to_spin();
    cl::Kernel quick = kernel("kernel void test(global int *out) { out[0] = 1; }");
    const cl::Buffer other = buffer(std::vector<int>(64));
    quick.setArg(0, other);
    const auto patience = std::chrono::steady_clock::now() + 20s;
    for (cl_ulong before = ~cl_ulong{0}; before != copied(); std::this_thread::sleep_for(1ms)) {
        ASSERT_LT(std::chrono::steady_clock::now(), patience);
        cl::UserEvent gate(context);
        const std::vector<cl::Event> waits{gate};
        before = copied();
        launch(quick, 1, &waits);
        queue.enqueueFillBuffer(other, 0, 0, 256);
        launch(quick, 1);
        gate.setStatus(CL_COMPLETE);
        queue.finish();
    }
    const cl::Event spinning = start_to_spin();
    cl::Event filled;
    queue.enqueueFillBuffer(other, 0, 0, 256, nullptr, &filled);
    const cl::Event behind = launch(quick, 1);
    queue.flush();
    kill_qemu();
    for (const cl::Event &event : {spinning, filled, behind})
        EXPECT_NE(status_of([&] { event.wait(); }), CL_SUCCESS);
    EXPECT_EQ(execution_status(filled), execution_status(spinning));
    EXPECT_EQ(execution_status(behind), execution_status(spinning));
}

TEST_F(DeviceDeath, EndsTheLaunchUnderWayWithAnError) {
    const cl::Event event = spin();
    const std::vector<cl::Event> waits{event};
    int value = 0;
    cl::Event later;
    queue.enqueueReadBuffer(out, CL_FALSE, 0, 4, &value, &waits, &later);
    queue.flush();
    kill_qemu();
    EXPECT_NE(status_of([&] { event.wait(); }), CL_SUCCESS);
    EXPECT_LT(execution_status(event), 0);
    EXPECT_NE(status_of([&] { later.wait(); }), CL_SUCCESS);
}

/// Standard output goes to a pipe while it exists.
class OutputToPipe {
public:
    OutputToPipe() : before_(dup(STDOUT_FILENO)) {
        std::fflush(stdout);
        EXPECT_EQ(pipe(ends_), 0);
        dup2(ends_[1], STDOUT_FILENO);
        close(ends_[1]);
    }
    ~OutputToPipe() {
        std::fflush(stdout);
        dup2(before_, STDOUT_FILENO);
        close(before_);
        close(ends_[0]);
    }
    OutputToPipe(const OutputToPipe &) = delete;
    OutputToPipe &operator=(const OutputToPipe &) = delete;
    /// Some of what there is, or of what comes first.
    std::string read_some(bool waits) {
        fcntl(ends_[0], F_SETFL, waits ? 0 : O_NONBLOCK);
        char bytes[4096];
        const ssize_t count = read(ends_[0], bytes, sizeof bytes);
        return {bytes, count > 0 ? static_cast<size_t>(count) : 0};
    }

private:
    const int before_;
    int ends_[2] = {-1, -1};
};

// A launch that is lost stays in its queue until those before it have written what they printed.
TEST_F(DeviceDeath, FinishReturnsAfterTheOutputOfEarlierLaunches) {
    constexpr size_t lines = 5000;
    constexpr std::string_view line =
        "a line of some length, so that all of them don't fit a pipe\n";
    start_again();
    cl::Kernel printing = kernel("kernel void test() {"
                                 "    printf(\"a line of some length, so that all of them "
                                 "don't fit a pipe\\n\"); }");
    prepare_to_spin(); // which waits for the queue
    std::string output;
    std::atomic<bool> finished = false;
    bool was_early = false;
    {
        OutputToPipe pipe;
        launch(printing, lines);
        start_to_spin();
        output = pipe.read_some(true); // the launch has ended, and its output is under way
        kill_qemu();
        EXPECT_THAT(log.next(), testing::HasSubstr("SIGKILL"));
        std::thread finishing([&] {
            status_of([&] { queue.finish(); }); // with any result
            finished = true;
        });
        std::this_thread::sleep_for(300ms);
        was_early = finished; // no message before the pipe is read: it would wait for it, too
        while (!finished)
            output += pipe.read_some(false);
        finishing.join();
        while (output.size() < lines * line.size()) // all of it, even if that comes too late
            output += pipe.read_some(true);
    }
    EXPECT_FALSE(was_early);
    EXPECT_EQ(output.size(), lines * line.size());
}

TEST_F(DeviceDeath, LaterCallsFailInsteadOfHanging) {
    const cl::Event event = spin();
    kill_qemu();
    EXPECT_NE(status_of([&] { event.wait(); }), CL_SUCCESS);
    EXPECT_NE(status_of([&] { launch(endless_kernel, 1).wait(); }), CL_SUCCESS);
    EXPECT_NE(status_of([&] { read<int>(out, 1); }), CL_SUCCESS);
    status_of([&] { queue.finish(); }); // with any result
}

TEST_F(DeviceDeath, ANewContextStartsAFreshDevice) {
    for (int round = 0; round < 3; ++round) {
        const cl::Event event = spin();
        kill_qemu();
        EXPECT_NE(status_of([&] { event.wait(); }), CL_SUCCESS);
        context = cl::Context(device);
        queue = cl::CommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE);
        expect_healthy();
    }
}

TEST_F(DeviceDeath, WithNothingToDoIsToldOnceAndTheNextContextWorks) {
    start_again();
    expect_healthy();
    for (int round = 0; round < 3; ++round) {
        kill_qemu();
        EXPECT_THAT(log.next(), testing::HasSubstr("SIGKILL"));
        EXPECT_NE(status_of([&] { read<int>(buffer(std::vector<int>(1)), 1); }), CL_SUCCESS);
        start_again();
        expect_healthy();
        EXPECT_THAT(log.take_all(), testing::IsEmpty());
    }
}

TEST_F(DeviceDeath, ByADamagedRingIsFollowedByAContextThatWorks) {
    for (const bool is_command_ring : {false, true}) {
        start_again();
        const cl::Event event = spin();
        rvl_mailbox *const found = mailbox();
        ASSERT_NE(found, nullptr);
        uint32_t &index =
            is_command_ring ? found->commands.head.value : found->completions.tail.value;
        __atomic_fetch_add(&index, 100'000, __ATOMIC_SEQ_CST);
        status_of([&] { launch(endless_kernel, 1); }); // which looks at the ring of commands
        status_of([&] { queue.flush(); });
        EXPECT_NE(status_of([&] { event.wait(); }), CL_SUCCESS);
        EXPECT_THAT(log.next(), testing::HasSubstr("the device was lost"));
        start_again();
        expect_healthy();
    }
}

TEST_F(DeviceDeath, MapsInADeadContextFail) {
    start_again();
    const cl::Buffer mapped = buffer(std::vector<int>(1024));
    kill_qemu();
    log.next();
    const auto expect_refusals = [&] {
        for (const cl_bool blocking : {CL_TRUE, CL_FALSE}) {
            cl_int code = CL_SUCCESS;
            EXPECT_EQ(clEnqueueMapBuffer(queue(), mapped(), blocking, CL_MAP_READ | CL_MAP_WRITE, 0,
                                         64, 0, nullptr, nullptr, &code),
                      nullptr);
            EXPECT_EQ(code, CL_OUT_OF_RESOURCES);
        }
    };
    expect_refusals();
    const cl::Context next(device);
    expect_refusals();
}

TEST_F(DeviceSilence, OfAStoppedQemuEndsTheLaunchUnderWay) {
    start_again();
    const cl::Event event = spin();
    kill_qemu(SIGSTOP);
    EXPECT_NE(status_of([&] { event.wait(); }), CL_SUCCESS);
    EXPECT_THAT(log.next(), testing::HasSubstr("no sign of life"));
    start_again();
    expect_healthy();
    EXPECT_EQ(qemus().size(), 1u); // the stopped one is gone
}

TEST_F(DeviceSilence, OfAQemuThatIsStoppedWhileItHasNothingToDo) {
    start_again();
    cl::Kernel one = kernel("kernel void test(global int *out) { *out = 1; }");
    one.setArg(0, buffer(std::vector<int>(1)));
    launch(one, 1).wait();
    kill_qemu(SIGSTOP);
    EXPECT_NE(status_of([&] { launch(one, 1).wait(); }), CL_SUCCESS);
    EXPECT_THAT(log.next(), testing::HasSubstr("no sign of life"));
    start_again();
    expect_healthy();
}

TEST_F(DeviceSilence, IsNotWhatALongLaunchIs) {
    start_again();
    const cl::Event event = spin();
    std::this_thread::sleep_for(10s); // two deadlines
    cl_int *const word = static_cast<cl_int *>(
        cl::CommandQueue(context, device).enqueueMapBuffer(out, CL_TRUE, CL_MAP_WRITE, 0, 4));
    __atomic_store_n(word, 1, __ATOMIC_RELEASE);
    EXPECT_EQ(status_of([&] { event.wait(); }), CL_SUCCESS);
    EXPECT_EQ(execution_status(event), CL_COMPLETE);
    expect_healthy();
}

} // namespace
} // namespace rivulet::test
