// SPDX-License-Identifier: Apache-2.0
//
// A device whose firmware writes what it likes into the mailbox: hello, ring indices, completions,
// log and fault reports. It answers commands properly otherwise, so that its start succeeds.
//
// The input's first two bytes are the number of bytes that the hello differs in; those follow as an
// offset and a byte each. The rest is what happens to the running device, an action at a time.
#include <array>
#include <cstdlib>
#include <cstring>
#include <fuzzer/FuzzedDataProvider.h>

#include "hal/device.h"

namespace {

using namespace rivulet;

constexpr uint64_t base = 0x80000000;
constexpr size_t memory_bytes = 16384;
constexpr uint32_t slots = 8;
constexpr uint32_t log_bytes = 64;

} // namespace

struct rvl_device {
    const rvl_host *host = nullptr;
    alignas(64) std::array<std::byte, memory_bytes> memory{};
    FuzzedDataProvider *input = nullptr;
    unsigned patience = 0; // waits until it says that it is dead

    rvl_mailbox &mailbox() { return *reinterpret_cast<rvl_mailbox *>(memory.data()); }
    std::byte *at(uint64_t address) { return memory.data() + (address - base); }
};

namespace {

rvl_device the_device;

rvl_status enumerate(const rvl_config *, const rvl_host *, rvl_device_desc *device, size_t,
                     size_t *count) {
    *device = {};
    device->size = sizeof *device;
    device->flags = RVL_DEVICE_MAPS | RVL_DEVICE_COHERENT | RVL_DEVICE_BUILT_IN_FIRMWARE;
    std::strcpy(device->name, "hostile");
    std::strcpy(device->isa, "rv64imac");
    device->harts = 1;
    device->xlen = 64;
    device->memory_base = device->mailbox = base;
    device->memory_bytes = memory_bytes;
    *count = 1;
    return RVL_OK;
}

rvl_status open(const rvl_config *, const rvl_device_desc *, const rvl_host *host,
                rvl_device **device) {
    the_device.host = host;
    *device = &the_device;
    return RVL_OK;
}

rvl_hello proper_hello() {
    rvl_hello hello{};
    hello.magic = RVL_MAILBOX_MAGIC;
    hello.protocol = RVL_PROTOCOL_VERSION;
    hello.bytes = sizeof hello;
    hello.state = RVL_STATE_RUNNING;
    hello.harts = 1;
    hello.xlen = 64;
    hello.cache_block = RVL_CACHE_BLOCK;
    hello.timebase = 10'000'000;
    hello.command_ring = base + 4096;
    hello.completion_ring = hello.command_ring + slots * sizeof(rvl_slot);
    hello.log_ring = hello.completion_ring + slots * sizeof(rvl_slot);
    hello.fault_table = hello.log_ring + log_bytes;
    hello.heap_base = base + 8192;
    hello.heap_bytes = memory_bytes - 8192;
    hello.command_slots = hello.completion_slots = slots;
    hello.log_bytes = log_bytes;
    hello.fault_slots = 2;
    return hello;
}

rvl_status start(rvl_device *device) {
    rvl_hello hello = proper_hello();
    for (size_t count = device->input->ConsumeIntegral<uint16_t>() % 64; count-- > 0;) {
        const auto offset = device->input->ConsumeIntegral<uint16_t>() % sizeof hello;
        const auto byte = device->input->ConsumeIntegral<uint8_t>();
        std::memcpy(reinterpret_cast<std::byte *>(&hello) + offset, &byte, 1);
    }
    device->mailbox().hello = hello;
    device->mailbox().device_notify_enabled.value = 1;
    device->patience = 100;
    return RVL_OK;
}

/// Every command completes at once.
rvl_status ring(rvl_device *device, uint64_t) {
    rvl_mailbox &mailbox = device->mailbox();
    const rvl_hello proper = proper_hello();
    auto &head = mailbox.commands.head.value;
    for (uint32_t count = 0; count < slots && head != mailbox.commands.tail.value; ++count) {
        rvl_slot slot;
        std::memcpy(&slot, device->at(proper.command_ring) + head % slots * sizeof slot,
                    sizeof slot);
        slot.header.flags |= RVL_FLAG_COMPLETION;
        slot.completion = {};
        ++head;
        auto &tail = mailbox.completions.tail.value;
        std::memcpy(device->at(proper.completion_ring) + tail % slots * sizeof slot, &slot,
                    sizeof slot);
        ++tail;
    }
    return RVL_OK;
}

rvl_status wait(rvl_device *device, uint64_t) {
    return device->patience != 0 && --device->patience != 0 ? RVL_TIMEOUT : RVL_DEAD;
}

rvl_status map(rvl_device *device, uint64_t address, size_t, void **host) {
    *host = device->at(address);
    return RVL_OK;
}

constexpr rvl_driver driver = {
    .hal_version = RVL_HAL_VERSION,
    .size = sizeof(rvl_driver),
    .name = "hostile",
    .enumerate = enumerate,
    .open = open,
    .close = [](rvl_device *) {},
    .load = [](rvl_device *, const void *, size_t) { return RVL_OK; },
    .start = start,
    .reset =
        [](rvl_device *device) {
            device->memory.fill({});
            return RVL_OK;
        },
    .map = map,
    .read =
        [](rvl_device *device, uint64_t address, void *to, size_t bytes) {
            std::memcpy(to, device->at(address), bytes);
            return RVL_OK;
        },
    .write =
        [](rvl_device *device, uint64_t address, const void *from, size_t bytes) {
            std::memcpy(device->at(address), from, bytes);
            return RVL_OK;
        },
    .sync = [](rvl_device *, uint64_t, size_t, rvl_sync_direction) { return RVL_OK; },
    .ring = ring,
    .wait = wait,
    .wake = [](rvl_device *) { return RVL_OK; },
    .describe = nullptr,
};

/// The words that firmware owns, and rings, log and fault table.
void scribble(FuzzedDataProvider &input) {
    rvl_mailbox &mailbox = the_device.mailbox();
    uint32_t *const words[] = {&mailbox.completions.tail.value,
                               &mailbox.commands.head.value,
                               &mailbox.log.tail.value,
                               &mailbox.hello.state,
                               &mailbox.log_lost,
                               &mailbox.device_notify_enabled.value};
    const auto which = input.ConsumeIntegral<uint8_t>() % (std::size(words) + 1);
    if (which < std::size(words)) {
        *words[which] = input.ConsumeIntegral<uint32_t>();
        return;
    }
    const auto offset = input.ConsumeIntegral<uint16_t>() % 4096;
    const auto bytes = input.ConsumeBytes<uint8_t>(input.ConsumeIntegral<uint8_t>());
    const size_t count = std::min<size_t>(bytes.size(), 4096 - offset);
    if (count != 0)
        std::memcpy(the_device.memory.data() + 4096 + offset, bytes.data(), count);
}

void act(hal::Device &device, FuzzedDataProvider &input) {
    switch (input.ConsumeIntegral<uint8_t>() % 6) {
    case 0:
        return scribble(input);
    case 1:
        if (const auto taken = device.completions({}))
            for (const rvl_slot &slot : *taken) {
                (void)device.host_time(slot.completion.start);
                (void)device.fault(slot.completion.fault, slot.completion.launch);
            }
        return;
    case 2: {
        const std::vector<rvl_slot> commands(input.ConsumeIntegral<uint8_t>() % 16);
        (void)device.submit(commands);
        return;
    }
    case 3:
        (void)device.fault(input.ConsumeIntegral<uint8_t>(), 0);
        return;
    case 4: {
        std::array<std::byte, 64> bytes{};
        const auto address = base + input.ConsumeIntegral<uint16_t>();
        if (device.map(address, bytes.size()) == nullptr)
            (void)device.read(address, bytes);
        return;
    }
    default:
        (void)device.room();
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    FuzzedDataProvider input(data, size);
    the_device.input = &input;
    the_device.memory.fill({});
    const auto log = [](int, std::string_view text) {
        if (text.size() > 8192) // a line of the firmware, whether it ends or not
            std::abort();
    };
    auto device = hal::Device::open(driver, {}, log);
    if (!device)
        std::abort();
    if ((*device)->start())
        while (input.remaining_bytes() != 0)
            act(**device, input);
    return 0;
}
