// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/device/isa.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "hal/isa/isa_string.h"

namespace rivulet {
namespace {

using Names = std::vector<std::string>;

/// Zvl*b only specifies a minimum vector length.
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
    Names present = isa::names(isa);
    isa::add_implied(present);
    std::string missing;
    for (const std::string &name : isa::names(needed)) {
        const bool is_group = name == "g"; // expands to its members, which are checked below
        Names members{name};
        if (is_group) {
            isa::add_implied(members);
            members.erase(members.begin());
        }
        for (const std::string &member : members) {
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
    Names present = isa::names(isa);
    isa::add_implied(present);
    return isa != "host" && std::ranges::find(present, wanted) != present.end();
}

} // namespace rivulet
