// SPDX-License-Identifier: Apache-2.0
//
// NOR flash with a boot stage and slots for firmware (hal/protocol/boot_slot.h), as the chip's
// contents: what an update leaves at any moment starts.
#pragma once

#include "hal/protocol/boot_slot.h"
#include "tools/flash/image.h"

namespace rivulet::flash {

/// Firmware as it goes into a slot.
struct SlotContents {
    rvl_firmware_statement statement{};
    Signature signature{}; // zeros: unsigned
    View bytes;
};
rvl_firmware_statement statement_of(const hal::FirmwareFile &firmware, const Flat &flat,
                                    const Numbers &numbers);
/// The signature is of this: the statement, then the bytes.
Bytes signed_message(const rvl_firmware_statement &statement, View bytes);

/// An error if the recipe describes no flash with slots.
hal::Result<> check_chip(const Recipe &recipe);
/// A new chip: boot stage, firmware in slot A.
hal::Result<Bytes> new_flash(const Recipe &recipe, View boot_stage, const SlotContents &firmware);

/// A slot as it is on a chip.
struct SlotState {
    rvl_boot_slot header{};
    bool valid = false; // its digest is right
    [[nodiscard]] bool came_up() const { return header.healthy != RVL_UNMARKED; }
    [[nodiscard]] unsigned tries() const;
};
struct ChipState {
    std::array<SlotState, 2> slots;
    uint32_t floor = 0; // as it will be at the next start
    size_t target = 0;  // the slot that would be missed least
    /// Of the slot that stays; NULL: neither is worth keeping.
    std::optional<uint64_t> newest;
};
hal::Result<ChipState> read_slots(const Recipe &recipe, View chip);

/// For a chip that is written as a whole: the floor that it has, wherever, at its next start; 0
/// where it has none of this format.
uint32_t kept_floor(View chip);
void mark_floor(const Recipe &recipe, uint32_t floor, Bytes &image);
/// An error if the board would not start the firmware.
hal::Result<> check_floor(const SlotContents &firmware, uint32_t floor);

/// Writes in this order bring the firmware into the slot that would be missed least.
struct SlotUpdate {
    struct Piece {
        uint64_t offset;
        Bytes bytes;
    };
    char letter;
    std::vector<Piece> pieces; // each has to be on the medium before the next
};
SlotUpdate update_of(const Recipe &recipe, const ChipState &state, const SlotContents &firmware);

/// An update for the boot stage, to be put into memory (rvl_update).
Bytes staged_update(const SlotContents &firmware);

} // namespace rivulet::flash
