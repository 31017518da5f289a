// SPDX-License-Identifier: Apache-2.0
//
// A simulated board: drivers are compiled with RIVULET_REGISTER_MODEL, their registers are a map,
// and device models react to reads and writes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

extern "C" {
#include "device-firmware/drivers/drivers.h"
}

namespace rivulet::firmware {

struct Access {
    enum Kind { read, write } kind;
    uintptr_t address;
    uint32_t value;
    int bytes;
    bool operator==(const Access &) const = default;
};

class Model {
public:
    /// Computes the value read from an address; other addresses return the last value written, or
    /// 0.
    std::map<uintptr_t, std::function<uint32_t()>> on_read;
    std::map<uintptr_t, std::function<void(uint32_t)>> on_write;
    std::map<uintptr_t, uint32_t> memory;
    std::vector<Access> log;
    std::map<uint32_t, uintptr_t> csrs; // those that the hart implements
    std::vector<std::pair<uint32_t, uintptr_t>> csr_writes;

    uint32_t load(uintptr_t address, int bytes) {
        const auto reaction = on_read.find(address);
        const uint32_t value = reaction != on_read.end() ? reaction->second() : memory[address];
        log.push_back({Access::read, address, value, bytes});
        return value;
    }
    void store(uintptr_t address, uint32_t value, int bytes) {
        log.push_back({Access::write, address, value, bytes});
        memory[address] = value;
        if (const auto reaction = on_write.find(address); reaction != on_write.end())
            reaction->second(value);
    }
    [[nodiscard]] std::vector<uint32_t> written(uintptr_t address) const {
        std::vector<uint32_t> values;
        for (const auto &access : log)
            if (access.kind == Access::write && access.address == address)
                values.push_back(access.value);
        return values;
    }
};

Model &model();

/// Sets the devices that drivers find, and their wires.
void set_devices(std::vector<device> devices, std::vector<device_line> lines = {});

} // namespace rivulet::firmware
