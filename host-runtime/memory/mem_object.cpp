// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/memory/mem_object.h"

#include "host-runtime/graph/callbacks.h"

namespace rivulet {

MemObject::MemObject(Ref<Context> context, cl_mem_object_type type, cl_mem_flags flags, size_t size)
    : Object(Kind::memory), context_(std::move(context)), type_(type), flags_(flags), size_(size) {}

MemObject::~MemObject() {
    for (; !destruction_callbacks_.empty(); destruction_callbacks_.pop_back())
        run_callback(std::move(destruction_callbacks_.back()));
}

void MemObject::on_destruction(std::function<void()> callback) {
    Lock lock(mutex_);
    destruction_callbacks_.push_back(std::move(callback));
}

} // namespace rivulet
