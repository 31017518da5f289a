// SPDX-License-Identifier: Apache-2.0
//
// One life of a physical device: from its start to its death or the end of the process. Contexts
// hold the instance they were made in; after a death a new context starts a new one. All accesses
// of contexts to the device go through their instance, which lets none pass into a later life.
#pragma once

#include <atomic>
#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "hal/core/lock.h"
#include "hal/device.h"
#include "host-runtime/memory/heap.h"

namespace rivulet {

class DeviceScheduler;
class ContextDevice;

class DeviceInstance {
public:
    explicit DeviceInstance(hal::Device &device);
    ~DeviceInstance();

    [[nodiscard]] hal::Device &hal() { return hal_; }
    [[nodiscard]] const rvl_hello &hello() const { return hello_; }
    [[nodiscard]] const std::shared_ptr<Heap> &heap() const { return heap_; }
    [[nodiscard]] DeviceScheduler &scheduler() { return *scheduler_; }
    [[nodiscard]] bool alive() const;

    // These fail with CL_OUT_OF_RESOURCES on a dead device.
    /// The host's pointer to device memory; nullptr when the driver can't map.
    [[nodiscard]] std::byte *host_pointer(uint64_t address) const;
    // Device memory by address.
    void read(uint64_t address, std::span<std::byte> to);
    void write(uint64_t address, std::span<const std::byte> from);
    /// To a launch's record and words (hal/device.h).
    void write_launch(uint64_t address, std::span<const std::byte> from);
    /// Has to be called around accesses through host_pointer; does nothing on coherent devices that
    /// live.
    void sync(uint64_t address, size_t bytes, rvl_sync_direction direction);
    [[nodiscard]] hal::Result<rvl_fault> fault(uint32_t index, uint32_t launch);
    /// The numbers of the launches that harts are at; 0 for those that wait.
    [[nodiscard]] std::vector<uint32_t> launches_at_work();

    /// Waits until nobody is at the device and lets nobody there any more: before it is stopped or
    /// started anew.
    void close();

    // The contexts' states on it, which are told of its death, once each.
    void add(ContextDevice &context_device);
    void remove(ContextDevice &context_device);
    void tell_loss(std::string_view reason);
    /// Gives back the memory of launch records that no context uses at the moment.
    void trim_records();

private:
    template <class Access> void access(Access &&body);

    hal::Device &hal_;
    const rvl_hello hello_; // the device's own is that of its latest start
    std::shared_ptr<Heap> heap_;
    std::byte *mapping_ = nullptr;
    bool coherent_ = true;
    SharedMutex accesses_{LockRank::access}; // shared by each access to the device
    std::atomic<bool> closed_ = false;
    Mutex context_devices_mutex_{LockRank::leaf};
    std::set<ContextDevice *> context_devices_;
    std::unique_ptr<DeviceScheduler> scheduler_;
};

} // namespace rivulet
