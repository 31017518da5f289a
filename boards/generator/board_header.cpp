// SPDX-License-Identifier: Apache-2.0
//
// board-header BOARD.dtb HEADER LINKER-SCRIPT
//
// Turns a board's device tree into constants for C and memory regions for the linker, so that no
// address is written twice. Every labelled node gives
//   BOARD_<LABEL>_BASE, _BYTES          (second and later ranges of reg: _BASE_1, …)
//   BOARD_<LABEL>_INTERRUPT, _REG_SHIFT, _IO_WIDTH (where the node has them)
// the root BOARD_NAME, /cpus BOARD_TIMEBASE, the first hart BOARD_BOOT_HART, BOARD_CACHE_BLOCK and
// BOARD_ISA, and /chosen one BOARD_<NAME> per property rivulet,<name>.

#include <cctype>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <libfdt.h>

namespace {

using Blob = std::vector<char>;

[[noreturn]] void fail(const std::string &what) { throw std::runtime_error(what); }

std::string macro_name(std::string_view text) {
    std::string name;
    for (char c : text)
        name += std::isalnum(static_cast<unsigned char>(c))
                    ? static_cast<char>(std::toupper(static_cast<unsigned char>(c)))
                    : '_';
    return name;
}

std::string hex(uint64_t value) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
}

/// One property as big-endian cells; empty when the node lacks it.
std::vector<uint32_t> cells(const void *tree, int node, const char *name) {
    int bytes = 0;
    const auto *data = static_cast<const fdt32_t *>(fdt_getprop(tree, node, name, &bytes));
    std::vector<uint32_t> result;
    for (int i = 0; data && i < bytes / 4; ++i)
        result.push_back(fdt32_ld(data + i));
    return result;
}

uint32_t cell(const void *tree, int node, const char *name, const char *where) {
    auto values = cells(tree, node, name);
    if (values.empty())
        fail(std::string(where) + " lacks " + name);
    return values[0];
}

std::string string(const void *tree, int node, const char *name, const char *where) {
    const char *text = fdt_stringlist_get(tree, node, name, 0, nullptr);
    if (!text)
        fail(std::string(where) + " lacks " + name);
    return text;
}

int node_at(const void *tree, const char *path) {
    int node = fdt_path_offset(tree, path);
    if (node < 0)
        fail(std::string("there is no node ") + path);
    return node;
}

struct Range {
    uint64_t base, bytes;
};

std::vector<Range> ranges(const void *tree, int node) {
    int parent = fdt_parent_offset(tree, node);
    int address_cells = fdt_address_cells(tree, parent), size_cells = fdt_size_cells(tree, parent);
    auto values = cells(tree, node, "reg");
    std::vector<Range> result;
    auto take = [&](size_t at, int count) {
        uint64_t value = 0;
        for (int i = 0; i < count; ++i)
            value = value << 32 | values[at + static_cast<size_t>(i)];
        return value;
    };
    auto step = static_cast<size_t>(address_cells + size_cells);
    for (size_t at = 0; step && at + step <= values.size(); at += step)
        result.push_back(
            {take(at, address_cells), take(at + static_cast<size_t>(address_cells), size_cells)});
    return result;
}

void write_header(const void *tree, std::ostream &out) {
    auto define = [&](const std::string &name, const std::string &value) {
        out << "#define BOARD_" << name << ' ' << value << '\n';
    };
    out << "/* Generated from the board's device tree. */\n";
    out << "#ifndef RIVULET_BOARD_H\n#define RIVULET_BOARD_H\n";
    define("NAME", '"' + string(tree, 0, "model", "the root node") + '"');

    int cpus = node_at(tree, "/cpus");
    define("TIMEBASE", std::to_string(cell(tree, cpus, "timebase-frequency", "/cpus")));
    int hart = fdt_first_subnode(tree, cpus);
    if (hart < 0)
        fail("/cpus holds no hart");
    define("ISA", '"' + string(tree, hart, "riscv,isa", "the first hart") + '"');
    define("BOOT_HART", std::to_string(cell(tree, hart, "reg", "the first hart")));
    define("CACHE_BLOCK",
           std::to_string(cell(tree, hart, "riscv,cbom-block-size", "the first hart")));

    int chosen = node_at(tree, "/chosen"), property = 0;
    fdt_for_each_property_offset(property, tree, chosen) {
        const char *name = nullptr;
        fdt_getprop_by_offset(tree, property, &name, nullptr);
        constexpr std::string_view prefix = "rivulet,";
        if (std::string_view(name).starts_with(prefix))
            define(macro_name(name + prefix.size()), hex(cell(tree, chosen, name, "/chosen")));
    }

    int symbols = node_at(tree, "/__symbols__"); // dtc -@
    fdt_for_each_property_offset(property, tree, symbols) {
        const char *label = nullptr;
        const auto *path =
            static_cast<const char *>(fdt_getprop_by_offset(tree, property, &label, nullptr));
        int node = node_at(tree, path);
        std::string name = macro_name(label);
        size_t index = 0;
        for (auto range : ranges(tree, node)) {
            std::string suffix = index ? "_" + std::to_string(index) : "";
            define(name + "_BASE" + suffix, hex(range.base));
            define(name + "_BYTES" + suffix, hex(range.bytes));
            ++index;
        }
        if (auto values = cells(tree, node, "interrupts"); !values.empty())
            define(name + "_INTERRUPT", std::to_string(values[0]));
        if (auto values = cells(tree, node, "reg-shift"); !values.empty())
            define(name + "_REG_SHIFT", std::to_string(values[0]));
        if (auto values = cells(tree, node, "reg-io-width"); !values.empty())
            define(name + "_IO_WIDTH", std::to_string(values[0]));
    }
    out << "#endif\n";
}

void write_linker_script(const void *tree, std::ostream &out) {
    std::string path = string(tree, node_at(tree, "/__symbols__"), "firmware", "the tree's labels");
    auto region = ranges(tree, node_at(tree, path.c_str()));
    if (region.empty())
        fail("the node labelled firmware has no reg");
    out << "/* Generated from the board's device tree. */\n";
    out << "MEMORY { firmware (rwx) : ORIGIN = " << hex(region[0].base)
        << ", LENGTH = " << hex(region[0].bytes) << " }\n";
}

} // namespace

int main(int count, char **arguments) try {
    if (count != 4)
        fail("usage: board-header BOARD.dtb HEADER LINKER-SCRIPT");
    std::ifstream file(arguments[1], std::ios::binary);
    Blob tree{std::istreambuf_iterator<char>(file), {}};
    if (tree.size() < sizeof(fdt_header) || fdt_check_full(tree.data(), tree.size()) != 0)
        fail(std::string(arguments[1]) + " is no device tree; dtc -@ makes one");
    std::ofstream header(arguments[2]), script(arguments[3]);
    write_header(tree.data(), header);
    write_linker_script(tree.data(), script);
    if (!header.flush() || !script.flush())
        fail("could not write the generated files");
    return 0;
} catch (const std::exception &error) {
    std::cerr << "board-header: " << error.what() << '\n';
    return 1;
}
