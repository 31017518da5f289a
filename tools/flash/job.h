// SPDX-License-Identifier: Apache-2.0
//
// A job is what was asked for: the options, the board's recipe, and firmware that was found fit
// for it.
#pragma once

#include <string>
#include <vector>

#include "tools/flash/slots.h"

namespace rivulet::flash {

struct Options {
    std::string board, method, firmware, image, device, target, key, sysroot;
    WantedNumbers numbers;
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
    std::optional<SigningKey> key;
    Signature signature{};          // of the firmware's file
    std::optional<Numbers> numbers; // … that it covers; NULL: the file bears none
    [[nodiscard]] bool is_signed() const { return key || numbers; }
};

/// Reads recipe and firmware, and refuses what doesn't belong onto the board.
hal::Result<Job> prepare(const Options &options);
/// The plan, on standard output.
void show(const Job &job);
/// What goes into a slot: as the file's signer numbered it, else with a number after that of the
/// slot which stays.
hal::Result<SlotContents> contents_of(const Job &job, std::optional<uint64_t> newest = {});
/// For methods that end in an image.
hal::Result<Bytes> image_of(const Job &job);

} // namespace rivulet::flash
