// SPDX-License-Identifier: Apache-2.0
//
// A host without memory: each call is repeated with its first allocation failing, then its second,
// and so on, until it needs no more. It must return CL_OUT_OF_HOST_MEMORY or do without the memory,
// leak nothing, and work the next time.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>
#include <utility>

#include "errors.h"

namespace rivulet::test {

extern thread_local int allocations_left; // of this thread, that still succeed; negative: all
extern thread_local bool refused;
extern thread_local bool is_test;       // the thread that the test runs on
extern std::atomic<int> left_elsewhere; // how many of all other threads still succeed
extern std::atomic<bool> refused_elsewhere;
extern std::atomic<long> live;

class OutOfHostMemory : public Errors {
protected:
    void SetUp() override {
        is_test = true;
        Errors::SetUp();
    }
    void TearDown() override {
        Errors::TearDown();
        is_test = false;
    }

    /// `call` returns an error code, `undo` reverts its effect.
    template <class Call, class Undo> void refuse_each(const char *name, Call call, Undo undo) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, name);
        // The first rounds may leave what later ones use, on a busy machine also a later one. What
        // leaks does so in each.
        bool leaves_nothing = false;
        for (int round = 0; !leaves_nothing; ++round) {
            ASSERT_LT(round, 5) << "allocations are left";
            const long before = settled();
            for (int count = 0;; ++count) {
                ASSERT_LT(count, 10000);
                allocations_left = count;
                refused = false;
                const cl_int code = call();
                allocations_left = -1;
                if (code == CL_SUCCESS)
                    undo();
                else
                    EXPECT_EQ(refused ? code : 1, CL_OUT_OF_HOST_MEMORY) << "allocation " << count;
                if (!refused)
                    break;
            }
            leaves_nothing = round != 0 && settled_to(before) <= before;
        }
    }
    template <class Call> void refuse_each(const char *name, Call call) {
        refuse_each(name, call, [] {});
    }
    /// A call that makes an object.
    template <class Make, class Release>
    void refuse_making(const char *name, Make make, Release release) {
        decltype(make(nullptr)) made = nullptr;
        refuse_each(
            name,
            [&] {
                cl_int code = 1;
                made = make(&code);
                EXPECT_EQ(made == nullptr, code != CL_SUCCESS);
                return code;
            },
            [&] { EXPECT_EQ(release(made), CL_SUCCESS); });
    }
    /// A command: `enqueue` takes where the event goes.
    template <class Enqueue> void refuse_command(const char *name, Enqueue enqueue) {
        cl_event ended = nullptr;
        refuse_each(
            name,
            [&] {
                ended = nullptr;
                const cl_int code = enqueue(&ended);
                EXPECT_EQ(ended == nullptr, code != CL_SUCCESS);
                return code;
            },
            [&] {
                // Brief commands are done at once, by this thread, and may end without memory.
                const cl_int code = clWaitForEvents(1, &ended);
                if (code != CL_SUCCESS) {
                    cl_int status = 0;
                    clGetEventInfo(ended, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                                   nullptr);
                    EXPECT_EQ(refused ? status : 1, CL_OUT_OF_HOST_MEMORY);
                }
                EXPECT_EQ(clReleaseEvent(ended), CL_SUCCESS);
            });
    }

    /// Allocations in use once the library's threads have freed theirs, as far as can be seen: the
    /// number stays constant for a while. It is too high on a machine that delays the threads.
    long settled() {
        EXPECT_EQ(clFinish(queue), CL_SUCCESS);
        long last = live;
        for (int quiet = 0; quiet < 10; ++quiet) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            if (live != std::exchange(last, live))
                quiet = 0;
        }
        return last;
    }
    /// The same where the number that must be left is known: the threads get the time that
    /// they need.
    long settled_to(long expected) {
        EXPECT_EQ(clFinish(queue), CL_SUCCESS);
        for (int n = 0; n < 60'000 && live > expected; ++n)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return live;
    }
};

} // namespace rivulet::test
