// SPDX-License-Identifier: Apache-2.0
//
// Settings as read by drivers, and parsing of numbers.
#include <algorithm>
#include <charconv>
#include <utility>

#include "hal/core/config.h"
#include "hal/isa/isa_string.h"

namespace rivulet::hal {

size_t edits(std::string_view from, std::string_view to) {
    std::vector<size_t> row(to.size() + 1);
    for (size_t x = 0; x < row.size(); ++x)
        row[x] = x;
    for (size_t y = 0; y < from.size(); ++y) {
        size_t diagonal = std::exchange(row[0], y + 1);
        for (size_t x = 0; x < to.size(); ++x) {
            const size_t changed = diagonal + (from[y] != to[x]);
            diagonal = row[x + 1];
            row[x + 1] = std::min({changed, row[x] + 1, diagonal + 1});
        }
    }
    return row.back();
}

Result<> Settings::check(std::string_view driver,
                         std::initializer_list<std::string_view> own) const {
    std::vector<std::string_view> known{"harts", "memory", "unfenced", "coherent", "clear"};
    known.insert(known.end(), own);
    // Keys set by environment variables are accepted, because the variables apply to all drivers.
    std::vector<std::string_view> accepted{"machine"};
    accepted.insert(accepted.end(), known.begin(), known.end());
    for (const auto &[variable, key] : common_keys)
        accepted.push_back(key);
    std::string unknown;
    for (auto entry = config_->entries; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view setting = *entry;
        const auto key = setting.substr(0, setting.find('='));
        if (std::ranges::find(accepted, key) != accepted.end())
            continue;
        unknown += text({unknown.empty() ? "" : ", ", "\"", key, "\""});
        const auto distance = [key](std::string_view other) { return edits(key, other); };
        const auto nearest = *std::ranges::min_element(accepted, {}, distance);
        if (2 * distance(nearest) <= key.size())
            unknown += text({" (did you mean \"", nearest, "\"?)"});
    }
    if (unknown.empty())
        return {};
    std::string list;
    for (const auto key : known)
        list += text({list.empty() ? "" : ", ", key});
    return fail(RVL_INVALID,
                {"driver ", driver, " has no setting ", unknown, "; its settings are: ", list});
}

Result<> check_isa(std::string_view where, std::string_view isa) {
    if (!isa.starts_with("rv32") && !isa.starts_with("rv64"))
        return fail(RVL_INVALID, {where, "=", isa, " begins with neither rv32 nor rv64"});
    if (isa.size() >= sizeof rvl_device_desc::isa)
        return fail(RVL_INVALID, {where, ": the ISA string has ", isa.size(), " letters; at most ",
                                  sizeof rvl_device_desc::isa - 1,
                                  " are possible. Leave out extensions that kernels don't use"});
    if (const auto verdict = isa::check(isa); !verdict.error.empty())
        return fail(RVL_INVALID, {where, "=", isa, ": ", verdict.error});
    return {};
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == text.npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::optional<uint64_t> parse_number(std::string_view text) {
    int base = 10;
    if (text.starts_with("0x")) {
        base = 16;
        text.remove_prefix(2);
    }
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

std::optional<uint64_t> parse_bytes(std::string_view text) {
    constexpr std::string_view suffixes = "KMGT";
    unsigned shift = 0;
    if (text.ends_with('B'))
        text.remove_suffix(1);
    if (text.ends_with('i'))
        text.remove_suffix(1);
    if (!text.empty())
        if (const auto index = suffixes.find(text.back()); index != suffixes.npos) {
            shift = 10 * (static_cast<unsigned>(index) + 1);
            text.remove_suffix(1);
        }
    const auto value = parse_number(text);
    if (!value || *value > UINT64_MAX >> shift)
        return std::nullopt;
    return *value << shift;
}

} // namespace rivulet::hal
