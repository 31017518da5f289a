// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/program/bad_access.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "host-runtime/device/device.h"
#include "host-runtime/object/entry.h"

namespace rivulet {
namespace {

constexpr uint64_t ecall_from_u = 8; // mcause
enum Register : size_t { a0 = 10, a1, a2, a3, a4, a7 = 17 };

std::string printed(const char *format, auto... values) {
    char line[256];
    std::snprintf(line, sizeof line, format, values...);
    return line;
}

struct Site {
    std::string what = "access", location, object = "unknown";
    int64_t offset = 0, scale = 1;
    int bits = 64;      // width of the index; negative if signed
    uint64_t bytes = 0; // size of the variable

    [[nodiscard]] int64_t start(uint64_t index) const {
        if (bits == -32)
            index = static_cast<uint64_t>(int64_t{static_cast<int32_t>(index)});
        else if (bits == 32)
            index = static_cast<uint32_t>(index);
        return static_cast<int64_t>(static_cast<uint64_t>(offset) +
                                    index * static_cast<uint64_t>(scale));
    }
};

/// The context's kernels may have overwritten this memory, so the site is always terminated.
Site site_at(uint64_t address, const KernelSnapshot &kernel, const ContextDevice &context_device) {
    const uint64_t image_bytes = kernel.image->code_bytes;
    const uint64_t offset = address - kernel.image->base;
    if (address < kernel.image->base || offset >= image_bytes)
        return {};
    std::array<char, RVL_SITE_BYTES> bytes{};
    const size_t count = std::min<uint64_t>(bytes.size() - 1, image_bytes - offset);
    context_device.instance().read(address, std::as_writable_bytes(std::span(bytes).first(count)));
    std::string_view rest(bytes.data());
    const auto line = [&] {
        const std::string_view first = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), first.size() + 1));
        return std::string(first);
    };
    Site site;
    site.what = line();
    site.location = line();
    std::sscanf(line().c_str(), "%" SCNd64 " %" SCNd64 " %d", &site.offset, &site.scale,
                &site.bits);
    std::sscanf(line().c_str(), "%" SCNu64, &site.bytes);
    site.object = line();
    return site;
}

const char *ending(uint64_t bytes) { return bytes == 1 ? "" : "s"; }

/// Describes an offset relative to an object.
std::string position(int64_t offset, uint64_t bytes) {
    const auto at = static_cast<uint64_t>(offset);
    if (offset < 0)
        return printed("%" PRIu64 " byte%s before", -at, ending(-at));
    if (at >= bytes)
        return printed("%" PRIu64 " byte%s past the end of", at - bytes, ending(at - bytes));
    return printed("at byte %" PRIu64 ", across the end of", at);
}

std::string named(const Allocation &allocation) {
    return printed("allocation %" PRIu64 " of %zu byte%s", allocation.number, allocation.bytes,
                   ending(allocation.bytes));
}

std::string at_address(uint64_t address, const ContextDevice &context_device) {
    std::string words = printed("at address 0x%" PRIx64, address);
    const Allocation near = context_device.arena().allocation_at(address);
    if (!near.number)
        return words;
    if (near.is_released)
        return words + ", in released memory, " + named(near);
    return words + ", " + position(static_cast<int64_t>(address - near.address), near.bytes) + " " +
           named(near);
}

/// "argument 2 out": the number counts all arguments.
std::string of_argument(std::string_view object, int64_t offset, const KernelSnapshot &kernel,
                        const ContextDevice &context_device) {
    object.remove_prefix(std::min(object.size(), object.find(' ') + 1));
    uint32_t index = 0;
    const auto parsed = std::from_chars(object.data(), object.data() + object.size(), index);
    std::string_view name(parsed.ptr, object.data() + object.size());
    name.remove_prefix(std::min<size_t>(name.size(), 1));
    std::string words = printed("argument %u", index);
    if (!name.empty())
        words += " '" + std::string(name) + "'";
    const PointerArgument *argument = nullptr;
    for (const PointerArgument &known : kernel.pointers)
        if (known.index == index)
            argument = &known;
    if (!argument)
        return "of " + words;
    const auto [before, bytes] = argument->bounds;
    const std::string where = position(offset + static_cast<int64_t>(before), bytes) + " ";
    if (argument->is_local)
        return where + words +
               printed(", %" PRIu64 " byte%s of local memory", bytes, ending(bytes));
    if (!argument->address)
        return "of " + words + ", which is NULL";
    const Allocation allocation = context_device.arena().allocation_at(argument->address);
    if (allocation.is_released || !bytes)
        return "of " + words +
               (allocation.is_released ? ", released memory: " + named(allocation)
                                       : ", which points to no allocation");
    return where + words + printed(" (%" PRIu64 " byte%s) in ", bytes, ending(bytes)) +
           named(allocation);
}

/// The work-item of the same group that arrived somewhere else first; `other` is the number of a
/// barrier, whose line is in "lines 7 9 12".
std::string other_arrival(const Site &site, uint32_t other) {
    if (other == RVL_RETURNED)
        return "one returned";
    const char *line = site.object.c_str();
    for (uint32_t i = 0; line && i <= other; ++i)
        line = std::strchr(line + 1, ' ');
    return printed("one waits in line %d", line ? std::atoi(line) : 0);
}

} // namespace

Block write_bounds(const KernelSnapshot &kernel, bool has_large_buffers,
                   const ContextDevice &context_device, uint64_t record) {
    rvl_sanitizer bounds{};
    const size_t count = std::min<size_t>(
        kernel.pointers.size(), has_large_buffers ? RVL_MAX_LARGE_BOUNDS : RVL_MAX_BOUNDS);
    for (size_t i = 0; i < count; ++i) {
        const rvl_large_bounds &of = kernel.pointers[i].bounds;
        if (has_large_buffers)
            bounds.large_argument[i] = of;
        else
            bounds.argument[i] = {static_cast<uint32_t>(of.before),
                                  static_cast<uint32_t>(of.bytes)};
    }

    Block table;
    (void)guarded([&] {
        // Two extra entries: the table itself is a block, and there may be a hole. Blocks that
        // other threads add meanwhile are not listed.
        const size_t room = context_device.arena().allocations().size() + 2;
        table =
            context_device.arena().allocate(room * sizeof(rvl_allocation), alignof(rvl_allocation));
        if (!table)
            return;
        std::vector<rvl_allocation> entries;
        for (const Allocation &known : context_device.arena().allocations())
            entries.push_back({known.address, known.bytes});
        Range arena = context_device.arena().extent();
        if (const Range second = context_device.arena().extent(1); second.bytes() != 0) {
            // Code, its data and harts' memory are between the two and are not looked up.
            const Range hole{std::min(arena.end, second.end), std::max(arena.begin, second.begin)};
            entries.insert(
                std::ranges::lower_bound(entries, hole.begin, {}, &rvl_allocation::address),
                {hole.begin, hole.bytes()});
            arena = {std::min(arena.begin, second.begin), std::max(arena.end, second.end)};
        }
        if (entries.size() > room)
            return; // there are more blocks than the table has room for
        context_device.instance().write(table.address(), std::as_bytes(std::span(entries)));
        bounds.arena = arena.begin;
        bounds.arena_bytes = arena.bytes();
        bounds.allocations = table.address();
        bounds.allocation_count = static_cast<uint32_t>(entries.size());
    });
    context_device.instance().write_launch(
        {{record + RVL_SANITIZER_OFFSET, std::as_bytes(std::span(&bounds, 1))}});
    return table;
}

std::string bad_access(const rvl_fault &fault, const KernelSnapshot &kernel,
                       const ContextDevice &context_device) {
    if (!(kernel.note->flags & RVL_KERNEL_SANITIZED) || fault.cause != ecall_from_u ||
        fault.x[a7] != RVL_ECALL_BAD_ACCESS)
        return "";
    const Site site = site_at(fault.x[a1], kernel, context_device);
    const int64_t offset = site.start(fault.x[a0]);
    std::string message = site.what + " out of bounds: ";
    if (site.object.starts_with("lines "))
        message = "barrier that not all work-items of a group reach: " +
                  other_arrival(site, static_cast<uint32_t>(fault.x[a0])) +
                  (site.what == "return" ? ", this one returns" : ", this one waits");
    else if (site.object == "unknown")
        message += at_address(static_cast<uint64_t>(offset), context_device);
    else if (site.object.starts_with("argument "))
        message += of_argument(site.object, offset, kernel, context_device);
    else
        message += position(offset, site.bytes) + " " + site.object +
                   printed(" of %" PRIu64 " byte%s", site.bytes, ending(site.bytes));
    message += printed(", work-item (%" PRIu64 ", %" PRIu64 ", %" PRIu64 ")", fault.x[a2],
                       fault.x[a3], fault.x[a4]);
    if (!site.location.empty())
        message += ", " + site.location;
    return message;
}

} // namespace rivulet
