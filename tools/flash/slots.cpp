// SPDX-License-Identifier: Apache-2.0
#include "tools/flash/slots.h"
#include "hal/core/describe.h"

#include <algorithm>
#include <cstring>

namespace rivulet::flash {
namespace {

constexpr uint64_t largest_chip = 256u << 20;

template <class T> View bytes_of(const T &object) { return std::as_bytes(std::span(&object, 1)); }

void put(Bytes &to, uint64_t offset, View bytes) {
    std::ranges::copy(bytes, to.begin() + static_cast<std::ptrdiff_t>(offset));
}

rvl_boot_slot header_of(const SlotContents &firmware) {
    rvl_boot_slot slot;
    std::memset(&slot, 0xff, sizeof slot);
    slot.magic = RVL_BOOT_SLOT_MAGIC;
    slot.version = RVL_BOOT_SLOT_VERSION;
    slot.firmware = firmware.statement;
    std::memcpy(slot.signature, firmware.signature.data(), sizeof slot.signature);
    const auto digest =
        sha512({bytes_of(slot).subspan(sizeof slot.magic,
                                       offsetof(rvl_boot_slot, digest) - sizeof slot.magic),
                firmware.bytes});
    std::memcpy(slot.digest, digest.data(), sizeof slot.digest);
    return slot;
}

/// The same rule as in the boot stage (device-firmware/boot/update.c).
bool is_better(const SlotState &a, const SlotState &b) {
    if (a.valid != b.valid)
        return a.valid;
    if (a.came_up() != b.came_up())
        return a.came_up();
    return a.may_be_tried() != b.may_be_tried()
               ? a.may_be_tried()
               : rvl_is_newer(a.header.firmware.sequence, b.header.firmware.sequence) != 0;
}

rvl_boot_layout layout_of(View chip) {
    rvl_boot_layout layout{};
    if (chip.size() >= RVL_BOOT_LAYOUT_OFFSET + sizeof layout)
        std::memcpy(&layout, chip.data() + RVL_BOOT_LAYOUT_OFFSET, sizeof layout);
    return layout;
}

bool is_known(const rvl_boot_layout &layout) {
    return layout.magic == RVL_BOOT_LAYOUT_MAGIC &&
           RVL_VERSION_MAJOR(layout.version) == RVL_VERSION_MAJOR(RVL_BOOT_SLOT_VERSION);
}

/// A boot stage that verifies signatures contains the key.
bool has_key(const rvl_boot_layout &layout, View chip, const PublicKey &key) {
    const View stage = chip.first(std::min<size_t>(layout.stage_bytes, chip.size()));
    return !std::ranges::search(stage, key).empty();
}

/// What makes a slot one that the board starts.
struct Board {
    std::string_view name;
    const std::optional<PublicKey> &key;
};

/// The boot stage asks the same (device-firmware/boot/slot.c).
SlotState read_slot(const Board &board, const rvl_boot_layout &layout, View chip, uint64_t at) {
    SlotState state;
    const uint64_t contents = at + layout.block_bytes;
    if (at == 0 || at > chip.size() || layout.block_bytes < sizeof state.header ||
        contents + layout.slot_bytes > chip.size())
        return state;
    std::memcpy(&state.header, chip.subspan(at).data(), sizeof state.header);
    const auto &header = state.header;
    if (header.magic != RVL_BOOT_SLOT_MAGIC ||
        RVL_VERSION_MAJOR(header.version) != RVL_VERSION_MAJOR(RVL_BOOT_SLOT_VERSION) ||
        header.firmware.bytes > layout.slot_bytes ||
        header.firmware.security_version > RVL_SECURITY_VERSIONS)
        return state;
    const auto digest =
        sha512({bytes_of(header).subspan(sizeof header.magic,
                                         offsetof(rvl_boot_slot, digest) - sizeof header.magic),
                chip.subspan(contents, header.firmware.bytes)});
    const auto &statement = header.firmware;
    Signature signature;
    std::memcpy(signature.data(), header.signature, signature.size());
    const std::string_view name(statement.board, strnlen(statement.board, sizeof statement.board));
    state.valid = std::memcmp(digest.data(), header.digest, digest.size()) == 0 &&
                  name == board.name &&
                  (!board.key ||
                   is_signed(*board.key, signature,
                             signed_message(statement, chip.subspan(contents, statement.bytes))));
    return state;
}

std::array<SlotState, 2> slots_of(const Board &board, const rvl_boot_layout &layout, View chip) {
    return {read_slot(board, layout, chip, layout.slot[0]),
            read_slot(board, layout, chip, layout.slot[1])};
}

/// The marks now, or after the next start.
uint32_t floor_of(const rvl_boot_layout &layout, View chip, const std::array<SlotState, 2> &slots) {
    uint32_t floor = 0;
    for (uint32_t mark = 0; floor < RVL_SECURITY_VERSIONS; ++floor) {
        const uint64_t at = layout.floor + uint64_t{floor} * sizeof mark;
        if (at + sizeof mark > chip.size())
            break;
        std::memcpy(&mark, chip.subspan(at).data(), sizeof mark);
        if (mark == RVL_UNMARKED)
            break;
    }
    for (const auto &slot : slots)
        if (slot.valid && slot.came_up())
            floor = std::max(floor, slot.header.firmware.security_version);
    return floor;
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
    const auto overlaps = [&](uint64_t slot) {
        return slot != 0 && chip.floor < slot + block + room && slot < chip.floor + block;
    };
    if (chip.floor == 0 || chip.floor % block != 0 || chip.floor > chip.bytes - block ||
        block < RVL_SECURITY_VERSIONS * sizeof(uint32_t) || overlaps(chip.slot_a) ||
        overlaps(chip.slot_b))
        return fail(RVL_INVALID,
                    {"flash.toml of ", recipe.board,
                     ": [pflash] needs floor, a block of 4 KiB or more that is no "
                     "slot's, where the board keeps the lowest security version that it starts"});
    return {};
}

unsigned SlotState::tries() const {
    unsigned tries = 0;
    while (tries < RVL_BOOT_TRIES && header.tried[tries] != RVL_UNMARKED)
        ++tries;
    return tries;
}

rvl_firmware_statement statement_of(const hal::FirmwareFile &firmware, const Flat &flat,
                                    const Numbers &numbers) {
    rvl_firmware_statement statement{};
    std::memcpy(statement.what, RVL_FIRMWARE_STATEMENT, sizeof statement.what);
    statement.address = flat.address;
    statement.entry = flat.entry;
    statement.bytes = flat.bytes.size();
    statement.sequence = numbers.sequence;
    statement.security_version = numbers.security_version;
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
    layout.slot_bytes = static_cast<uint32_t>(recipe.slot_bytes);
    layout.floor = static_cast<uint32_t>(chip.floor);
    layout.block_bytes = static_cast<uint32_t>(chip.block_bytes);
    layout.stage_bytes = static_cast<uint32_t>(boot_stage.size());
    Bytes image(chip.bytes, std::byte{0xff}); // erased state
    put(image, 0, boot_stage);
    put(image, RVL_BOOT_LAYOUT_OFFSET, bytes_of(layout));
    put(image, chip.slot_a, bytes_of(header_of(firmware)));
    put(image, chip.slot_a + chip.block_bytes, firmware.bytes);
    return image;
}

Result<ChipState> read_slots(const Recipe &recipe, View chip, const std::optional<PublicKey> &key) {
    if (auto good = check_chip(recipe); !good)
        return std::unexpected(good.error());
    if (chip.size() < recipe.pflash.bytes)
        return fail(RVL_INVALID, {"the chip has ", bytes_text(chip.size()), ", flash.toml of ",
                                  recipe.board, " says ", bytes_text(recipe.pflash.bytes)});
    const auto layout = layout_of(chip);
    if (layout.magic == RVL_BOOT_LAYOUT_MAGIC && !is_known(layout))
        return fail(
            RVL_INVALID,
            {"its boot stage knows slots of format ", hal::version_text(layout.version),
             ", this release writes ", hal::version_text(RVL_BOOT_SLOT_VERSION),
             ", which signs the firmware's numbers; --force rewrites all of it, with a boot "
             "stage of this release"});
    if (!is_known(layout))
        return fail(RVL_INVALID,
                    "it holds no boot stage of this release; --force rewrites all of it");
    if (layout.slot[0] != recipe.pflash.slot_a || layout.slot[1] != recipe.pflash.slot_b ||
        layout.slot_bytes != recipe.slot_bytes || layout.floor != recipe.pflash.floor ||
        layout.block_bytes != recipe.pflash.block_bytes)
        return fail(RVL_INVALID, {"its slots lie elsewhere than flash.toml of ", recipe.board,
                                  " says; --force rewrites all of it"});
    if (recipe.pflash.slot_b == 0)
        return fail(RVL_INVALID, {"flash.toml of ", recipe.board,
                                  " has one slot, which is in use; --force rewrites all of it"});
    if (key && !has_key(layout, chip, *key))
        return fail(RVL_INVALID,
                    {"its boot stage does not verify signatures with the key of ", recipe.board,
                     " (key.pub); --force rewrites all of it, with a boot stage that does"});
    ChipState state{.slots = slots_of({recipe.board, key}, layout, chip), .newest = std::nullopt};
    state.floor = floor_of(layout, chip, state.slots);
    for (auto &slot : state.slots)
        slot.valid = slot.valid && slot.header.firmware.security_version >= state.floor;
    const auto &[a, b] = state.slots;
    state.target = is_better(a, b) || !b.valid ? 1 : 0;
    if (const auto &kept = state.slots[1 - state.target]; kept.valid) {
        state.newest = kept.header.firmware.sequence;
        state.xlen = kept.header.firmware.xlen;
    }
    return state;
}

Result<> check_xlen(const ChipState &state, const SlotContents &firmware) {
    if (!state.xlen || *state.xlen == firmware.statement.xlen)
        return {};
    return fail(RVL_INVALID,
                {"its harts have ", *state.xlen, " bits, the firmware is for ",
                 firmware.statement.xlen, "; --force rewrites all of it, with a boot stage for ",
                 firmware.statement.xlen});
}

uint32_t kept_floor(const Recipe &recipe, View chip, const std::optional<PublicKey> &key) {
    const auto layout = layout_of(chip);
    return is_known(layout) ? floor_of(layout, chip, slots_of({recipe.board, key}, layout, chip))
                            : 0;
}

void mark_floor(const Recipe &recipe, uint32_t floor, Bytes &image) {
    std::fill_n(image.begin() + static_cast<std::ptrdiff_t>(recipe.pflash.floor),
                floor * sizeof(uint32_t), std::byte{0});
}

Result<> check_floor(const SlotContents &firmware, uint32_t floor) {
    const uint32_t version = firmware.statement.security_version;
    if (version >= floor)
        return {};
    return fail(
        RVL_INVALID,
        {"the firmware's security version is ", version, ", and the chip starts none below ", floor,
         floor < RVL_SECURITY_VERSIONS
             ? ", which has come up there"
             : ", the highest: unless such firmware has come up there, the floor's block is "
               "damaged; erase the chip and write all of it"});
}

SlotUpdate update_of(const Recipe &recipe, const ChipState &state, const SlotContents &firmware) {
    const auto &chip = recipe.pflash;
    SlotUpdate update;
    update.letter = state.target == 0 ? 'A' : 'B';
    const uint64_t at = state.target == 0 ? chip.slot_a : chip.slot_b;
    const uint64_t blocks = (firmware.bytes.size() + chip.block_bytes - 1) / chip.block_bytes;
    update.pieces.push_back({at, Bytes(chip.block_bytes, std::byte{0xff})});
    update.pieces.push_back(
        {at + chip.block_bytes, Bytes(blocks * chip.block_bytes, std::byte{0xff})});
    put(update.pieces.back().bytes, 0, firmware.bytes);
    const auto header = header_of(firmware);
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
    update.version = RVL_BOOT_SLOT_VERSION;
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
