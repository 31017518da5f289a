// SPDX-License-Identifier: Apache-2.0
//
// The linux driver: a device whose memory the kernel exposes as a window. Start reading here.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <thread>

#include "hal/core/firmware_file.h"
#include "hal/drivers/linux/cache.h"
#include "hal/drivers/linux/firmware.h"
#include "hal/drivers/linux/sensors.h"
#include "hal/drivers/support.h"
#include "hal/protocol/crash.h"

namespace rivulet::hal::window {
namespace {

constexpr auto boot_patience = std::chrono::seconds(10);
constexpr auto clearing_patience = std::chrono::seconds(60); // for the device to clear memory for a
                                                             // former host
constexpr auto look = std::chrono::milliseconds(5);

// Devices are opened one after the other but boot concurrently: a device opened this soon after
// another one timed out has already had enough time to boot.
using Clock = std::chrono::steady_clock;
constexpr auto soon = std::chrono::seconds(1);
std::atomic<Clock::time_point> gave_up{};

struct WindowDevice {
    Reporter report;
    std::unique_ptr<Source> source;
    Window window;
    Doorbell doorbell;
    Firmware firmware;
    Sensors sensors;
    rvl_device_desc description{};
    std::atomic<bool> dead = false;
};

WindowDevice &self(rvl_device *device) { return *reinterpret_cast<WindowDevice *>(device); }

void copy(auto &to, std::string_view from) {
    const auto length = std::min(from.size(), sizeof to - 1);
    std::memcpy(to, from.data(), length);
    to[length] = 0;
}

Result<bool> truth(const Settings &settings, std::string_view key, bool fallback) {
    const auto value = settings.get(key, fallback ? "true" : "false");
    if (value == "true" || value == "false")
        return value == "true";
    return fail(RVL_INVALID, {"\"", key, "\" is ", value, "; it must be true or false"});
}

/// Describes a device that is not running, from the settings and the firmware's file.
Result<> describe_stopped(const Settings &settings, const Firmware &firmware,
                          rvl_device_desc &description) {
    const rvl_firmware_note &note = firmware.note();
    const auto harts = number(settings, "harts", 1);
    const auto xlen = number(settings, "xlen", note.xlen != 0 ? note.xlen : 64);
    const auto vlen = number(settings, "vlen", 0);
    const auto mailbox = number(settings, "mailbox", note.mailbox);
    for (const auto *part : {&harts, &xlen, &vlen, &mailbox})
        if (!*part)
            return std::unexpected(part->error());
    if (*xlen != 32 && *xlen != 64)
        return fail(RVL_INVALID, {"\"xlen\" is ", *xlen, "; it must be 32 or 64"});
    description.harts = static_cast<uint32_t>(std::min<uint64_t>(*harts, RVL_MAX_HARTS));
    description.xlen = static_cast<uint32_t>(*xlen);
    description.vlen = static_cast<uint32_t>(*vlen);
    description.mailbox = *mailbox;
    description.local_memory_bytes = local_memory_of(note, description.harts);
    if (firmware.kind() == Firmware::Kind::running)
        return {};
    const std::string_view noted(note.board, strnlen(note.board, sizeof note.board));
    copy(description.board, settings.get("board", noted));
    copy(description.isa, settings.get("isa"));
    if (description.isa[0] == 0)
        return fail(RVL_INVALID, "the device's harts are not known before it runs: set "
                                 "harts = 4, vlen = 256 and isa = \"rv64imafdcv_zba…\"");
    if (auto fine = check_isa("isa", settings.get("isa")); !fine)
        return fine;
    if (description.board[0] == 0)
        return fail(RVL_INVALID, "the device's board is not known: name the firmware's file "
                                 "(firmware = \"FILE.elf\"), or set board");
    return {};
}

/// True if the firmware has recorded that it failed, in whatever state.
bool has_failed(const Window &window, const rvl_hello &hello) {
    uint32_t magic = 0;
    if (hello.bytes >= offsetof(rvl_hello, session) && hello.crash != 0 &&
        window.contains(hello.crash, sizeof(rvl_crash)))
        copy_out(&magic, window.at(hello.crash), sizeof magic);
    return magic == RVL_CRASH_MAGIC;
}

/// Describes running firmware from its hello; it may still be booting.
Result<> describe_running(const Window &window, rvl_device_desc &description) {
    const auto now = Clock::now();
    const auto deadline = now - gave_up.load() < soon ? now : now + boot_patience;
    rvl_hello hello{};
    const auto there = [&] {
        copy_out(&hello, window.at(description.mailbox), sizeof hello);
        return hello.magic == RVL_MAILBOX_MAGIC && hello.state != RVL_STATE_OFFLINE &&
               (hello.state != RVL_STATE_BOOTING || has_failed(window, hello));
    };
    while (!there()) {
        const bool clears = hello.magic == RVL_MAILBOX_MAGIC && hello.state == RVL_STATE_BOOTING;
        if (Clock::now() > (clears ? now + clearing_patience : deadline)) {
            gave_up = Clock::now();
            return fail(RVL_TIMEOUT,
                        {"no firmware runs in the window: there is no mailbox at ",
                         hex(description.mailbox), "; start it, or check base and mailbox"});
        }
        std::this_thread::sleep_for(look);
    }
    if (hello.bytes < sizeof hello) // of older firmware: anything may follow
        std::memset(reinterpret_cast<char *>(&hello) + hello.bytes, 0, sizeof hello - hello.bytes);
    description.harts = hello.harts;
    description.xlen = hello.xlen;
    description.vlen = hello.vlen;
    // Not hello.local_memory_bytes, which depends on the scratchpad that the former host has named.
    description.local_memory_bytes = hello.least_local_memory_bytes;
    copy(description.board, {hello.board, strnlen(hello.board, sizeof hello.board)});
    copy(description.isa, {hello.isa, strnlen(hello.isa, sizeof hello.isa)});
    copy(description.core, {hello.core, strnlen(hello.core, sizeof hello.core)});
    description.flags |= RVL_DEVICE_RUNNING;
    if (hello.pmp_entries == 0)
        description.flags &= ~uint32_t{RVL_DEVICE_ISOLATES};
    return {};
}

/// Describes memory that is not in the board's tree.
Result<> describe_regions(const Settings &settings, rvl_device_desc &description) {
    rvl_region *next = description.regions;
    const std::pair<std::string, rvl_region_kind> kinds[] = {{"second_heap", RVL_REGION_HEAP},
                                                             {"scratchpad", RVL_REGION_SCRATCHPAD}};
    for (const auto &[name, kind] : kinds) {
        const auto base = number(settings, name + ".base", 0);
        const auto bytes = number(settings, name + ".bytes", 0);
        if (!base || !bytes)
            return std::unexpected(!base ? base.error() : bytes.error());
        if (*bytes != 0)
            *next++ = {.kind = uint32_t{kind}, .reserved = 0, .base = *base, .bytes = *bytes};
        else if (*base != 0)
            return fail(RVL_INVALID, {"\"", name, "\" has a base, but no bytes"});
    }
    return {};
}

/// domain:bus:device.function, in hexadecimal. What is written in another way is left unknown.
void describe_pci(const std::string &function, rvl_device_desc &description) {
    unsigned domain = 0, bus = 0, device = 0, number = 0;
    char end = 0;
    if (std::sscanf(function.c_str(), "%x:%x:%x.%x%c", &domain, &bus, &device, &number, &end) != 4)
        return;
    description.flags |= RVL_DEVICE_PCI;
    description.pci_domain = domain;
    description.pci_bus = bus;
    description.pci_device = device;
    description.pci_function = number;
}

Result<std::unique_ptr<WindowDevice>> make(const Settings &settings, const Reporter &report) {
    const auto known = settings.check("linux", {"base",
                                                "board",
                                                "isa",
                                                "xlen",
                                                "vlen",
                                                "mailbox",
                                                "coherent",
                                                "isolates",
                                                "atomics",
                                                "sysfs",
                                                "dev",
                                                "window.file",
                                                "window.offset",
                                                "window.bytes",
                                                "window.heap",
                                                "window.uio",
                                                "window.map",
                                                "window.pci",
                                                "window.vfio",
                                                "window.bar",
                                                "window.ivshmem",
                                                "window.module",
                                                "doorbell.poll",
                                                "doorbell.uio",
                                                "doorbell.vfio-msix",
                                                "doorbell.node",
                                                "doorbell.ring.bar",
                                                "doorbell.ring.map",
                                                "doorbell.ring.offset",
                                                "doorbell.ring.value",
                                                "reset.bar",
                                                "reset.map",
                                                "reset.offset",
                                                "reset.value",
                                                "start.bar",
                                                "start.map",
                                                "start.offset",
                                                "start.value",
                                                "firmware.running",
                                                "firmware.remoteproc",
                                                "firmware.name",
                                                "firmware.file",
                                                "second_heap.base",
                                                "second_heap.bytes",
                                                "scratchpad.base",
                                                "scratchpad.bytes",
                                                "sensors.clock",
                                                "sensors.temperature"});
    if (!known)
        return std::unexpected(known.error());
    const auto isolates = truth(settings, "isolates", true);
    const auto atomics = truth(settings, "atomics", false);
    if (!isolates || !atomics)
        return std::unexpected(!isolates ? isolates.error() : atomics.error());
    auto source = open_source(settings);
    if (!source)
        return std::unexpected(source.error());
    const auto base = number(settings, "base", (*source)->address().value_or(0x80000000));
    if (!base)
        return std::unexpected(base.error());
    const bool kernel_syncs = settings.find("window.heap") != nullptr;
    const auto coherent = truth(settings, "coherent", !kernel_syncs);
    if (!coherent)
        return std::unexpected(coherent.error());
    if (!*coherent && !kernel_syncs && !has_cache_instructions)
        return fail(RVL_UNSUPPORTED, "coherent = false needs cache maintenance, which programs on "
                                     "this host may not do; map the window uncached, or take a "
                                     "dma-buf heap");
    auto memory = (*source)->memory(*base);
    if (!memory)
        return std::unexpected(memory.error());
    auto doorbell = Doorbell::create(settings, **source);
    if (!doorbell)
        return std::unexpected(doorbell.error());
    auto firmware = Firmware::create(settings, **source);
    if (!firmware)
        return std::unexpected(firmware.error());
    auto sensors = Sensors::create(settings);
    if (!sensors)
        return std::unexpected(sensors.error());
    auto device = std::unique_ptr<WindowDevice>(
        new WindowDevice{.report = report,
                         .source = std::move(*source),
                         .window = {.memory = std::move(*memory), .base = *base},
                         .doorbell = std::move(*doorbell),
                         .firmware = std::move(*firmware),
                         .sensors = std::move(*sensors)});
    rvl_device_desc &description = device->description;
    description.size = sizeof description;
    description.memory_base = *base;
    description.memory_bytes = device->window.memory.bytes();
    description.clock_mhz = device->sensors.max_clock_mhz();
    description.flags =
        (device->source->maps() ? RVL_DEVICE_MAPS : 0) |
        (device->source->can_export() ? RVL_DEVICE_EXPORTS : 0) |
        (*coherent ? RVL_DEVICE_COHERENT : 0) | (*isolates ? RVL_DEVICE_ISOLATES : 0) |
        (*atomics ? RVL_DEVICE_ATOMICS : 0) |
        (device->doorbell.can_ring() ? 0 : RVL_DEVICE_CANT_RING) |
        (device->firmware.kind() == Firmware::Kind::remoteproc ? RVL_DEVICE_BUILT_IN_FIRMWARE : 0);
    describe_pci(device->source->pci_function(), description);
    if (auto described = describe_stopped(settings, device->firmware, description); !described)
        return std::unexpected(described.error());
    if (auto described = describe_regions(settings, description); !described)
        return std::unexpected(described.error());
    if (device->firmware.kind() != Firmware::Kind::copied &&
        !device->window.contains(description.mailbox, sizeof(rvl_mailbox)))
        return fail(RVL_INVALID, {"the mailbox at ", hex(description.mailbox),
                                  " is not in the window; set \"mailbox\", or firmware.file to "
                                  "the firmware's ELF file, which says where it is"});
    if (device->firmware.kind() == Firmware::Kind::running)
        if (auto described = describe_running(device->window, description); !described)
            return std::unexpected(described.error());
    // Clients keep compiled kernels by the device's name, so it differs where those do.
    copy(description.name,
         text({"linux ", description.board, " rv", description.xlen, "-v", description.vlen}));
    return device;
}

// Opens nothing: more information comes with `describe`.
rvl_status enumerate(const rvl_config *, const rvl_host *, rvl_device_desc *devices,
                     size_t capacity, size_t *count) {
    *count = 1;
    if (capacity == 0)
        return RVL_OK;
    rvl_device_desc device{};
    copy(device.name, "linux");
    rvl_put_description(devices, 0, &device);
    return RVL_OK;
}

rvl_status open(const rvl_config *config, const rvl_device_desc *, const rvl_host *host,
                rvl_device **opened) {
    const Reporter report(host);
    auto device = make(Settings(config), report);
    if (!device)
        return report.fail(device.error());
    *opened = reinterpret_cast<rvl_device *>(device->release());
    return RVL_OK;
}

void close(rvl_device *device) {
    self(device).doorbell.wake();
    delete &self(device);
}

rvl_status answer(const WindowDevice &device, const Result<> &result) {
    return result ? RVL_OK : device.report.fail(result.error());
}

rvl_status load(rvl_device *handle, const void *elf, size_t bytes) {
    auto &device = self(handle);
    return answer(
        device, device.firmware.load(device.window, {static_cast<const std::byte *>(elf), bytes}));
}

/// Ensures that the whole window is accessible before the device starts, even if it was lost
/// before.
Result<> renew(WindowDevice &device) {
    if (device.doorbell.hung_up())
        return fail(RVL_IO, "the card has ended: open the device again once there is another");
    if (device.window.memory.usable())
        return {};
    auto renewed = device.window.memory.renew();
    device.dead = !renewed;
    return renewed;
}

rvl_status start(rvl_device *handle) {
    auto &device = self(handle);
    if (device.source->exports(0, device.window.memory.bytes()))
        return device.report.fail(RVL_IO, "dma-bufs of the memory that the device had before are "
                                          "still open: close them first");
    device.dead = false;
    if (const auto renewed = renew(device); !renewed)
        return device.report.fail(renewed.error());
    return answer(device, device.firmware.start(device.window, device.description.mailbox));
}

rvl_status reset(rvl_device *handle) {
    auto &device = self(handle);
    if (const auto renewed = renew(device); !renewed)
        return device.report.fail(renewed.error());
    return answer(
        device, device.firmware.reset(device.window, device.doorbell, device.description.mailbox));
}

rvl_status map(rvl_device *device, uint64_t address, size_t, void **host) {
    *host = self(device).window.at(address);
    return RVL_OK;
}

rvl_status read(rvl_device *device, uint64_t address, void *to, size_t bytes) {
    copy_out(to, self(device).window.at(address), bytes);
    return answer(self(device), self(device).window.memory.usable());
}

rvl_status write(rvl_device *device, uint64_t address, const void *from, size_t bytes) {
    copy_in(self(device).window.at(address), from, bytes);
    return answer(self(device), self(device).window.memory.usable());
}

rvl_status sync(rvl_device *handle, uint64_t address, size_t bytes, rvl_sync_direction direction) {
    auto &device = self(handle);
    if (const auto done = device.source->sync(direction))
        return *done ? RVL_OK : RVL_IO;
    maintain_caches(device.window.at(address), bytes);
    return RVL_OK;
}

rvl_status ring(rvl_device *device, uint64_t) {
    self(device).doorbell.ring(); // hart 0 wakes the others
    return RVL_OK;
}

rvl_status wait(rvl_device *handle, uint64_t timeout_ns) {
    auto &device = self(handle);
    const auto usable = device.window.memory.usable();
    const auto status = device.dead || !usable ? RVL_DEAD : device.doorbell.wait(timeout_ns);
    if (status == RVL_DEAD && !device.dead.exchange(true))
        device.report.died(!usable
                               ? usable.error().message
                               : "the device hung up: its driver was unbound, or its card ended");
    return status;
}

rvl_status wake(rvl_device *device) {
    self(device).doorbell.wake();
    return RVL_OK;
}

rvl_status export_memory(rvl_device *handle, uint64_t address, uint64_t bytes, int *descriptor) {
    auto &device = self(handle);
    auto exported = device.source->export_pages(address - device.window.base, bytes);
    if (!exported)
        return device.report.fail(exported.error());
    *descriptor = exported->release();
    return RVL_OK;
}

rvl_status export_ended(rvl_device *handle, uint64_t address, uint64_t bytes) {
    const auto &device = self(handle);
    return device.source->exports(address - device.window.base, bytes) ? RVL_TIMEOUT : RVL_OK;
}

rvl_status memory_file(rvl_device *handle, int *descriptor, uint64_t *offset) {
    const auto &device = self(handle);
    auto file = device.source->shared_file();
    if (!file)
        return device.report.fail(file.error());
    *descriptor = file->descriptor.release();
    *offset = file->offset;
    return RVL_OK;
}

rvl_status conditions(rvl_device *device, rvl_conditions *now) {
    return self(device).sensors.read(*now);
}

rvl_status set_clock(rvl_device *device, uint32_t mhz) {
    return answer(self(device), self(device).sensors.set_clock(mhz));
}

rvl_status describe(rvl_device *device, rvl_device_desc *description) {
    rvl_put_description(description, 0, &self(device).description);
    return RVL_OK;
}

constexpr rvl_driver driver = {
    .hal_version = RVL_HAL_VERSION,
    .size = sizeof(rvl_driver),
    .name = "linux",
    .enumerate = guarded<enumerate>,
    .open = guarded<open>,
    .close = close,
    .load = guarded<load>,
    .start = guarded<start>,
    .reset = guarded<reset>,
    .map = map,
    .read = read,
    .write = write,
    .sync = sync,
    .ring = ring,
    .wait = guarded<wait>,
    .wake = wake,
    .describe = describe,
    .copy_begin = nullptr,
    .copy_wait = nullptr,
    .suspend = nullptr,
    .resume = nullptr,
    .export_memory = guarded<export_memory>,
    .export_ended = export_ended,
    .import_memory = nullptr,
    .end_import = nullptr,
    .memory_file = guarded<memory_file>,
    .built_in_kernels = nullptr,
    .conditions = conditions,
    .set_clock = guarded<set_clock>,
};

} // namespace
} // namespace rivulet::hal::window

const rvl_driver *rvl_driver_named(const char *name) {
    const rvl_driver &driver = rivulet::hal::window::driver;
    return std::strcmp(driver.name, name) == 0 ? &driver : nullptr;
}
