// SPDX-License-Identifier: Apache-2.0
#include "hal/core/driver_table.h"

#include <algorithm>
#include <cstring>

#include "base/printable.h"
#include "hal/core/describe.h"

namespace rivulet::hal {
namespace {

constexpr size_t most_devices = 1024;
constexpr uint32_t regions_are_used = RVL_VERSION(1, 2);

/// A function that must be in a table: always, or if and only if another one is.
struct Required {
    char name[14];
    uint8_t offset, other; // 0: always
    bool with_other;
};
#define RIVULET_AT(member) offsetof(rvl_driver, member)
constexpr Required required[] = {
    {"enumerate", RIVULET_AT(enumerate), 0, false},
    {"open", RIVULET_AT(open), 0, false},
    {"close", RIVULET_AT(close), 0, false},
    {"read", RIVULET_AT(read), RIVULET_AT(map), false},
    {"write", RIVULET_AT(write), RIVULET_AT(map), false},
    {"ring", RIVULET_AT(ring), 0, false},
    {"wait", RIVULET_AT(wait), 0, false},
    {"wake", RIVULET_AT(wake), 0, false},
    {"copy_begin", RIVULET_AT(copy_begin), RIVULET_AT(copy_wait), true},
    {"copy_wait", RIVULET_AT(copy_wait), RIVULET_AT(copy_begin), true},
    {"suspend", RIVULET_AT(suspend), RIVULET_AT(resume), true},
    {"resume", RIVULET_AT(resume), RIVULET_AT(suspend), true},
    {"export_memory", RIVULET_AT(export_memory), RIVULET_AT(export_ended), true},
    {"export_ended", RIVULET_AT(export_ended), RIVULET_AT(export_memory), true},
    {"import_memory", RIVULET_AT(import_memory), RIVULET_AT(end_import), true},
    {"end_import", RIVULET_AT(end_import), RIVULET_AT(import_memory), true},
};
#undef RIVULET_AT

/// Names the mandatory functions that this driver lacks; "" if none.
std::string missing_functions(const rvl_driver &driver) {
    const auto has = [&driver](size_t offset) {
        uintptr_t function = 0;
        std::memcpy(&function, reinterpret_cast<const char *>(&driver) + offset, sizeof function);
        return function != 0;
    };
    std::string names;
    for (const Required &one : required)
        if (!has(one.offset) && (one.other == 0 || has(one.other) == one.with_other))
            names.append(names.empty() ? "" : ", ").append(one.name);
    return names;
}

/// Fills in optional functions, so that callers need no null checks: they return RVL_UNSUPPORTED or
/// do nothing.
void fill_in(rvl_driver &driver) {
    if (driver.start == nullptr)
        driver.start = [](rvl_device *) { return RVL_UNSUPPORTED; };
    if (driver.reset == nullptr)
        driver.reset = [](rvl_device *) { return RVL_UNSUPPORTED; };
    // Used if `map` fails.
    if (driver.read == nullptr)
        driver.read = [](rvl_device *, uint64_t, void *, size_t) { return RVL_UNSUPPORTED; };
    if (driver.write == nullptr)
        driver.write = [](rvl_device *, uint64_t, const void *, size_t) { return RVL_UNSUPPORTED; };
    if (driver.describe == nullptr)
        driver.describe = [](rvl_device *, rvl_device_desc *) { return RVL_OK; };
}

} // namespace

Result<rvl_driver> usable_table(const rvl_driver &driver) {
    // Fields after `size` and `hal_version` may only be accessed once those have been checked.
    if (RVL_VERSION_MAJOR(driver.hal_version) != RVL_VERSION_MAJOR(RVL_HAL_VERSION))
        return fail(RVL_BAD_VERSION,
                    {"the driver was built for HAL ", version_text(driver.hal_version),
                     ", this library has ", version_text(RVL_HAL_VERSION),
                     "; rebuild the driver with this library's hal.h"});
    if (driver.size < offsetof(rvl_driver, describe))
        return fail(RVL_BAD_VERSION, {"the driver's table has ", driver.size, " bytes, HAL 1.0's ",
                                      offsetof(rvl_driver, describe),
                                      "; its field size must be sizeof(rvl_driver)"});
    rvl_driver table{};
    std::memcpy(&table, &driver, std::min<size_t>(driver.size, sizeof table));
    if (table.name == nullptr)
        table.name = "without a name";
    if (const auto names = missing_functions(table); !names.empty())
        return fail(RVL_INVALID, {"driver ", table.name, " has no ", names,
                                  " in its table: hal/hal.h says what each one does, "
                                  "hal/drivers/null shows it"});
    fill_in(table);
    return table;
}

void make_printable(rvl_device_desc &description) {
    rivulet::make_printable(description.name);
    rivulet::make_printable(description.board);
    rivulet::make_printable(description.isa);
    rivulet::make_printable(description.vendor);
    rivulet::make_printable(description.core);
}

Result<std::vector<rvl_device_desc>>
find_devices(const rvl_driver &driver, const rvl_config &config, DriverCallbacks &callbacks) {
    // HAL 1.0 drivers assume that elements have the size of their own struct.
    const size_t stride = RVL_VERSION_MINOR(driver.hal_version) == 0 ? RVL_DEVICE_DESC_BYTES_1_0
                                                                     : sizeof(rvl_device_desc);
    DriverCall call(callbacks);
    const auto failed = [&](rvl_status status) {
        return std::unexpected(
            call.to_error(status, text({"finding a device with driver ", driver.name})));
    };
    size_t there = 0;
    rvl_device_desc none{};
    none.size = static_cast<uint32_t>(stride);
    if (const auto status = driver.enumerate(&config, callbacks.c_interface(), &none, 0, &there);
        status != RVL_OK)
        return failed(status);
    there = std::min(there, most_devices);
    std::vector<rvl_device_desc> found(there); // aligned, and no element is larger
    auto *const bytes = reinterpret_cast<std::byte *>(found.data());
    for (size_t i = 0; i < there; ++i)
        std::memcpy(bytes + i * stride, &none, stride);
    size_t count = 0;
    if (there != 0)
        if (const auto status =
                driver.enumerate(&config, callbacks.c_interface(), found.data(), there, &count);
            status != RVL_OK)
            return failed(status);
    if (count == 0)
        return failed(RVL_NOT_FOUND);
    found.resize(std::min(there, count));
    for (size_t i = found.size(); stride != sizeof found[0] && i-- > 0;) {
        rvl_device_desc one{};
        std::memcpy(&one, bytes + i * stride, stride);
        found[i] = one;
    }
    for (auto &device : found) {
        device.size = sizeof device;
        make_printable(device);
    }
    return found;
}

void drop_unusable_regions(rvl_device_desc &description, uint32_t hal_version,
                           DriverCallbacks &callbacks) {
    const bool only_told = RVL_VERSION_MINOR(hal_version) < RVL_VERSION_MINOR(regions_are_used);
    rvl_region *kept = description.regions;
    for (const rvl_region region : description.regions) {
        if (region.kind == 0)
            break;
        const uint64_t offset = region.base - description.memory_base;
        const bool reached =
            region.kind != RVL_REGION_HEAP || (offset <= description.memory_bytes &&
                                               region.bytes <= description.memory_bytes - offset);
        if (reached && !only_told) {
            *kept++ = region;
            continue;
        }
        callbacks.log(only_told ? 1 : 0,
                      text({"the memory at ", hex(region.base), " is not used: ",
                            only_told ? "the driver was built for HAL 1.1; rebuild it"
                                      : "a second heap is within memory_bytes, or the window"}));
    }
    std::fill(kept, std::end(description.regions), rvl_region{});
}

rvl_region region_of(const rvl_device_desc &description, rvl_region_kind kind) {
    for (const rvl_region &region : description.regions)
        if (region.kind == kind)
            return region;
    return {};
}

} // namespace rivulet::hal
