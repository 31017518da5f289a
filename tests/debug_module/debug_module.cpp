// SPDX-License-Identifier: Apache-2.0
#include "tests/debug_module/debug_module.h"

namespace rivulet::debug_module {
namespace {

// Registers, by their addresses on the DMI.
enum : uint32_t {
    data0 = 0x04,
    data1 = 0x05,
    dmcontrol = 0x10,
    dmstatus = 0x11,
    abstractcs = 0x16,
    command = 0x17,
    sbcs = 0x38,
    sbaddress0 = 0x39,
    sbaddress1 = 0x3a,
    sbdata0 = 0x3c,
    sbdata1 = 0x3d,
    haltsum0 = 0x40,
};
// dmcontrol
constexpr uint32_t haltreq = 1u << 31, resumereq = 1u << 30, ackhavereset = 1u << 28,
                   ndmreset = 1u << 1, dmactive = 1;
constexpr uint32_t hart_bits = 10; // of hartsello; hartselhi reads as 0
// abstractcs.cmderr
constexpr uint32_t not_supported = 2, exception = 3, wrong_state = 4;
// sbcs
constexpr uint32_t readonaddr = 1u << 20, autoincrement = 1u << 16, readondata = 1u << 15,
                   access_field = 7u << 17,
                   writable = readonaddr | access_field | autoincrement | readondata;
constexpr uint32_t bad_address = 2, bad_size = 4;
// Numbers of abstract commands.
constexpr uint32_t dcsr = 0x7b0, dpc = 0x7b1, last_csr = 0xfff, first_gpr = 0x1000,
                   first_fpr = 0x1020, after_fpr = 0x1040;
constexpr uint32_t triggers = 0x7a0, after_triggers = 0x7b0;

} // namespace

DebugModule::DebugModule(Machine &machine) : machine_(machine), harts_(machine.harts()) {}

uint32_t DebugModule::status() const {
    constexpr uint32_t version = 2, authenticated = 1u << 7;
    constexpr unsigned halted = 8, running = 10, nonexistent = 14, resumeack = 16, havereset = 18;
    const auto both = [](unsigned bit, bool is) { return is ? 3u << bit : 0; }; // any, all
    if (!exists())
        return version | authenticated | both(nonexistent, true);
    const Hart &hart = harts_[selected_];
    return version | authenticated | both(halted, machine_.halted(selected_)) |
           both(running, !machine_.halted(selected_)) | both(resumeack, hart.resumed) |
           both(havereset, hart.was_reset);
}

uint32_t DebugModule::read(uint32_t address) {
    constexpr uint32_t data_words = 2;
    switch (address) {
    case data0:
        return data_[0];
    case data1:
        return data_[1];
    case dmcontrol:
        return control_;
    case dmstatus:
        return status();
    case abstractcs:
        return command_error_ << 8 | data_words;
    case sbcs:
        return bus_control();
    case sbaddress0:
        return static_cast<uint32_t>(bus_address_);
    case sbaddress1:
        return static_cast<uint32_t>(bus_address_ >> 32);
    case sbdata1:
        return bus_data_[1];
    case sbdata0: {
        const uint32_t value = bus_data_[0];
        if ((bus_control_ & readondata) != 0)
            read_bus();
        return value;
    }
    case haltsum0: {
        uint32_t sum = 0;
        for (size_t i = 0; i < harts_.size() && i < 32; ++i)
            sum |= static_cast<uint32_t>(machine_.halted(i)) << i;
        return sum;
    }
    default:
        return 0; // hartinfo, among others: no scratch registers, no data in memory
    }
}

void DebugModule::write(uint32_t address, uint32_t value) {
    switch (address) {
    case data0:
        data_[0] = value;
        break;
    case data1:
        data_[1] = value;
        break;
    case dmcontrol:
        control(value);
        break;
    case abstractcs:
        command_error_ &= ~(value >> 8 & 7);
        break;
    case command:
        execute(value);
        break;
    case sbcs:
        set_bus_control(value);
        break;
    case sbaddress1:
        bus_address_ = static_cast<uint64_t>(value) << 32 | (bus_address_ & UINT32_MAX);
        break;
    case sbaddress0:
        bus_address_ = (bus_address_ & ~uint64_t{UINT32_MAX}) | value;
        if ((bus_control_ & readonaddr) != 0)
            read_bus();
        break;
    case sbdata1:
        bus_data_[1] = value;
        break;
    case sbdata0:
        bus_data_[0] = value;
        write_bus();
        break;
    default:
        break;
    }
}

// ---- harts

void DebugModule::control(uint32_t value) {
    if ((value & dmactive) == 0) {
        become_inactive();
        return;
    }
    const bool was_in_reset = (control_ & ndmreset) != 0;
    const uint32_t select = value >> 16 & ((1u << hart_bits) - 1);
    selected_ = select;
    control_ = select << 16 | (value & (ndmreset | dmactive));
    if (exists()) {
        Hart &hart = harts_[selected_];
        hart.halt_request = (value & haltreq) != 0;
        if ((value & ackhavereset) != 0)
            hart.was_reset = false;
        if ((value & (resumereq | haltreq)) == resumereq && machine_.halted(selected_)) {
            machine_.resume(selected_);
            hart.resumed = true;
        }
    }
    if ((control_ & ndmreset) != 0)
        return; // halt requests count once it is over
    if (was_in_reset) {
        end_reset();
        return;
    }
    for (size_t i = 0; i < harts_.size(); ++i)
        if (harts_[i].halt_request && !machine_.halted(i))
            halt(i);
}

void DebugModule::halt(size_t hart) {
    machine_.halt(hart);
    harts_[hart].resumed = false;
}

void DebugModule::end_reset() {
    std::vector<bool> halted;
    for (Hart &hart : harts_) {
        hart.was_reset = true;
        halted.push_back(hart.halt_request);
    }
    machine_.reset(halted);
}

void DebugModule::become_inactive() {
    harts_.assign(harts_.size(), {});
    control_ = command_error_ = bus_control_ = bus_error_ = 0;
    selected_ = 0;
}

// ---- registers

void DebugModule::execute(uint32_t value) {
    if (command_error_ != 0)
        return;
    const unsigned type = value >> 24, size = value >> 20 & 7;
    const bool postexec = (value >> 18 & 1) != 0, transfers = (value >> 17 & 1) != 0;
    const bool writes = (value >> 16 & 1) != 0;
    if (type != 0 || postexec || size < 2 || size > 3 || 8u << size > machine_.xlen())
        command_error_ = not_supported;
    else if (!exists() || !machine_.halted(selected_))
        command_error_ = wrong_state;
    else if (transfers && !transfer(value & 0xffff, 1u << size, writes))
        command_error_ = exception;
}

/// Moves a value between data0, data1 and a register.
bool DebugModule::transfer(uint32_t number, unsigned bytes, bool writes) {
    constexpr uint32_t prv = 3, ebreaks = 0xb000, version_and_cause = 4u << 28 | 3u << 6;
    uint64_t value = data_[0];
    if (bytes == 8)
        value |= static_cast<uint64_t>(data_[1]) << 32;
    Hart &hart = harts_[selected_];
    bool done = false;
    if (number == dcsr) { // single-stepping and the mode to resume in are not writable
        if (writes)
            hart.dcsr = static_cast<uint32_t>(value) & ebreaks;
        else
            value = version_and_cause | hart.dcsr | (machine_.mode(selected_) & prv);
        done = true;
    } else if (number >= triggers && number < after_triggers) {
        return false; // there are none
    } else if (number <= last_csr && number != dpc) {
        done = machine_.csr(selected_, number, value, writes);
    } else if (number == dpc || (number >= first_gpr && number < first_gpr + 32)) {
        done = machine_.gpr(selected_, number == dpc ? 32 : number - first_gpr, value, writes);
    } else if (number >= first_fpr && number < after_fpr) {
        done = machine_.fpr(selected_, number - first_fpr, value, writes);
    }
    if (done && !writes) {
        data_[0] = static_cast<uint32_t>(value);
        if (bytes == 8)
            data_[1] = static_cast<uint32_t>(value >> 32);
    }
    return done;
}

// ---- the system bus

uint32_t DebugModule::bus_control() const {
    const bool wide = machine_.xlen() == 64;
    const uint32_t version = 1u << 29, address_bits = machine_.xlen() << 5;
    const uint32_t sizes = wide ? 0xf : 0x7; // of 1, 2, 4, 8 bytes
    return version | bus_control_ | bus_error_ << 12 | address_bits | sizes;
}

void DebugModule::set_bus_control(uint32_t value) {
    bus_error_ &= ~(value >> 12 & 7);
    bus_control_ = value & writable;
}

void DebugModule::step_address() {
    if ((bus_control_ & autoincrement) != 0)
        bus_address_ += 1u << (bus_control_ >> 17 & 7);
}

void DebugModule::read_bus() {
    const unsigned bytes = 1u << (bus_control_ >> 17 & 7);
    if (bus_error_ != 0)
        return;
    uint64_t value = 0;
    if (bytes * 8 > machine_.xlen())
        bus_error_ = bad_size;
    else if (!machine_.read(bus_address_, {reinterpret_cast<std::byte *>(&value), bytes}))
        bus_error_ = bad_address;
    if (bus_error_ != 0)
        return;
    bus_data_[0] = static_cast<uint32_t>(value);
    bus_data_[1] = static_cast<uint32_t>(value >> 32);
    step_address();
}

void DebugModule::write_bus() {
    const unsigned bytes = 1u << (bus_control_ >> 17 & 7);
    if (bus_error_ != 0)
        return;
    const uint64_t value = static_cast<uint64_t>(bus_data_[1]) << 32 | bus_data_[0];
    if (bytes * 8 > machine_.xlen())
        bus_error_ = bad_size;
    else if (!machine_.write(bus_address_, {reinterpret_cast<const std::byte *>(&value), bytes}))
        bus_error_ = bad_address;
    if (bus_error_ == 0)
        step_address();
}

} // namespace rivulet::debug_module
