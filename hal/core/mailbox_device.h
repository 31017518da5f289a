// SPDX-License-Identifier: Apache-2.0
//
// The only implementation of Device: mailbox and rings on top of a driver.
#pragma once

#include <array>
#include <atomic>
#include <vector>

#include "base/lock.h"
#include "hal/core/clock.h"
#include "hal/core/driver_callbacks.h"
#include "hal/core/log_reader.h"
#include "hal/core/ring.h"

namespace rivulet::hal {

/* Memory serialises the driver's reads, writes and syncs; `ring`, `wait` and `wake` need no
 * lock. */
class MailboxDevice final : public Device {
public:
    MailboxDevice(const rvl_driver &driver, rvl_device *device, const rvl_device_desc &description,
                  Config config, std::unique_ptr<DriverCallbacks> host);
    ~MailboxDevice() override;

    [[nodiscard]] const rvl_device_desc &description() const override { return description_; }
    Result<> start() override;
    void stop() override;
    [[nodiscard]] Result<> usable() const override;
    void give_up(std::string_view reason) override;
    void on_death(std::function<void()> told) override { callbacks_->on_death(std::move(told)); }
    [[nodiscard]] const rvl_hello &hello() const override { return hello_; }

    [[nodiscard]] std::byte *map(uint64_t address, size_t bytes) override;
    Result<> read(uint64_t address, std::span<std::byte> to) override;
    Result<> write(uint64_t address, std::span<const std::byte> from) override;
    Result<> sync(uint64_t address, size_t bytes, rvl_sync_direction direction) override;
    Result<> write_launch(uint64_t address, std::span<const std::byte> from) override;

    Result<size_t> submit(std::span<const rvl_slot> commands) override;
    [[nodiscard]] Result<size_t> room() const override;
    Result<std::span<const rvl_slot>> completions(std::chrono::nanoseconds timeout) override;
    void wake() override;
    Result<> suspend() override;
    Result<> resume() override;
    [[nodiscard]] rvl_state state() const override;
    [[nodiscard]] uint32_t restarts() const override;
    Result<std::vector<rvl_hart_statistics>> statistics() override;
    Result<rvl_fault> fault(uint32_t index, uint32_t launch) override;
    [[nodiscard]] uint64_t host_time(uint64_t device_time) const override;
    HostTimes host_times(const DeviceTimes &device, const HostTimes &within) override;

private:
    // boot.cpp: from a firmware file to a responding device.
    Result<> bring_up();
    Result<> reset();
    Result<> use_built_in_firmware();
    Result<> load_firmware();
    Result<> write_boot_block();
    [[nodiscard]] rvl_boot boot_block() const;
    [[nodiscard]] bool wants_clear_memory() const;
    void look_whether_cleared() const;
    Result<> await_hello();
    Result<> take_hello(rvl_state state);
    Result<> check_hello() const;
    void make_log();
    void make_rings();
    std::string last_words();
    void save_last_words();
    Result<> await_wish_for_bell();
    Result<> first_pings();
    [[nodiscard]] uint64_t limit_after(uint64_t limit_ns) const;
    [[nodiscard]] uint64_t limit_of_start(uint64_t limit_ns) const;
    void halt(std::string_view reason);

    // suspend.cpp: a suspended device must not be accessed.
    class Use {
    public:
        explicit Use(MailboxDevice &device);
        Use(const Use &) = delete;
        Use &operator=(const Use &) = delete;
        ~Use();

    private:
        MailboxDevice &device_;
        bool counted_ = false;
    };
    void await_wakefulness(std::chrono::steady_clock::time_point until, bool use);
    Result<> end_sleep();

    // attach.cpp: attaching to running firmware, and detaching.
    [[nodiscard]] bool attaches() const { return (description_.flags & RVL_DEVICE_RUNNING) != 0; }
    Result<> attach();
    Result<> await_firmware();
    Result<> announce();
    Result<> await_welcome();
    Result<uint32_t> new_session();
    void detach();
    Result<bool> holds_device();
    Result<> expect_to_hold_device();
    // device_cache.cpp
    Result<> clean_on_device(uint64_t address, size_t bytes);
    Result<> invalidate_on_device(uint64_t address, size_t bytes);
    Result<uint32_t> maintain(uint32_t operation, uint64_t address, size_t bytes);
    Result<> await_maintenance(uint32_t command);
    void expect_progress(uint64_t since);
    [[nodiscard]] bool maintains(uint64_t address, size_t bytes) const;

    // mailbox_device.cpp
    [[nodiscard]] bool forked() const;
    Result<> ring_if_wanted();
    Result<uint64_t> signs_of_life();
    std::string report_crash();
    void dump_crash();
    Result<size_t> take();
    Result<> sleep(uint64_t timeout_ns);
    Result<bool> idle();
    void look_for_memory();
    Result<> ping_if_due(uint64_t now);
    Result<> look_for_life();
    [[nodiscard]] static rvl_slot ping_slot();

    [[nodiscard]] uint64_t word(size_t offset) const { return mailbox_ + offset; }

    const rvl_driver driver_; // with all functions set (usable_table)
    rvl_device *device_;
    rvl_device_desc description_;
    Config config_;
    std::unique_ptr<DriverCallbacks> callbacks_;
    mutable Memory memory_;
    const uint32_t process_generation_; // a forked child must not use its parent's device

    Mutex life_{LockRank::life};
    bool fresh_ = true; // nothing has been loaded yet, so no reset is needed
    uint64_t mailbox_ = 0;
    uint64_t notify_enabled_ = 0; // address of the device's word
    uint32_t session_ = 0;        // of this run; 0: none
    rvl_hello hello_{};
    std::atomic<bool> running_ = false;

    Mutex sleep_{LockRank::sleep};
    Condition awake_;
    std::atomic<bool> suspended_ = false;
    uint32_t users_ = 0; // threads accessing memory now

    mutable Mutex producer_{LockRank::producer};
    mutable Producer commands_;
    uint32_t maintenance_ = 0;              // RVL_MEMORY_CACHE commands submitted so far
    std::atomic<bool> room_wanted_ = false; // a submit found the ring full
    std::atomic<uint64_t> ping_sent_ = 0;   // host time of the ping in flight; 0: none
    std::atomic<uint64_t> next_ping_ = 0;
    const uint64_t silence_limit_ns_; // 0: none
    const uint64_t ping_interval_ns_;

    Mutex consumer_{LockRank::consumer};
    Consumer completions_;
    LogReader log_;
    uint64_t log_ring_ = 0; // address of the ring that log_ reads; 0: none yet
    std::array<rvl_slot, 64> taken_{};
    std::atomic<bool> woken_ = false;
    uint64_t looked_for_life_ = 0; // last check; kept across calls, or short waits would never add
                                   // up
    uint64_t silence_ns_ = 0;      // accumulated since the last sign of life
    uint64_t signs_of_life_ = 0;   // as of the last check
    uint32_t heartbeat_ms_ = 0;    // requested from the device
    std::atomic<uint32_t> starts_ = 0;
    std::atomic<bool> crashed_ = false;

    Clock clock_;
};

} // namespace rivulet::hal
