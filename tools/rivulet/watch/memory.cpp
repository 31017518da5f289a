// SPDX-License-Identifier: Apache-2.0
#include "tools/rivulet/watch/memory.h"

#include <algorithm>
#include <cstdio>
#include <thread>

#include "base/data_directory.h"
#include "base/read_file.h"
#include "hal/core/config.h"
#include "hal/core/firmware_file.h"

namespace rivulet::tools {

using namespace hal;

void WatchedMemory::pass_time(std::chrono::milliseconds time) { std::this_thread::sleep_for(time); }

Result<uint64_t> mailbox_of_firmware(const Config &config, const std::string &board,
                                     uint32_t xlen) {
    auto data = config.get("data");
    if (data.empty())
        data = find_data_directory();
    const auto path = config.get("firmware", text({find_board_directory(board, data), "/firmware/",
                                                   board, "-rv", xlen, ".elf"}));
    const auto file = read_file(path);
    if (!file)
        return fail(file.error().status,
                    {"cannot read the mailbox address from the firmware's file: ",
                     file.error().message, "; set RIVULET_FIRMWARE to that file"});
    const auto firmware = parse_firmware(*file, path);
    if (!firmware)
        return std::unexpected(firmware.error());
    return firmware->note.mailbox;
}

namespace {

Result<Memories> one(Result<std::unique_ptr<WatchedMemory>> memory) {
    if (!memory)
        return std::unexpected(memory.error());
    Memories memories;
    memories.push_back(std::move(*memory));
    return memories;
}

} // namespace

std::vector<Config> devices_with_driver(std::initializer_list<std::string_view> drivers,
                                        std::vector<Error> &errors) {
    auto configs = Config::of_host(errors);
    std::erase_if(configs, [&](const Config &config) {
        return std::ranges::count(drivers, config.get("driver", config.get("machine"))) == 0;
    });
    return configs;
}

Result<Memories> open_memories(const Target &target) {
    if (target.start) {
        std::vector<Error> errors;
        const auto configs = Config::of_host(errors);
        if (configs.empty())
            return errors.empty() ? fail(RVL_NOT_FOUND, "no device is named")
                                  : std::unexpected(errors.front());
        return one(start_own(configs.front()));
    }
    if (target.pid == 0) { // those that can be reached without a process of Rivulet's
        std::vector<Error> errors;
        const auto reachable = devices_with_driver({"gdb", "linux"}, errors);
        for (const Error &error : errors)
            std::fprintf(stderr, "rivulet: %s\n", error.message.c_str());
        if (!reachable.empty()) {
            const Config &config = reachable.front();
            const bool stub = config.get("driver", config.get("machine")) == "gdb";
            return one(stub ? open_stub(config) : open_window(config));
        }
    }
    auto memories = memories_of_processes(target.pid);
    if (memories.empty() && target.pid != 0)
        return fail(RVL_NOT_FOUND,
                    {"process ", target.pid, " has no device on QEMU, or is another user's"});
    if (memories.empty())
        return fail(RVL_NOT_FOUND,
                    "no program of yours has a device on QEMU at the moment: start one, or add "
                    "--start for a device that is started to be watched; RIVULET_MACHINE=gdb,… or "
                    "linux,… names one that runs elsewhere");
    return memories;
}

} // namespace rivulet::tools
