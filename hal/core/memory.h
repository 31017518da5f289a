// SPDX-License-Identifier: Apache-2.0
//
// Device memory as the common code sees it: one way to read and write, whether the driver maps,
// maps without coherence, or can only copy. Cache maintenance happens here and nowhere else.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "hal/core/error.h"
#include "hal/core/lock.h"

namespace rivulet::hal {

class Memory {
public:
    Memory(const rvl_driver &driver, rvl_device *device, const rvl_device_desc &description);

    [[nodiscard]] bool contains(uint64_t address, size_t bytes) const {
        return address >= base_ && bytes <= bytes_ && address - base_ <= bytes_ - bytes;
    }
    [[nodiscard]] std::byte *map(uint64_t address, size_t bytes) const;
    /// True if host pointers and device addresses are the same numbers.
    [[nodiscard]] bool same_addresses() const {
        return reinterpret_cast<uintptr_t>(mapped_) == base_ && mapped_ != nullptr;
    }

    Result<> read(uint64_t address, void *to, size_t bytes);
    Result<> write(uint64_t address, const void *from, size_t bytes);
    Result<> sync(uint64_t address, size_t bytes, rvl_sync_direction direction);

    /// The blocks that are maintained: the larger ones of both sides' caches.
    void set_block(uint32_t of_device) { block_ = std::max<uint64_t>(block_, of_device); }

    /// Asks the driver for a byte: mapped memory that is gone may read as zeros, and RVL_DEAD here.
    rvl_status probe(uint64_t address);

    /// A word that the device writes: what it wrote before it is seen after it.
    Result<uint32_t> load(uint64_t address);
    /// A word that the host writes: what the host wrote before it is seen before it.
    Result<> store(uint64_t address, uint32_t value);

private:
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
    uint64_t block_; // of the cache
    bool copies_;    // words of host and device share blocks, so they must not be in the cache
    uint64_t copy_least_bytes_; // of the device's own engine
    uint64_t copy_alignment_;
    std::byte *mapped_ = nullptr; // all of it, nullptr when the driver can't
    Mutex driver_calls_{LockRank::driver};
};

} // namespace rivulet::hal
