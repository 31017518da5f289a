// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/object/log.h"

#include <algorithm>
#include <atomic>
#include <cstdio>

#include "base/environment.h"

namespace rivulet {
namespace {

/// RIVULET_LOG; -1 if unset.
int log_setting() {
    static const int level = [] {
        const auto setting = environment_number(Variable::log);
        return setting ? static_cast<int>(*setting) : -1;
    }();
    return level;
}

void write_line(int level, std::string_view text) {
    static constexpr const char *levels[] = {"error", "warning", "note", "debug"};
    std::fprintf(stderr, "rivulet: %s: %.*s\n", levels[std::clamp(level, 0, 3)],
                 static_cast<int>(text.size()), text.data());
}

} // namespace

void log(int level, std::string_view text) {
    if (level <= std::max(log_setting(), 0))
        write_line(level, text);
}

void log_fault(std::string_view text) {
    constexpr unsigned shown_by_default = 20;
    static std::atomic<unsigned> shown = 0;
    const int setting = log_setting();
    if (setting == 0)
        return;
    const unsigned before = setting < 0 ? shown++ : 0;
    if (before < shown_by_default)
        write_line(1, text);
    else if (before == shown_by_default)
        write_line(1, "further kernel faults are not shown; RIVULET_LOG=1 shows all");
}

} // namespace rivulet
