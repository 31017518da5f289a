// SPDX-License-Identifier: Apache-2.0
#include "tools/rivulet/monitor/picture.h"

#include <cstdarg>
#include <cstdio>

namespace rivulet::tools {
namespace {

using namespace hal;

constexpr size_t most_faults = 5; // on the screen

__attribute__((format(printf, 1, 2))) std::string formatted(const char *format, ...) {
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    return line;
}

std::string heartbeat_text(const Sample &sample) {
    if (sample.heartbeat.count == 0)
        return "no heartbeat";
    const double up =
        static_cast<double>(sample.heartbeat.time) / static_cast<double>(sample.hello.timebase);
    auto line = formatted("heartbeat %u, device time %.1f s", sample.heartbeat.count, up);
    constexpr double worth_telling_s = 2.5; // two heartbeats at the slowest rate
    if (sample.heartbeat_age_s > worth_telling_s)
        line += formatted(", SILENT for %.0f s", sample.heartbeat_age_s);
    return line;
}

std::string ring_text(const char *name, const RingFill &fill) {
    return formatted("%s %u/%u", name, fill.used, fill.slots);
}

std::string state_of(const Sample &sample, const HartSample &hart) {
    if (sample.state != RVL_STATE_RUNNING && sample.state != RVL_STATE_DETACHED)
        return "stopped";
    if (hart.statistics.since == 0)
        return "?"; // older firmware does not report it
    if (hart.statistics.launch == 0)
        return formatted("idle %.1f s", hart.since_s);
    return formatted("launch %u, %.1f s", hart.statistics.launch, hart.since_s);
}

double busy_of(const Sample &sample) {
    double sum = 0;
    size_t known = 0;
    for (const HartSample &hart : sample.harts)
        if (hart.busy_share >= 0) {
            sum += hart.busy_share;
            ++known;
        }
    return known == 0 ? -1 : sum / static_cast<double>(known);
}

} // namespace

std::vector<std::string> picture(Watcher &watcher, const Sample &sample) {
    std::vector<std::string> lines;
    lines.push_back(watcher.memory().title());
    lines.push_back(formatted("  %s, board %s, %u harts of %u bits, VLEN %u, session 0x%x",
                              state_text(sample.state).c_str(), sample.hello.board,
                              sample.hello.harts, sample.hello.xlen, sample.hello.vlen,
                              sample.hello.session));
    lines.push_back("  " + heartbeat_text(sample));
    if (const auto conditions = text_of(sample.conditions); !conditions.empty())
        lines.push_back("  " + conditions);
    lines.push_back("  rings: " + ring_text("commands", sample.commands) + ", " +
                    ring_text("completions", sample.completions) + ", " +
                    ring_text("log", sample.log) + " bytes" +
                    (sample.log_lost != 0 ? formatted(" (%u lost)", sample.log_lost) : ""));
    lines.push_back(formatted("  %3s %5s  %-20s %4s %8s %9s %13s %7s", "", "mhart", "state", "busy",
                              "launches", "groups", "instructions", "idle s"));
    for (size_t i = 0; i < sample.harts.size(); ++i) {
        const HartSample &hart = sample.harts[i];
        const auto busy =
            hart.busy_share < 0 ? std::string("-") : formatted("%.0f%%", 100 * hart.busy_share);
        lines.push_back(formatted("  %3zu %5llu  %-20s %4s %8llu %9llu %13llu %7.1f", i,
                                  static_cast<unsigned long long>(hart.statistics.hart_id),
                                  state_of(sample, hart).c_str(), busy.c_str(),
                                  static_cast<unsigned long long>(hart.statistics.launches),
                                  static_cast<unsigned long long>(hart.statistics.groups),
                                  static_cast<unsigned long long>(hart.statistics.instructions),
                                  hart.idle_s));
    }
    if (sample.crash.magic != 0)
        lines.push_back(formatted("  the firmware failed on hart %u: %s", sample.crash.hart,
                                  sample.crash.reason));
    if (!sample.faults.empty())
        lines.push_back(formatted("  %zu faults of kernels, the last ones:", sample.faults.size()));
    const size_t skipped =
        sample.faults.size() > most_faults ? sample.faults.size() - most_faults : 0;
    for (size_t i = skipped; i < sample.faults.size(); ++i)
        lines.push_back("    " + fault_text(sample.faults[i]));
    return lines;
}

std::string summary(const Sample &sample) {
    uint64_t launches = 0, groups = 0, instructions = 0;
    for (const HartSample &hart : sample.harts) {
        launches += hart.statistics.launches;
        groups += hart.statistics.groups;
        instructions += hart.statistics.instructions;
    }
    const double busy = busy_of(sample);
    const auto conditions = text_of(sample.conditions);
    return formatted(
        "%s: harts %u, busy %s, commands %u/%u, completions %u/%u, log %u/%u, "
        "heartbeat %u, launches %llu, groups %llu, instructions %llu%s%s",
        state_text(sample.state).c_str(), sample.hello.harts,
        busy < 0 ? "-" : formatted("%.0f%%", 100 * busy).c_str(), sample.commands.used,
        sample.commands.slots, sample.completions.used, sample.completions.slots, sample.log.used,
        sample.log.slots, sample.heartbeat.count, static_cast<unsigned long long>(launches),
        static_cast<unsigned long long>(groups), static_cast<unsigned long long>(instructions),
        conditions.empty() ? "" : ", ", conditions.c_str());
}

std::vector<std::string> picture(const std::string &title, const std::vector<User> &users) {
    std::vector<std::string> lines{title};
    lines.push_back(formatted("  %7s %-12s %-16s %6s %6s %8s %6s %8s %9s %15s", "process", "user",
                              "program", "share", "busy", "MiB", "queued", "failures", "launches",
                              "instructions"));
    const auto percent = [](double part) {
        return part < 0 ? std::string("-") : formatted("%.0f%%", 100 * part);
    };
    for (const User &user : users)
        lines.push_back(
            formatted("  %7d %-12.12s %-16.16s %6s %6s %8llu %6u %8llu %9llu %15llu",
                      user.usage.pid, user.name.c_str(), user.usage.program,
                      percent(user.instruction_share).c_str(), percent(user.busy).c_str(),
                      static_cast<unsigned long long>(user.usage.heap_bytes >> 20),
                      user.usage.in_flight, static_cast<unsigned long long>(user.usage.failures),
                      static_cast<unsigned long long>(user.usage.launches),
                      static_cast<unsigned long long>(user.usage.instructions)));
    if (users.empty())
        lines.emplace_back("  no process uses it");
    return lines;
}

std::string summary(const std::vector<User> &users) {
    uint64_t launches = 0, instructions = 0, failures = 0, heap = 0;
    for (const User &user : users) {
        launches += user.usage.launches;
        instructions += user.usage.instructions;
        failures += user.usage.failures;
        heap += user.usage.heap_bytes;
    }
    return formatted("shared by %zu processes, %llu MiB, launches %llu, failures %llu, "
                     "instructions %llu",
                     users.size(), static_cast<unsigned long long>(heap >> 20),
                     static_cast<unsigned long long>(launches),
                     static_cast<unsigned long long>(failures),
                     static_cast<unsigned long long>(instructions));
}

std::vector<std::string> News::take(const Sample &sample) {
    std::vector<std::string> lines;
    if (sample.began_anew) {
        lines.push_back("device: restarted");
        last_fault_ = 0;
        crashed_ = false;
    }
    for (const std::string &line : sample.log_lines)
        lines.push_back("log: " + line);
    for (const rvl_fault &fault : sample.faults)
        if (fault.time > last_fault_) {
            lines.push_back("fault: " + fault_text(fault));
            last_fault_ = fault.time;
        }
    if (sample.crash.magic != 0 && !crashed_)
        lines.push_back(text({"crash: hart ", sample.crash.hart, ": ", sample.crash.reason}));
    crashed_ = sample.crash.magic != 0;
    return lines;
}

} // namespace rivulet::tools
