// SPDX-License-Identifier: Apache-2.0
//
// A source gives what the kernel (or a card's server) shows of a device: memory, registers and an
// interrupt. Plain files, UIO, PCI resource files, VFIO, dma-buf heaps and ivshmem are a class
// each.
#pragma once

#include <memory>
#include <optional>

#include "hal/core/config.h"
#include "hal/core/file_descriptor.h"
#include "hal/drivers/linux/mapping.h"

namespace rivulet::hal::window {

/// The way in which an interrupt's descriptor is read and acknowledged.
enum class InterruptKind : unsigned char { none, event, uio, node };

struct Interrupt {
    FileDescriptor descriptor;
    InterruptKind kind = InterruptKind::none;
};

class Source {
public:
    virtual ~Source() = default;
    /// The window, mapped; `wanted` as for Mapping.
    virtual Result<Mapping> memory(uint64_t wanted) = 0;
    /// A region of registers, mapped: a BAR or a map of UIO.
    virtual Result<Mapping> registers(unsigned region);
    /// An eventfd that a write of `value` to the register would be; nullptr: it is a register.
    virtual const FileDescriptor *event(uint64_t value);
    virtual Result<Interrupt> interrupt();
    /// A descriptor that hangs up when the device goes; -1: none.
    [[nodiscard]] virtual int lifeline() const { return -1; }
    /// Cache maintenance that the kernel does for us (dma-buf); nullopt: it does none.
    virtual std::optional<bool> sync(rvl_sync_direction) { return std::nullopt; }
    /// Whether the host's memcpy may go to the window.
    [[nodiscard]] virtual bool maps() const { return true; }
};

/// A number among the settings: `fallback` where there is none, an error where it is none.
Result<uint64_t> number(const Settings &settings, std::string_view key, uint64_t fallback);

/// The source that window.* names.
Result<std::unique_ptr<Source>> open_source(const Settings &settings);

// The kinds.
Result<std::unique_ptr<Source>> open_file(const Settings &settings);
Result<std::unique_ptr<Source>> open_heap(const Settings &settings);
Result<std::unique_ptr<Source>> open_uio(const Settings &settings);
Result<std::unique_ptr<Source>> open_pci(const Settings &settings);
Result<std::unique_ptr<Source>> open_vfio(const Settings &settings);
Result<std::unique_ptr<Source>> open_ivshmem(const Settings &settings);

/// Opens a node for this process alone; the error names the process that has it.
Result<FileDescriptor> open_alone(const std::string &path);
/// A file of sysfs; `sysfs` among the settings is the place of another tree.
std::string sysfs_path(const Settings &settings, std::initializer_list<Part> parts);
Result<std::string> read_line(const std::string &path);
Result<> write_line(const std::string &path, const std::string &line);

} // namespace rivulet::hal::window
