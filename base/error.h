// SPDX-License-Identifier: Apache-2.0
//
// Errors, and helpers for composing messages. Debian 12's libstdc++ 12 has no std::format.
#pragma once

#include <concepts>
#include <cstdint>
#include <expected>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "base/status.h"

namespace rivulet {

/// A failure: its status, and a sentence that tells the user what went wrong and what to do.
struct Error {
    rvl_status status = RVL_IO;
    std::string message;
};
template <class T = void> using Result = std::expected<T, Error>;

/// A number to be formatted in hexadecimal: flags, addresses, values of the OpenCL headers.
enum class Hex : uint64_t {};

/// A part of a message: a string, or a number in decimal.
class Part {
public:
    Part(const char *text) : Part(std::string_view(text)) {}
    Part(const std::string &text) : Part(std::string_view(text)) {}
    Part(std::string_view text) : text_(text.data()), value_(text.size()) {}
    Part(std::integral auto number) : value_(static_cast<uint64_t>(number)) {}
    Part(Hex number) : text_(hexadecimal), value_(static_cast<uint64_t>(number)) {}

    void append_to(std::string &message) const;

private:
    static constexpr char hexadecimal[] = "0x";

    const char *text_ = nullptr; // nullptr or `hexadecimal` for a number
    uint64_t value_;             // the number, or the length of the string
};

/// Concatenates the parts. Each message is built by a single call, because chains of + take several
/// times the code.
std::string text(std::initializer_list<Part> parts);

std::unexpected<Error> fail(rvl_status status, std::string message);
std::unexpected<Error> fail(rvl_status status, std::initializer_list<Part> message);

/// "0x80000000"
std::string hex(uint64_t value);
/// "512 MiB", "4096 bytes"
std::string bytes_text(uint64_t bytes);
/// "no such file or directory (ENOENT)"
std::string errno_text(int error);
/// Describes a driver's status, for drivers that log nothing.
const char *status_text(rvl_status status);

} // namespace rivulet
