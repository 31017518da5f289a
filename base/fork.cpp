// SPDX-License-Identifier: Apache-2.0
#include "base/fork.h"

#include <pthread.h>

#include <atomic>

namespace rivulet {

void call_in_forked_children(void (*function)()) { pthread_atfork(nullptr, nullptr, function); }

uint32_t process_generation() {
    static std::atomic<uint32_t> generation = 0;
    [[maybe_unused]] static const bool watched = [] {
        call_in_forked_children([] { generation.fetch_add(1, std::memory_order_relaxed); });
        return true;
    }();
    return generation.load(std::memory_order_relaxed);
}

} // namespace rivulet
