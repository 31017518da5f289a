// SPDX-License-Identifier: Apache-2.0
//
// One life of a physical device: from its start to its death or the end of the process. Contexts
// hold the instance they were created on; after a death, a new context starts a new one. All
// accesses of contexts to the device go through their instance, which prevents them from reaching a
// later life.
#pragma once

#include <atomic>
#include <initializer_list>
#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "base/lock.h"
#include "hal/device.h"
#include "host-runtime/device/heap.h"
#include "host-runtime/device/scheduler.h"
#include "host-runtime/object/object.h"

namespace rivulet {

/// A context's state on the instance.
class InstanceUser {
public:
    /// The context, unless it is being destroyed.
    [[nodiscard]] virtual Ref<const Object> context_if_alive() const = 0;
    /// Frees device memory that the context can do without.
    virtual void trim() = 0;

    std::atomic<bool> loss_told = false; // the context has been told of the device's loss

protected:
    ~InstanceUser() = default;
};

class DeviceInstance {
public:
    explicit DeviceInstance(hal::Device &device);
    ~DeviceInstance();

    [[nodiscard]] hal::Device &hal() { return hal_; }
    [[nodiscard]] const rvl_hello &hello() const { return hello_; }
    [[nodiscard]] const std::shared_ptr<Heap> &heap() const { return heap_; }
    /// The pages of memory that several contexts may use (ExternalMemory); nullptr if launches
    /// can't name such pages in addition to their context's own.
    [[nodiscard]] std::shared_ptr<Arena> shared_arena();
    [[nodiscard]] Scheduler &scheduler() { return *scheduler_; }
    [[nodiscard]] bool alive() const;

    // These fail with CL_OUT_OF_RESOURCES if the device is dead.
    /// The host's pointer to device memory; nullptr if the driver can't map.
    [[nodiscard]] std::byte *host_pointer(uint64_t address) const;
    // Access device memory by address: copies, which are counted.
    void read(uint64_t address, std::span<std::byte> to);
    void write(uint64_t address, std::span<const std::byte> from);
    /// All bytes that `read` and `write` copied.
    [[nodiscard]] uint64_t copied_bytes() const {
        return copied_bytes_.load(std::memory_order_relaxed);
    }
    /// Writes to a launch's record and words (hal/device.h).
    struct Piece {
        uint64_t address;
        std::span<const std::byte> bytes;
    };
    void write_launch(std::initializer_list<Piece> pieces);
    /// Must surround accesses through host_pointer; a no-op on coherent devices that are alive.
    void sync(uint64_t address, size_t bytes, rvl_sync_direction direction);
    // dma-bufs of whole pages (hal/device.h).
    [[nodiscard]] Result<FileDescriptor> export_memory(uint64_t address, uint64_t bytes);
    [[nodiscard]] bool export_ended(uint64_t address, uint64_t bytes);
    [[nodiscard]] Result<> import_memory(uint64_t address, uint64_t bytes, int descriptor);
    void end_import(uint64_t address, uint64_t bytes);
    [[nodiscard]] Result<rvl_fault> fault(uint32_t index, uint32_t launch);
    /// The numbers of the launches that harts are working on; 0 for idle harts.
    [[nodiscard]] std::vector<uint32_t> launches_at_work();

    /// Waits until no thread is accessing the device and prevents further accesses: before it is
    /// stopped or restarted.
    void close();

    // Each user's context is notified once of the device's death.
    void add(InstanceUser &user);
    void remove(InstanceUser &user);
    void tell_loss(std::string_view reason);
    /// Frees device memory that contexts can do without.
    void trim();

private:
    template <class Access> void access(Access &&body);

    hal::Device &hal_;
    const rvl_hello hello_; // a copy, because the device's own is that of its latest start
    std::shared_ptr<Heap> heap_;
    Mutex shared_arena_mutex_{LockRank::memory};
    std::shared_ptr<Arena> shared_arena_;
    std::byte *mapping_ = nullptr;
    bool coherent_ = true;
    SharedMutex accesses_{LockRank::access}; // shared by all accesses to the device
    std::atomic<bool> closed_ = false;
    std::atomic<uint64_t> copied_bytes_ = 0;
    Mutex users_mutex_{LockRank::leaf};
    std::set<InstanceUser *> users_;
    std::unique_ptr<Scheduler> scheduler_;
};

} // namespace rivulet
