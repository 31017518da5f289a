// SPDX-License-Identifier: Apache-2.0
//
// An intrusive hash table keyed by an address: inserting and erasing can't fail. The number of
// buckets follows the number of elements; without memory for more buckets, they only get longer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

namespace rivulet {

/// Hashes addresses of blocks, many of which differ by a constant.
inline size_t hash_of_address(const void *address) {
    uint64_t hash = (reinterpret_cast<uintptr_t>(address) >> 4) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93u;
    return static_cast<size_t>(hash >> 32);
}

/// `used_bits`: low bits of the hash that have already selected one of several tables.
template <class T, T *T::*next, const void *(*key_of)(const T &), unsigned used_bits = 0>
class HashTable {
public:
    HashTable() = default;
    HashTable(const HashTable &) = delete;
    HashTable &operator=(const HashTable &) = delete;
    ~HashTable() { give_back(buckets_); }

    /// `thing` must not be in the table.
    void insert(T &thing) {
        if (2 * size_ >= count_) // each further element in a bucket costs a cache miss and a page
                                 // walk
            resize(count_ * 2);
        link(buckets_, count_, thing);
        ++size_;
    }
    /// `thing` must be in the table.
    void erase(T &thing) {
        *position(key_of(thing)) = thing.*next;
        --size_;
        if (count_ > least && size_ < count_ / 16)
            resize(count_ / 2);
    }
    /// Returns nullptr if there is none.
    [[nodiscard]] T *find(const void *key) { return *position(key); }

private:
    static constexpr size_t least = 64;

    static T *&bucket(T **buckets, size_t count, const void *key) {
        return buckets[(hash_of_address(key) >> used_bits) & (count - 1)];
    }
    static void link(T **buckets, size_t count, T &thing) {
        T *&first = bucket(buckets, count, key_of(thing));
        thing.*next = first;
        first = &thing;
    }
    T **position(const void *key) {
        T **place = &bucket(buckets_, count_, key);
        while (*place && key_of(**place) != key)
            place = &((*place)->*next);
        return place;
    }
    void resize(size_t count) {
        T **const buckets = new (std::nothrow) T *[count]();
        if (!buckets)
            return;
        for (size_t index = 0; index < count_; ++index)
            while (T *thing = buckets_[index]) {
                buckets_[index] = thing->*next;
                link(buckets, count, *thing);
            }
        give_back(buckets_);
        buckets_ = buckets;
        count_ = count;
    }
    void give_back(T **buckets) const {
        if (buckets != first_buckets_)
            delete[] buckets;
    }

    T *first_buckets_[least] = {};
    T **buckets_ = first_buckets_;
    size_t count_ = least; // a power of two
    size_t size_ = 0;
};

} // namespace rivulet
