// SPDX-License-Identifier: Apache-2.0
//
// The state of a device as lines of text: for the screen, and for logs.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "tools/rivulet/watch/users.h"
#include "tools/rivulet/watch/watcher.h"

namespace rivulet::tools {

/// The lines shown for one device above its log.
std::vector<std::string> picture(Watcher &watcher, const Sample &sample);
/// The lines shown for a device that processes share.
std::vector<std::string> picture(const std::string &title, const std::vector<User> &users);
/// A one-line summary of the state.
std::string summary(const Sample &sample);
std::string summary(const std::vector<User> &users);
/// Events since the last sample, one line each: log, faults, the end of the firmware.
class News {
public:
    std::vector<std::string> take(const Sample &sample);

private:
    bool crashed_ = false;
    uint64_t last_fault_ = 0; // device time
};

} // namespace rivulet::tools
