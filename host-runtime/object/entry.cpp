// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/object/entry.h"

#include <atomic>
#include <new>
#include <pthread.h>

namespace rivulet {
namespace {

// A child of fork() has none of the library's threads, and shares the device with its parent.
std::atomic<bool> forked = false;
[[maybe_unused]] const int fork_watch =
    pthread_atfork(nullptr, nullptr, [] { forked.store(true, std::memory_order_relaxed); });

} // namespace

void fail(cl_int code) { throw Failure{code}; }

cl_int guarded(FunctionRef<void()> body) noexcept {
    if (forked.load(std::memory_order_relaxed)) [[unlikely]]
        return CL_OUT_OF_RESOURCES;
    try {
        body();
        return CL_SUCCESS;
    } catch (const Failure &failure) {
        return failure.code;
    } catch (const std::bad_alloc &) {
        return CL_OUT_OF_HOST_MEMORY;
    } catch (...) {
        return CL_OUT_OF_RESOURCES;
    }
}

Object *checked_object(const void *handle, Kind kind, cl_int invalid) {
    Object *object = find_object(handle, kind);
    require(object, invalid);
    return object;
}

cl_int guarded(const void *handle, Kind kind, cl_int invalid,
               FunctionRef<void(Object &)> body) noexcept {
    return guarded([&] {
        const auto object = Ref<Object>::adopt(checked_object(handle, kind, invalid));
        body(*object);
    });
}

cl_int retain_entry(const void *handle, Kind kind, cl_int invalid) noexcept {
    return guarded(handle, kind, invalid, [](Object &object) { object.retain_handle(); });
}

cl_int release_entry(const void *handle, Kind kind, cl_int invalid) noexcept {
    return guarded(handle, kind, invalid,
                   [&](Object &object) { require(object.release_handle(), invalid); });
}

} // namespace rivulet
