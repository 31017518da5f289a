// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic on sizes, offsets and pitches given by the application. If a sum or product overflows
// size_t, the result has no value, whatever follows, and fails every limit check.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "host-runtime/object/entry.h"

namespace rivulet {

class CheckedSize {
public:
    constexpr CheckedSize(size_t value)
        : value_(value) {} // implicit, so that operands can be
                           // mixed

    friend constexpr CheckedSize operator+(CheckedSize a, CheckedSize b) {
        CheckedSize sum(0);
        sum.exists_ = !__builtin_add_overflow(a.value_, b.value_, &sum.value_);
        sum.exists_ &= a.exists_ && b.exists_;
        return sum;
    }
    friend constexpr CheckedSize operator*(CheckedSize a, CheckedSize b) {
        CheckedSize product(0);
        product.exists_ = !__builtin_mul_overflow(a.value_, b.value_, &product.value_);
        product.exists_ &= a.exists_ && b.exists_;
        return product;
    }

    /// Rounds up to a multiple of a power of two.
    [[nodiscard]] constexpr CheckedSize rounded_up(size_t unit) const {
        CheckedSize rounded = *this + (unit - 1);
        rounded.value_ &= ~(unit - 1);
        return rounded;
    }
    [[nodiscard]] constexpr bool fits(size_t limit) const { return exists_ && value_ <= limit; }
    /// For queries: values that overflow are reported as the maximum.
    [[nodiscard]] constexpr size_t saturated() const {
        return exists_ ? value_ : std::numeric_limits<size_t>::max();
    }
    [[nodiscard]] size_t or_fail(cl_int code, std::string_view text) const {
        require(exists_, code, text);
        return value_;
    }

private:
    size_t value_;
    bool exists_ = true;
};

/// The end of application memory that starts at `pointer`.
inline CheckedSize end_of(const void *pointer, CheckedSize bytes) {
    return CheckedSize(reinterpret_cast<uintptr_t>(pointer)) + bytes;
}

} // namespace rivulet
