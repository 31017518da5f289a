// SPDX-License-Identifier: Apache-2.0
//
// The device's life, and the clients' sessions.
#include "tools/rivuletd/board.h"

#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/now.h"
#include "base/parse.h"

namespace rivulet::tools {
namespace {

constexpr auto long_time = std::chrono::hours(1);
constexpr size_t clear_at_once = 64 << 10; // others are served in between
constexpr size_t remembered_refusals = 64;
constexpr std::string_view refused_launch = "launch ";
constexpr uint32_t tokens = 4096;
constexpr uint32_t longest_pause = 1000;              // ms between two calls of `beat`
constexpr uint64_t leaving_limit_ns = 10'000'000'000; // of a newcomer's wait for those who leave

// Of each process, where no limit is set.
constexpr uint64_t usual_memory = 128u << 20;
constexpr uint64_t usual_clients = 8;

Result<> gone() { return fail(RVL_DEAD, "the device is gone"); }

} // namespace

Board::Board(DeviceSettings settings, Say say)
    : settings_(std::move(settings)), say_(std::move(say)), pending_(tokens) {
    for (uint16_t token = 1; token < tokens; ++token)
        free_tokens_.push_back(token);
}

// The firmware says why it refuses a launch in its log, before the launch completes.
Result<std::unique_ptr<hal::Device>> Board::open_device() {
    return hal::Device::open(settings_.config, [this](int level, std::string_view line) {
        say_(level, line);
        const auto found = line.find(refused_launch);
        const auto colon = line.find(" refused: ");
        if (found == line.npos || colon == line.npos || colon < found)
            return;
        const size_t number = found + refused_launch.size();
        if (const auto launch = parse_number(line.substr(number, colon - number))) {
            const std::scoped_lock lock(refusals_mutex_);
            refusals_.emplace_back(static_cast<uint32_t>(*launch), line.substr(colon + 10));
            if (refusals_.size() > remembered_refusals)
                refusals_.pop_front();
        }
    });
}

Result<std::unique_ptr<Board>> Board::open(DeviceSettings settings, Say say) {
    std::unique_ptr<Board> board(new Board(std::move(settings), std::move(say)));
    auto device = board->open_device();
    if (!device)
        return std::unexpected(device.error());
    board->device_ = std::move(*device);
    board->news_ = FileDescriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!board->news_)
        return fail(RVL_IO, {"eventfd: ", errno_text(errno)});
    rvl_device_desc &description = board->description_;
    description = board->device_->description();
    description.local_memory_bytes = board->device_->promised_local_memory();
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
    if (board->settings_.isolation == Isolation::kernels) {
        constexpr std::string_view instead =
            "; use isolation = \"full\", with which clients don't map memory";
        if (const auto file = board->device_->memory_file(); !file)
            return fail(file.error().status,
                        {"isolation = \"kernels\": ", file.error().message, instead});
        if ((description.flags & RVL_DEVICE_COHERENT) == 0)
            return fail(RVL_UNSUPPORTED, {"isolation = \"kernels\": clients can't maintain the "
                                          "caches of a device that is not coherent",
                                          instead});
    }
    board->thread_ = std::thread([own = board.get()] { own->run(); });
    return board;
}

Board::~Board() {
    {
        const std::scoped_lock lock(mutex_);
        stopping_ = true;
        if (device_)
            device_->wake();
    }
    wanted_.notify_all();
    if (thread_.joinable())
        thread_.join();
}

// Small devices also have several clients if nothing else is said.
uint64_t Board::memory_limit(const Limits &limits) const {
    if (limits.memory != 0)
        return limits.memory;
    const uint64_t share = description_.memory_bytes / usual_clients;
    return std::clamp(share, least_memory, usual_memory) / RVL_PAGE_BYTES * RVL_PAGE_BYTES;
}

rvl_device_desc Board::description_for(uid_t user) const {
    rvl_device_desc description = description_;
    const Limits limits = settings_.limits_of(user);
    const bool maps = settings_.isolation == Isolation::kernels;
    constexpr uint32_t kept = RVL_DEVICE_COUNTS_INSTRUCTIONS | RVL_DEVICE_VIRTUAL_TIME |
                              RVL_DEVICE_ISOLATES | RVL_DEVICE_PCI;
    description.flags = (description.flags & (kept | (maps ? RVL_DEVICE_ATOMICS : 0u))) |
                        RVL_DEVICE_COHERENT | RVL_DEVICE_RUNNING | RVL_DEVICE_FRESH_MEMORY |
                        RVL_DEVICE_SHARED | (maps ? RVL_DEVICE_MAPS : 0u) |
                        (limits.high_priority ? RVL_DEVICE_PRIORITIES : 0u);
    description.mailbox = base_;
    description.heap_bytes = memory_limit(limits);
    description.reserved = 0;
    description.copy_alignment = 0;
    description.copy_least_bytes = 0;
    // Of the device's own regions, the scratchpad also exists for clients.
    rvl_region scratchpad = hal::region_of(description, RVL_REGION_SCRATCHPAD);
    std::ranges::fill(description.regions, rvl_region{});
    description.regions[0] = scratchpad;
    return description;
}

std::optional<Result<hal::MemoryFile>> Board::memory_file(uint32_t &opening,
                                                          std::optional<uint32_t> &failures) {
    const std::scoped_lock lock(mutex_);
    opening = openings_;
    if (device_)
        return device_->memory_file();
    if (failures && *failures != failures_)
        return fail(RVL_IO, trouble_);
    if (!failures) {
        failures = failures_;
        needed_ = true;
        wanted_.notify_all();
    }
    return std::nullopt;
}

void Board::tell_news() const {
    const uint64_t one = 1;
    static_cast<void>(!::write(news_.get(), &one, sizeof one));
}

// A copy that a dying device has not refused yet must not reach its successor's memory, and what
// is in use can't be closed, or opened once more.
template <class Use> Result<> Board::access(std::unique_lock<std::mutex> &lock, Use use) {
    if (!up_)
        return gone();
    ++accesses_;
    lock.unlock();
    auto done = use(*device_);
    lock.lock();
    if (--accesses_ == 0)
        unused_.notify_all();
    return done;
}

// ---- the board's thread

void Board::run() {
    for (;;) {
        {
            std::unique_lock lock(mutex_);
            wanted_.wait(lock, [&] { return stopping_ || needed_; });
            if (stopping_)
                return;
            unused_.wait(lock, [&] { return accesses_ == 0; });
        }
        const auto started = start_device();
        {
            const std::scoped_lock lock(mutex_);
            if (stopping_) // its wake may have come during the start, which forgets it
                return;
            needed_ = false;
            if (started) {
                adopt_device();
            } else {
                trouble_ = started.error().message;
                ++failures_;
            }
            for (const auto &client : std::vector(clients_))
                if (!started && client->phase == Client::Phase::starting)
                    crash(*client,
                          text({"the device can't be started: ", started.error().message}));
                else
                    look_at_session(*client);
        }
        tell_news();
        if (!started) {
            say_(0, started.error().message);
            continue;
        }
        serve_device();
    }
}

Result<> Board::start_device() {
    if (device_)
        if (auto started = device_->start(); started)
            return check_memory_is_clear();
    auto started = open_again();
    if (started)
        started = device_->start();
    return started ? check_memory_is_clear() : started;
}

// Clients must not read what those before the daemon have left.
Result<> Board::check_memory_is_clear() const {
    if ((description_.flags & RVL_DEVICE_FRESH_MEMORY) != 0 ||
        (device_->hello().flags & RVL_HELLO_CLEARED) != 0)
        return {};
    return fail(RVL_UNSUPPORTED, "the device can't be shared: its firmware is too old to clear its "
                                 "memory for a new host; update it");
}

// Where a card was removed, or its server ended, what the driver holds of it is of no use any more.
Result<> Board::open_again() {
    std::unique_ptr<hal::Device> former;
    {
        const std::scoped_lock lock(mutex_);
        former = std::exchange(device_, nullptr);
        ++openings_;
        // They have the descriptor of the former device's memory.
        if (settings_.isolation == Isolation::kernels)
            for (const auto &client : clients_)
                client->is_stale = true;
    }
    former.reset(); // first, because it can't be opened twice
    auto device = open_device();
    if (!device)
        return std::unexpected(device.error());
    const auto &now = (*device)->description();
    const auto same = [&](auto rvl_device_desc::*member) {
        return std::memcmp(&(now.*member), &(description_.*member), sizeof(now.*member)) == 0;
    };
    // Where the daemon has mapped it is nothing of the device's.
    const auto flags = [](const rvl_device_desc &description) {
        return description.flags & ~uint32_t{RVL_DEVICE_SAME_ADDRESSES};
    };
    if (!same(&rvl_device_desc::memory_base) || !same(&rvl_device_desc::memory_bytes) ||
        !same(&rvl_device_desc::isa) || !same(&rvl_device_desc::harts) ||
        !same(&rvl_device_desc::vlen) || flags(now) != flags(description_))
        return fail(RVL_INVALID, "another device has taken the place of the one that died; restart "
                                 "rivuletd");
    const std::scoped_lock lock(mutex_);
    device_ = std::move(*device);
    tell_news();
    return {};
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
    uncleared_.clear();
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

Result<std::shared_ptr<Client>> Board::join(const Peer &peer, uint32_t opening,
                                            FileDescriptor &bell) {
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
    client->is_stale = opening != 0 && opening != openings_;
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
        hello.harts = description_.harts;
        hello.xlen = description_.xlen;
        hello.vlen = description_.vlen;
        hello.timebase = 1;
        hello.cache_block = RVL_CACHE_BLOCK;
    }
    client.mailbox.write_hello(hello, {base_, 0});
    client.mailbox.ask_for_bell();
    client.mailbox.set_state(RVL_STATE_DETACHED);
}

Result<> Board::reset(Client &client) {
    const std::scoped_lock lock(mutex_);
    if (client.is_stale)
        return gone();
    end_session(client);
    clear_mailbox(client);
    forward();
    return {};
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
    look_at_newcomers();
}

// Nothing of this client may be found by the next one with this heap.
void Board::release_heap(Client &client) {
    const Slice heap = std::exchange(client.heap, {});
    if (heap.bytes == 0)
        return;
    const bool coherent = (description_.flags & RVL_DEVICE_COHERENT) != 0;
    std::byte *const at = device_ && coherent ? device_->map(heap.base, heap.bytes) : nullptr;
    if (at == nullptr)
        return uncleared_.push_back({.heap = heap});
    // Gives the memory back to the system, if it is of a file; its pages are zeros again.
    if (madvise(at, heap.bytes, MADV_REMOVE) != 0)
        std::memset(at, 0, heap.bytes);
    slices_.give_back(heap);
}

bool Board::clear_some() {
    std::unique_lock lock(mutex_);
    if (uncleared_.empty())
        return false;
    const Uncleared piece = uncleared_.front();
    const bool was_up = up_; // a device that is started again has no old data
    static const std::vector<std::byte> zeros(clear_at_once);
    const size_t bytes = std::min<size_t>(clear_at_once, piece.heap.bytes - piece.cleared);
    const auto written = access(lock, [&](hal::Device &device) {
        return device.write(piece.heap.base + piece.cleared, std::span(zeros).first(bytes));
    });
    if (uncleared_.empty() || uncleared_.front().heap != piece.heap)
        return !uncleared_.empty(); // of another firmware
    const bool failed = was_up && up_ && !written;
    if (failed && written.error().status == RVL_DEAD)
        return true; // the board's thread notices, too
    if (!failed && was_up && up_ && piece.cleared + bytes < piece.heap.bytes) {
        uncleared_.front().cleared += bytes;
        return true;
    }
    uncleared_.pop_front();
    if (failed) {
        say_(0, text({"memory of a former client can't be cleared, and is not used any more: ",
                      written.error().message}));
    } else {
        slices_.give_back(piece.heap);
    }
    look_at_newcomers();
    return !uncleared_.empty();
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
        if (up_ && client.is_stale) {
            crash(client, "the device has been replaced; connect to rivuletd again");
        } else if (up_) {
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
    client.waits_since_ns = 0;
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
    const uint64_t wanted = memory_limit(client.limits);
    const auto slice = slices_.take(std::min(wanted, slices_.heap().bytes));
    if (!slice)
        return fail(RVL_NO_MEMORY,
                    {"no ", bytes_text(wanted), " of the device's ",
                     bytes_text(slices_.heap().bytes), " are free: ", clients_.size() - 1,
                     " other processes are connected; rivuletd's limit \"memory\" is what each "
                     "of them gets"});
    return *slice;
}

/// True if what a newcomer was refused for will soon be free: those who leave hold it until their
/// kernels have ended and their memory has been cleared.
bool Board::has_to_wait(Client &newcomer, rvl_status refusal) {
    const bool lacks_memory = refusal == RVL_NO_MEMORY;
    const bool is_cleared = lacks_memory && !uncleared_.empty();
    const bool one_leaves = std::ranges::any_of(clients_, [&](const auto &other) {
        return other->phase == Client::Phase::leaving && other->heap.bytes != 0 &&
               (lacks_memory || other->peer.user == newcomer.peer.user);
    });
    if (!is_cleared && !one_leaves)
        return false;
    const uint64_t now = now_ns();
    if (newcomer.waits_since_ns == 0) {
        newcomer.waits_since_ns = now;
        tell_news(); // the server's thread calls `beat`, which ends the wait
    }
    return is_cleared || now - newcomer.waits_since_ns < leaving_limit_ns;
}

void Board::look_at_newcomers() {
    for (const auto &client : std::vector(clients_))
        if (client->phase == Client::Phase::starting && client->waits_since_ns != 0)
            look_at_session(*client);
}

void Board::start_serving(Client &client) {
    if (client.heap.bytes == 0) {
        const auto slice = slice_for(client);
        if (!slice && has_to_wait(client, slice.error().status))
            return;
        if (!slice)
            return crash(client, slice.error().message);
        client.waits_since_ns = 0;
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
    std::unique_lock lock(mutex_);
    if (!client.heap.holds(address, to.size()))
        return fail(RVL_INVALID, {bytes_text(to.size()), " at ", hex(address),
                                  " are not in this process's part of the device's memory"});
    return access(lock, [&](hal::Device &device) { return device.read(address, to); });
}

Result<> Board::write(Client &client, uint64_t address, std::span<const std::byte> from) {
    std::unique_lock lock(mutex_);
    if (!client.heap.holds(address, from.size()))
        return fail(RVL_INVALID, {bytes_text(from.size()), " at ", hex(address),
                                  " are not in this process's part of the device's memory"});
    return access(lock, [&](hal::Device &device) { return device.write(address, from); });
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
    look_at_newcomers();
    uint32_t shortest = 0;
    for (const auto &client : clients_) {
        const bool is_awaited = client->phase == Client::Phase::leaving; // for `clear_some`
        const bool waits = client->phase == Client::Phase::starting && client->waits_since_ns != 0;
        if ((is_awaited || waits) && shortest == 0)
            shortest = longest_pause;
        if (client->phase != Client::Phase::running || client->heartbeat_ms == 0 ||
            (client->works.empty() && client->requests == 0 && client->mailbox.look() == 0))
            continue;
        client->mailbox.beat();
        shortest = shortest == 0 ? client->heartbeat_ms : std::min(shortest, client->heartbeat_ms);
    }
    return shortest == 0 ? -1 : static_cast<int>(std::clamp(shortest, 50u, longest_pause));
}

} // namespace rivulet::tools
