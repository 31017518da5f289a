// SPDX-License-Identifier: Apache-2.0
//
// Settings as read by common code and drivers, in addition to Config in hal/device.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/environment.h"
#include "base/error.h"
#include "base/parse.h"
#include "hal/device.h"

namespace rivulet::hal {

// Variables that set a key for all devices.
struct CommonKey {
    Variable variable;
    const char *key;
};
inline constexpr CommonKey common_keys[] = {
    {Variable::driver, "driver"},     {Variable::data, "data"}, {Variable::qemu, "qemu"},
    {Variable::firmware, "firmware"}, {Variable::gdb, "gdb"},   {Variable::deadline, "deadline"},
};

/// The settings as a driver gets them: without those that only the common code uses.
class DriverConfig {
public:
    explicit DriverConfig(const Config &config) : entries_(config.entries()) {
        for (const auto &entry : entries_)
            if (!entry.starts_with("device="))
                pointers_.push_back(entry.c_str());
        pointers_.push_back(nullptr);
        config_ = {.size = sizeof config_, .entries = pointers_.data()};
    }
    DriverConfig(const DriverConfig &) = delete;
    DriverConfig &operator=(const DriverConfig &) = delete;
    [[nodiscard]] const rvl_config &get() const { return config_; }

private:
    std::vector<std::string> entries_;
    std::vector<const char *> pointers_;
    rvl_config config_{};
};

/// A driver's view of rvl_config.
class Settings {
public:
    explicit Settings(const rvl_config *config) : config_(config) {}
    /// nullptr if the key is absent.
    [[nodiscard]] const char *find(std::string_view key) const {
        for (auto entry = config_->entries; entry != nullptr && *entry != nullptr; ++entry) {
            const std::string_view text = *entry;
            if (text.size() > key.size() && text.starts_with(key) && text[key.size()] == '=')
                return *entry + key.size() + 1;
        }
        return nullptr;
    }
    [[nodiscard]] std::string get(std::string_view key, std::string_view fallback = {}) const {
        const char *value = find(key);
        return value != nullptr && *value != 0 ? value : std::string(fallback);
    }

    /// Fails if the configuration contains a key that is neither common to all drivers nor in
    /// `own`, and is therefore probably misspelt.
    [[nodiscard]] Result<> check(std::string_view driver,
                                 std::initializer_list<std::string_view> own) const;

private:
    const rvl_config *config_;
};

/// Fails if an ISA string begins with neither rv32 nor rv64, is longer than a device description
/// allows, or contains a name that can only be a typo. `where`: "isa", or a profile's path.
Result<> check_isa(std::string_view where, std::string_view isa);

} // namespace rivulet::hal
