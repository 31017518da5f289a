// SPDX-License-Identifier: Apache-2.0
#include "tools/rivuletd/client.h"

#include <sys/socket.h>

#include <algorithm>
#include <cstring>

#include "base/now.h"
#include "hal/protocol/signature.h"

namespace rivulet::tools {
namespace {

// A client can name any number of streams and contexts. Streams without launches are forgotten
// above this number, and with them that their last launch failed; the firmware does the same.
constexpr size_t most_streams = 2048;
// Contexts above this number get new device numbers, which only costs clearing harts.
constexpr size_t most_contexts = 4096;

} // namespace

void Client::ring() const {
    constexpr char byte = 0; // a full socket has rings that the client has yet to see
    static_cast<void>(send(bell.get(), &byte, sizeof byte, MSG_DONTWAIT | MSG_NOSIGNAL));
}

void Client::complete(const rvl_header &command, uint32_t launch, rvl_result result,
                      uint64_t time) {
    if (result == RVL_RESULT_OK && (command.flags & RVL_FLAG_SILENT) != 0)
        return;
    rvl_slot slot{};
    slot.header = command;
    slot.header.flags |= RVL_FLAG_COMPLETION;
    slot.header.length = sizeof slot.completion;
    slot.completion = {.launch = launch,
                       .result = static_cast<uint32_t>(result),
                       .start = time,
                       .end = time,
                       .instructions = 0,
                       .harts = 0,
                       .fault = RVL_FAULT_NONE,
                       .reserved = 0};
    mailbox.complete(slot);
}

bool Client::is_urgent(const rvl_header &command) const {
    return limits.high_priority && (command.flags & RVL_FLAG_HIGH) != 0 &&
           command.group == RVL_GROUP_LAUNCH && command.service == RVL_LAUNCH_NDRANGE &&
           command.length >= RVL_LAUNCH_LEAST_BYTES;
}

// Launches are ordered within their stream only, and by commands that load their code.
std::optional<uint32_t> Client::find_urgent() {
    if (!limits.high_priority)
        return std::nullopt;
    for (const uint32_t count = mailbox.look(); ahead.searched_for_urgent < count;
         ++ahead.searched_for_urgent) {
        const rvl_slot &command = mailbox.command(ahead.searched_for_urgent);
        const rvl_header &header = command.header;
        if (header.group == RVL_GROUP_MEMORY)
            ahead.all_streams = true;
        if (ahead.all_streams)
            continue;
        if (is_urgent(header) && !ahead.streams.contains(command.launch.stream))
            return ahead.searched_for_urgent;
        if (header.group == RVL_GROUP_LAUNCH && header.service != RVL_LAUNCH_KILL)
            ahead.streams.insert(command.launch.stream);
    }
    return std::nullopt;
}

bool Client::take(uint32_t index) {
    const rvl_slot &command = mailbox.command(index);
    const bool killed = command.header.group == RVL_GROUP_LAUNCH &&
                        ahead.kills.erase(command.launch.launch) != 0 &&
                        command.header.service != RVL_LAUNCH_KILL;
    mailbox.take(index);
    if (index < ahead.searched_for_kills)
        --ahead.searched_for_kills;
    if (index < ahead.searched_for_urgent) { // what it held back may go ahead now
        ahead.searched_for_urgent = 0;
        ahead.streams.clear();
        ahead.all_streams = false;
    }
    return killed;
}

bool Client::holds_pages(uint32_t page, uint32_t pages) const {
    // A page number has 32 bits; the heap's upper bits are those of the device's addresses.
    const auto first = static_cast<uint32_t>(heap.base / RVL_PAGE_BYTES);
    const uint32_t offset = page - first;
    const uint64_t all = heap.bytes / RVL_PAGE_BYTES;
    return offset < all && pages <= all - offset;
}

const char *Client::flaw_of(const rvl_launch &launch) const {
    if (launch.launch == 0)
        return "its number is 0";
    if (launch.arena_pages == 0 || !holds_pages(launch.arena_page, launch.arena_pages))
        return "its arena is not in the heap";
    if (launch.code_pages == 0 || !holds_pages(launch.code_page, launch.code_pages))
        return "its code is not in the heap";
    if (launch.second_pages != 0 && !holds_pages(launch.second_page, launch.second_pages))
        return "its second arena is in neither heap";
    return nullptr;
}

const char *Client::flaw_of(const rvl_load_code &load) const {
    if (!heap.holds(load.destination, load.bytes) || !heap.holds(load.source, load.bytes))
        return "load of code outside the heap";
    if (load.signature != 0 && !heap.holds(load.signature, RVL_SIGNATURE_BYTES))
        return "the signature of code is outside the heap";
    return nullptr;
}

Client::Stream &Client::stream_of(uint32_t number, DeviceNumbers &numbers) {
    if (const auto known = streams_.find(number); known != streams_.end())
        return known->second;
    if (streams_.size() >= most_streams) {
        std::erase_if(streams_, [](const auto &one) {
            return one.second.works.empty() && !one.second.failed;
        });
        if (streams_.size() >= most_streams)
            std::erase_if(streams_, [](const auto &one) { return one.second.works.empty(); });
    }
    Stream &stream = streams_[number];
    stream.number = DeviceNumbers::next(numbers.stream);
    return stream;
}

uint32_t Client::context_of(uint32_t number, DeviceNumbers &numbers) {
    if (contexts_.size() >= most_contexts)
        contexts_.clear();
    uint32_t &known = contexts_[number];
    if (known == 0)
        known = DeviceNumbers::next(numbers.context);
    return known;
}

uint32_t Client::device_number(uint32_t launch) const {
    const auto known = numbers_.find(launch);
    return known != numbers_.end() ? known->second : 0;
}

void Client::add_work(uint32_t device_number, const rvl_slot &command, Stream &stream,
                      bool is_wait) {
    works[device_number] = {.number = command.launch.launch,
                            .stream = command.launch.stream,
                            .header = command.header,
                            .is_wait = is_wait,
                            .awaited = 0,
                            .waits = {},
                            .charged = 0,
                            .since_ns = now_ns()};
    numbers_[command.launch.launch] = device_number;
    stream.works.push_back(device_number);
    urgent += is_urgent(command.header) ? 1 : 0;
}

rvl_slot Client::launch_for_device(const rvl_slot &command, DeviceNumbers &numbers) {
    rvl_slot slot = command;
    if (command.header.length < sizeof slot.launch)
        slot.launch.second_page = slot.launch.second_pages = 0;
    slot.header.length = sizeof slot.launch;
    slot.header.token = 0;
    // Each launch has to be accounted for; which ones are reported is decided here.
    slot.header.flags =
        command.header.flags & (RVL_FLAG_BARRIER | RVL_FLAG_ON_SUCCESS | RVL_FLAG_HART_RANGE);
    if (is_urgent(command.header))
        slot.header.flags |= RVL_FLAG_HIGH;
    else if ((command.header.flags & RVL_FLAG_HIGH) == 0)
        slot.header.flags |= command.header.flags & RVL_FLAG_LOW;
    if (const char *flaw = flaw_of(slot.launch)) {
        mailbox.log(text({"launch ", command.launch.launch, " refused: ", flaw}));
        slot.launch.arena_pages = slot.launch.code_pages = slot.launch.second_pages = 0;
    }
    Stream &stream = stream_of(command.launch.stream, numbers);
    slot.launch.launch = DeviceNumbers::next(numbers.launch);
    slot.launch.stream = stream.number;
    slot.launch.context = context_of(command.launch.context, numbers);
    if (limits.time_limit_ms != 0 &&
        (slot.launch.time_limit == 0 || slot.launch.time_limit > limits.time_limit_ms))
        slot.launch.time_limit = limits.time_limit_ms;
    add_work(slot.launch.launch, command, stream, false);
    return slot;
}

// Launches that have ended are left out: the device, which knows them by other numbers, would say
// the same, except that only the client's failures count.
rvl_slot Client::wait_for_device(const rvl_slot &command, DeviceNumbers &numbers) {
    rvl_slot slot = command;
    slot.header.length = sizeof slot.wait;
    slot.header.token = 0;
    slot.header.flags = command.header.flags & (RVL_FLAG_BARRIER | RVL_FLAG_ON_SUCCESS);
    rvl_wait &wait = slot.wait;
    const rvl_wait &asked = command.wait;
    Stream &stream = stream_of(asked.stream, numbers);
    wait = {};
    wait.number = DeviceNumbers::next(numbers.launch);
    wait.stream = stream.number;
    wait.failed = asked.failed != 0 ? 1 : 0;
    std::vector<Work *> awaited;
    const uint8_t count = std::min<uint8_t>(asked.count, RVL_WAITS);
    for (uint8_t i = 0; i < count; ++i) {
        const bool needs_success = (asked.needs_success >> i & 1) != 0;
        const uint32_t number = device_number(asked.launch[i]);
        if (number == 0) {
            if (needs_success &&
                failures_[asked.launch[i] % remembered_failures] == asked.launch[i])
                wait.failed = 1;
            continue;
        }
        if (needs_success)
            wait.needs_success = static_cast<uint16_t>(wait.needs_success | 1u << wait.count);
        wait.launch[wait.count++] = number;
        awaited.push_back(&works[number]);
    }
    if (asked.count > RVL_WAITS) // refused by the device
        wait.count = RVL_WAITS + 1;
    for (Work *work : awaited)
        work->waits.push_back(wait.number);
    const auto pending = static_cast<uint32_t>(awaited.size());
    add_work(wait.number, command, stream, true);
    works[wait.number].awaited = pending;
    retire_waits(asked.stream);
    return slot;
}

// A wait counts as ended once everything that it waits for has ended, and everything before it in
// its stream. The device may have ended it earlier, and will not have it for long.
void Client::retire_waits(uint32_t stream) {
    std::vector<uint32_t> streams{stream};
    while (!streams.empty()) {
        const auto known = streams_.find(streams.back());
        streams.pop_back();
        if (known == streams_.end())
            continue;
        auto &order = known->second.works;
        while (!order.empty()) {
            const auto first = works.find(order.front());
            if (first == works.end() || !first->second.is_wait || first->second.awaited != 0)
                break;
            const Work wait = std::move(first->second);
            const uint32_t number = first->first;
            works.erase(first);
            order.pop_front();
            if (device_number(wait.number) == number)
                numbers_.erase(wait.number);
            for (const uint32_t other : wait.waits)
                if (const auto waiting = works.find(other); waiting != works.end()) {
                    --waiting->second.awaited;
                    streams.push_back(waiting->second.stream);
                }
        }
    }
}

void Client::end_work(uint32_t device_number_, bool failed) {
    const auto ended = works.find(device_number_);
    if (ended == works.end())
        return;
    const Work work = std::move(ended->second);
    works.erase(ended);
    urgent -= is_urgent(work.header) ? 1 : 0;
    if (device_number(work.number) == device_number_)
        numbers_.erase(work.number);
    if (failed)
        failures_[work.number % remembered_failures] = work.number;
    if (const auto stream = streams_.find(work.stream); stream != streams_.end()) {
        std::erase(stream->second.works, device_number_);
        stream->second.failed = failed;
    }
    for (const uint32_t number : work.waits)
        if (const auto wait = works.find(number); wait != works.end()) {
            --wait->second.awaited;
            retire_waits(wait->second.stream);
        }
    retire_waits(work.stream);
}

void Client::forget_numbers() {
    works.clear();
    urgent = 0;
    numbers_.clear();
    streams_.clear();
    std::ranges::fill(failures_, 0);
    // Contexts keep their numbers: harts may still hold their data.
}

} // namespace rivulet::tools
