// SPDX-License-Identifier: Apache-2.0
#include "hal/drivers/gdb/board.h"

#include <libfdt.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "base/data_directory.h"
#include "base/read_file.h"
#include "hal/isa/isa_string.h"

namespace rivulet::hal::gdb {
namespace {

struct Range {
    uint64_t base = 0;
    uint64_t bytes = 0;
};

/// Reads a number of `cells` cells, checking against `left`.
bool take(const fdt32_t *&at, int &left, int cells, uint64_t &value) {
    value = 0;
    for (; cells > 0 && left > 0; --cells, --left)
        value = value << 32 | fdt32_to_cpu(*at++);
    return cells == 0;
}

std::vector<Range> ranges(const void *tree, int node) {
    const int parent = fdt_parent_offset(tree, node);
    int bytes = 0;
    const auto *at = static_cast<const fdt32_t *>(fdt_getprop(tree, node, "reg", &bytes));
    if (at == nullptr || parent < 0)
        return {};
    std::vector<Range> all;
    const int address = fdt_address_cells(tree, parent);
    const int size = fdt_size_cells(tree, parent);
    for (int left = bytes / 4; left > 0;) {
        Range range;
        if (address < 1 || !take(at, left, address, range.base) ||
            !take(at, left, size, range.bytes))
            break;
        all.push_back(range);
    }
    return all;
}

std::vector<std::string> strings(const void *tree, int node, const char *property) {
    int bytes = 0;
    const auto *text = static_cast<const char *>(fdt_getprop(tree, node, property, &bytes));
    std::vector<std::string> all;
    for (int at = 0; text != nullptr && at < bytes;) {
        all.emplace_back(text + at, strnlen(text + at, static_cast<size_t>(bytes - at)));
        at += static_cast<int>(all.back().size()) + 1;
    }
    return all;
}

std::string isa_of(const void *tree, int hart) {
    const auto base = strings(tree, hart, "riscv,isa-base");
    const auto extensions = strings(tree, hart, "riscv,isa-extensions");
    if (base.empty() || extensions.empty()) {
        const auto old = strings(tree, hart, "riscv,isa");
        return old.empty() ? "" : old[0];
    }
    return isa::join(base[0], extensions);
}

/// The most exact name of the hart's core; "riscv" alone names none.
std::string core_of(const void *tree, int hart) {
    const auto names = strings(tree, hart, "compatible");
    return names.empty() || names[0] == "riscv" ? "" : names[0];
}

bool is_of_type(const void *tree, int node, const char *type) {
    const auto types = strings(tree, node, "device_type");
    return !types.empty() && types[0] == type;
}

/// The /memory range that contains this address.
Range memory_with(const void *tree, uint64_t address) {
    for (int node = fdt_next_node(tree, -1, nullptr); node >= 0;
         node = fdt_next_node(tree, node, nullptr))
        if (is_of_type(tree, node, "memory"))
            for (const Range &range : ranges(tree, node))
                if (address >= range.base && address - range.base < range.bytes)
                    return range;
    return {};
}

bool is_enabled(const void *tree, int node) {
    const auto status = strings(tree, node, "status");
    return status.empty() || status[0] == "okay" || status[0] == "ok";
}

bool is_hart(const void *tree, int node) {
    return is_of_type(tree, node, "cpu") && is_enabled(tree, node);
}

void take_harts(Board &board, const void *tree) {
    const int cpus = fdt_path_offset(tree, "/cpus");
    uint32_t harts = 0;
    int node = 0;
    fdt_for_each_subnode(node, tree, cpus) {
        if (!is_hart(tree, node))
            continue;
        if (++harts > 1)
            continue;
        if (auto isa = isa_of(tree, node); isa.starts_with("rv64") || isa.starts_with("rv32")) {
            board.xlen = isa.starts_with("rv64") ? 64 : 32;
            board.isa = std::move(isa);
            board.core = core_of(tree, node);
        }
    }
    if (harts != 0)
        board.harts = harts;
}

/// The phandle of the interrupt controller in the first hart, which takes the doorbell's
/// interrupts.
uint32_t first_harts_controller(const void *tree) {
    int hart = 0;
    fdt_for_each_subnode(hart, tree, fdt_path_offset(tree, "/cpus")) {
        if (!is_hart(tree, hart))
            continue;
        for (int node = fdt_first_subnode(tree, hart); node >= 0;
             node = fdt_next_subnode(tree, node))
            if (fdt_node_check_compatible(tree, node, "riscv,cpu-intc") == 0)
                return fdt_get_phandle(tree, node);
        return 0;
    }
    return 0;
}

/// The place of the first hart among a device's wires, all of them or those with this cause.
std::optional<uint64_t> place_of(const void *tree, int node, uint32_t cause, bool among_all) {
    const uint32_t wanted = first_harts_controller(tree);
    int bytes = 0;
    const auto *wires =
        static_cast<const fdt32_t *>(fdt_getprop(tree, node, "interrupts-extended", &bytes));
    uint64_t place = 0;
    for (int at = 0; wires != nullptr && at + 1 < bytes / 4; at += 2) {
        const bool counts = fdt32_to_cpu(wires[at + 1]) == cause;
        if (counts && fdt32_to_cpu(wires[at]) == wanted)
            return place;
        place += counts || among_all;
    }
    return std::nullopt;
}

constexpr uint32_t software = 3, external = 11; // interrupts of M mode

uint64_t register_of_clint(const void *tree, const char *compatible, int range) {
    if (range < 0)
        return 0;
    for (int node = fdt_node_offset_by_compatible(tree, -1, compatible); node >= 0;
         node = fdt_node_offset_by_compatible(tree, node, compatible)) {
        const auto all = ranges(tree, node);
        const auto place = place_of(tree, node, software, false);
        if (place && is_enabled(tree, node) && static_cast<size_t>(range) < all.size())
            return all[static_cast<size_t>(range)].base + 4 * *place;
    }
    return 0;
}

/// The page of M mode's IMSIC. 1, which is written there as to a CLINT, is the identity of the bell
/// (IMSIC_BELL in device-firmware/drivers).
uint64_t page_of_imsic(const void *tree) {
    constexpr const char *compatible = "riscv,imsics";
    for (int node = fdt_node_offset_by_compatible(tree, -1, compatible); node >= 0;
         node = fdt_node_offset_by_compatible(tree, node, compatible)) {
        const auto place = place_of(tree, node, external, true);
        int bytes = 0;
        const auto *guests =
            static_cast<const fdt32_t *>(fdt_getprop(tree, node, "riscv,guest-index-bits", &bytes));
        const uint32_t guest_bits = bytes == 4 ? fdt32_to_cpu(*guests) : 0;
        if (!place || !is_enabled(tree, node) || guest_bits > 7)
            continue;
        uint64_t offset = *place << (12 + guest_bits);
        for (const Range &range :
             ranges(tree, node)) { // one after the other, each a group of harts
            if (offset < range.bytes)
                return range.base + offset;
            offset -= range.bytes;
        }
    }
    return 0;
}

uint64_t bell_of(const void *tree) {
    struct Clint {
        const char *compatible;
        int range; // with MSIP
    };
    constexpr Clint clints[] = {
#define RIVULET_CLINT(name, msip, ...) {name, msip},
#include "device-firmware/drivers/match/clint.def"
    };
    for (const auto &[compatible, range] : clints)
        if (const uint64_t address = register_of_clint(tree, compatible, range))
            return address;
    return page_of_imsic(tree);
}

} // namespace

Result<Board> read_board(const std::string &data, const std::string &name) {
    if (name.empty() || name.find('/') != name.npos)
        return fail(RVL_INVALID, "a debug port does not tell which board it belongs to; use "
                                 "RIVULET_MACHINE=gdb,board=NAME,target=HOST:PORT with a name from "
                                 "boards/ in RIVULET_DATA or RIVULET_BOARD_PATH");
    const std::string path =
        text({find_board_directory(name, data), "/boards/", name, "/board.dtb"});
    const auto file = read_file(path);
    if (!file)
        return fail(file.error().status, {"no board ", name, ": ", file.error().message});
    const void *tree = file->data();
    if (file->size() < sizeof(fdt_header) || fdt_check_full(tree, file->size()) != 0)
        return fail(RVL_INVALID, {path, " is not a valid device tree; rebuild it"});
    Board board;
    board.name = name;
    take_harts(board, tree);
    board.bell = bell_of(tree);
    const int reserved = fdt_path_offset(tree, "/reserved-memory");
    int node = 0;
    fdt_for_each_subnode(node, tree, reserved) {
        const std::string_view label = fdt_get_name(tree, node, nullptr);
        if (const auto all = ranges(tree, node); label.starts_with("firmware@") && !all.empty()) {
            const Range memory = memory_with(tree, all[0].base);
            board.memory_base = memory.base;
            board.memory_bytes = memory.bytes;
        }
    }
    if (board.xlen == 0 || board.memory_bytes == 0)
        return fail(RVL_INVALID,
                    {path, " lacks an ISA, or memory around reserved-memory/firmware"});
    return board;
}

void Overrides::apply_to(Board &board) const {
    if (!isa.empty()) {
        board.isa = isa;
        board.xlen = isa.starts_with("rv32") ? 32 : 64;
    }
    if (harts != 0)
        board.harts = harts;
    if (vlen != 0)
        board.vlen = vlen;
    if (memory_bytes != 0)
        board.memory_bytes = memory_bytes;
}

void refine(Board &board, std::span<const std::byte> bytes) {
    const void *tree = bytes.data();
    if (bytes.size() < sizeof(fdt_header) || fdt_check_full(tree, bytes.size()) != 0)
        return;
    take_harts(board, tree);
    if (const Range memory = memory_with(tree, board.memory_base); memory.bytes != 0) {
        board.memory_base = memory.base;
        board.memory_bytes = memory.bytes;
    }
}

} // namespace rivulet::hal::gdb
