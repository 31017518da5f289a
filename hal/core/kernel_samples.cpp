// SPDX-License-Identifier: Apache-2.0
#include "hal/core/kernel_samples.h"

#include <atomic>
#include <cstdio>
#include <cstring>

#include "base/environment.h"

namespace rivulet::hal::trace {
namespace {

constexpr uint32_t slots = 1u << 15; // per hart: half a minute at the default rate
constexpr size_t ring_bytes = sizeof(rvl_sample_ring) + slots * sizeof(rvl_sample);

void say_why_not(const char *why) {
    std::fprintf(stderr, "rivulet: kernel sampling is off: %s\n", why);
}

} // namespace

size_t KernelSamples::bytes(const Device &device) {
    if (environment_number(Variable::sample).value_or(0) <= 0)
        return 0;
    constexpr uint32_t wanted = RVL_DEVICE_MAPS | RVL_DEVICE_COHERENT;
    if (RVL_VERSION_MINOR(device.hello().protocol) < 3)
        say_why_not("the device's firmware is too old");
    else if ((device.description().flags & wanted) != wanted)
        say_why_not("the device shares no coherent memory with the host");
    else
        return device.hello().harts * ring_bytes;
    return 0;
}

bool KernelSamples::start(Device &device, uint64_t address) {
    const uint32_t harts = device.hello().harts;
    std::byte *memory = address != 0 ? device.map(address, harts * ring_bytes) : nullptr;
    if (memory == nullptr) {
        say_why_not("not enough device memory");
        return false;
    }
    std::memset(memory, 0, harts * ring_bytes);
    rvl_slot slot{};
    slot.header = {.group = RVL_GROUP_BASE,
                   .service = RVL_BASE_SAMPLE,
                   .flags = RVL_FLAG_SILENT,
                   .length = sizeof(rvl_sampling),
                   .token = RVL_PING_TOKEN}; // no other command has this token
    const double rate = environment_number(Variable::sample).value_or(1000);
    slot.sampling = {address, slots, static_cast<uint32_t>(1e6 / rate)};
    if (const auto sent = device.submit({&slot, 1}); !sent || *sent != 1) {
        say_why_not("the device accepts no commands");
        return false;
    }
    address_ = address;
    next_.assign(harts, 0);
    return true;
}

void KernelSamples::write(TraceWriter &writer, Device &device, uint64_t row) {
    std::byte *memory = address_ != 0 ? device.map(address_, next_.size() * ring_bytes) : nullptr;
    if (memory == nullptr)
        return; // no new samples, or the device is lost
    for (unsigned hart = 0; hart < next_.size(); ++hart, memory += ring_bytes) {
        auto &ring = *reinterpret_cast<rvl_sample_ring *>(memory);
        const auto *samples = reinterpret_cast<const rvl_sample *>(&ring + 1);
        const uint32_t count = std::atomic_ref(ring.count).load(std::memory_order_acquire);
        uint32_t &next = next_[hart];
        if (count == next)
            continue;
        if (count - next > slots)
            next = count - slots; // overwritten samples are lost
        const uint64_t part = writer.find_part(row, "hart", hart);
        for (; next != count; ++next) {
            const rvl_sample &sample = samples[next & (slots - 1)];
            const Annotation annotations[] = {{"launch", sample.launch, {}},
                                              {"pc_offset", sample.pc_offset, {}}};
            writer.add_mark(part, "sample", device.host_time(sample.time), annotations);
        }
    }
}

} // namespace rivulet::hal::trace
