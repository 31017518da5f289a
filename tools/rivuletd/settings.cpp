// SPDX-License-Identifier: Apache-2.0
#include "tools/rivuletd/settings.h"

#include <grp.h>
#include <pwd.h>

#include <algorithm>
#include <optional>

#include "base/parse.h"

namespace rivulet::tools {
namespace {

constexpr uint32_t most_launches = 512; // the firmware knows 904 of all clients

bool is_of_daemon(std::string_view key) {
    return key == "isolation" || key == "access" || key.starts_with("limits.") ||
           key.starts_with("user.") || key.starts_with("group.");
}

/// Changes one limit; fails if its name is unknown or its value is impossible.
Result<> set_limit(Limits &limits, std::string_view key, const std::string &value) {
    const auto wrong = [&](std::string_view expected) {
        return fail(RVL_INVALID, {"the limit ", key, " = ", value, " is not ", expected});
    };
    if (key == "memory") {
        const auto bytes = parse_bytes(value);
        if (!bytes || *bytes < least_memory)
            return wrong("a size of at least 1M");
        limits.memory = *bytes / RVL_PAGE_BYTES * RVL_PAGE_BYTES;
        return {};
    }
    if (key == "priority") {
        if (value != "normal" && value != "high")
            return wrong("normal or high");
        limits.high_priority = value == "high";
        return {};
    }
    const struct {
        std::string_view key;
        uint32_t Limits::*limit;
        uint64_t least, most, unit;
    } numbers[] = {
        {"processes", &Limits::processes, 1, 100000, 1},
        {"launches", &Limits::launches, 1, most_launches, 1},
        {"time_limit", &Limits::time_limit_ms, 0, 4294967, 1000},
        {"weight", &Limits::weight, 1, 10000, 1},
    };
    for (const auto &number : numbers) {
        if (number.key != key)
            continue;
        const auto parsed = parse_number(value);
        if (!parsed || *parsed < number.least || *parsed > number.most)
            return wrong(text({"a whole number from ", number.least, " to ", number.most}));
        limits.*number.limit = static_cast<uint32_t>(*parsed * number.unit);
        return {};
    }
    return fail(RVL_INVALID, {"there is no limit ", key,
                              "; memory, processes, launches, time_limit, weight and priority can "
                              "be set"});
}

std::vector<gid_t> groups_of(uid_t user) {
    const passwd *entry = getpwuid(user);
    if (entry == nullptr)
        return {};
    std::vector<gid_t> groups(64);
    int count = static_cast<int>(groups.size());
    if (getgrouplist(entry->pw_name, entry->pw_gid, groups.data(), &count) < 0) {
        groups.resize(static_cast<size_t>(count));
        if (getgrouplist(entry->pw_name, entry->pw_gid, groups.data(), &count) < 0)
            count = 0;
    }
    groups.resize(static_cast<size_t>(count));
    return groups;
}

std::optional<gid_t> group_named(const std::string &name) {
    if (const group *entry = getgrnam(name.c_str()))
        return entry->gr_gid;
    return std::nullopt;
}

} // namespace

std::string user_name(uid_t user) {
    const passwd *entry = getpwuid(user);
    return entry != nullptr ? text({"user ", entry->pw_name}) : text({"user ", user});
}

Result<DeviceSettings> DeviceSettings::from(const hal::Config &config) {
    DeviceSettings settings;
    settings.config.set_location(config.location());
    if (const auto name = config.get("name"); !name.empty())
        settings.config.set("name", name);
    for (const std::string &entry : config.entries())
        if (const auto equals = entry.find('='); !is_of_daemon({entry.data(), equals}))
            settings.config.set({entry.data(), equals}, entry.substr(equals + 1));
    const auto isolation = config.get("isolation", "full");
    if (isolation != "full" && isolation != "kernels")
        return fail(RVL_INVALID, {"isolation = \"", isolation, "\" is neither full nor kernels"});
    settings.isolation = isolation == "full" ? Isolation::full : Isolation::kernels;
    settings.access = config.get("access");
    if (!settings.access.empty() && !group_named(settings.access))
        return fail(RVL_NOT_FOUND, {"access = \"", settings.access, "\" is the name of no group"});

    for (const auto &entry : config.entries()) {
        const auto equals = entry.find('=');
        const std::string_view key = std::string_view(entry).substr(0, equals);
        const std::string value = entry.substr(equals + 1);
        if (key.starts_with("limits."))
            if (auto set = set_limit(settings.limits, key.substr(7), value); !set)
                return std::unexpected(set.error());
        const bool of_user = key.starts_with("user.");
        if (!of_user && !key.starts_with("group."))
            continue;
        const auto last = key.rfind('.');
        const size_t first = of_user ? 5 : 6;
        if (last < first)
            return fail(RVL_INVALID, {key, " names no limit; write [device.",
                                      of_user ? "user" : "group", ".NAME] and a limit below it"});
        const std::string name(key.substr(first, last - first));
        const std::string limit(key.substr(last + 1));
        Limits checked;
        if (auto set = set_limit(checked, limit, value); !set)
            return std::unexpected(set.error());
        if (of_user) {
            const passwd *user = getpwnam(name.c_str());
            const auto number = parse_number(name);
            if (user == nullptr && !number)
                return fail(RVL_NOT_FOUND, {key, ": there is no user ", name});
            settings.of_users[user != nullptr ? user->pw_uid : static_cast<uid_t>(*number)]
                .emplace_back(limit, value);
        } else {
            const auto group = group_named(name);
            if (!group)
                return fail(RVL_NOT_FOUND, {key, ": there is no group ", name});
            settings.of_groups[*group].emplace_back(limit, value);
        }
    }
    return settings;
}

Limits DeviceSettings::limits_of(uid_t user) const {
    Limits all = limits;
    if (!of_groups.empty())
        for (const gid_t group : groups_of(user))
            if (const auto found = of_groups.find(group); found != of_groups.end())
                for (const auto &[key, value] : found->second)
                    static_cast<void>(set_limit(all, key, value)); // checked by `from`
    if (const auto found = of_users.find(user); found != of_users.end())
        for (const auto &[key, value] : found->second)
            static_cast<void>(set_limit(all, key, value));
    return all;
}

bool DeviceSettings::admits(uid_t user) const {
    if (access.empty() || user == 0)
        return true;
    const auto group = group_named(access);
    const auto groups = groups_of(user);
    return group && std::ranges::find(groups, *group) != groups.end();
}

} // namespace rivulet::tools
