// SPDX-License-Identifier: Apache-2.0
#include "hal/core/liveness.h"

#include <algorithm>
#include <utility>

#include "base/now.h"
#include "base/parse.h"

namespace rivulet::hal {
namespace {

constexpr uint64_t ns_per_s = 1'000'000'000;
constexpr uint64_t ns_per_ms = 1'000'000;
constexpr uint64_t longest_ping_interval_ns = ns_per_s;
// How long a device that promises to answer regardless of its kernels may be silent. Long enough
// for a device that shares its processor with many others.
constexpr std::string_view default_deadline_s = "30";
// Minimum number of checks before the deadline of a silent device.
constexpr uint64_t looks_before_deadline = 8;

// Unlimited if kernels are not isolated, since one may keep the hart from answering, and under a
// debugger, which stops all harts.
uint64_t silence_limit(const Config &config, const rvl_device_desc &description) {
    if (!config.get("gdb").empty())
        return 0;
    const bool answers = (description.flags & RVL_DEVICE_ISOLATES) != 0;
    const auto text = config.get("deadline", answers ? default_deadline_s : "0");
    return std::min(parse_number(text).value_or(0), UINT64_MAX / ns_per_s) * ns_per_s;
}

// None with virtual time: an idle machine would just jump from one heartbeat to the next. A shared
// device has them, because its daemon, which also answers for commands that have to wait for their
// turn, sends them in real time.
uint32_t heartbeat(const rvl_device_desc &description, uint64_t silence_limit_ns,
                   uint64_t ping_interval_ns) {
    const bool in_real_time = (description.flags & RVL_DEVICE_VIRTUAL_TIME) == 0 ||
                              (description.flags & RVL_DEVICE_SHARED) != 0;
    return in_real_time && silence_limit_ns != 0
               ? static_cast<uint32_t>(ping_interval_ns / ns_per_ms)
               : 0;
}

rvl_slot ping_slot() {
    rvl_slot slot{};
    slot.header = {.group = RVL_GROUP_BASE,
                   .service = RVL_BASE_PING,
                   .flags = 0,
                   .length = 0,
                   .token = RVL_PING_TOKEN};
    return slot;
}

} // namespace

Liveness::Liveness(Link &link, CommandRing &commands, CrashReport &crash, Clock &clock)
    : link_(link), commands_(commands), crash_(crash), clock_(clock),
      silence_limit_ns_(silence_limit(link.config, link.description)),
      ping_interval_ns_(
          silence_limit_ns_ == 0
              ? longest_ping_interval_ns
              : std::min(longest_ping_interval_ns, silence_limit_ns_ / looks_before_deadline)),
      heartbeat_ms_(heartbeat(link.description, silence_limit_ns_, ping_interval_ns_)) {}

Result<> Liveness::ping() {
    const rvl_slot slot = ping_slot();
    ping_sent_.store(now_ns());
    if (auto pushed = commands_.push({&slot, 1}); !pushed)
        return std::unexpected(pushed.error());
    return commands_.ring_if_wanted();
}

Result<> Liveness::ping_if_due(uint64_t now) {
    if (now < next_ping_ || ping_sent_.load() != 0)
        return {};
    next_ping_ = now + ping_interval_ns_;
    ping_sent_.store(now);
    const rvl_slot slot = ping_slot();
    const auto pinged = commands_.push({&slot, 1});
    if (!pinged || *pinged == 0)
        ping_sent_.store(0);
    if (!pinged)
        return std::unexpected(pinged.error());
    return {};
}

bool Liveness::is_answer(const rvl_slot &slot, uint64_t now) {
    if (slot.header.group != RVL_GROUP_BASE || slot.header.service != RVL_BASE_PING ||
        slot.header.token != RVL_PING_TOKEN)
        return false;
    if (const uint64_t sent = ping_sent_.exchange(0); sent != 0)
        clock_.related(sent, slot.completion.start, now);
    return true;
}

void Liveness::restart() {
    looked_ = now_ns();
    silence_ns_ = 0;
}

// The heartbeat count; with virtual time, the harts' wake-ups and traps.
Result<uint64_t> Liveness::signs_of_life() {
    if (heartbeat_ms_ != 0 && link_.hello.crash != 0) {
        const auto count = link_.memory.load(
            link_.word(offsetof(rvl_mailbox, heartbeat) + offsetof(rvl_heartbeat, count)));
        if (!count)
            return std::unexpected(count.error());
        return *count;
    }
    uint64_t sum = 0;
    for (uint32_t hart = 0; hart < link_.description.harts; ++hart) {
        const auto count = link_.memory.load(link_.wake_count(hart));
        if (!count)
            return std::unexpected(count.error());
        sum += *count;
    }
    return sum;
}

// Silence is accumulated in steps of at most two sleeps, because while the whole machine was
// suspended the device had no chance to answer.
Result<> Liveness::look() {
    if (silence_limit_ns_ == 0)
        return {};
    const uint64_t now = now_ns();
    const uint64_t waited = std::min(now - std::exchange(looked_, now), 2 * ping_interval_ns_);
    if (ping_sent_.load() == 0) {
        silence_ns_ = 0;
        if (now < next_ping_.load())
            return {};
        const Lock lock(commands_.mutex);
        if (auto asked = ping_if_due(now); !asked)
            return asked;
        return commands_.ring_if_wanted();
    }
    const auto signs = signs_of_life();
    if (!signs)
        return std::unexpected(signs.error());
    if (std::exchange(signs_, *signs) != *signs) {
        silence_ns_ = 0;
        return {};
    }
    silence_ns_ += waited;
    if (silence_ns_ < silence_limit_ns_)
        return {};
    const std::string reason = crash_.report_of_silence();
    link_.callbacks->declare_dead(text(
        {"the device gave no sign of life for ", silence_limit_ns_ / ns_per_s,
         " s; RIVULET_DEADLINE sets this limit (0: none)", reason.empty() ? "" : "; ", reason}));
    return {};
}

} // namespace rivulet::hal
