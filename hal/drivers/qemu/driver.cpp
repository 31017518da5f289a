// SPDX-License-Identifier: Apache-2.0
//
// The qemu driver: a stock QEMU whose RAM is shared memory. Start reading here.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <fstream>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

#include "hal/drivers/model_unit.h"
#include "hal/drivers/qemu/doorbell.h"
#include "hal/drivers/qemu/emulator.h"
#include "hal/drivers/qemu/memory.h"
#include "hal/drivers/qemu/process.h"

namespace rivulet::hal::qemu {
namespace {

struct QemuDevice {
    Reporter report;
    Emulator emulator;
    GuestMemory memory;
    Doorbell doorbell;
    FileDescriptor doorbell_end;
    FileDescriptor payload; // the firmware's file, for a machine with an SBI
    bool has_model_unit;
    std::atomic<bool> dead = false;
    std::unique_ptr<Process> process; // last, so that it is destroyed first
};

QemuDevice &self(rvl_device *device) { return *reinterpret_cast<QemuDevice *>(device); }

rvl_status enumerate(const rvl_config *config, const rvl_host *host, rvl_device_desc *devices,
                     size_t capacity, size_t *count) {
    const auto machine = find_machine(Settings(config));
    if (!machine)
        return Reporter(host).fail(machine.error());
    *count = 1;
    if (capacity == 0)
        return RVL_OK;
    const bool counts = machine->counts_instructions;
    rvl_device_desc device{};
    device.flags = RVL_DEVICE_FRESH_MEMORY | RVL_DEVICE_MAPS | RVL_DEVICE_COHERENT |
                   RVL_DEVICE_ISOLATES | (machine->has_doorbell ? 0 : RVL_DEVICE_CANT_RING) |
                   (counts ? RVL_DEVICE_VIRTUAL_TIME : 0) |
                   // Where possible, QEMU implements atomics as plain loads and stores.
                   (counts || machine->harts == 1 ? 0 : RVL_DEVICE_ATOMICS) |
                   (counts && machine->harts == 1 ? RVL_DEVICE_COUNTS_INSTRUCTIONS : 0);
    const auto copy = [](auto &to, const std::string &from) {
        std::memcpy(to, from.data(), std::min(from.size(), sizeof to - 1));
    };
    copy(device.name, machine->name);
    copy(device.board, machine->board);
    copy(device.isa, machine->isa);
    device.harts = machine->harts;
    device.xlen = machine->xlen;
    device.vlen = machine->vlen;
    device.memory_base = machine->window_base;
    device.memory_bytes = machine->window_bytes;
    rvl_put_description(devices, 0, &device);
    return RVL_OK;
}

rvl_status open(const rvl_config *config, const rvl_device_desc *, const rvl_host *host,
                rvl_device **opened) {
    const Reporter report(host);
    const Settings settings(config);
    if (const auto known = settings.check("qemu", {"sandbox", "unit"}); !known)
        return report.fail(known.error());
    const auto model = wants_model_unit(settings);
    if (!model)
        return report.fail(model.error());
    auto machine = find_machine(settings);
    if (!machine)
        return report.fail(machine.error());
    auto emulator = find_emulator(settings, std::move(*machine));
    if (!emulator)
        return report.fail(emulator.error());
    const Machine &known = emulator->machine;
    auto memory = GuestMemory::create_within(known.memory_base, known.memory_bytes,
                                             known.window_base, known.window_bytes);
    if (!memory)
        return report.fail(memory.error());
    auto doorbell = Doorbell::create(emulator->machine.harts);
    if (!doorbell)
        return report.fail(doorbell.error());
    if (!known.has_doorbell)
        doorbell->poll();
    auto device = std::unique_ptr<QemuDevice>(new QemuDevice{
        .report = report,
        .emulator = std::move(*emulator),
        .memory = std::move(*memory),
        .doorbell = std::move(*doorbell),
        .doorbell_end = {},
        .payload = {},
        .has_model_unit = *model,
        .process = {},
    });
    *opened = reinterpret_cast<rvl_device *>(device.release());
    return RVL_OK;
}

/// True if the kernel has a socket with this path and these flags. Asks the kernel, because
/// connecting would stop the device.
bool has_socket(const std::string &path, std::string_view flags) {
    std::ifstream sockets("/proc/net/unix");
    for (std::string line; std::getline(sockets, line);)
        if (line.find(flags) != line.npos && line.ends_with(" " + path))
            return true;
    return false;
}

// Columns of /proc/net/unix: protocol (always 0) and flags.
constexpr std::string_view listens = " 00000000 00010000 ", is_connected = " 00000000 00000000 ";

// When a debugger lets the harts go, it still acknowledges QEMU's answer; the program may end
// first.
void await_farewell(const std::string &debugger) {
    for (int wait = 0; wait < 100 && has_socket(debugger, is_connected); ++wait)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

/// Most programs exit without closing their devices.
struct DebuggersAtExit {
    std::mutex mutex;
    std::set<std::string> sockets;
    const pid_t owner = getpid(); // a forked child has no devices to end
    ~DebuggersAtExit() {
        if (getpid() != owner)
            return;
        for (const auto &socket : sockets)
            await_farewell(socket);
    }
};

void await_farewell_at_exit(const std::string &debugger) {
    static DebuggersAtExit debuggers;
    const std::scoped_lock lock(debuggers.mutex);
    debuggers.sockets.insert(debugger);
}

void close(rvl_device *device) {
    self(device).doorbell.wake();
    if (!self(device).emulator.gdb.empty())
        await_farewell(self(device).emulator.gdb);
    delete &self(device);
}

rvl_status load(rvl_device *handle, const void *elf, size_t bytes) {
    auto &device = self(handle);
    const std::span content(static_cast<const std::byte *>(elf), bytes);
    const auto firmware = parse_firmware(content, "the firmware");
    if (!firmware)
        return device.report.fail(firmware.error());
    if (device.emulator.machine.has_sbi) {
        auto payload = make_payload(content);
        if (!payload)
            return device.report.fail(payload.error());
        device.payload = std::move(*payload);
        return RVL_OK;
    }
    if (const auto loaded = device.memory.load(*firmware); !loaded)
        return device.report.fail(loaded.error());
    return RVL_OK;
}

rvl_status start(rvl_device *handle) {
    auto &device = self(handle);
    if (!device.emulator.gdb.empty() && has_socket(device.emulator.gdb, listens))
        return device.report.fail(RVL_INVALID,
                                  {"another device has its debugger at ", device.emulator.gdb,
                                   "; give each one a path of its own with RIVULET_GDB"});
    if (!device.emulator.gdb.empty())
        await_farewell_at_exit(device.emulator.gdb);
    FileDescriptor for_qemu;
    if (const auto done = device.doorbell.connect(for_qemu, device.doorbell_end); !done)
        return device.report.fail(done.error());
    device.dead = false;
    std::vector<int> inherited = {device.memory.descriptor(), for_qemu.get()};
    if (device.emulator.machine.has_sbi)
        inherited.push_back(device.payload.get());
    auto process = Process::start({
        .program = device.emulator.program,
        .arguments = command_line(device.emulator),
        .inherited = inherited,
        .report = device.report,
        .ended =
            [&device](const Process::End &end) {
                try {
                    device.report.died(end.refused
                                           ? end.reason + version_advice(device.emulator.program)
                                           : end.reason);
                } catch (const std::bad_alloc &) {
                    device.report.died(end.reason);
                }
                device.dead = true;
                device.doorbell.wake();
            },
    });
    if (!process)
        return device.report.fail(process.error());
    device.process = std::move(*process);
    return RVL_OK;
}

rvl_status reset(rvl_device *handle) {
    auto &device = self(handle);
    device.process.reset();
    device.doorbell_end.reset();
    device.doorbell.clear();
    device.memory.clear(); // for the new QEMU on the same RAM
    device.dead = false;
    return RVL_OK;
}

rvl_status map(rvl_device *device, uint64_t address, size_t, void **host) {
    *host = self(device).memory.at(address);
    return RVL_OK;
}

rvl_status read(rvl_device *device, uint64_t address, void *to, size_t bytes) {
    std::memcpy(to, self(device).memory.at(address), bytes);
    return RVL_OK;
}

rvl_status write(rvl_device *device, uint64_t address, const void *from, size_t bytes) {
    std::memcpy(self(device).memory.at(address), from, bytes);
    return RVL_OK;
}

rvl_status sync(rvl_device *, uint64_t, size_t, rvl_sync_direction) { return RVL_OK; }

rvl_status ring(rvl_device *device, uint64_t hart_mask) {
    self(device).doorbell.ring(hart_mask);
    return RVL_OK;
}

rvl_status wait(rvl_device *handle, uint64_t timeout_ns) {
    auto &device = self(handle);
    if (device.dead)
        return RVL_DEAD;
    const auto status = device.doorbell.wait(timeout_ns);
    return device.dead ? RVL_DEAD : status;
}

rvl_status wake(rvl_device *device) {
    self(device).doorbell.wake();
    return RVL_OK;
}

rvl_status suspend(rvl_device *device) {
    return self(device).process && self(device).process->send(SIGSTOP) ? RVL_OK : RVL_DEAD;
}

rvl_status resume(rvl_device *device) {
    return self(device).process && self(device).process->send(SIGCONT) ? RVL_OK : RVL_DEAD;
}

rvl_status memory_file(rvl_device *device, int *descriptor, uint64_t *offset) {
    const GuestMemory &memory = self(device).memory;
    *descriptor = fcntl(memory.descriptor(), F_DUPFD_CLOEXEC, 0);
    *offset = memory.offset();
    return *descriptor >= 0 ? RVL_OK : RVL_IO;
}

const rvl_built_in_kernel *const *built_in_kernels(rvl_device *device) {
    return self(device).has_model_unit ? model_unit_kernels() : nullptr;
}

constexpr rvl_driver driver = {
    .hal_version = RVL_HAL_VERSION,
    .size = sizeof(rvl_driver),
    .name = "qemu",
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
    .wait = wait,
    .wake = wake,
    .describe = nullptr,
    .copy_begin = nullptr,
    .copy_wait = nullptr,
    .suspend = suspend,
    .resume = resume,
    .export_memory = nullptr,
    .export_ended = nullptr,
    .import_memory = nullptr,
    .end_import = nullptr,
    .memory_file = memory_file,
    .built_in_kernels = built_in_kernels,
    .conditions = nullptr,
    .set_clock = nullptr,
};

} // namespace
} // namespace rivulet::hal::qemu

const rvl_driver *rvl_driver_named(const char *name) {
    const rvl_driver &driver = rivulet::hal::qemu::driver;
    return std::strcmp(driver.name, name) == 0 ? &driver : nullptr;
}
