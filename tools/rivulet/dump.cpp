// SPDX-License-Identifier: Apache-2.0
//
// rivulet dump: writes a device's state as a core file for gdb, whether its firmware is running or
// has failed.
#include <cstdio>
#include <memory>

#include "base/core_file.h"
#include "hal/core/device_core.h"
#include "tools/command_line/output_file.h"
#include "tools/command_line/program.h"
#include "tools/rivulet/commands.h"
#include "tools/rivulet/watch/watcher.h"

namespace rivulet::tools {
namespace {

using namespace hal;

constexpr const char *footer =
    "gdb-multiarch lib/rivulet/firmware/BOARD-rvXLEN.elf FILE opens it. Registers of harts are\n"
    "those that firmware leaves when it fails, or what a debug port says; those of firmware that\n"
    "runs with an application are not available, and are 0. RIVULET_CRASH_DUMP=FOLDER writes such "
    "a\n"
    "file whenever firmware fails.";

struct Options {
    Target target;
    std::string output = "rivulet.core";
    bool json = false;
};

/// Returns the number of harts whose registers are known.
Result<size_t> write(WatchedMemory &memory, Watcher &watcher, const std::string &path) {
    const auto sample = watcher.look();
    if (!sample)
        return std::unexpected(sample.error());
    const CoreReader read = [&](uint64_t address, std::span<std::byte> to) {
        return memory.read(address, to);
    };
    const auto registers = memory.registers(); // stops the harts if there is a debug port
    if (!registers)
        return std::unexpected(registers.error());
    auto core = core_of_device(sample->hello, watcher.mailbox(), {memory.base(), memory.bytes()},
                               registers->empty(), read);
    if (!core)
        return std::unexpected(core.error());
    size_t known = 0;
    if (sample->crash.magic != 0)
        known = core->threads.size();
    else
        for (size_t i = 0; i < registers->size() && i < core->threads.size(); ++i, ++known)
            core->threads[i].registers = (*registers)[i];
    constexpr bool is_secret = true; // it contains what applications left in device memory
    command_line::OutputFile file(path, is_secret);
    if (auto written = write_core(file.descriptor(), *core, read); !written)
        return fail(RVL_IO, {"cannot write ", path, ": ", written.error().message});
    file.commit();
    return known;
}

int dump(const Options &options) {
    auto memories = open_memories(options.target);
    if (memories && memories->size() > 1)
        memories =
            fail(RVL_INVALID, {"there are ", memories->size(),
                               " devices; --pid says whose is meant: ", memories->front()->title(),
                               "; ", memories->back()->title()});
    std::string device;
    Result<size_t> done = memories ? Result<size_t>(0) : std::unexpected(memories.error());
    if (done) {
        device = memories->front()->title();
        WatchedMemory &memory = *memories->front();
        Watcher watcher(std::move(memories->front()));
        done = write(memory, watcher, options.output);
    }
    if (!done) {
        std::fprintf(stderr, "rivulet dump: %s\n", done.error().message.c_str());
        return 1;
    }
    if (options.json)
        command_line::print(
            {{"core", options.output}, {"device", device}, {"harts_with_registers", *done}});
    else
        std::printf("%s\n", options.output.c_str());
    return 0;
}

} // namespace

void add_dump(CLI::App &app, Action &action) {
    auto *command = app.add_subcommand(
        "dump", "Writes memory and registers of a running device to a core file for gdb");
    const auto options = std::make_shared<Options>();
    command->add_option("-o,--output", options->output, "core file to write")
        ->capture_default_str();
    command
        ->add_option("--pid", options->target.pid,
                     "the device of this process (application, QEMU, or rivulet card)")
        ->check(CLI::PositiveNumber);
    command->add_flag("--json", options->json, "print JSON");
    command->footer(footer);
    command->callback([&action, options] { action = [options] { return dump(*options); }; });
}

} // namespace rivulet::tools
