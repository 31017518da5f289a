// SPDX-License-Identifier: Apache-2.0
//
// Read-only access to the memory of a running device: nothing is written, no ring index moves, no
// session is started. So `rivulet monitor` and `rivulet dump` work alongside the application that
// uses the device.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "hal/device.h"
#include "tools/rivulet/watch/conditions.h"

namespace rivulet::tools {

/// pc and x1 to x31.
using HartRegisters = std::array<uint64_t, 32>;

class WatchedMemory {
public:
    virtual ~WatchedMemory() = default;
    virtual Result<> read(uint64_t address, std::span<std::byte> to) = 0;
    [[nodiscard]] virtual uint64_t base() const = 0;
    [[nodiscard]] virtual uint64_t bytes() const = 0;
    /// For display: "vecadd (process 4711), QEMU process 4712".
    [[nodiscard]] virtual std::string title() const = 0;
    /// The mailbox's address; nullopt if it has to be searched.
    [[nodiscard]] virtual std::optional<uint64_t> mailbox() const { return std::nullopt; }
    /// Skips memory that was never written: the next address, at or after `address`, that may have
    /// contents.
    [[nodiscard]] virtual uint64_t next_data(uint64_t address) { return address; }
    /// True if the device is still accessible. If its owner exits, it disappears, too.
    [[nodiscard]] virtual bool is_there() { return true; }
    /// Services the device for this long, if this process has to.
    virtual void pass_time(std::chrono::milliseconds time);
    /// Current registers of all harts; empty if they are not accessible.
    virtual Result<std::vector<HartRegisters>> registers() { return std::vector<HartRegisters>{}; }

    /// What sensors tell; nothing where they are another process's.
    virtual Conditions conditions() { return {}; }

    [[nodiscard]] bool contains(uint64_t address, uint64_t length) const {
        return address >= base() && length <= bytes() && address - base() <= bytes() - length;
    }
    template <class T> Result<> read_object(uint64_t address, T &object) {
        return read(address, std::as_writable_bytes(std::span(&object, 1)));
    }
};

using Memories = std::vector<std::unique_ptr<WatchedMemory>>;

/// The user's selection of a device.
struct Target {
    int pid = 0;        // of the application or its QEMU; 0: all of this user's
    bool start = false; // start the device selected by the environment and watch it
};

/// The devices of the environment, or of the configuration files, whose driver is one of these.
std::vector<hal::Config> devices_with_driver(std::initializer_list<std::string_view> drivers,
                                             std::vector<Error> &errors);

/// Opens the memories selected by the options and the environment: processes of this machine, a
/// window exposed by Linux (driver linux), or a debug port (driver gdb). If there is none, the
/// error says what to do.
Result<Memories> open_memories(const Target &target);

// Each of these opens one kind of memory.
Memories memories_of_processes(int pid);
Result<std::unique_ptr<WatchedMemory>> open_window(const hal::Config &config);
Result<std::unique_ptr<WatchedMemory>> open_stub(const hal::Config &config);
Result<std::unique_ptr<WatchedMemory>> start_own(const hal::Config &config);

/// The mailbox address according to the firmware file: RIVULET_FIRMWARE, otherwise the board's.
Result<uint64_t> mailbox_of_firmware(const hal::Config &config, const std::string &board,
                                     uint32_t xlen);

} // namespace rivulet::tools
