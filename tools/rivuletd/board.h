// SPDX-License-Identifier: Apache-2.0
//
// A device and its clients. Commands that clients have written to their rings go to the device's
// ring as soon as it is their turn, and completions come back. Two threads: the server's looks at
// clients (`serve`), and the board's own starts the device and waits for its completions.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "tools/rivuletd/client.h"

namespace rivulet::tools {

class Board {
public:
    using Say = std::function<void(int level, std::string_view line)>;

    /// Opens the device. It is started when the first client attaches.
    static Result<std::unique_ptr<Board>> open(DeviceSettings settings, Say say);
    ~Board();
    Board(const Board &) = delete;
    Board &operator=(const Board &) = delete;

    [[nodiscard]] const DeviceSettings &settings() const { return settings_; }
    /// The device as a user's processes see it.
    [[nodiscard]] rvl_device_desc description_for(uid_t user) const;
    /// For clients that map their heaps. `opening` becomes the number of times that the device was
    /// opened. Nothing while it is opened again: `news` tells when to ask again, with the
    /// `failures` that the first call has set.
    std::optional<Result<hal::MemoryFile>> memory_file(uint32_t &opening,
                                                       std::optional<uint32_t> &failures);
    /// An eventfd, counted up when an answer that was not there yet may be there.
    [[nodiscard]] int news() const { return news_.get(); }

    /// A new client, and its end of the bell. `opening`: that of its `memory_file`; 0 without one.
    Result<std::shared_ptr<Client>> join(const Peer &peer, uint32_t opening, FileDescriptor &bell);
    /// The client is gone: its work is ended, and its heap cleared and reused.
    void leave(const std::shared_ptr<Client> &client);
    /// Ends everything of the client, as a reset of its device would. RVL_DEAD: it has to connect
    /// again.
    Result<> reset(Client &client);
    /// Looks at the client's mailbox.
    void serve(Client &client);

    // Memory of the client's heap; fails outside of it.
    Result<> read(Client &client, uint64_t address, std::span<std::byte> to);
    Result<> write(Client &client, uint64_t address, std::span<const std::byte> from);

    [[nodiscard]] std::vector<hal::daemon::Usage> usage();
    /// True if no command of a client is on the device or waits for its turn.
    bool is_idle();

    /// Clears a piece of what former clients have left on a device that is not mapped, which may be
    /// slow. False if nothing is left of it.
    bool clear_some();
    /// Shows clients whose work is under way that the device is alive, and ends the wait of
    /// newcomers. Returns the time in ms after which it is to be called again; -1: when another
    /// client has been served.
    int beat();

private:
    Board(DeviceSettings settings, Say say);

    Result<std::unique_ptr<hal::Device>> open_device();
    [[nodiscard]] uint64_t memory_limit(const Limits &limits) const;

    // The board's thread.
    void run();
    Result<> start_device();
    Result<> open_again();
    [[nodiscard]] Result<> check_memory_is_clear() const;
    void serve_device();
    void adopt_device();
    void tell_news() const;
    template <class Use> Result<> access(std::unique_lock<std::mutex> &lock, Use use);
    void die(const std::string &reason);

    // Sessions; under the lock, like everything below.
    void clear_mailbox(Client &client);
    void look_at_session(Client &client);
    void end_session(Client &client);
    void welcome(Client &client);
    void start_serving(Client &client);
    Result<Slice> slice_for(const Client &client);
    bool has_to_wait(Client &newcomer, rvl_status refusal);
    void look_at_newcomers();
    void crash(Client &client, std::string_view reason);
    void remove_if_left(Client &client);
    void release_heap(Client &client);
    void notify(Client &client, bool always = false);

    // From clients to the device.
    void forward();
    struct Turn {
        Client *client = nullptr; // nullptr: no command can be taken
        uint32_t index = 0;       // of the command among those that wait
        rvl_slot command{};       // the daemon's copy
    };
    Turn next_turn();
    [[nodiscard]] bool may_take(const Client &client, const rvl_header &command) const;
    void take_command(const Turn &turn);
    void take_other(Client &client, const rvl_slot &command);
    void kill(uint32_t device_number);
    void look_ahead_for_kills(Client &client);
    void flush_outbox();

    // Whose turn it is.
    void look_at_activity();
    [[nodiscard]] double long_ns() const;
    [[nodiscard]] uint32_t launch_limit(const Client &client) const;
    [[nodiscard]] uint32_t capacity() const;

    // From the device to clients.
    void complete(const rvl_slot &slot);
    void complete_launch(const rvl_slot &slot);
    std::string refusal_of(uint32_t launch);

    const DeviceSettings settings_;
    const Say say_;
    rvl_device_desc description_{}; // the same as long as the daemon runs
    uint64_t base_ = 0;             // of the device's memory

    std::mutex mutex_;
    /// None while it is opened again. Changed by the board's thread only, and not during accesses.
    std::unique_ptr<hal::Device> device_;
    uint32_t accesses_ = 0;          // to its memory, outside the lock
    std::condition_variable unused_; // the board's thread waits for the last one's end
    std::condition_variable wanted_; // the board's thread waits for work
    FileDescriptor news_;
    uint32_t openings_ = 1;
    uint32_t failures_ = 0; // to start the device
    std::string trouble_;   // the last one's reason
    bool stopping_ = false;
    bool up_ = false;
    bool needed_ = false; // a client waits for the device
    std::vector<std::shared_ptr<Client>> clients_;
    Slices slices_;
    struct Uncleared {
        Slice heap;
        uint64_t cleared = 0; // bytes
    };
    std::deque<Uncleared> uncleared_; // heaps of former clients, still taken in `slices_`
    DeviceNumbers numbers_;
    std::unordered_map<uint32_t, Client *> owners_; // of launches on the device
    struct Pending {
        Client *client = nullptr; // nullptr: free
        rvl_header header{};
    };
    std::vector<Pending> pending_; // other commands on the device, by token
    std::vector<uint16_t> free_tokens_;
    std::deque<rvl_slot> outbox_; // for the device's ring
    uint32_t works_ = 0;          // launches and waits on the device
    uint32_t active_ = 0;         // clients that use the device
    double usual_ns_ = 0;         // time of a launch on the device, with waiting there
    double floor_ = 0;            // what a client that becomes active is taken to have used
    std::unordered_map<uid_t, double> debts_; // what users' last processes had used

    std::mutex refusals_mutex_; // the log's callback runs under locks of the device
    std::deque<std::pair<uint32_t, std::string>> refusals_;

    std::thread thread_; // last, so that it starts when all else is there
};

} // namespace rivulet::tools
