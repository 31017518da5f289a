// SPDX-License-Identifier: Apache-2.0
//
// The edge between the C API and the model: handles become references, failures become error
// codes, and no exception gets out. An entry point checks in the order of the specification's
// error list and then says what it does:
//
//   return entry(queue_handle, [&](Queue &queue) {
//       auto buffer = checked(buffer_handle, queue.context());
//       require(size != 0, CL_INVALID_VALUE);
//       queue.…
//   });
#pragma once

#include <memory>
#include <type_traits>

#include "host-runtime/object/object.h"

namespace rivulet {

/// Thrown inside, an error code outside.
struct Failure {
    cl_int code;
};

[[noreturn]] void fail(cl_int code);

inline void require(bool condition, cl_int code) {
    if (!condition) [[unlikely]]
        fail(code);
}

/// Retained.
Object *checked_object(const void *handle, Kind kind, cl_int invalid);

/// The object behind a handle, kept alive while it is used; or the handle type's error.
template <class H> Ref<ClassOf<H>> checked(H handle) {
    Object *object = checked_object(handle, HandleTraits<H>::kind, HandleTraits<H>::invalid);
    return Ref<ClassOf<H>>::adopt(static_cast<ClassOf<H> *>(object));
}

/// The same, for an object that must belong to the context.
template <class H> Ref<ClassOf<H>> checked(H handle, const Context &context) {
    auto object = checked(handle);
    require(&object->context() == &context, CL_INVALID_CONTEXT);
    return object;
}

/// A reference to a function, for one call.
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

/// From here on the library has threads and a device that runs: a child of fork() can't go on with
/// them, and all its calls end with CL_OUT_OF_RESOURCES. A child from before starts anew.
void forbid_forks();

/// The name of the entry point, which traces show.
using Caller = const char *;

/// Runs a function; what it throws becomes the result.
cl_int guarded(FunctionRef<void()> body) noexcept;
/// The same with an entry point's body.
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

/// For entry points that return a pointer and write an error code: body returns the pointer.
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

/// clRetain… and clRelease…
cl_int retain_entry(const void *handle, Kind kind, cl_int invalid, Caller caller) noexcept;
cl_int release_entry(const void *handle, Kind kind, cl_int invalid, Caller caller) noexcept;
template <class H> cl_int retain_entry(H handle, Caller caller = __builtin_FUNCTION()) {
    return retain_entry(handle, HandleTraits<H>::kind, HandleTraits<H>::invalid, caller);
}
template <class H> cl_int release_entry(H handle, Caller caller = __builtin_FUNCTION()) {
    return release_entry(handle, HandleTraits<H>::kind, HandleTraits<H>::invalid, caller);
}

} // namespace rivulet
