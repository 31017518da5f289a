// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/context/context.h"

#include <algorithm>

#include "host-runtime/context/records.h"
#include "host-runtime/device/limits.h"
#include "host-runtime/object/entry.h"
#include "host-runtime/object/log.h"

namespace rivulet {

namespace {
std::atomic<uint32_t> latest_number = 0;
} // namespace

ContextDevice::ContextDevice(const Context &context, PhysicalDevice &physical_device)
    : context(context), number(++latest_number), physical_device_(physical_device),
      instance_(physical_device.instance()),
      code_(std::make_shared<Arena>(instance_->heap(), Arena::Use::code)),
      arena_(std::make_shared<Arena>(code_)),
      records_(std::make_unique<RecordPool>(*instance_, *arena_, *code_)) {
    instance_->add(*this); // if the instance has died meanwhile, its first command fails
}

ContextDevice::~ContextDevice() { instance_->remove(*this); }

Ref<const Object> ContextDevice::context_if_alive() const {
    return context.retain_if_alive() ? Ref<const Object>::adopt(&context) : nullptr;
}

void ContextDevice::add(std::weak_ptr<Trimmable> trimmable) const {
    const Lock lock(trimmables_mutex_);
    std::erase_if(trimmables_, [](const auto &other) { return other.expired(); });
    trimmables_.push_back(std::move(trimmable));
}

void ContextDevice::trim() {
    records_->trim();
    std::vector<std::shared_ptr<Trimmable>> all; // trimmed without the lock
    {
        const Lock lock(trimmables_mutex_);
        for (const auto &trimmable : trimmables_)
            if (auto alive = trimmable.lock())
                all.push_back(std::move(alive));
    }
    for (const auto &trimmable : all)
        trimmable->trim();
}

Arena &ContextDevice::share_pages() const {
    Arena *const arena = instance_->shared_arena().get();
    require(arena, CL_INVALID_OPERATION,
            "contexts can't share memory of this device: it has a second heap, or too few PMP "
            "entries, or its firmware is older than this library");
    shared_arena_ = arena;
    return *arena;
}

namespace {

/// Advice on how to get more memory, for memory objects of `bytes` in total.
std::string more_memory(uint64_t bytes) {
    constexpr uint64_t gib = uint64_t{1} << 30;
    // At least an eighth of the memory is used by the firmware and the stacks (expected_memory).
    return text({"where the device is a machine of QEMU, memory=", (bytes + bytes / 7) / gib + 1,
                 "G in RIVULET_MACHINE would do"});
}

} // namespace

Block ContextDevice::allocate(size_t bytes, size_t alignment) const {
    return allocate_from(*arena_, bytes, alignment, true);
}

Block ContextDevice::allocate_code(size_t bytes, bool trims) const {
    return allocate_from(*code_, bytes, RVL_PAGE_BYTES, trims);
}

Block ContextDevice::allocate_shared(size_t bytes) const {
    return allocate_from(share_pages(), bytes, RVL_PAGE_BYTES, true);
}

Block ContextDevice::allocate_from(Arena &arena, size_t bytes, size_t alignment, bool trims) const {
    Block block = arena.allocate(bytes, alignment);
    if (!block && trims) { // unused records and versions of kernels may be in the way
        instance_->trim();
        block = arena.allocate(bytes, alignment);
    }
    if (!block) {
        const uint64_t all = physical_device_.global_memory_bytes();
        fail(CL_MEM_OBJECT_ALLOCATION_FAILURE,
             "no % contiguous bytes of the device's % are free: release others first; %",
             {bytes, all, more_memory(all + bytes)});
    }
    return block;
}

void check_allocation(const Device &device, size_t bytes, cl_int code) {
    require(bytes > 0, code, "size is 0");
    const uint64_t most = max_allocation(device);
    if (bytes > most)
        fail(code, "size is %, the most is % (CL_DEVICE_MAX_MEM_ALLOC_SIZE): %",
             {bytes, most,
              device.xlen() == 32 && bytes > largest_small_buffer
                  ? "no device of 32 bits has larger buffers"
                  : more_memory(bytes + bytes / 32)});
}

void check_allocation(const Context &context, size_t bytes, cl_int code) {
    const auto &largest = *std::ranges::max_element(
        context.devices(), {}, [](const Ref<Device> &device) { return max_allocation(*device); });
    check_allocation(*largest, bytes, code);
}

Context::Context(std::vector<Ref<Device>> devices, std::vector<cl_context_properties> properties,
                 Notify notify, void *user_data)
    : Object(Kind::context), devices_(std::move(devices)), properties_(std::move(properties)),
      notify_(notify), user_data_(user_data) {
    for (const Ref<Device> &device : devices_)
        if (std::ranges::none_of(context_devices_, [&](const auto &context_device) {
                return &context_device->physical_device() == &device->physical_device();
            }))
            context_devices_.push_back(
                std::make_unique<ContextDevice>(*this, device->physical_device()));
    if (context_devices_.size() > 1)
        start(Worker::commands); // which move memory between devices
}

Context::~Context() {
    for (; !destruction_callbacks_.empty(); destruction_callbacks_.pop_back())
        run_callback(std::move(destruction_callbacks_.back()));
}

bool Context::has(const Device &device) const {
    return std::ranges::any_of(devices_, [&](const auto &own) { return own.get() == &device; });
}

ContextDevice &Context::context_device(const PhysicalDevice &physical_device) const {
    for (const auto &context_device : context_devices_)
        if (&context_device->physical_device() == &physical_device)
            return *context_device;
    fail(CL_INVALID_DEVICE, "the device is not in the context");
}

void Context::report(const std::string &message) const {
    log(1, message);
    tell(message);
}

void Context::tell(const std::string &message, std::span<const std::byte> data) const {
    if (notify_)
        run_callback(callback([notify = notify_, user_data = user_data_, message,
                               copy = std::vector(data.begin(), data.end())] {
            notify(message.c_str(), copy.data(), copy.size(), user_data);
        }));
}

void ContextDevice::add_addressed(uint64_t address, Object &buffer) {
    const Lock lock(addressed_mutex_);
    addressed_.emplace(address, &buffer);
}

void ContextDevice::remove_addressed(uint64_t address, const Object &buffer) noexcept {
    const Lock lock(addressed_mutex_);
    for (auto [at, end] = addressed_.equal_range(address); at != end; ++at)
        if (at->second == &buffer) {
            addressed_.erase(at);
            return;
        }
}

Ref<Object> ContextDevice::addressed_before(uint64_t address) const {
    const Lock lock(addressed_mutex_);
    const auto next = addressed_.upper_bound(address);
    if (next == addressed_.begin() || !std::prev(next)->second->retain_if_alive())
        return nullptr;
    return Ref<Object>::adopt(std::prev(next)->second);
}

void Context::add_queue(Object &queue) const {
    Lock lock(mutex_);
    queues_.insert(&queue);
}

void Context::remove_queue(Object &queue) const {
    Lock lock(mutex_);
    queues_.erase(&queue);
}

std::vector<Ref<Object>> Context::queues() const {
    Lock lock(mutex_);
    std::vector<Ref<Object>> alive;
    for (Object *queue : queues_)
        if (queue->retain_if_alive())
            alive.push_back(Ref<Object>::adopt(queue));
    return alive;
}

void Context::on_destruction(std::unique_ptr<Task> callback) {
    Lock lock(mutex_);
    destruction_callbacks_.push_back(std::move(callback));
}

} // namespace rivulet
