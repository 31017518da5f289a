// SPDX-License-Identifier: Apache-2.0
//
// The memory of a device that runs, read without taking part: nothing is written, no ring index
// moves, no session is taken. So `rivulet monitor` and `rivulet dump` work alongside the
// application that uses the device.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hal/core/error.h"

namespace rivulet::tools {

/// pc and x1 to x31.
using HartRegisters = std::array<uint64_t, 32>;

class WatchedMemory {
public:
    virtual ~WatchedMemory() = default;
    virtual hal::Result<> read(uint64_t address, std::span<std::byte> to) = 0;
    [[nodiscard]] virtual uint64_t base() const = 0;
    [[nodiscard]] virtual uint64_t bytes() const = 0;
    /// For people: "vecadd (process 4711), QEMU process 4712".
    [[nodiscard]] virtual std::string title() const = 0;
    /// The mailbox's address; nullopt: it has to be looked for.
    [[nodiscard]] virtual std::optional<uint64_t> mailbox() const { return std::nullopt; }
    /// Skips what was never written: the next address from `address` on that may hold something.
    [[nodiscard]] virtual uint64_t next_data(uint64_t address) { return address; }
    /// Whether the device can still be reached. An owner that ended takes it along.
    [[nodiscard]] virtual bool is_there() { return true; }
    /// Services the device for this long, if this process has to.
    virtual void pass_time(std::chrono::milliseconds time);
    /// Registers of all harts at this moment; empty where the way to the device has none.
    virtual hal::Result<std::vector<HartRegisters>> registers() {
        return std::vector<HartRegisters>{};
    }

    [[nodiscard]] bool contains(uint64_t address, uint64_t length) const {
        return address >= base() && length <= bytes() && address - base() <= bytes() - length;
    }
    template <class T> hal::Result<> read_object(uint64_t address, T &object) {
        return read(address, std::as_writable_bytes(std::span(&object, 1)));
    }
};

using Memories = std::vector<std::unique_ptr<WatchedMemory>>;

/// The user's choice of a device.
struct Target {
    int pid = 0;        // of the application or of its QEMU; 0: all of this user's
    bool start = false; // start the device of the environment and watch that
};

/// Opens the memories that the options and the environment mean: processes of this machine, a
/// window that Linux shows (driver linux), or a debug port (driver gdb). The error says what to do
/// if there is none.
hal::Result<Memories> open_memories(const Target &target);

// Each of these opens one kind of memory.
Memories memories_of_processes(int pid);
hal::Result<std::unique_ptr<WatchedMemory>> open_window(const hal::Config &config);
hal::Result<std::unique_ptr<WatchedMemory>> open_stub(const hal::Config &config);
hal::Result<std::unique_ptr<WatchedMemory>> start_own(const hal::Config &config);

/// The mailbox address that the firmware's file names: RIVULET_FIRMWARE, else the one of the board.
hal::Result<uint64_t> mailbox_of_firmware(const hal::Config &config, const std::string &board,
                                          uint32_t xlen);

} // namespace rivulet::tools
