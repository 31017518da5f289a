// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/device/device_instance.h"

#include <algorithm>
#include <mutex>
#include <shared_mutex>

#include "base/error.h"
#include "host-runtime/device/physical_device.h"
#include "host-runtime/object/entry.h"

namespace rivulet {
namespace {

size_t maintained_block(const hal::Device &device) {
    const rvl_device_desc &description = device.description();
    return (description.flags & RVL_DEVICE_COHERENT) != 0
               ? RVL_CACHE_BLOCK
               : std::max<size_t>(
                     {RVL_CACHE_BLOCK, description.cache_block, device.hello().cache_block});
}

} // namespace

DeviceInstance::DeviceInstance(hal::Device &device)
    : hal_(device), hello_(device.hello()),
      heap_(std::make_shared<Heap>(
          hello_.heap_base, hello_.heap_bytes,
          Range{hello_.second_heap_base, hello_.second_heap_base + hello_.second_heap_bytes},
          // Buffers are aligned to this, so smaller gaps between them would be useless.
          std::max(maintained_block(device), buffer_alignment))),
      coherent_(device.description().flags & RVL_DEVICE_COHERENT) {
    if (device.description().flags & RVL_DEVICE_MAPS)
        mapping_ = hal_.map(hello_.heap_base, hello_.heap_bytes);
    scheduler_ = make_scheduler(*this);
}

DeviceInstance::~DeviceInstance() = default;

// The pages take the place of those in a second heap.
std::shared_ptr<Arena> DeviceInstance::shared_arena() {
    if (!(hello_.flags & RVL_HELLO_SHARED_PAGES) || hello_.second_heap_bytes != 0)
        return nullptr;
    const Lock lock(shared_arena_mutex_);
    if (!shared_arena_)
        shared_arena_ = std::make_shared<Arena>(heap_);
    return shared_arena_;
}

bool DeviceInstance::alive() const { return scheduler_->alive(); }

template <class Access> void DeviceInstance::access(Access &&body) {
    const std::shared_lock lock(accesses_);
    require(!closed_ && alive() && body(), CL_OUT_OF_RESOURCES, "the device was lost");
}

std::byte *DeviceInstance::host_pointer(uint64_t address) const {
    require(alive(), CL_OUT_OF_RESOURCES, "the device was lost");
    return mapping_ ? mapping_ + (address - hello_.heap_base) : nullptr;
}

void DeviceInstance::read(uint64_t address, std::span<std::byte> to) {
    access([&] { return hal_.read(address, to).has_value(); });
    copied_bytes_.fetch_add(to.size(), std::memory_order_relaxed);
}

void DeviceInstance::write(uint64_t address, std::span<const std::byte> from) {
    access([&] { return hal_.write(address, from).has_value(); });
    copied_bytes_.fetch_add(from.size(), std::memory_order_relaxed);
}

// Without `access`: the HAL knows whether its device is alive, and a later life begins after
// `close`.
void DeviceInstance::write_launch(std::initializer_list<Piece> pieces) {
    const std::shared_lock lock(accesses_);
    bool written = !closed_;
    for (const Piece &piece : pieces)
        written = written && hal_.write_launch(piece.address, piece.bytes);
    require(written, CL_OUT_OF_RESOURCES, "the device was lost");
}

void DeviceInstance::sync(uint64_t address, size_t bytes, rvl_sync_direction direction) {
    access([&] { return coherent_ || hal_.sync(address, bytes, direction); });
}

Result<FileDescriptor> DeviceInstance::export_memory(uint64_t address, uint64_t bytes) {
    const std::shared_lock lock(accesses_);
    return closed_ ? rivulet::fail(RVL_DEAD, "the device was lost")
                   : hal_.export_memory(address, bytes);
}

bool DeviceInstance::export_ended(uint64_t address, uint64_t bytes) {
    const std::shared_lock lock(accesses_);
    return closed_ || hal_.export_ended(address, bytes);
}

Result<> DeviceInstance::import_memory(uint64_t address, uint64_t bytes, int descriptor) {
    const std::shared_lock lock(accesses_);
    return closed_ ? rivulet::fail(RVL_DEAD, "the device was lost")
                   : hal_.import_memory(address, bytes, descriptor);
}

// A restarted device has fresh memory.
void DeviceInstance::end_import(uint64_t address, uint64_t bytes) {
    const std::shared_lock lock(accesses_);
    if (!closed_)
        hal_.end_import(address, bytes);
}

Result<rvl_fault> DeviceInstance::fault(uint32_t index, uint32_t launch) {
    const std::shared_lock lock(accesses_);
    if (closed_)
        return fail(RVL_DEAD, "the device was lost");
    return hal_.fault(index, launch);
}

std::vector<uint32_t> DeviceInstance::launches_at_work() {
    const std::shared_lock lock(accesses_);
    if (closed_ || hello_.statistics == 0 ||
        hal_.state() != RVL_STATE_RUNNING) // waiting for a suspended device would take too long
        return {};
    std::vector<uint32_t> launches(hello_.harts);
    uint64_t address = hello_.statistics + offsetof(rvl_hart_statistics, launch);
    for (uint32_t &launch : launches) {
        if (const std::byte *word = coherent_ ? hal_.map(address, sizeof launch) : nullptr)
            launch = __atomic_load_n(reinterpret_cast<const uint32_t *>(word), __ATOMIC_RELAXED);
        else if (!hal_.read(address, std::as_writable_bytes(std::span(&launch, 1))))
            return {};
        address += sizeof(rvl_hart_statistics);
    }
    return launches;
}

void DeviceInstance::close() {
    closed_ = true; // first, so that new accesses are not waited for
    const std::unique_lock lock(accesses_);
}

void DeviceInstance::add(InstanceUser &user) {
    const Lock lock(users_mutex_);
    users_.insert(&user);
}

void DeviceInstance::remove(InstanceUser &user) {
    const Lock lock(users_mutex_);
    users_.erase(&user);
}

void DeviceInstance::trim() {
    std::vector<std::pair<Ref<const Object>, InstanceUser *>> alive;
    {
        const Lock lock(users_mutex_);
        for (InstanceUser *user : users_)
            if (auto context = user->context_if_alive())
                alive.emplace_back(std::move(context), user);
    }
    for (const auto &[context, user] : alive)
        user->trim();
}

void DeviceInstance::tell_loss(std::string_view reason) {
    const auto next = [&]() -> Ref<const Object> {
        const Lock lock(users_mutex_);
        for (InstanceUser *user : users_)
            if (!user->loss_told.exchange(true))
                if (auto context = user->context_if_alive())
                    return context;
        return nullptr;
    };
    while (const auto context = next())
        (void)guarded([&] { context->report(text({"the device was lost: ", reason})); });
}

} // namespace rivulet
