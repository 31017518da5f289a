// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/graph/kernel_samples.h"

#include <cstdio>
#include <cstring>

#include "hal/core/environment.h"
#include "hal/core/trace.h"
#include "host-runtime/device/session.h"

namespace rivulet {
namespace {

constexpr uint32_t slots_per_hart = 1u << 15; // half a minute at the usual rate

void say_why_not(const char *why) {
    std::fprintf(stderr, "rivulet: no samples of kernels are taken: %s\n", why);
}

} // namespace

std::unique_ptr<KernelSamples> KernelSamples::start(Session &session) {
    const auto rate = hal::environment_number(hal::Variable::sample).value_or(0);
    if (rate <= 0 || !hal::trace::is_on())
        return nullptr;
    constexpr uint32_t wanted = RVL_DEVICE_MAPS | RVL_DEVICE_COHERENT;
    const rvl_hello &hello = session.hello();
    if (RVL_VERSION_MINOR(hello.protocol) < 3) {
        say_why_not("the device's firmware is older than that");
        return nullptr;
    }
    if ((session.hal().description().flags & wanted) != wanted) {
        say_why_not("the device shares no coherent memory with the host");
        return nullptr;
    }
    const size_t bytes =
        size_t{hello.harts} * (sizeof(rvl_sample_ring) + slots_per_hart * sizeof(rvl_sample));
    Block rings = std::make_shared<Arena>(session.heap())->allocate(bytes, RVL_PAGE_BYTES);
    std::byte *memory = rings ? session.hal().map(rings.address(), bytes) : nullptr;
    if (memory == nullptr) {
        say_why_not("device memory is short");
        return nullptr;
    }
    std::memset(memory, 0, bytes);
    rvl_slot slot{};
    slot.header = {.group = RVL_GROUP_BASE,
                   .service = RVL_BASE_SAMPLE,
                   .flags = RVL_FLAG_SILENT,
                   .length = sizeof(rvl_sampling),
                   .token = hal::RVL_PING_TOKEN}; // no command of the graph has it
    slot.sampling = {rings.address(), slots_per_hart, static_cast<uint32_t>(1e6 / rate)};
    if (const auto sent = session.hal().submit({&slot, 1}); !sent || *sent != 1) {
        say_why_not("the device takes no command");
        return nullptr;
    }
    return std::unique_ptr<KernelSamples>(
        new KernelSamples(session, std::move(rings), slots_per_hart));
}

KernelSamples::KernelSamples(Session &session, Block rings, uint32_t slots)
    : session_(session), rings_(std::move(rings)), slots_(slots), read_(session.hello().harts) {}

uint64_t KernelSamples::ring_bytes() const {
    return sizeof(rvl_sample_ring) + slots_ * sizeof(rvl_sample);
}

void KernelSamples::write(hal::trace::TraceWriter &writer, uint64_t row) {
    const Lock lock(mutex_);
    std::byte *memory = session_.hal().map(rings_.address(), ring_bytes() * read_.size());
    if (memory == nullptr)
        return; // the device is lost
    for (unsigned hart = 0; hart < read_.size(); ++hart, memory += ring_bytes()) {
        auto &ring = *reinterpret_cast<rvl_sample_ring *>(memory);
        const auto *samples = reinterpret_cast<const rvl_sample *>(&ring + 1);
        const uint32_t count = std::atomic_ref(ring.count).load(std::memory_order_acquire);
        uint32_t &next = read_[hart];
        if (count == next)
            continue;
        if (count - next > slots_)
            next = count - slots_; // what was overwritten is lost
        const uint64_t part = writer.find_part(row, "hart", hart);
        for (; next != count; ++next) {
            const rvl_sample &sample = samples[next & (slots_ - 1)];
            const hal::trace::Annotation place[] = {{"launch", sample.launch, {}},
                                                    {"place", sample.place, {}}};
            writer.add_mark(part, "sample", session_.hal().host_time(sample.time), place);
        }
    }
}

} // namespace rivulet
