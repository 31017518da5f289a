// SPDX-License-Identifier: Apache-2.0
//
// This host's claim to the device: a number in the mailbox, which the next host replaces. For
// firmware that runs already, attaching to it and detaching from it: the handshake of
// hal/protocol/mailbox.h.
#pragma once

#include "hal/core/boot.h"
#include "hal/core/link.h"

namespace rivulet::hal {

class Session {
public:
    Session(Link &link, LogReader &log, Boot &boot, CrashReport &crash)
        : link_(link), log_(log), boot_(boot), crash_(crash) {}

    [[nodiscard]] uint32_t number() const { return number_; }
    void forget() { number_ = 0; }
    /// Takes a new number, which differs from the former host's and from the one the firmware has.
    Result<> begin();

    /// Finds running firmware and becomes its host.
    Result<> attach();
    /// When this returns, nothing of this host's work is left on the device, if it is alive.
    void detach();

    /// True if another host has taken the device over.
    [[nodiscard]] bool is_lost();
    /// Fails, and declares the device dead, if another host has taken it over: a host that has been
    /// replaced must not touch what another one uses now.
    Result<> expect_to_hold();

private:
    Result<uint32_t> new_number();
    Result<bool> holds();
    Result<> await_firmware();
    Result<> announce();
    Result<> await_welcome();

    Link &link_;
    LogReader &log_;
    Boot &boot_;
    CrashReport &crash_;
    uint32_t number_ = 0; // of this run; 0: none
};

} // namespace rivulet::hal
