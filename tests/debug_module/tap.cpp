// SPDX-License-Identifier: Apache-2.0
#include "tests/debug_module/tap.h"

#include <array>

namespace rivulet::debug_module {
namespace {

constexpr uint32_t idcode_instruction = 0x01, dtmcs_instruction = 0x10, dmi_instruction = 0x11;
constexpr unsigned instruction_bits = 5, address_bits = 7, dmi_bits = address_bits + 34;
constexpr uint32_t idcode = 0x10000001;                      // no manufacturer's
constexpr uint32_t dtmcs = 1u << 12 | address_bits << 4 | 1; // one idle cycle, version 0.13

} // namespace

void Tap::reset() {
    state_ = State::reset;
    instruction_ = idcode_instruction;
}

void Tap::capture() {
    switch (instruction_) {
    case idcode_instruction:
        shift_ = idcode, length_ = 32;
        break;
    case dtmcs_instruction:
        shift_ = dtmcs, length_ = 32;
        break;
    case dmi_instruction:
        shift_ = dmi_, length_ = dmi_bits;
        break;
    default:
        shift_ = 0, length_ = 1;
        break; // BYPASS
    }
}

void Tap::update() {
    if (instruction_ != dmi_instruction)
        return;
    const auto address = static_cast<uint32_t>(shift_ >> 34);
    const auto data = static_cast<uint32_t>(shift_ >> 2);
    const auto operation = static_cast<unsigned>(shift_ & 3); // 0 nothing, 1 read, 2 write
    if (operation == 1)
        dmi_ = static_cast<uint64_t>(address) << 34 | static_cast<uint64_t>(module_.read(address))
                                                          << 2;
    else if (operation == 2) {
        module_.write(address, data);
        dmi_ = shift_ & ~uint64_t{3};
    }
}

void Tap::set(bool clock, bool mode, bool in) {
    using enum State;
    static constexpr std::array<std::array<State, 2>, 16> next = {{
        {idle, reset},
        {idle, select_dr},
        {capture_dr, select_ir},
        {shift_dr, exit1_dr},
        {shift_dr, exit1_dr},
        {pause_dr, update_dr},
        {pause_dr, exit2_dr},
        {shift_dr, update_dr},
        {idle, select_dr},
        {capture_ir, reset},
        {shift_ir, exit1_ir},
        {shift_ir, exit1_ir},
        {pause_ir, update_ir},
        {pause_ir, exit2_ir},
        {shift_ir, update_ir},
        {idle, select_dr},
    }};
    const bool rises = clock && !clock_;
    clock_ = clock;
    if (!rises)
        return;
    if (state_ == capture_dr)
        capture();
    else if (state_ == capture_ir)
        shift_ = 1, length_ = instruction_bits;
    else if (state_ == shift_dr || state_ == shift_ir)
        shift_ = shift_ >> 1 | static_cast<uint64_t>(in) << (length_ - 1);
    state_ = next[static_cast<size_t>(state_)][mode ? 1 : 0];
    if (state_ == reset)
        instruction_ = idcode_instruction;
    else if (state_ == update_ir)
        instruction_ = static_cast<uint32_t>(shift_);
    else if (state_ == update_dr)
        update();
}

} // namespace rivulet::debug_module
