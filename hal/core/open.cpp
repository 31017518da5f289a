// SPDX-License-Identifier: Apache-2.0
//
// From settings to an open device: which driver, which machine.
#include "hal/core/config.h"
#include "hal/core/drivers.h"
#include "hal/core/mailbox_device.h"

namespace rivulet::hal {
namespace {

/// The settings that every driver gets, in the form that hal.h promises.
Result<> normalise(Config &config) {
    if (config.get("data").empty())
        config.set("data", find_data_directory());
    if (const auto text = config.get("memory"); !text.empty()) {
        const auto bytes = parse_bytes(text);
        if (!bytes)
            return fail(RVL_INVALID, {"memory=", text, " is no size; write memory=512M or 2G"});
        config.set("memory", std::to_string(*bytes));
    }
    if (const auto text = config.get("deadline"); !text.empty() && !parse_number(text))
        return fail(RVL_INVALID, {"deadline=", text,
                                  " is no number of seconds; write RIVULET_DEADLINE=30, or 0 for "
                                  "a device that may take for ever"});
    for (const std::string_view entry : config.entries()) {
        if (!entry.starts_with("harts="))
            continue;
        const auto harts = parse_number(entry.substr(6));
        if (!harts || *harts < 1 || *harts > RVL_MAX_HARTS)
            return fail(RVL_INVALID,
                        {entry, " is no number of harts; 1 to ", RVL_MAX_HARTS, " are possible"});
    }
    return {};
}

} // namespace

Result<std::unique_ptr<Device>> Device::open(Config config, Log log) {
    const auto driver = find_driver(config);
    if (!driver)
        return std::unexpected(driver.error());
    return open(**driver, std::move(config), std::move(log));
}

Result<std::unique_ptr<Device>> Device::open(const rvl_driver &driver, Config config, Log log) {
    // A driver may be older than this library within a major: what it lacks is behind its `size`.
    if (RVL_VERSION_MAJOR(driver.hal_version) != RVL_VERSION_MAJOR(RVL_HAL_VERSION) ||
        driver.size < offsetof(rvl_driver, describe))
        return fail(RVL_BAD_VERSION, {"driver ", driver.name, " was built for HAL ",
                                      version_text(driver.hal_version), ", this library has ",
                                      version_text(RVL_HAL_VERSION), "; build the driver anew"});
    if (auto normal = normalise(config); !normal)
        return std::unexpected(normal.error());

    const auto entries = config.entries();
    std::vector<const char *> pointers;
    for (const auto &entry : entries)
        pointers.push_back(entry.c_str());
    pointers.push_back(nullptr);
    const rvl_config c_config{.size = sizeof c_config, .entries = pointers.data()};

    auto host = std::make_unique<HostSide>(std::move(log));
    rvl_device_desc description{};
    description.size = sizeof description;
    size_t count = 0;
    auto status = driver.enumerate(&c_config, host->c_interface(), &description, 1, &count);
    if (status == RVL_OK && count == 0)
        status = RVL_NOT_FOUND;
    if (status != RVL_OK)
        return std::unexpected(
            host->explained(status, text({"finding a device with driver ", driver.name})));

    rvl_device *device = nullptr;
    status = driver.open(&c_config, &description, host->c_interface(), &device);
    if (status != RVL_OK)
        return std::unexpected(host->explained(status, text({"opening ", description.name})));
    if (driver.size >= sizeof(rvl_driver) && driver.describe != nullptr)
        driver.describe(device, &description);
    return std::make_unique<MailboxDevice>(driver, device, description, std::move(config),
                                           std::move(host));
}

} // namespace rivulet::hal
