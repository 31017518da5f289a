// SPDX-License-Identifier: Apache-2.0
//
// A look at a device as lines of text: for the screen, and for logs.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "tools/rivulet/watch/watcher.h"

namespace rivulet::tools {

/// The lines that the screen shows of one device above its log.
std::vector<std::string> picture(Watcher &watcher, const Sample &sample);
/// One line that says how things are.
std::string summary(const Sample &sample);
/// News tells what happened since the last look, a line each: log, faults, the end of the firmware.
class News {
public:
    std::vector<std::string> take(const Sample &sample);

private:
    uint32_t state_ = 0;
    uint64_t last_fault_ = 0; // device time
};

} // namespace rivulet::tools
