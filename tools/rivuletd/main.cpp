// SPDX-License-Identifier: Apache-2.0
//
// rivuletd: shares devices among the processes of several users.
#include <fcntl.h>
#include <grp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "base/build_version.h"
#include "base/parse.h"
#include "base/unix_address.h"
#include "hal/core/config.h"
#include "hal/core/config_file.h"
#include "tools/command_line/documents.h"
#include "tools/command_line/program.h"
#include "tools/rivuletd/server.h"

namespace rivulet::tools {
namespace {

constexpr const char *default_config = "/etc/rivuletd.toml";

struct Options {
    std::string socket = hal::daemon::default_socket;
    std::string config;
    std::string machine;
    std::string isolation;
    std::string group;
    bool verbose = false;
    int64_t drain_s = 10;
};

int complain(const std::string &message) {
    std::fprintf(stderr, "rivuletd: %s\n", message.c_str());
    return 1;
}

/// Settings of all devices: of the file, and what the command line says instead.
Result<std::vector<hal::Config>> configurations(const Options &options) {
    std::vector<hal::Config> configs;
    const bool has_default = access(default_config, F_OK) == 0;
    const std::string file = !options.config.empty() || !options.machine.empty() || !has_default
                                 ? options.config
                                 : default_config;
    if (!file.empty()) {
        auto found = hal::read_config_file(file);
        if (!found.errors.empty())
            return std::unexpected(found.errors.front());
        configs = std::move(found.devices);
    }
    if (!options.machine.empty())
        setenv(name_of(Variable::machine), options.machine.c_str(), 1);
    if (configs.empty() || !options.machine.empty())
        configs = hal::Config::from_environment();
    if (!options.isolation.empty())
        for (hal::Config &config : configs)
            config.set("isolation", options.isolation);
    return configs;
}

/// The socket that systemd has opened for this service, if any. Without further settings it blocks,
/// and stays open in the programs that drivers start.
FileDescriptor inherited_socket() {
    constexpr int first_inherited = 3;
    const char *process = foreign_environment("LISTEN_PID");
    const char *count = foreign_environment("LISTEN_FDS");
    if (process == nullptr || count == nullptr ||
        parse_number(process) != static_cast<uint64_t>(getpid()) || parse_number(count) != 1u)
        return {};
    int type = 0;
    socklen_t bytes = sizeof type;
    if (getsockopt(first_inherited, SOL_SOCKET, SO_TYPE, &type, &bytes) != 0 ||
        type != SOCK_SEQPACKET || fcntl(first_inherited, F_SETFL, O_NONBLOCK) != 0 ||
        fcntl(first_inherited, F_SETFD, FD_CLOEXEC) != 0)
        return {};
    return FileDescriptor(first_inherited);
}

Result<FileDescriptor> listening_socket(const Options &options) {
    if (auto inherited = inherited_socket())
        return inherited;
    const auto address = unix_address(options.socket);
    if (!address)
        return std::unexpected(address.error());
    const auto refused = [&](const char *what) {
        return fail(RVL_IO, {what, " ", options.socket, ": ", errno_text(errno)});
    };
    const auto *const to = reinterpret_cast<const sockaddr *>(&*address);
    struct stat status{};
    if (lstat(options.socket.c_str(), &status) == 0) {
        const FileDescriptor probe(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
        if (!S_ISSOCK(status.st_mode))
            return fail(RVL_INVALID,
                        {options.socket, " exists and is not a socket; use another path"});
        if (connect(probe.get(), to, sizeof *address) == 0 || errno != ECONNREFUSED)
            return fail(RVL_INVALID, {"another process listens at ", options.socket});
        unlink(options.socket.c_str());
    }
    FileDescriptor listener(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const mode_t before = umask(0177); // only the owner's until its group is set
    const bool bound = listener && bind(listener.get(), to, sizeof *address) == 0;
    umask(before);
    if (!bound)
        return refused("cannot bind");
    if (!options.group.empty()) {
        const group *entry = getgrnam(options.group.c_str());
        if (entry == nullptr)
            return fail(RVL_NOT_FOUND, {"there is no group ", options.group});
        if (chown(options.socket.c_str(), static_cast<uid_t>(-1), entry->gr_gid) != 0 ||
            chmod(options.socket.c_str(), 0660) != 0)
            return refused("cannot set the group of");
    }
    if (listen(listener.get(), 128) != 0)
        return refused("cannot listen at");
    return listener;
}

int serve(const Options &options) {
    // Before any thread is created: all threads leave these signals to the server.
    sigset_t set;
    sigemptyset(&set);
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
        sigaddset(&set, number);
    sigprocmask(SIG_BLOCK, &set, nullptr);
    signal(SIGPIPE, SIG_IGN);
    rlimit descriptors{};
    if (getrlimit(RLIMIT_NOFILE, &descriptors) == 0) { // several for each client
        descriptors.rlim_cur = descriptors.rlim_max;
        setrlimit(RLIMIT_NOFILE, &descriptors);
    }

    const auto configs = configurations(options);
    if (!configs)
        return complain(configs.error().message);
    std::mutex printing;
    std::vector<std::unique_ptr<Board>> boards;
    for (const hal::Config &config : *configs) {
        auto settings = DeviceSettings::from(config);
        if (!settings)
            return complain(config.located(settings.error().message));
        const std::string name = text({"device ", boards.size()});
        auto board = Board::open(std::move(*settings), [&, name](int level, std::string_view line) {
            const std::scoped_lock lock(printing);
            if (level <= (options.verbose ? 3 : 1))
                std::fprintf(stderr, "rivuletd: %s: %.*s\n", name.c_str(),
                             static_cast<int>(line.size()), line.data());
        });
        if (!board)
            return complain(board.error().message);
        boards.push_back(std::move(*board));
    }
    auto listener = listening_socket(options);
    if (!listener)
        return complain(listener.error().message);
    std::printf("rivuletd is ready\n");
    std::fflush(stdout);
    Server server(
        std::move(*listener), std::move(boards),
        [&](int level, std::string_view line) {
            const std::scoped_lock lock(printing);
            if (level <= (options.verbose ? 3 : 1))
                std::fprintf(stderr, "rivuletd: %.*s\n", static_cast<int>(line.size()),
                             line.data());
        },
        std::chrono::seconds(options.drain_s));
    const auto done = server.run();
    // A device that is being opened delays the end, which a further signal doesn't wait for.
    sigprocmask(SIG_UNBLOCK, &set, nullptr);
    return done ? 0 : complain(done.error().message);
}

int run(int argc, char **argv) try {
    Options options;
    CLI::App app("Shares devices among the processes of several users", "rivuletd");
    app.set_version_flag("--version", std::string("rivuletd ") + build_version());
    app.add_option("--socket", options.socket,
                   "UNIX socket to which clients connect (systemd's takes its place)")
        ->capture_default_str();
    app.add_option("--config", options.config,
                   "file with the devices and their limits (/etc/rivuletd.toml if there is one)");
    app.add_option("--machine", options.machine,
                   "machine and settings, as in RIVULET_MACHINE, instead of the file's devices");
    app.add_option("--isolation", options.isolation,
                   "full: clients' memory is copied by the daemon; kernels: clients map it, and "
                   "trust each other's processes")
        ->check(CLI::IsMember({"full", "kernels"}));
    app.add_option("--group", options.group, "group whose members may connect to the socket");
    app.add_option("--drain", options.drain_s,
                   "seconds for which SIGTERM waits for commands that clients have submitted")
        ->check(CLI::Range(0, 3600))
        ->capture_default_str();
    app.add_flag("-v,--verbose", options.verbose, "print clients, and the devices' logs");
    app.footer("Clients use it with RIVULET_MACHINE=daemon or a [[device]] with driver = "
               "\"daemon\". Ends with SIGTERM, or at once with a second one or ^C.");
    if (const auto status = command_line::answer(app, RIVULET_VERSION, argc, argv))
        return *status;
    if (const auto status = command_line::parse(app, argc, argv))
        return *status;
    return serve(options);
} catch (const std::exception &error) {
    return complain(error.what());
}

} // namespace
} // namespace rivulet::tools

int main(int argc, char **argv) {
    return rivulet::command_line::finish("rivuletd", rivulet::tools::run(argc, argv));
}
