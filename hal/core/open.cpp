// SPDX-License-Identifier: Apache-2.0
//
// From settings to an open device: which driver, which machine.
#include <cstdio>
#include <cstring>

#include "base/data_directory.h"
#include "base/parse.h"
#include "hal/core/built_in_kernels.h"
#include "hal/core/config.h"
#include "hal/core/driver_table.h"
#include "hal/core/drivers.h"
#include "hal/core/mailbox_device.h"

namespace rivulet::hal {

Result<> normalise(Config &config) {
    if (config.get("data").empty())
        config.set("data", find_data_directory());
    if (const auto text = config.get("memory"); !text.empty()) {
        const auto bytes = parse_bytes(text);
        if (!bytes)
            return fail(RVL_INVALID, {"memory=", text, " is not a size; use memory=512M or 2G"});
        config.set("memory", rivulet::text({*bytes}));
    }
    if (const auto text = config.get("deadline"); !text.empty() && !parse_number(text))
        return fail(RVL_INVALID, {"deadline=", text,
                                  " is no number of seconds; write RIVULET_DEADLINE=30, or 0 for "
                                  "a device that may take for ever"});
    if (const auto text = config.get("device"); !text.empty() && !parse_number(text))
        return fail(RVL_INVALID, {"device=", text,
                                  " is no number of a device; they are counted "
                                  "from 0"});
    if (const auto text = config.get("clear");
        !text.empty() && text != "yes" && text != "no" && text != "true" && text != "false")
        return fail(RVL_INVALID, {"clear=", text,
                                  " says neither yes nor no: whether memory is cleared of what "
                                  "former hosts left"});
    for (const std::string_view entry : config.entries()) {
        if (entry == "machine=")
            return fail(RVL_INVALID,
                        "\"machine\" has no name; RIVULET_MACHINE is NAME[,KEY=VALUE]..., "
                        "rv64-v512,harts=4 for one");
        if (!entry.starts_with("harts="))
            continue;
        const auto harts = parse_number(entry.substr(6));
        if (!harts || *harts < 1 || *harts > RVL_MAX_HARTS)
            return fail(RVL_INVALID,
                        {entry, " is no number of harts; 1 to ", RVL_MAX_HARTS, " are possible"});
    }
    return {};
}

Result<std::unique_ptr<Device>> Device::open(Config config, Log log) {
    const auto driver = find_driver(config);
    auto device = driver ? open(**driver, config, std::move(log)) : std::unexpected(driver.error());
    if (!device)
        return fail(device.error().status, config.located(device.error().message));
    return device;
}

Result<std::vector<rvl_device_desc>> Device::list(Config config, Log log) {
    const auto driver = find_driver(config);
    if (!driver)
        return std::unexpected(driver.error());
    const auto table = usable_table(**driver);
    if (!table)
        return std::unexpected(table.error());
    if (auto normal = normalise(config); !normal)
        return std::unexpected(normal.error());
    DriverCallbacks callbacks(std::move(log));
    return find_devices(*table, DriverConfig(config).get(), callbacks);
}

Result<std::unique_ptr<Device>> Device::open(const rvl_driver &driver, Config config, Log log) {
    const auto table = usable_table(driver);
    if (!table)
        return std::unexpected(table.error());
    if (auto normal = normalise(config); !normal)
        return std::unexpected(normal.error());

    const DriverConfig settings(config);
    auto callbacks = std::make_unique<DriverCallbacks>(std::move(log));
    const auto devices = find_devices(*table, settings.get(), *callbacks);
    if (!devices)
        return std::unexpected(devices.error());
    const uint64_t number = parse_number(config.get("device", "0")).value_or(0);
    if (number >= devices->size())
        return fail(RVL_NOT_FOUND, {"device=", number, ": driver ", table->name, " has ",
                                    devices->size(), " of them, counted from 0"});
    rvl_device_desc description = (*devices)[number];

    rvl_device *device = nullptr;
    {
        DriverCall call(*callbacks);
        const auto status =
            table->open(&settings.get(), &description, callbacks->c_interface(), &device);
        if (status != RVL_OK)
            return std::unexpected(call.to_error(status, text({"opening ", description.name})));
    }
    table->describe(device, &description);
    if (const auto core = config.get("core"); !core.empty()) {
        std::memset(description.core, 0, sizeof description.core);
        core.copy(description.core, sizeof description.core - 1);
    }
    make_printable(description);
    if (config.get("coherent") == "no")
        description.flags &= ~uint32_t{RVL_DEVICE_COHERENT | RVL_DEVICE_ATOMICS};
    const bool maps = (description.flags & RVL_DEVICE_MAPS) != 0;
    const bool coherent = (description.flags & RVL_DEVICE_COHERENT) != 0;
    const bool copies = !maps || (!coherent && description.cache_block > RVL_CACHE_BLOCK);
    const char *wrong = nullptr;
    static_assert(RVL_MAX_HARTS == 1024, "the message below says so");
    if (description.harts == 0 || description.harts > RVL_MAX_HARTS)
        wrong = " describes a device with no harts or more than 1024";
    else if (maps && !coherent && table->sync == nullptr)
        wrong = " maps, is not coherent and has no sync in its table: set RVL_DEVICE_COHERENT, "
                "leave RVL_DEVICE_MAPS out, or write sync";
    else if (copies && (driver.read == nullptr || driver.write == nullptr))
        wrong = " needs read and write in its table, since it doesn't always map";
    if (wrong != nullptr) {
        table->close(device);
        return fail(RVL_INVALID, {"driver ", table->name, wrong});
    }
    drop_unusable_regions(description, table->hal_version, *callbacks);
    if (const auto name = config.get("name"); !name.empty())
        std::snprintf(description.name, sizeof description.name, "%s", name.c_str());
    auto built_in_kernels = read_built_in_kernels(*table, device, *callbacks);
    return std::make_unique<MailboxDevice>(*table, device, description, std::move(config),
                                           std::move(callbacks), std::move(built_in_kernels));
}

} // namespace rivulet::hal
