// SPDX-License-Identifier: Apache-2.0
//
// The only implementation of Device: mailbox and rings on top of a driver. It starts and stops the
// device, submits commands and takes completions; its parts do the rest.
#pragma once

#include <array>
#include <atomic>
#include <mutex>
#include <vector>

#include "base/lock.h"
#include "hal/core/boot.h"
#include "hal/core/clock.h"
#include "hal/core/command_ring.h"
#include "hal/core/crash_report.h"
#include "hal/core/device_cache.h"
#include "hal/core/link.h"
#include "hal/core/liveness.h"
#include "hal/core/log_reader.h"
#include "hal/core/ring.h"
#include "hal/core/session.h"
#include "hal/core/sleep.h"

namespace rivulet::hal {

/* Memory serialises the driver's reads, writes and syncs; `ring`, `wait` and `wake` need no
 * lock. */
class MailboxDevice final : public Device {
public:
    MailboxDevice(const rvl_driver &driver, rvl_device *device, const rvl_device_desc &description,
                  Config config, std::unique_ptr<DriverCallbacks> host,
                  std::vector<BuiltInKernel> built_in_kernels);
    ~MailboxDevice() override;

    [[nodiscard]] const rvl_device_desc &description() const override { return link_.description; }
    [[nodiscard]] std::span<const BuiltInKernel> built_in_kernels() const override {
        return built_in_kernels_;
    }
    Result<> start() override;
    void stop() override;
    [[nodiscard]] Result<> usable() const override { return link_.usable(); }
    void give_up(std::string_view reason) override;
    void on_death(std::function<void()> told) override {
        link_.callbacks->on_death(std::move(told));
    }
    [[nodiscard]] const rvl_hello &hello() const override { return link_.hello; }

    [[nodiscard]] std::byte *map(uint64_t address, size_t bytes) override;
    Result<> read(uint64_t address, std::span<std::byte> to) override;
    Result<> write(uint64_t address, std::span<const std::byte> from) override;
    Result<> sync(uint64_t address, size_t bytes, rvl_sync_direction direction) override;
    Result<> write_launch(uint64_t address, std::span<const std::byte> from) override;

    Result<size_t> submit(std::span<const rvl_slot> commands) override;
    [[nodiscard]] Result<size_t> room() const override;
    Result<std::span<const rvl_slot>> completions(std::chrono::nanoseconds timeout) override;
    void wake() override;
    Result<FileDescriptor> export_memory(uint64_t address, uint64_t bytes) override;
    bool export_ended(uint64_t address, uint64_t bytes) override;
    Result<> import_memory(uint64_t address, uint64_t bytes, int descriptor) override;
    void end_import(uint64_t address, uint64_t bytes) override;
    Result<MemoryFile> memory_file() override;
    uint64_t promised_local_memory() override;
    Result<rvl_conditions> conditions() override;
    Result<> set_clock(uint32_t mhz) override;
    Result<> suspend() override;
    Result<> resume() override;
    [[nodiscard]] rvl_state state() const override;
    [[nodiscard]] uint32_t restarts() const override;
    Result<std::vector<rvl_hart_statistics>> statistics() override;
    Result<rvl_fault> fault(uint32_t index, uint32_t launch) override;
    [[nodiscard]] uint64_t host_time(uint64_t device_time) const override;
    HostTimes host_times(const DeviceTimes &device, const HostTimes &within) override;

private:
    // Under the life lock:
    Result<> bring_up();
    Result<> reset();
    Result<> attach();
    void open_rings();
    Result<> await_wish_for_bell();
    Result<> first_pings();
    Result<> end_sleep();
    void halt(std::string_view reason);

    // Under the consumer's lock:
    Result<size_t> take();
    Result<> wait(uint64_t timeout_ns);
    Result<bool> idle();

    const std::vector<BuiltInKernel> built_in_kernels_;
    Link link_;
    Sleep sleep_{link_};

    Mutex life_{LockRank::life};
    bool fresh_ = true; // nothing has been loaded yet, so no reset is needed
    std::atomic<uint32_t> starts_ = 0;

    Mutex consumer_{LockRank::consumer};
    Consumer completions_;
    LogReader log_;
    std::array<rvl_slot, 64> taken_{};
    std::atomic<bool> woken_ = false;

    mutable CommandRing commands_{link_};
    std::atomic<bool> room_wanted_ = false; // a submit found the ring full

    CrashReport crash_{link_, log_};
    Clock clock_;
    Liveness liveness_{link_, commands_, crash_, clock_};
    DeviceCache cache_{link_, commands_, crash_, liveness_.silence_limit_ns()};
    Boot boot_{link_, log_, crash_, liveness_.heartbeat_ms()};
    Session session_{link_, log_, boot_, crash_};
    std::once_flag local_memory_asked_;
    uint64_t local_memory_bytes_ = 0;
};

} // namespace rivulet::hal
