// SPDX-License-Identifier: Apache-2.0
//
// The base of every OpenCL object: first the ICD's dispatch pointer, then a kind, two reference
// counts, and links for the registry of live handles, so that an invalid or freed handle results in
// an error code. None of this allocates, so it can't fail.
//
// There are two counts: the application's (clRetain…, clRelease…, CL_…_REFERENCE_COUNT) and the
// library's own. The application's references together hold one of the library's; an object is
// destroyed, and its handle becomes invalid, with the library's last reference. So a handle whose
// last reference the application has released stays valid while other objects need it: queries may
// return it (a queue's context, for example), and opencl.hpp retains it again.
#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <string>
#include <utility>

#include "host-runtime/include/opencl.h"

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
class Semaphore;
class MutableCommand;

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
    semaphore,
    mutable_command,
};

/// The ICD's dispatch table: that of the headers, and what newer ones append to it.
struct DispatchTable {
    cl_icd_dispatch of_headers;
    clGetKernelSuggestedLocalWorkSize_fn clGetKernelSuggestedLocalWorkSize;
};
extern const DispatchTable dispatch_table;

/// The part of an object that the ICD loader accesses through a handle.
struct Handle {
    const DispatchTable *dispatch = &dispatch_table;
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

    // The application's references. The first one registers the handle; return false if there was
    // none.
    void retain_handle();
    bool release_handle();
    [[nodiscard]] cl_uint handle_references() const { return handle_references_; }

    /// The context whose callback is told of failed calls with this object, if any.
    [[nodiscard]] virtual const Object *reports_to() const { return nullptr; }
    /// Reports to the log; a context also tells the application.
    virtual void report(const std::string &message) const;

protected:
    explicit Object(Kind kind) : kind_(kind) {}
    virtual ~Object();

    /// Called when the application has released its last reference; the library may still hold
    /// some.
    virtual void on_last_handle() {}

private:
    friend class Registry;
    const Kind kind_;
    bool registered_ = false; // set once, never cleared; guarded by the registry's lock
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

    /// Takes over an existing reference.
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

/// Maps a handle type to its class, kind and the error for an invalid handle.
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
template <>
struct HandleTraits<cl_semaphore_khr>
    : Traits<Semaphore, Kind::semaphore, CL_INVALID_SEMAPHORE_KHR> {};
template <>
struct HandleTraits<cl_mutable_command_khr>
    : Traits<MutableCommand, Kind::mutable_command, CL_INVALID_MUTABLE_COMMAND_KHR> {};

template <class HandleType> using ClassOf = typename HandleTraits<HandleType>::Class;

/// The handle of an object, for queries; does not count a reference. `H` is cl_context and the
/// like.
template <class H> H handle_of(const ClassOf<H> *object) {
    const Handle *handle = object;
    return reinterpret_cast<H>(const_cast<Handle *>(handle));
}

/// Returns an object to the application, which then holds one more reference.
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
