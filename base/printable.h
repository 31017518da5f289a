// SPDX-License-Identifier: Apache-2.0
//
// Sanitises text written by a device or driver before it is printed on a terminal, which would
// interpret control characters.
#pragma once

#include <cstddef>
#include <span>

namespace rivulet {

/// Terminals interpret these.
constexpr bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; }

/// Replaces everything that is not printable ASCII with a question mark, up to the first 0.
void make_printable(std::span<char> text, char kept = '\t');

/// The same for a char array, which is NUL-terminated afterwards.
template <size_t bytes> void make_printable(char (&field)[bytes], char kept = '\t') {
    field[bytes - 1] = 0;
    make_printable(std::span<char>(field), kept);
}

} // namespace rivulet
