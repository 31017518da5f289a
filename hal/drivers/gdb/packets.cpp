// SPDX-License-Identifier: Apache-2.0
#include "hal/drivers/gdb/packets.h"

namespace rivulet::hal::gdb {
namespace {

constexpr char escape = '}';
constexpr char escape_mask = 0x20;
constexpr int attempts = 5; // to send or receive a packet that arrives damaged
constexpr size_t longest_answer = 4u << 20;
constexpr size_t shown = 60; // characters of an invalid answer to print

char digit(unsigned value) { return "0123456789abcdef"[value & 15]; }

unsigned sum_of(std::string_view text) {
    unsigned sum = 0;
    for (const char c : text)
        sum += static_cast<unsigned char>(c);
    return sum & 255;
}

} // namespace

int hex_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

std::string to_hex(std::string_view bytes) {
    std::string digits;
    digits.reserve(2 * bytes.size());
    for (const char c : bytes) {
        const unsigned value = static_cast<unsigned char>(c);
        digits += digit(value >> 4);
        digits += digit(value);
    }
    return digits;
}

std::string from_hex(std::string_view digits) {
    if (digits.size() % 2 != 0)
        return {};
    std::string bytes;
    bytes.reserve(digits.size() / 2);
    for (size_t i = 0; i < digits.size(); i += 2) {
        const int high = hex_digit(digits[i]);
        const int low = hex_digit(digits[i + 1]);
        if (high < 0 || low < 0)
            return {};
        bytes += static_cast<char>(high << 4 | low);
    }
    return bytes;
}

std::string escaped(std::string_view bytes) {
    std::string text;
    text.reserve(bytes.size() + 16);
    for (const char c : bytes)
        if (c == '$' || c == '#' || c == escape || c == '*') {
            text += escape;
            text += static_cast<char>(c ^ escape_mask);
        } else {
            text += c;
        }
    return text;
}

std::unexpected<Error> Packets::nonsense(std::string_view to, std::string_view answer) const {
    std::string printable;
    for (const char c : answer.substr(0, shown))
        printable += c >= ' ' && c <= '~' ? c : '.';
    return fail(RVL_IO,
                {"the gdb stub at ", target(), " answers \"", printable, "\" to ",
                 to.substr(0, to.find_first_of(":;,")), ", which is invalid; is it a gdb stub?"});
}

Result<std::string> Packets::ask(std::string_view packet) {
    if (auto sent = send(packet); !sent)
        return std::unexpected(sent.error());
    return receive();
}

Result<> Packets::send(std::string_view packet) {
    std::string framed;
    framed.reserve(packet.size() + 4);
    framed += '$';
    framed += packet;
    framed += '#';
    const unsigned sum = sum_of(packet);
    framed += digit(sum >> 4);
    framed += digit(sum);
    if (auto sent = connection_.send(framed); !sent || !acknowledged_)
        return sent;
    return await_acknowledgement(framed);
}

Result<> Packets::await_acknowledgement(const std::string &framed) {
    for (size_t bytes = 0, left = attempts; bytes < longest_answer; ++bytes) {
        const auto c = connection_.receive();
        if (!c)
            return std::unexpected(c.error());
        if (*c == '+')
            return {};
        if (*c != '-')
            continue; // the rest of an unexpected packet
        if (--left == 0)
            break;
        if (auto again = connection_.send(framed); !again)
            return again;
    }
    return fail(RVL_IO, {"the gdb stub at ", target(),
                         " acknowledges no packet; is there a gdb "
                         "stub at all?"});
}

// Reads from after the $ to the #, expanding run lengths and escapes.
Result<std::string> Packets::receive_body(unsigned &sum) {
    std::string body;
    sum = 0;
    const auto next = [&]() -> Result<char> {
        auto c = connection_.receive();
        if (c && *c != '#')
            sum += static_cast<unsigned char>(*c);
        return c;
    };
    for (;;) {
        auto c = next();
        if (!c)
            return std::unexpected(c.error());
        if (*c == '#')
            return body;
        if (*c == escape) {
            c = next();
            if (!c)
                return std::unexpected(c.error());
            body += static_cast<char>(*c ^ escape_mask);
        } else if (*c == '*' && !body.empty()) {
            c = next();
            if (!c)
                return std::unexpected(c.error());
            const int more = static_cast<unsigned char>(*c) - 29;
            if (more > 0)
                body.append(static_cast<size_t>(more), body.back());
        } else {
            body += *c;
        }
        if (body.size() > longest_answer)
            return nonsense("a packet", body);
    }
}

Result<std::string> Packets::receive() {
    for (int attempt = 0; attempt < attempts; ++attempt) {
        size_t skipped = 0;
        for (;;) { // skip acknowledgements and stray bytes
            const auto c = connection_.receive();
            if (!c)
                return std::unexpected(c.error());
            if (*c == '$')
                break;
            if (++skipped > longest_answer)
                return fail(RVL_IO, {"no packets come from ", target(), "; is it a gdb stub?"});
        }
        unsigned sum = 0;
        auto body = receive_body(sum);
        if (!body)
            return body;
        const auto high = connection_.receive();
        const auto low = high ? connection_.receive() : high;
        if (!low)
            return std::unexpected(low.error());
        const bool whole = (hex_digit(*high) << 4 | hex_digit(*low)) == static_cast<int>(sum & 255);
        if (!acknowledged_) {
            if (whole)
                return body;
            return fail(RVL_IO, {"a packet from the gdb stub at ", target(), " arrived damaged"});
        }
        if (auto answered = connection_.send(whole ? "+" : "-"); !answered)
            return std::unexpected(answered.error());
        if (whole)
            return body;
    }
    return fail(RVL_IO, {"packets from the gdb stub at ", target(), " arrive damaged"});
}

} // namespace rivulet::hal::gdb
