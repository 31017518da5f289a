// SPDX-License-Identifier: Apache-2.0
//
// Device memory with handles outside of its context: cl_khr_external_memory. It is in pages of its
// own, which the launches of all contexts that have such memory may access.
//
// An opaque handle is the write end of a pipe. It is recognised by its inode, which survives dup
// and a way through a socket, and it refers to the memory until its last duplicate has been closed:
// the read end then hangs up. A device serves one process, so other processes can hold such handles
// but have no use for them.
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

    [[nodiscard]] const DeviceInstance &instance() const { return *instance_; }
    [[nodiscard]] uint64_t address() const { return block_.address(); }
    [[nodiscard]] size_t bytes() const { return bytes_; }
    /// The context's part of the device that the memory is on. Fails with CL_INVALID_DEVICE if it
    /// has none, and with CL_OUT_OF_RESOURCES if that device was lost and restarted.
    [[nodiscard]] const ContextDevice &home(const Context &context) const;

    /// A new handle, which owns a reference to the memory until it is closed.
    static FileDescriptor opaque_handle(std::shared_ptr<const ExternalMemory> memory);
    /// The memory that an opaque handle of this process refers to, or nullptr.
    static std::shared_ptr<const ExternalMemory> of_opaque_handle(int descriptor);

private:
    const std::shared_ptr<DeviceInstance> instance_;
    const size_t bytes_;
    Block block_;
};

} // namespace rivulet
