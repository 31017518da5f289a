// SPDX-License-Identifier: Apache-2.0
//
// The processes that share a device through rivuletd.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "hal/drivers/daemon/connection.h"

namespace rivulet::hal {
class Config;
}

namespace rivulet::tools {

struct User {
    hal::daemon::Usage usage{};
    std::string name;
    // Since the last look; below 0: not known yet.
    double instruction_share = -1; // of those of all users
    double busy = -1;              // time of its launches on the device, per second
};

class Users {
public:
    /// Connects to the daemon that the settings name.
    static Result<Users> of(const hal::Config &config);

    /// Those that have a part of the device's memory. Fails if the daemon is gone.
    Result<std::vector<User>> look();
    /// "device 0 of /run/rivuletd.socket".
    [[nodiscard]] std::string title() const;

private:
    using Clock = std::chrono::steady_clock;
    using Key = std::pair<int32_t, unsigned>; // a process, and which of its connections

    hal::daemon::Connection connection_;
    std::string socket_;
    uint32_t device_ = 0;
    Clock::time_point last_look_;
    std::map<Key, hal::daemon::Usage> last_;
};

nlohmann::ordered_json described(const User &user);

} // namespace rivulet::tools
