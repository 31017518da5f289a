// SPDX-License-Identifier: Apache-2.0
//
// Device memory with handles outside of its context: cl_khr_external_memory. It is in pages of its
// own, which the launches of all contexts that have such memory may access.
//
// An opaque handle is the write end of a pipe. It is recognised by its inode, which survives dup
// and a way through a socket, and it refers to the memory until its last duplicate has been closed:
// the read end then hangs up. A device serves one process, so other processes can hold such handles
// but have no use for them.
//
// A dma-buf of the device's memory is for other devices' drivers, and comes back as that memory. A
// dma-buf of others takes the place of pages, if the device can reach it.
#pragma once

#include <memory>

#include "base/file_descriptor.h"
#include "host-runtime/context/context.h"

namespace rivulet {

class ExternalMemory {
public:
    /// Fails with CL_MEM_OBJECT_ALLOCATION_FAILURE, or with CL_INVALID_OPERATION if contexts can't
    /// share memory of the device.
    ExternalMemory(const ContextDevice &context_device, size_t bytes);
    /// The start of a dma-buf of others. Fails with CL_INVALID_VALUE if the device can't reach it.
    ExternalMemory(const ContextDevice &context_device, size_t bytes, int dma_buf);
    ExternalMemory(const ExternalMemory &) = delete;
    ExternalMemory &operator=(const ExternalMemory &) = delete;
    ~ExternalMemory();

    [[nodiscard]] const DeviceInstance &instance() const { return *instance_; }
    [[nodiscard]] uint64_t address() const { return block_.address(); }
    [[nodiscard]] size_t bytes() const { return bytes_; }
    /// The context's part of the device that the memory is on. Fails with CL_INVALID_DEVICE if it
    /// has none, and with CL_OUT_OF_RESOURCES if that device was lost and restarted.
    [[nodiscard]] const ContextDevice &home(const Context &context) const;

    /// A new handle, which owns a reference to the memory until it is closed.
    static FileDescriptor opaque_handle(std::shared_ptr<const ExternalMemory> memory);
    /// A new dma-buf; the memory stays as long as it exists. Fails with CL_INVALID_OPERATION if the
    /// device has none.
    static FileDescriptor dma_buf(std::shared_ptr<const ExternalMemory> memory);
    /// The memory that a handle or dma-buf of this process refers to, or nullptr.
    static std::shared_ptr<const ExternalMemory> of_handle(int descriptor);

    // What drivers are told of accesses by a device whose harts are processors of this machine;
    // they do nothing for other memory.
    void begin_access() const;
    void end_access() const;

    /// True if it is a dma-buf of others: accesses wait for their drivers.
    [[nodiscard]] bool is_imported() const { return bool(imported_); }

    /// True if no dma-buf of the memory exists.
    [[nodiscard]] bool export_ended() const;

private:
    const std::shared_ptr<DeviceInstance> instance_;
    const size_t bytes_;
    FileDescriptor imported_; // a dma-buf of others
    Block block_;
};

} // namespace rivulet
