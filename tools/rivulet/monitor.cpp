// SPDX-License-Identifier: Apache-2.0
//
// rivulet monitor: a live view of a device's activity, alongside the application that uses it.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <deque>
#include <memory>
#include <thread>

#include <nlohmann/json.hpp>

#include "tools/command_line/program.h"
#include "tools/rivulet/commands.h"
#include "tools/rivulet/devices.h"
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
    "RIVULET_MACHINE=gdb,… or linux,… names; RIVULET_MACHINE=daemon shows who shares rivuletd's\n"
    "devices. Nothing is written to the device, and its application goes on as before; behind a\n"
    "debug port the harts stand still for each look. q ends it.";

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

/// What one look at a device showed.
struct Reading {
    Json json; // without the log
    std::vector<std::string> lines;
    std::string summary;
    std::vector<std::string> log;  // since the last reading
    std::vector<std::string> news; // likewise: the log and what else has happened
};

class Watched {
public:
    virtual ~Watched() = default;
    virtual Result<Reading> look() = 0;
    [[nodiscard]] virtual std::string title() const = 0;
    virtual void pass_time(milliseconds time) { std::this_thread::sleep_for(time); }

    std::deque<std::string> log;
    std::vector<std::string> lines; // of the last reading
    bool gone = false;
};
using AllWatched = std::vector<std::unique_ptr<Watched>>;

class WatchedDevice final : public Watched {
public:
    explicit WatchedDevice(std::unique_ptr<WatchedMemory> memory) : watcher_(std::move(memory)) {}

    Result<Reading> look() override {
        auto sample = watcher_.look();
        if (!sample)
            return std::unexpected(sample.error());
        return Reading{.json = described(watcher_, *sample),
                       .lines = picture(watcher_, *sample),
                       .summary = summary(*sample),
                       .log = sample->log_lines,
                       .news = news_.take(*sample)};
    }
    [[nodiscard]] std::string title() const override { return watcher_.memory().title(); }
    void pass_time(milliseconds time) override { watcher_.memory().pass_time(time); }

private:
    Watcher watcher_;
    News news_;
};

/// A device that processes share: the daemon tells who they are.
class SharedDevice final : public Watched {
public:
    explicit SharedDevice(Users users) : users_(std::move(users)) {}

    Result<Reading> look() override {
        const auto users = users_.look();
        if (!users)
            return std::unexpected(users.error());
        Reading reading{.json = {{"device", title()}, {"users", Json::array()}},
                        .lines = picture(title(), *users),
                        .summary = summary(*users),
                        .log = {},
                        .news = {}};
        for (const User &user : *users)
            reading.json["users"].push_back(described(user));
        return reading;
    }
    [[nodiscard]] std::string title() const override { return users_.title(); }

private:
    Users users_;
};

Json with_log(const Reading &reading) {
    Json json = reading.json;
    json["log"] = reading.log;
    return json;
}

/// The first reading: firmware may still be booting.
Result<Reading> first_look(Watched &watched) {
    const auto deadline = std::chrono::steady_clock::now() + first_mailbox_patience;
    for (;;) {
        auto reading = watched.look();
        if (reading || reading.error().status != RVL_NOT_FOUND ||
            std::chrono::steady_clock::now() > deadline)
            return reading;
        watched.pass_time(first_mailbox_pause);
    }
}

int print_once(const AllWatched &all, const Options &options) {
    Json json = Json::array();
    bool failed = false;
    for (const auto &watched : all) {
        auto reading = first_look(*watched);
        if (reading) { // a second one shows what happens in between; the log is from the first
            auto log = std::move(reading->log);
            watched->pass_time(milliseconds(static_cast<int64_t>(options.interval_s * 1000)));
            reading = watched->look();
            if (reading)
                reading->log.insert(reading->log.begin(), log.begin(), log.end());
        }
        if (!reading) {
            complain(reading.error());
            failed = true;
            continue;
        }
        if (options.json) {
            json.push_back(with_log(*reading));
            continue;
        }
        for (const auto &line : reading->lines)
            std::puts(line.c_str());
        for (const auto &line : reading->log)
            std::printf("  log: %s\n", line.c_str());
    }
    if (options.json)
        command_line::print(json);
    return failed ? 1 : 0;
}

/// Reads one device; prints to standard output unless there is a screen.
void look(Watched &watched, const Options &options, bool on_screen) {
    const auto reading = watched.look();
    if (!reading) {
        watched.lines = {watched.title(), "  " + reading.error().message};
        watched.gone = reading.error().status == RVL_DEAD;
        if (!on_screen && watched.gone)
            std::printf("%s\n", reading.error().message.c_str());
        return;
    }
    if (on_screen) {
        watched.lines = reading->lines;
        watched.log.insert(watched.log.end(), reading->news.begin(), reading->news.end());
        while (watched.log.size() > most_log_lines)
            watched.log.pop_front();
        return;
    }
    if (options.json) {
        std::puts(command_line::to_text(with_log(*reading), -1).c_str());
        return;
    }
    for (const auto &line : reading->news)
        std::puts(line.c_str());
    std::puts(reading->summary.c_str());
}

void draw(const Screen &screen, const AllWatched &all) {
    std::vector<std::string> lines;
    for (const auto &watched : all)
        lines.insert(lines.end(), watched->lines.begin(), watched->lines.end());
    const size_t rows = screen.rows();
    size_t left = rows > lines.size() + 1 ? rows - lines.size() - 1 : 0;
    for (const auto &watched : all) {
        const size_t count = std::min(left, watched->log.size());
        lines.insert(lines.end(), watched->log.end() - static_cast<ptrdiff_t>(count),
                     watched->log.end());
        left -= count;
    }
    screen.draw(lines);
}

void pass_time(const AllWatched &all, milliseconds time, const Screen *screen) {
    constexpr milliseconds step{50}; // response time for keys and signals
    for (auto left = time; left.count() > 0 && ended == 0; left -= step) {
        if (screen != nullptr && screen->quit())
            ended = 1;
        all.front()->pass_time(std::min(left, step));
    }
}

int watch(const AllWatched &all, const Options &options) {
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
        for (const auto &watched : all)
            if (!watched->gone) {
                look(*watched, options, on_screen);
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

Result<AllWatched> select(const Target &target) {
    AllWatched all;
    if (target.pid == 0 && !target.start) {
        std::vector<Error> errors; // of devices that open_memories may report
        for (const Config &config : each_device(devices_with_driver({"daemon"}, errors))) {
            auto users = Users::of(config);
            if (!users)
                return std::unexpected(users.error());
            all.push_back(std::make_unique<SharedDevice>(std::move(*users)));
        }
        if (!all.empty())
            return all;
    }
    auto memories = open_memories(target);
    if (!memories)
        return std::unexpected(memories.error());
    for (auto &memory : *memories)
        all.push_back(std::make_unique<WatchedDevice>(std::move(memory)));
    return all;
}

int monitor(const Options &options) {
    struct sigaction action{};
    action.sa_handler = [](int) { ended = 1; };
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
        sigaction(number, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
    const auto all = select(options.target);
    if (!all)
        return complain(all.error());
    return options.once ? print_once(*all, options) : watch(*all, options);
}

} // namespace

void add_monitor(CLI::App &app, Action &action) {
    auto *command = app.add_subcommand(
        "monitor", "Watches a running device: harts, rings, heartbeat, faults, log, users");
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
