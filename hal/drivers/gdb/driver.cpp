// SPDX-License-Identifier: Apache-2.0
//
// The gdb driver: a device that is only accessible through its debug port, using the GDB remote
// protocol. Start reading here; README.md explains its use.
#include <bit>
#include <cstring>

#include "base/parse.h"
#include "hal/core/config.h"
#include "hal/drivers/gdb/device.h"

namespace rivulet::hal::gdb {
namespace {

Device &self(rvl_device *device) { return *reinterpret_cast<Device *>(device); }

/// Overrides from the settings; 0 and "" if unspecified. The library has already checked harts and
/// memory, which all drivers accept.
Result<Overrides> overrides_of(const Settings &settings) {
    const auto number = [&](std::string_view key) {
        return parse_number(settings.get(key)).value_or(0);
    };
    constexpr uint64_t least_vlen = 32, most_vlen = 65536;
    const uint64_t vlen = number("vlen");
    if (!settings.get("vlen").empty() &&
        (vlen < least_vlen || vlen > most_vlen || !std::has_single_bit(vlen)))
        return fail(RVL_INVALID, {"vlen=", settings.get("vlen"), " is not a power of two from ",
                                  least_vlen, " to ", most_vlen});
    const std::string isa = settings.get("isa");
    if (!isa.empty())
        if (auto fine = check_isa("isa", isa); !fine)
            return std::unexpected(fine.error());
    return Overrides{.isa = isa,
                     .harts = static_cast<uint32_t>(number("harts")),
                     .vlen = static_cast<uint32_t>(vlen),
                     .memory_bytes = number("memory")};
}

Result<Board> board_of(const Settings &settings) {
    const auto overrides = overrides_of(settings);
    if (!overrides)
        return std::unexpected(overrides.error());
    auto board = read_board(settings.get("data"), settings.get("board"));
    if (board)
        overrides->apply_to(*board);
    return board;
}

/// True if the setting has the second of its two words. The first one is the default.
Result<bool> is_second(const Settings &settings, const char *key, const char *first,
                       const char *second, const char *meaning) {
    const auto value = settings.get(key, first);
    if (value != first && value != second)
        return fail(RVL_INVALID,
                    {key, "=", value, " is neither ", first, " nor ", second, ": ", meaning});
    return value == second;
}

Result<Options> options_of(const Settings &settings) {
    Options options;
    auto overrides = overrides_of(settings);
    if (!overrides)
        return std::unexpected(overrides.error());
    options.board = std::move(*overrides);
    options.target = settings.get("target", "localhost:3333");
    options.reset = settings.get("reset");
    const auto start = settings.get("start");
    if (!start.empty() && start != "entry" && start != "reset")
        return fail(RVL_INVALID, {"start=", start,
                                  " is neither entry (harts begin at the "
                                  "firmware's entry) nor reset (where a reset leaves them)"});
    options.start_is_given = !start.empty();
    options.start_at_entry = start != "reset";
    const auto running = is_second(settings, "access", "halted", "running",
                                   "harts stop for every access, or the stub can do without, as "
                                   "OpenOCD over a system bus");
    if (!running)
        return std::unexpected(running.error());
    const auto verify = is_second(settings, "verify", "no", "yes",
                                  "whether firmware is read back after it was loaded");
    if (!verify)
        return std::unexpected(verify.error());
    const auto leaves = is_second(settings, "close", "reset", "run",
                                  "whether harts are reset when the host ends, or left running");
    if (!leaves)
        return std::unexpected(leaves.error());
    options.stays_running = *running;
    options.verify = *verify;
    options.leaves_running = *leaves;
    const auto seconds = parse_number(settings.get("timeout", "10"));
    if (!seconds || *seconds == 0 || *seconds > 3600)
        return fail(RVL_INVALID, {"timeout=", settings.get("timeout"),
                                  " is not a number of seconds from 1 to 3600"});
    options.limit = std::chrono::seconds(*seconds);
    return options;
}

void fill(rvl_device_desc &device, const Board &board) {
    const auto copy = [](auto &to, const std::string &from) {
        std::memset(to, 0, sizeof to);
        std::memcpy(to, from.data(), std::min(from.size(), sizeof to - 1));
    };
    copy(device.isa, board.isa);
    if (device.size >= sizeof device) // a host of HAL 1.3 has no room for it
        copy(device.core, board.core);
    device.harts = board.harts;
    device.xlen = board.xlen;
    device.vlen = board.vlen;
    device.memory_base = board.memory_base;
    device.memory_bytes = board.memory_bytes;
    // Clients keep compiled kernels by the device's name, so it differs where those do.
    const auto name = text({"gdb ", board.name, " rv", board.xlen, "-v", board.vlen});
    std::memset(device.name, 0, sizeof device.name);
    std::memcpy(device.name, name.data(), std::min(name.size(), sizeof device.name - 1));
}

rvl_status enumerate(const rvl_config *config, const rvl_host *host, rvl_device_desc *devices,
                     size_t capacity, size_t *count) {
    const auto board = board_of(Settings(config));
    if (!board)
        return Reporter(host).fail(board.error());
    *count = 1;
    if (capacity == 0)
        return RVL_OK;
    rvl_device_desc device{};
    device.size = sizeof device;
    // A debug port accesses memory through the harts. Firmware without PMP refuses to run unless
    // told to.
    device.flags = RVL_DEVICE_COHERENT | RVL_DEVICE_ISOLATES;
    std::memcpy(device.board, board->name.data(),
                std::min(board->name.size(), sizeof device.board - 1));
    fill(device, *board);
    rvl_put_description(devices, 0, &device);
    return RVL_OK;
}

rvl_status open(const rvl_config *config, const rvl_device_desc *, const rvl_host *host,
                rvl_device **opened) {
    const Reporter report(host);
    const Settings settings(config);
    if (const auto known = settings.check("gdb", {"target", "board", "isa", "vlen", "timeout",
                                                  "reset", "start", "verify", "close", "access"});
        !known)
        return report.fail(known.error());
    auto board = board_of(settings);
    if (!board)
        return report.fail(board.error());
    auto options = options_of(settings);
    if (!options)
        return report.fail(options.error());
    auto device = Device::open(std::move(*board), std::move(*options), report);
    if (!device)
        return report.fail(device.error());
    *opened = reinterpret_cast<rvl_device *>(device->release());
    return RVL_OK;
}

/// Adds what the stub reported, and QEMU's generated device tree.
rvl_status describe(rvl_device *device, rvl_device_desc *description) {
    fill(*description, self(device).board());
    if (self(device).stops_time())
        description->flags |= RVL_DEVICE_VIRTUAL_TIME;
    return RVL_OK;
}

void close(rvl_device *device) {
    self(device).wake();
    delete &self(device);
}

rvl_status load(rvl_device *device, const void *elf, size_t bytes) {
    const auto firmware =
        parse_firmware({static_cast<const std::byte *>(elf), bytes}, "the firmware");
    return firmware ? self(device).load(*firmware) : firmware.error().status;
}

rvl_status start(rvl_device *device) { return self(device).start(); }
rvl_status reset(rvl_device *device) { return self(device).reset(); }

rvl_status read(rvl_device *device, uint64_t address, void *to, size_t bytes) {
    return self(device).read(address, {static_cast<std::byte *>(to), bytes});
}
rvl_status write(rvl_device *device, uint64_t address, const void *from, size_t bytes) {
    return self(device).write(address, {static_cast<const std::byte *>(from), bytes});
}
rvl_status sync(rvl_device *, uint64_t, size_t, rvl_sync_direction) { return RVL_OK; }

rvl_status ring(rvl_device *device, uint64_t) { return self(device).ring(); }
rvl_status wait(rvl_device *device, uint64_t timeout_ns) { return self(device).wait(timeout_ns); }
rvl_status wake(rvl_device *device) {
    self(device).wake();
    return RVL_OK;
}

constexpr rvl_driver driver = {
    .hal_version = RVL_HAL_VERSION,
    .size = sizeof(rvl_driver),
    .name = "gdb",
    .enumerate = guarded<enumerate>,
    .open = guarded<open>,
    .close = close,
    .load = guarded<load>,
    .start = guarded<start>,
    .reset = guarded<reset>,
    .map = nullptr,
    .read = guarded<read>,
    .write = guarded<write>,
    .sync = sync,
    .ring = guarded<ring>,
    .wait = guarded<wait>,
    .wake = wake,
    .describe = guarded<describe>,
    .copy_begin = nullptr,
    .copy_wait = nullptr,
    .suspend = nullptr,
    .resume = nullptr,
    .export_memory = nullptr,
    .export_ended = nullptr,
    .import_memory = nullptr,
    .end_import = nullptr,
    .memory_file = nullptr,
    .built_in_kernels = nullptr,
    .conditions = nullptr,
    .set_clock = nullptr,
};

} // namespace
} // namespace rivulet::hal::gdb

const rvl_driver *rvl_driver_named(const char *name) {
    const rvl_driver &driver = rivulet::hal::gdb::driver;
    return std::strcmp(driver.name, name) == 0 ? &driver : nullptr;
}
