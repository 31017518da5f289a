// SPDX-License-Identifier: Apache-2.0
#include "boards/generator/board.h"

#include <cctype>
#include <ostream>

namespace rivulet::boards {
namespace {

std::string macro_name(std::string_view text) {
    std::string name;
    for (const char c : text)
        name += std::isalnum(static_cast<unsigned char>(c))
                    ? static_cast<char>(std::toupper(static_cast<unsigned char>(c)))
                    : '_';
    return name;
}

/// As in the device tree: each string ends with a NUL, and the list with another one.
std::string string_list(const std::vector<std::string> &texts) {
    std::string list = "\"";
    for (const auto &text : texts)
        list += text + "\\0";
    return list + '"';
}

std::string cells(const std::array<uint32_t, 2> &values) {
    return "{" + hex(values[0]) + ", " + hex(values[1]) + "}";
}

std::string initialiser(const Device &device, size_t first_line) {
    std::string base, bytes;
    constexpr size_t most_ranges = 4; // struct device
    for (size_t i = 0; i < device.ranges.size() && i < most_ranges; ++i) {
        base += hex(device.ranges[i].base) + ", ";
        bytes += hex(device.ranges[i].bytes) + ", ";
    }
    return "{.compatible = " + string_list(device.compatible) + ", .base = {" + base +
           "}, .bytes = {" + bytes + "}, .interrupt = " + std::to_string(device.interrupt) +
           ", .controller = " + std::to_string(device.controller) +
           ", .reg_shift = " + std::to_string(device.reg_shift) +
           ", .io_width = " + std::to_string(device.io_width) +
           ", .clock = " + std::to_string(device.clock) + ", .ring = " + cells(device.ring) +
           ", .acknowledge = " + cells(device.acknowledge) +
           (device.guest_bits ? ", .guest_bits = " + std::to_string(device.guest_bits) : "") +
           (device.sends_messages ? ", .sends_messages = 1" : "") +
           ", .first_line = " + std::to_string(first_line) +
           ", .lines = " + std::to_string(device.lines.size()) + "}";
}

std::string describe(const std::vector<std::string> &texts) {
    std::string list;
    for (const auto &text : texts)
        list += (list.empty() ? "" : ", ") + text;
    return list;
}

} // namespace

void write_header(const Tree &tree, const Board &board, std::ostream &out) {
    const auto define = [&](const std::string &name, const std::string &value) {
        out << "#define BOARD_" << name << ' ' << value << '\n';
    };
    const auto define_range = [&](const std::string &name, const Range &range,
                                  const std::string &suffix) {
        define(name + "_BASE" + suffix, hex(range.base));
        define(name + "_BYTES" + suffix, hex(range.bytes));
    };
    out << "/* Generated from the board's device tree. */\n";
    out << "#ifndef RIVULET_BOARD_H\n#define RIVULET_BOARD_H\n";
    define("NAME", '"' + board.model + '"');
    define("COMPATIBLE", string_list(board.compatible));
    define("TIMEBASE", std::to_string(board.timebase));
    define("ISA", '"' + board.harts[0].isa + '"');
    define("CORE", '"' + board.harts[0].core + '"');
    define("BOOT_HART", std::to_string(board.harts[0].id));
    define("CACHE_BLOCK", std::to_string(board.harts[0].cache_block));
    define("CACHE_ZERO_BLOCK", std::to_string(board.harts[0].cache_zero_block));
    for (const auto &[name, value] : board.settings)
        define(macro_name(name), hex(value));
    define_range("RAM", board.ram, "");

    for (const auto &[label, node] : tree.labels()) {
        size_t index = 0;
        if (label == "ram" || tree.path(node).starts_with("/cpus"))
            continue;
        for (const auto &range : tree.ranges(node)) {
            define_range(macro_name(label), range, index ? "_" + std::to_string(index) : "");
            ++index;
        }
    }

    if (board.harts_are_apart)
        define("HEAP_FIRST", hex(board.heap_first));
    define("CONSOLE", std::to_string(board.console));
    std::string devices, lines;
    size_t line_count = 0;
    for (const auto &device : board.devices) {
        devices += " \\\n    " + initialiser(device, line_count) + ",";
        for (const auto &line : device.lines) {
            // Drivers have one name for external interrupts, M mode's (LINE_EXTERNAL).
            const auto cause = line.cause == supervisor_external ? machine_external : line.cause;
            lines += " \\\n    {" + std::to_string(line.hart_id) + ", " + std::to_string(cause) +
                     ", " + std::to_string(line.index) + "},";
        }
        line_count += device.lines.size();
    }
    define("DEVICES", devices);
    define("LINES", lines);
    std::string key;
    for (const uint8_t byte : board.key)
        key += hex(byte) + ", ";
    if (!key.empty())
        define("KEY", key);
    out << "#endif\n";
}

void write_linker_script(const Board &board, std::ostream &out) {
    out << "/* Generated from the board's device tree. */\n";
    out << "MEMORY { firmware (rwx) : ORIGIN = " << hex(board.firmware.base)
        << ", LENGTH = " << hex(board.firmware.bytes) << " }\n";
}

void write_summary(const Board &board, std::ostream &out) {
    out << "board     " << board.model << " (" << describe(board.compatible) << ")\n";
    out << "harts     " << board.harts.size() << ", mhartid";
    for (const auto &hart : board.harts)
        out << ' ' << hart.id;
    out << "; time base " << board.timebase << " Hz\n";
    out << "isa       " << board.harts[0].isa << '\n';
    if (!board.harts[0].core.empty())
        out << "core      " << board.harts[0].core << '\n';
    if (board.is_supervisor)
        out << "mode      S, above an SBI\n";
    out << "blocks    " << board.harts[0].cache_block << " bytes, zeroed "
        << board.harts[0].cache_zero_block << '\n';
    for (const auto &range : board.memory)
        out << "memory    " << text(range) << '\n';
    for (const auto &range : board.reserved)
        out << "reserved  " << text(range) << '\n';
    out << "firmware  " << text(board.firmware) << '\n';
    out << "mailbox   " << text(board.mailbox) << '\n';
    if (board.scratchpad.bytes)
        out << "local     " << text(board.scratchpad) << '\n';
    if (board.boot.bytes)
        out << "boot      " << text(board.boot) << '\n';
    out << "harts'    " << text(board.hart_memory) << '\n';
    out << "heap      " << text(board.heap) << '\n';
    for (size_t i = 0; i < board.devices.size(); ++i) {
        const auto &device = board.devices[i];
        out << "device    " << hex(device.ranges[0].base) << ' ' << describe(device.compatible);
        if (device.interrupt)
            out << ", interrupt " << device.interrupt;
        if (device.reg_shift || device.io_width)
            out << ", registers 1 << " << device.reg_shift << " apart, " << device.io_width
                << " bytes";
        for (const auto &line : device.lines)
            if (line.hart_id == board.harts[0].id)
                out << ", cause " << line.cause << " of the boot hart from " << line.index;
        out << (static_cast<int>(i) == board.console ? ", console\n" : "\n");
    }
}

} // namespace rivulet::boards
