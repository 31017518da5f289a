// SPDX-License-Identifier: Apache-2.0
//
// rivulet flash: brings a board's firmware onto the board, or into a file that does. The board's
// flash.toml says where it belongs.
#include <cstdio>
#include <exception>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "hal/core/config.h"
#include "hal/device.h"
#include "tools/command_line/documents.h"
#include "tools/flash/write.h"

namespace rivulet::flash {
namespace {

using hal::fail;
using hal::Result;

struct Options {
    std::string board, method, firmware, image, device, target;
    bool dry_run = false, force = false;
};

struct Job {
    Options options;
    std::string data;
    Recipe recipe;
    std::string firmware_path;
    std::vector<std::byte> elf;
    hal::FirmwareFile firmware;
    Flat flat;
};

Result<> check(const Job &job) {
    const auto &note = job.firmware.note;
    const auto refuse = [&](const std::string &why) -> Result<> {
        if (!job.options.force)
            return fail(RVL_INVALID, {why, "; --force writes it all the same"});
        std::fprintf(stderr, "rivulet: %s: forced\n", why.c_str());
        return {};
    };
    if (job.options.board != note.board)
        if (auto done = refuse(hal::text(
                {job.firmware_path, " is for board ", note.board, ", not ", job.options.board}));
            !done)
            return done;
    if (RVL_VERSION_MAJOR(note.protocol) != RVL_VERSION_MAJOR(RVL_PROTOCOL_VERSION))
        if (auto done = refuse(hal::text({job.firmware_path, " speaks mailbox protocol ",
                                          hal::version_text(note.protocol), ", this release ",
                                          hal::version_text(RVL_PROTOCOL_VERSION)}));
            !done)
            return done;
    if (job.recipe.slot_bytes != 0 && job.flat.bytes.size() > job.recipe.slot_bytes)
        return fail(RVL_INVALID,
                    {job.firmware_path, " has ", hal::bytes_text(job.flat.bytes.size()),
                     ", its slot only ", hal::bytes_text(job.recipe.slot_bytes)});
    return {};
}

Result<Job> prepare(const Options &options) {
    Job job;
    job.options = options;
    const auto environment = hal::Config::from_environment().front();
    job.data = environment.get("data");
    if (job.data.empty())
        job.data = hal::find_data_directory();
    auto recipe = read_recipe(job.data, options.board);
    if (!recipe)
        return std::unexpected(recipe.error());
    job.recipe = std::move(*recipe);
    if (job.options.method.empty())
        job.options.method = job.recipe.method;
    job.firmware_path =
        !options.firmware.empty()
            ? options.firmware
            : environment.get("firmware",
                              hal::text({job.data, "/firmware/", options.board, "-rv64.elf"}));
    auto elf = hal::read_file(job.firmware_path);
    if (!elf)
        return std::unexpected(elf.error());
    job.elf = std::move(*elf);
    auto firmware = hal::parse_firmware(job.elf, job.firmware_path);
    if (!firmware)
        return std::unexpected(firmware.error());
    job.firmware = std::move(*firmware);
    auto flat = flatten(job.firmware);
    if (!flat)
        return std::unexpected(flat.error());
    job.flat = std::move(*flat);
    if (auto checked = check(job); !checked)
        return std::unexpected(checked.error());
    return job;
}

void show(const Job &job) {
    std::printf("board      %s\nfirmware   %s\n", job.options.board.c_str(),
                job.firmware_path.c_str());
    std::printf("protocol   %s, %u bits\n", hal::version_text(job.firmware.note.protocol).c_str(),
                job.firmware.note.xlen);
    std::printf("memory     %s at %s, entry %s\n", hal::bytes_text(job.flat.bytes.size()).c_str(),
                hal::hex(job.flat.address).c_str(), hal::hex(job.flat.entry).c_str());
    const std::string to = !job.options.image.empty()    ? job.options.image
                           : !job.options.device.empty() ? job.options.device
                                                         : "the board";
    std::printf("method     %s, to %s\n", job.options.method.c_str(), to.c_str());
    std::fflush(stdout);
}

Result<Bytes> image_of(const Job &job) {
    const std::string &method = job.options.method;
    if (method == "raw")
        return job.flat.bytes;
    if (method == "sdcard")
        return sd_card_image(job.recipe, job.flat);
    if (method == "uboot")
        return uboot_image(job.flat, hal::text({"rivulet ", job.options.board}));
    if (method == "pflash") {
        const auto boot = hal::read_file(job.data + "/boards/pflash-boot.bin");
        if (!boot)
            return std::unexpected(boot.error());
        return pflash_image(job.recipe, *boot, job.flat);
    }
    return fail(RVL_INVALID,
                {"--via ", method, " is no method; there are gdb, pflash, raw, sdcard, uboot"});
}

/// Loads over the debug port, and waits until the firmware says who it is.
Result<> flash_by_gdb(const Job &job) {
    hal::Config config = hal::Config::from_environment().front();
    config.set("driver", "gdb");
    config.set("machine", "gdb");
    config.set("data", job.data);
    config.set("board", job.options.board);
    config.set("firmware", job.firmware_path);
    config.set("verify", "yes");
    config.set("close", "run");
    const auto &target = !job.options.target.empty() ? job.options.target : job.recipe.gdb_target;
    if (!target.empty())
        config.set("target", target);
    auto device = hal::Device::open(config, [](int level, std::string_view line) {
        if (level <= 2)
            std::fprintf(stderr, "%.*s\n", static_cast<int>(line.size()), line.data());
    });
    if (!device)
        return std::unexpected(device.error());
    if (auto started = (*device)->start(); !started)
        return started;
    const auto &hello = (*device)->hello();
    std::printf("running    %u harts of VLEN %u, board %s\n", hello.harts, hello.vlen, hello.board);
    return {};
}

Result<> flash(const Options &options) {
    const auto job = prepare(options);
    if (!job)
        return std::unexpected(job.error());
    show(*job);
    if (job->options.method == "gdb")
        return options.dry_run ? Result<>{} : flash_by_gdb(*job);
    const auto image = image_of(*job);
    if (!image)
        return std::unexpected(image.error());
    std::printf("image      %s\n", hal::bytes_text(image->size()).c_str());
    if (options.dry_run)
        return {};
    if (!options.image.empty())
        return write_file(options.image, *image);
    if (options.device.empty())
        return fail(RVL_INVALID, {"--via ", job->options.method,
                                  " needs --image FILE, a new file, or --to DEVICE"});
    const bool card = job->options.method == "sdcard";
    constexpr uint64_t sector = 512;
    return write_device(options.device, *image, card ? job->recipe.sdcard.offset : 0, sector);
}

int run(int argc, char **argv) {
    CLI::App app("Brings firmware onto a board", "rivulet flash");
    Options options;
    app.add_option("--board", options.board, "a folder of boards/")->required();
    app.add_option("--via", options.method,
                   "gdb, pflash, raw, sdcard or uboot; what flash.toml says");
    app.add_option("--firmware", options.firmware, "ELF file; BOARD-rv64.elf of the data");
    app.add_option("--image", options.image, "write a new file with the image");
    app.add_option("--to", options.device, "write to this block device, or into this file");
    app.add_option("--target", options.target, "gdb stub: HOST:PORT or unix:PATH");
    app.add_flag("--dry-run", options.dry_run, "check everything, write nothing");
    app.add_flag("--force", options.force, "firmware of another board or protocol, too");
    if (const auto status = command_line::answer(app, RIVULET_VERSION, argc, argv))
        return *status;
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    if (const auto done = flash(options); !done) {
        std::fprintf(stderr, "rivulet: %s\n", done.error().message.c_str());
        return 1;
    }
    return 0;
}

} // namespace
} // namespace rivulet::flash

int main(int argc, char **argv) try {
    return rivulet::flash::run(argc, argv);
} catch (const std::exception &error) {
    std::fprintf(stderr, "rivulet: %s\n", error.what());
    return 1;
}
