// SPDX-License-Identifier: Apache-2.0
#include "boards/generator/tree.h"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <libfdt.h>

namespace rivulet::boards {
namespace {

constexpr uint32_t most_cells = 2; // addresses and sizes have at most 64 bits
constexpr int most_levels = 16;

uint64_t number(const std::vector<uint32_t> &cells, size_t at, uint32_t count) {
    uint64_t value = 0;
    for (uint32_t i = 0; i < count; ++i)
        value = value << 32 | cells[at + i];
    return value;
}

} // namespace

void fail(const std::string &sentence) { throw std::runtime_error(sentence); }

std::string hex(uint64_t value) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
}

std::string text(const Range &range) { return hex(range.base) + " to " + hex(range.end() - 1); }

Tree Tree::read(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    if (!file)
        fail("there is no file " + path);
    std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    if (bytes.size() < sizeof(fdt_header) || fdt_check_full(bytes.data(), bytes.size()) != 0)
        fail("this is not a valid device tree; create it from board.dts with dtc -@");
    return Tree(std::move(bytes));
}

std::optional<Tree::Node> Tree::find(const std::string &path) const {
    const int node = fdt_path_offset(blob(), path.c_str());
    return node < 0 ? std::nullopt : std::optional(node);
}

std::optional<Tree::Node> Tree::labelled(const std::string &label) const {
    for (const auto &[name, node] : labels())
        if (name == label)
            return node;
    return std::nullopt;
}

std::vector<std::pair<std::string, Tree::Node>> Tree::labels() const {
    std::vector<std::pair<std::string, Node>> result;
    const auto symbols = find("/__symbols__");
    if (!symbols)
        return result;
    for (const auto &label : property_names(*symbols)) {
        const auto paths = strings(*symbols, label.c_str());
        const auto node = paths.empty() ? std::nullopt : find(paths[0]);
        if (!node)
            fail("the label " + label + " names no node");
        result.emplace_back(label, *node);
    }
    return result;
}

std::optional<Tree::Node> Tree::with_phandle(uint32_t phandle) const {
    const int node = fdt_node_offset_by_phandle(blob(), phandle);
    return node < 0 ? std::nullopt : std::optional(node);
}

std::vector<Tree::Node> Tree::children(Node parent) const {
    std::vector<Node> result;
    int node = 0;
    fdt_for_each_subnode(node, blob(), parent) result.push_back(node);
    return result;
}

std::vector<Tree::Node> Tree::all() const {
    std::vector<Node> result;
    for (int node = 0; node >= 0; node = fdt_next_node(blob(), node, nullptr))
        result.push_back(node);
    return result;
}

std::optional<Tree::Node> Tree::parent(Node node) const {
    const int above = fdt_parent_offset(blob(), node);
    return above < 0 ? std::nullopt : std::optional(above);
}

std::string Tree::path(Node node) const {
    char text[1024];
    return fdt_get_path(blob(), node, text, sizeof text) == 0 ? text : "a node with a long name";
}

std::string Tree::name(Node node) const {
    const char *text = fdt_get_name(blob(), node, nullptr);
    const std::string_view full = text ? text : "";
    return std::string(full.substr(0, full.find('@')));
}

bool Tree::is_enabled(Node node) const {
    const auto status = strings(node, "status");
    return status.empty() || status[0] == "okay" || status[0] == "ok";
}

bool Tree::has(Node node, const char *property) const {
    return fdt_getprop(blob(), node, property, nullptr) != nullptr;
}

std::vector<uint32_t> Tree::cells(Node node, const char *property) const {
    int bytes = 0;
    const auto *data = static_cast<const fdt32_t *>(fdt_getprop(blob(), node, property, &bytes));
    if (!data)
        return {};
    if (bytes % 4 != 0)
        fail(path(node) + ": " + property + " has " + std::to_string(bytes) +
             " bytes; it is made of cells of four, as in <1 2>");
    std::vector<uint32_t> result;
    for (int i = 0; i < bytes / 4; ++i)
        result.push_back(fdt32_ld(data + i));
    return result;
}

std::vector<std::string> Tree::strings(Node node, const char *property) const {
    if (!has(node, property))
        return {};
    const int count = fdt_stringlist_count(blob(), node, property);
    std::vector<std::string> result;
    for (int i = 0; i < count; ++i)
        result.emplace_back(fdt_stringlist_get(blob(), node, property, i, nullptr));
    const bool is_printable = [&] {
        for (const auto &text : result)
            for (const char c : text)
                if (c < ' ' || c > '~')
                    return false;
        return true;
    }();
    if (count <= 0 || !is_printable)
        fail(path(node) + ": " + property + " is no text, as in \"text\"");
    return result;
}

std::optional<uint32_t> Tree::cell(Node node, const char *property) const {
    if (!has(node, property))
        return std::nullopt;
    const auto values = cells(node, property);
    if (values.size() != 1)
        fail(path(node) + ": " + property + " has " + std::to_string(values.size()) +
             " cells; it wants one, as in <1>");
    return values[0];
}

std::vector<std::string> Tree::property_names(Node node) const {
    std::vector<std::string> result;
    int property = 0;
    fdt_for_each_property_offset(property, blob(), node) {
        const char *name = nullptr;
        if (fdt_getprop_by_offset(blob(), property, &name, nullptr))
            result.emplace_back(name);
    }
    return result;
}

bool Tree::is_compatible(Node node, std::string_view name) const {
    for (const auto &one : strings(node, "compatible"))
        if (one == name)
            return true;
    return false;
}

uint32_t Tree::cell_count(Node node, const char *property, uint32_t otherwise) const {
    const uint32_t count = cell(node, property).value_or(otherwise);
    if (count > most_cells)
        fail(path(node) + ": " + property + " is " + std::to_string(count) +
             "; addresses and sizes have two cells at most");
    return count;
}

/* 2.3.8. The address on the bus itself is in the parent's cells. */
uint64_t Tree::translated(Node bus, uint64_t address, Node of) const {
    if (bus == root)
        return address;
    const Node above = *parent(bus);
    if (!has(bus, "ranges"))
        fail(path(of) + " has no address for harts: " + path(bus) +
             " has no ranges; an empty one means that addresses are the same on both sides");
    const auto table = cells(bus, "ranges");
    if (table.empty())
        return translated(above, address, of);
    const uint32_t own = cell_count(bus, "#address-cells", 2);
    const uint32_t size = cell_count(bus, "#size-cells", 1);
    const uint32_t outer = cell_count(above, "#address-cells", 2);
    const size_t step = own + outer + size;
    if (table.size() % step != 0)
        fail(path(bus) + ": ranges has " + std::to_string(table.size()) +
             " cells, which is no multiple of " + std::to_string(step) +
             " (address here, address above, size)");
    for (size_t at = 0; at < table.size(); at += step) {
        const uint64_t from = number(table, at, own);
        if (address >= from && address - from < number(table, at + own + outer, size))
            return translated(above, number(table, at + own, outer) + (address - from), of);
    }
    fail(path(of) + " has no address for harts: the ranges of " + path(bus) + " don't hold " +
         hex(address));
}

std::vector<Range> Tree::ranges(Node node) const {
    if (node == root)
        return {};
    const Node bus = *parent(node);
    const auto values = cells(node, "reg");
    if (values.empty())
        return {};
    const uint32_t address_cells = cell_count(bus, "#address-cells", 2);
    const uint32_t size_cells = cell_count(bus, "#size-cells", 1);
    const size_t step = address_cells + size_cells;
    if (step == 0 || values.size() % step != 0)
        fail(path(node) + ": reg has " + std::to_string(values.size()) +
             " cells, which is no multiple of " + std::to_string(step) + ", as " + path(bus) +
             "'s #address-cells and #size-cells want it");
    std::vector<Range> result;
    for (size_t at = 0; at < values.size(); at += step) {
        Range range{number(values, at, address_cells),
                    number(values, at + address_cells, size_cells)};
        range.base = translated(bus, range.base, node);
        if (range.bytes > -range.base && range.base != 0)
            fail(path(node) + ": reg goes beyond the last address there is");
        result.push_back(range);
    }
    return result;
}

/* 2.4.1: the node's own interrupt-parent, else that of the next node above that has one. */
Tree::Node Tree::interrupt_parent(Node node) const {
    std::optional<Node> at = node;
    for (int level = 0; at && level < most_levels; ++level, at = parent(*at))
        if (const auto phandle = cell(*at, "interrupt-parent")) {
            const auto controller = with_phandle(*phandle);
            if (!controller)
                fail(path(*at) + ": interrupt-parent names a node that is not there");
            return *controller;
        }
    fail(path(node) + " has interrupts, but neither it nor a node above has an interrupt-parent");
}

uint32_t Tree::interrupt_cells(Node controller, Node of) const {
    const auto count = cell(controller, "#interrupt-cells");
    if (!has(controller, "interrupt-controller") || !count)
        fail(path(of) + ": its interrupts go to " + path(controller) +
             ", which is no interrupt-controller with #interrupt-cells");
    if (*count == 0 || *count > 4)
        fail(path(controller) + ": #interrupt-cells is " + std::to_string(*count) +
             "; a wired interrupt has one to four cells");
    return *count;
}

std::vector<Tree::Interrupt> Tree::interrupts(Node node) const {
    std::vector<Interrupt> result;
    if (has(node, "interrupts-extended")) {
        for (const auto &output : outputs(node))
            if (output.hart)
                result.push_back({*output.hart, output.cause});
        return result;
    }
    const auto values = cells(node, "interrupts");
    if (values.empty())
        return result;
    const Node controller = interrupt_parent(node);
    const uint32_t count = interrupt_cells(controller, node);
    if (values.size() % count != 0)
        fail(path(node) + ": interrupts has " + std::to_string(values.size()) +
             " cells, which is no multiple of the " + std::to_string(count) + " that " +
             path(controller) + " wants");
    for (size_t at = 0; at < values.size(); at += count)
        result.push_back({controller, values[at]});
    // Follows the controllers up to a hart, and detects cycles.
    Node at = controller;
    for (int level = 0; !is_compatible(at, "riscv,cpu-intc"); ++level) {
        if (level == most_levels)
            fail(path(node) + ": its interrupts go round in a circle and reach no hart");
        const auto above = has(at, "interrupts-extended") ? outputs(at) : std::vector<Output>{};
        if (!above.empty() && above[0].hart)
            at = *above[0].hart;
        else if (has(at, "interrupts"))
            at = interrupt_parent(at);
        else
            break;
    }
    return result;
}

std::vector<Tree::Output> Tree::outputs(Node node) const {
    std::vector<Output> result;
    const auto values = cells(node, "interrupts-extended");
    for (size_t at = 0; at < values.size();) {
        const auto target = with_phandle(values[at]);
        if (!target)
            fail(path(node) + ": interrupts-extended names a node that is not there (phandle " +
                 hex(values[at]) + ")");
        const uint32_t count = interrupt_cells(*target, node);
        if (at + count >= values.size())
            fail(path(node) + ": interrupts-extended ends in the middle of an entry");
        const bool absent = values[at + 1] == UINT32_MAX; // an absent context
        result.push_back({absent ? std::nullopt : target, values[at + 1]});
        at += 1 + count;
    }
    return result;
}

} // namespace rivulet::boards
