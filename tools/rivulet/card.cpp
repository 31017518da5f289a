// SPDX-License-Identifier: Apache-2.0
//
// rivulet card: a PCI card implemented with QEMU, for guests of other QEMUs and processes of this
// machine. It outlives its hosts, which attach and detach.
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include <nlohmann/json.hpp>

#include "hal/core/config.h"
#include "hal/drivers/qemu/ivshmem.h"
#include "tools/command_line/program.h"
#include "tools/rivulet/card/device.h"
#include "tools/rivulet/card/server.h"
#include "tools/rivulet/commands.h"

namespace rivulet::tools {
namespace {

using namespace hal;

struct Options {
    std::string socket;
    std::string machine;
    std::string window;
    bool hold = false;
    bool takeover = false;
    bool verbose = false;
    bool json = false;
};

void log_line(void *user, int level, const char *text) {
    if (level <= (static_cast<const Options *>(user)->verbose ? 3 : 1))
        std::fprintf(stderr, "card: %s\n", text);
}

int complain(const Error &error) {
    std::fprintf(stderr, "rivulet card: %s\n", error.message.c_str());
    return 1;
}

bool take(const FileDescriptor &event) {
    uint64_t count = 0;
    return ::read(event.get(), &count, sizeof count) == sizeof count;
}

void add(int event, uint64_t count) { static_cast<void>(!::write(event, &count, sizeof count)); }

using Json = nlohmann::ordered_json;

/// The [[device]] sections for hosts: processes of this machine, and guests.
struct Devices {
    Json process;
    Json guest;
};

Devices describe(const Options &options, const CardDevice &device) {
    const qemu::Machine &machine = device.machine();
    const std::string &file = device.firmware();
    Json rest;
    if (options.hold)
        rest = {{"firmware", {{"copy", file}}},
                {"harts", machine.harts},
                {"vlen", machine.vlen},
                {"isa", machine.isa}};
    else
        rest = {{"firmware", {{"running", true}, {"file", file}}}};
    const auto write = [](uint32_t value) {
        return Json{{"bar", 0}, {"offset", 12}, {"value", value}};
    };
    Devices devices{
        {{"name", "card"}, {"driver", "linux"}, {"window", {{"ivshmem", options.socket}}}},
        {{"name", "card"},
         {"driver", "linux"},
         {"window", {{"vfio", "0000:00:02.0"}, {"bar", 2}}},
         {"doorbell", {{"vfio-msix", 0}, {"ring", write(ivshmem::bell_line)}}},
         {"reset", write(ivshmem::reset_line)},
         {"start", write(ivshmem::release_line)}}};
    devices.process.update(rest);
    devices.guest.update(rest);
    return devices;
}

/// Formats a value as inline TOML. Its strings and numbers have the same syntax as in JSON.
std::string inline_toml(const Json &value) {
    if (!value.is_object())
        return command_line::to_text(value, -1);
    std::string table;
    for (const auto &[name, element] : value.items())
        table += text({table.empty() ? "{ " : ", ", name, " = ", inline_toml(element)});
    return table + " }";
}

std::string toml_device(const Json &device, const char *before) {
    std::string lines = text({before, "[[device]]\n"});
    for (const auto &[name, value] : device.items())
        lines += text({before, name, " = ", inline_toml(value), "\n"});
    return lines;
}

void print_json(const Options &options, const CardDevice &device) {
    const Devices devices = describe(options, device);
    command_line::print({{"socket", options.socket},
                         {"vectors", ivshmem::card_lines},
                         {"process", devices.process},
                         {"guest", devices.guest}});
    std::fflush(stdout);
}

void print_configuration(const Options &options, const CardDevice &device) {
    const Devices devices = describe(options, device);
    std::printf("# Processes of this machine:\n"
                "%s"
                "\n"
                "# Guests of QEMU with -chardev socket,path=%s,id=card\n"
                "#   -device ivshmem-doorbell,chardev=card,vectors=%u and an IOMMU, the function\n"
                "# 1af4:1110 bound to vfio-pci; the firmware's file is where you put it:\n"
                "%s"
                "# The card is ready.\n",
                toml_device(devices.process, "").c_str(), options.socket.c_str(),
                ivshmem::card_lines, toml_device(devices.guest, "# ").c_str());
    std::fflush(stdout);
}

/// Serves one host after the other, until SIGINT or SIGTERM.
class Card {
public:
    Card(const Options &options, CardServer server, std::unique_ptr<CardDevice> device)
        : options_(options), server_(std::move(server)), device_(std::move(device)) {
        constexpr int flags = EFD_CLOEXEC | EFD_NONBLOCK;
        reset_ = FileDescriptor(eventfd(0, flags));
        release_ = FileDescriptor(eventfd(0, flags));
        sigset_t set;
        sigemptyset(&set);
        for (const int number : {SIGINT, SIGTERM, SIGHUP})
            sigaddset(&set, number);
        signals_ = FileDescriptor(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
    }

    int serve() {
        if (!reset_ || !release_ || !signals_)
            return complain({RVL_IO, "cannot have an eventfd: " + errno_text(errno)});
        if (!options_.hold)
            if (auto started = restart(); !started)
                return complain(started.error());
        (options_.json ? print_json : print_configuration)(options_, *device_);
        for (;;) {
            std::array<pollfd, 6> events = {{{signals_.get(), POLLIN, 0},
                                             {device_->ended(), POLLIN, 0},
                                             {reset_.get(), POLLIN, 0},
                                             {release_.get(), POLLIN, 0},
                                             {server_.host(), POLLIN | POLLRDHUP, 0},
                                             {server_.socket(), POLLIN, 0}}};
            if (poll(events.data(), events.size(), -1) < 0)
                continue; // EINTR
            if (events[0].revents != 0)
                return 0;
            if (events[1].revents != 0)
                device_->tell_death();
            if (take(reset_)) // before `release`, because a host asserts one after the other
                reset();
            if (take(release_) && options_.hold)
                if (auto started = device_->start(); !started)
                    complain(started.error());
            if (events[4].revents != 0 && !server_.host_is_there())
                part();
            if (events[5].revents != 0)
                welcome();
        }
    }

private:
    Result<> restart() {
        device_->stop();
        if (auto loaded = device_->load(); !loaded)
            return loaded;
        return device_->start();
    }

    void reset() {
        say("reset");
        if (options_.hold)
            device_->stop();
        else if (auto started = restart(); !started)
            complain(started.error());
        add(device_->doorbell().host_bell(), ivshmem::reset_done);
    }

    void welcome() {
        if (server_.host() >= 0 && !server_.host_is_there())
            part();
        if (server_.host() < 0) {
            take(reset_); // discard what the former host left
            take(release_);
        }
        if (!server_.accept(device_->memory().descriptor(),
                            {device_->doorbell().hart_bell(0), reset_.get(), release_.get()},
                            device_->doorbell().host_bell(), options_.takeover))
            std::fprintf(stderr,
                         "rivulet card: a second host was rejected: another one has the card\n");
        else if (server_.host() >= 0)
            say("a host has the card");
    }

    void part() {
        say("the host left");
        if (options_.hold)
            device_->stop();
    }

    void say(const char *what) const {
        if (options_.verbose)
            std::fprintf(stderr, "card: %s\n", what);
    }

    const Options &options_;
    CardServer server_;
    std::unique_ptr<CardDevice> device_;
    FileDescriptor reset_, release_, signals_;
};

int card(Options options) {
    // Absolute, because hosts run in other directories.
    options.socket = std::filesystem::absolute(options.socket);
    // Before any thread is created: all threads leave these signals to the loop.
    sigset_t set;
    sigemptyset(&set);
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
        sigaddset(&set, number);
    sigprocmask(SIG_BLOCK, &set, nullptr);
    if (!options.machine.empty())
        setenv(name_of(Variable::machine), options.machine.c_str(), 1);
    const Config config = Config::from_environment().front();
    const rvl_host log{.size = sizeof log, .user = &options, .log = log_line, .died = nullptr};
    auto server = CardServer::listen(options.socket);
    if (!server)
        return complain(server.error());
    auto device = CardDevice::create(config, options.window, &log);
    if (!device)
        return complain(device.error());
    return Card(options, std::move(*server), std::move(*device)).serve();
}

} // namespace

void add_card(CLI::App &app, Action &action) {
    auto *command = app.add_subcommand(
        "card", "Runs a device as a PCI card for QEMU guests and local processes");
    const auto options = std::make_shared<Options>();
    command->add_option("--socket", options->socket, "UNIX socket to which hosts connect")
        ->required();
    command->add_option(
        "--machine", options->machine,
        "machine and settings, as in RIVULET_MACHINE; memory must be a power of two");
    command->add_option("--window", options->window,
                        "create this file as the card's memory, for window = { file = … }");
    command->add_flag("--hold", options->hold,
                      "hold the harts in reset until a host has copied firmware into the memory");
    command->add_flag("--takeover", options->takeover,
                      "let a new host take over the card instead of rejecting it");
    command->add_flag("-v,--verbose", options->verbose, "print actions of hosts, and the console");
    command->add_flag("--json", options->json,
                      "print the configuration as JSON when the card is ready");
    command->footer("Prints the [[device]] for the host's configuration file, then serves one host "
                    "after the other until it is terminated (SIGTERM, ^C).");
    command->callback([&action, options] { action = [options] { return card(*options); }; });
}

} // namespace rivulet::tools
