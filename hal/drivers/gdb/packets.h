// SPDX-License-Identifier: Apache-2.0
//
// Packets of the GDB remote serial protocol: $text#checksum, acknowledged by + or - unless both
// sides agreed to do without, with escapes and run lengths.
#pragma once

#include <functional>
#include <string>

#include "hal/drivers/gdb/connection.h"

namespace rivulet::hal::gdb {

class Packets {
public:
    explicit Packets(Connection connection) : connection_(std::move(connection)) {}

    /// Sends a packet and gives the answer to it.
    Result<std::string> ask(std::string_view packet);
    Result<> send(std::string_view packet);
    Result<std::string> receive();
    /// A byte outside of packets: what Ctrl-C is.
    Result<> interrupt() { return connection_.send("\x03"); }
    /// From now on neither side acknowledges.
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
/// The other way; "" when there is anything but pairs of hexadecimal digits.
std::string from_hex(std::string_view digits);
/// -1 for what is no hexadecimal digit.
int hex_digit(char c);
/// With the protocol's own characters escaped, as X packets want it.
std::string escaped(std::string_view bytes);

} // namespace rivulet::hal::gdb
