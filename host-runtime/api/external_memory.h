// SPDX-License-Identifier: Apache-2.0
//
// The properties of buffers and images: cl_khr_external_memory, for those that have handles or come
// from one, and cl_ext_buffer_device_address.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "host-runtime/memory/external_memory.h"

namespace rivulet {

/// Types of handles from which memory objects can be created, on all devices or on this one.
std::vector<cl_external_memory_handle_type_khr> imported_handle_types();
std::vector<cl_external_memory_handle_type_khr> imported_handle_types(const Device &device);

/// The properties of clCreateBufferWithProperties and clCreateImageWithProperties.
class MemoryProperties {
public:
    MemoryProperties() = default;
    /// Fails with CL_INVALID_PROPERTY for unknown and repeated ones, and with CL_INVALID_DEVICE for
    /// devices that aren't the context's.
    MemoryProperties(const Context &context, const cl_mem_properties *properties);
    /// cl_arm_import_memory: of a dma-buf.
    MemoryProperties(const Context &context, int dma_buf);

    /// For an object of that size: the memory that was named, or memory that can get handles;
    /// nullptr for other objects. Fails with CL_INVALID_VALUE if a handle is not one, with
    /// `too_large` if there is less memory behind it.
    [[nodiscard]] std::shared_ptr<const ExternalMemory>
    memory(const Context &context, cl_mem_flags flags, size_t bytes, cl_int too_large) const;

    /// After the object has been made: an imported handle belongs to the library.
    void take_over() const;

    /// cl_ext_buffer_device_address: the application may ask for the addresses.
    [[nodiscard]] bool has_address() const { return has_address_.value_or(false); }

    /// As the application gave them.
    [[nodiscard]] const std::vector<cl_mem_properties> &list() const { return list_; }

private:
    void choose_device(const Context &context, const std::vector<const ContextDevice *> &named);

    std::vector<cl_mem_properties> list_;
    std::optional<int> opaque_fd_, dma_buf_;
    std::optional<bool> has_address_;
    bool is_exported_ = false;
    const ContextDevice *device_ = nullptr; // where memory that can get handles is
};

} // namespace rivulet
