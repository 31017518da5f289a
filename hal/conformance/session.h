// SPDX-License-Identifier: Apache-2.0
//
// A started device with the suite's kernels on it: what most tests begin with.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hal/device.h"
#include "hal/protocol/launch.h"
#include "hal/tests/driver_processes.h"

namespace rivulet::hal::conformance {

using namespace std::chrono_literals;

/// Long enough for a loaded machine under a sanitizer; a test that waits so long has failed.
inline constexpr auto patience = std::chrono::seconds(60);

enum class Kernel {
#define KERNEL(name) name,
#include "hal/conformance/kernels/kernels.def"
#undef KERNEL
};

/// One launch of one of the suite's kernels.
struct Task {
    Kernel kernel;
    uint32_t groups = 1;
    uint32_t chunk = 1;
    uint64_t buffer = 0;
    uint64_t value = 0;
    uint32_t stream = 1;
    uint8_t flags = 0;
    uint64_t harts = 0;
    uint32_t time_limit = 0;
};

/// The settings of the device under test: the first that environment or configuration files name.
Config configuration();
/// That device, opened and not started.
Result<std::unique_ptr<Device>> open_device(const rvl_driver *driver = nullptr);
/// The driver behind it, and the settings it gets.
const rvl_driver &driver_under_test();
/// Everything that was logged since the test began.
std::string log_text();
void clear_log();
void log_line(int level, std::string_view text);
using rivulet::test::driver_processes; // none for most drivers

class Session {
public:
    /// Starts `device`, or the one under test; a failure fails the test.
    explicit Session(std::unique_ptr<Device> device = nullptr);

    [[nodiscard]] Device &operator*() const { return *device_; }
    [[nodiscard]] Device *operator->() const { return device_.get(); }
    [[nodiscard]] bool has(uint32_t flag) const {
        return (device_->description().flags & flag) != 0;
    }

    /// Gives the device away, so that the host vanishes with the session.
    [[nodiscard]] std::unique_ptr<Device> release() { return std::move(device_); }
    /// Loads the kernels; has to be called again after a restart.
    void load_kernels();
    /// Whole pages of the arena, zeroed.
    uint64_t allocate(size_t bytes);
    [[nodiscard]] uint64_t arena() const { return arena_; }
    [[nodiscard]] uint64_t arena_end() const { return arena_ + arena_bytes; }

    /// Writes the launch record, gives the command.
    rvl_slot command(const Task &task);
    /// Submits all of them, however long that takes.
    void submit(std::span<const rvl_slot> commands);
    /// The completion of a token that was submitted. Fails the test after `patience`.
    std::optional<rvl_completion> await(uint16_t token);
    std::optional<rvl_completion> run(const Task &task);
    static rvl_slot ping(uint16_t token);

    std::vector<uint32_t> words(uint64_t address, size_t count);
    void write_word(uint64_t address, uint32_t value);
    /// Waits until a word of device memory has the value.
    bool see(uint64_t address, uint32_t value);

private:
    static constexpr uint64_t arena_bytes = 32u << 20;

    std::unique_ptr<Device> device_;
    uint64_t code_ = 0;
    uint64_t code_bytes_ = 0;
    std::vector<uint64_t> kernels_; // offsets in the image
    uint64_t arena_ = 0;
    uint64_t next_ = 0; // free memory of the arena
    uint32_t launches_ = 0;
    uint16_t tokens_ = 0;
    std::map<uint16_t, rvl_completion> completed_;
};

#define SKIP_UNLESS(condition, reason)                                                             \
    if (!(condition))                                                                              \
    GTEST_SKIP() << (reason)

} // namespace rivulet::hal::conformance
