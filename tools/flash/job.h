// SPDX-License-Identifier: Apache-2.0
//
// A job: the options, the board's recipe, and firmware that has been checked against it.
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
    std::optional<PublicKey> board_key; // nullopt if the board starts unsigned firmware
    Signature signature{};              // from the firmware's file
    std::optional<Numbers> numbers;     // covered by it; nullopt if the file is unsigned
    [[nodiscard]] bool is_signed() const { return key || numbers; }
};

/// Reads recipe and firmware, and rejects firmware that is not for the board.
Result<Job> prepare(const Options &options);
/// Prints the plan on standard output.
void show(const Job &job);
/// The contents of a slot, with the signer's number, otherwise one more than that of the slot that
/// is kept.
Result<SlotContents> contents_of(const Job &job, std::optional<uint64_t> newest = {});

} // namespace rivulet::flash
