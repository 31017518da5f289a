// SPDX-License-Identifier: Apache-2.0
//
// Settings as read by drivers.
#include <algorithm>

#include "base/parse.h"
#include "hal/core/config.h"
#include "hal/isa/isa_string.h"

namespace rivulet::hal {

Result<> Settings::check(std::string_view driver,
                         std::initializer_list<std::string_view> own) const {
    std::vector<std::string_view> known{"harts", "memory", "unfenced",  "coherent",
                                        "clear", "core",   "preempt-us"};
    known.insert(known.end(), own);
    // Keys set by environment variables are accepted, because the variables apply to all drivers.
    std::vector<std::string_view> accepted{"machine"};
    accepted.insert(accepted.end(), known.begin(), known.end());
    for (const auto &[variable, key] : common_keys)
        accepted.push_back(key);
    std::string unknown;
    bool all_suggested = true;
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
        else
            all_suggested = false;
    }
    if (unknown.empty())
        return {};
    if (all_suggested)
        return fail(RVL_INVALID, {"driver ", driver, " has no setting ", unknown});
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

} // namespace rivulet::hal
