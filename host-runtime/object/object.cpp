// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/object/object.h"

#include <array>
#include <unordered_set>

#include "host-runtime/object/lock.h"

namespace rivulet {
namespace {

/// The handles that the application may use. In shards, so that threads seldom meet; never
/// destroyed, since objects may outlive static destruction.
struct Shard {
    Mutex mutex{LockRank::registry};
    std::unordered_set<const void *> handles;
};

Shard &shard_of(const void *handle) {
    static auto &shards = *new std::array<Shard, 32>;
    return shards[reinterpret_cast<uintptr_t>(handle) / 64 % shards.size()];
}

const void *key_of(const Object &object) { return static_cast<const Handle *>(&object); }

} // namespace

Object::~Object() = default;

bool Object::retain_if_alive() const {
    uint32_t count = references_.load(std::memory_order_relaxed);
    while (count != 0)
        if (references_.compare_exchange_weak(count, count + 1, std::memory_order_relaxed))
            return true;
    return false;
}

void Object::release() const {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) != 1)
        return;
    if (registered_) {
        Shard &shard = shard_of(key_of(*this));
        Lock lock(shard.mutex);
        shard.handles.erase(key_of(*this));
    }
    delete this;
}

void Object::retain_handle() {
    if (handle_references_.fetch_add(1) != 0)
        return;
    retain();
    if (!registered_.exchange(true)) {
        Shard &shard = shard_of(key_of(*this));
        Lock lock(shard.mutex);
        shard.handles.insert(key_of(*this));
    }
}

bool Object::release_handle() {
    cl_uint count = handle_references_;
    do {
        if (count == 0)
            return false;
    } while (!handle_references_.compare_exchange_weak(count, count - 1));
    if (count == 1) {
        on_last_handle();
        release();
    }
    return true;
}

Object *find_object(const void *handle, Kind kind) {
    if (!handle)
        return nullptr;
    Shard &shard = shard_of(handle);
    Lock lock(shard.mutex);
    if (!shard.handles.contains(handle))
        return nullptr;
    auto *object = static_cast<Object *>(static_cast<Handle *>(const_cast<void *>(handle)));
    return object->kind() == kind && object->retain_if_alive() ? object : nullptr;
}

} // namespace rivulet
