// SPDX-License-Identifier: Apache-2.0
#include "base/parse.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

namespace rivulet {

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

} // namespace rivulet
