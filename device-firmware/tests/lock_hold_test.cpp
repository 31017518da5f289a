// SPDX-License-Identifier: Apache-2.0
//
// Measures the longest hold of the firmware's lock, in basic blocks of its portable part, which is
// built with coverage callbacks for this test. No lock hold may grow with the number of launches,
// because other harts' kernels would have to wait for it.
#include <atomic>

#include "device-firmware/tests/firmware_fixture.h"

namespace {

thread_local int locks_held;
thread_local uint64_t blocks;
std::atomic<uint64_t> longest;
std::atomic<rivulet::firmware::Machine *>
    host_submits_to; // a command before each last look, or null

} // namespace

// The linker inserts these between the portable part and the threads below it, and before the last
// look at the command ring (--wrap).
extern "C" {
void __real_arch_lock_take(pthread_mutex_t *lock);
void __real_arch_lock_release(pthread_mutex_t *lock);
void __wrap_arch_lock_take(pthread_mutex_t *lock) {
    __real_arch_lock_take(lock);
    if (locks_held++ == 0)
        blocks = 0;
}
void __wrap_arch_lock_release(pthread_mutex_t *lock) {
    if (--locks_held == 0) {
        uint64_t known = longest;
        while (known < blocks && !longest.compare_exchange_weak(known, blocks))
            ;
    }
    __real_arch_lock_release(lock);
}
void __sanitizer_cov_trace_pc() { ++blocks; }
bool __real_service_nothing_new(struct firmware *firmware);
bool __wrap_service_nothing_new(struct firmware *firmware) {
    if (auto *const machine = host_submits_to.load())
        machine->publish_one();
    return __real_service_nothing_new(firmware);
}
}

namespace rivulet::firmware {
namespace {

constexpr uint32_t many = 900; // launches; the firmware knows 904 at a time
// At most 1,130 were seen: a few dozen for each of STEPS_AT_ONCE, plus a constant. A loop over all
// launches takes 20,000 to 250,000.
constexpr uint64_t most_blocks = 2500;

/// Two harts, each with a kernel that runs until released; hart 0 is free in between.
class Crowd : public Machine {
public:
    Crowd() : Machine(3) {
        for (const uint64_t hart : {1, 2})
            launch(record(wait, 1, &gate_), {.stream = busy, .flags = 0, .harts = 1u << hart});
        wait_for([this] { return entered_ == 2; });
        longest = 0;
    }
    Crowd(const Crowd &) = delete;
    Crowd &operator=(const Crowd &) = delete;
    ~Crowd() { let_go(); }

    void let_go() { gate_.open = true; }
    /// Takes the completions of everything submitted.
    void drain(uint32_t completions) {
        for (uint32_t i = 0; i < completions && !testing::Test::HasFailure(); ++i)
            (void)completion();
    }
    /// Submits all at once: the harts don't see the first before the last has been written.
    void submit_together(const std::vector<rvl_slot> &slots) {
        for (const rvl_slot &slot : slots)
            place(slot);
        publish();
        ring_if_wanted();
    }
    uint64_t empty() { return empty_ ? empty_ : empty_ = record(nothing, 1); }

    static constexpr uint32_t busy = 1, first_free = 2;

private:
    struct Gate {
        std::atomic<bool> open = false;
        std::atomic<uint32_t> *entered = nullptr;
    };
    static void wait(const rvl_launch_record *record, rvl_launch_words *words,
                     rvl_hart_frame *frame) {
        Gate *gate;
        std::memcpy(&gate, record->arguments, sizeof gate);
        for_each_group(record, words, frame, [&](uint32_t) {
            ++*gate->entered;
            while (!gate->open)
                std::this_thread::sleep_for(std::chrono::microseconds(100));
        });
    }
    static void nothing(const rvl_launch_record *record, rvl_launch_words *words,
                        rvl_hart_frame *frame) {
        for_each_group(record, words, frame, [](uint32_t) {});
    }

    std::atomic<uint32_t> entered_ = 0;
    Gate gate_{.open = false, .entered = &entered_};
    uint64_t empty_ = 0;
};

/// `scene` submits `launches` launches to a crowd and takes their completions.
using Scene = void (*)(Crowd &, uint32_t launches);
void expect_no_growth(Scene scene) {
    Crowd crowd;
    scene(crowd, many);
    EXPECT_LE(longest, most_blocks);
}

TEST(HoldsOfTheLock, DoNotGrowWithLaunchesOfOtherSubDevices) {
    expect_no_growth([](Crowd &crowd, uint32_t launches) {
        for (uint32_t i = 0; i < launches; ++i)
            crowd.launch(crowd.empty(),
                         {.stream = Crowd::first_free + i, .flags = 0, .harts = 2 + 2 * (i % 2)});
        for (int i = 0; i < 20; ++i) // of hart 0, which has to find them behind all others
            EXPECT_EQ(crowd.run(crowd.empty(), {.stream = 5000, .harts = 1}), RVL_RESULT_OK);
        crowd.let_go();
        crowd.drain(2 + launches);
    });
}

TEST(HoldsOfTheLock, DoNotGrowWithLaunchesAmongWhichOneIsKilled) {
    expect_no_growth([](Crowd &crowd, uint32_t launches) {
        uint32_t last = 0;
        for (uint32_t i = 0; i < launches; ++i) // half of them wait for others, half for a hart
            last = crowd.launch(crowd.empty(), {.stream = i % 2 ? Crowd::busy : 2 + i, .harts = 2});
        for (uint32_t i = 0; i < launches; ++i)
            crowd.kill(last - i);
        crowd.drain(2 * launches);
        crowd.let_go();
        crowd.drain(2);
    });
}

TEST(HoldsOfTheLock, DoNotGrowWithLaunchesBehindOneBarrier) {
    expect_no_growth([](Crowd &crowd, uint32_t launches) {
        crowd.launch(crowd.empty(), {.stream = Crowd::busy}); // waits for the two
        for (uint32_t i = 0; i < launches; ++i)
            crowd.launch(crowd.empty(), {.stream = Crowd::busy, .flags = 0});
        crowd.let_go();
        crowd.drain(3 + launches);
    });
}

TEST(HoldsOfTheLock, DoNotGrowWithStreamsThatWaitForOneLaunch) {
    expect_no_growth([](Crowd &crowd, uint32_t launches) {
        for (uint32_t i = 0; i < launches / 2; ++i) {
            rvl_slot slot = {};
            slot.header = {RVL_GROUP_LAUNCH, RVL_LAUNCH_WAIT, 0, sizeof(rvl_wait), 0};
            slot.wait.number = crowd.next_number();
            slot.wait.stream = Crowd::first_free + i;
            slot.wait.count = 1;
            slot.wait.launch[0] = 1; // the first of the two that the crowd consists of
            crowd.submit(slot);
            crowd.launch(crowd.empty(), {.stream = Crowd::first_free + i});
        }
        crowd.ping(1); // all of them have been taken
        EXPECT_EQ(crowd.completion().header.token, 1);
        crowd.let_go();
        crowd.drain(2 + launches / 2);
    });
}

TEST(HoldsOfTheLock, DoNotGrowWithCommandsThatComeTogether) {
    expect_no_growth([](Crowd &crowd, uint32_t launches) {
        std::vector<rvl_slot> slots;
        for (uint32_t i = 0; i < launches; ++i)
            slots.push_back(crowd.launch_slot(crowd.empty(), {.stream = Crowd::busy, .flags = 0}));
        crowd.submit_together(slots);
        crowd.let_go();
        crowd.drain(2 + launches);
    });
}

TEST(HoldsOfTheLock, DoNotGrowWithCommandsThatComeWhileTheirStreamAdvances) {
    expect_no_growth([](Crowd &crowd, uint32_t launches) {
        const auto in_stream = [](uint8_t flags) {
            return Machine::Options{.stream = Crowd::first_free, .flags = flags, .harts = 2};
        };
        const uint32_t first = crowd.launch(crowd.empty(), in_stream(0));
        crowd.launch(crowd.empty(), in_stream(RVL_FLAG_BARRIER)); // holds what follows back
        for (uint32_t i = 0; i < launches / 2; ++i)
            crowd.launch(crowd.empty(), in_stream(0));
        crowd.ping(1); // all of them have been taken
        EXPECT_EQ(crowd.completion().header.token, 1);
        std::vector<rvl_slot> slots = {Machine::kill_slot(first)};
        for (uint32_t i = 0; i < launches / 2 - 2; ++i)
            slots.push_back(crowd.launch_slot(crowd.empty(), in_stream(0)));
        crowd.submit_together(slots);
        crowd.let_go();
        crowd.drain(2 + 2 + launches / 2 + static_cast<uint32_t>(slots.size()));
    });
}

TEST(HoldsOfTheLock, DoNotGrowWithCommandsThatComeOneByOneAsTheyAreServed) {
    expect_no_growth([](Crowd &crowd, uint32_t launches) {
        for (uint32_t i = 0; i < launches; ++i)
            crowd.place(crowd.launch_slot(crowd.empty(), {.stream = Crowd::busy, .flags = 0}));
        host_submits_to = &crowd;
        crowd.ring();
        EXPECT_TRUE(crowd.wait_for([&] { return crowd.placed() == 0; }));
        host_submits_to = nullptr;
        crowd.let_go();
        crowd.drain(2 + launches);
    });
}

TEST(HoldsOfTheLock, DoNotGrowWithCompletionsThatWaitForRoom) {
    expect_no_growth([](Crowd &crowd, uint32_t launches) {
        const uint32_t slots = crowd.hello().completion_slots;
        for (uint32_t i = 0; i < slots; ++i) // fill the ring …
            crowd.launch(crowd.empty(), {.stream = 2, .harts = 1});
        crowd.wait_for([&] {
            return crowd.completion_tail() - crowd.mailbox().completions.head.value == slots;
        });
        for (uint32_t i = 0; i < launches; ++i) // … and end more that it has no room for
            crowd.launch(crowd.empty(), {.stream = 2, .harts = 1});
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        shared_word(crowd.mailbox().completions.head.value).fetch_add(slots); // all at once
        crowd.drain(launches);
        crowd.let_go();
        crowd.drain(2);
    });
}

TEST(HoldsOfTheLock, DoNotGrowWithKillsBehindCommandsWithoutRoom) {
    expect_no_growth([](Crowd &crowd, uint32_t launches) {
        const uint32_t slots = crowd.hello().completion_slots;
        for (uint32_t i = 0; i < slots; ++i)
            crowd.launch(crowd.empty(), {.stream = 2, .harts = 1});
        crowd.wait_for([&] {
            return crowd.completion_tail() - crowd.mailbox().completions.head.value == slots;
        });
        for (uint32_t i = 0; i < launches; ++i)
            crowd.kill(1000000 + i);
        for (int i = 0; i < 20; ++i) { // each look at the ring sees them again, or not
            crowd.ring();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        crowd.drain(slots + launches);
        crowd.let_go();
        crowd.drain(2);
    });
}

TEST(HoldsOfTheLock, DoNotGrowWithLaunchesOfAHostThatIsGone) {
    expect_no_growth([](Crowd &crowd, uint32_t launches) {
        for (uint32_t i = 0; i < launches; ++i)
            crowd.launch(crowd.empty(), {.stream = i % 2 ? Crowd::busy : 2 + i, .harts = 2});
        crowd.ping(1); // all of them have been taken
        EXPECT_EQ(crowd.completion().header.token, 1);
        std::jthread later([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            crowd.let_go();
        });
        EXPECT_TRUE(crowd.attach(77));
        EXPECT_EQ(crowd.run(crowd.empty()), RVL_RESULT_OK);
    });
}

TEST(HoldsOfTheLock, DoNotGrowWithStreamsThatFailed) {
    expect_no_growth([](Crowd &crowd, uint32_t launches) {
        for (uint32_t i = 0; i < launches; ++i) { // each has a launch that waits, or failed
            const uint32_t launch = crowd.launch(crowd.empty(), {.stream = 10 + i, .harts = 2});
            if (i % 8 == 7)
                crowd.kill(launch);
        }
        for (uint32_t i = 0; i < 400; ++i) {
            crowd.kill(crowd.launch(crowd.empty(), {.stream = 5000 + i, .harts = 2}));
            crowd.drain(2);
        }
        crowd.let_go();
        crowd.drain(2 + launches + launches / 8);
    });
}

} // namespace
} // namespace rivulet::firmware
