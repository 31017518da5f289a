// SPDX-License-Identifier: Apache-2.0
#include "tools/rivulet/watch/users.h"

#include <pwd.h>

#include <cmath>

#include <nlohmann/json.hpp>

#include "base/parse.h"
#include "hal/core/config.h"

namespace rivulet::tools {
namespace {

using hal::daemon::Usage;

std::string name_of(uint32_t uid) {
    const passwd *user = getpwuid(uid);
    return user != nullptr ? user->pw_name : std::to_string(uid);
}

double rounded(double value) { return std::round(value * 1000) / 1000; }

} // namespace

Result<Users> Users::of(const hal::Config &config) {
    Users users;
    users.socket_ = config.get("socket", hal::daemon::default_socket);
    users.device_ = static_cast<uint32_t>(parse_number(config.get("device", "0")).value_or(0));
    auto connection = hal::daemon::Connection::to(users.socket_);
    if (!connection)
        return std::unexpected(connection.error());
    users.connection_ = std::move(*connection);
    return users;
}

std::string Users::title() const { return text({"device ", device_, " of ", socket_}); }

Result<std::vector<User>> Users::look() {
    const auto all = connection_.usage(device_);
    if (!all)
        return std::unexpected(all.error());
    const auto now = Clock::now();
    const double seconds = std::chrono::duration<double>(now - last_look_).count();
    std::vector<User> users;
    std::map<Key, Usage> seen;
    uint64_t sum = 0; // of instructions since the last look
    for (const Usage &usage : *all) {
        if (usage.heap_bytes == 0) // has only looked at the description
            continue;
        // A process may use the device several times.
        Key key{usage.pid, 0};
        while (seen.contains(key))
            ++key.second;
        seen[key] = usage;
        User &user = users.emplace_back(User{.usage = usage, .name = name_of(usage.uid)});
        const auto before = last_.find(key);
        if (before == last_.end() || before->second.instructions > usage.instructions ||
            before->second.busy_ns > usage.busy_ns || seconds <= 0)
            continue;
        const uint64_t instructions = usage.instructions - before->second.instructions;
        user.instruction_share = static_cast<double>(instructions);
        sum += instructions;
        user.busy = static_cast<double>(usage.busy_ns - before->second.busy_ns) / (seconds * 1e9);
    }
    for (User &user : users)
        if (user.instruction_share >= 0)
            user.instruction_share =
                sum == 0 ? 0 : user.instruction_share / static_cast<double>(sum);
    last_ = std::move(seen);
    last_look_ = now;
    return users;
}

nlohmann::ordered_json described(const User &user) {
    const Usage &usage = user.usage;
    nlohmann::ordered_json json = {{"pid", usage.pid},
                                   {"user", user.name},
                                   {"program", usage.program},
                                   {"memory_mib", usage.heap_bytes >> 20},
                                   {"launches", usage.launches},
                                   {"in_flight", usage.in_flight},
                                   {"failures", usage.failures},
                                   {"instructions", usage.instructions},
                                   {"busy_ms", usage.busy_ns / 1'000'000}};
    if (user.instruction_share >= 0)
        json["share"] = rounded(user.instruction_share);
    if (user.busy >= 0)
        json["busy"] = rounded(user.busy);
    return json;
}

} // namespace rivulet::tools
