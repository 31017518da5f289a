// SPDX-License-Identifier: Apache-2.0
//
// Reads a board's public key: PEM around the DER of RFC 8410, which has a fixed prefix for Ed25519.
#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

#include "boards/generator/board.h"

namespace rivulet::boards {
namespace {

constexpr std::array<uint8_t, 12> algorithm = {0x30, 0x2a, 0x30, 0x05, 0x06, 0x03,
                                               0x2b, 0x65, 0x70, 0x03, 0x21, 0x00};
constexpr size_t key_bytes = 32;

std::vector<uint8_t> from_base64(const std::string &text) {
    constexpr std::string_view letters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::vector<uint8_t> bytes;
    uint32_t bits = 0, value = 0;
    for (const char letter : text) {
        const size_t digit = letters.find(letter);
        if (digit == letters.npos)
            continue; // padding, or damage that is detected by the length or the algorithm
        value = value << 6 | static_cast<uint32_t>(digit);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes.push_back(static_cast<uint8_t>(value >> bits));
        }
    }
    return bytes;
}

} // namespace

std::vector<uint8_t> read_key(const std::string &path) {
    std::ifstream file(path);
    std::string line, text;
    bool inside = false;
    while (std::getline(file, line)) {
        if (line.starts_with("-----END PUBLIC KEY-----"))
            break;
        if (inside)
            text += line;
        inside = inside || line.starts_with("-----BEGIN PUBLIC KEY-----");
    }
    const auto der = from_base64(text);
    if (der.size() != algorithm.size() + key_bytes ||
        !std::equal(algorithm.begin(), algorithm.end(), der.begin()))
        fail(path + " is no Ed25519 public key in PEM; `rivulet sign --new-key` makes one");
    return {der.begin() + algorithm.size(), der.end()};
}

} // namespace rivulet::boards
