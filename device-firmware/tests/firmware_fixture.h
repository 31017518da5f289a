// SPDX-License-Identifier: Apache-2.0
//
// The firmware on host threads with a minimal host: the fixture of all tests of the portable part.
#pragma once

#include <atomic>
#include <bit>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>

#include "device-firmware/host/firmware_host.h"
#include "hal/drivers/loopback/cache.h"
#include "hal/protocol/fault.h"
#include "hal/protocol/launch.h"
#include "hal/protocol/mailbox.h"

extern "C" void firmware_publish_crash(struct firmware *firmware); // core/boot.h

namespace rivulet::firmware {

using Kernel = void(const rvl_launch_record *, rvl_launch_words *, rvl_hart_frame *);

inline std::atomic_ref<uint32_t> shared_word(uint32_t &word) { return std::atomic_ref(word); }

/// Takes chunks of groups as compiled kernels do, and calls `work` with each group's number.
inline void for_each_group(const rvl_launch_record *record, rvl_launch_words *words,
                           rvl_hart_frame *frame, const std::function<void(uint32_t)> &work) {
    for (;;) {
        uint32_t first = shared_word(words->next_group).fetch_add(record->chunk);
        if (first >= record->total_groups)
            return;
        shared_word(frame->first_group) = first;
        for (uint32_t group = first; group < first + record->chunk && group < record->total_groups;
             ++group)
            work(group);
        if (shared_word(words->yield))
            return;
    }
}

class Memory {
public:
    explicit Memory(size_t bytes) : bytes_(bytes) {
        address_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE | PROT_EXEC,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (address_ == MAP_FAILED)
            throw std::bad_alloc();
    }
    ~Memory() { munmap(address_, bytes_); }
    Memory(const Memory &) = delete;
    Memory &operator=(const Memory &) = delete;
    [[nodiscard]] void *get() const { return address_; }
    [[nodiscard]] size_t bytes() const { return bytes_; }

private:
    size_t bytes_;
    void *address_;
};

/// With RIVULET_TEST_NONCOHERENT in the environment, the harts access memory through a simulated
/// cache that has to be maintained. Its value is the cache block size.
inline bool noncoherent() {
    static const bool wanted = std::getenv("RIVULET_TEST_NONCOHERENT") != nullptr;
    return wanted;
}

inline uint32_t cache_block() {
    const char *bytes = std::getenv("RIVULET_TEST_NONCOHERENT");
    return bytes ? static_cast<uint32_t>(std::strtoul(bytes, nullptr, 10)) : RVL_CACHE_BLOCK;
}

class Machine {
public:
    /// Without a host, the firmware starts as if loaded by a debugger or boot loader.
    explicit Machine(uint32_t harts, uint32_t protocol = RVL_PROTOCOL_VERSION, bool host = true,
                     uint32_t boot_flags = RVL_BOOT_NONCOHERENT | RVL_BOOT_LARGE_BLOCKS)
        : memory_(RVL_FIRMWARE_HOST_LEAST_BYTES(harts)), cached_(memory_.bytes()),
          mailbox_(static_cast<rvl_mailbox *>(memory_.get())) {
        if (host) {
            mailbox_->boot.magic = RVL_MAILBOX_MAGIC;
            mailbox_->boot.protocol = protocol;
            mailbox_->boot.heartbeat_ms = 5;
        }
        shared_word(mailbox_->host_notify_enabled.value) = 1;
        rvl_firmware_host_config config = {
            .memory = noncoherent() ? cached_.get() : memory_.get(),
            .bytes = memory_.bytes(),
            .harts = harts,
            .vlen = 0,
            .isa = "host",
            .user = this,
            .ring_host = [](void *user) { static_cast<Machine *>(user)->bell(); },
            .log = nullptr,
            .cache_clean = nullptr,
            .cache_invalidate = nullptr,
            .cache_block = cache_block(),
        };
        if (noncoherent()) {
            mailbox_->boot.flags = boot_flags;
            config.cache_clean = [](void *user, uint64_t address, uint64_t bytes) {
                auto &machine = *static_cast<Machine *>(user);
                machine.cache().clean(machine.offset(address), bytes);
            };
            config.cache_invalidate = [](void *user, uint64_t address, uint64_t bytes) {
                auto &machine = *static_cast<Machine *>(user);
                machine.cache().invalidate(machine.offset(address), bytes);
            };
        }
        firmware_ = rvl_firmware_host_start(&config);
        wait_for([this] { return state() >= RVL_STATE_RUNNING; });
        next_ = hello().heap_base + RVL_PAGE_BYTES; // after the page that launches use as their
                                                    // code
    }
    ~Machine() {
        if (firmware_)
            rvl_firmware_host_stop(firmware_);
    }
    Machine(const Machine &) = delete;
    Machine &operator=(const Machine &) = delete;

    /// Device memory as the host sees it.
    template <class T> [[nodiscard]] T *at(uint64_t address) {
        return reinterpret_cast<T *>(static_cast<std::byte *>(memory_.get()) + offset(address));
    }
    /// Tests call these before the harts read what the test wrote into the arena, and before the
    /// test reads it.
    void clean(uint64_t address, uint64_t bytes) { maintain(RVL_CACHE_CLEAN, address, bytes); }
    void invalidate(uint64_t address, uint64_t bytes) {
        maintain(RVL_CACHE_INVALIDATE, address, bytes);
    }

    [[nodiscard]] const rvl_hello &hello() const { return mailbox_->hello; }
    [[nodiscard]] uint32_t state() { return shared_word(mailbox_->hello.state); }

    /// Names additional memory regions for the next host.
    void name_regions(uint64_t heap, uint64_t heap_bytes, uint64_t scratchpad,
                      uint64_t scratchpad_bytes) {
        mailbox_->boot.second_heap_base = heap;
        mailbox_->boot.second_heap_bytes = heap_bytes;
        mailbox_->boot.scratchpad_base = scratchpad;
        mailbox_->boot.scratchpad_bytes = scratchpad_bytes;
    }

    /// A host attaches without ringing; false if the firmware does not answer.
    bool attach(uint32_t session, uint32_t protocol = RVL_PROTOCOL_VERSION) {
        mailbox_->boot.magic = session != 0 ? RVL_MAILBOX_MAGIC : 0;
        mailbox_->boot.protocol = protocol;
        mailbox_->boot.heartbeat_ms = 5;
        shared_word(mailbox_->boot.session).store(session, std::memory_order_release);
        const bool welcome = wait_for([&] {
            return shared_word(mailbox_->hello.session) == session && state() != RVL_STATE_BOOTING;
        });
        auto head = shared_word(mailbox_->completions.head.value);
        head = uint32_t{completion_tail()};
        return welcome;
    }
    /// As if one hart had failed, and the others were too busy to notice.
    void fail() { firmware_publish_crash(reinterpret_cast<struct ::firmware *>(firmware_)); }
    uint32_t heartbeats() { return shared_word(mailbox_->heartbeat.count); }

    uint64_t allocate(size_t bytes) {
        uint64_t address = next_;
        next_ += (bytes + RVL_PAGE_BYTES - 1) & -uint64_t{RVL_PAGE_BYTES};
        return address;
    }

    /// A launch record for `groups` groups, with one pointer as argument.
    uint64_t record(Kernel *kernel, uint32_t groups, void *argument = nullptr, uint32_t chunk = 1) {
        uint64_t address = allocate(RVL_LAUNCH_BYTES);
        auto *record = at<rvl_launch_record>(address);
        record->version = RVL_PROTOCOL_VERSION;
        record->kernel = reinterpret_cast<uint64_t>(kernel);
        record->total_groups = groups;
        record->chunk = chunk;
        std::memcpy(record->arguments, &argument, sizeof argument);
        return address;
    }

    struct Options {
        uint32_t stream = 1;
        uint8_t flags = RVL_FLAG_BARRIER;
        uint64_t harts = 0;
        uint32_t time_limit = 0;
    };
    rvl_slot launch_slot(uint64_t record, Options options) {
        rvl_slot slot = {};
        slot.header = {RVL_GROUP_LAUNCH, RVL_LAUNCH_NDRANGE, options.flags, sizeof(rvl_launch), 0};
        auto page = [](uint64_t address) {
            return static_cast<uint32_t>(address / RVL_PAGE_BYTES);
        };
        slot.launch = {.launch = ++launches_,
                       .stream = options.stream,
                       .record = record,
                       .hart_mask = options.harts,
                       .arena_page = page(hello().heap_base),
                       .arena_pages = page(hello().heap_bytes),
                       .code_page = page(hello().heap_base),
                       .code_pages = 1,
                       .time_limit = options.time_limit,
                       .context = 0,
                       .second_page = 0,
                       .second_pages = 0};
        return slot;
    }
    uint32_t launch(uint64_t record, Options options) {
        submit(launch_slot(record, options));
        return launches_;
    }
    uint32_t launch(uint64_t record) { return launch(record, Options{}); }
    uint32_t next_number() { return ++launches_; }
    static rvl_slot kill_slot(uint32_t launch) {
        rvl_slot slot = {};
        slot.header = {RVL_GROUP_LAUNCH, RVL_LAUNCH_KILL, 0, sizeof(rvl_kill), 0};
        slot.kill.launch = launch;
        return slot;
    }
    void kill(uint32_t launch) { submit(kill_slot(launch)); }
    void ping(uint16_t token) {
        rvl_slot slot = {};
        slot.header = {RVL_GROUP_BASE, RVL_BASE_PING, 0, 0, token};
        submit(slot);
    }

    void submit(const rvl_slot &slot) {
        write(slot);
        ring_if_wanted();
    }
    void ring() { rvl_firmware_host_ring(firmware_, ~uint64_t{0}); }
    /// Puts a command into the ring without ringing.
    void write(const rvl_slot &slot) {
        place(slot);
        publish();
    }
    /// Writes a command into its slot; invisible to the firmware until `publish`.
    void place(const rvl_slot &slot) {
        const uint32_t tail = shared_word(mailbox_->commands.tail.value) + placed_++;
        wait_for([&] { return tail - shared_word(command_head()) < hello().command_slots; });
        auto *slots = at<rvl_slot>(hello().command_ring);
        slots[tail & (hello().command_slots - 1)] = slot;
    }
    void publish() { shared_word(mailbox_->commands.tail.value).fetch_add(placed_.exchange(0)); }
    /// Publishes the oldest placed but unpublished command, if any. Any single thread may call it
    /// while no thread places commands.
    void publish_one() {
        if (placed_ == 0)
            return;
        --placed_;
        shared_word(mailbox_->commands.tail.value).fetch_add(1);
    }
    [[nodiscard]] uint32_t placed() const { return placed_; }
    void ring_if_wanted() {
        if (shared_word(notify_enabled()))
            rvl_firmware_host_ring(firmware_, 1);
    }
    rvl_mailbox &mailbox() { return *mailbox_; }
    bool has_large_blocks() { return shared_word(mailbox_->hello.flags) & RVL_HELLO_LARGE_BLOCKS; }
    uint32_t &notify_enabled() {
        return has_large_blocks() ? mailbox_->device_words.notify_enabled
                                  : mailbox_->device_notify_enabled.value;
    }
    uint32_t &command_head() {
        return has_large_blocks() ? mailbox_->device_words.command_head
                                  : mailbox_->commands.head.value;
    }
    uint32_t completion_tail() {
        return shared_word(has_large_blocks() ? mailbox_->device_words.completion_tail
                                              : mailbox_->completions.tail.value);
    }
    uint32_t bells() { return bells_; }
    void set_tail(uint32_t value) { shared_word(mailbox_->commands.tail.value) = value; }
    uint32_t tail() { return shared_word(mailbox_->commands.tail.value); }

    /// The next completion; none within ten seconds fails the test.
    rvl_slot completion() {
        auto head = shared_word(mailbox_->completions.head.value);
        EXPECT_TRUE(wait_for([&] { return head != completion_tail(); })) << "no completion came";
        auto *slots = at<const rvl_slot>(hello().completion_ring);
        rvl_slot slot = slots[head & (hello().completion_slots - 1)];
        head = head + 1;
        return slot;
    }
    [[nodiscard]] bool completions_wait() {
        return shared_word(mailbox_->completions.head.value) != completion_tail();
    }
    /// The next completion of a launch.
    rvl_completion launch_completion() {
        for (;;)
            if (rvl_slot slot = completion(); slot.completion.launch || testing::Test::HasFailure())
                return slot.completion;
    }
    rvl_result run(uint64_t record) { return run(record, Options{}); }
    rvl_result run(uint64_t record, Options options) {
        launch(record, options);
        return static_cast<rvl_result>(launch_completion().result);
    }

    uint32_t fetches() { return rvl_firmware_host_fetches(firmware_); }
    const rvl_fault &fault(uint32_t index) {
        return at<const rvl_fault>(hello().fault_table)[index];
    }

    std::string log() {
        auto head = shared_word(mailbox_->log.head.value);
        uint32_t tail = shared_word(mailbox_->log.tail.value);
        std::string text;
        for (uint32_t i = head; i != tail; ++i)
            text += at<const char>(hello().log_ring)[i % hello().log_bytes];
        head = tail;
        return text;
    }

    /// Polls, woken by doorbells; false after ten seconds.
    bool wait_for(const std::function<bool()> &done) {
        std::unique_lock lock(mutex_);
        auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (!done()) {
            if (std::chrono::steady_clock::now() > end)
                return false;
            bell_.wait_for(lock, std::chrono::milliseconds(1));
        }
        return true;
    }

private:
    [[nodiscard]] uint64_t offset(uint64_t address) const {
        const Memory &harts = noncoherent() ? cached_ : memory_;
        return address - reinterpret_cast<uintptr_t>(harts.get());
    }
    [[nodiscard]] hal::loopback::Cache cache() {
        return {static_cast<std::byte *>(cached_.get()), static_cast<std::byte *>(memory_.get()),
                cache_lock_, cache_block()};
    }
    void maintain(uint32_t operation, uint64_t address, uint64_t bytes) {
        rvl_slot slot = {};
        slot.header = {RVL_GROUP_MEMORY, RVL_MEMORY_CACHE, RVL_FLAG_SILENT,
                       sizeof(rvl_cache_ranges), 0};
        slot.cache.operation = operation;
        slot.cache.count = 1;
        slot.cache.range[0].address = address;
        slot.cache.range[0].bytes = bytes;
        ++maintenance_;
        submit(slot);
        EXPECT_TRUE(wait_for([this] {
            return shared_word(mailbox_->cache_served) == maintenance_;
        })) << "the caches are not maintained";
    }

    void bell() {
        ++bells_;
        std::lock_guard lock(mutex_);
        bell_.notify_all();
    }

    std::mutex mutex_;
    std::condition_variable bell_;
    Memory memory_;
    Memory cached_; // the harts' view of it
    hal::loopback::CacheLock cache_lock_;
    uint32_t maintenance_ = 0;
    std::atomic<uint32_t> placed_ = 0;
    std::atomic<uint32_t> bells_ = 0;
    rvl_mailbox *mailbox_;
    rvl_firmware_host *firmware_ = nullptr;
    uint64_t next_ = 0;
    uint32_t launches_ = 0;
};

template <class T> T &argument(const rvl_launch_record *record) {
    T *pointer;
    std::memcpy(&pointer, record->arguments, sizeof pointer);
    return *pointer;
}

using Count = std::atomic<uint32_t>;

inline void count_groups(const rvl_launch_record *record, rvl_launch_words *words,
                         rvl_hart_frame *frame) {
    for_each_group(record, words, frame, [&](uint32_t) { ++argument<Count>(record); });
}

/// Blocks each group until the gate is open.
struct Gate {
    std::atomic<bool> open = false;
    Count entered = 0;
};
inline void wait_at_gate(const rvl_launch_record *record, rvl_launch_words *words,
                         rvl_hart_frame *frame) {
    auto &gate = argument<Gate>(record);
    for_each_group(record, words, frame, [&](uint32_t) {
        ++gate.entered;
        while (!gate.open)
            std::this_thread::yield();
    });
}

/// A kernel that never runs out of groups but honours yield.
inline void spin(const rvl_launch_record *record, rvl_launch_words *words, rvl_hart_frame *frame) {
    shared_word(frame->first_group) = 0;
    auto &entered = argument<Count>(record);
    ++entered;
    while (!shared_word(words->yield))
        std::this_thread::yield();
}

/// Records what was in the hart's local memory, then overwrites it.
inline void leave_a_trace(const rvl_launch_record *record, rvl_launch_words *words,
                          rvl_hart_frame *frame) {
    uint64_t *found;
    std::memcpy(&found, record->arguments, sizeof found);
    for_each_group(record, words, frame, [&](uint32_t) {
        auto *const local = reinterpret_cast<uint64_t *>(frame->local_memory);
        *found = *local;
        *local = 0x5ec7e7;
    });
}

} // namespace rivulet::firmware
