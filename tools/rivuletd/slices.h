// SPDX-License-Identifier: Apache-2.0
//
// The device's heap, handed out to clients in contiguous runs of pages.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace rivulet::tools {

struct Slice {
    uint64_t base = 0;
    uint64_t bytes = 0; // 0: none

    /// True if all of these bytes are in the slice.
    [[nodiscard]] bool holds(uint64_t address, uint64_t count) const {
        return address >= base && count <= bytes && address - base <= bytes - count;
    }
    friend bool operator==(const Slice &, const Slice &) = default;
};

class Slices {
public:
    Slices() = default;
    explicit Slices(Slice heap) : heap_(heap) {}

    [[nodiscard]] const Slice &heap() const { return heap_; }
    /// The lowest free run of this size.
    std::optional<Slice> take(uint64_t bytes) {
        uint64_t at = heap_.base;
        for (const auto &[base, taken] : taken_) {
            if (base - at >= bytes)
                break;
            at = base + taken;
        }
        if (!heap_.holds(at, bytes))
            return std::nullopt;
        taken_[at] = bytes;
        return Slice{at, bytes};
    }
    void give_back(const Slice &slice) { taken_.erase(slice.base); }

private:
    Slice heap_;
    std::map<uint64_t, uint64_t> taken_;
};

} // namespace rivulet::tools
