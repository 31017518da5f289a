// SPDX-License-Identifier: Apache-2.0
#include "tools/flash/job.h"

#include <algorithm>
#include <cstdio>

#include <unistd.h>

#include "base/data_directory.h"
#include "base/read_file.h"
#include "hal/core/config.h"
#include "hal/core/describe.h"
#include "hal/device.h"
#include "tools/flash/report.h"

namespace rivulet::flash {

namespace {

Result<> check(const Job &job) {
    const auto &note = job.firmware.note;
    const auto refuse = [&](const std::string &why) -> Result<> {
        if (!job.options.force)
            return fail(RVL_INVALID, {why, "; use --force to write it anyway"});
        std::fprintf(stderr, "rivulet: %s: forced\n", why.c_str());
        return {};
    };
    if (job.options.board != note.board)
        if (auto done = refuse(text(
                {job.firmware_path, " is for board ", note.board, ", not ", job.options.board}));
            !done)
            return done;
    if (RVL_VERSION_MAJOR(note.protocol) != RVL_VERSION_MAJOR(RVL_PROTOCOL_VERSION))
        if (auto done = refuse(text({job.firmware_path, " speaks mailbox protocol ",
                                     hal::version_text(note.protocol), ", this release ",
                                     hal::version_text(RVL_PROTOCOL_VERSION)}));
            !done)
            return done;
    if (job.recipe.slot_bytes != 0 && job.flat.bytes.size() > job.recipe.slot_bytes)
        return fail(RVL_INVALID, {job.firmware_path, " has ", bytes_text(job.flat.bytes.size()),
                                  ", its slot only ", bytes_text(job.recipe.slot_bytes)});
    return {};
}

/// The firmware's signature: created with --key, otherwise the one in the file. If the board has a
/// key, the signature must match it.
Result<> take_signature(Job &job) {
    const auto trailer = find_trailer(job.elf);
    if (!job.options.key.empty()) {
        auto key = SigningKey::read(job.options.key);
        if (!key)
            return std::unexpected(key.error());
        job.key = std::move(*key);
    } else if (trailer) {
        std::ranges::copy(std::as_bytes(std::span(trailer->signature)), job.signature.begin());
        job.numbers = numbers_of(*trailer);
        if (job.numbers && (job.options.numbers.sequence || job.options.numbers.security_version))
            return fail(RVL_INVALID, {job.firmware_path, " is signed, with numbers of its own: "
                                                         "other ones need --key"});
    }
    const std::string path = text({job.data, "/boards/", job.options.board, "/key.pub"});
    if (access(path.c_str(), F_OK) != 0)
        return {};
    const auto key = read_public_key(path);
    if (!key)
        return std::unexpected(key.error());
    job.board_key = *key;
    if (trailer && !job.is_signed())
        return fail(RVL_INVALID,
                    {job.firmware_path, " was signed by an older release, whose signature covers "
                                        "neither sequence nor security version: sign it again"});
    if (!job.is_signed())
        return fail(RVL_INVALID, {job.firmware_path, " is not signed, and ", job.options.board,
                                  " starts only signed firmware; use --key or rivulet sign"});
    const auto contents = contents_of(job);
    if (!contents)
        return std::unexpected(contents.error());
    if (!is_signed(*key, contents->signature, signed_message(contents->statement, contents->bytes)))
        return fail(RVL_INVALID, {job.firmware_path, " is not signed with the key of ",
                                  job.options.board, ", or was modified after signing"});
    return {};
}

} // namespace

Result<Job> prepare(const Options &options) {
    Job job;
    job.options = options;
    const auto environment = hal::Config::from_environment().front();
    job.data = environment.get("data");
    if (job.data.empty())
        job.data = find_data_directory();
    job.data = find_board_directory(options.board, job.data);
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
                              text({job.data, "/firmware/", options.board, "-rv64.elf"}));
    auto elf = read_file(job.firmware_path);
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
    if (auto taken = take_signature(job); !taken)
        return std::unexpected(taken.error());
    return job;
}

void show(const Job &job) {
    const auto protocol = hal::version_text(job.firmware.note.protocol);
    const auto address = hex(job.flat.address), entry = hex(job.flat.entry);
    tell("board", job.options.board);
    tell("firmware", job.firmware_path);
    tell("protocol", text({protocol, ", ", job.firmware.note.xlen, " bits"}),
         {{"version", protocol}, {"bits", job.firmware.note.xlen}});
    tell("memory", text({bytes_text(job.flat.bytes.size()), " at ", address, ", entry ", entry}),
         {{"bytes", job.flat.bytes.size()}, {"address", address}, {"entry", entry}});
    tell("signature", job.is_signed() ? "yes" : "none", job.is_signed());
    const std::string to = !job.options.image.empty()    ? job.options.image
                           : !job.options.device.empty() ? job.options.device
                                                         : "the board";
    tell("method", text({job.options.method, ", to ", to}),
         {{"name", job.options.method}, {"to", to}, {"dry_run", job.options.dry_run}});
}

Result<SlotContents> contents_of(const Job &job, std::optional<uint64_t> newest) {
    const auto &wanted = job.options.numbers;
    Numbers numbers{.sequence = newest.value_or(0) + 1,
                    .security_version =
                        wanted.security_version.value_or(job.firmware.note.security_version)};
    if (job.numbers)
        numbers = *job.numbers;
    else if (job.key || wanted.sequence)
        numbers.sequence = new_sequence(wanted, newest);
    if (newest && !rvl_is_newer(numbers.sequence, *newest))
        return fail(RVL_INVALID,
                    {"the firmware's sequence number is ", numbers.sequence, ", and the chip's is ",
                     *newest,
                     ": it would not start; sign it with --sequence, or without a number"});
    SlotContents contents{.statement = statement_of(job.firmware, job.flat, numbers),
                          .signature = job.numbers ? job.signature : Signature{},
                          .bytes = job.flat.bytes};
    if (job.key) {
        const auto made = job.key->sign(signed_message(contents.statement, contents.bytes));
        if (!made)
            return std::unexpected(made.error());
        contents.signature = *made;
    }
    return contents;
}

} // namespace rivulet::flash
