// SPDX-License-Identifier: Apache-2.0
//
// rivulet monitor: a live view of a device's activity, alongside the application that uses it.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <deque>
#include <memory>

#include <nlohmann/json.hpp>

#include "tools/command_line/program.h"
#include "tools/rivulet/commands.h"
#include "tools/rivulet/monitor/picture.h"
#include "tools/rivulet/monitor/screen.h"

namespace rivulet::tools {
namespace {

using namespace hal;
using Json = nlohmann::ordered_json;
using std::chrono::milliseconds;

constexpr size_t most_log_lines = 500;
constexpr auto first_mailbox_patience = std::chrono::seconds(2);
constexpr milliseconds first_mailbox_pause{20};
constexpr const char *footer =
    "Without options: the devices that programs of yours run on QEMU, or the one that\n"
    "RIVULET_MACHINE=gdb,… or linux,… names. Nothing is written to the device, and its "
    "application\n"
    "goes on as before; behind a debug port the harts stand still for each look. q ends it.";

struct Options {
    Target target;
    bool once = false;
    bool json = false;
    double interval_s = 0.5;
    double seconds = 0; // 0: no limit
};

volatile std::sig_atomic_t ended = 0;

int complain(const Error &error) {
    std::fprintf(stderr, "rivulet monitor: %s\n", error.message.c_str());
    return 1;
}

struct Watched {
    std::unique_ptr<Watcher> watcher;
    News news;
    std::deque<std::string> log;
    std::vector<std::string> lines; // of the last sample
    bool gone = false;
};

/// The first sample: firmware may still be booting.
Result<Sample> first_look(Watcher &watcher) {
    const auto deadline = std::chrono::steady_clock::now() + first_mailbox_patience;
    for (;;) {
        auto sample = watcher.look();
        if (sample || sample.error().status != RVL_NOT_FOUND ||
            std::chrono::steady_clock::now() > deadline)
            return sample;
        watcher.memory().pass_time(first_mailbox_pause);
    }
}

int print_once(std::vector<Watched> &all, const Options &options) {
    Json json = Json::array();
    bool failed = false;
    for (Watched &watched : all) {
        auto sample = first_look(*watched.watcher);
        if (sample) { // a second sample shows harts in between; the log is from the first
            auto log = std::move(sample->log_lines);
            watched.watcher->memory().pass_time(
                milliseconds(static_cast<int64_t>(options.interval_s * 1000)));
            sample = watched.watcher->look();
            if (sample)
                sample->log_lines.insert(sample->log_lines.begin(), log.begin(), log.end());
        }
        if (!sample) {
            complain(sample.error());
            failed = true;
            continue;
        }
        if (options.json) {
            json.push_back(described(*watched.watcher, *sample));
            continue;
        }
        for (const auto &line : picture(*watched.watcher, *sample))
            std::puts(line.c_str());
        for (const auto &line : sample->log_lines)
            std::printf("  log: %s\n", line.c_str());
    }
    if (options.json)
        command_line::print(json);
    return failed ? 1 : 0;
}

/// Samples one device; prints to standard output unless there is a screen.
void look(Watched &watched, const Options &options, bool on_screen) {
    const auto sample = watched.watcher->look();
    if (!sample) {
        watched.lines = {watched.watcher->memory().title(), "  " + sample.error().message};
        watched.gone = sample.error().status == RVL_DEAD;
        if (!on_screen && watched.gone)
            std::printf("%s\n", sample.error().message.c_str());
        return;
    }
    const auto news = watched.news.take(*sample);
    if (on_screen) {
        watched.lines = picture(*watched.watcher, *sample);
        watched.log.insert(watched.log.end(), news.begin(), news.end());
        while (watched.log.size() > most_log_lines)
            watched.log.pop_front();
        return;
    }
    if (options.json) {
        std::puts(command_line::to_text(described(*watched.watcher, *sample), -1).c_str());
        return;
    }
    for (const auto &line : news)
        std::puts(line.c_str());
    std::puts(summary(*sample).c_str());
}

void draw(const Screen &screen, const std::vector<Watched> &all) {
    std::vector<std::string> lines;
    for (const Watched &watched : all)
        lines.insert(lines.end(), watched.lines.begin(), watched.lines.end());
    const size_t rows = screen.rows();
    size_t left = rows > lines.size() + 1 ? rows - lines.size() - 1 : 0;
    for (const Watched &watched : all) {
        const size_t count = std::min(left, watched.log.size());
        lines.insert(lines.end(), watched.log.end() - static_cast<ptrdiff_t>(count),
                     watched.log.end());
        left -= count;
    }
    screen.draw(lines);
}

void pass_time(std::vector<Watched> &all, milliseconds time, const Screen *screen) {
    constexpr milliseconds step{50}; // response time for keys and signals
    for (auto left = time; left.count() > 0 && ended == 0; left -= step) {
        if (screen != nullptr && screen->quit())
            ended = 1;
        all.front().watcher->memory().pass_time(std::min(left, step));
    }
}

int watch(std::vector<Watched> &all, const Options &options) {
    const bool on_screen = !options.json && isatty(STDOUT_FILENO) != 0;
    std::unique_ptr<Screen> screen;
    if (on_screen)
        screen = std::make_unique<Screen>();
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                        std::chrono::duration<double>(options.seconds));
    const milliseconds interval(static_cast<int64_t>(options.interval_s * 1000));
    while (ended == 0 && (options.seconds == 0 || Clock::now() < end)) {
        size_t there = 0;
        for (Watched &watched : all)
            if (!watched.gone) {
                look(watched, options, on_screen);
                ++there;
            }
        if (on_screen)
            draw(*screen, all);
        else if (std::fflush(stdout) != 0)
            return 1; // the reader has gone
        if (there == 0 && !on_screen)
            return 0;
        pass_time(all, interval, screen.get());
    }
    return 0;
}

int monitor(const Options &options) {
    struct sigaction action{};
    action.sa_handler = [](int) { ended = 1; };
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
        sigaction(number, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
    auto memories = open_memories(options.target);
    if (!memories)
        return complain(memories.error());
    std::vector<Watched> all;
    for (auto &memory : *memories)
        all.push_back({.watcher = std::make_unique<Watcher>(std::move(memory)),
                       .news = {},
                       .log = {},
                       .lines = {},
                       .gone = false});
    return options.once ? print_once(all, options) : watch(all, options);
}

} // namespace

void add_monitor(CLI::App &app, Action &action) {
    auto *command = app.add_subcommand(
        "monitor", "Watches a running device: harts, rings, heartbeat, faults, log");
    const auto options = std::make_shared<Options>();
    command
        ->add_option("--pid", options->target.pid,
                     "the device of this process (application, QEMU, or rivulet card)")
        ->check(CLI::PositiveNumber);
    command->add_flag("--start", options->target.start,
                      "start and watch the device that the environment names");
    command->add_flag("--once", options->once, "print the current state and exit");
    command->add_flag("--json", options->json, "print JSON, one object per reading");
    command->add_option("--interval", options->interval_s, "seconds between readings")
        ->check(CLI::Range(0.05, 3600.0))
        ->capture_default_str();
    command->add_option("--seconds", options->seconds, "exit after this many seconds")
        ->check(CLI::Range(0.0, 1e9));
    command->footer(footer);
    command->callback([&action, options] { action = [options] { return monitor(*options); }; });
}

} // namespace rivulet::tools
