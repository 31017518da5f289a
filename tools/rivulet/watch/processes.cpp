// SPDX-License-Identifier: Apache-2.0
//
// Devices that programs of this machine run on QEMU. QEMU's RAM is a nameless file that the program
// and QEMU share; Linux lets the same user open it a second time, for reading only.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <map>

#include "base/file_descriptor.h"
#include "base/parse.h"
#include "hal/core/config.h"
#include "hal/drivers/qemu/emulator.h"
#include "tools/rivulet/watch/memory.h"

namespace rivulet::tools {
namespace {

using namespace hal;
namespace fs = std::filesystem;

constexpr std::string_view memory_name = "/memfd:rivulet-memory";

struct Process {
    int pid = 0;
    std::string name;
    [[nodiscard]] bool is_qemu() const { return name.starts_with("qemu-system"); }
};

std::string name_of_process(int pid) {
    std::ifstream file(text({"/proc/", pid, "/comm"}));
    std::string name;
    std::getline(file, name);
    return name;
}

class ProcessMemory final : public WatchedMemory {
public:
    ProcessMemory(FileDescriptor file, uint64_t bytes, std::vector<Process> owners)
        : file_(std::move(file)), bytes_(bytes), owners_(std::move(owners)) {}

    Result<> read(uint64_t address, std::span<std::byte> to) override {
        if (!contains(address, to.size()))
            return fail(RVL_INVALID, {"the device has no memory at ", hex(address)});
        while (!to.empty()) {
            const auto got =
                pread(file_.get(), to.data(), to.size(), static_cast<off_t>(address - base()));
            if (got <= 0)
                return fail(RVL_IO, {"cannot read the device's memory: ", errno_text(errno)});
            address += static_cast<uint64_t>(got);
            to = to.subspan(static_cast<size_t>(got));
        }
        return {};
    }
    [[nodiscard]] uint64_t base() const override { return qemu::virt_memory_base; }
    [[nodiscard]] uint64_t bytes() const override { return bytes_; }
    [[nodiscard]] std::string title() const override {
        std::string title;
        for (const Process &owner : owners_)
            title += text({title.empty() ? "" : ", ", owner.name, " (process ", owner.pid, ")"});
        return title;
    }
    [[nodiscard]] uint64_t next_data(uint64_t address) override {
        const auto at = lseek(file_.get(), static_cast<off_t>(address - base()), SEEK_DATA);
        return at < 0 ? base() + bytes_ : base() + static_cast<uint64_t>(at);
    }
    [[nodiscard]] bool is_there() override {
        // A process that has ended and was not waited for yet has a name, but no program any more.
        return std::ranges::any_of(owners_, [](const Process &owner) {
            std::error_code gone;
            return owner.is_qemu() && name_of_process(owner.pid) == owner.name &&
                   !fs::read_symlink(text({"/proc/", owner.pid, "/exe"}), gone).empty();
        });
    }

private:
    FileDescriptor file_;
    uint64_t bytes_;
    std::vector<Process> owners_;
};

struct Found {
    FileDescriptor file;
    uint64_t bytes = 0;
    std::vector<Process> owners;
};

/// The memory among the descriptors of a process; inaccessible ones belong to another user.
void look_into(const Process &process, std::map<std::pair<dev_t, ino_t>, Found> &all) {
    std::error_code none;
    for (const auto &entry : fs::directory_iterator(text({"/proc/", process.pid, "/fd"}), none)) {
        if (!fs::read_symlink(entry, none).native().starts_with(memory_name))
            continue;
        FileDescriptor file(::open(entry.path().c_str(), O_RDONLY | O_CLOEXEC));
        struct stat status{};
        if (!file || fstat(file.get(), &status) != 0 || status.st_size <= 0)
            continue;
        Found &found = all[{status.st_dev, status.st_ino}];
        if (std::ranges::none_of(found.owners,
                                 [&](const Process &owner) { return owner.pid == process.pid; }))
            found.owners.push_back(process);
        found.file = std::move(file);
        found.bytes = static_cast<uint64_t>(status.st_size);
    }
}

} // namespace

Memories memories_of_processes(int pid) {
    std::map<std::pair<dev_t, ino_t>, Found> all;
    std::error_code none;
    for (const auto &entry : fs::directory_iterator("/proc", none))
        if (const auto number = parse_number(entry.path().filename().native()))
            if (const int process = static_cast<int>(*number); process != getpid())
                look_into({process, name_of_process(process)}, all);
    Memories memories;
    for (auto &[key, found] : all) {
        const auto &owners = found.owners;
        const bool meant =
            pid == 0 ? std::ranges::any_of(owners, &Process::is_qemu)
                     : std::ranges::any_of(owners, [&](const auto &o) { return o.pid == pid; });
        if (!meant)
            continue;
        std::ranges::sort(found.owners, {}, &Process::is_qemu);
        memories.push_back(
            std::make_unique<ProcessMemory>(std::move(found.file), found.bytes, found.owners));
    }
    return memories;
}

} // namespace rivulet::tools
