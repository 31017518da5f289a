// SPDX-License-Identifier: Apache-2.0
//
// Accesses a device through its driver's table only, one step at a time: the common code would
// start it completely, and reset it after a partial failure.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hal/core/config.h"
#include "hal/core/driver_table.h"

namespace rivulet::tools {

class RawDevice {
public:
    static Result<std::unique_ptr<RawDevice>> open(hal::Config config);
    RawDevice(const RawDevice &) = delete;
    RawDevice &operator=(const RawDevice &) = delete;
    ~RawDevice();

    [[nodiscard]] const rvl_device_desc &description() const { return description_; }
    [[nodiscard]] bool has(uint32_t flags) const { return (description_.flags & flags) != 0; }
    Result<> read(uint64_t address, void *to, size_t bytes);
    Result<> write(uint64_t address, const void *from, size_t bytes);
    Result<> load(const std::vector<std::byte> &elf);
    Result<> start();
    Result<> ring();
    /// True if the device rang within the time limit.
    Result<bool> wait(uint64_t timeout_ns);
    /// The most recent output of driver and console.
    [[nodiscard]] std::string last_words() const;

private:
    RawDevice() = default;
    Result<> answer(rvl_status status, const char *what);
    Result<std::byte *> map(uint64_t address, size_t bytes);
    void sync(uint64_t address, size_t bytes, rvl_sync_direction direction);

    std::vector<std::string> words_; // outlives the host side, which writes to it
    std::unique_ptr<hal::DriverCallbacks> callbacks_;
    rvl_driver driver_{};
    rvl_device *device_ = nullptr;
    void *memory_ = nullptr; // all of it, once mapped
    rvl_device_desc description_{};
};

} // namespace rivulet::tools
