// SPDX-License-Identifier: Apache-2.0
//
// Checks what a device on this machine needs: QEMU, firmware and profiles, memory, descriptors.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/data_directory.h"
#include "base/environment.h"
#include "base/file_descriptor.h"
#include "hal/core/config.h"
#include "tools/rivulet/devices.h"
#include "tools/rivulet/doctor.h"
#include "tools/rivulet/process.h"

namespace rivulet::tools {
namespace {

constexpr int least_qemu = 9;

std::string data_directory() {
    const std::string data = hal::Config::from_environment().front().get("data");
    return data.empty() ? find_data_directory() : data;
}

/// Extracts "10.0.8" from "QEMU emulator version 10.0.8 (Debian …)".
std::string version_of(const std::string &answer) {
    constexpr std::string_view before = "version ";
    const size_t at = answer.find(before);
    if (at == answer.npos)
        return "";
    const size_t start = at + before.size();
    return answer.substr(start, answer.find_first_not_of("0123456789.", start) - start);
}

uint64_t available_memory() {
    std::ifstream file("/proc/meminfo");
    std::string word;
    uint64_t kib = 0;
    while (file >> word)
        if (word == "MemAvailable:" && file >> kib)
            return kib << 10;
    return 0;
}

/// Edit distance between two words.
size_t distance(std::string_view a, std::string_view b) {
    std::vector<size_t> row(b.size() + 1);
    for (size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (size_t i = 1; i <= a.size(); ++i) {
        size_t diagonal = std::exchange(row[0], i);
        for (size_t j = 1; j <= b.size(); ++j)
            diagonal = std::exchange(
                row[j], std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])}));
    }
    return row.back();
}

/// VERSION_CODENAME of /etc/os-release; empty where there is none.
std::string release() {
    std::ifstream file("/etc/os-release");
    constexpr std::string_view key = "VERSION_CODENAME=";
    for (std::string line; std::getline(file, line);)
        if (line.starts_with(key))
            return line.substr(key.size());
    return "";
}

} // namespace

void check_emulator(Findings &findings) {
    // Debian 12's own QEMU is 7.2.
    const std::string install = release() == "bookworm"
                                    ? "apt-get install -t bookworm-backports qemu-system-riscv"
                                    : "apt-get install qemu-system-riscv";
    const std::string named = hal::Config::from_environment().front().get("qemu");
    for (const char *program : {"qemu-system-riscv64", "qemu-system-riscv32"}) {
        const std::string path = named.empty() ? program : named;
        const auto answer = output_of({path, "--version"}, false, std::chrono::seconds(10));
        const std::string version = answer ? version_of(answer->text) : "";
        if (version.empty())
            findings.push_back({Finding::bad, "qemu",
                                path + " is missing or does not print its version",
                                named.empty() ? install : "unset RIVULET_QEMU"});
        else if (std::atoi(version.c_str()) < least_qemu)
            findings.push_back({Finding::bad, "qemu",
                                text({path, " is version ", version, "; version ", least_qemu,
                                      " or newer is needed"}),
                                install});
        else
            findings.push_back({Finding::good, "qemu", path + " " + version, ""});
        if (!named.empty())
            return;
    }
}

namespace {

/// Lists the boards of projects, which RIVULET_BOARD_PATH names.
void check_board_path(Findings &findings) {
    const char *setting = environment(Variable::board_path);
    std::istringstream folders(setting != nullptr ? setting : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
        if (folder.empty())
            continue;
        std::error_code failed;
        std::vector<std::string> names;
        for (const auto &entry : std::filesystem::directory_iterator(folder + "/boards", failed))
            names.push_back(entry.path().filename());
        std::ranges::sort(names);
        if (names.empty())
            findings.push_back({Finding::bad, "boards", folder + "/boards has no board",
                                "RIVULET_BOARD_PATH names folders with boards/ and firmware/: "
                                "lib/rivulet of a project's build tree"});
        for (const std::string &name : names)
            findings.push_back({Finding::good, "board", text({folder, "/boards/", name}), ""});
    }
}

} // namespace

void check_data(Findings &findings) {
    const std::string data = data_directory();
    const auto look = [&](const char *name, const std::string &file, const char *mend) {
        const std::string path = data + "/" + file;
        if (access(path.c_str(), R_OK) == 0)
            findings.push_back({Finding::good, name, path, ""});
        else
            findings.push_back({Finding::bad, name, path + ": " + errno_text(errno), mend});
    };
    constexpr const char *package =
        "install the package rivulet-firmware, or set RIVULET_DATA to the folder that has it";
    look("machines", "machines/rv64-v512.cfg", package);
    look("firmware", "firmware/virt-rv64.elf", package);
    check_board_path(findings);
    const std::string firmware = hal::Config::from_environment().front().get("firmware");
    if (!firmware.empty() && access(firmware.c_str(), R_OK) != 0)
        findings.push_back({Finding::bad, "firmware", firmware + ": " + errno_text(errno),
                            "unset RIVULET_FIRMWARE"});
}

void check_limits(Findings &findings) {
    std::vector<Error> errors;
    uint64_t memory = 0, harts = 0;
    for (const hal::Config &config : hal::Config::of_host(errors))
        if (const auto devices = hal::Device::list(config, [](int, std::string_view) {}))
            for (const rvl_device_desc &device : *devices) {
                memory += device.memory_bytes;
                harts += device.harts;
            }
    const uint64_t available = available_memory();
    if (available < memory)
        findings.push_back(
            {Finding::optional, "memory",
             text({bytes_text(available), " are free, devices may use ", bytes_text(memory)}),
             "give them less: RIVULET_MACHINE=rv64-v512,memory=256M"});
    else
        findings.push_back(
            {Finding::good, "memory",
             text({bytes_text(available >> 20 << 20), " free, devices have ", bytes_text(memory)}),
             ""});
    const FileDescriptor shared(memfd_create("rivulet-doctor", MFD_CLOEXEC));
    if (!shared)
        findings.push_back({Finding::bad, "memfd", "memory can't be shared: " + errno_text(errno),
                            "let the container's seccomp profile permit memfd_create"});
    const auto limit = [&](const char *name, int resource, uint64_t least, const std::string &what,
                           const char *mend) {
        rlimit now{};
        if (getrlimit(static_cast<__rlimit_resource>(resource), &now) != 0 ||
            now.rlim_cur == RLIM_INFINITY || now.rlim_cur >= least)
            return;
        findings.push_back({Finding::bad, name,
                            text({what, ": ", uint64_t{now.rlim_cur}, ", ", least, " are needed"}),
                            mend});
    };
    // A device takes about ten descriptors and one per hart; a program has some of its own.
    limit("files", RLIMIT_NOFILE, 32 + harts, "open files of a process", "ulimit -n 1024");
    limit("file size", RLIMIT_FSIZE, memory, "bytes of a file, which shared memory is",
          "ulimit -f unlimited");
    limit("addresses", RLIMIT_AS, memory + (uint64_t{1} << 30), "bytes of address space",
          "ulimit -v unlimited");
}

void check_environment(Findings &findings) {
    constexpr const char *known[] = {
#define RIVULET_VARIABLE(id, name, kind, permitted, otherwise, meaning) name,
#define RIVULET_TEST_VARIABLE(name, meaning) name,
#include "base/environment.def"
    };
    constexpr struct {
        Variable variable;
        const char *permitted;
    } rows[] = {
#define RIVULET_VARIABLE(id, name, kind, permitted, otherwise, meaning) {Variable::id, permitted},
#include "base/environment.def"
    };
    for (const auto &[variable, permitted] : rows) {
        const char *name = name_of(variable);
        const char *value = foreign_environment(name);
        if (value != nullptr && *value != 0 && environment(variable) == nullptr)
            findings.push_back({Finding::bad, "environment",
                                text({name, "=", value, ": permitted are ", permitted}),
                                text({"unset ", name})});
    }
    for (char **entry = environ; *entry != nullptr; ++entry) {
        const std::string_view variable = *entry;
        const auto name = variable.substr(0, variable.find('='));
        if (!name.starts_with("RIVULET_") || std::ranges::find(known, name) != std::end(known))
            continue;
        const auto *nearest = std::ranges::min_element(
            known, {}, [&](const char *word) { return distance(name, word); });
        findings.push_back({Finding::optional, "environment",
                            text({"nothing reads ", name, "; did you mean ", *nearest, "?"}),
                            text({"unset ", name})});
    }
}

void check_device(Findings &findings) {
    std::vector<Error> errors;
    const auto configs = each_device(hal::Config::of_host(errors));
    for (const Error &error : errors)
        findings.push_back({Finding::bad, "device", error.message, "fix the configuration file"});
    for (const hal::Config &config : configs) {
        auto device = hal::Device::open(config, [](int, std::string_view) {});
        const auto started = device ? (*device)->start() : std::unexpected(device.error());
        if (!started) {
            // On boards, a node with restricted permissions is the usual reason.
            const bool denied = started.error().message.find("EACCES") != std::string::npos;
            findings.push_back({Finding::bad, "device", started.error().message,
                                denied ? "become a member of the group that owns it: "
                                         "usermod -a -G GROUP USER; see " +
                                             name_of_document("docs/products.md")
                                       : "rivulet info --start -v shows the log"});
            continue;
        }
        const rvl_hello &hello = (*device)->hello();
        findings.push_back({Finding::good, "device",
                            text({(*device)->description().name, ": ", hello.harts,
                                  " harts of VLEN ", hello.vlen, " answer"}),
                            ""});
        (*device)->stop();
    }
}

} // namespace rivulet::tools
