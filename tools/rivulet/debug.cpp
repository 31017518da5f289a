// SPDX-License-Identifier: Apache-2.0
//
// rivulet debug: runs an application in gdb and stops at the start of one of its kernels.
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/data_directory.h"
#include "base/parse.h"
#include "hal/core/config.h"
#include "tools/rivulet/commands.h"
#include "tools/rivulet/process.h"

namespace rivulet::tools {
namespace {

using namespace hal;
namespace fs = std::filesystem;

constexpr const char *footer =
    "gdb-multiarch stops at the kernel's first instruction on the hart that comes there first;\n"
    "list, step, info threads, p $v0 work as usual. With the build options -g -cl-opt-disable\n"
    "there is code for each line, all variables are in memory, and __global_id, __local_id and\n"
    "__group_id tell work-items apart: break 12 if __global_id[0] == 5.\n"
    "QEMU waits for gdb before its first instruction, and limits of time are off. The program's\n"
    "standard input is empty: the terminal is gdb's.\n"
    "There is no --json: what is printed is gdb's and the program's.\n"
    "--attach PID joins a program that was started with RIVULET_GDB; with RIVULET_DEBUG_FILES,\n"
    "too, its kernels are known.";

struct Options {
    std::string kernel;
    std::string work_item;
    std::vector<std::string> command;
    std::vector<std::string> commands; // of gdb
    bool batch = false;
    int attach = 0;
};

struct Session {
    std::string socket, script, firmware, sources;
};

int complain(const std::string &message) {
    std::fprintf(stderr, "rivulet debug: %s\n", message.c_str());
    return 1;
}

/// True if a process listens at the path. Asks the kernel, because connecting stops the device.
bool listens(const std::string &path) {
    std::ifstream sockets("/proc/net/unix");
    for (std::string line; std::getline(sockets, line);)
        if (line.contains(" 00010000 ") && line.ends_with(" " + path))
            return true;
    return false;
}

std::string data_folder() {
    const auto data = Config::from_environment().front().get("data");
    return data.empty() ? find_data_directory() : data;
}

/// RIVULET_FIRMWARE, otherwise the firmware for QEMU's machine with this XLEN.
std::string firmware_file(const std::string &bits) {
    return Config::from_environment().front().get(
        "firmware", text({data_folder(), "/firmware/virt-rv", bits, ".elf"}));
}

/// The directory of this tree's or the installed sources; "": gdb won't show the firmware's
/// sources.
std::string source_folder() {
    std::error_code none;
    const auto link = fs::read_symlink(data_folder() + "/conformance", none);
    const auto tree = link.parent_path().parent_path(); // link to SOURCE/tools/conformance in a
                                                        // build tree
    return fs::exists(tree / "device-firmware", none) ? tree.native() : "";
}

pid_t run(const std::vector<std::string> &words, bool own_group) {
    std::vector<char *> arguments;
    for (const auto &word : words)
        arguments.push_back(const_cast<char *>(word.c_str()));
    arguments.push_back(nullptr);
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child != 0)
        return child;
    for (const int number : {SIGTERM, SIGHUP}) // a signal may arrive before exec resets them
        if (std::signal(number, SIG_DFL) == SIG_IGN)
            std::signal(number, SIG_IGN);
    if (own_group) {
        setpgid(0, 0); // so that the terminal's ^C interrupts only gdb
        const int nothing = open("/dev/null", O_RDONLY);
        dup2(nothing, STDIN_FILENO);
    }
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
        _exit(127);
    execvp(arguments[0], arguments.data());
    std::fprintf(stderr, "rivulet debug: %s can't be run: %s\n", arguments[0],
                 std::strerror(errno));
    _exit(127);
}

int status_of(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int wait_for(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return status_of(status);
}

/// QEMU's options are read from the command line with which the process was started.
std::vector<std::string> command_line_of(int pid) {
    std::ifstream file(text({"/proc/", pid, "/cmdline"}));
    std::vector<std::string> words;
    for (std::string word; std::getline(file, word, '\0');)
        words.push_back(word);
    return words;
}

int run_gdb(const Session &session, const Options &options, PassedSignals *passed = nullptr) {
    std::vector<std::string> words = {"gdb-multiarch", "-q"};
    const auto execute = [&](const std::string &command) {
        words.emplace_back("-ex");
        words.push_back(command);
    };
    if (options.batch)
        words.insert(words.end(), {"-nx", "-batch"});
    words.push_back(session.firmware);
    execute("set pagination off");
    if (!session.sources.empty())
        execute(text({"set substitute-path /usr/src/rivulet \"", session.sources, "\""}));
    execute("target remote " + session.socket);
    if (!options.kernel.empty()) {
        execute("source " + data_folder() + "/gdb/kernel.py");
        execute(text({"rivulet-kernel ", options.kernel, " ", session.script}));
        if (!options.work_item.empty())
            execute("rivulet-work-item " + options.work_item);
    }
    for (const auto &command : options.commands)
        execute(command);
    std::signal(SIGINT, SIG_IGN); // meant for gdb
    const pid_t gdb = run(words, false);
    if (gdb < 0)
        return complain(std::strerror(errno));
    if (passed != nullptr)
        passed->add(gdb);
    const int status = wait_for(gdb);
    if (passed != nullptr)
        passed->remove(gdb);
    return status;
}

/// True if `keeper` is the parent of the process's QEMU: it holds a pidfd of the process.
bool keeps_for(int keeper, int pid) {
    std::error_code none;
    for (const auto &info : fs::directory_iterator(text({"/proc/", keeper, "/fdinfo"}), none)) {
        std::ifstream file(info.path());
        for (std::string line; std::getline(file, line);)
            if (line == text({"Pid:\t", pid}))
                return true;
    }
    return false;
}

/// The process itself if it is QEMU, otherwise the QEMU that is its device.
int qemu_of(int pid) {
    std::error_code none;
    for (const auto &entry : fs::directory_iterator("/proc", none)) {
        const auto number = parse_number(entry.path().filename().native());
        if (!number)
            continue;
        std::ifstream file(entry.path() / "stat");
        std::string stat;
        std::getline(file, stat);
        const auto name_end = stat.rfind(')');
        if (name_end == stat.npos || !stat.contains("(qemu-system") ||
            stat.substr(name_end).starts_with(") Z")) // a zombie
            continue;
        const int parent = std::atoi(stat.c_str() + name_end + 4); // the field after the state
        if (static_cast<int>(*number) == pid || keeps_for(parent, pid))
            return static_cast<int>(*number);
    }
    return 0;
}

int attach(const Options &options) {
    const int qemu = qemu_of(options.attach);
    if (qemu == 0)
        return complain(text({"process ", options.attach, " has no device on QEMU"}));
    Session session;
    const auto words = command_line_of(qemu);
    constexpr std::string_view before = "socket,id=gdb,server=on,wait=off,path=";
    for (const auto &word : words)
        if (word.starts_with(before))
            session.socket = word.substr(before.size());
    if (session.socket.empty())
        return complain(text({"the device of process ", options.attach,
                              " was started without RIVULET_GDB=SOCKET; start the program with "
                              "`rivulet debug KERNEL -- PROGRAM`"}));
    session.firmware = firmware_file(words.front().contains("riscv32") ? "32" : "64");
    session.sources = source_folder();
    std::ifstream environment(text({"/proc/", options.attach, "/environ"}));
    constexpr std::string_view files = "RIVULET_DEBUG_FILES=";
    for (std::string word; std::getline(environment, word, '\0');)
        if (word.starts_with(files))
            session.script = text({word.substr(files.size()), "/", options.attach, ".gdb"});
    if (session.script.empty() && !options.kernel.empty())
        return complain(text({"process ", options.attach,
                              " was started without "
                              "RIVULET_DEBUG_FILES=FOLDER: where its kernels are is not known"}));
    return run_gdb(session, options);
}

/// Waits until the program's QEMU listens; false if the program ended before that.
bool await_device(const Session &session, pid_t program, int &status) {
    while (!listens(session.socket)) {
        if (waitpid(program, &status, WNOHANG) == program)
            return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
}

int debug(const Options &options) {
    if (options.attach != 0)
        return attach(options);
    if (options.kernel.empty() || options.command.empty())
        return complain("name a kernel and a program: rivulet debug KERNEL -- PROGRAM ARGUMENT…");
    std::string folder = (fs::temp_directory_path() / "rivulet-debug-XXXXXX").native();
    if (mkdtemp(folder.data()) == nullptr)
        return complain(text({"cannot make a folder for kernels: ", errno_text(errno)}));
    Session session;
    session.socket = folder + "/gdb.sock";
    setenv("RIVULET_GDB", (session.socket + ",hold").c_str(), 1);
    setenv("RIVULET_DEBUG_FILES", folder.c_str(), 1);
    setenv("RIVULET_TIME_LIMIT", "0", 1);
    PassedSignals passed(true); // the directory is removed when the program has ended
    const pid_t program = run(options.command, true);
    passed.add(program);
    int status = 0;
    int result = 1;
    if (program < 0) {
        complain(std::strerror(errno));
    } else if (!await_device(session, program, status)) {
        complain(text({options.command.front(), " ended without a device on QEMU"}));
        result = status_of(status) == 0 ? 1 : status_of(status);
    } else {
        const int qemu = qemu_of(program);
        const auto words = command_line_of(qemu);
        session.firmware =
            firmware_file(!words.empty() && words.front().contains("riscv32") ? "32" : "64");
        session.sources = source_folder();
        session.script = text({folder, "/", program, ".gdb"});
        const int gdb = run_gdb(session, options, &passed);
        if (gdb == 127) // gdb is missing, and the harts would wait for it forever
            kill(program, SIGKILL);
        result = wait_for(program);
        result = gdb != 0 ? gdb : result;
    }
    std::error_code none;
    fs::remove_all(folder, none);
    return result;
}

} // namespace

void add_debug(CLI::App &app, Action &action) {
    auto *command = app.add_subcommand(
        "debug", "Runs a program in gdb, with kernel symbols, up to the start of a kernel");
    const auto options = std::make_shared<Options>();
    command->add_option("kernel,--kernel", options->kernel, "name of the kernel function");
    command->add_option("program", options->command, "program and its arguments, after --");
    command
        ->add_option("--attach", options->attach,
                     "attach to the device of this process, which was started with RIVULET_GDB")
        ->check(CLI::PositiveNumber);
    command->add_option("--ex", options->commands, "gdb command to run after stopping there")
        ->allow_extra_args(false);
    command
        ->add_option("--work-item", options->work_item,
                     "go on to the work-item with this global id, X or X,Y or X,Y,Z, of a kernel "
                     "that was built with -g -cl-opt-disable")
        ->check([](const std::string &value) {
            size_t dimensions = 1;
            for (const char c : value)
                dimensions += c == ',';
            const bool fits = !value.empty() && dimensions <= 3 && value.front() != ',' &&
                              value.back() != ',' && !value.contains(",,") &&
                              value.find_first_not_of("0123456789,") == std::string::npos;
            return fits ? std::string() : "a global id is X or X,Y or X,Y,Z, not " + value;
        });
    command->add_flag("--batch", options->batch, "exit gdb after its commands");
    command->footer(footer);
    command->callback([&action, options] { action = [options] { return debug(*options); }; });
}

} // namespace rivulet::tools
