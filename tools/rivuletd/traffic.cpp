// SPDX-License-Identifier: Apache-2.0
//
// Commands from clients to the device, and completions back.
//
// Whose command is next: of the clients that have one, the client that has used the device least.
// Use is counted in instructions, divided by the user's weight. What a launch will need is taken to
// be what the client's launches have needed so far, and corrected once it has ended. A client that
// has been idle does not get that time back: it continues with what the least active one has used.
// A new process of a user continues with what the user's last one had used, if that was more: a
// process can't escape its use by starting again.
//
// One client alone may fill the device. Several share a few places for each hart, so that the
// choice is made here and not by the device, which alternates between launches by time. A client
// without a launch on the device gets a place in any case once it is not ahead of the others: the
// places may be held by kernels that never end.
#include <algorithm>
#include <cstring>

#include "base/now.h"
#include "tools/rivuletd/board.h"

namespace rivulet::tools {
namespace {

constexpr uint32_t places_per_hart = 4;
constexpr uint32_t most_works = 896; // the firmware knows 904
constexpr size_t commands_at_once = 64;
constexpr uint32_t most_requests = 64;  // of a client: pings, loads of code
constexpr double first_guess = 100'000; // instructions of a client's first launch
constexpr double share_of_last = 0.25;  // of the last launch in what is expected of the next
constexpr double least_long_ns = 100e6; // a launch that ends sooner is never a long one
constexpr double long_factor = 4;       // of the usual time on the device
constexpr double share_of_end = 0.0625; // of a launch that ends in the usual time

} // namespace

// ---- whose turn it is

uint32_t Board::capacity() const { return places_per_hart * description_.harts; }

uint32_t Board::launch_limit(const Client &client) const {
    if (active_ <= 1)
        return client.limits.launches;
    return std::clamp(2 * capacity() / active_, 1u, client.limits.launches);
}

// A client with a launch that may never end does not hold back others. The limit follows the times
// that launches take here: on a slow device, or with large kernels, a fixed one would count all
// that wait their turn on the device as such, and no client would be behind others any more.
double Board::long_ns() const { return std::max(least_long_ns, long_factor * usual_ns_); }

void Board::look_at_activity() {
    const uint64_t now = now_ns();
    const auto longest = static_cast<uint64_t>(long_ns());
    active_ = 0;
    double least = -1;
    for (const auto &client : clients_) {
        const bool waits = client->phase == Client::Phase::running && client->mailbox.look() != 0;
        if (!waits && client->works.empty()) {
            client->was_active = false;
            continue;
        }
        ++active_;
        if (!std::exchange(client->was_active, true))
            client->used = std::max(client->used, floor_);
        const bool long_one = std::ranges::any_of(client->works, [&](const auto &work) {
            return !work.second.is_wait && now - work.second.since_ns > longest;
        });
        if (!long_one)
            least = least < 0 ? client->used : std::min(least, client->used);
    }
    floor_ = std::max(floor_, least);
}

Board::Turn Board::next_turn() {
    Turn next;
    for (const auto &client : clients_) {
        if (client->phase != Client::Phase::running || client->mailbox.look() == 0)
            continue;
        notify(*client);
        if (client->mailbox.is_full())
            continue;
        Turn turn{.client = client.get(), .index = 0, .command = client->mailbox.command(0)};
        if (!may_take(*client, turn.command.header)) {
            look_ahead_for_kills(*client);
            const auto urgent = client->find_urgent();
            if (!urgent || client->urgent >= capacity())
                continue;
            turn.index = *urgent;
            turn.command = client->mailbox.command(*urgent);
        }
        const bool urgent = client->is_urgent(turn.command.header);
        const bool other_is_urgent = next.client && next.client->is_urgent(next.command.header);
        if (next.client == nullptr ||
            (urgent != other_is_urgent ? urgent : client->used < next.client->used))
            next = turn;
    }
    return next;
}

bool Board::may_take(const Client &client, const rvl_header &command) const {
    if (command.group != RVL_GROUP_LAUNCH || command.service == RVL_LAUNCH_KILL)
        return client.requests < most_requests;
    if (client.is_urgent(command))
        return client.urgent < capacity();
    return client.works.size() < launch_limit(client) &&
           (works_ < capacity() || active_ <= 1 || (client.works.empty() && client.used <= floor_));
}

void Board::forward() {
    if (up_)
        look_at_activity();
    flush_outbox();
    for (bool more = up_; more && outbox_.empty();) {
        more = false;
        while (outbox_.size() < commands_at_once && works_ < most_works && !free_tokens_.empty()) {
            const Turn next = next_turn();
            if (next.client == nullptr)
                break;
            take_command(next);
            more = true;
        }
        flush_outbox();
    }
    for (const auto &client : clients_)
        notify(*client);
}

void Board::flush_outbox() {
    while (up_ && !outbox_.empty()) {
        const std::vector<rvl_slot> commands(outbox_.begin(), outbox_.end());
        const auto count = device_->submit(commands);
        if (!count) // the board's thread finds out why
            return outbox_.clear();
        outbox_.erase(outbox_.begin(), outbox_.begin() + static_cast<ptrdiff_t>(*count));
        if (*count == 0)
            return; // `completions` returns when there is room
    }
}

// ---- commands

void Board::take_command(const Turn &turn) {
    Client &client = *turn.client;
    const rvl_slot &command = turn.command;
    const bool killed = client.take(turn.index);
    const rvl_header &header = command.header;
    const bool launch = header.group == RVL_GROUP_LAUNCH && header.service == RVL_LAUNCH_NDRANGE &&
                        header.length >= RVL_LAUNCH_LEAST_BYTES;
    const bool wait = header.group == RVL_GROUP_LAUNCH && header.service == RVL_LAUNCH_WAIT &&
                      header.length >= sizeof(rvl_wait);
    if (!launch && !wait)
        return take_other(client, command);
    const size_t before = client.works.size();
    outbox_.push_back(launch ? client.launch_for_device(command, numbers_)
                             : client.wait_for_device(command, numbers_));
    works_ += static_cast<uint32_t>(client.works.size() - before);
    const uint32_t number = outbox_.back().launch.launch;
    if (killed)
        kill(number);
    if (!launch)
        return;
    owners_[number] = &client;
    Work &work = client.works[number];
    work.charged = static_cast<uint64_t>(client.typical > 0 ? client.typical : first_guess);
    client.used += static_cast<double>(work.charged) / client.limits.weight;
}

void Board::take_other(Client &client, const rvl_slot &command) {
    const rvl_header &header = command.header;
    const auto is = [&](uint16_t group, uint8_t service, size_t bytes) {
        return header.group == group && header.service == service && header.length >= bytes;
    };
    const auto answer = [&](rvl_result result) { client.complete(header, 0, result, 0); };
    rvl_slot forwarded = command;
    if (is(RVL_GROUP_LAUNCH, RVL_LAUNCH_KILL, sizeof(rvl_kill))) {
        const uint32_t number = client.device_number(command.kill.launch);
        if (number == 0)
            return answer(RVL_RESULT_OK); // it has ended
        forwarded.kill = {.launch = number, .reserved = 0};
        forwarded.header.length = sizeof(rvl_kill);
    } else if (is(RVL_GROUP_MEMORY, RVL_MEMORY_LOAD_CODE, RVL_LOAD_CODE_LEAST_BYTES)) {
        if (header.length < sizeof(rvl_load_code))
            forwarded.load_code.signature = 0;
        forwarded.header.length = sizeof(rvl_load_code);
        if (const char *flaw = client.flaw_of(forwarded.load_code)) {
            client.mailbox.log(flaw);
            return answer(RVL_RESULT_INVALID);
        }
    } else if (is(RVL_GROUP_MEMORY, RVL_MEMORY_CACHE, sizeof(rvl_cache_ranges))) {
        // The daemon maintains the harts' caches when it copies; to clients they are coherent.
        client.mailbox.count_cache_command();
        return answer(RVL_RESULT_OK);
    } else if (is(RVL_GROUP_BASE, RVL_BASE_PING, 0)) {
        forwarded.header.length = 0;
    } else {
        // Samples would show the kernels of others, and only the device's owner may make it fail.
        client.mailbox.log(text({"unknown command: group ", header.group, ", service ",
                                 header.service, ", ", header.length, " bytes"}));
        const bool known =
            (header.group == RVL_GROUP_BASE && header.service <= RVL_BASE_SAMPLE) ||
            (header.group == RVL_GROUP_MEMORY && header.service <= RVL_MEMORY_CACHE) ||
            (header.group == RVL_GROUP_LAUNCH && header.service <= RVL_LAUNCH_UNIT);
        return answer(known ? RVL_RESULT_INVALID : RVL_RESULT_UNKNOWN);
    }
    const uint16_t token = free_tokens_.back();
    free_tokens_.pop_back();
    pending_[token] = {.client = &client, .header = header};
    ++client.requests;
    forwarded.header.flags = 0;
    forwarded.header.token = token;
    outbox_.push_back(forwarded);
}

void Board::kill(uint32_t device_number) {
    rvl_slot slot{};
    slot.header = {.group = RVL_GROUP_LAUNCH,
                   .service = RVL_LAUNCH_KILL,
                   .flags = RVL_FLAG_SILENT,
                   .length = sizeof(rvl_kill),
                   .token = 0};
    slot.kill = {.launch = device_number, .reserved = 0};
    outbox_.push_back(slot);
}

// As in the firmware: a kill behind commands that can't be taken yet must still have its effect.
void Board::look_ahead_for_kills(Client &client) {
    uint32_t &searched = client.ahead.searched_for_kills;
    for (const uint32_t count = client.mailbox.look(); searched < count; ++searched) {
        const rvl_slot &command = client.mailbox.command(searched);
        if (command.header.group != RVL_GROUP_LAUNCH || command.header.service != RVL_LAUNCH_KILL)
            continue;
        if (const uint32_t number = client.device_number(command.kill.launch); number != 0)
            kill(number);
        else
            client.ahead.kills.insert(command.kill.launch);
    }
}

// ---- completions

std::string Board::refusal_of(uint32_t launch) {
    const std::scoped_lock lock(refusals_mutex_);
    for (const auto &[number, reason] : refusals_)
        if (number == launch)
            return reason;
    return {};
}

void Board::complete(const rvl_slot &slot) {
    if (slot.header.group == RVL_GROUP_LAUNCH && slot.header.service == RVL_LAUNCH_NDRANGE)
        return complete_launch(slot);
    const uint16_t token = slot.header.token;
    if (token == 0 || token >= pending_.size() || pending_[token].client == nullptr)
        return;
    const Pending command = std::exchange(pending_[token], {});
    free_tokens_.push_back(token);
    Client &client = *command.client;
    --client.requests;
    if (client.phase == Client::Phase::running) {
        if (slot.completion.result == RVL_RESULT_UNSIGNED)
            client.mailbox.log("code refused: this board requires a valid signature");
        client.complete(command.header, 0, static_cast<rvl_result>(slot.completion.result),
                        slot.completion.start);
    } else {
        look_at_session(client);
    }
}

void Board::complete_launch(const rvl_slot &slot) {
    const uint32_t number = slot.completion.launch;
    const auto owner = owners_.find(number);
    if (owner == owners_.end())
        return;
    Client &client = *owner->second;
    owners_.erase(owner);
    const Work work = client.works[number];
    const bool failed = slot.completion.result != RVL_RESULT_OK;

    const auto weight = static_cast<double>(client.limits.weight);
    const auto instructions = static_cast<double>(slot.completion.instructions);
    client.used += (instructions - static_cast<double>(work.charged)) / weight;
    client.typical = client.typical == 0
                         ? std::max(instructions, 1.0)
                         : client.typical + (instructions - client.typical) * share_of_last;
    usual_ns_ += (std::min(static_cast<double>(now_ns() - work.since_ns), long_ns()) - usual_ns_) *
                 share_of_end;
    ++client.usage.launches;
    client.usage.failures += failed ? 1 : 0;
    client.usage.instructions += slot.completion.instructions;
    if (const uint64_t hz = device_->hello().timebase; hz != 0)
        client.usage.busy_ns +=
            static_cast<uint64_t>(static_cast<double>(slot.completion.end - slot.completion.start) *
                                  1e9 / static_cast<double>(hz));

    if (client.phase == Client::Phase::running) {
        rvl_slot own = slot;
        own.header = work.header;
        own.header.flags |= RVL_FLAG_COMPLETION;
        own.header.length = sizeof own.completion;
        own.completion.launch = work.number;
        if (slot.completion.fault != RVL_FAULT_NONE) {
            auto fault = device_->fault(slot.completion.fault, number);
            own.completion.fault = RVL_FAULT_NONE;
            if (fault) {
                fault->launch = work.number;
                own.completion.fault = client.mailbox.put_fault(*fault);
            }
        }
        if (slot.completion.result == RVL_RESULT_INVALID)
            if (const auto reason = refusal_of(number); !reason.empty())
                client.mailbox.log(text({"launch ", work.number, " refused: ", reason}));
        if (failed || (work.header.flags & RVL_FLAG_SILENT) == 0)
            client.mailbox.complete(own);
    }
    const size_t before = client.works.size();
    client.end_work(number, failed);
    works_ -= static_cast<uint32_t>(before - client.works.size());
    if (client.phase != Client::Phase::running)
        look_at_session(client);
}

} // namespace rivulet::tools
