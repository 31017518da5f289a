// SPDX-License-Identifier: Apache-2.0
//
// The JTAG side of a RISC-V debug transport module: the TAP's 16 states, a 5-bit instruction
// register, and the registers behind it. Each DMI scan is one access to the debug module.
#pragma once

#include <cstdint>

#include "tests/debug_module/debug_module.h"

namespace rivulet::debug_module {

class Tap {
public:
    explicit Tap(DebugModule &module) : module_(module) {}

    /// The pins' new levels. The TAP works on the rising edge of TCK.
    void set(bool clock, bool mode, bool in);
    /// TDO, as a host samples it while TCK is low.
    [[nodiscard]] bool out() const { return (shift_ & 1) != 0; }
    /// TRST.
    void reset();

private:
    enum class State : uint8_t {
        reset,
        idle,
        select_dr,
        capture_dr,
        shift_dr,
        exit1_dr,
        pause_dr,
        exit2_dr,
        update_dr,
        select_ir,
        capture_ir,
        shift_ir,
        exit1_ir,
        pause_ir,
        exit2_ir,
        update_ir,
    };

    void capture();
    void update();

    DebugModule &module_;
    State state_ = State::reset;
    bool clock_ = false;
    uint32_t instruction_ = 1;
    uint64_t shift_ = 0;
    unsigned length_ = 1; // of the register that is shifted
    uint64_t dmi_ = 0;    // what the last access left: address, data, status
};

} // namespace rivulet::debug_module
