// SPDX-License-Identifier: Apache-2.0
//
// Settings as common code and drivers read them, beside hal/device.h's Config.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hal/core/environment.h"
#include "hal/core/error.h"

namespace rivulet::hal {

// The variables that set a key for every device.
struct CommonKey {
    Variable variable;
    const char *key;
};
inline constexpr CommonKey common_keys[] = {
    {Variable::driver, "driver"},     {Variable::data, "data"}, {Variable::qemu, "qemu"},
    {Variable::firmware, "firmware"}, {Variable::gdb, "gdb"},   {Variable::deadline, "deadline"},
};

/// How many letters must be put in, taken out or changed to make `to` of `from`.
size_t edits(std::string_view from, std::string_view to);

/// Without blanks, tabs and carriage returns at both ends.
std::string_view trimmed(std::string_view text);
/// "512", "0x200"; nothing for anything else.
std::optional<uint64_t> parse_number(std::string_view text);
/// The same with K, M, G or T behind it (1024 each): "2G", "512MiB".
std::optional<uint64_t> parse_bytes(std::string_view text);

/// The folder of drivers/, machines/ and firmware/: beside the library or program that this code is
/// part of, in an install tree or a build tree; "" when there is no such place.
std::string find_data_directory();

/// A driver's view of rvl_config.
class Settings {
public:
    explicit Settings(const rvl_config *config) : config_(config) {}
    /// nullptr when the key is not there.
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

    /// An error where there are keys that are neither for every driver nor among the driver's
    /// `own`: misspelt, probably.
    [[nodiscard]] Result<> check(std::string_view driver,
                                 std::initializer_list<std::string_view> own) const;

private:
    const rvl_config *config_;
};

/// An error about an ISA string that begins with neither rv32 nor rv64, is longer than devices'
/// descriptions hold, or names what can only be a typing error. `where`: "isa", or a profile's
/// path.
Result<> check_isa(std::string_view where, std::string_view isa);

} // namespace rivulet::hal
