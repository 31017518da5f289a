// SPDX-License-Identifier: Apache-2.0
//
// A flattened device tree with validated access to its properties (Devicetree Specification 0.4).
// Invalid data causes a std::runtime_error with a message that names the node.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rivulet::boards {

[[noreturn]] void fail(const std::string &sentence);
std::string hex(uint64_t value);

struct Range {
    uint64_t base = 0;
    uint64_t bytes = 0;
    [[nodiscard]] uint64_t end() const { return base + bytes; }
    [[nodiscard]] bool contains(const Range &other) const {
        return other.base >= base && other.end() <= end();
    }
    [[nodiscard]] bool overlaps(const Range &other) const {
        return other.base < end() && base < other.end();
    }
};
/// "0x80000000 to 0x800fffff"
std::string text(const Range &range);

class Tree {
public:
    /// Reads a file; throws unless it is a complete and valid tree.
    static Tree read(const std::string &path);

    using Node = int;
    static constexpr Node root = 0;

    [[nodiscard]] std::optional<Node> find(const std::string &path) const;
    /// The node with a label (`dtc -@` keeps labels).
    [[nodiscard]] std::optional<Node> labelled(const std::string &label) const;
    [[nodiscard]] std::vector<std::pair<std::string, Node>> labels() const;
    [[nodiscard]] std::optional<Node> with_phandle(uint32_t phandle) const;
    [[nodiscard]] std::vector<Node> children(Node) const;
    [[nodiscard]] std::vector<Node> all() const;
    [[nodiscard]] std::optional<Node> parent(Node) const;
    /// "/soc/serial@10000000"
    [[nodiscard]] std::string path(Node) const;
    /// "serial"
    [[nodiscard]] std::string name(Node) const;
    /// True if status is missing or "okay".
    [[nodiscard]] bool is_enabled(Node) const;

    [[nodiscard]] bool has(Node, const char *property) const;
    /// Returns an empty list if the property is missing.
    [[nodiscard]] std::vector<uint32_t> cells(Node, const char *property) const;
    [[nodiscard]] std::vector<std::string> strings(Node, const char *property) const;
    [[nodiscard]] std::optional<uint32_t> cell(Node, const char *property) const;
    [[nodiscard]] std::vector<std::string> property_names(Node) const;
    [[nodiscard]] bool is_compatible(Node, std::string_view name) const;

    /// `reg` as seen by the harts: translated through the ranges of all buses above the node.
    [[nodiscard]] std::vector<Range> ranges(Node) const;

    struct Interrupt {
        Node controller;
        uint32_t number; // its first cell
    };
    /// The wires in interrupts or interrupts-extended.
    [[nodiscard]] std::vector<Interrupt> interrupts(Node) const;
    /// A controller's outputs, one per entry of interrupts-extended. No node stands for 0xffffffff
    /// or -1, which PLICs use for absent contexts.
    struct Output {
        std::optional<Node> hart;
        uint32_t cause;
    };
    [[nodiscard]] std::vector<Output> outputs(Node) const;

private:
    explicit Tree(std::vector<char> bytes) : bytes_(std::move(bytes)) {}
    [[nodiscard]] const void *blob() const { return bytes_.data(); }
    [[nodiscard]] uint32_t cell_count(Node, const char *property, uint32_t otherwise) const;
    [[nodiscard]] uint64_t translated(Node bus, uint64_t address, Node of) const;
    [[nodiscard]] Node interrupt_parent(Node) const;
    [[nodiscard]] uint32_t interrupt_cells(Node controller, Node of) const;

    std::vector<char> bytes_;
};

} // namespace rivulet::boards
