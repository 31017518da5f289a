// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/object/object.h"

#include <array>

#include "hal/core/lock.h"

namespace rivulet {

/// The handles that the application may use, by their hash. In shards, so that threads seldom meet;
/// never destroyed, since objects may outlive static destruction.
class Registry {
public:
    static void add(Object &object) {
        Shard &shard = shard_of(key_of(object));
        const Lock lock(shard.mutex);
        if (!std::exchange(object.registered_, true))
            object.next_ = std::exchange(shard.bucket(key_of(object)), &object);
    }

    static void remove(Object &object) {
        Shard &shard = shard_of(key_of(object));
        const Lock lock(shard.mutex);
        *shard.find(key_of(object)) = object.next_;
    }

    /// Retained.
    static Object *find(const void *handle, Kind kind) {
        Shard &shard = shard_of(handle);
        const Lock lock(shard.mutex);
        Object *object = *shard.find(handle);
        return object && object->kind() == kind && object->retain_if_alive() ? object : nullptr;
    }

private:
    static const void *key_of(const Object &object) { return static_cast<const Handle *>(&object); }

    static constexpr size_t shards = 32;
    static constexpr size_t buckets = 256; // of a shard

    static size_t hash(const void *handle) {
        return (reinterpret_cast<uintptr_t>(handle) >> 4) * 0x9e3779b97f4a7c15u >> 32;
    }

    struct Shard {
        Mutex mutex{LockRank::registry};
        Object *objects[buckets] = {};

        Object *&bucket(const void *handle) { return objects[hash(handle) / shards % buckets]; }
        Object **find(const void *handle) {
            Object **link = &bucket(handle);
            while (*link && key_of(**link) != handle)
                link = &(*link)->next_;
            return link;
        }
    };

    static Shard &shard_of(const void *handle) {
        static auto &all = *new std::array<Shard, shards>;
        return all[hash(handle) % shards];
    }
};

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
    if (registered_)
        Registry::remove(const_cast<Object &>(*this));
    delete this;
}

void Object::retain_handle() {
    if (handle_references_.fetch_add(1) != 0)
        return;
    retain();
    Registry::add(*this);
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
    return handle ? Registry::find(handle, kind) : nullptr;
}

} // namespace rivulet
