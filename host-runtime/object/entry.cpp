// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/object/entry.h"

#include <atomic>
#include <new>
#include <pthread.h>
#include <stdexcept>
#include <string_view>
#include <unistd.h>

#include "hal/core/floating_point.h"
#include "hal/core/fork.h"
#include "hal/core/last_threads.h"
#include "hal/core/trace.h"

namespace rivulet {
namespace {

// A child of fork() has none of the library's threads, and shares the device with its parent.
// Before there are any it must not have been forked amid another thread's call, whose locks stay
// locked.
std::atomic<bool> forks_forbidden = false;
std::atomic<int> calls_before = 0; // that are under way, until forks are forbidden
std::atomic<bool> forked = false;
std::atomic<bool> told = false;
[[maybe_unused]] const bool watched = [] {
    hal::call_in_forked_children([] {
        if (forks_forbidden || calls_before != 0)
            forked.store(true, std::memory_order_relaxed);
    });
    return true;
}();

/// A call that a fork must not interrupt.
class CallBefore {
public:
    CallBefore() : counts_(!forks_forbidden.load(std::memory_order_relaxed)) {
        if (counts_)
            ++calls_before;
    }
    CallBefore(const CallBefore &) = delete;
    CallBefore &operator=(const CallBefore &) = delete;
    ~CallBefore() {
        if (counts_)
            --calls_before;
    }

private:
    const bool counts_;
};

/// A thread that is cancelled finishes its call first: the exception that ends it would be stopped
/// where no exception gets out, and end the process.
class CancellationDisabled {
public:
    CancellationDisabled() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
    CancellationDisabled(const CancellationDisabled &) = delete;
    CancellationDisabled &operator=(const CancellationDisabled &) = delete;
    ~CancellationDisabled() { pthread_setcancelstate(before_, nullptr); }

private:
    int before_ = 0;
};

cl_int refuse_child() {
    constexpr std::string_view text =
        "rivulet: error: this process is a fork of one that used OpenCL already, and can't use its "
        "device: fork before the first context is made, or execute a program of its own; all calls "
        "end with CL_OUT_OF_RESOURCES\n";
    if (!told.exchange(true))
        static_cast<void>(!write(STDERR_FILENO, text.data(), text.size()));
    return CL_OUT_OF_RESOURCES;
}

} // namespace

void forbid_forks() {
    forks_forbidden = true;
    hal::watch_for_last_thread();
}

void fail(cl_int code) { throw Failure{code}; }

cl_int guarded(FunctionRef<void()> body) noexcept {
    if (forked.load(std::memory_order_relaxed)) [[unlikely]]
        return refuse_child();
    const CallBefore call;
    const CancellationDisabled cancellation_disabled;
    const hal::DefaultFloatingPoint floating_point;
    try {
        body();
        return CL_SUCCESS;
    } catch (const Failure &failure) {
        return failure.code;
    } catch (const std::bad_alloc &) {
        return CL_OUT_OF_HOST_MEMORY;
    } catch (const std::length_error &) { // more than there can be
        return CL_OUT_OF_HOST_MEMORY;
    } catch (...) {
        return CL_OUT_OF_RESOURCES;
    }
}

cl_int guarded(FunctionRef<void()> body, Caller caller) noexcept {
    if (!hal::trace::is_on()) [[likely]]
        return guarded(body);
    const hal::trace::Span span(caller);
    return guarded(body);
}

Object *checked_object(const void *handle, Kind kind, cl_int invalid) {
    Object *object = find_object(handle, kind);
    require(object, invalid);
    return object;
}

cl_int guarded(const void *handle, Kind kind, cl_int invalid, FunctionRef<void(Object &)> body,
               Caller caller) noexcept {
    return guarded(
        [&] {
            const auto object = Ref<Object>::adopt(checked_object(handle, kind, invalid));
            body(*object);
        },
        caller);
}

cl_int retain_entry(const void *handle, Kind kind, cl_int invalid, Caller caller) noexcept {
    return guarded(handle, kind, invalid, [](Object &object) { object.retain_handle(); }, caller);
}

cl_int release_entry(const void *handle, Kind kind, cl_int invalid, Caller caller) noexcept {
    return guarded(
        handle, kind, invalid, [&](Object &object) { require(object.release_handle(), invalid); },
        caller);
}

} // namespace rivulet
