// SPDX-License-Identifier: Apache-2.0
#include "hal/drivers/gdb/device.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/thread.h"
#include "hal/protocol/mailbox.h"

namespace rivulet::hal::gdb {
namespace {

using namespace std::chrono_literals;

constexpr unsigned pc_register = 32, a1_register = 11; // gdb's register numbers for riscv:rv64
// Address at which QEMU's virt machine stores the address of its device tree: in the reset code.
constexpr uint64_t qemu_tree_pointer = 0x1020;
constexpr size_t largest_tree = 1u << 20;
// The harts resume after this time without an access, because each stop costs more.
constexpr auto linger = 300us;
constexpr std::chrono::microseconds shortest_look = 100us, longest_look = 10ms;

} // namespace

Result<std::unique_ptr<Device>> Device::open(Board board, Options options, Reporter report) {
    std::unique_ptr<Device> device(new Device(std::move(board), std::move(options), report));
    {
        const std::scoped_lock lock(device->lock_);
        if (auto connected = device->connect(); !connected)
            return std::unexpected(connected.error());
        device->take_live_tree();
        if (auto taken = device->take_harts(); !taken)
            return std::unexpected(taken.error());
    }
    const ThreadDefaults defaults;
    device->idler_ = std::thread([&self = *device] { self.continue_when_idle(); });
    return device;
}

Device::~Device() {
    {
        const std::scoped_lock lock(lock_);
        closing_ = true;
        const bool leaves_running = std::exchange(running_, false) && options_.leaves_running;
        if (stub_ && death_.empty())
            static_cast<void>(leaves_running ? stub_->detach() : reset_harts());
    }
    changed_.notify_all();
    if (idler_.joinable())
        idler_.join();
}

Result<> Device::connect() {
    auto stub = Stub::open(options_.target, options_.limit);
    if (!stub)
        return std::unexpected(stub.error());
    stub_ = std::move(*stub);
    death_.clear();
    was_reset_ = false;
    stops_time_ = stub_->kind() == Kind::qemu;
    if (!options_.start_is_given)
        options_.start_at_entry = stub_->kind() != Kind::qemu;
    return {};
}

void Device::take_live_tree() {
    if (stub_->kind() != Kind::qemu)
        return;
    uint64_t address = 0;
    uint32_t header[2] = {}; // magic and size, big endian
    if (!stub_->read(qemu_tree_pointer, std::as_writable_bytes(std::span(&address, 1))) ||
        address == 0 || !stub_->read(address, std::as_writable_bytes(std::span(header))))
        return;
    const uint32_t size = __builtin_bswap32(header[1]);
    if (__builtin_bswap32(header[0]) != 0xd00dfeed || size > largest_tree)
        return;
    std::vector<std::byte> tree(size);
    if (stub_->read(address, tree))
        refine(board_, tree);
}

Result<> Device::take_harts() {
    const uint32_t xlen = stub_->xlen();
    if (xlen != 0 && xlen != board_.xlen)
        return fail(RVL_INVALID, {"the harts behind ", options_.target, " have ", xlen,
                                  " bits, those of board ", board_.name, " have ", board_.xlen,
                                  "; board=NAME in RIVULET_MACHINE names another one"});
    board_.harts = static_cast<uint32_t>(stub_->threads().size());
    board_.vlen = stub_->vlen();
    options_.board.apply_to(board_);
    if (board_.harts > stub_->threads().size())
        return fail(RVL_INVALID, {"harts=", board_.harts, " is more than the stub at ",
                                  options_.target, " shows: ", stub_->threads().size()});
    return {};
}

rvl_status Device::failed(const Error &error) {
    if (error.status == RVL_IO || error.status == RVL_UNSUPPORTED)
        return report_.fail(error);
    running_ = false;
    death_ = error.message;
    changed_.notify_all();
    return RVL_DEAD;
}

rvl_status Device::tell_death() {
    std::string reason;
    {
        const std::scoped_lock lock(lock_);
        if (!std::exchange(told_, true))
            reason = death_;
    }
    if (!reason.empty())
        report_.died(reason);
    return RVL_DEAD;
}

rvl_status Device::accessed(const Step &step) {
    if (!options_.stays_running)
        return stopped(step);
    const std::unique_lock lock(lock_);
    if (!death_.empty())
        return RVL_DEAD;
    if (auto done = step(); !done)
        return failed(done.error());
    return RVL_OK;
}

rvl_status Device::stopped(const Step &step) {
    {
        const std::scoped_lock lock(lock_);
        if (!death_.empty())
            return RVL_DEAD;
        ++accesses_;
        auto done = stub_->halt();
        if (done)
            done = step();
        if (!done)
            return failed(done.error());
        if (!running_)
            return RVL_OK;
    }
    changed_.notify_all();
    return RVL_OK;
}

// On a thread, because accesses come in bursts, and stopping costs QEMU's harts more than a packet.
void Device::continue_when_idle() {
    std::unique_lock lock(lock_);
    for (;;) {
        changed_.wait(lock, [&] { return closing_ || (running_ && stub_->halted()); });
        if (closing_)
            return;
        const uint64_t before = accesses_;
        changed_.wait_for(lock, linger, [&] { return closing_; });
        if (accesses_ != before || !running_ || closing_)
            continue;
        if (auto going = stub_->resume(); !going)
            failed(going.error());
    }
}

// QEMU's reset unlocks as many PMP entries as are in use, which need not be the locked ones. So all
// entries are put to use first.
Result<> Device::unlock_in_qemu() {
    constexpr uint64_t all_in_use = 0x1818181818181818; // NAPOT, no rights
    for (const char *name : {"pmpcfg0", "pmpcfg1"})
        if (const auto number = stub_->register_number(name))
            for (const auto &hart : stub_->threads())
                if (auto done = stub_->write_register(hart, *number, all_in_use); !done)
                    return done;
    return {};
}

// Resets the harts to the chip's first instruction, or at least halts them.
Result<> Device::reset_harts() {
    if (auto halted = stub_->halt(); !halted)
        return halted;
    const bool qemu = stub_->kind() == Kind::qemu;
    if (qemu)
        if (auto unlocked = unlock_in_qemu(); !unlocked)
            return unlocked;
    const std::string command = !options_.reset.empty() ? options_.reset
                                : qemu                  ? "system_reset"
                                                        : "reset halt";
    const auto done = stub_->monitor(command);
    if (done) {
        was_reset_ = true;
        return {};
    }
    if (done.error().status != RVL_UNSUPPORTED)
        return std::unexpected(done.error());
    if (!options_.reset.empty())
        return std::unexpected(done.error());
    report_.log(1, text({done.error().message, ": harts start at the firmware's entry without a "
                                               "reset of the chip"}));
    options_.start_at_entry = was_reset_ = true;
    return {};
}

rvl_status Device::load(const FirmwareFile &firmware) {
    const auto status = stopped([&]() -> Result<> {
        if (!was_reset_)
            if (auto done = reset_harts(); !done)
                return done;
        for (const Segment &segment : firmware.segments)
            if (auto loaded = load_segment(segment); !loaded)
                return loaded;
        entry_ = firmware.entry;
        mailbox_ = firmware.note.mailbox;
        return {};
    });
    return status == RVL_DEAD ? tell_death() : status;
}

Result<> Device::load_segment(const Segment &segment) {
    if (segment.address < board_.memory_base || segment.bytes > board_.memory_bytes ||
        segment.address - board_.memory_base > board_.memory_bytes - segment.bytes)
        return fail(RVL_IO,
                    {"the firmware wants ", bytes_text(segment.bytes), " at ", hex(segment.address),
                     ", where board ", board_.name, " has no memory"});
    // The firmware clears the memory after the contents itself.
    auto done = stub_->write(segment.address, segment.contents);
    return done ? check(segment) : done;
}

Result<> Device::check(const Segment &segment) {
    if (segment.contents.empty())
        return {};
    const auto wrong = [&] {
        return fail(RVL_IO, {"the firmware was not written correctly at ", hex(segment.address),
                             "; is there memory, and has it been initialised?"});
    };
    if (const auto whole = stub_->holds(segment.address, segment.contents))
        return *whole ? Result<>{} : wrong();
    else if (whole.error().status != RVL_UNSUPPORTED)
        return std::unexpected(whole.error());
    if (!options_.verify)
        return {};
    std::vector<std::byte> there(segment.contents.size());
    if (auto read = stub_->read(segment.address, there); !read)
        return read;
    return std::ranges::equal(there, segment.contents) ? Result<>{} : wrong();
}

Result<> Device::release_harts() {
    if (options_.start_at_entry)
        for (size_t i = 0; i < board_.harts && i < stub_->threads().size(); ++i) {
            const std::string &hart = stub_->threads()[i];
            // no device tree at that address
            auto done = stub_->write_register(hart, a1_register, 0);
            if (done)
                done = stub_->write_register(hart, pc_register, entry_);
            if (!done)
                return done;
        }
    return stub_->resume();
}

rvl_status Device::start() {
    const auto status = stopped([&]() -> Result<> {
        news_ = {};
        told_ = woken_ = false;
        was_reset_ = false;
        auto going = release_harts();
        running_ = going.has_value();
        return going;
    });
    return status == RVL_DEAD ? tell_death() : status;
}

// Many stubs serve one debugger at a time, so the earlier connection is closed first. OpenOCD drops
// new connections until it has noticed that, so they are retried.
Result<> Device::reconnect() {
    stub_.reset();
    auto again = connect();
    if (!again && again.error().status == RVL_DEAD)
        again = connect();
    return again;
}

rvl_status Device::reset() {
    const std::scoped_lock lock(lock_);
    running_ = told_ = false;
    if (!death_.empty())
        if (auto again = reconnect(); !again)
            return report_.fail(again.error());
    if (auto done = reset_harts(); !done) {
        const rvl_status status = failed(done.error());
        return status == RVL_DEAD ? report_.fail(done.error()) : status;
    }
    return RVL_OK;
}

rvl_status Device::read(uint64_t address, std::span<std::byte> to) {
    return accessed([&] { return stub_->read(address, to); });
}

rvl_status Device::write(uint64_t address, std::span<const std::byte> from) {
    return accessed([&] { return stub_->write(address, from); });
}

// Firmware on boards without such a register polls the mailbox.
rvl_status Device::ring() {
    if (board_.bell == 0)
        return RVL_OK;
    const uint32_t one = 1;
    const auto status =
        accessed([&] { return stub_->write(board_.bell, std::as_bytes(std::span(&one, 1))); });
    return status == RVL_DEAD ? tell_death() : status;
}

Result<Device::News> Device::look() {
    constexpr uint64_t rings = offsetof(rvl_mailbox, completions);
    constexpr uint64_t rings_end = offsetof(rvl_mailbox, log) + sizeof(rvl_ring);
    News news;
    auto done = stub_->read(mailbox_ + offsetof(rvl_mailbox, hello) + offsetof(rvl_hello, state),
                            std::as_writable_bytes(std::span(&news.state, 1)));
    std::byte bytes[rings_end - rings];
    if (done)
        done = stub_->read(mailbox_ + rings, bytes);
    if (!done)
        return std::unexpected(done.error());
    std::memcpy(&news.completions, bytes + offsetof(rvl_ring, tail), sizeof news.completions);
    std::memcpy(&news.log, bytes + offsetof(rvl_mailbox, log) - rings + offsetof(rvl_ring, tail),
                sizeof news.log);
    return news;
}

// A debug port delivers no doorbells, so this polls the words that the device changes, at
// increasing intervals.
rvl_status Device::wait(uint64_t timeout_ns) {
    constexpr uint64_t longest = 3'600'000'000'000; // keeps the deadline within range
    const auto deadline =
        std::chrono::steady_clock::now() + std::chrono::nanoseconds(std::min(timeout_ns, longest));
    for (auto pause = shortest_look;; pause = std::min(2 * pause, longest_look)) {
        bool news = false;
        const auto status = accessed([&]() -> Result<> {
            const auto now = look();
            if (!now)
                return std::unexpected(now.error());
            news = !(std::exchange(news_, *now) == *now);
            return news || !running_ ? Result<>{} : stub_->resume();
        });
        if (status == RVL_DEAD)
            return tell_death();
        if (status != RVL_OK || news)
            return status;
        std::unique_lock lock(lock_);
        const auto until = std::min(deadline, std::chrono::steady_clock::now() + pause);
        changed_.wait_until(lock, until, [&] { return woken_ || closing_ || !death_.empty(); });
        if (std::exchange(woken_, false) || closing_)
            return RVL_OK;
        if (std::chrono::steady_clock::now() >= deadline)
            return RVL_TIMEOUT;
    }
}

void Device::wake() {
    {
        const std::scoped_lock lock(lock_);
        woken_ = true;
    }
    changed_.notify_all();
}

} // namespace rivulet::hal::gdb
