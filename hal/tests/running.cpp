// SPDX-License-Identifier: Apache-2.0
//
// A driver for tests: QEMU as a board that is powered on independently. The firmware is started
// without a host when the device is first opened, and continues after it is closed, until the
// process ends.
#include <mutex>
#include <string>

#include "base/read_file.h"
#include "hal/core/config.h"
#include "hal/core/firmware_file.h"
#include "hal/drivers/support.h"
#include "hal/tests/qemu_beside.h"

namespace rivulet::hal::running {
namespace {

const rvl_driver *qemu = nullptr;
std::mutex mutex;
rvl_device *board = nullptr;
std::vector<std::byte> firmware;
uint64_t mailbox = 0;
const rvl_host *visitor = nullptr; // the most recent host

void log(void *, int level, const char *text) {
    const std::scoped_lock lock(mutex);
    if (visitor != nullptr)
        visitor->log(visitor->user, level, text);
}

void died(void *, const char *reason) {
    const std::scoped_lock lock(mutex);
    if (visitor != nullptr)
        visitor->died(visitor->user, reason);
}

constexpr rvl_host forwarder{.size = sizeof forwarder, .user = nullptr, .log = log, .died = died};

rvl_status enumerate(const rvl_config *config, const rvl_host *host, rvl_device_desc *devices,
                     size_t capacity, size_t *count) {
    const auto status = qemu->enumerate(config, host, devices, capacity, count);
    if (status == RVL_OK && capacity != 0)
        devices[0].flags |= RVL_DEVICE_RUNNING;
    return status;
}

rvl_status power_on(const rvl_config *config, const rvl_device_desc *description,
                    const rvl_host *host) {
    const Reporter report(host);
    const Settings settings(config);
    const auto path =
        settings.get("firmware", text({settings.get("data"), "/firmware/", description->board,
                                       "-rv", description->xlen, ".elf"}));
    auto file = read_file(path);
    if (!file)
        return report.fail(file.error());
    const auto parsed = parse_firmware(*file, path);
    if (!parsed)
        return report.fail(parsed.error());
    mailbox = parsed->note.mailbox;
    firmware = std::move(*file);
    auto status = qemu->open(config, description, &forwarder, &board);
    if (status == RVL_OK)
        status = qemu->load(board, firmware.data(), firmware.size());
    return status == RVL_OK ? qemu->start(board) : status;
}

rvl_status open(const rvl_config *config, const rvl_device_desc *description, const rvl_host *host,
                rvl_device **opened) {
    {
        const std::scoped_lock lock(mutex);
        visitor = host;
    }
    if (board == nullptr)
        if (const auto status = power_on(config, description, host); status != RVL_OK)
            return status;
    *opened = board;
    return RVL_OK;
}

void close(rvl_device *) {
    const std::scoped_lock lock(mutex);
    visitor = nullptr;
}

rvl_status describe(rvl_device *, rvl_device_desc *description) {
    description->mailbox = mailbox;
    return RVL_OK;
}

rvl_status reset(rvl_device *device) {
    const auto status = qemu->reset(device);
    return status == RVL_OK ? qemu->load(device, firmware.data(), firmware.size()) : status;
}

} // namespace
} // namespace rivulet::hal::running

const rvl_driver *rvl_driver_named(const char *) {
    using namespace rivulet::hal::running;
    static rvl_driver table;
    qemu = rivulet::hal::qemu_beside(reinterpret_cast<const void *>(&rvl_driver_named));
    if (qemu == nullptr)
        return nullptr;
    table = *qemu;
    table.name = "running";
    table.enumerate = enumerate;
    table.open = rivulet::hal::guarded<open>;
    table.close = close;
    table.describe = describe;
    table.reset = reset;
    return &table;
}
