// SPDX-License-Identifier: Apache-2.0
//
// A started device with the suite's kernels loaded: the fixture of most tests.
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

/// Long enough for a loaded machine with a sanitizer; a test that waits this long has failed.
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

/// The settings of the device under test: the first one in the environment or configuration files.
Config configuration();
/// That device, opened but not started.
Result<std::unique_ptr<Device>> open_device(const rvl_driver *driver = nullptr);
/// Its driver, and the settings passed to it.
const rvl_driver &driver_under_test();
/// Everything logged since the test began.
std::string log_text();
void clear_log();
void log_line(int level, std::string_view text);
using rivulet::test::driver_processes; // empty for most drivers

class Session {
public:
    /// Starts `device`, or the device under test; a failure fails the test.
    explicit Session(std::unique_ptr<Device> device = nullptr);

    [[nodiscard]] Device &operator*() const { return *device_; }
    [[nodiscard]] Device *operator->() const { return device_.get(); }
    [[nodiscard]] bool has(uint32_t flag) const {
        return (device_->description().flags & flag) != 0;
    }

    /// Releases the device, so that the host vanishes with the session.
    [[nodiscard]] std::unique_ptr<Device> release() { return std::move(device_); }
    /// Loads the kernels; to be called again after a restart.
    void load_kernels();
    /// Whole pages of the arena, zeroed.
    uint64_t allocate(size_t bytes);
    [[nodiscard]] uint64_t arena() const { return arena_; }
    [[nodiscard]] uint64_t arena_end() const { return arena_ + arena_bytes; }

    /// Writes the launch record and returns the command.
    rvl_slot command(const Task &task);
    /// Submits all commands, however long that takes.
    void submit(std::span<const rvl_slot> commands);
    /// The completion for a submitted token. Fails the test after `patience`.
    std::optional<rvl_completion> await(uint16_t token);
    std::optional<rvl_completion> run(const Task &task);
    static rvl_slot ping(uint16_t token);

    std::vector<uint32_t> words(uint64_t address, size_t count);
    void write_word(uint64_t address, uint32_t value);
    /// Waits until a word of device memory has this value.
    bool see(uint64_t address, uint32_t value);

private:
    static constexpr uint64_t arena_bytes = 32u << 20;

    std::unique_ptr<Device> device_;
    uint64_t code_ = 0;
    uint64_t code_bytes_ = 0;
    std::vector<uint64_t> kernels_; // offsets in the image
    uint64_t arena_ = 0;
    uint64_t next_ = 0; // offset of free memory in the arena
    uint32_t launches_ = 0;
    uint16_t tokens_ = 0;
    std::map<uint16_t, rvl_completion> completed_;
};

#define SKIP_UNLESS(condition, reason)                                                             \
    if (!(condition))                                                                              \
    GTEST_SKIP() << (reason)

} // namespace rivulet::hal::conformance
