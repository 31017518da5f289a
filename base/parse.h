// SPDX-License-Identifier: Apache-2.0
//
// Numbers and names in texts that users write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace rivulet {

/// Edit distance: insertions, deletions and substitutions that turn `from` into `to`.
size_t edits(std::string_view from, std::string_view to);

/// Strips blanks, tabs and carriage returns from both ends.
std::string_view trimmed(std::string_view text);
/// Parses "512" or "0x200"; nullopt for anything else.
std::optional<uint64_t> parse_number(std::string_view text);
/// The same with an optional suffix K, M, G or T (powers of 1024): "2G", "512MiB".
std::optional<uint64_t> parse_bytes(std::string_view text);

} // namespace rivulet
