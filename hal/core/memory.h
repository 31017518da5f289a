// SPDX-License-Identifier: Apache-2.0
//
// Device memory as seen by the common code: one way to read and write, whether the driver maps,
// maps non-coherently, or can only copy. All cache maintenance of the host is done here.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/error.h"
#include "base/lock.h"
#include "hal/hal.h"
#include "hal/protocol/mailbox.h"

namespace rivulet::hal {

class Memory {
public:
    Memory(const rvl_driver &driver, rvl_device *device, const rvl_device_desc &description);

    [[nodiscard]] bool contains(uint64_t address, size_t bytes) const {
        return address >= base_ && bytes <= bytes_ && address - base_ <= bytes_ - bytes;
    }
    [[nodiscard]] std::byte *map(uint64_t address, size_t bytes) const;
    /// True if host pointers and device addresses are numerically equal.
    [[nodiscard]] bool same_addresses() const {
        return reinterpret_cast<uintptr_t>(mapped_) == base_ && mapped_ != nullptr;
    }

    Result<> read(uint64_t address, void *to, size_t bytes);
    Result<> write(uint64_t address, const void *from, size_t bytes);
    Result<> sync(uint64_t address, size_t bytes, rvl_sync_direction direction);

    /// The maintenance block size: the larger of both sides' cache blocks.
    void set_block(uint32_t of_device) { block_ = std::max<uint64_t>(block_, of_device); }

    /// Accesses a byte through the driver: mapped memory that has disappeared may read as zeros,
    /// while this returns RVL_DEAD.
    rvl_status probe(uint64_t address);

    /// Loads a word that the device writes (acquire).
    Result<uint32_t> load(uint64_t address);
    /// Stores a word that the host writes (release).
    Result<> store(uint64_t address, uint32_t value);

private:
    /// True if a copy is only that: no engine, no cache maintenance, no call of the driver.
    [[nodiscard]] bool is_plain(uint64_t address, size_t bytes) const {
        return mapped_ != nullptr && coherent_ && bytes < copy_least_bytes_ &&
               contains(address, bytes);
    }
    [[nodiscard]] bool worth_engine(uint64_t address, size_t bytes) const;
    Result<bool> copied_by_engine(uint64_t address, void *host, size_t bytes,
                                  rvl_sync_direction direction);
    Result<> checked(uint64_t address, size_t bytes) const;
    Result<> status(rvl_status status, const char *what, uint64_t address, size_t bytes) const;

    const rvl_driver &driver_;
    rvl_device *device_;
    uint64_t base_;
    uint64_t bytes_;
    bool coherent_;
    uint64_t block_; // size of a cache block
    bool copies_;    // host's and device's words share blocks, so they must not be cached
    uint64_t copy_least_bytes_; // for the device's own engine
    uint64_t copy_alignment_;
    std::byte *mapped_ = nullptr; // all of it; nullptr if the driver can't map
    Mutex driver_calls_{LockRank::driver};
};

} // namespace rivulet::hal
