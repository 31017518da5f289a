// SPDX-License-Identifier: Apache-2.0
//
// cl_context: a set of devices, and on each of their physical devices an arena for the context's
// buffers, kernel images and launch records.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "host-runtime/context/shared_memory.h"
#include "host-runtime/device/device.h"
#include "host-runtime/device/device_instance.h"
#include "host-runtime/device/heap.h"
#include "host-runtime/object/object.h"
#include "host-runtime/object/task.h"

namespace rivulet {

class LoadedKernelImage;
class RecordPool;

/// Something that has device memory only to be quicker.
class Trimmable {
public:
    /// Frees what isn't being used.
    virtual void trim() = 0;

protected:
    ~Trimmable() = default;
};

/// Code of the library's own on a device.
struct LibraryCode {
    enum class State : uint8_t { absent, awaited, ready };
    std::atomic<State> state = State::absent;       // stays `awaited` if there can be no such code
    std::shared_ptr<const LoadedKernelImage> image; // once ready
};

/// A context's state on one physical device.
class ContextDevice final : public InstanceUser {
public:
    ContextDevice(const Context &context, PhysicalDevice &physical_device);
    ~ContextDevice();

    [[nodiscard]] PhysicalDevice &physical_device() const { return physical_device_; }
    [[nodiscard]] DeviceInstance &instance() const { return *instance_; }
    [[nodiscard]] const std::shared_ptr<DeviceInstance> &instance_reference() const {
        return instance_;
    }
    [[nodiscard]] Arena &arena() const { return *arena_; }
    /// The arena of kernel code and launch records.
    [[nodiscard]] Arena &code() const { return *code_; }
    [[nodiscard]] RecordPool &records() const { return *records_; }

    /// The pages that the context shares with others; nullptr as long as it has no memory there.
    [[nodiscard]] Arena *shared_arena() const { return shared_arena_.load(); }
    /// From now on, the context's launches may access the pages that contexts share. Fails with
    /// CL_INVALID_OPERATION if the device doesn't have such pages.
    Arena &share_pages() const;

    /// Allocates in the arena, or fails with CL_MEM_OBJECT_ALLOCATION_FAILURE.
    [[nodiscard]] Block allocate(size_t bytes, size_t alignment = RVL_PAGE_BYTES) const;
    /// `trims`: first frees what others can do without, if there is no room.
    [[nodiscard]] Block allocate_code(size_t bytes, bool trims = true) const;
    /// In the pages that contexts share.
    [[nodiscard]] Block allocate_shared(size_t bytes) const;
    /// Is trimmed when device memory is short, as long as it exists.
    void add(std::weak_ptr<Trimmable> trimmable) const;

    [[nodiscard]] Ref<const Object> context_if_alive() const override;
    void trim() override;

    /// cl_ext_buffer_device_address: the buffers whose addresses applications know.
    void add_addressed(uint64_t address, Object &buffer);
    void remove_addressed(uint64_t address, const Object &buffer) noexcept;
    /// The last of them that begins at or before `address`, if there is one.
    [[nodiscard]] Ref<Object> addressed_before(uint64_t address) const;

    const Context &context;
    const uint32_t number; // identifies the context on the device; not 0
    /// Shared allocations on the device beyond RVL_SMALL_BUFFER_BYTES. Kernels may have a pointer
    /// into one from anywhere: their arguments, memory that they read, variables of the program.
    std::atomic<size_t> large_shared_allocations = 0;
    /// Loaded when a command could first use it (Transfer).
    LibraryCode transfer_code;

private:
    [[nodiscard]] Block allocate_from(Arena &arena, size_t bytes, size_t alignment,
                                      bool trims) const;

    PhysicalDevice &physical_device_;
    std::shared_ptr<DeviceInstance> instance_;
    std::shared_ptr<Arena> code_;
    std::shared_ptr<Arena> arena_;
    mutable std::atomic<Arena *> shared_arena_ = nullptr; // the instance keeps it
    std::unique_ptr<RecordPool> records_;
    mutable Mutex addressed_mutex_{LockRank::leaf};
    std::multimap<uint64_t, Object *> addressed_; // by address
    mutable Mutex trimmables_mutex_{LockRank::leaf};
    mutable std::vector<std::weak_ptr<Trimmable>> trimmables_;
};

class Context : public Object {
public:
    using Notify = void(CL_CALLBACK *)(const char *, const void *, size_t, void *);

    Context(std::vector<Ref<Device>> devices, std::vector<cl_context_properties> properties,
            Notify notify, void *user_data);
    ~Context() override;

    [[nodiscard]] const Context &context() const { return *this; }
    [[nodiscard]] const Object *reports_to() const final { return &context(); }
    [[nodiscard]] const std::vector<Ref<Device>> &devices() const { return devices_; }
    [[nodiscard]] bool has(const Device &device) const;
    [[nodiscard]] const std::vector<cl_context_properties> &properties() const {
        return properties_;
    }

    [[nodiscard]] ContextDevice &context_device(const Device &device) const {
        return context_device(device.physical_device());
    }
    [[nodiscard]] ContextDevice &context_device(const PhysicalDevice &physical_device) const;
    [[nodiscard]] const std::vector<std::unique_ptr<ContextDevice>> &context_devices() const {
        return context_devices_;
    }

    /// Calls the callback passed to clCreateContext, on the callback thread. `data`: private
    /// information such as a fault report.
    void tell(const std::string &message, std::span<const std::byte> data = {}) const;
    void report(const std::string &message) const override;

    void on_destruction(std::unique_ptr<Task> callback);

    [[nodiscard]] SharedMemory &shared_memory() const { return shared_memory_; }

    // The context's queues, for threads that wait for all of its commands (queues_of).
    void add_queue(Object &queue) const;
    void remove_queue(Object &queue) const;
    [[nodiscard]] std::vector<Ref<Object>> queues() const;

private:
    std::vector<Ref<Device>> devices_;
    std::vector<cl_context_properties> properties_;
    Notify notify_;
    void *user_data_;
    std::vector<std::unique_ptr<ContextDevice>> context_devices_;
    mutable SharedMemory shared_memory_;
    mutable Mutex mutex_{LockRank::leaf};
    mutable std::set<Object *> queues_;
    std::vector<std::unique_ptr<Task>> destruction_callbacks_;
};

/// Fails with `code` unless an allocation of this size is possible, on the device or on one of the
/// context's devices.
void check_allocation(const Device &device, size_t bytes, cl_int code);
void check_allocation(const Context &context, size_t bytes, cl_int code);

} // namespace rivulet
