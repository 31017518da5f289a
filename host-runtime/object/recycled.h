// SPDX-License-Identifier: Apache-2.0
//
// Memory of objects that every command makes and ends: it is kept for the next one, because malloc
// and free take some hundred instructions each for blocks of these sizes.
#pragma once

#include <atomic>
#include <cstddef>
#include <new>

namespace rivulet {

/// A base class that recycles the memory of up to `most` objects of class T. A thread that finds
/// another one at it allocates instead of waiting.
template <class T, size_t most> class Recycled {
public:
    static void *operator new(size_t bytes) {
        if (bytes == sizeof(T) && take()) {
            Free *const block = first_;
            if (block) {
                first_ = block->next;
                --count_;
            }
            give_back();
            if (block)
                return block;
        }
        return ::operator new(bytes);
    }
    static void operator delete(void *memory, size_t bytes) {
        if (bytes == sizeof(T) && take()) {
            const bool kept = count_ < most;
            if (kept) {
                first_ = new (memory) Free{first_};
                ++count_;
            }
            give_back();
            if (kept)
                return;
        }
        ::operator delete(memory);
    }

protected:
    Recycled() = default;
    ~Recycled() = default;

private:
    struct Free {
        Free *next;
    };
#ifdef __SANITIZE_ADDRESS__
    static bool take() { return false; } // so that it finds uses of what was deleted
#else
    static bool take() { return !taken_.test_and_set(std::memory_order_acquire); }
#endif
    static void give_back() { taken_.clear(std::memory_order_release); }

    static inline std::atomic_flag taken_;
    static inline Free *first_ = nullptr; // guarded by taken_, like count_
    static inline size_t count_ = 0;
};

/// How many commands' memory is kept.
constexpr size_t recycled_commands = 512;

} // namespace rivulet
