// SPDX-License-Identifier: Apache-2.0
#include "boards/generator/board.h"

#include <algorithm>
#include <bit>
#include <map>
#include <span>

#include "hal/isa/isa_string.h"

namespace rivulet::boards {
namespace {

constexpr uint32_t most_harts = 1024;          // RVL_MAX_HARTS
constexpr uint32_t usual_block = 64;           // RVL_CACHE_BLOCK
constexpr uint32_t largest_block = 256;        // RVL_LARGEST_CACHE_BLOCK
constexpr uint64_t page = 4096;                // RVL_PAGE_BYTES
constexpr uint64_t mailbox_least = 320u << 10; // struct shared_memory, of up to 64 harts
constexpr uint64_t hart_reports = 384;         // rvl_hart_statistics and rvl_crash_hart
constexpr uint64_t boot_least = 128u << 10;    // BOOT_STAGE_BYTES, and some update
constexpr uint64_t most_security = 1024;       // RVL_SECURITY_VERSIONS
constexpr uint64_t sv39_end = 1ull << 38;      // PAGED_END of riscv.h, and a page
constexpr uint64_t hart_least = 32u << 10;     // guard page, some stack, local memory
constexpr size_t longest_model = 31;           // rvl_hello.board
constexpr size_t longest_core = 63;            // rvl_hello.core

// ---- harts
// ---------------------------------------------------------------------------------------

/// Prefers riscv,isa-extensions, because in Linux's trees riscv,isa is a shorter legacy form. Adds
/// a note about unknown extensions, and rejects names that must be typos.
std::string isa_of(const Tree &tree, Tree::Node hart, std::vector<std::string> &notes) {
    const auto base = tree.strings(hart, "riscv,isa-base");
    const auto extensions = tree.strings(hart, "riscv,isa-extensions");
    const auto old = tree.strings(hart, "riscv,isa");
    if (base.empty() != extensions.empty())
        fail(tree.path(hart) + " has only one of riscv,isa-base and riscv,isa-extensions");
    if (base.empty() && old.empty())
        fail(tree.path(hart) +
             " has neither riscv,isa-base with riscv,isa-extensions nor riscv,isa");
    const std::string isa = base.empty() ? old[0] : isa::join(base[0], extensions);
    const bool is_known = isa.size() > 4 && (isa.starts_with("rv64i") || isa.starts_with("rv32i"));
    const bool is_lower = std::ranges::all_of(
        isa, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
    if (!is_known || !is_lower)
        fail(tree.path(hart) + ": \"" + isa + "\" is no ISA that starts with rv64i or rv32i");
    // S-mode extensions are included, because the firmware uses some of them (sstc).
    std::string all = isa;
    for (const auto &extension : extensions)
        all += "_" + extension;
    const auto verdict = isa::check(all);
    if (!verdict.error.empty())
        fail(tree.path(hart) + ": " + verdict.error);
    for (const auto &name : verdict.unknown)
        notes.push_back(tree.path(hart) + ": '" + name +
                        "' is an extension that is unknown here; kernels are compiled without it");
    return isa;
}

/// The most exact name of the core, which kernels are tuned for; "riscv" alone names none.
std::string core_of(const Tree &tree, Tree::Node hart) {
    const auto names = tree.strings(hart, "compatible");
    if (names.empty() || names[0] == "riscv")
        return "";
    const bool is_plain = std::ranges::all_of(names[0], [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view(",-_.+").find(c) != std::string_view::npos;
    });
    if (!is_plain || names[0].size() > longest_core)
        fail(tree.path(hart) + ": compatible begins with \"" + names[0] +
             "\", which is not the name of a core: up to " + std::to_string(longest_core) +
             " letters, digits and ,-_.+");
    return names[0];
}

bool has_extension(const std::string &isa, const std::string &name) {
    return (isa + "_").find("_" + name + "_") != std::string::npos;
}

uint32_t block_size(const Tree &tree, Tree::Node hart, const std::string &isa,
                    const std::string &extension, const char *property) {
    const auto bytes = tree.cell(hart, property);
    if (!bytes && has_extension(isa, extension))
        fail(tree.path(hart) + " has " + extension + " and no " + property);
    if (!bytes)
        return usual_block;
    if (!std::has_single_bit(*bytes))
        fail(tree.path(hart) + ": " + property + " is " + std::to_string(*bytes) +
             ", which is no power of two");
    return *bytes;
}

uint32_t hart_id(const Tree &tree, Tree::Node hart, Tree::Node cpus) {
    const auto reg = tree.cells(hart, "reg");
    const uint32_t count = tree.cell(cpus, "#address-cells").value_or(2);
    if (reg.empty() || reg.size() != count)
        fail(tree.path(hart) + ": reg, which is mhartid, has " + std::to_string(reg.size()) +
             " cells; #address-cells of /cpus wants " + std::to_string(count));
    if (count > 2 || (count == 2 && reg[0] != 0))
        fail(tree.path(hart) + ": mhartid is larger than 32 bits");
    return reg.back();
}

Hart read_hart(const Tree &tree, Tree::Node node, Tree::Node cpus,
               std::vector<std::string> &notes) {
    Hart hart;
    hart.id = hart_id(tree, node, cpus);
    hart.isa = isa_of(tree, node, notes);
    hart.core = core_of(tree, node);
    const auto extensions = tree.strings(node, "riscv,isa-extensions");
    hart.has_sstc = std::ranges::find(extensions, "sstc") != extensions.end() ||
                    has_extension(hart.isa, "sstc");
    hart.cache_block = block_size(tree, node, hart.isa, "zicbom", "riscv,cbom-block-size");
    hart.cache_zero_block = block_size(tree, node, hart.isa, "zicboz", "riscv,cboz-block-size");
    if (hart.cache_block > largest_block)
        fail(tree.path(node) + ": cache blocks of " + std::to_string(hart.cache_block) +
             " bytes; this firmware keeps what host and harts write apart by " +
             std::to_string(largest_block));
    return hart;
}

std::map<Tree::Node, uint32_t> read_harts(const Tree &tree, Board &board) {
    const auto cpus = tree.find("/cpus");
    if (!cpus)
        fail("there is no node /cpus");
    std::map<Tree::Node, uint32_t> controllers; // interrupt controller → mhartid
    for (const auto node : tree.children(*cpus)) {
        if (tree.name(node) != "cpu" || !tree.is_enabled(node)) // skip cpu-map and caches
            continue;
        const Hart hart = read_hart(tree, node, *cpus, board.notes);
        for (const auto &other : board.harts)
            if (other.id == hart.id)
                fail(tree.path(node) + ": another hart has the mhartid " + std::to_string(hart.id));
        if (!board.harts.empty() &&
            (board.harts[0].isa != hart.isa || board.harts[0].cache_block != hart.cache_block))
            fail(tree.path(node) + " has another ISA or cache block than the first hart; kernels "
                                   "run on any: give the others status = \"disabled\"");
        board.harts.push_back(hart);
        for (const auto child : tree.children(node))
            if (tree.is_compatible(child, "riscv,cpu-intc"))
                controllers[child] = hart.id;
        if (!board.timebase)
            board.timebase = tree.cell(node, "timebase-frequency").value_or(0);
    }
    if (board.harts.empty())
        fail("/cpus holds no hart (a node cpu@… that is not disabled)");
    board.timebase = tree.cell(*cpus, "timebase-frequency").value_or(board.timebase);
    if (board.timebase == 0)
        fail("/cpus lacks timebase-frequency, the ticks of mtime per second");
    return controllers;
}

// ---- memory
// --------------------------------------------------------------------------------------

void read_memory(const Tree &tree, Board &board) {
    for (const auto node : tree.children(Tree::root)) {
        if (tree.name(node) != "memory" || !tree.is_enabled(node))
            continue;
        for (const auto &range : tree.ranges(node)) {
            if (range.bytes == 0)
                continue; // to be filled in by a loader
            for (const auto &other : board.memory)
                if (other.overlaps(range))
                    fail(tree.path(node) + ": " + text(range) + " is named twice as memory");
            board.memory.push_back(range);
        }
    }
    if (board.memory.empty())
        fail("there is no memory: a node /memory@… with reg and a size that is not 0");
    std::ranges::sort(board.memory, {}, &Range::base);
    std::vector<Range> joined;
    for (const auto &range : board.memory)
        if (!joined.empty() && joined.back().end() == range.base)
            joined.back().bytes += range.bytes;
        else
            joined.push_back(range);
    board.memory = joined;
}

uint64_t setting(const Board &board, const std::string &name) {
    for (const auto &[key, value] : board.settings)
        if (key == name)
            return value;
    return 0;
}

/// rivulet,device-tree: whose device tree the firmware uses, as a number for its sources (main.c).
uint32_t device_tree_setting(const Tree &tree, Tree::Node chosen, const char *property) {
    static constexpr std::string_view choices[] = {"boot", "board", "merged"};
    const auto texts = tree.strings(chosen, property);
    const auto found = texts.size() == 1 ? std::ranges::find(choices, texts[0]) : std::end(choices);
    if (found == std::end(choices))
        fail("/chosen: rivulet,device-tree must be \"boot\" (a tree that is handed over, where "
             "there "
             "is one), \"board\" (always this one) or \"merged\" (harts of this one, memory of "
             "that)");
    return static_cast<uint32_t>(found - std::begin(choices));
}

/// rivulet,privilege: which mode the firmware runs in.
bool is_supervisor(const Tree &tree, Tree::Node chosen, const char *property) {
    const auto texts = tree.strings(chosen, property);
    if (texts.size() == 1 && (texts[0] == "machine" || texts[0] == "supervisor"))
        return texts[0] == "supervisor";
    fail(
        "/chosen: rivulet,privilege must be \"machine\" (the firmware owns M mode of its harts) or "
        "\"supervisor\" (it runs in S mode above an SBI)");
}

void read_settings(const Tree &tree, Board &board) {
    const auto chosen = tree.find("/chosen");
    if (!chosen)
        fail("there is no node /chosen with rivulet,hart-memory-bytes and "
             "rivulet,local-memory-bytes");
    constexpr std::string_view prefix = "rivulet,";
    for (const auto &name : tree.property_names(*chosen))
        if (name == "rivulet,device-tree")
            board.settings.emplace_back(name.substr(prefix.size()),
                                        device_tree_setting(tree, *chosen, name.c_str()));
        else if (name == "rivulet,privilege")
            board.is_supervisor = is_supervisor(tree, *chosen, name.c_str());
        else if (name.starts_with(prefix))
            board.settings.emplace_back(name.substr(prefix.size()),
                                        tree.cell(*chosen, name.c_str()).value_or(0));
    if (board.is_supervisor)
        board.settings.emplace_back("supervisor", 1);
    board.hart_memory_bytes = setting(board, "hart-memory-bytes");
    const uint64_t local = setting(board, "local-memory-bytes");
    if (!std::has_single_bit(board.hart_memory_bytes) || board.hart_memory_bytes < hart_least)
        fail("/chosen: rivulet,hart-memory-bytes must be a power of two of 32 KiB at least");
    if (local == 0 || local % page != 0 || local > board.hart_memory_bytes / 2)
        fail("/chosen: rivulet,local-memory-bytes must be whole pages, at most half of "
             "rivulet,hart-memory-bytes");
    for (const auto &[name, value] : board.settings)
        if (name == "max-harts")
            board.most_harts = value;
    if (board.most_harts == 0 || board.most_harts > most_harts)
        fail("/chosen: rivulet,max-harts is " + std::to_string(board.most_harts) + "; 1 to " +
             std::to_string(most_harts) + " are possible");
    if (board.harts.size() > board.most_harts)
        fail("/cpus holds " + std::to_string(board.harts.size()) +
             " harts; the firmware uses up to " + std::to_string(board.most_harts) +
             " (rivulet,max-harts of /chosen)");
    for (const auto &[name, value] : board.settings)
        if (name == "security-version" && value > most_security)
            fail("/chosen: rivulet,security-version is " + std::to_string(value) +
                 ", and no board's floor goes beyond " + std::to_string(most_security));
}

Range region(const Tree &tree, const std::string &label, bool is_needed = true) {
    const auto node = tree.labelled(label);
    if (!node && !is_needed)
        return {};
    if (!node)
        fail("no node of /reserved-memory has the label " + label +
             ": it says where the firmware has its " +
             (label == "firmware"  ? "code"
              : label == "mailbox" ? "mailbox"
                                   : "harts' memory"));
    const auto ranges = tree.ranges(*node);
    if (ranges.size() != 1 || ranges[0].bytes == 0)
        fail(tree.path(*node) + " wants one range in reg, with a size that is not 0");
    if (ranges[0].base % page != 0 || ranges[0].bytes % page != 0)
        fail(tree.path(*node) + ": " + text(ranges[0]) + " is not made of whole pages");
    return ranges[0];
}

/// True if the firmware's page tables, which it has in S mode, can't map the range.
bool is_beyond_tables(const Board &board, const Range &range) {
    return board.is_supervisor && board.harts[0].isa.starts_with("rv64") && range.end() > sv39_end;
}

void check_regions(const Board &board) {
    const std::pair<const char *, Range> regions[] = {{"the firmware", board.firmware},
                                                      {"the mailbox", board.mailbox},
                                                      {"the harts' memory", board.hart_memory},
                                                      {"the boot stage's memory", board.boot}};
    for (const auto &[name, range] : regions) {
        if (range.bytes == 0)
            continue;
        const bool is_apart = board.harts_are_apart && range.base == board.hart_memory.base;
        if (!is_apart && !board.ram.contains(range))
            fail(std::string(name) + " (" + text(range) + ") is outside the memory " +
                 text(board.ram));
        for (const auto &[other_name, other] : regions)
            if (name != other_name && range.overlaps(other))
                fail(std::string(name) + " (" + text(range) + ") and " + other_name + " (" +
                     text(other) + ") overlap");
        for (const auto &other : board.reserved)
            if (range.overlaps(other))
                fail(std::string(name) + " (" + text(range) +
                     ") is in memory that is reserved "
                     "for others (" +
                     text(other) + ")");
    }
    if (board.is_supervisor && board.boot.bytes)
        fail("there is memory for a boot stage, which runs in M mode, but rivulet,privilege is "
             "\"supervisor\"");
    for (const Range &range : {board.ram, board.hart_memory})
        if (is_beyond_tables(board, range))
            fail("the memory " + text(range) +
                 " ends above 256 GiB, beyond what Sv39 maps; it fences kernels if "
                 "rivulet,privilege is \"supervisor\"");
    const uint64_t more_harts = std::max<uint64_t>(board.most_harts, 64) - 64;
    const uint64_t mailbox_needs = mailbox_least + more_harts * hart_reports;
    if (board.mailbox.bytes < mailbox_needs)
        fail("the mailbox has " + std::to_string(board.mailbox.bytes) + " bytes; it needs " +
             std::to_string(mailbox_needs));
    if (board.boot.bytes != 0 && board.boot.bytes < boot_least)
        fail("the boot stage's memory has " + std::to_string(board.boot.bytes) +
             " bytes; it needs " + std::to_string(boot_least));
    // Memory after the harts' belongs to the heap, and there may be more harts than in the tree.
    for (const auto &[name, range] : regions)
        if (!board.harts_are_apart && range.base > board.hart_memory.base)
            fail(std::string(name) + " (" + text(range) +
                 ") comes after the harts', where kernels could write to it");
}

/// The largest unreserved piece of memory that the heap may have.
Range largest_gap(const Board &board) {
    std::vector<Range> taken = board.reserved;
    std::ranges::sort(taken, {}, &Range::base);
    Range best;
    uint64_t at = board.heap_first;
    const auto consider = [&](uint64_t end) {
        if (end > at && end - at > best.bytes)
            best = {at, end - at};
    };
    for (const auto &range : taken) {
        if (range.end() <= at)
            continue;
        consider(std::min(range.base, board.ram.end()));
        at = std::max(at, range.end());
    }
    consider(board.ram.end());
    return best;
}

/// Fast memory for local memory: harts' tightly coupled memories that follow each other, or SRAM.
void read_scratchpad(const Tree &tree, Board &board) {
    board.scratchpad = region(tree, "scratchpad", false);
    if (!board.scratchpad.bytes)
        return;
    const uint64_t share = board.scratchpad.bytes / board.harts.size() / page * page;
    if (share == 0)
        fail("the scratchpad (" + text(board.scratchpad) + ") has less than a page for each hart");
    const std::pair<const char *, Range> regions[] = {{"the firmware", board.firmware},
                                                      {"the mailbox", board.mailbox},
                                                      {"the harts' memory", board.hart_memory},
                                                      {"the boot stage's memory", board.boot}};
    for (const auto &[name, range] : regions)
        if (range.bytes && board.scratchpad.overlaps(range))
            fail("the scratchpad (" + text(board.scratchpad) + ") and " + name + " (" +
                 text(range) + ") overlap");
    if (is_beyond_tables(board, board.scratchpad))
        fail("the scratchpad (" + text(board.scratchpad) +
             ") ends above 256 GiB, beyond what Sv39 maps");
}

void read_regions(const Tree &tree, Board &board) {
    board.firmware = region(tree, "firmware");
    board.mailbox = region(tree, "mailbox");
    board.hart_memory = region(tree, "harts");
    board.boot = region(tree, "boot", false);
    if (board.hart_memory.base % board.hart_memory_bytes != 0)
        fail("the harts' memory starts at " + hex(board.hart_memory.base) +
             ", which is no multiple of rivulet,hart-memory-bytes (" +
             hex(board.hart_memory_bytes) + ")");
    const uint64_t needed = board.hart_memory_bytes * board.harts.size();
    board.harts_are_apart = !tree.path(*tree.labelled("harts")).starts_with("/reserved-memory/");
    if (board.harts_are_apart && board.hart_memory.bytes < needed)
        fail("the harts' memory (" + text(board.hart_memory) +
             ") is smaller than rivulet,hart-memory-bytes for each hart");
    if (board.harts_are_apart)
        for (const auto &range : board.memory)
            if (range.overlaps(board.hart_memory))
                fail("the harts' memory (" + text(board.hart_memory) +
                     ") is in RAM, and must be reserved there by a node of /reserved-memory");
    board.hart_memory.bytes = needed;
    const auto holds = [&](const Range &range) { return range.contains(board.firmware); };
    const auto ram = std::ranges::find_if(board.memory, holds);
    if (ram == board.memory.end())
        fail("the firmware (" + text(board.firmware) + ") is outside all memory");
    board.ram = *ram;
    if (const auto reserved = tree.find("/reserved-memory"))
        for (const auto node : tree.children(*reserved)) {
            if (!tree.is_enabled(node))
                continue;
            for (const auto &range : tree.ranges(node)) {
                const bool is_ours = range.base == board.firmware.base ||
                                     range.base == board.mailbox.base ||
                                     range.base == board.hart_memory.base ||
                                     (board.boot.bytes && range.base == board.boot.base);
                if (!is_ours && range.bytes)
                    board.reserved.push_back(range);
            }
        }
    check_regions(board);
    read_scratchpad(tree, board);
    board.heap_first = board.harts_are_apart
                           ? std::max({board.firmware.end(), board.mailbox.end(), board.boot.end()})
                           : board.hart_memory.end();
    board.heap = largest_gap(board);
    if (board.heap.bytes < board.hart_memory_bytes)
        fail("behind " +
             std::string(board.harts_are_apart ? "the firmware's memory " : "the harts' memory ") +
             std::to_string(board.heap.bytes) + " bytes are left for buffers; that is too little");
}

// ---- devices
// -------------------------------------------------------------------------------------

/// The root and buses with memory addresses; not PCI, whose functions are found by probing.
bool is_bus(const Tree &tree, Tree::Node node) {
    return node == Tree::root || (tree.is_compatible(node, "simple-bus") && tree.parent(node) &&
                                  is_bus(tree, *tree.parent(node)));
}

constexpr uint32_t software = 3, timer = 7, external = machine_external;

uint32_t external_of(const Board &board) {
    return board.is_supervisor ? supervisor_external : external;
}

/* A CLINT has one register of each kind per hart, in the order of its wires. A PLIC context is
 * numbered by its wire among all of them, including S mode's and absent ones. */
std::vector<Line> read_lines(const Tree &tree, Tree::Node node, const Board &board,
                             const std::map<Tree::Node, uint32_t> &controllers) {
    std::vector<Line> lines;
    uint32_t wire = 0, softwares = 0, timers = 0;
    for (const auto &output : tree.outputs(node)) {
        const auto hart = output.hart ? controllers.find(*output.hart) : controllers.end();
        const uint32_t index = output.cause == software ? softwares
                               : output.cause == timer  ? timers
                                                        : wire;
        softwares += output.cause == software;
        timers += output.cause == timer;
        ++wire;
        if (hart != controllers.end() && (output.cause == software || output.cause == timer ||
                                          output.cause == external_of(board)))
            lines.push_back({hart->second, output.cause, index});
    }
    return lines;
}

/* AIA, 3.6: each hart has a page in M mode's files; in S mode's it has more of them, for its
 * guests, and a device tree may describe M mode's in the same way. The ranges of reg are groups, in
 * whose pages the harts are in the order of the wires. A line's index is the number of pages from
 * the first range. */
std::vector<Line> read_pages(const Tree &tree, Tree::Node node, const Board &board,
                             const Device &device,
                             const std::map<Tree::Node, uint32_t> &controllers) {
    const auto outputs = tree.outputs(node);
    const auto bits = [&](const char *property, uint32_t otherwise, uint32_t most = 31) {
        const uint32_t value = tree.cell(node, property).value_or(otherwise);
        if (value > most)
            fail(device.path + ": " + property + " is " + std::to_string(value));
        return value;
    };
    const uint64_t stride = page << device.guest_bits;
    const uint32_t hart_bits =
        bits("riscv,hart-index-bits", static_cast<uint32_t>(std::bit_width(outputs.size() - 1)));
    const uint32_t group_bits = bits("riscv,group-index-bits", 0);
    const uint32_t group_shift = bits("riscv,group-index-shift", 24, 55);
    for (size_t group = 0; group < device.ranges.size(); ++group) {
        const auto &range = device.ranges[group];
        if (device.ranges.size() > 1 &&
            (range.base != device.ranges[0].base + (group << group_shift) || group >> group_bits))
            fail(device.path + ": the pages of group " + std::to_string(group) + " are at " +
                 hex(range.base) + "; riscv,group-index-bits and -shift say otherwise");
    }
    std::vector<Line> lines;
    size_t group = 0;
    uint64_t place = 0;
    for (const auto &output : outputs) {
        while (group < device.ranges.size() && (place + 1) * stride > device.ranges[group].bytes) {
            ++group;
            place = 0;
        }
        if (group == device.ranges.size() || place >> hart_bits)
            fail(device.path + ": reg has no page for the hart of entry " +
                 std::to_string(&output - outputs.data()) +
                 " in interrupts-extended (riscv,guest-index-bits is " +
                 std::to_string(device.guest_bits) + ", riscv,hart-index-bits " +
                 std::to_string(hart_bits) + ")");
        const uint64_t offset = device.ranges[group].base - device.ranges[0].base + place * stride;
        if (offset / page > UINT32_MAX)
            fail(device.path + ": the pages of group " + std::to_string(group) +
                 " are too far from those of the first one");
        const auto hart = output.hart ? controllers.find(*output.hart) : controllers.end();
        if (hart != controllers.end() && output.cause == external_of(board))
            lines.push_back({hart->second, output.cause, static_cast<uint32_t>(offset / page)});
        ++place;
    }
    return lines;
}

std::array<uint32_t, 2> pair(const Tree &tree, Tree::Node node, const char *property) {
    const auto values = tree.cells(node, property);
    if (values.empty())
        return {};
    if (values.size() != 2)
        fail(tree.path(node) + ": " + property +
             " wants two cells: a register's offset, and the "
             "value to write there");
    return {values[0], values[1]};
}

Device read_device(const Tree &tree, Tree::Node node, const Board &board,
                   const std::map<Tree::Node, uint32_t> &controllers) {
    Device device;
    device.path = tree.path(node);
    device.compatible = tree.strings(node, "compatible");
    device.ranges = tree.ranges(node);
    if (device.ranges.empty())
        fail(device.path + " has no reg");
    for (const auto &range : device.ranges) {
        if (range.bytes == 0)
            fail(device.path + ": a range of reg has the size 0");
        if (is_beyond_tables(board, range))
            fail(device.path + " (" + text(range) +
                 ") is above 256 GiB, beyond what Sv39 maps for firmware in S mode; leave out or "
                 "disable devices that the firmware does not need");
        for (const auto &memory : board.memory)
            if (memory.overlaps(range))
                fail(device.path + " (" + text(range) + ") is in memory (" + text(memory) + ")");
        for (const auto &other : board.devices)
            for (const auto &taken : other.ranges)
                if (taken.overlaps(range))
                    fail(device.path + " and " + other.path + " overlap at " +
                         hex(std::max(taken.base, range.base)));
    }
    device.reg_shift = tree.cell(node, "reg-shift").value_or(0);
    device.io_width = tree.cell(node, "reg-io-width").value_or(0);
    device.clock =
        tree.has(node, "clock-frequency") ? tree.cell(node, "clock-frequency").value_or(0) : 0;
    if (device.reg_shift > 3)
        fail(device.path + ": reg-shift is " + std::to_string(device.reg_shift) +
             "; registers are 1 << 3 bytes apart at most");
    if (device.io_width != 0 && device.io_width != 1 && device.io_width != 4)
        fail(device.path + ": reg-io-width is " + std::to_string(device.io_width) +
             "; this firmware knows accesses of 1 and 4 bytes");
    device.ring = pair(tree, node, "rivulet,ring");
    device.acknowledge = pair(tree, node, "rivulet,acknowledge");
    device.guest_bits = tree.cell(node, "riscv,guest-index-bits").value_or(0);
    if (device.guest_bits > 7)
        fail(device.path + ": riscv,guest-index-bits is " + std::to_string(device.guest_bits) +
             "; harts have 127 guests at most");
    device.sends_messages = tree.has(node, "msi-parent") && tree.has(node, "interrupt-controller");
    device.lines = tree.is_compatible(node, "riscv,imsics")
                       ? read_pages(tree, node, board, device, controllers)
                       : read_lines(tree, node, board, controllers);
    return device;
}

/// Devices with one register per hart, from the match tables of the firmware's drivers.
struct WiredKind {
    std::string_view compatible;
    uint32_t cause; // 0: it has no such registers
    bool every_hart;
};
constexpr WiredKind wired_kinds[] = {
#define RIVULET_PLIC(name) {name, external, false},
#include "device-firmware/drivers/match/plic.def"
#define RIVULET_CLINT(name, msip, compare, ...)                                                    \
    {name, msip >= 0 ? software : 0, true}, {name, compare >= 0 ? timer : 0, true},
#include "device-firmware/drivers/match/clint.def"
};

bool is_wired(const Device &device, uint32_t hart_id, uint32_t cause) {
    return std::ranges::any_of(device.lines, [&](const Line &line) {
        return line.hart_id == hart_id && line.cause == cause;
    });
}

bool is_of_kind(const Device &device, const WiredKind &kind) {
    return std::ranges::find(device.compatible, kind.compatible) != device.compatible.end();
}

/// True if another device of the same cause has a register for the hart, as where each cluster has
/// a CLINT.
bool another_is_wired(const Board &board, const Device &device, uint32_t hart_id, uint32_t cause) {
    return std::ranges::any_of(board.devices, [&](const Device &other) {
        return &other != &device && is_wired(other, hart_id, cause) &&
               std::ranges::any_of(wired_kinds, [&](const WiredKind &kind) {
                   return kind.cause == cause && is_of_kind(other, kind);
               });
    });
}

/// Rejects devices that have one register per hart and don't say which belongs to which hart.
void check_lines(const Device &device, const Board &board) {
    for (const auto &kind : wired_kinds) {
        if (kind.cause == 0 || !is_of_kind(device, kind))
            continue;
        if (board.is_supervisor && kind.cause != external)
            continue; // M mode's
        const uint32_t cause = kind.cause == external ? external_of(board) : kind.cause;
        for (const auto &hart : board.harts) {
            if (!is_wired(device, hart.id, cause) &&
                !another_is_wired(board, device, hart.id, cause))
                fail(device.path + ": interrupts-extended has no <&intc " + std::to_string(cause) +
                     "> for hart " + std::to_string(hart.id) +
                     "; it says which of the device's registers are that hart's");
            if (!kind.every_hart)
                break; // the boot hart takes all device interrupts
        }
    }
}

void read_devices(const Tree &tree, Board &board,
                  const std::map<Tree::Node, uint32_t> &controllers) {
    std::vector<Tree::Node> nodes;
    for (const auto node : tree.all()) {
        if (node == Tree::root || !is_bus(tree, *tree.parent(node)) || is_bus(tree, node) ||
            !tree.is_enabled(node) || !tree.has(node, "compatible") || !tree.has(node, "reg") ||
            tree.name(node) == "memory")
            continue;
        board.devices.push_back(read_device(tree, node, board, controllers));
        nodes.push_back(node);
    }
    for (const auto &device : board.devices)
        check_lines(device, board);
    for (const auto &[label, node] : tree.labels())
        if (const auto found = std::ranges::find(nodes, node); found != nodes.end())
            board.devices[static_cast<size_t>(found - nodes.begin())].label = label;
    for (size_t i = 0; i < nodes.size(); ++i) {
        if (tree.has(nodes[i], "interrupt-controller") || !board.devices[i].lines.empty())
            continue;
        const auto interrupts = tree.interrupts(nodes[i]);
        if (interrupts.empty())
            continue;
        const auto controller = std::ranges::find(nodes, interrupts[0].controller);
        if (controller == nodes.end())
            continue; // disabled, or on a bus without memory addresses
        if (interrupts[0].number == 0 || interrupts[0].number > 1023)
            fail(board.devices[i].path + ": interrupt " + std::to_string(interrupts[0].number) +
                 " is not in the range 1 to 1023");
        board.devices[i].interrupt = interrupts[0].number;
        board.devices[i].controller = static_cast<int>(controller - nodes.begin());
    }
    // /chosen/stdout-path: a path or an alias, optionally followed by ":115200n8".
    const auto out = tree.strings(*tree.find("/chosen"), "stdout-path");
    if (!out.empty()) {
        const auto node = tree.find(out[0].substr(0, out[0].find(':')));
        const auto found = node ? std::ranges::find(nodes, *node) : nodes.end();
        if (found == nodes.end())
            fail("/chosen: stdout-path names " + out[0] + ", which is no device of this board");
        board.console = static_cast<int>(found - nodes.begin());
    }
}

bool has_wire(const Board &board, const Hart &hart, uint32_t cause) {
    return std::ranges::any_of(board.devices, [&](const Device &device) {
        return is_wired(device, hart.id, cause) &&
               std::ranges::any_of(wired_kinds, [&](const WiredKind &kind) {
                   return kind.cause == cause && is_of_kind(device, kind);
               });
    });
}

void check_timers(const Board &board) {
    for (const auto &hart : board.harts)
        if (!board.has_own_drivers && !has_wire(board, hart, timer) && !hart.has_sstc)
            fail("there is no timer for hart " + std::to_string(hart.id) +
                 ": neither a CLINT or ACLINT's MTIMER, nor the extension sstc");
}

bool has_page(const Board &board, const Hart &hart) {
    return std::ranges::any_of(board.devices, [&](const Device &device) {
        return std::ranges::find(device.compatible, "riscv,imsics") != device.compatible.end() &&
               is_wired(device, hart.id, external);
    });
}

void check_inter_hart_interrupts(const Board &board) {
    for (const auto &hart : board.harts)
        if (!board.has_own_drivers && !has_wire(board, hart, software) && !has_page(board, hart))
            fail("there is no way to interrupt hart " + std::to_string(hart.id) +
                 ": neither a CLINT, nor an ACLINT's MSWI, nor an IMSIC of M mode; a board with a "
                 "way of its own has a .c file with a platform row");
}

} // namespace

Board read_board(const Tree &tree, bool has_own_drivers) {
    Board board;
    board.has_own_drivers = has_own_drivers;
    const auto model = tree.strings(Tree::root, "model");
    if (model.empty())
        fail("the root node lacks model, the board's name");
    board.model = model[0];
    if (board.model.size() > longest_model)
        fail("model is \"" + board.model + "\"; it must have " + std::to_string(longest_model) +
             " letters at most");
    board.compatible = tree.strings(Tree::root, "compatible");
    const auto controllers = read_harts(tree, board);
    read_settings(tree, board);
    read_memory(tree, board);
    read_regions(tree, board);
    read_devices(tree, board, controllers);
    if (!board.is_supervisor) { // otherwise the SBI provides both
        check_timers(board);
        check_inter_hart_interrupts(board);
    }
    return board;
}

} // namespace rivulet::boards
