// SPDX-License-Identifier: Apache-2.0
#include "tools/rivulet/watch/watcher.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/printable.h"

namespace rivulet::tools {
namespace {

using namespace hal;

// A mailbox is searched up to here: firmware is at the start of memory.
constexpr uint64_t mailbox_search_bytes = 256u << 20;
// If clocks differ by more than this, the device was stopped or has been restarted.
constexpr double clock_jump_s = 2;
constexpr double longest_busy_window_s = 3600;

template <class T> T field(std::span<const std::byte> bytes, size_t offset) {
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

bool is_mailbox(const WatchedMemory &memory, const rvl_hello &hello) {
    return hello.magic == RVL_MAILBOX_MAGIC && hello.bytes >= RVL_HELLO_LEAST_BYTES &&
           hello.state <= RVL_STATE_DETACHED && hello.harts <= RVL_MAX_HARTS &&
           hello.timebase != 0 && std::has_single_bit(hello.command_slots) &&
           std::has_single_bit(hello.completion_slots) && std::has_single_bit(hello.log_bytes) &&
           memory.contains(hello.command_ring, uint64_t{hello.command_slots} * sizeof(rvl_slot)) &&
           memory.contains(hello.log_ring, hello.log_bytes) &&
           memory.contains(hello.fault_table, uint64_t{hello.fault_slots} * sizeof(rvl_fault)) &&
           hello.fault_slots <= 4096 && hello.log_bytes <= (16u << 20) &&
           (hello.statistics == 0 ||
            memory.contains(hello.statistics, hello.harts * sizeof(rvl_hart_statistics))) &&
           (hello.crash == 0 || memory.contains(hello.crash, sizeof(rvl_crash)));
}

RingFill fill_of(std::span<const std::byte> mailbox, size_t ring, uint32_t slots) {
    const auto head = field<uint32_t>(mailbox, ring + offsetof(rvl_ring, head));
    const auto tail = field<uint32_t>(mailbox, ring + offsetof(rvl_ring, tail));
    return {.used = std::min(tail - head, slots), .slots = slots};
}

double seconds(std::chrono::steady_clock::duration time) {
    return std::chrono::duration<double>(time).count();
}

} // namespace

Result<> Watcher::find_mailbox() {
    rvl_hello hello{};
    if (const auto known = memory_->mailbox()) {
        mailbox_ = *known;
        if (!memory_->contains(mailbox_, sizeof(rvl_mailbox)))
            return fail(RVL_INVALID, {"the mailbox at ", hex(mailbox_),
                                      " is not in the device's memory; RIVULET_FIRMWARE names the "
                                      "firmware that runs there"});
        return {};
    }
    const uint64_t end = memory_->base() + std::min(memory_->bytes(), mailbox_search_bytes);
    for (uint64_t at = memory_->base(); at < end; at += RVL_PAGE_BYTES) {
        at = (memory_->next_data(at) + RVL_PAGE_BYTES - 1) / RVL_PAGE_BYTES * RVL_PAGE_BYTES;
        uint32_t magic = 0;
        if (at >= end || !memory_->contains(at, sizeof(rvl_mailbox)))
            break;
        if (auto read = memory_->read_object(at, magic); !read)
            return read;
        if (magic != RVL_MAILBOX_MAGIC)
            continue;
        if (auto read = memory_->read_object(at, hello); !read)
            return read;
        if (is_mailbox(*memory_, hello)) {
            mailbox_ = at;
            return {};
        }
    }
    return fail(RVL_NOT_FOUND, "there is no mailbox in the device's memory (yet): its firmware "
                               "boots, or is none of ours");
}

Result<Sample> Watcher::look() {
    if (!memory_->is_there())
        return fail(RVL_DEAD, {memory_->title(), " has ended"});
    if (mailbox_ == 0)
        if (auto found = find_mailbox(); !found)
            return std::unexpected(found.error());
    std::array<std::byte, sizeof(rvl_mailbox)> mailbox;
    if (auto read = memory_->read(mailbox_, mailbox); !read)
        return std::unexpected(read.error());
    Sample sample;
    std::memcpy(&sample.hello, mailbox.data(), sizeof sample.hello);
    if (!is_mailbox(*memory_, sample.hello)) {
        looked_ = false;
        if (!memory_->mailbox())
            mailbox_ = 0;
        return fail(RVL_NOT_FOUND, {"the mailbox at ", hex(memory_->mailbox().value_or(0)),
                                    " says nothing (yet): the firmware boots, or is another one"});
    }
    make_printable(sample.hello.board);
    make_printable(sample.hello.isa);
    now_ = Clock::now();
    sample.state = sample.hello.state;
    sample.commands = fill_of(mailbox, offsetof(rvl_mailbox, commands), sample.hello.command_slots);
    sample.completions =
        fill_of(mailbox, offsetof(rvl_mailbox, completions), sample.hello.completion_slots);
    sample.log = fill_of(mailbox, offsetof(rvl_mailbox, log), sample.hello.log_bytes);
    sample.log_lost = field<uint32_t>(mailbox, offsetof(rvl_mailbox, log_lost));
    sample.heartbeat = field<rvl_heartbeat>(mailbox, offsetof(rvl_mailbox, heartbeat));
    const auto tail =
        field<uint32_t>(mailbox, offsetof(rvl_mailbox, log) + offsetof(rvl_ring, tail));
    sample.began_anew =
        looked_ && (std::memcmp(build_id_.data(), sample.hello.build_id, build_id_.size()) != 0 ||
                    sample.heartbeat.count < heartbeat_count_ || tail < log_tail_);
    if (sample.began_anew)
        looked_ = false;
    std::memcpy(build_id_.data(), sample.hello.build_id, build_id_.size());
    if (!looked_ || sample.heartbeat.count != heartbeat_count_)
        heartbeat_changed_ = now_;
    sample.heartbeat_age_s =
        looked_ && sample.heartbeat.count != 0 ? seconds(now_ - heartbeat_changed_) : -1;
    sample.harts.resize(sample.hello.harts);
    for (size_t hart = 0; hart < std::min<size_t>(sample.hello.harts, RVL_MASK_HARTS); ++hart)
        sample.harts[hart].wake_count =
            field<uint32_t>(mailbox, offsetof(rvl_mailbox, wake_count) + hart * sizeof(uint32_t));
    auto done = take_harts(sample);
    if (done)
        done = take_faults(sample);
    if (done)
        done = take_log(sample, tail);
    if (!done)
        return std::unexpected(done.error());
    take_crash(sample);
    sample.conditions = memory_->conditions();
    heartbeat_count_ = sample.heartbeat.count;
    last_look_ = now_;
    looked_ = true;
    return sample;
}

// The device's clock is not read but estimated from time stamps it writes: a lower bound that
// improves with each heartbeat.
void Watcher::relate_clocks(const Sample &sample) {
    const auto timebase = static_cast<double>(sample.hello.timebase);
    const double ours = seconds(now_.time_since_epoch());
    double newest = static_cast<double>(sample.heartbeat.time) / timebase;
    const double beat = newest - ours;
    for (const HartSample &hart : sample.harts)
        newest = std::max(newest, static_cast<double>(hart.statistics.since) / timebase);
    const bool jumped = looked_ && sample.heartbeat.count != heartbeat_count_ &&
                        beat < clock_offset_s_ - clock_jump_s;
    clock_offset_s_ = looked_ && !jumped ? std::max(clock_offset_s_, newest - ours) : newest - ours;
}

double Watcher::device_now(const Sample &) const {
    return seconds(now_.time_since_epoch()) + clock_offset_s_;
}

Result<> Watcher::take_harts(Sample &sample) {
    if (sample.hello.statistics == 0)
        return {};
    for (size_t i = 0; i < sample.harts.size(); ++i)
        if (auto read =
                memory_->read_object(sample.hello.statistics + i * sizeof(rvl_hart_statistics),
                                     sample.harts[i].statistics);
            !read)
            return read;
    relate_clocks(sample);
    const auto timebase = static_cast<double>(sample.hello.timebase);
    const double now = device_now(sample);
    const double window = seconds(now_ - last_look_);
    const bool comparable =
        looked_ && last_idle_s_.size() == sample.harts.size() && window < longest_busy_window_s;
    std::vector<double> idle;
    for (size_t i = 0; i < sample.harts.size(); ++i) {
        HartSample &hart = sample.harts[i];
        const auto &statistics = hart.statistics;
        if (i >= RVL_MASK_HARTS)
            hart.wake_count = statistics.wakes;
        hart.idle_s = static_cast<double>(statistics.idle) / timebase;
        if (statistics.since != 0) {
            hart.since_s = std::max(0.0, now - static_cast<double>(statistics.since) / timebase);
            if (statistics.launch == 0)
                hart.idle_s += hart.since_s;
        }
        idle.push_back(hart.idle_s);
        if (comparable && window > 0 && statistics.since != 0)
            hart.busy_share = std::clamp(1 - (hart.idle_s - last_idle_s_[i]) / window, 0.0, 1.0);
    }
    last_idle_s_ = std::move(idle);
    return {};
}

Result<> Watcher::take_faults(Sample &sample) {
    for (uint32_t i = 0; i < sample.hello.fault_slots; ++i) {
        rvl_fault fault{};
        const uint64_t address = sample.hello.fault_table + i * sizeof fault;
        uint32_t version = 0;
        if (auto read = memory_->read_object(address, version); !read)
            return read;
        if (version == 0)
            break; // slots are used in turn
        if (auto read = memory_->read_object(address, fault); !read)
            return read;
        sample.faults.push_back(fault);
    }
    std::ranges::sort(sample.faults, {}, &rvl_fault::time);
    return {};
}

// Log text remains in the ring after the host has read it, until it is overwritten, so a second
// reader needs no index in it. Text overwritten while being read is dropped.
Result<> Watcher::take_log(Sample &sample, uint32_t tail) {
    const uint32_t bytes = sample.hello.log_bytes;
    const bool first = !looked_;
    if (first) {
        log_part_.clear();
        log_tail_ = tail > bytes ? tail - bytes : 0;
    }
    bool gap = first && tail > bytes;
    if (tail - log_tail_ > bytes) {
        log_tail_ = tail - bytes;
        gap = true;
    }
    std::string text(tail - log_tail_, '\0');
    for (uint32_t done = 0; done < text.size();) {
        const uint32_t at = (log_tail_ + done) & (bytes - 1);
        const uint32_t count =
            std::min<uint32_t>(static_cast<uint32_t>(text.size()) - done, bytes - at);
        if (auto read = memory_->read(sample.hello.log_ring + at,
                                      std::as_writable_bytes(std::span(text).subspan(done, count)));
            !read)
            return read;
        done += count;
    }
    uint32_t tail_after = tail;
    const uint64_t tail_word = mailbox_ + offsetof(rvl_mailbox, log) + offsetof(rvl_ring, tail);
    if (auto read = memory_->read_object(tail_word, tail_after); !read)
        return read;
    if (const uint32_t overwritten = tail_after - log_tail_; overwritten > bytes) {
        text.erase(0, std::min<size_t>(overwritten - bytes, text.size()));
        gap = true;
    }
    if (gap) { // starts in the middle of a line
        log_part_.clear();
        const auto end = text.find('\n');
        text.erase(0, end == text.npos ? text.size() : end + 1);
    }
    for (const char c : text) {
        if (c != '\n' && c != '\0') {
            log_part_ += is_control(c) ? '?' : c;
            continue;
        }
        if (!log_part_.empty())
            sample.log_lines.push_back(std::move(log_part_));
        log_part_.clear();
    }
    log_tail_ = tail;
    return {};
}

void Watcher::take_crash(Sample &sample) {
    if (sample.hello.crash == 0 || !memory_->read_object(sample.hello.crash, sample.crash) ||
        sample.crash.magic != RVL_CRASH_MAGIC) {
        sample.crash = {};
        return;
    }
    make_printable(sample.crash.reason);
    make_printable(sample.crash.log, '\n');
}

} // namespace rivulet::tools
