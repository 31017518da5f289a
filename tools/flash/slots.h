// SPDX-License-Identifier: Apache-2.0
//
// NOR flash with a boot stage and firmware slots (hal/protocol/boot_slot.h), as the chip's
// contents. The chip is bootable at every point of an update.
#pragma once

#include "hal/protocol/boot_slot.h"
#include "tools/flash/image.h"

namespace rivulet::flash {

/// The contents of a slot.
struct SlotContents {
    rvl_firmware_statement statement{};
    Signature signature{}; // zeros: unsigned
    View bytes;
};
rvl_firmware_statement statement_of(const hal::FirmwareFile &firmware, const Flat &flat,
                                    const Numbers &numbers);
/// The signed bytes: the statement, followed by the firmware.
Bytes signed_message(const rvl_firmware_statement &statement, View bytes);

/// Returns an error if the recipe does not describe a flash with slots.
Result<> check_chip(const Recipe &recipe);
/// The contents of a new chip: boot stage, and firmware in slot A.
Result<Bytes> new_flash(const Recipe &recipe, View boot_stage, const SlotContents &firmware);

/// The state of a slot on a chip.
struct SlotState {
    rvl_boot_slot header{};
    bool valid = false; // undamaged, for this board, and signed if the board has a key
    [[nodiscard]] bool came_up() const { return header.healthy != RVL_UNMARKED; }
    [[nodiscard]] unsigned tries() const;
    [[nodiscard]] bool may_be_tried() const { return came_up() || tries() < RVL_BOOT_TRIES; }
};
struct ChipState {
    std::array<SlotState, 2> slots;
    uint32_t floor = 0; // after the next start
    size_t target = 0;  // the more expendable slot
    /// Of the slot to keep; nullopt if neither is worth keeping.
    std::optional<uint64_t> newest;
    std::optional<uint32_t> xlen; // of the same slot, so of the board's harts
};
/// `key`: the board's, if it has one. Fails if the chip's boot stage does not know it.
Result<ChipState> read_slots(const Recipe &recipe, View chip, const std::optional<PublicKey> &key);

/// Returns an error if the firmware is for harts of another XLEN than that of the slot to keep.
Result<> check_xlen(const ChipState &state, const SlotContents &firmware);

/// For a chip that is completely rewritten: its floor after the next start, wherever it is stored;
/// 0 if it has none of this format.
uint32_t kept_floor(const Recipe &recipe, View chip, const std::optional<PublicKey> &key);
void mark_floor(const Recipe &recipe, uint32_t floor, Bytes &image);
/// Returns an error if the board would not start the firmware.
Result<> check_floor(const SlotContents &firmware, uint32_t floor);

/// Writing these pieces in order installs the firmware in the more expendable slot.
struct SlotUpdate {
    struct Piece {
        uint64_t offset;
        Bytes bytes;
    };
    char letter;
    std::vector<Piece> pieces; // each must be on the medium before the next one is written
};
SlotUpdate update_of(const Recipe &recipe, const ChipState &state, const SlotContents &firmware);

/// An update for the boot stage, to be put in memory (rvl_update).
Bytes staged_update(const SlotContents &firmware);

} // namespace rivulet::flash
