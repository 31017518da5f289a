// SPDX-License-Identifier: Apache-2.0
//
// The common code above the driver table: a class that starts a device, communicates with its
// firmware through the mailbox, and restarts it after a crash. Independent of OpenCL.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/file_descriptor.h"
#include "hal/hal.h"
#include "hal/protocol/fault.h"
#include "hal/protocol/mailbox.h"

namespace rivulet::hal {

/// Settings of one device, as key → value.
class Config {
public:
    /// From RIVULET_MACHINE ("rv64-v512,harts=4"; several machines are separated by ';' and give
    /// one Config each), RIVULET_DRIVER, RIVULET_DATA, RIVULET_QEMU, RIVULET_FIRMWARE, …
    static std::vector<Config> from_environment();
    /// The devices of this host: those named by RIVULET_MACHINE or RIVULET_DRIVER, otherwise those
    /// in the configuration files, otherwise the default one. RIVULET_MACHINE may name a device in
    /// the files. Errors in a file are added to `errors`; its other devices remain usable.
    static std::vector<Config> of_host(std::vector<Error> &errors);

    void set(std::string_view key, std::string_view value);
    [[nodiscard]] std::string get(std::string_view key, std::string_view fallback = {}) const;
    [[nodiscard]] std::vector<std::string> entries() const; // "key=value", without `name`

    /// Where the device is defined: "FILE:LINE", or "" for environment and defaults.
    [[nodiscard]] const std::string &location() const { return location_; }
    void set_location(std::string location) { location_ = std::move(location); }
    void set_location(std::string_view key, std::string location);
    /// Prefixes a message about this device with a location: that of the setting quoted in it,
    /// otherwise the device's.
    [[nodiscard]] std::string located(std::string message) const;

private:
    std::vector<std::pair<std::string, std::string>> values_;
    std::string location_;
    std::vector<std::pair<std::string, std::string>> locations_; // by key
};

/// Receives messages: level 0 error, 1 warning, 2 information, 3 debug. May be called on any
/// thread, also while the Device holds locks, so it must not call back.
using Log = std::function<void(int level, std::string_view text)>;

/// The first region of that kind named by the driver, or one of size 0.
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

/// A file that other processes can map as the device's memory.
struct MemoryFile {
    FileDescriptor descriptor;
    uint64_t offset = 0; // of description().memory_base
};

/// rvl_built_in_kernel, as checked by the common code.
struct BuiltInKernel {
    struct Argument {
        std::string name;
        std::string type;
        rvl_built_in_kind kind;
        uint32_t bytes; // of a value
    };
    std::string name;
    uint32_t version = 0;
    uint32_t unit = 0;
    uint32_t function = 0;
    std::vector<Argument> arguments;
    std::array<uint64_t, 3> max_global_size{};
};

/// What a driver's `conditions` fills in.
inline constexpr rvl_conditions unknown_conditions{.size = sizeof(rvl_conditions),
                                                   .clock_mhz = 0,
                                                   .millidegrees = RVL_NO_TEMPERATURE,
                                                   .millidegrees_limit = RVL_NO_TEMPERATURE,
                                                   .flags = 0};

class Device {
public:
    /// Finds driver and machine, and describes the device without starting it. The key "driver"
    /// names the driver or its file. Without it, a machine with a driver's name selects that
    /// driver; any other machine is qemu's.
    static Result<std::unique_ptr<Device>> open(Config config, Log log);
    /// The same for a driver that is linked into the program.
    static Result<std::unique_ptr<Device>> open(const rvl_driver &driver, Config config, Log log);
    /// Lists the devices found by the driver that the settings select. `open` takes the one given
    /// by the key "device", counted from 0, or the first.
    static Result<std::vector<rvl_device_desc>> list(Config config, Log log);
    virtual ~Device() = default;

    [[nodiscard]] virtual const rvl_device_desc &description() const = 0;
    /// What the driver says that the device's fixed-function units do. The hello lists the units
    /// that the firmware can drive.
    [[nodiscard]] virtual std::span<const BuiltInKernel> built_in_kernels() const = 0;

    /// Loads the firmware (RIVULET_FIRMWARE or DATA/firmware/BOARD-XLEN.elf) and starts it, or
    /// attaches to running firmware; fails if its protocol major version differs. After a death it
    /// resets the device first, losing all memory contents. `stop` resets or detaches.
    virtual Result<> start() = 0;
    virtual void stop() = 0;
    /// Success while the device is usable, otherwise the error that says why it isn't.
    [[nodiscard]] virtual Result<> usable() const = 0;
    [[nodiscard]] bool alive() const { return usable().has_value(); }
    /// Declares the device dead, whatever its driver says; it can then be restarted. Never blocks.
    virtual void give_up(std::string_view reason) = 0;
    /// Sets the function that is called, on any thread, when a running device is found dead; it may
    /// not call back. Once this returns, the previous function is no longer called.
    virtual void on_death(std::function<void()> told) = 0;
    [[nodiscard]] virtual const rvl_hello &hello() const = 0;

    // Memory, by device address. `map` returns a pointer valid for the heap's lifetime, or nullptr
    // if the driver can't map. On non-coherent devices, any access through it must be preceded by a
    // `sync` from the device (for reads and writes alike), and writes must be followed by one to
    // the device; on others these are no-ops. read and write sync by themselves. Both sides' caches
    // are maintained, the device's by a command that is waited for.
    [[nodiscard]] virtual std::byte *map(uint64_t address, size_t bytes) = 0;
    virtual Result<> read(uint64_t address, std::span<std::byte> to) = 0;
    virtual Result<> write(uint64_t address, std::span<const std::byte> from) = 0;
    virtual Result<> sync(uint64_t address, size_t bytes, rvl_sync_direction direction) = 0;
    /// Writes to a launch's record and words, which the device invalidates in its caches when the
    /// launch begins. The record's memory must have been synced once since it was allocated.
    virtual Result<> write_launch(uint64_t address, std::span<const std::byte> from) = 0;

    // dma-bufs of whole pages (rvl_driver.export_memory and so on); RVL_UNSUPPORTED if the driver
    // has none, or can't reach the memory.
    virtual Result<FileDescriptor> export_memory(uint64_t address, uint64_t bytes) = 0;
    virtual bool export_ended(uint64_t address, uint64_t bytes) = 0;
    virtual Result<> import_memory(uint64_t address, uint64_t bytes, int descriptor) = 0;
    virtual void end_import(uint64_t address, uint64_t bytes) = 0;
    /// The file that is the device's memory; RVL_UNSUPPORTED if the driver has none.
    virtual Result<MemoryFile> memory_file() = 0;

    /// Local memory of a work-group before the device runs; firmware that has less is not used.
    [[nodiscard]] virtual uint64_t promised_local_memory() = 0;

    /// What the device's sensors say; RVL_UNSUPPORTED if the driver can't tell.
    virtual Result<rvl_conditions> conditions() = 0;
    /// Lets the harts run no faster than this from now on (rvl_driver.set_clock); RVL_UNSUPPORTED
    /// if the driver can't, RVL_INVALID for a clock that the device doesn't have.
    virtual Result<> set_clock(uint32_t mhz) = 0;

    /// Writes as many of the commands to the ring as fit, rings once if the device sleeps, and
    /// returns their number. Any thread. RVL_PING_TOKEN of the ping service is reserved.
    virtual Result<size_t> submit(std::span<const rvl_slot> commands) = 0;

    /// How many commands fit into the ring now. A command's slot becomes free soon after its
    /// completion, not before it. Any thread.
    [[nodiscard]] virtual Result<size_t> room() const = 0;

    /// Takes the available completions, or those that arrive within `timeout` (spins first, then
    /// sleeps until the doorbell). One thread at a time. Returns an empty span after the timeout or
    /// `wake`, and an error with the reason if the device is dead. Also passes the firmware's log
    /// to the Log, and checks that the device is responsive: it is declared dead if it gives no
    /// sign of life for the time in the key "deadline" (seconds; 0: unlimited).
    virtual Result<std::span<const rvl_slot>> completions(std::chrono::nanoseconds timeout) = 0;
    virtual void wake() = 0;

    /// Saves power until `resume`: harts stop where they are, memory keeps its contents. Commands,
    /// reads and writes wait meanwhile; mapped memory must not be accessed. RVL_UNSUPPORTED if the
    /// driver can't suspend.
    virtual Result<> suspend() = 0;
    virtual Result<> resume() = 0;

    /// The device's current state; state_name gives the name used by Linux remoteproc.
    [[nodiscard]] virtual rvl_state state() const = 0;
    /// How many times it has been restarted.
    [[nodiscard]] virtual uint32_t restarts() const = 0;
    /// Statistics per hart since the firmware started; RVL_UNSUPPORTED with older firmware.
    virtual Result<std::vector<rvl_hart_statistics>> statistics() = 0;

    /// The fault report that a completion refers to, unless it has been overwritten.
    virtual Result<rvl_fault> fault(uint32_t index, uint32_t launch) = 0;

    /// Converts device time to host time (ns, steady clock). The clocks are correlated at start and
    /// with each ping.
    [[nodiscard]] virtual uint64_t host_time(uint64_t device_time) const = 0;
    /// Converts a completion's times, given the command's submission and the moment when the host
    /// took the completion: never outside of these, and with the device's duration if that fits.
    /// Also refines the correlation of the clocks.
    virtual HostTimes host_times(const DeviceTimes &device, const HostTimes &within) = 0;
};

} // namespace rivulet::hal
