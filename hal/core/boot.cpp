// SPDX-License-Identifier: Apache-2.0
//
// Starting a device: load the firmware, wait for its hello, compare versions, set up rings and
// clock.
#include <sched.h>
#include <unistd.h>

#include <bit>
#include <cstring>

#include "base/now.h"
#include "base/printable.h"
#include "base/read_file.h"
#include "hal/core/config.h"
#include "hal/core/describe.h"
#include "hal/core/firmware_file.h"
#include "hal/core/mailbox_device.h"
#include "hal/core/trace.h"
#include "hal/protocol/crash.h"

namespace rivulet::hal {
namespace {

constexpr uint64_t boot_limit_ns = 30'000'000'000;
constexpr uint64_t boot_poll_ns = 1'000'000;
constexpr uint64_t ping_limit_ns = 30'000'000'000;
constexpr int pings_at_start = 8;
constexpr uint64_t sleep_limit_ns = 20'000'000;
constexpr unsigned after_wish_us = 500;
constexpr uint64_t ns_per_ms = 1'000'000;

bool same_major(uint32_t version) {
    return RVL_VERSION_MAJOR(version) == RVL_VERSION_MAJOR(RVL_PROTOCOL_VERSION);
}

std::unexpected<Error> other_protocol(const std::string &who, uint32_t version) {
    return fail(RVL_BAD_VERSION,
                {who, " speaks mailbox protocol ", version_text(version), ", this library ",
                 version_text(RVL_PROTOCOL_VERSION),
                 "; use firmware and library of the same release (RIVULET_FIRMWARE names the "
                 "firmware file)"});
}

} // namespace

// Unlimited with a debugger, which may stop the firmware anywhere.
uint64_t MailboxDevice::limit_after(uint64_t limit_ns) const {
    return config_.get("gdb").empty() ? now_ns() + limit_ns : UINT64_MAX;
}

void MailboxDevice::halt(std::string_view reason) {
    if (running_.exchange(false))
        callbacks_->log(3, reason);
    driver_.wake(device_); // threads sleeping in completions() notice that running_ is false
    {
        const Lock gone(consumer_);
    }
    {
        const Lock gone(producer_);
    }
}

void MailboxDevice::stop() {
    if (forked())
        return;
    const Lock life(life_);
    static_cast<void>(end_sleep()); // a device that can't be resumed is reset
    suspended_.store(false);
    halt("the device was stopped");
    if (attaches()) {
        detach();
        fresh_ = true;
    } else if (!fresh_) {
        fresh_ = driver_.reset(device_) == RVL_OK;
    }
}

Result<> MailboxDevice::start() {
    if (auto ok = usable(); ok)
        return fail(RVL_INVALID, "the device is already running");
    else if (forked())
        return ok;
    const Lock life(life_);
    const trace::Span span("start the device");
    suspended_.store(false); // it died while suspended
    halt("the device is being restarted");
    const Lock consumer(consumer_);
    const Lock producer(producer_);

    auto started = bring_up();
    if (!started && attaches() &&
        (started.error().status == RVL_DEAD || started.error().status == RVL_TIMEOUT)) {
        callbacks_->log(1, text({started.error().message, "; resetting it"}));
        started = bring_up();
    }
    if (started)
        started = first_pings();
    if (started) {
        ++starts_;
        running_.store(true, std::memory_order_release);
        return {};
    }
    running_.store(false);
    save_last_words();
    if (!attaches()) // leave nothing half started behind
        fresh_ = driver_.reset(device_) == RVL_OK;
    return started;
}

// The device may be usable even if its driver can't reset it: the firmware may still be alive.
Result<> MailboxDevice::reset() {
    callbacks_->clear_error();
    const auto status = driver_.reset(device_);
    if (status == RVL_UNSUPPORTED && attaches())
        return {};
    if (status != RVL_OK)
        return std::unexpected(callbacks_->to_error(status, "resetting the device"));
    if (attaches())
        if (const auto again = driver_.start(device_); again != RVL_OK && again != RVL_UNSUPPORTED)
            return std::unexpected(callbacks_->to_error(again, "starting the device"));
    return {};
}

Result<> MailboxDevice::bring_up() {
    const bool taken = attaches() && session_ != 0 && !holds_device().value_or(true);
    if (!fresh_ && !taken)
        if (auto done = reset(); !done)
            return done;
    fresh_ = false;
    mailbox_ = log_ring_ = session_ = 0;
    callbacks_->reset();
    crashed_.store(false);
    if (attaches())
        return attach();

    auto started = load_firmware();
    if (started)
        started = write_boot_block();
    if (!started)
        return started;
    callbacks_->clear_error();
    if (const auto status = driver_.start(device_); status != RVL_OK)
        return std::unexpected(callbacks_->to_error(status, "starting the device"));
    started = await_hello();
    if (started)
        make_rings();
    return started;
}

// The last log line of firmware that gave up.
std::string MailboxDevice::last_words() {
    rvl_hello hello{};
    uint32_t tail = 0;
    if (!memory_.read(mailbox_, &hello, sizeof hello) || hello.magic != RVL_MAILBOX_MAGIC ||
        !memory_.read(word(offsetof(rvl_mailbox, log) + offsetof(rvl_ring, tail)), &tail,
                      sizeof tail) ||
        !std::has_single_bit(hello.log_bytes) || tail > hello.log_bytes ||
        !memory_.contains(hello.log_ring, hello.log_bytes))
        return "its log can't be read";
    std::string log(tail, '\0'); // read from offset 0: the log has not wrapped yet
    if (!memory_.read(hello.log_ring, log.data(), log.size()))
        return "its log can't be read";
    make_printable(log, '\n');
    while (log.ends_with('\n'))
        log.pop_back();
    return log.substr(log.rfind('\n') + 1);
}

// Forwards the log of firmware that did not boot; it says more than the error does.
void MailboxDevice::save_last_words() {
    if (!memory_.contains(mailbox_, sizeof(rvl_mailbox)) ||
        !memory_.read(mailbox_, &hello_, sizeof hello_) || hello_.magic != RVL_MAILBOX_MAGIC ||
        !memory_.contains(hello_.log_ring, hello_.log_bytes) ||
        !std::has_single_bit(hello_.log_bytes))
        return;
    if (hello_.log_ring != log_ring_)
        make_log();
    static_cast<void>(log_.drain());
}

Result<> MailboxDevice::use_built_in_firmware() {
    mailbox_ = description_.mailbox;
    if (memory_.contains(mailbox_, sizeof(rvl_mailbox)))
        return {};
    return fail(RVL_INVALID, {"driver ", driver_.name,
                              " loads no firmware and says that the mailbox of the one "
                              "that is there is at ",
                              hex(mailbox_), ", where the device has no memory"});
}

[[clang::minsize]] Result<> MailboxDevice::load_firmware() {
    if ((description_.flags & RVL_DEVICE_BUILT_IN_FIRMWARE) != 0 || driver_.load == nullptr)
        return use_built_in_firmware();
    const std::string path =
        config_.get("firmware", text({config_.get("data"), "/firmware/", description_.board, "-rv",
                                      description_.xlen, ".elf"}));
    const auto file = read_file(path);
    if (!file)
        return fail(file.error().status,
                    {"no firmware for board ", description_.board, ": ", file.error().message,
                     "; set RIVULET_FIRMWARE to the firmware's ELF file or "
                     "RIVULET_DATA to the directory that holds firmware/"});
    const auto firmware = parse_firmware(*file, path);
    if (!firmware)
        return std::unexpected(firmware.error());
    const rvl_firmware_note &note = firmware->note;
    if (!same_major(note.protocol))
        return other_protocol(path, note.protocol);
    if (note.xlen != description_.xlen || std::strcmp(note.board, description_.board) != 0)
        return fail(RVL_INVALID, {path, " is for board ", note.board, " with ", note.xlen,
                                  "-bit harts, the machine ", description_.name, " is a ",
                                  description_.board, " with ", description_.xlen, "-bit harts"});
    if (!memory_.contains(note.mailbox, sizeof(rvl_mailbox)))
        return fail(RVL_INVALID, {path, " has its mailbox at ", hex(note.mailbox),
                                  ", where the machine has no memory"});
    mailbox_ = note.mailbox;
    callbacks_->clear_error();
    const auto status = driver_.load(device_, file->data(), file->size());
    if (status == RVL_UNSUPPORTED && description_.mailbox != 0)
        return use_built_in_firmware();
    if (status != RVL_OK)
        return std::unexpected(callbacks_->to_error(status, text({"loading ", path})));
    return {};
}

// Whether to have memory cleared of what former hosts left, which must not be readable by this one.
bool MailboxDevice::wants_clear_memory() const {
    const auto wish = config_.get("clear");
    if (!wish.empty())
        return wish == "yes" || wish == "true";
    return (description_.flags & RVL_DEVICE_FRESH_MEMORY) == 0;
}

void MailboxDevice::look_whether_cleared() const {
    if (wants_clear_memory() && (hello_.flags & RVL_HELLO_CLEARED) == 0)
        callbacks_->log(1, "the firmware is too old to clear the data of former hosts from memory");
}

[[clang::minsize]] rvl_boot MailboxDevice::boot_block() const {
    rvl_boot boot{};
    boot.magic = RVL_MAILBOX_MAGIC;
    boot.protocol = RVL_PROTOCOL_VERSION;
    if (config_.get("unfenced") == "yes")
        boot.flags |= RVL_BOOT_UNFENCED;
    if ((description_.flags & RVL_DEVICE_COHERENT) == 0)
        boot.flags |= RVL_BOOT_NONCOHERENT | RVL_BOOT_LARGE_BLOCKS;
    if ((description_.flags & RVL_DEVICE_CANT_RING) != 0)
        boot.flags |= RVL_BOOT_POLL;
    if (wants_clear_memory())
        boot.flags |= RVL_BOOT_CLEAR;
    // No heartbeat with virtual time: an idle machine would just jump from one heartbeat to the
    // next.
    if ((description_.flags & RVL_DEVICE_VIRTUAL_TIME) == 0 && silence_limit_ns_ != 0)
        boot.heartbeat_ms = static_cast<uint32_t>(ping_interval_ns_ / ns_per_ms);
    boot.session = session_;
    const rvl_region heap = region_of(description_, RVL_REGION_HEAP);
    const rvl_region scratchpad = region_of(description_, RVL_REGION_SCRATCHPAD);
    boot.second_heap_base = heap.base;
    boot.second_heap_bytes = heap.bytes;
    boot.scratchpad_base = scratchpad.base;
    boot.scratchpad_bytes = scratchpad.bytes;
    return boot;
}

Result<> MailboxDevice::write_boot_block() {
    const auto session = new_session();
    if (!session)
        return std::unexpected(session.error());
    session_ = *session;
    rvl_mailbox blank{}; // so that an old hello is not taken for the new one
    blank.boot = boot_block();
    heartbeat_ms_ = blank.boot.heartbeat_ms;
    return memory_.write(mailbox_, &blank, sizeof blank);
}

// Harts clear several GiB per second; this allows for 16 MiB per second.
uint64_t MailboxDevice::limit_of_start(uint64_t limit_ns) const {
    constexpr uint64_t ns_per_mib = ns_per_ms * 1000 / 16;
    return limit_after(limit_ns +
                       (wants_clear_memory() ? (description_.memory_bytes >> 20) * ns_per_mib : 0));
}

Result<> MailboxDevice::await_hello() {
    const uint64_t state_word = word(offsetof(rvl_mailbox, hello) + offsetof(rvl_hello, state));
    const uint64_t deadline = limit_of_start(boot_limit_ns);
    uint32_t state = RVL_STATE_OFFLINE;
    while (state != RVL_STATE_RUNNING && state != RVL_STATE_REFUSED) {
        if (state == RVL_STATE_CRASHED) {
            if (memory_.read(mailbox_, &hello_, sizeof hello_))
                static_cast<void>(report_crash());
            return fail(RVL_DEAD, {"the firmware failed while it started: ", last_words()});
        }
        if (now_ns() > deadline)
            return fail(RVL_TIMEOUT, {"the firmware did not come up within ",
                                      boot_limit_ns / 1'000'000'000, " s; see its log"});
        const auto waited = driver_.wait(device_, boot_poll_ns);
        if (waited != RVL_OK && waited != RVL_TIMEOUT)
            callbacks_->declare_dead("the device is gone");
        if (callbacks_->dead())
            return std::unexpected(callbacks_->death());
        const auto now = memory_.load(state_word);
        if (!now)
            return std::unexpected(now.error());
        state = *now;
    }
    return take_hello(static_cast<rvl_state>(state));
}

Result<> MailboxDevice::take_hello(rvl_state state) {
    if (auto read = memory_.read(mailbox_, &hello_, sizeof hello_); !read)
        return read;
    if (hello_.bytes < sizeof hello_) // older firmware: anything may follow its hello
        std::memset(reinterpret_cast<char *>(&hello_) + hello_.bytes, 0,
                    sizeof hello_ - hello_.bytes);
    make_printable(hello_.board);
    make_printable(hello_.isa);
    make_printable(hello_.build);
    if (hello_.magic != RVL_MAILBOX_MAGIC)
        return fail(RVL_IO, {"no Rivulet mailbox at ", hex(mailbox_)});
    if (!same_major(hello_.protocol) || state == RVL_STATE_REFUSED)
        return other_protocol("the firmware", hello_.protocol);
    look_whether_cleared();
    return check_hello();
}

[[clang::minsize]] Result<> MailboxDevice::check_hello() const {
    const auto wrong = [](std::string_view what) {
        return fail(RVL_INVALID, {"the firmware's hello is invalid: ", what});
    };
    if (hello_.bytes < RVL_HELLO_LEAST_BYTES)
        return wrong(text({"it has ", hello_.bytes, " bytes"}));
    const bool has_report = hello_.statistics != 0 && hello_.crash != 0;
    if (hello_.timebase == 0)
        return wrong("its clock does not advance");
    if ((description_.flags & RVL_DEVICE_COHERENT) == 0 &&
        (!std::has_single_bit(hello_.cache_block) || hello_.cache_block < RVL_LEAST_CACHE_BLOCK ||
         hello_.cache_block > RVL_LARGEST_CACHE_BLOCK))
        return wrong(text({"its cache blocks have ", hello_.cache_block,
                           " bytes; a power of two from 32 to 256 is expected"}));
    const struct {
        const char *name;
        uint64_t address;
        uint64_t count;
        uint64_t element_bytes;
        bool ring;
    } regions[] = {
        {"command ring", hello_.command_ring, hello_.command_slots, sizeof(rvl_slot), true},
        {"completion ring", hello_.completion_ring, hello_.completion_slots, sizeof(rvl_slot),
         true},
        {"log", hello_.log_ring, hello_.log_bytes, 1, true},
        {"fault table", hello_.fault_table, hello_.fault_slots, sizeof(rvl_fault), false},
        {"heap", hello_.heap_base, hello_.heap_bytes, 1, false},
        {"second heap", hello_.second_heap_base, hello_.second_heap_bytes, 1, false},
        {"statistics", hello_.statistics, has_report ? hello_.harts : 0u,
         sizeof(rvl_hart_statistics), false},
        {"crash report", hello_.crash, has_report ? 1u : 0u, sizeof(rvl_crash), false},
    };
    for (const auto &region : regions)
        if ((region.count != 0 &&
             !memory_.contains(region.address, region.count * region.element_bytes)) ||
            (region.ring && !std::has_single_bit(region.count)))
            return wrong(text(
                {"its ", region.name, " is ", region.count, " long at ", hex(region.address)}));
    if (hello_.harts != description_.harts || hello_.xlen != description_.xlen ||
        (description_.vlen != 0 && hello_.vlen != description_.vlen))
        return fail(RVL_INVALID, {"the machine ", description_.name, " promises ",
                                  description_.harts, " harts of VLEN ", description_.vlen,
                                  ", the firmware found ", hello_.harts, " of VLEN ", hello_.vlen});
    return {};
}

void MailboxDevice::make_log() {
    log_ = LogReader(memory_, *callbacks_,
                     {.head = word(offsetof(rvl_mailbox, log.head)),
                      .tail = word(offsetof(rvl_mailbox, log.tail)),
                      .elements = hello_.log_ring,
                      .count = hello_.log_bytes,
                      .element_bytes = 1},
                     word(offsetof(rvl_mailbox, log_lost)));
    log_ring_ = hello_.log_ring;
}

[[clang::minsize]] void MailboxDevice::make_rings() {
    const bool large = (hello_.flags & RVL_HELLO_LARGE_BLOCKS) != 0;
    const auto device_word = [&](size_t usual, size_t of_large_blocks) {
        return word(large ? offsetof(rvl_mailbox, device_words) + of_large_blocks : usual);
    };
    notify_enabled_ = device_word(offsetof(rvl_mailbox, device_notify_enabled),
                                  offsetof(rvl_device_words, notify_enabled));
    commands_ = Producer(memory_, {.head = device_word(offsetof(rvl_mailbox, commands.head),
                                                       offsetof(rvl_device_words, command_head)),
                                   .tail = word(offsetof(rvl_mailbox, commands.tail)),
                                   .elements = hello_.command_ring,
                                   .count = hello_.command_slots,
                                   .element_bytes = sizeof(rvl_slot)});
    completions_ =
        Consumer(memory_, {.head = word(offsetof(rvl_mailbox, completions.head)),
                           .tail = device_word(offsetof(rvl_mailbox, completions.tail),
                                               offsetof(rvl_device_words, completion_tail)),
                           .elements = hello_.completion_ring,
                           .count = hello_.completion_slots,
                           .element_bytes = sizeof(rvl_slot)});
    make_log();
    memory_.set_block(hello_.cache_block);
    maintenance_ = memory_.load(word(offsetof(rvl_mailbox, cache_served))).value_or(0);
    clock_.restart(hello_.timebase);
    room_wanted_ = false;
    woken_ = false;
}

// The first ping warms up both sides; each further one narrows the relation of the clocks. A device
// that is still polling its ring answers without a bell, one that has gone to sleep shows whether
// bells arrive, and one that never sleeps needs none.
Result<> MailboxDevice::await_wish_for_bell() {
    const uint64_t deadline = now_ns() + sleep_limit_ns;
    while (now_ns() < deadline) {
        const auto wanted = memory_.load(notify_enabled_);
        if (!wanted)
            return std::unexpected(wanted.error());
        if (*wanted != 0) {
            usleep(after_wish_us); // it checks once more before it sleeps
            break;
        }
        sched_yield();
    }
    return {};
}

Result<> MailboxDevice::first_pings() {
    const uint64_t deadline = limit_after(ping_limit_ns);
    running_.store(true); // needed by idle()
    for (int i = 0; i < pings_at_start; ++i) {
        if (i == pings_at_start - 1)
            if (auto waited = await_wish_for_bell(); !waited)
                return waited;
        const rvl_slot ping = ping_slot();
        ping_sent_.store(now_ns());
        if (auto pushed = commands_.push({&ping, 1}); !pushed)
            return std::unexpected(pushed.error());
        if (auto rung = ring_if_wanted(); !rung)
            return rung;
        while (ping_sent_.load() != 0) {
            const auto taken = take();
            if (!taken)
                return std::unexpected(taken.error());
            if (callbacks_->dead())
                return std::unexpected(callbacks_->death());
            const uint64_t now = now_ns();
            if (now > deadline)
                return fail(RVL_TIMEOUT, "the firmware runs but does not answer a ping: doorbells "
                                         "do not arrive");
            if (ping_sent_.load() != 0)
                if (auto slept = sleep(deadline - now); !slept)
                    return slept;
        }
    }
    next_ping_ = now_ns() + ping_interval_ns_;
    silence_ns_ = 0;
    looked_for_life_ = now_ns();
    return {};
}

} // namespace rivulet::hal
