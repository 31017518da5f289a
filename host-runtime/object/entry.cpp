// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/object/entry.h"

#include <atomic>
#include <new>
#include <pthread.h>
#include <stdexcept>
#include <string_view>
#include <unistd.h>

#include "base/floating_point.h"
#include "base/fork.h"
#include "base/last_threads.h"
#include "hal/core/trace.h"
#include "host-runtime/object/code_names.h"
#include "host-runtime/object/log.h"

namespace rivulet {
namespace {

// A child of fork() has none of the library's threads, and shares the device with its parent. Until
// there are any, a fork must not happen during another thread's call, whose locks would stay locked
// in the child.
std::atomic<bool> forks_forbidden = false;
std::atomic<int> calls_before = 0; // calls in progress, until forks are forbidden
std::atomic<bool> forked = false;
std::atomic<bool> told = false;
[[maybe_unused]] const bool watched = [] {
    call_in_forked_children([] {
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

/// Postpones cancellation of the thread until the call has ended: the exception used for
/// cancellation would meet a noexcept function and terminate the process.
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
    watch_for_last_thread();
}

void fail(cl_int code, std::string_view text, std::initializer_list<Part> values) {
    Failure failure{code, {}};
    try {
        const Part *value = values.begin();
        for (const char c : text)
            if (c == '%' && value != values.end())
                (value++)->append_to(failure.text);
            else
                failure.text += c;
    } catch (const std::bad_alloc &) { // the error code matters more than its message
        failure.text.clear();
    }
    throw failure;
}

cl_int guarded(FunctionRef<void()> body, OnFailure on_failure) noexcept {
    if (forked.load(std::memory_order_relaxed)) [[unlikely]]
        return refuse_child();
    const CallBefore call;
    const CancellationDisabled cancellation_disabled;
    const DefaultFloatingPoint floating_point;
    const auto failed = [&](cl_int code, std::string_view text) {
        try {
            on_failure(code, text);
        } catch (...) { // without memory for a message, the code has to do
        }
        return code;
    };
    try {
        body();
        return CL_SUCCESS;
    } catch (const Failure &failure) {
        return failed(failure.code, failure.text);
    } catch (const std::bad_alloc &) {
        return failed(CL_OUT_OF_HOST_MEMORY, {});
    } catch (const std::length_error &) {
        return failed(CL_OUT_OF_HOST_MEMORY, "the requested size is impossible");
    } catch (const std::exception &exception) {
        return failed(CL_OUT_OF_RESOURCES, exception.what());
    } catch (...) {
        return failed(CL_OUT_OF_RESOURCES, {});
    }
}

std::string failure_text(cl_int code, std::string_view text) {
    if (text.empty() && code == CL_OUT_OF_HOST_MEMORY)
        text = "the process is out of memory";
    const char *name = code_name(code);
    const std::string label = name ? name : rivulet::text({"error -", -code});
    return text.empty() ? label : rivulet::text({label, ": ", text});
}

namespace {

/// Reports an entry point's failure to the context of the object it was called with, if any.
void tell(Caller caller, cl_int code, std::string_view text, const Object *object) {
    const std::string message = rivulet::text({caller, ": ", failure_text(code, text)});
    if (const Object *context = object ? object->reports_to() : nullptr)
        context->report(message);
    else
        log(1, message);
}

cl_int traced(FunctionRef<void()> body, OnFailure on_failure, Caller caller) noexcept {
    if (!hal::trace::is_on()) [[likely]]
        return guarded(body, on_failure);
    const hal::trace::Span span(caller);
    return guarded(body, on_failure);
}

} // namespace

cl_int guarded(FunctionRef<void()> body, Caller caller) noexcept {
    return traced(
        body, [&](cl_int code, std::string_view text) { tell(caller, code, text, nullptr); },
        caller);
}

Object *checked_object(const void *handle, Kind kind, cl_int invalid) {
    Object *object = find_object(handle, kind);
    require(object || handle, invalid, "% is NULL", name_of(kind));
    require(object, invalid, "% is not %, or was released", address_of(handle), name_of(kind));
    return object;
}

cl_int guarded(const void *handle, Kind kind, cl_int invalid, FunctionRef<void(Object &)> body,
               Caller caller) noexcept {
    Ref<Object> object;
    return traced(
        [&] {
            object = Ref<Object>::adopt(checked_object(handle, kind, invalid));
            body(*object);
            object = nullptr;
        },
        [&](cl_int code, std::string_view text) {
            const Ref<Object> released_here = std::move(object);
            tell(caller, code, text, released_here.get());
        },
        caller);
}

cl_int retain_entry(const void *handle, Kind kind, cl_int invalid, Caller caller) noexcept {
    return guarded(handle, kind, invalid, [](Object &object) { object.retain_handle(); }, caller);
}

cl_int release_entry(const void *handle, Kind kind, cl_int invalid, Caller caller) noexcept {
    return guarded(
        handle, kind, invalid,
        [&](Object &object) {
            require(object.release_handle(), invalid, "the last reference was released already");
        },
        caller);
}

} // namespace rivulet
