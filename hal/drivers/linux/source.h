// SPDX-License-Identifier: Apache-2.0
//
// A source provides what the kernel (or a card's server) exposes of a device: memory, registers and
// an interrupt. There is a class for each of plain files, UIO, PCI resource files, VFIO, dma-buf
// heaps, ivshmem and our kernel module.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/file_descriptor.h"
#include "hal/core/config.h"
#include "hal/drivers/linux/mapping.h"
#include "hal/drivers/linux/sysfs.h"

namespace rivulet::hal::window {

/// How an interrupt's descriptor is read and acknowledged.
enum class InterruptKind : unsigned char { none, event, uio, node };

struct Interrupt {
    FileDescriptor descriptor;
    InterruptKind kind = InterruptKind::none;
};

class Source {
public:
    virtual ~Source() = default;
    /// Maps the window; `wanted` as for Mapping.
    virtual Result<Mapping> memory(uint64_t wanted) = 0;
    /// Maps a region of registers: a BAR or a UIO map.
    virtual Result<Mapping> registers(unsigned region);
    /// The eventfd equivalent to writing `value` to the register; nullptr if there is only the
    /// register.
    virtual const FileDescriptor *event(uint64_t value);
    /// What to write, as 8 bytes, to which descriptor, to pulse one of the lines of a card
    /// (qemu/ivshmem.h) whose register is the kernel's matter.
    struct Pulse {
        const FileDescriptor *descriptor;
        uint64_t value;
    };
    virtual std::optional<Pulse> pulse(uint64_t line);
    /// The window's address on the device, if that is known.
    [[nodiscard]] virtual std::optional<uint64_t> address() const { return std::nullopt; }
    /// The address of the PCI function, as Linux writes it; empty if the window is of none, or if
    /// that is unknown.
    [[nodiscard]] virtual std::string pci_function() const { return {}; }
    virtual Result<Interrupt> interrupt();
    /// A descriptor that reports hang-up when the device disappears; -1: none.
    [[nodiscard]] virtual int lifeline() const { return -1; }
    /// Cache maintenance by the kernel (dma-buf); nullopt if it does none.
    virtual std::optional<bool> sync(rvl_sync_direction) { return std::nullopt; }
    // Whole pages of the window as dma-bufs, and whether one of these pages exists.
    [[nodiscard]] virtual bool can_export() const { return false; }
    virtual Result<FileDescriptor> export_pages(uint64_t offset, uint64_t bytes);
    [[nodiscard]] virtual bool exports(uint64_t, uint64_t) const { return false; }
    /// False if memcpy must not be used on the window.
    [[nodiscard]] virtual bool maps() const { return true; }
    /// A new descriptor of the file that is the window, for other processes, and the window's
    /// offset in it. Not where the descriptor would give them more than the memory.
    struct SharedFile {
        FileDescriptor descriptor;
        uint64_t offset;
    };
    virtual Result<SharedFile> shared_file() const;
};

/// Parses a numeric setting. Returns `fallback` if it is absent, an error if it is not a number.
Result<uint64_t> number(const Settings &settings, std::string_view key, uint64_t fallback);

/// Opens the source that window.* specifies.
Result<std::unique_ptr<Source>> open_source(const Settings &settings);

// The kinds.
Result<std::unique_ptr<Source>> open_file(const Settings &settings);
Result<std::unique_ptr<Source>> open_heap(const Settings &settings);
Result<std::unique_ptr<Source>> open_uio(const Settings &settings);
Result<std::unique_ptr<Source>> open_pci(const Settings &settings);
Result<std::unique_ptr<Source>> open_vfio(const Settings &settings);
Result<std::unique_ptr<Source>> open_module(const Settings &settings);
Result<std::unique_ptr<Source>> open_ivshmem(const Settings &settings);

/// Opens a node exclusively; the error names the process that has it open.
Result<FileDescriptor> open_alone(const std::string &path);

} // namespace rivulet::hal::window
