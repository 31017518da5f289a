// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/object/object.h"

#include <array>

#include "base/brief_lock.h"
#include "host-runtime/object/hash_table.h"
#include "host-runtime/object/log.h"

namespace rivulet {

/// Valid handles by address. Sharded, to reduce contention between threads; never destroyed,
/// because objects may outlive static destruction.
class Registry {
public:
    static void add(Object &object) {
        Shard &shard = shard_of(key_of(object));
        const BriefLock lock(shard.mutex);
        if (!std::exchange(object.registered_, true))
            shard.objects.insert(object);
    }

    static void remove(Object &object) {
        Shard &shard = shard_of(key_of(object));
        const BriefLock lock(shard.mutex);
        shard.objects.erase(object);
    }

    /// Returns a retained object.
    static Object *find(const void *handle, Kind kind) {
        Shard &shard = shard_of(handle);
        const BriefLock lock(shard.mutex);
        Object *object = shard.objects.find(handle);
        return object && object->kind() == kind && object->retain_if_alive() ? object : nullptr;
    }

private:
    static const void *key_of(const Object &object) { return static_cast<const Handle *>(&object); }

    static constexpr unsigned shard_bits = 5;
    static constexpr size_t shards = size_t{1} << shard_bits;

    struct alignas(64) Shard { // aligned so that shards share no cache line
        BriefMutex mutex{LockRank::registry};
        HashTable<Object, &Object::next_, &Registry::key_of, shard_bits> objects;
    };

    static Shard &shard_of(const void *handle) {
        static auto &all = *new std::array<Shard, shards>;
        return all[hash_of_address(handle) % shards];
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

void Object::report(const std::string &message) const { log(1, message); }

} // namespace rivulet
