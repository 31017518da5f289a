// SPDX-License-Identifier: Apache-2.0
//
// Writes a board's firmware to the board, or to an image file for other tools to write. The board's
// flash.toml says where it belongs.
#include <algorithm>
#include <string>

#include "base/build_version.h"
#include "tools/flash/methods.h"
#include "tools/flash/program.h"
#include "tools/flash/write.h"

namespace rivulet::flash {
namespace {

/// Updates a chip, or a file with a chip's contents: the firmware goes into the unused slot.
Result<> update_chip(const Job &job, const Bytes &chip) {
    const auto state = read_slots(job.recipe, chip, job.board_key);
    if (!state)
        return fail(state.error().status, {job.options.device, ": ", state.error().message});
    const auto contents = contents_of(job, state->newest);
    if (!contents)
        return std::unexpected(contents.error());
    if (const auto good = check_xlen(*state, *contents); !good)
        return fail(good.error().status, {job.options.device, ": ", good.error().message});
    if (auto good = check_floor(*contents, state->floor); !good)
        return good;
    const auto update = update_of(job.recipe, *state, *contents);
    const std::string letter(1, update.letter);
    const auto &[sequence, security] =
        std::pair(contents->statement.sequence, contents->statement.security_version);
    tell("slot",
         text({letter, ", number ", sequence, ", security version ", security, " of ", state->floor,
               " at least"}),
         {{"letter", letter},
          {"number", sequence},
          {"security_version", security},
          {"floor", state->floor}});
    if (job.options.dry_run)
        return {};
    return write_pieces(job.options.device, update.pieces);
}

/// Keeps the security floor of a chip that is completely rewritten.
Result<> keep_floor(const Job &job, Bytes &image) {
    const auto chip = read_chip(job.options.device, job.recipe.pflash.bytes);
    const auto contents = contents_of(job);
    if (!chip || !contents)
        return std::unexpected(!chip ? chip.error() : contents.error());
    const uint32_t floor = kept_floor(job.recipe, *chip, job.board_key);
    mark_floor(job.recipe, floor, image);
    return check_floor(*contents, floor);
}

Result<> write_image(const Job &job, const Method &method) {
    if (method.image == nullptr)
        return fail(RVL_INVALID, {"--via ", method.name, " makes no image"});
    auto image = method.image(job);
    if (!image)
        return std::unexpected(image.error());
    const auto &options = job.options;
    if (method.has_slots && !options.device.empty())
        if (auto kept = keep_floor(job, *image); !kept)
            return kept;
    tell("image", bytes_text(image->size()), {{"bytes", image->size()}});
    if (options.dry_run)
        return {};
    if (!options.image.empty())
        return write_file(options.image, *image);
    if (options.device.empty())
        return fail(RVL_INVALID,
                    {"--via ", method.name, " needs --image FILE, a new file, or --to DEVICE"});
    constexpr uint64_t sector = 512;
    return write_device(options.device, *image, method.offset(job.recipe), sector);
}

Result<> flash(const Options &options) {
    const auto job = prepare(options);
    if (!job)
        return std::unexpected(job.error());
    const Method *method = find_method(job->options.method);
    if (method == nullptr)
        return fail(RVL_INVALID, {"--via ", job->options.method,
                                  " is not a method; the methods are ", method_names()});
    show(*job);
    if (method->bring != nullptr && options.image.empty() && options.device.empty())
        return method->bring(*job);
    if (method->has_slots && !options.device.empty() && !options.force) {
        // A chip that can't be read may contain firmware that is needed.
        const auto chip = read_chip(job->options.device, job->recipe.pflash.bytes);
        if (!chip)
            return std::unexpected(chip.error());
        if (!chip->empty())
            return update_chip(*job, *chip);
    }
    return write_image(*job, *method);
}

int run(int argc, char **argv) {
    CLI::App app("Writes firmware to a board or an image file", "rivulet flash");
    app.set_version_flag("--version", std::string("rivulet ") + rivulet::build_version());
    Options options;
    app.add_option("--board", options.board, "name of a folder in boards/")->required();
    app.add_option("--via", options.method, method_names() + " (default: from flash.toml)");
    app.add_option("--firmware", options.firmware,
                   "ELF file (default: BOARD-rv64.elf in the data folder)");
    auto *image = app.add_option("--image", options.image, "write the image to a new file");
    app.add_option("--to", options.device, "write to this block device or existing file")
        ->excludes(image);
    app.add_option("--key", options.key,
                   "private key to sign the firmware with (default: RIVULET_SIGN_KEY)")
        ->envname("RIVULET_SIGN_KEY");
    add_numbers(app, options.numbers);
    app.add_option("--target", options.target,
                   "gdb stub (HOST:PORT or unix:PATH), or device as for fastboot -s");
    app.add_option("--sysroot", options.sysroot,
                   "remoteproc: folder that contains sys and lib/firmware");
    app.add_flag("--dry-run", options.dry_run, "check everything but write nothing");
    app.add_flag("--force", options.force, "accept firmware for another board or protocol");
    return run_program(app, argc, argv, [] {}, [&] { return flash(options); });
}

} // namespace
} // namespace rivulet::flash

int main(int argc, char **argv) {
    return rivulet::command_line::finish("rivulet flash", rivulet::flash::run(argc, argv));
}
