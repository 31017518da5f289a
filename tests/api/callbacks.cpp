// SPDX-License-Identifier: Apache-2.0
//
// The application's callbacks may do anything except wait for something that depends on them. The
// library holds no lock meanwhile: another thread uses the same objects, and the callback waits for
// that thread.
#include <future>
#include <thread>

#include "on_device.h"

namespace rivulet::test {
namespace {

/// A callback's arguments, handed to the test's thread.
class Outcome {
public:
    template <class Function> void of(Function &&callback) {
        try {
            callback();
            promise_.set_value("fine");
        } catch (const cl::Error &error) {
            promise_.set_value(std::string(error.what()) + " " + std::to_string(error.err()));
        }
    }
    std::string get() { return promise_.get_future().get(); }

private:
    std::promise<std::string> promise_;
};

/// Runs `function` on another thread, which would block forever if a lock were held.
template <class Function> void on_another_thread(Function &&function) {
    std::async(std::launch::async, std::forward<Function>(function)).get();
}

class Callbacks : public OnDevice {
protected:
    struct State {
        cl::Context context;
        cl::CommandQueue queue;
        cl::Buffer buffer;
        cl::Kernel kernel;
        cl::UserEvent gate;
        Outcome outcome;
    };
    static constexpr const char *count_up =
        "kernel void test(global int *data) { atomic_inc(data); }";
};

TEST_F(Callbacks, OfEventsSetUserEventsAndEnqueueAndRelease) {
    auto state = std::make_unique<State>();
    state->context = context;
    state->queue = queue;
    state->buffer = buffer(std::vector<int>(1));
    state->kernel = kernel(count_up);
    state->kernel.setArg(0, state->buffer);
    state->gate = cl::UserEvent(context);
    const std::vector<cl::Event> gate{state->gate};
    cl::CommandQueue other(context, device);
    const cl::Event first = launch(state->kernel, 1);
    cl::Event gated;
    other.enqueueNDRangeKernel(state->kernel, {}, cl::NDRange(1), {}, &gate, &gated);
    const cl::Buffer seen = state->buffer;
    cl_event event = first();
    ASSERT_EQ(clSetEventCallback(
                  event, CL_COMPLETE,
                  [](cl_event, cl_int, void *user) {
                      auto &state = *static_cast<State *>(user);
                      state.outcome.of([&] {
                          state.gate.setStatus(CL_COMPLETE);
                          on_another_thread([&] {
                              state.queue.enqueueNDRangeKernel(state.kernel, {}, cl::NDRange(1));
                              state.queue.finish();
                          });
                          state.queue.enqueueNDRangeKernel(state.kernel, {}, cl::NDRange(1));
                          state.queue.flush();
                          state.gate = {};
                          state.kernel = {};
                          state.buffer = {};
                          state.queue = {};
                          state.context = {};
                      });
                  },
                  state.get()),
              CL_SUCCESS);
    queue.flush();
    EXPECT_EQ(state->outcome.get(), "fine");
    gated.wait();
    queue.finish();
    EXPECT_EQ(read<int>(seen, 1)[0], 4);
}

TEST_F(Callbacks, OfMemoryObjectsReleaseTheNextAndMakeOthers) {
    struct Chain {
        cl_context context;
        cl_mem next;
        Outcome outcome;
    } last{context(), nullptr, {}}, first{context(), nullptr, {}};
    const auto make = [&](Chain &chain) {
        cl_int code = 1;
        const cl_mem memory = clCreateBuffer(context(), 0, 64, nullptr, &code);
        EXPECT_EQ(code, CL_SUCCESS);
        EXPECT_EQ(clSetMemObjectDestructorCallback(
                      memory,
                      [](cl_mem, void *user) {
                          auto &chain = *static_cast<Chain *>(user);
                          chain.outcome.of([&] {
                              on_another_thread([&] {
                                  cl::Buffer(cl::Context(chain.context, true), CL_MEM_READ_WRITE,
                                             64);
                              });
                              if (chain.next)
                                  cl::Buffer(chain.next, false); // the last reference
                          });
                      },
                      &chain),
                  CL_SUCCESS);
        return memory;
    };
    first.next = make(last);
    EXPECT_EQ(clReleaseMemObject(make(first)), CL_SUCCESS);
    EXPECT_EQ(first.outcome.get(), "fine");
    EXPECT_EQ(last.outcome.get(), "fine");
}

TEST_F(Callbacks, OfBuildsMakeAndRunKernelsAndReleaseTheProgram) {
    State state;
    state.context = context;
    state.queue = queue;
    state.buffer = buffer(std::vector<int>(1));
    cl::Program program(context, std::string(count_up));
    ASSERT_EQ(clRetainProgram(program()), CL_SUCCESS); // for the callback to release
    ASSERT_EQ(clBuildProgram(
                  program(), 0, nullptr, "",
                  [](cl_program built, void *user) {
                      auto &state = *static_cast<State *>(user);
                      state.outcome.of([&] {
                          const cl::Program program(built, false);
                          state.kernel = cl::Kernel(program, "test");
                          state.kernel.setArg(0, state.buffer);
                          on_another_thread([&] {
                              (void)program.getInfo<CL_PROGRAM_KERNEL_NAMES>();
                              state.queue.enqueueNDRangeKernel(state.kernel, {}, cl::NDRange(5));
                          });
                          state.queue.finish();
                      });
                  },
                  &state),
              CL_SUCCESS);
    program = {};
    EXPECT_EQ(state.outcome.get(), "fine");
    EXPECT_EQ(read<int>(state.buffer, 1)[0], 5);
}

TEST_F(Callbacks, OfContextsUseTheContextThatReports) {
    if (!on_qemu())
        GTEST_SKIP() << "the loopback driver doesn't isolate kernels";
    State state;
    state.context = cl::Context(
        device, nullptr,
        [](const char *, const void *, size_t, void *user) {
            auto &state = *static_cast<State *>(user);
            state.outcome.of([&] {
                on_another_thread([&] { cl::Buffer(state.context, CL_MEM_READ_WRITE, 64); });
                state.kernel = {};
                state.queue = {};
            });
        },
        &state);
    context = state.context;
    queue = state.queue = cl::CommandQueue(context, device);
    state.kernel =
        kernel("kernel void test(global int *data) { *(volatile global int *)64 = *data; }");
    state.kernel.setArg(0, buffer(std::vector<int>(1)));
    state.queue.enqueueNDRangeKernel(state.kernel, {}, cl::NDRange(1));
    queue.flush();
    EXPECT_EQ(state.outcome.get(), "fine");
    queue.finish();
}

TEST_F(Callbacks, OfContextsComeWhenTheLastThatUsedThemGoes) {
    Outcome outcome;
    {
        const cl::Context made(device);
        ASSERT_EQ(clSetContextDestructorCallback(
                      made(),
                      [](cl_context, void *user) {
                          static_cast<Outcome *>(user)->of(
                              [] { on_another_thread([] { (void)cl::Context(first_device()); }); });
                      },
                      &outcome),
                  CL_SUCCESS);
        const cl::CommandQueue last(made, device);
        last.enqueueMarkerWithWaitList();
    }
    EXPECT_EQ(outcome.get(), "fine");
}

} // namespace
} // namespace rivulet::test
