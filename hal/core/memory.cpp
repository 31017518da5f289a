// SPDX-License-Identifier: Apache-2.0
#include "hal/core/memory.h"

#include <algorithm>
#include <cstring>

namespace rivulet::hal {
namespace {
// Indices and slots are too small for the DMA engine, whatever its driver says.
constexpr uint64_t least_engine_bytes = RVL_PAGE_BYTES;
constexpr uint64_t engine_poll_ns = 1'000'000'000;
} // namespace

Memory::Memory(const rvl_driver &driver, rvl_device *device, const rvl_device_desc &description)
    : driver_(driver), device_(device), base_(description.memory_base),
      bytes_(description.memory_bytes), coherent_((description.flags & RVL_DEVICE_COHERENT) != 0),
      block_(std::max<uint64_t>(RVL_CACHE_BLOCK, description.cache_block)),
      copies_(!coherent_ && block_ > RVL_CACHE_BLOCK),
      copy_least_bytes_(driver.copy_begin == nullptr
                            ? UINT64_MAX
                            : std::max<uint64_t>(description.copy_least_bytes, least_engine_bytes)),
      copy_alignment_(std::max<uint32_t>(description.copy_alignment, 1)) {
    void *host = nullptr;
    if ((description.flags & RVL_DEVICE_MAPS) != 0 && driver.map != nullptr &&
        driver.map(device, base_, bytes_, &host) == RVL_OK)
        mapped_ = static_cast<std::byte *>(host);
}

std::byte *Memory::map(uint64_t address, size_t bytes) const {
    return mapped_ != nullptr && contains(address, bytes) ? mapped_ + (address - base_) : nullptr;
}

[[clang::minsize]] Result<> Memory::checked(uint64_t address, size_t bytes) const {
    if (contains(address, bytes))
        return {};
    return fail(RVL_INVALID,
                {bytes_text(bytes), " at ", hex(address), " are not all in the device's memory, ",
                 bytes_text(bytes_), " from ", hex(base_)});
}

[[clang::minsize]] Result<> Memory::status(rvl_status status, const char *what, uint64_t address,
                                           size_t bytes) const {
    if (status == RVL_OK)
        return {};
    return fail(status, {what, " of ", bytes_text(bytes), " at ", hex(address),
                         " failed: ", status_text(status)});
}

Result<> Memory::sync(uint64_t address, size_t bytes, rvl_sync_direction direction) {
    if (coherent_ || bytes == 0)
        return {};
    if (auto in = checked(address, bytes); !in)
        return in;
    const uint64_t begin = std::max(address & -block_, base_);
    const uint64_t end = std::min((address + bytes + block_ - 1) & -block_, base_ + bytes_);
    const Lock lock(driver_calls_);
    return status(driver_.sync(device_, begin, static_cast<size_t>(end - begin), direction),
                  "cache maintenance", address, bytes);
}

bool Memory::worth_engine(uint64_t address, size_t bytes) const {
    return bytes >= copy_least_bytes_ && address % copy_alignment_ == 0 &&
           bytes % copy_alignment_ == 0;
}

// Returns false if this copy has to be done in another way. Rings can be accessed meanwhile.
Result<bool> Memory::copied_by_engine(uint64_t address, void *host, size_t bytes,
                                      rvl_sync_direction direction) {
    if (!worth_engine(address, bytes))
        return false;
    const rvl_copy copy{.size = sizeof copy,
                        .direction = static_cast<uint32_t>(direction),
                        .address = address,
                        .host = host,
                        .bytes = bytes};
    uint64_t ticket = 0;
    auto ended = driver_.copy_begin(device_, &copy, &ticket);
    if (ended == RVL_UNSUPPORTED)
        return false;
    if (ended == RVL_OK) // the engine owns the caller's memory until then
        while ((ended = driver_.copy_wait(device_, ticket, engine_poll_ns)) == RVL_TIMEOUT)
            ;
    if (auto done = status(ended, "copy by the device's engine", address, bytes); !done)
        return std::unexpected(done.error());
    return true;
}

Result<> Memory::read(uint64_t address, void *to, size_t bytes) {
    if (is_plain(address, bytes)) [[likely]] {
        std::memcpy(to, mapped_ + (address - base_), bytes);
        return {};
    }
    if (auto in = checked(address, bytes); !in)
        return in;
    const auto copied = copied_by_engine(address, to, bytes, RVL_SYNC_FROM_DEVICE);
    if (!copied)
        return std::unexpected(copied.error());
    if (*copied)
        return {};
    if (mapped_ == nullptr || copies_) {
        const Lock lock(driver_calls_);
        return status(driver_.read(device_, address, to, bytes), "read", address, bytes);
    }
    if (auto fresh = sync(address, bytes, RVL_SYNC_FROM_DEVICE); !fresh)
        return fresh;
    std::memcpy(to, map(address, bytes), bytes);
    return {};
}

Result<> Memory::write(uint64_t address, const void *from, size_t bytes) {
    if (is_plain(address, bytes)) [[likely]] {
        std::memcpy(mapped_ + (address - base_), from, bytes);
        return {};
    }
    if (auto in = checked(address, bytes); !in)
        return in;
    const auto copied =
        copied_by_engine(address, const_cast<void *>(from), bytes, RVL_SYNC_TO_DEVICE);
    if (!copied)
        return std::unexpected(copied.error());
    if (*copied)
        return {};
    if (mapped_ == nullptr || copies_) {
        const Lock lock(driver_calls_);
        return status(driver_.write(device_, address, from, bytes), "write", address, bytes);
    }
    // In blocks that are only partly overwritten, the rest is the device's data and is written back
    // by the clean.
    const uint64_t end = address + bytes;
    if (address % block_ != 0 || bytes < block_)
        if (auto fresh = sync(address, 1, RVL_SYNC_FROM_DEVICE); !fresh)
            return fresh;
    if (end % block_ != 0 && bytes != 0 && (end - 1) / block_ != address / block_)
        if (auto fresh = sync(end - 1, 1, RVL_SYNC_FROM_DEVICE); !fresh)
            return fresh;
    std::memcpy(map(address, bytes), from, bytes);
    return sync(address, bytes, RVL_SYNC_TO_DEVICE);
}

rvl_status Memory::probe(uint64_t address) {
    std::byte byte{};
    const Lock lock(driver_calls_);
    return driver_.read(device_, address, &byte, sizeof byte);
}

Result<uint32_t> Memory::load(uint64_t address) {
    uint32_t value = 0;
    if (mapped_ == nullptr || copies_) {
        if (auto done = read(address, &value, sizeof value); !done)
            return std::unexpected(done.error());
        return value;
    }
    if (auto fresh = sync(address, sizeof value, RVL_SYNC_FROM_DEVICE); !fresh)
        return std::unexpected(fresh.error());
    return __atomic_load_n(reinterpret_cast<uint32_t *>(map(address, sizeof value)),
                           __ATOMIC_ACQUIRE); // order: host.load
}

Result<> Memory::store(uint64_t address, uint32_t value) {
    if (mapped_ == nullptr || copies_)
        return write(address, &value, sizeof value);
    __atomic_store_n(reinterpret_cast<uint32_t *>(map(address, sizeof value)), value,
                     __ATOMIC_RELEASE); // order: host.store
    return sync(address, sizeof value, RVL_SYNC_TO_DEVICE);
}

} // namespace rivulet::hal
