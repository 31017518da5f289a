// SPDX-License-Identifier: Apache-2.0
//
// A driver for tests: QEMU with a broken doorbell. MUTE_BELL says which: "ring" (to the device),
// "wait" (from it), or "told" (to the device, and the driver reports it).
#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "hal/tests/qemu_beside.h"

namespace rivulet::hal::mute {
namespace {

const rvl_driver *qemu = nullptr;

std::string_view bell() {
    const char *name = std::getenv("MUTE_BELL");
    return name == nullptr ? "" : name;
}

rvl_status enumerate(const rvl_config *config, const rvl_host *host, rvl_device_desc *devices,
                     size_t capacity, size_t *count) {
    const auto status = qemu->enumerate(config, host, devices, capacity, count);
    if (status == RVL_OK && capacity != 0 && bell() == "told")
        devices[0].flags |= RVL_DEVICE_CANT_RING;
    return status;
}

rvl_status ring(rvl_device *, uint64_t) { return RVL_OK; }

rvl_status wait(rvl_device *, uint64_t timeout_ns) {
    constexpr uint64_t longest = 1'000'000'000;
    const timespec pause{.tv_sec = 0,
                         .tv_nsec = static_cast<long>(std::min(timeout_ns, longest - 1))};
    nanosleep(&pause, nullptr);
    return RVL_TIMEOUT;
}

} // namespace
} // namespace rivulet::hal::mute

const rvl_driver *rvl_driver_named(const char *) {
    using namespace rivulet::hal::mute;
    static rvl_driver table;
    qemu = rivulet::hal::qemu_beside(reinterpret_cast<const void *>(&rvl_driver_named));
    if (qemu == nullptr)
        return nullptr;
    table = *qemu;
    table.name = "mute";
    table.enumerate = enumerate;
    if (bell() == "ring" || bell() == "told")
        table.ring = ring;
    if (bell() == "wait")
        table.wait = wait;
    return &table;
}
