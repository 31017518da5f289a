// SPDX-License-Identifier: Apache-2.0
//
// A RISC-V debug module of specification 0.13: halts and resumes harts, reads and writes their
// registers by abstract commands, and memory through the system bus. It has no program buffer.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/debug_module/machine.h"

namespace rivulet::debug_module {

class DebugModule {
public:
    explicit DebugModule(Machine &machine);

    uint32_t read(uint32_t address);
    void write(uint32_t address, uint32_t value);

private:
    struct Hart {
        bool halt_request = false;
        bool resumed = false; // acknowledges the last request
        bool was_reset = false;
        uint32_t dcsr = 0;
    };

    [[nodiscard]] bool exists() const { return selected_ < harts_.size(); }
    [[nodiscard]] uint32_t status() const;
    void control(uint32_t value);
    void end_reset();
    void become_inactive();
    void halt(size_t hart);
    void execute(uint32_t command);
    bool transfer(uint32_t number, unsigned bytes, bool writes);
    [[nodiscard]] uint32_t bus_control() const;
    void set_bus_control(uint32_t value);
    void read_bus();
    void write_bus();
    void step_address();

    Machine &machine_;
    std::vector<Hart> harts_;
    uint32_t control_ = 0;
    size_t selected_ = 0;
    uint32_t data_[2] = {};
    uint32_t command_error_ = 0;
    uint32_t bus_control_ = 0; // what can be written of it
    uint32_t bus_error_ = 0;
    uint64_t bus_address_ = 0;
    uint32_t bus_data_[2] = {};
};

} // namespace rivulet::debug_module
