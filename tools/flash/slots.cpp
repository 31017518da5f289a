// SPDX-License-Identifier: Apache-2.0
#include "tools/flash/slots.h"

#include <algorithm>
#include <cstring>

namespace rivulet::flash {
namespace {

using hal::fail;
using hal::Result;

constexpr uint64_t largest_chip = 256u << 20;

template <class T> View bytes_of(const T &object) { return std::as_bytes(std::span(&object, 1)); }

void put(Bytes &to, uint64_t offset, View bytes) {
    std::ranges::copy(bytes, to.begin() + static_cast<std::ptrdiff_t>(offset));
}

rvl_boot_slot header_of(const SlotContents &firmware, uint64_t sequence) {
    rvl_boot_slot slot;
    std::memset(&slot, 0xff, sizeof slot);
    slot.magic = RVL_BOOT_SLOT_MAGIC;
    slot.version = RVL_BOOT_SLOT_VERSION;
    slot.sequence = sequence;
    slot.firmware = firmware.statement;
    std::memcpy(slot.signature, firmware.signature.data(), sizeof slot.signature);
    const auto digest =
        sha512({bytes_of(slot).subspan(sizeof slot.magic,
                                       offsetof(rvl_boot_slot, digest) - sizeof slot.magic),
                firmware.bytes});
    std::memcpy(slot.digest, digest.data(), sizeof slot.digest);
    return slot;
}

SlotState read_slot(const Recipe &recipe, View chip, uint64_t at) {
    SlotState state;
    std::memcpy(&state.header, chip.subspan(at).data(), sizeof state.header);
    const auto &header = state.header;
    if (header.magic != RVL_BOOT_SLOT_MAGIC || header.firmware.bytes > recipe.slot_bytes)
        return state;
    SlotContents there;
    there.bytes = chip.subspan(at + recipe.pflash.block_bytes, header.firmware.bytes);
    const auto digest =
        sha512({bytes_of(header).subspan(sizeof header.magic,
                                         offsetof(rvl_boot_slot, digest) - sizeof header.magic),
                there.bytes});
    state.valid = std::memcmp(digest.data(), header.digest, digest.size()) == 0;
    return state;
}

/// The boot stage has the same rule (device-firmware/boot/update.c).
bool is_better(const SlotState &a, const SlotState &b) {
    if (a.valid != b.valid)
        return a.valid;
    return a.came_up() != b.came_up() ? a.came_up() : a.header.sequence > b.header.sequence;
}

} // namespace

Result<> check_chip(const Recipe &recipe) {
    const auto &chip = recipe.pflash;
    const uint64_t block = chip.block_bytes, room = recipe.slot_bytes;
    const auto fits = [&](uint64_t slot, uint64_t end) {
        return slot % block == 0 && slot < end && block + room <= end - slot;
    };
    if (chip.bytes == 0 || chip.bytes > largest_chip || block < sizeof(rvl_boot_slot) ||
        block % 4 != 0 || block > chip.bytes || room == 0 || room > chip.bytes)
        return fail(RVL_INVALID, {"flash.toml of ", recipe.board,
                                  " describes no NOR flash: [pflash] needs bytes, base, "
                                  "block_bytes and slot_a, and [flash] slot_bytes"});
    const bool two = chip.slot_b != 0;
    if (chip.slot_a == 0 || !fits(chip.slot_a, two ? chip.slot_b : chip.bytes) ||
        (two && !fits(chip.slot_b, chip.bytes)))
        return fail(RVL_INVALID,
                    {"flash.toml of ", recipe.board,
                     ": slot_a and slot_b have to be multiples of block_bytes, each "
                     "with room for a block and slot_bytes up to the next or the end"});
    return {};
}

unsigned SlotState::tries() const {
    unsigned tries = 0;
    while (tries < RVL_BOOT_TRIES && header.tried[tries] != RVL_UNMARKED)
        ++tries;
    return tries;
}

rvl_firmware_statement statement_of(const hal::FirmwareFile &firmware, const Flat &flat) {
    rvl_firmware_statement statement{};
    std::memcpy(statement.what, RVL_FIRMWARE_STATEMENT, sizeof statement.what);
    statement.address = flat.address;
    statement.entry = flat.entry;
    statement.bytes = flat.bytes.size();
    statement.xlen = firmware.note.xlen;
    static_assert(sizeof statement.board == sizeof firmware.note.board);
    std::memcpy(statement.board, firmware.note.board, sizeof statement.board);
    return statement;
}

Bytes signed_message(const rvl_firmware_statement &statement, View bytes) {
    const auto head = bytes_of(statement);
    Bytes message(head.begin(), head.end());
    message.insert(message.end(), bytes.begin(), bytes.end());
    return message;
}

Result<Bytes> new_flash(const Recipe &recipe, View boot_stage, const SlotContents &firmware) {
    if (auto good = check_chip(recipe); !good)
        return std::unexpected(good.error());
    const auto &chip = recipe.pflash;
    rvl_boot_layout layout{};
    if (boot_stage.size() > chip.slot_a ||
        boot_stage.size() < RVL_BOOT_LAYOUT_OFFSET + sizeof layout)
        return fail(RVL_INVALID, "the boot stage for NOR flash is damaged; build it again");
    layout.magic = RVL_BOOT_LAYOUT_MAGIC;
    layout.version = RVL_BOOT_SLOT_VERSION;
    layout.slot[0] = chip.slot_a;
    layout.slot[1] = chip.slot_b;
    layout.slot_bytes = recipe.slot_bytes;
    layout.block_bytes = static_cast<uint32_t>(chip.block_bytes);
    layout.stage_bytes = static_cast<uint32_t>(boot_stage.size());
    Bytes image(chip.bytes, std::byte{0xff}); // as erased
    put(image, 0, boot_stage);
    put(image, RVL_BOOT_LAYOUT_OFFSET, bytes_of(layout));
    put(image, chip.slot_a, bytes_of(header_of(firmware, 1)));
    put(image, chip.slot_a + chip.block_bytes, firmware.bytes);
    return image;
}

Result<std::array<SlotState, 2>> read_slots(const Recipe &recipe, View chip) {
    if (auto good = check_chip(recipe); !good)
        return std::unexpected(good.error());
    rvl_boot_layout layout;
    if (chip.size() < recipe.pflash.bytes)
        return fail(RVL_INVALID, {"the chip has ", hal::bytes_text(chip.size()), ", flash.toml of ",
                                  recipe.board, " says ", hal::bytes_text(recipe.pflash.bytes)});
    std::memcpy(&layout, chip.data() + RVL_BOOT_LAYOUT_OFFSET, sizeof layout);
    if (layout.magic != RVL_BOOT_LAYOUT_MAGIC ||
        RVL_VERSION_MAJOR(layout.version) != RVL_VERSION_MAJOR(RVL_BOOT_SLOT_VERSION))
        return fail(RVL_INVALID,
                    "it holds no boot stage of this release; --force writes all of it");
    if (layout.slot[0] != recipe.pflash.slot_a || layout.slot[1] != recipe.pflash.slot_b ||
        layout.slot_bytes != recipe.slot_bytes || layout.block_bytes != recipe.pflash.block_bytes)
        return fail(RVL_INVALID, {"its slots lie elsewhere than flash.toml of ", recipe.board,
                                  " says; --force writes all of it"});
    if (recipe.pflash.slot_b == 0)
        return fail(RVL_INVALID, {"flash.toml of ", recipe.board,
                                  " has one slot, which is in use; --force writes all of it"});
    return std::array{read_slot(recipe, chip, layout.slot[0]),
                      read_slot(recipe, chip, layout.slot[1])};
}

Result<SlotUpdate> update_of(const Recipe &recipe, const std::array<SlotState, 2> &slots,
                             const SlotContents &firmware) {
    const auto &chip = recipe.pflash;
    const size_t target = is_better(slots[0], slots[1]) || !slots[1].valid ? 1 : 0;
    uint64_t sequence = 0;
    for (const auto &slot : slots)
        if (slot.header.magic == RVL_BOOT_SLOT_MAGIC && slot.header.sequence != UINT64_MAX)
            sequence = std::max(sequence, slot.header.sequence);
    SlotUpdate update;
    update.letter = target == 0 ? 'A' : 'B';
    update.sequence = sequence + 1;
    const uint64_t at = target == 0 ? chip.slot_a : chip.slot_b;
    const uint64_t blocks = (firmware.bytes.size() + chip.block_bytes - 1) / chip.block_bytes;
    update.pieces.push_back({at, Bytes(chip.block_bytes, std::byte{0xff})});
    update.pieces.push_back(
        {at + chip.block_bytes, Bytes(blocks * chip.block_bytes, std::byte{0xff})});
    put(update.pieces.back().bytes, 0, firmware.bytes);
    const auto header = header_of(firmware, update.sequence);
    const auto bytes = bytes_of(header);
    const auto behind_magic = bytes.subspan(sizeof header.magic);
    update.pieces.push_back({at + sizeof header.magic, {behind_magic.begin(), behind_magic.end()}});
    const auto magic = bytes.first(sizeof header.magic);
    update.pieces.push_back({at, {magic.begin(), magic.end()}});
    return update;
}

Bytes staged_update(const SlotContents &firmware) {
    rvl_update update{};
    update.magic = RVL_UPDATE_MAGIC;
    update.state = RVL_UPDATE_REQUESTED;
    update.firmware = firmware.statement;
    std::memcpy(update.signature, firmware.signature.data(), sizeof update.signature);
    const auto check = sha512({bytes_of(update.firmware), firmware.bytes});
    std::memcpy(update.check, check.data(), sizeof update.check);
    Bytes all(RVL_PAGE_BYTES + firmware.bytes.size());
    put(all, 0, bytes_of(update));
    put(all, RVL_PAGE_BYTES, firmware.bytes);
    return all;
}

} // namespace rivulet::flash
