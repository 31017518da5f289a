// SPDX-License-Identifier: Apache-2.0
//
// The device's life, and the clients' sessions.
#include "tools/rivuletd/board.h"

#include <sys/mman.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/now.h"
#include "base/parse.h"

namespace rivulet::tools {
namespace {

constexpr auto long_time = std::chrono::hours(1);
constexpr size_t clear_at_once = 1 << 20;
constexpr size_t remembered_refusals = 64;
constexpr std::string_view refused_launch = "launch ";
constexpr uint32_t tokens = 4096;

} // namespace

Board::Board(DeviceSettings settings, Say say)
    : settings_(std::move(settings)), say_(std::move(say)), pending_(tokens) {
    for (uint16_t token = 1; token < tokens; ++token)
        free_tokens_.push_back(token);
}

Result<std::unique_ptr<Board>> Board::open(DeviceSettings settings, Say say) {
    std::unique_ptr<Board> board(new Board(std::move(settings), std::move(say)));
    // The firmware says why it refuses a launch in its log, before the launch completes.
    const auto log = [own = board.get()](int level, std::string_view line) {
        own->say_(level, line);
        const auto found = line.find(refused_launch);
        const auto colon = line.find(" refused: ");
        if (found == line.npos || colon == line.npos || colon < found)
            return;
        const size_t number = found + refused_launch.size();
        if (const auto launch = parse_number(line.substr(number, colon - number))) {
            const std::scoped_lock lock(own->refusals_mutex_);
            own->refusals_.emplace_back(static_cast<uint32_t>(*launch), line.substr(colon + 10));
            if (own->refusals_.size() > remembered_refusals)
                own->refusals_.pop_front();
        }
    };
    auto device = hal::Device::open(board->settings_.config, log);
    if (!device)
        return std::unexpected(device.error());
    board->device_ = std::move(*device);
    const auto &description = board->device_->description();
    board->base_ = description.memory_base;
    if ((description.flags & RVL_DEVICE_SHARED) != 0)
        return fail(RVL_INVALID, {description.name, " is shared by a daemon already"});
    if ((description.flags & RVL_DEVICE_ISOLATES) == 0)
        return fail(RVL_INVALID, {description.name, " can't be shared: it does not keep kernels "
                                                    "from the memory of others"});
    const auto &config = board->settings_.config;
    if (config.get("unfenced") == "yes")
        return fail(RVL_INVALID,
                    "a device with unfenced=yes can't be shared: its kernels reach the "
                    "memory of others");
    const auto clear = config.get("clear");
    if ((clear == "no" || clear == "false") && (description.flags & RVL_DEVICE_FRESH_MEMORY) == 0)
        return fail(RVL_INVALID, "a device with clear=no can't be shared: clients would read what "
                                 "others left in its memory");
    if (board->settings_.isolation == Isolation::kernels)
        if (const auto file = board->memory_file(); !file)
            return fail(file.error().status,
                        {"isolation = \"kernels\": ", file.error().message,
                         "; use isolation = \"full\", with which clients don't map memory"});
    board->thread_ = std::thread([own = board.get()] { own->run(); });
    return board;
}

Board::~Board() {
    {
        const std::scoped_lock lock(mutex_);
        stopping_ = true;
    }
    wanted_.notify_all();
    if (device_)
        device_->wake();
    if (thread_.joinable())
        thread_.join();
}

rvl_device_desc Board::description_for(uid_t user) const {
    rvl_device_desc description = device_->description();
    const Limits limits = settings_.limits_of(user);
    const bool maps = settings_.isolation == Isolation::kernels;
    constexpr uint32_t kept =
        RVL_DEVICE_COUNTS_INSTRUCTIONS | RVL_DEVICE_VIRTUAL_TIME | RVL_DEVICE_ISOLATES;
    description.flags = (description.flags & (kept | (maps ? RVL_DEVICE_ATOMICS : 0u))) |
                        RVL_DEVICE_COHERENT | RVL_DEVICE_RUNNING | RVL_DEVICE_FRESH_MEMORY |
                        RVL_DEVICE_SHARED | (maps ? RVL_DEVICE_MAPS : 0u) |
                        (limits.high_priority ? RVL_DEVICE_PRIORITIES : 0u);
    description.mailbox = base_;
    description.heap_bytes = limits.memory;
    description.reserved = 0;
    description.copy_alignment = 0;
    description.copy_least_bytes = 0;
    description.local_memory_bytes = device_->promised_local_memory();
    // Of the device's own regions, the scratchpad also exists for clients.
    rvl_region scratchpad = hal::region_of(description, RVL_REGION_SCRATCHPAD);
    std::ranges::fill(description.regions, rvl_region{});
    description.regions[0] = scratchpad;
    return description;
}

Result<hal::MemoryFile> Board::memory_file() { return device_->memory_file(); }

// ---- the board's thread

void Board::run() {
    for (;;) {
        {
            std::unique_lock lock(mutex_);
            wanted_.wait(lock, [&] { return stopping_ || needed_; });
            if (stopping_)
                return;
        }
        const auto started = device_->start();
        {
            const std::scoped_lock lock(mutex_);
            needed_ = false;
            if (started)
                adopt_device();
            for (const auto &client : std::vector(clients_))
                if (!started && client->phase == Client::Phase::starting)
                    crash(*client,
                          text({"the device can't be started: ", started.error().message}));
                else
                    look_at_session(*client);
        }
        if (!started) {
            say_(0, started.error().message);
            continue;
        }
        serve_device();
    }
}

void Board::adopt_device() {
    up_ = true;
    const rvl_hello &hello = device_->hello();
    // Clients see their mailboxes where the device has its firmware. Slices are whole pages.
    const uint64_t least = std::max(hello.heap_base, base_ + hal::daemon::area::seen);
    const uint64_t begin = (least + RVL_PAGE_BYTES - 1) / RVL_PAGE_BYTES * RVL_PAGE_BYTES;
    const uint64_t end = (hello.heap_base + hello.heap_bytes) / RVL_PAGE_BYTES * RVL_PAGE_BYTES;
    const Slice heap{begin, end > begin ? end - begin : 0};
    if (heap == slices_.heap())
        return;
    slices_ = Slices(heap); // another firmware
    for (const auto &client : clients_)
        client->heap = {};
}

void Board::serve_device() {
    for (;;) {
        const auto done = device_->completions(long_time);
        const std::scoped_lock lock(mutex_);
        if (stopping_)
            return;
        if (!done)
            return die(done.error().message);
        for (const rvl_slot &slot : *done)
            complete(slot);
        forward();
    }
}

void Board::die(const std::string &reason) {
    say_(0, text({"the device died: ", reason}));
    device_->give_up(reason);
    up_ = false;
    outbox_.clear();
    owners_.clear();
    works_ = 0;
    for (uint16_t token = 1; token < tokens; ++token)
        if (pending_[token].client != nullptr) {
            pending_[token].client = nullptr;
            free_tokens_.push_back(token);
        }
    for (const auto &client : std::vector(clients_)) {
        client->forget_numbers();
        client->requests = 0;
        if (client->phase == Client::Phase::running || client->phase == Client::Phase::mapping)
            crash(*client, text({"the device died: ", reason}));
        else
            look_at_session(*client);
    }
}

// ---- clients

Result<std::shared_ptr<Client>> Board::join(const Peer &peer, FileDescriptor &bell) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return fail(RVL_IO, {"no bell: ", errno_text(errno)});
    FileDescriptor own(ends[0]);
    bell = FileDescriptor(ends[1]);
    auto mailbox = ClientMailbox::create(base_);
    if (!mailbox)
        return std::unexpected(mailbox.error());
    auto client = std::make_shared<Client>(peer, settings_.limits_of(peer.user),
                                           std::move(*mailbox), std::move(own));
    const std::scoped_lock lock(mutex_);
    client->usage.pid = peer.pid;
    client->usage.uid = peer.user;
    peer.program.copy(client->usage.program, sizeof client->usage.program - 1);
    if (const auto debt = debts_.find(peer.user); debt != debts_.end())
        client->used = debt->second;
    clear_mailbox(*client);
    clients_.push_back(client);
    return client;
}

/// The mailbox as it is before a host attaches.
void Board::clear_mailbox(Client &client) {
    client.mailbox.clear();
    client.session = 0;
    client.ahead = {};
    client.phase = Client::Phase::detached;
    rvl_hello hello{};
    if (up_) {
        hello = device_->hello();
    } else { // what the client checks before it attaches
        const auto &description = device_->description();
        hello.harts = description.harts;
        hello.xlen = description.xlen;
        hello.vlen = description.vlen;
        hello.timebase = 1;
        hello.cache_block = RVL_CACHE_BLOCK;
    }
    client.mailbox.write_hello(hello, {base_, 0});
    client.mailbox.ask_for_bell();
    client.mailbox.set_state(RVL_STATE_DETACHED);
}

void Board::reset(Client &client) {
    const std::scoped_lock lock(mutex_);
    end_session(client);
    clear_mailbox(client);
    forward();
}

void Board::leave(const std::shared_ptr<Client> &client) {
    const std::scoped_lock lock(mutex_);
    end_session(*client);
    client->phase = Client::Phase::leaving;
    remove_if_left(*client);
    forward();
}

void Board::remove_if_left(Client &client) {
    if (client.phase != Client::Phase::leaving || !client.works.empty() || client.requests != 0)
        return;
    if (client.heap.bytes != 0) {
        const auto &usage = client.usage;
        say_(2, text({"process ", usage.pid, " (", client.peer.program, ") of user ", usage.uid,
                      " has left: ", usage.launches, " launches, ", usage.failures, " failures, ",
                      usage.instructions, " instructions, ", usage.busy_ns / 1000000,
                      " ms on the device, ", bytes_text(client.heap.bytes)}));
    }
    release_heap(client);
    if (client.used > floor_)
        debts_[client.peer.user] = client.used;
    else
        debts_.erase(client.peer.user);
    std::erase_if(clients_, [&](const auto &other) { return other.get() == &client; });
}

// Nothing of this client may be found by the next one with this heap.
void Board::release_heap(Client &client) {
    const Slice heap = std::exchange(client.heap, {});
    if (heap.bytes == 0)
        return;
    std::byte *const at = device_->map(heap.base, heap.bytes);
    bool cleared = false;
    if (at != nullptr && (device_->description().flags & RVL_DEVICE_COHERENT) != 0) {
        // Gives the memory back to the system, if it is of a file; its pages are zeros again.
        if (madvise(at, heap.bytes, MADV_REMOVE) != 0)
            std::memset(at, 0, heap.bytes);
        cleared = true;
    } else {
        const std::vector<std::byte> zeros(clear_at_once);
        cleared = true;
        for (uint64_t done = 0; done < heap.bytes && cleared; done += clear_at_once) {
            const size_t part = std::min<size_t>(clear_at_once, heap.bytes - done);
            cleared = device_->write(heap.base + done, std::span(zeros).first(part)).has_value();
        }
    }
    if (cleared || !up_) // a device that is started again has no old data
        slices_.give_back(heap);
    else
        say_(0, "memory of a former client can't be cleared; it is not used any more");
}

void Board::end_session(Client &client) {
    for (const auto &[number, work] : client.works)
        kill(number);
    client.mailbox.drop_completions();
    flush_outbox();
}

void Board::notify(Client &client, bool always) {
    if (client.mailbox.flush() || always)
        client.ring();
}

void Board::crash(Client &client, std::string_view reason) {
    client.mailbox.log(reason);
    client.mailbox.set_session(client.session);
    client.mailbox.set_state(RVL_STATE_CRASHED);
    client.phase = Client::Phase::crashed;
    notify(client, true);
}

// The handshake of hal/protocol/mailbox.h.
void Board::look_at_session(Client &client) {
    using Phase = Client::Phase;
    if (client.phase == Phase::leaving)
        return remove_if_left(client);
    if (client.phase == Phase::crashed)
        return;
    if (const uint32_t session = client.mailbox.boot_session(); session != client.session) {
        client.session = session;
        client.mailbox.set_state(RVL_STATE_BOOTING);
        end_session(client);
        client.phase = Phase::ending;
    }
    if (client.phase == Phase::ending && client.works.empty() && client.requests == 0)
        welcome(client);
    if (client.phase == Phase::starting) {
        if (up_) {
            start_serving(client);
        } else {
            needed_ = true;
            wanted_.notify_all();
        }
    }
    if (client.phase == Phase::mapping &&
        (settings_.isolation == Isolation::full || client.mailbox.grant_is_mapped())) {
        client.phase = Phase::running;
        client.mailbox.set_session(client.session);
        client.mailbox.set_state(RVL_STATE_RUNNING);
        notify(client, true);
    }
}

void Board::welcome(Client &client) {
    const rvl_boot boot = client.mailbox.boot();
    client.forget_numbers();
    client.mailbox.drop_completions();
    client.mailbox.skip_commands();
    client.ahead = {};
    client.heartbeat_ms = boot.heartbeat_ms;
    if (boot.magic != RVL_MAILBOX_MAGIC) {
        client.phase = Client::Phase::detached;
        client.mailbox.set_session(client.session);
        client.mailbox.set_state(RVL_STATE_DETACHED);
        notify(client, true);
    } else if (RVL_VERSION_MAJOR(boot.protocol) != RVL_VERSION_MAJOR(RVL_PROTOCOL_VERSION)) {
        client.phase = Client::Phase::detached;
        client.mailbox.log("the host speaks another protocol: refused");
        client.mailbox.set_session(client.session);
        client.mailbox.set_state(RVL_STATE_REFUSED);
        notify(client, true);
    } else {
        client.phase = Client::Phase::starting;
    }
}

Result<Slice> Board::slice_for(const Client &client) {
    const auto processes = static_cast<uint32_t>(std::ranges::count_if(clients_, [&](auto &other) {
        return other->peer.user == client.peer.user && other->heap.bytes != 0;
    }));
    if (processes >= client.limits.processes)
        return fail(RVL_INVALID,
                    {"processes of ", client.peer.user_name, " on this device: ", processes,
                     ", as many as the limit \"processes\" of rivuletd's configuration allows"});
    const auto slice = slices_.take(std::min(client.limits.memory, slices_.heap().bytes));
    if (!slice)
        return fail(RVL_NO_MEMORY,
                    {"no ", bytes_text(client.limits.memory), " of the device's ",
                     bytes_text(slices_.heap().bytes), " are free: ", clients_.size() - 1,
                     " other processes are connected; rivuletd's limit \"memory\" is what each "
                     "of them gets"});
    return *slice;
}

void Board::start_serving(Client &client) {
    if (client.heap.bytes == 0) {
        const auto slice = slice_for(client);
        if (!slice)
            return crash(client, slice.error().message);
        client.heap = *slice;
        client.mailbox.grant(client.heap);
    }
    rvl_hello hello = device_->hello();
    if (!client.limits.high_priority)
        hello.flags &= ~RVL_HELLO_PRIORITIES;
    client.mailbox.write_hello(hello, client.heap);
    client.mailbox.log(text({"board ", hello.board, ", ", hello.harts, " harts, VLEN ", hello.vlen,
                             ", ", client.heap.bytes >> 20, " MiB of heap, shared by rivuletd"}));
    client.phase = Client::Phase::mapping;
    notify(client, true);
}

void Board::serve(Client &client) {
    const std::scoped_lock lock(mutex_);
    look_at_session(client);
    forward();
}

Result<> Board::read(Client &client, uint64_t address, std::span<std::byte> to) {
    {
        const std::scoped_lock lock(mutex_);
        if (!client.heap.holds(address, to.size()))
            return fail(RVL_INVALID, {bytes_text(to.size()), " at ", hex(address),
                                      " are not in this process's part of the device's memory"});
    }
    return device_->read(address, to);
}

Result<> Board::write(Client &client, uint64_t address, std::span<const std::byte> from) {
    {
        const std::scoped_lock lock(mutex_);
        if (!client.heap.holds(address, from.size()))
            return fail(RVL_INVALID, {bytes_text(from.size()), " at ", hex(address),
                                      " are not in this process's part of the device's memory"});
    }
    return device_->write(address, from);
}

std::vector<hal::daemon::Usage> Board::usage() {
    const std::scoped_lock lock(mutex_);
    std::vector<hal::daemon::Usage> all;
    for (const auto &client : clients_) {
        hal::daemon::Usage usage = client->usage;
        usage.in_flight = static_cast<uint32_t>(client->works.size());
        usage.attached = client->phase == Client::Phase::running ? 1 : 0;
        usage.heap_bytes = client->heap.bytes;
        all.push_back(usage);
    }
    return all;
}

bool Board::is_idle() {
    const std::scoped_lock lock(mutex_);
    const auto has_nothing_to_do = [](const std::shared_ptr<Client> &client) {
        return client->works.empty() && client->requests == 0 && !client->mailbox.is_full() &&
               (client->phase != Client::Phase::running || client->mailbox.look() == 0);
    };
    return !up_ || (outbox_.empty() && std::ranges::all_of(clients_, has_nothing_to_do));
}

int Board::beat() {
    const std::scoped_lock lock(mutex_);
    uint32_t shortest = 0;
    for (const auto &client : clients_) {
        if (client->phase != Client::Phase::running || client->heartbeat_ms == 0 ||
            (client->works.empty() && client->requests == 0 && client->mailbox.look() == 0))
            continue;
        client->mailbox.beat();
        shortest = shortest == 0 ? client->heartbeat_ms : std::min(shortest, client->heartbeat_ms);
    }
    return shortest == 0 ? -1 : static_cast<int>(std::clamp(shortest, 50u, 1000u));
}

} // namespace rivulet::tools
