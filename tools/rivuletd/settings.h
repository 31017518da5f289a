// SPDX-License-Identifier: Apache-2.0
//
// What rivuletd is told to do: its devices, who may use them, and how much of them.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

#include "hal/device.h"

namespace rivulet::tools {

constexpr uint64_t least_memory = 1u << 20;

/// Of the processes of one user.
struct Limits {
    uint64_t memory = 0;        // heap of each process; 0: what suits the device
    uint32_t processes = 64;    // that have a heap at the same time
    uint32_t launches = 256;    // of each process on the device; more wait in its ring
    uint32_t time_limit_ms = 0; // of each launch; 0: what the process asks for
    uint32_t weight = 100;      // share of the device, relative to others'
    bool high_priority = false; // whether launches may come before those of all others
};

/// Whether a client's process can reach other clients' memory.
enum class Isolation {
    full,    // it has no access to device memory but through the daemon, which copies
    kernels, // it maps its heap from a file that also holds others'
};

struct DeviceSettings {
    hal::Config config; // for Device::open
    Isolation isolation = Isolation::full;
    std::string access; // group whose members may use the device; "": everyone who can connect
    Limits limits;
    std::map<uid_t, std::vector<std::pair<std::string, std::string>>> of_users;
    std::map<gid_t, std::vector<std::pair<std::string, std::string>>> of_groups;

    /// Takes the daemon's own settings out of those of a device.
    static Result<DeviceSettings> from(const hal::Config &config);

    /// The limits of a user: the device's, then those of the user's groups, then the user's own.
    [[nodiscard]] Limits limits_of(uid_t user) const;
    [[nodiscard]] bool admits(uid_t user) const;
};

/// "alice", or "user 1001" if the name is unknown.
std::string user_name(uid_t user);

} // namespace rivulet::tools
