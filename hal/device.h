// SPDX-License-Identifier: Apache-2.0
//
// The common code above the driver table: one class that starts a device, talks to its firmware
// through the mailbox, and brings it back after a crash. Knows nothing of OpenCL.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hal/hal.h"
#include "hal/protocol/fault.h"
#include "hal/protocol/mailbox.h"

namespace rivulet::hal {

/// A failure: its kind, and a sentence for the user that says what went wrong and what to do.
struct Error {
    rvl_status status = RVL_IO;
    std::string message;
};
template <class T = void> using Result = std::expected<T, Error>;

/// Settings as key → value, of one device.
class Config {
public:
    /// RIVULET_MACHINE ("rv64-v512,harts=4"; several machines are separated by ';' and give one
    /// Config each), RIVULET_DRIVER, RIVULET_DATA, RIVULET_QEMU, RIVULET_FIRMWARE, …
    static std::vector<Config> from_environment();
    /// The devices of this host: those that RIVULET_MACHINE or RIVULET_DRIVER names, else those of
    /// the configuration files, else the one of the defaults. RIVULET_MACHINE may name a device of
    /// the files. What is wrong with a file goes to `errors`; its other devices work.
    static std::vector<Config> of_host(std::vector<struct Error> &errors);

    void set(std::string_view key, std::string_view value);
    [[nodiscard]] std::string get(std::string_view key, std::string_view fallback = {}) const;
    [[nodiscard]] std::vector<std::string> entries() const; // "key=value", without `name`

    /// The text that names the device: "FILE:LINE"; "" for environment and defaults.
    [[nodiscard]] const std::string &location() const { return location_; }
    void set_location(std::string location) { location_ = std::move(location); }
    void set_location(std::string_view key, std::string location);
    /// A message about this device, with the location that it is about before it: that of the
    /// setting that it quotes, or the device's.
    [[nodiscard]] std::string located(std::string message) const;

private:
    std::vector<std::pair<std::string, std::string>> values_;
    std::string location_;
    std::vector<std::pair<std::string, std::string>> locations_; // of keys
};

/// Takes messages: level 0 error, 1 warning, 2 information, 3 debug. Called on any thread, also
/// while the Device holds its locks: it must not call back.
using Log = std::function<void(int level, std::string_view text)>;

/// The first region of that kind that the driver names; without one it has no bytes.
rvl_region region_of(const rvl_device_desc &, rvl_region_kind);

inline constexpr uint16_t RVL_PING_TOKEN = 0xffff;

/// "running", "crashed", …
std::string_view state_name(rvl_state state);

/// Two moments by the device's clock, in ticks.
struct DeviceTimes {
    uint64_t begin = 0;
    uint64_t end = 0;
};
/// … and by the host's steady clock, in ns.
struct HostTimes {
    uint64_t begin = 0;
    uint64_t end = 0;
};

class Device {
public:
    /// Finds driver and machine, and says what is known of the device without starting it.
    /// The key "driver" names the driver or its file; without it a machine called like a driver
    /// means that driver, and any other machine is qemu's.
    static Result<std::unique_ptr<Device>> open(Config config, Log log);
    /// The same for a driver that is part of the program.
    static Result<std::unique_ptr<Device>> open(const rvl_driver &driver, Config config, Log log);
    /// Lists what the driver that these settings mean finds; `open` takes the one of the key
    /// "device", counted from 0, or the first.
    static Result<std::vector<rvl_device_desc>> list(Config config, Log log);
    virtual ~Device() = default;

    [[nodiscard]] virtual const rvl_device_desc &description() const = 0;

    /// Loads the firmware (RIVULET_FIRMWARE or DATA/firmware/BOARD-XLEN.elf) and starts it, or
    /// attaches to one that runs; refuses another protocol major. Again after a death: resets
    /// first, all memory contents are lost then. `stop` resets or detaches.
    virtual Result<> start() = 0;
    virtual void stop() = 0;
    /// Success while the device can be used, else the error that says why it can't.
    [[nodiscard]] virtual Result<> usable() const = 0;
    [[nodiscard]] bool alive() const { return usable().has_value(); }
    /// Takes the device for dead, whatever its driver says: it can be started anew. Blocks for
    /// nothing.
    virtual void give_up(std::string_view reason) = 0;
    /// Sets the function that any thread calls when it finds a running device dead; it may not call
    /// back. Once this returns, an earlier function is not called any more.
    virtual void on_death(std::function<void()> told) = 0;
    [[nodiscard]] virtual const rvl_hello &hello() const = 0;

    // Memory by device address. `map` gives a pointer for the whole heap's life, or nullptr when
    // the driver can't map. On devices that are not coherent every access through it stands between
    // a `sync` from the device (reads and writes alike) and, after writes, one to the device; a
    // no-op on the others. read and write sync for themselves. Both sides' caches are maintained:
    // the device's by a command that is waited for.
    [[nodiscard]] virtual std::byte *map(uint64_t address, size_t bytes) = 0;
    virtual Result<> read(uint64_t address, std::span<std::byte> to) = 0;
    virtual Result<> write(uint64_t address, std::span<const std::byte> from) = 0;
    virtual Result<> sync(uint64_t address, size_t bytes, rvl_sync_direction direction) = 0;
    /// Writes to a launch's record and words, which the device drops from its caches by itself
    /// when the launch begins; the record's memory was synced once since it was allocated.
    virtual Result<> write_launch(uint64_t address, std::span<const std::byte> from) = 0;

    /// Writes as many of the commands to the ring as have room, rings once if the device sleeps;
    /// returns how many. Any thread. Token RVL_PING_TOKEN of the ping service is the Device's own.
    virtual Result<size_t> submit(std::span<const rvl_slot> commands) = 0;
    [[nodiscard]] virtual Result<size_t> room() const = 0;

    /// Takes completions off their ring: those there are, or those that come within `timeout`
    /// (spins first, sleeps on the doorbell then). One thread at a time. Empty: time is over or
    /// `wake` was called. An error: the device is dead, with the reason. Also drains the
    /// firmware's log into the Log, and sees to it that the device still answers: one that gives no
    /// sign of life for as long as the key "deadline" says (seconds, 0: for ever) is taken for
    /// dead.
    virtual Result<std::span<const rvl_slot>> completions(std::chrono::nanoseconds timeout) = 0;
    virtual void wake() = 0;

    /// Saves power until `resume`: harts stop where they are, memory keeps its contents. Commands,
    /// reads and writes wait meanwhile; what was mapped must not be touched. RVL_UNSUPPORTED where
    /// the driver can't.
    virtual Result<> suspend() = 0;
    virtual Result<> resume() = 0;

    /// The state of the device at the moment, by the names of Linux remoteproc (state_name).
    [[nodiscard]] virtual rvl_state state() const = 0;
    /// How often it was started anew.
    [[nodiscard]] virtual uint32_t restarts() const = 0;
    /// The work of its harts since they were started; RVL_UNSUPPORTED by an older firmware.
    virtual Result<std::vector<rvl_hart_statistics>> statistics() = 0;

    /// The report behind a completion, if it was not overwritten meanwhile.
    virtual Result<rvl_fault> fault(uint32_t index, uint32_t launch) = 0;

    /// Host time (ns, steady clock) of a device time; related at start and again with each ping.
    [[nodiscard]] virtual uint64_t host_time(uint64_t device_time) const = 0;
    /// The same of what a completion says, between the command's submission and the moment in which
    /// the host took the completion: never outside of these, and as long as the device says where
    /// there is room for that. Relates the clocks by it.
    virtual HostTimes host_times(const DeviceTimes &device, const HostTimes &within) = 0;
};

} // namespace rivulet::hal
