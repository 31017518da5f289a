// SPDX-License-Identifier: Apache-2.0
//
// Text that a device or driver wrote, before it reaches a terminal, whose commands are text as
// well.
#pragma once

#include <cstddef>
#include <span>

namespace rivulet::hal {

/// Terminals obey these.
constexpr bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; }

/// Puts a question mark in the place of all that is no printable ASCII, up to the first 0.
void make_printable(std::span<char> text, char kept = '\t');

/// The same for a field, which ends within itself then.
template <size_t bytes> void make_printable(char (&field)[bytes], char kept = '\t') {
    field[bytes - 1] = 0;
    make_printable(std::span<char>(field), kept);
}

} // namespace rivulet::hal
