// SPDX-License-Identifier: Apache-2.0
//
// The boundary between the C API and the model: handles become references, failures become error
// codes, and no exception escapes. An entry point checks in the order of the specification's error
// list and then says what it does:
//
//   return entry(queue_handle, [&](Queue &queue) {
//       auto buffer = checked(buffer_handle, queue.context());
//       require(size <= buffer->size(), CL_INVALID_VALUE, "size is %, the buffer has % bytes",
//       size,
//               buffer->size());
//       queue.…
//   });
//
// Every error code comes with a message that names argument, value and limit: the
// context's callback gets it, and standard error does from RIVULET_LOG=1 on.
#pragma once

#include <memory>
#include <string>
#include <type_traits>

#include "base/error.h"
#include "host-runtime/object/object.h"

namespace rivulet {

/// Thrown internally; becomes an error code and a message.
struct Failure {
    cl_int code;
    std::string text;
};

/// `text` is the message, without initial capital and full stop; `values` replace its `%`.
[[noreturn, gnu::cold]] void fail(cl_int code, std::string_view text,
                                  std::initializer_list<Part> values = {});

// Inlined, so that the message costs nothing unless it is needed.
template <class... Values>
[[gnu::always_inline]] inline void require(bool condition, cl_int code, std::string_view text,
                                           Values... values) {
    if (!condition) [[unlikely]]
        fail(code, text, {Part(values)...});
}

/// An address or handle as a part of a message.
inline Hex address_of(const void *pointer) { return Hex{reinterpret_cast<uintptr_t>(pointer)}; }

/// The names of object kinds in messages.
inline constexpr const char *kind_names[] = {
    "a platform",        "a device",         "a context",   "a command queue",
    "a buffer or image", "a sampler",        "a program",   "a kernel",
    "an event",          "a command buffer", "a semaphore", "a command of a command buffer"};
constexpr const char *name_of(Kind kind) { return kind_names[static_cast<size_t>(kind)]; }

/// Returns a retained object.
Object *checked_object(const void *handle, Kind kind, cl_int invalid);

/// The object behind a handle, kept alive while it is used; fails with the handle type's error.
template <class H> Ref<ClassOf<H>> checked(H handle) {
    Object *object = checked_object(handle, HandleTraits<H>::kind, HandleTraits<H>::invalid);
    return Ref<ClassOf<H>>::adopt(static_cast<ClassOf<H> *>(object));
}

/// The same for an object that must belong to the context.
template <class H> Ref<ClassOf<H>> checked(H handle, const Context &context) {
    auto object = checked(handle);
    require(&object->context() == &context, CL_INVALID_CONTEXT, "% is % of another context",
            address_of(handle), name_of(HandleTraits<H>::kind));
    return object;
}

/// A reference to a function for the duration of a call.
template <class Signature> class FunctionRef;
template <class R, class... A> class FunctionRef<R(A...)> {
public:
    template <class F>
        requires(!std::same_as<std::remove_cvref_t<F>, FunctionRef>)
    FunctionRef(F &&function)
        : object_(const_cast<void *>(static_cast<const void *>(std::addressof(function)))),
          call_([](void *object, A... arguments) -> R {
              return (*static_cast<std::remove_reference_t<F> *>(object))(
                  std::forward<A>(arguments)...);
          }) {}
    R operator()(A... arguments) const { return call_(object_, std::forward<A>(arguments)...); }

private:
    void *object_;
    R (*call_)(void *, A...);
};

/// From now on the library has threads and a running device, which a child of fork() can't use: all
/// its calls end with CL_OUT_OF_RESOURCES. A child forked earlier starts from scratch.
void forbid_forks();

/// The name of the entry point, for traces and messages.
using Caller = const char *;

/// What to do about a failure; the text may be empty.
using OnFailure = FunctionRef<void(cl_int code, std::string_view text)>;

/// Runs a function and returns its error code.
cl_int guarded(FunctionRef<void()> body, OnFailure on_failure) noexcept;
inline cl_int guarded(FunctionRef<void()> body) noexcept {
    return guarded(body, [](cl_int, std::string_view) {});
}
/// "CL_INVALID_VALUE: size is 0": the form in which failures are reported to logs and callbacks.
std::string failure_text(cl_int code, std::string_view text);
/// The same for the body of an entry point.
cl_int guarded(FunctionRef<void()> body, Caller caller) noexcept;
/// The same with the object behind a handle.
cl_int guarded(const void *handle, Kind kind, cl_int invalid, FunctionRef<void(Object &)> body,
               Caller caller) noexcept;

template <class F> cl_int entry(F &&body, Caller caller = __builtin_FUNCTION()) {
    return guarded(body, caller);
}

template <class H, class F> cl_int entry(H handle, F &&body, Caller caller = __builtin_FUNCTION()) {
    return guarded(
        handle, HandleTraits<H>::kind, HandleTraits<H>::invalid,
        [&](Object &object) { body(static_cast<ClassOf<H> &>(object)); }, caller);
}

/// For entry points that return a pointer and write an error code: the body returns the pointer.
template <class F>
auto create(cl_int *errcode_ret, F &&body, Caller caller = __builtin_FUNCTION()) {
    decltype(body()) result = nullptr;
    const cl_int code = guarded([&] { result = body(); }, caller);
    if (errcode_ret)
        *errcode_ret = code;
    return result;
}

template <class H, class F>
auto create(H handle, cl_int *errcode_ret, F &&body, Caller caller = __builtin_FUNCTION()) {
    decltype(body(std::declval<ClassOf<H> &>())) result = nullptr;
    const cl_int code = entry(handle, [&](ClassOf<H> &object) { result = body(object); }, caller);
    if (errcode_ret)
        *errcode_ret = code;
    return result;
}

/// clRetain… and clRelease… functions.
cl_int retain_entry(const void *handle, Kind kind, cl_int invalid, Caller caller) noexcept;
cl_int release_entry(const void *handle, Kind kind, cl_int invalid, Caller caller) noexcept;
template <class H> cl_int retain_entry(H handle, Caller caller = __builtin_FUNCTION()) {
    return retain_entry(handle, HandleTraits<H>::kind, HandleTraits<H>::invalid, caller);
}
template <class H> cl_int release_entry(H handle, Caller caller = __builtin_FUNCTION()) {
    return release_entry(handle, HandleTraits<H>::kind, HandleTraits<H>::invalid, caller);
}

} // namespace rivulet
