// SPDX-License-Identifier: Apache-2.0
//
// Packets of the GDB remote serial protocol: $text#checksum, with escapes and run lengths,
// acknowledged by + or - unless both sides agreed otherwise.
#pragma once

#include <functional>
#include <string>

#include "hal/drivers/gdb/connection.h"

namespace rivulet::hal::gdb {

class Packets {
public:
    explicit Packets(Connection connection) : connection_(std::move(connection)) {}

    /// Sends a packet and returns the answer.
    Result<std::string> ask(std::string_view packet);
    Result<> send(std::string_view packet);
    Result<std::string> receive();
    /// Sends a byte outside of packets, like Ctrl-C.
    Result<> interrupt() { return connection_.send("\x03"); }
    /// Ends acknowledgements in both directions.
    void stop_acknowledging() { acknowledged_ = false; }

    [[nodiscard]] const std::string &target() const { return connection_.target(); }
    std::unexpected<Error> nonsense(std::string_view to, std::string_view answer) const;

private:
    Result<std::string> receive_body(unsigned &sum);
    Result<> await_acknowledgement(const std::string &framed);

    Connection connection_;
    bool acknowledged_ = true;
};

/// "6162" for "ab".
std::string to_hex(std::string_view bytes);
/// The inverse; "" if it contains anything but pairs of hexadecimal digits.
std::string from_hex(std::string_view digits);
/// -1 if it is not a hexadecimal digit.
int hex_digit(char c);
/// Escapes the protocol's special characters, as required in X packets.
std::string escaped(std::string_view bytes);

} // namespace rivulet::hal::gdb
