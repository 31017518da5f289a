// SPDX-License-Identifier: Apache-2.0
#include "tools/flash/methods.h"

#include <algorithm>
#include <cstdio>

#include "base/read_file.h"
#include "hal/core/config.h"
#include "hal/device.h"
#include "tools/flash/report.h"

namespace rivulet::flash {

namespace {

std::string title(const Job &job) { return text({"rivulet ", job.options.board}); }

Result<Bytes> bytes_of(const Job &job) { return job.flat.bytes; }
Result<Bytes> file_of(const Job &job) { return Bytes(job.elf); }
Result<Bytes> fit_of(const Job &job) { return fit_image(job.flat, title(job)); }
Result<Bytes> uboot_of(const Job &job) { return uboot_image(job.flat, title(job)); }
Result<Bytes> bare_elf_of(const Job &job) { return bare_elf(job.flat, job.firmware.note.xlen); }
Result<Bytes> sd_card_of(const Job &job) { return sd_card_image(job.recipe, job.flat); }

Result<Bytes> update_of(const Job &job) {
    const auto contents = contents_of(job);
    if (!contents)
        return std::unexpected(contents.error());
    return staged_update(*contents);
}

Result<Bytes> chip_of(const Job &job) {
    const auto contents = contents_of(job);
    if (!contents)
        return std::unexpected(contents.error());
    if (auto good = check_chip(job.recipe); !good)
        return std::unexpected(good.error());
    const auto boot = read_file(text(
        {job.data, "/boards/", job.options.board, "/boot-rv", job.firmware.note.xlen, ".bin"}));
    if (!boot)
        return std::unexpected(boot.error());
    return new_flash(job.recipe, *boot, *contents);
}

constexpr Method table[] = {
    {"fastboot", "fastboot stage and continue, for a loader on the board", bytes_of, by_fastboot},
    {"fit", "U-Boot's FIT image, with SHA-256", fit_of},
    {"gdb", "RAM, through a debugger's stub", nullptr, by_gdb},
    {"openocd", "RAM, through OpenOCD with the board's configuration", nullptr, by_openocd},
    {.name = "pflash",
     .what = "NOR flash: boot stage and two slots",
     .image = chip_of,
     .has_slots = true},
    {"qemu", "RAM of a QEMU that is started for it", nullptr, by_qemu},
    {"raw", "the firmware's bytes", bytes_of},
    {"remoteproc", "Linux on the same chip", file_of, by_remoteproc},
    {.name = "sdcard",
     .what = "SD card with the boot ROM's header",
     .image = sd_card_of,
     .offset = [](const Recipe &recipe) { return recipe.sdcard.offset; }},
    {"uboot", "U-Boot's legacy image", uboot_of},
    {"uboot-elf", "an ELF file for U-Boot's bootelf", bare_elf_of},
    {"update", "an update for the boot stage in NOR flash, to be put into RAM", update_of},
};

/// Starts the firmware through a driver, and waits until it identifies itself.
Result<> start(const Job &job, hal::Config config) {
    if (job.options.dry_run)
        return {};
    config.set("data", job.data);
    config.set("firmware", job.firmware_path);
    auto device = hal::Device::open(config, [](int level, std::string_view line) {
        if (level <= 2)
            std::fprintf(stderr, "%.*s\n", static_cast<int>(line.size()), line.data());
    });
    if (!device)
        return std::unexpected(device.error());
    if (auto started = (*device)->start(); !started)
        return started;
    const auto &hello = (*device)->hello();
    tell("running", text({hello.harts, " harts of VLEN ", hello.vlen, ", board ", hello.board}),
         {{"harts", hello.harts}, {"vlen", hello.vlen}, {"board", hello.board}});
    return {};
}

} // namespace

std::span<const Method> methods() { return table; }

const Method *find_method(const std::string &name) {
    const auto *found = std::ranges::find(table, name, &Method::name);
    return found == std::end(table) ? nullptr : found;
}

std::string method_names() {
    std::string names;
    for (const auto &method : table)
        names += (names.empty() ? "" : ", ") + std::string(method.name);
    return names;
}

/// Loads over the debug port, and reads back what was loaded.
Result<> by_gdb(const Job &job) {
    hal::Config config = hal::Config::from_environment().front();
    config.set("driver", "gdb");
    config.set("board", job.options.board);
    config.set("machine", "gdb");
    config.set("verify", "yes");
    config.set("close", "run");
    const auto &target = !job.options.target.empty() ? job.options.target : job.recipe.gdb_target;
    if (!target.empty())
        config.set("target", target);
    return start(job, std::move(config));
}

/// A trial run: the machine in RIVULET_MACHINE ends with this program.
Result<> by_qemu(const Job &job) {
    hal::Config config = hal::Config::from_environment().front();
    config.set("driver", "qemu");
    if (config.get("machine").empty())
        config.set("machine", job.firmware.note.xlen == 32 ? "rv32" : "rv64-v256");
    return start(job, std::move(config));
}

} // namespace rivulet::flash
