// SPDX-License-Identifier: Apache-2.0
//
// A driver for tests: three loopback devices that can't be mapped but have a copy engine, which is
// a thread, a second heap and a scratchpad. It finds the loopback driver in its own directory.
#include <dlfcn.h>

#include <chrono>
#include <cstring>
#include <future>
#include <map>
#include <mutex>
#include <string>

#include "hal/hal.h"

namespace {

constexpr size_t devices = 3;

const rvl_driver *loopback = nullptr;
std::mutex mutex;
std::map<uint64_t, std::future<rvl_status>> copies;
uint64_t next_ticket = 1;

rvl_status enumerate(const rvl_config *config, const rvl_host *host, rvl_device_desc *found,
                     size_t capacity, size_t *count) {
    *count = devices;
    for (size_t i = 0; i < capacity && i < devices; ++i) {
        size_t one = 0;
        rvl_device_desc device{};
        device.size = sizeof device;
        if (const auto status = loopback->enumerate(config, host, &device, 1, &one);
            status != RVL_OK)
            return status;
        std::strcpy(device.name, ("engine-" + std::to_string(i)).c_str());
        std::strcpy(device.vendor, "Acme");
        device.vendor_id = 0x1234;
        device.clock_mhz = 800 + static_cast<uint32_t>(i);
        device.copy_alignment = 64;
        device.copy_least_bytes = 64 << 10;
        rvl_put_description(found, i, &device);
    }
    return RVL_OK;
}

/// Places two regions at the end of memory, whose address is known once the device is open: a
/// scratchpad of 128 KiB per hart, preceded by a second heap, a quarter of the memory.
rvl_status describe(rvl_device *device, rvl_device_desc *description) {
    if (const auto status = loopback->describe(device, description); status != RVL_OK)
        return status;
    const uint64_t end = description->memory_base + description->memory_bytes;
    const uint64_t scratchpad = description->harts * (uint64_t{128} << 10);
    const uint64_t heap = description->memory_bytes / 4;
    description->regions[0] = {.kind = RVL_REGION_SCRATCHPAD,
                               .reserved = 0,
                               .base = end - scratchpad,
                               .bytes = scratchpad};
    description->regions[1] = {
        .kind = RVL_REGION_HEAP, .reserved = 0, .base = end - scratchpad - heap, .bytes = heap};
    return RVL_OK;
}

rvl_status copy_begin(rvl_device *device, const rvl_copy *copy, uint64_t *ticket) {
    const std::scoped_lock lock(mutex);
    *ticket = next_ticket++;
    copies[*ticket] = std::async(std::launch::async, [device, copy = *copy] {
        return copy.direction == RVL_SYNC_TO_DEVICE
                   ? loopback->write(device, copy.address, copy.host, copy.bytes)
                   : loopback->read(device, copy.address, copy.host, copy.bytes);
    });
    return RVL_OK;
}

rvl_status copy_wait(rvl_device *, uint64_t ticket, uint64_t timeout_ns) {
    std::future<rvl_status> *copy = nullptr;
    {
        const std::scoped_lock lock(mutex);
        const auto found = copies.find(ticket);
        if (found == copies.end())
            return RVL_INVALID;
        copy = &found->second;
    }
    if (copy->wait_for(std::chrono::nanoseconds(timeout_ns)) != std::future_status::ready)
        return RVL_TIMEOUT;
    const auto status = copy->get();
    const std::scoped_lock lock(mutex);
    copies.erase(ticket);
    return status;
}

} // namespace

const rvl_driver *rvl_driver_named(const char *) {
    static rvl_driver table;
    Dl_info own;
    if (dladdr(reinterpret_cast<const void *>(&rvl_driver_named), &own) == 0)
        return nullptr;
    const std::string file = own.dli_fname;
    const auto path = file.substr(0, file.rfind('/') + 1) + "loopback.so";
    void *const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        return nullptr;
    const auto find =
        reinterpret_cast<decltype(&rvl_driver_named)>(dlsym(library, "rvl_driver_named"));
    loopback = find("loopback-unmapped");
    table = *loopback;
    table.name = "engine";
    table.enumerate = enumerate;
    table.describe = describe;
    table.copy_begin = copy_begin;
    table.copy_wait = copy_wait;
    return &table;
}
