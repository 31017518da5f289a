// SPDX-License-Identifier: Apache-2.0
//
// OpenOCD serves as the gdb stub: started only for this purpose, on a port it chooses itself.
#include <cstdlib>
#include <filesystem>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "tools/flash/command.h"
#include "tools/flash/methods.h"
#include "tools/flash/report.h"

namespace rivulet::flash {

namespace {

constexpr int start_limit_ms = 30000;

std::string config_of(const Job &job) {
    const auto &name = job.recipe.openocd.config;
    return name.starts_with('/') ? name
                                 : text({job.data, "/boards/", job.options.board, "/", name});
}

/// A currently unused port, or 3333.
uint16_t free_port() {
    const FileDescriptor listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto *any = reinterpret_cast<sockaddr *>(&address);
    constexpr uint16_t usual = 3333;
    if (!listener || bind(listener.get(), any, size) != 0 ||
        getsockname(listener.get(), any, &size) != 0)
        return usual;
    return ntohs(address.sin_port);
}

/// "Info : Listening on port 41267 for gdb connections"
std::string port_in(const std::string &line) {
    constexpr std::string_view before = "Listening on port ", after = " for gdb";
    const size_t at = line.find(before), end = line.find(after);
    return at == line.npos || end == line.npos || end < at
               ? ""
               : line.substr(at + before.size(), end - at - before.size());
}

} // namespace

Result<> by_openocd(const Job &job) {
    const std::string config = config_of(job);
    if (job.recipe.openocd.config.empty() || !std::filesystem::exists(config))
        return fail(RVL_INVALID, {"flash.toml of ", job.options.board,
                                  " names no configuration of OpenOCD that is there: [openocd] "
                                  "config"});
    std::vector<std::string> command = {"openocd"};
    if (!job.recipe.openocd.interface.empty())
        command.insert(command.end(), {"-f", job.recipe.openocd.interface});
    command.insert(command.end(), {"-f", config, "-c",
                                   text({"gdb_port ", free_port(),
                                         "; tcl_port disabled; telnet_port disabled; init"})});
    tell_more("commands", "command    " + command_text(command), command);
    if (job.options.dry_run)
        return {};
    auto openocd = Command::start(command);
    if (!openocd)
        return std::unexpected(openocd.error());
    std::string line, error, port;
    while (port.empty() && openocd->line(line, start_limit_ms)) {
        port = port_in(line);
        if (line.starts_with("Error:") && error.empty())
            error = line;
    }
    if (port.empty())
        return fail(RVL_IO, {"OpenOCD opens no port for gdb: ", error.empty() ? line : error});
    Job over_gdb = job;
    over_gdb.options.target = "localhost:" + port;
    auto done = by_gdb(over_gdb);
    if (!done && !error.empty())
        return fail(done.error().status, {done.error().message, "; OpenOCD said: ", error});
    return done;
}

} // namespace rivulet::flash
