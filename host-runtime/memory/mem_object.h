// SPDX-License-Identifier: Apache-2.0
//
// cl_mem: what buffers, images and pipes have in common.
#pragma once

#include <functional>
#include <vector>

#include "host-runtime/device/context.h"
#include "host-runtime/object/object.h"

namespace rivulet {

class MemObject : public Object {
public:
    ~MemObject() override;

    [[nodiscard]] const Context &context() const { return *context_; }
    [[nodiscard]] const Ref<Context> &context_ref() const { return context_; }
    [[nodiscard]] cl_mem_object_type type() const { return type_; }
    [[nodiscard]] bool is_buffer() const { return type_ == CL_MEM_OBJECT_BUFFER; }
    [[nodiscard]] bool is_image() const { return !is_buffer() && type_ != CL_MEM_OBJECT_PIPE; }
    [[nodiscard]] cl_mem_flags flags() const { return flags_; }
    [[nodiscard]] size_t size() const { return size_; }

    /// What a kernel gets as argument: address of the data (buffer) or of the descriptor (image).
    [[nodiscard]] virtual uint64_t argument(const Place &place) const = 0;

    /// 5.4.1: called when the object is deleted, the last registered first.
    void on_destruction(std::function<void()> callback);

protected:
    MemObject(Ref<Context> context, cl_mem_object_type type, cl_mem_flags flags, size_t size);

private:
    Ref<Context> context_;
    cl_mem_object_type type_;
    cl_mem_flags flags_;
    size_t size_;
    Mutex mutex_{LockRank::memory};
    std::vector<std::function<void()>> destruction_callbacks_;
};

} // namespace rivulet
