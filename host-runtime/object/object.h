// SPDX-License-Identifier: Apache-2.0
//
// The base of every OpenCL object: the ICD's dispatch pointer first, a kind, two reference counts,
// and an entry in the registry of live handles, so that a wrong or freed handle is an error code.
// Nothing is allocated for any of it, so that it can't fail.
//
// Two counts: the application's (clRetain…, clRelease…, CL_…_REFERENCE_COUNT) and the library's
// own. The application's references together hold one of the library's; an object dies, and its
// handle with it, when the last of the library's goes. So a handle whose last reference the
// application let go stays valid while other objects need it: queries return it, of a queue's
// context say, and opencl.hpp retains it anew.
#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <utility>

#include "host-runtime/api/opencl.h"

namespace rivulet {

class Platform;
class Device;
class Context;
class Queue;
class MemObject;
class Sampler;
class Program;
class Kernel;
class Event;
class CommandBuffer;

enum class Kind : uint8_t {
    platform,
    device,
    context,
    queue,
    memory,
    sampler,
    program,
    kernel,
    event,
    command_buffer,
};

extern const cl_icd_dispatch dispatch_table;

/// The part of an object that the ICD loader reads through a handle.
struct Handle {
    const cl_icd_dispatch *dispatch = &dispatch_table;
};

class Object : public Handle {
public:
    Object(const Object &) = delete;
    Object &operator=(const Object &) = delete;

    [[nodiscard]] Kind kind() const { return kind_; }

    // The library's references; see Ref.
    void retain() const { references_.fetch_add(1, std::memory_order_relaxed); }
    [[nodiscard]] bool retain_if_alive() const;
    void release() const;

    // The application's. The first one puts the handle on the registry; `false`: there was none.
    void retain_handle();
    bool release_handle();
    [[nodiscard]] cl_uint handle_references() const { return handle_references_; }

    /// The context whose callback hears of calls with this object that fail, if it has one.
    [[nodiscard]] virtual const Context *reports_to() const { return nullptr; }

protected:
    explicit Object(Kind kind) : kind_(kind) {}
    virtual ~Object();

    /// The application let its last reference go; the library may still hold some.
    virtual void on_last_handle() {}

private:
    friend class Registry;
    const Kind kind_;
    bool registered_ = false; // once, for ever; under the registry's lock
    Object *next_ = nullptr;  // in the registry
    mutable std::atomic<uint32_t> references_ = 1;
    std::atomic<cl_uint> handle_references_ = 0;
};

/// A counted reference to an object.
template <class T> class Ref {
public:
    Ref() = default;
    Ref(std::nullptr_t) {}
    explicit Ref(T &object) : object_(&object) { object.retain(); }
    Ref(const Ref &other) : object_(other.object_) {
        if (object_)
            object_->retain();
    }
    Ref(Ref &&other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    template <std::derived_from<T> U> Ref(Ref<U> other) : object_(other.detach()) {}
    Ref &operator=(Ref other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~Ref() {
        if (object_)
            object_->release();
    }

    /// Takes over a reference that was counted already.
    static Ref adopt(T *object) {
        Ref ref;
        ref.object_ = object;
        return ref;
    }
    T *detach() { return std::exchange(object_, nullptr); }

    [[nodiscard]] T *get() const { return object_; }
    T &operator*() const { return *object_; }
    T *operator->() const { return object_; }
    explicit operator bool() const { return object_ != nullptr; }
    friend bool operator==(const Ref &, const Ref &) = default;

private:
    T *object_ = nullptr;
};

template <class T, class... Arguments> Ref<T> make(Arguments &&...arguments) {
    return Ref<T>::adopt(new T(std::forward<Arguments>(arguments)...));
}

/// handle type → class, kind and the error for a handle that isn't one.
template <class HandleType> struct HandleTraits;
template <class T, Kind kind_of, cl_int error> struct Traits {
    using Class = T;
    static constexpr Kind kind = kind_of;
    static constexpr cl_int invalid = error;
};
template <>
struct HandleTraits<cl_platform_id> : Traits<Platform, Kind::platform, CL_INVALID_PLATFORM> {};
template <> struct HandleTraits<cl_device_id> : Traits<Device, Kind::device, CL_INVALID_DEVICE> {};
template <> struct HandleTraits<cl_context> : Traits<Context, Kind::context, CL_INVALID_CONTEXT> {};
template <>
struct HandleTraits<cl_command_queue> : Traits<Queue, Kind::queue, CL_INVALID_COMMAND_QUEUE> {};
template <> struct HandleTraits<cl_mem> : Traits<MemObject, Kind::memory, CL_INVALID_MEM_OBJECT> {};
template <> struct HandleTraits<cl_sampler> : Traits<Sampler, Kind::sampler, CL_INVALID_SAMPLER> {};
template <> struct HandleTraits<cl_program> : Traits<Program, Kind::program, CL_INVALID_PROGRAM> {};
template <> struct HandleTraits<cl_kernel> : Traits<Kernel, Kind::kernel, CL_INVALID_KERNEL> {};
template <> struct HandleTraits<cl_event> : Traits<Event, Kind::event, CL_INVALID_EVENT> {};
template <>
struct HandleTraits<cl_command_buffer_khr>
    : Traits<CommandBuffer, Kind::command_buffer, CL_INVALID_COMMAND_BUFFER_KHR> {};

template <class HandleType> using ClassOf = typename HandleTraits<HandleType>::Class;

/// The handle of an object, for queries: counts nothing. `H` is cl_context and the like.
template <class H> H handle_of(const ClassOf<H> *object) {
    const Handle *handle = object;
    return reinterpret_cast<H>(const_cast<Handle *>(handle));
}

/// Gives an object to the application, which then holds one more reference to it.
template <class H> H give(const Ref<ClassOf<H>> &object) {
    object->retain_handle();
    return handle_of<H>(object.get());
}

/// The live object behind a handle, or nullptr.
Object *find_object(const void *handle, Kind kind);

template <class H> Ref<ClassOf<H>> find(H handle) {
    Object *object = find_object(handle, HandleTraits<H>::kind);
    return Ref<ClassOf<H>>::adopt(static_cast<ClassOf<H> *>(object));
}

} // namespace rivulet
