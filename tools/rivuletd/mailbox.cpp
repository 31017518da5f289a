// SPDX-License-Identifier: Apache-2.0
#include "tools/rivuletd/mailbox.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "base/file_size.h"

namespace rivulet::tools {

namespace area = hal::daemon::area;
using hal::daemon::area_faults;
using hal::daemon::area_log_bytes;
using hal::daemon::area_slots;

namespace {

uint32_t load(const uint32_t &word) { return __atomic_load_n(&word, __ATOMIC_ACQUIRE); }
void store(uint32_t &word, uint32_t value) { __atomic_store_n(&word, value, __ATOMIC_RELEASE); }

/// Copies shared memory once: the compiler must not read it again after a check of the copy.
template <class T> T copy_of(const T &shared) {
    T own;
    std::memcpy(&own, &shared, sizeof own);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    return own;
}

} // namespace

Result<ClientMailbox> ClientMailbox::create(uint64_t base) {
    const auto refused = [](const char *what) {
        return fail(RVL_NO_MEMORY, {"no memory for a client: ", what, ": ", errno_text(errno)});
    };
    FileDescriptor file(memfd_create("rivuletd-client", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!file || !set_file_size(file.get(), area::bytes))
        return refused("memfd_create");
    // A client that truncated it could end the daemon with SIGBUS.
    if (fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        return refused("F_ADD_SEALS");
    void *at = mmap(nullptr, area::bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
    if (at == MAP_FAILED)
        return refused("mmap");
    ClientMailbox mailbox(std::move(file), static_cast<std::byte *>(at), base);
    mailbox.clear();
    return mailbox;
}

ClientMailbox::ClientMailbox(ClientMailbox &&other) noexcept
    : file_(std::move(other.file_)), area_(std::exchange(other.area_, nullptr)),
      base_(other.base_) {}

ClientMailbox::~ClientMailbox() {
    if (area_ != nullptr)
        munmap(area_, area::bytes);
}

std::byte *ClientMailbox::transfers() const { return area_ + area::transfers; }

hal::daemon::Grant &ClientMailbox::shared_grant() const {
    return *reinterpret_cast<hal::daemon::Grant *>(area_ + area::grant);
}

void ClientMailbox::clear() {
    std::memset(area_, 0, area::grant);
    std::memset(area_ + area::crash, 0, area::seen - area::crash);
    head_ = tail_ = log_tail_ = log_lost_ = faults_ = cache_served_ = damaged_ = 0;
    unsent_.clear();
    commands_.clear();
}

void ClientMailbox::write_hello(const rvl_hello &device, const Slice &heap) {
    rvl_hello hello = device;
    hello.magic = RVL_MAILBOX_MAGIC;
    hello.protocol = RVL_PROTOCOL_VERSION; // the daemon's: it speaks with the client
    hello.bytes = sizeof hello;
    hello.state = shared().hello.state;
    hello.session = shared().hello.session;
    hello.heap_base = heap.base;
    hello.heap_bytes = heap.bytes;
    hello.second_heap_base = hello.second_heap_bytes = 0;
    hello.command_ring = base_ + area::commands;
    hello.completion_ring = base_ + area::completions;
    hello.command_slots = hello.completion_slots = area_slots;
    hello.log_ring = base_ + area::log;
    hello.log_bytes = area_log_bytes;
    hello.fault_table = base_ + area::faults;
    hello.fault_slots = area_faults;
    hello.statistics = 0; // those of the harts would show the kernels of others
    hello.crash = base_ + area::crash;
    hello.crash_harts = 0;
    std::ranges::fill(hello.units, 0u); // their launches name memory that the daemon doesn't check
    hello.flags &= RVL_HELLO_SIGNED_KERNELS | RVL_HELLO_SCRATCHPAD | RVL_HELLO_SHARED_PAGES |
                   RVL_HELLO_WAITS | RVL_HELLO_PRIORITIES;
    std::memcpy(&shared().hello, &hello, sizeof hello);
}

void ClientMailbox::set_state(rvl_state state) { store(shared().hello.state, state); }
void ClientMailbox::set_session(uint32_t session) { store(shared().hello.session, session); }
uint32_t ClientMailbox::boot_session() const { return load(shared().boot.session); }
rvl_boot ClientMailbox::boot() const { return copy_of(shared().boot); }

void ClientMailbox::grant(const Slice &heap) {
    auto &grant = shared_grant();
    grant.base = heap.base;
    grant.bytes = heap.bytes;
    store(grant.granted.value, ++grants_);
}

bool ClientMailbox::grant_is_mapped() const { return load(shared_grant().mapped.value) == grants_; }

uint32_t ClientMailbox::look() {
    const uint32_t tail = load(shared().commands.tail.value);
    const auto *const slots = reinterpret_cast<const rvl_slot *>(area_ + area::commands);
    if (tail - head_ > area_slots) {
        if (std::exchange(damaged_, tail) != tail)
            log(text({"the host damaged the command ring: head ", head_, ", tail ", tail}));
    } else if (head_ != tail) {
        for (; head_ != tail && commands_.size() < area_slots; ++head_)
            commands_.push_back(copy_of(slots[head_ % area_slots]));
        store(shared().commands.head.value, head_);
    }
    return static_cast<uint32_t>(commands_.size());
}

void ClientMailbox::skip_commands() {
    head_ = load(shared().commands.tail.value);
    commands_.clear();
    store(shared().commands.head.value, head_);
}

void ClientMailbox::ask_for_bell() {
    store(shared().device_notify_enabled.value, 1);
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

void ClientMailbox::complete(const rvl_slot &slot) { unsent_.push_back(slot); }

bool ClientMailbox::flush() {
    if (unsent_.empty())
        return false;
    auto *const slots = reinterpret_cast<rvl_slot *>(area_ + area::completions);
    while (!unsent_.empty() && tail_ - load(shared().completions.head.value) < area_slots) {
        std::memcpy(&slots[tail_ % area_slots], &unsent_.front(), sizeof(rvl_slot));
        unsent_.pop_front();
        ++tail_;
    }
    store(shared().completions.tail.value, tail_);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    return load(shared().host_notify_enabled.value) != 0;
}

void ClientMailbox::log(std::string_view line) {
    const std::string whole = text({line, "\n"});
    const uint32_t used = log_tail_ - load(shared().log.head.value);
    if (used > area_log_bytes || whole.size() > area_log_bytes - used) {
        log_lost_ += static_cast<uint32_t>(whole.size());
        store(shared().log_lost, log_lost_);
        return;
    }
    for (const char c : whole)
        area_[area::log + log_tail_++ % area_log_bytes] = static_cast<std::byte>(c);
    store(shared().log.tail.value, log_tail_);
}

uint32_t ClientMailbox::put_fault(const rvl_fault &fault) {
    const uint32_t index = faults_++ % area_faults;
    std::memcpy(area_ + area::faults + index * sizeof fault, &fault, sizeof fault);
    return index;
}

void ClientMailbox::count_cache_command() { store(shared().cache_served, ++cache_served_); }

void ClientMailbox::beat() { store(shared().heartbeat.count, ++beats_); }

} // namespace rivulet::tools
