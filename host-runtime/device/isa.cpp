// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/device/isa.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace rivulet {
namespace {

using Names = std::vector<std::string_view>;

// The extensions that an extension implies. Zicsr, Zifencei and the counters were part of I before
// they got names, and device trees still leave them out.
constexpr struct {
    std::string_view name, implied;
} implications[] = {
    {"g", "i m a f d zicsr zifencei"},
    {"i", "zicsr zifencei zicntr zihpm"},
    {"m", "zmmul"},
    {"a", "zaamo zalrsc"},
    {"b", "zba zbb zbs"},
    {"c", "zca zcd zcf"},
    {"d", "f"},
    {"v", "zve64d"},
    {"zve64d", "zve64f"},
    {"zve64f", "zve64x zve32f"},
    {"zve64x", "zve32x"},
    {"zve32f", "zve32x"},
    {"zfh", "zfhmin"},
    {"zvfh", "zvfhmin"},
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// "zve32f1p0" → "zve32f"; a number without 'p' belongs to the name ("zve32x").
std::string_view without_version(std::string_view name) {
    size_t end = name.size();
    while (end > 0 && is_digit(name[end - 1]))
        --end;
    if (end == name.size() || end < 2 || name[end - 1] != 'p' || !is_digit(name[end - 2]))
        return name;
    --end;
    while (end > 0 && is_digit(name[end - 1]))
        --end;
    return name.substr(0, end);
}

void add(Names &names, std::string_view name) {
    if (std::ranges::find(names, name) == names.end())
        names.push_back(name);
}

/// Single letters run together; from the first 'z', 's' or 'x' on, and after each '_', names are
/// longer.
Names extensions(std::string_view isa) {
    Names names;
    add(names, isa.substr(0, 4)); // "rv64": counted as an extension, so that it is compared too
    isa.remove_prefix(std::min<size_t>(4, isa.size()));
    while (!isa.empty()) {
        const bool is_long = std::string_view("zsx").contains(isa[0]);
        if (isa[0] == '_') {
            isa.remove_prefix(1);
        } else if (is_long) {
            const std::string_view name = isa.substr(0, isa.find('_'));
            add(names, without_version(name));
            isa.remove_prefix(name.size());
        } else {
            add(names, isa.substr(0, 1));
            isa.remove_prefix(1);
            while (!isa.empty() &&
                   (is_digit(isa[0]) || (isa[0] == 'p' && isa.size() > 1 && is_digit(isa[1]))))
                isa.remove_prefix(1);
        }
    }
    return names;
}

void add_implied(Names &names) {
    for (size_t i = 0; i < names.size(); ++i) { // grows while it is walked
        for (const auto &[name, implied] : implications) {
            if (name != names[i])
                continue;
            for (std::string_view rest = implied; !rest.empty();) {
                const std::string_view word = rest.substr(0, rest.find(' '));
                add(names, word);
                rest.remove_prefix(std::min(word.size() + 1, rest.size()));
            }
        }
    }
}

/// Zvl*b says only how long vectors are at least.
bool is_covered_by_vlen(std::string_view name, uint32_t vlen) {
    if (!name.starts_with("zvl") || !name.ends_with("b"))
        return false;
    uint32_t bits = 0;
    const char *end = name.data() + name.size() - 1;
    const auto [stop, error] = std::from_chars(name.data() + 3, end, bits);
    return error == std::errc() && stop == end && bits <= vlen;
}

} // namespace

std::string missing_extensions(std::string_view isa, uint32_t vlen, std::string_view needed) {
    Names present = extensions(isa);
    add_implied(present);
    std::string missing;
    for (const std::string_view name : extensions(needed)) {
        const bool is_group = name == "g"; // stands for its members, which are looked at below
        Names members{name};
        if (is_group) {
            add_implied(members);
            members.erase(members.begin());
        }
        for (const std::string_view member : members) {
            if (std::ranges::find(present, member) != present.end() ||
                is_covered_by_vlen(member, vlen))
                continue;
            missing += missing.empty() ? "" : " ";
            missing += member;
        }
    }
    return missing;
}

bool has_extension(std::string_view isa, std::string_view extension) {
    std::string wanted(extension);
    std::ranges::transform(wanted, wanted.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; });
    Names present = extensions(isa);
    add_implied(present);
    return isa != "host" && std::ranges::find(present, wanted) != present.end();
}

} // namespace rivulet
