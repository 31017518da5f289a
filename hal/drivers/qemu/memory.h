// SPDX-License-Identifier: Apache-2.0
//
// The guest's RAM: a memfd that QEMU maps, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "hal/core/firmware_file.h"
#include "hal/drivers/support.h"

namespace rivulet::hal::qemu {

class GuestMemory {
public:
    static Result<GuestMemory> create(uint64_t base, uint64_t bytes);
    /// RAM of a machine, of which the host uses what starts at `base`.
    static Result<GuestMemory> create_within(uint64_t ram_base, uint64_t ram_bytes, uint64_t base,
                                             uint64_t bytes);
    /// Maps memory created by another process.
    static Result<GuestMemory> adopt(FileDescriptor file, uint64_t base, uint64_t bytes,
                                     uint64_t offset = 0);
    GuestMemory(GuestMemory &&other) noexcept
        : file_(std::move(other.file_)), offset_(other.offset_), base_(other.base_),
          bytes_(other.bytes_), host_(std::exchange(other.host_, nullptr)) {}
    GuestMemory &operator=(GuestMemory &&) = delete;
    ~GuestMemory();

    [[nodiscard]] int descriptor() const { return file_.get(); }
    /// Of `base` in the file.
    [[nodiscard]] uint64_t offset() const { return offset_; }
    [[nodiscard]] std::byte *at(uint64_t address) const { return host_ + (address - base_); }
    [[nodiscard]] uint64_t base() const { return base_; }
    [[nodiscard]] uint64_t bytes() const { return bytes_; }

    /// False once an adopted file has become shorter: an access would raise SIGBUS.
    [[nodiscard]] bool is_whole() const;

    /// Zeroes the memory by returning it to the system.
    void clear();
    /// Copies the firmware's segments to their addresses.
    Result<> load(const FirmwareFile &firmware);

private:
    GuestMemory() = default;

    FileDescriptor file_;
    uint64_t offset_ = 0; // in the file
    uint64_t base_ = 0;
    uint64_t bytes_ = 0;
    std::byte *host_ = nullptr;
};

/// A file in memory with the firmware in it, for QEMU to load.
Result<FileDescriptor> make_payload(std::span<const std::byte> firmware);

} // namespace rivulet::hal::qemu
