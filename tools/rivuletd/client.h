// SPDX-License-Identifier: Apache-2.0
//
// One client of a device: its mailbox, its heap, and what it has on the device. Numbers of
// launches, streams and contexts are the client's own choice; on the device they have others, so
// that clients can't meet. Everything here is guarded by the lock of the client's board.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "tools/rivuletd/mailbox.h"
#include "tools/rivuletd/settings.h"

namespace rivulet::tools {

/// Whose connection it is, according to the kernel.
struct Peer {
    pid_t pid = 0;
    uid_t user = 0;
    std::string user_name; // as in messages
    std::string program;
};

/// Numbers on the device, which are not used twice as long as it runs.
struct DeviceNumbers {
    uint32_t launch = 0, stream = 0, context = 0;

    static uint32_t next(uint32_t &number) {
        if (++number == 0) // 0 means none
            ++number;
        return number;
    }
};

/// A launch or a wait of a client that the device knows.
struct Work {
    uint32_t number = 0; // the client's
    uint32_t stream = 0; // the client's
    rvl_header header{};
    bool is_wait = false;
    uint32_t awaited = 0;        // by a wait: launches that have not ended
    std::vector<uint32_t> waits; // device numbers of waits for this one
    uint64_t charged = 0;        // instructions, in advance
    uint64_t since_ns = 0;
};

class Client {
public:
    enum class Phase {
        detached,
        ending,   // a former session's work has to end first
        starting, // needs the device, and a heap
        mapping,  // the client maps its heap
        running,
        crashed, // nothing is served until a reset
        leaving, // disconnected; its work has to end first
    };

    Client(Peer peer, const Limits &limits, ClientMailbox mailbox, FileDescriptor bell)
        : peer(std::move(peer)), limits(limits), mailbox(std::move(mailbox)),
          bell(std::move(bell)) {}
    Client(const Client &) = delete;
    Client &operator=(const Client &) = delete;

    const Peer peer;
    const Limits limits;
    ClientMailbox mailbox;
    FileDescriptor bell; // the daemon's end
    Slice heap;
    Phase phase = Phase::detached;
    uint32_t session = 0;
    uint32_t heartbeat_ms = 0;
    uint64_t waits_since_ns = 0; // as a newcomer, for others to leave; 0: it does not
    bool is_stale = false;       // what it has mapped is memory of a device that was closed

    /// Device numbers of launches and waits.
    std::unordered_map<uint32_t, Work> works;
    uint32_t urgent = 0;   // of these, launches of a high priority
    uint32_t requests = 0; // other commands on the device

    /// What is known of the commands that wait, while the first can't be taken.
    struct Ahead {
        uint32_t searched_for_kills = 0;    // commands, from the first on
        std::unordered_set<uint32_t> kills; // of launches that have not been taken
        uint32_t searched_for_urgent = 0;
        std::unordered_set<uint32_t> streams; // of the latter: what follows in these has to wait
        bool all_streams = false;             // has to wait
    };
    Ahead ahead;

    /// Whether it is a launch that comes before those of all other clients.
    [[nodiscard]] bool is_urgent(const rvl_header &command) const;
    /// The first launch of a high priority that may overtake the commands before it.
    std::optional<uint32_t> find_urgent();
    /// True if a kill of the launch was seen behind it.
    bool take(uint32_t index);

    // Accounts.
    double used = 0;    // instructions / weight, with those of running launches as expected
    double typical = 0; // instructions of a launch
    bool was_active = false;
    hal::daemon::Usage usage{};

    void ring() const;
    /// Completes a command that never reaches the device.
    void complete(const rvl_header &command, uint32_t launch, rvl_result result, uint64_t time);

    /// The launch as the device gets it. One that reaches outside the client's heap is altered so
    /// that the device refuses it, because what follows it in its stream has to know.
    rvl_slot launch_for_device(const rvl_slot &command, DeviceNumbers &numbers);
    rvl_slot wait_for_device(const rvl_slot &command, DeviceNumbers &numbers);
    /// 0 if the device does not know it, or not any more.
    [[nodiscard]] uint32_t device_number(uint32_t launch) const;
    /// Why this command must not reach the device; nullptr if it may.
    [[nodiscard]] const char *flaw_of(const rvl_load_code &load) const;

    /// A launch has ended: also ends what the device, which reports no waits, has ended since.
    void end_work(uint32_t device_number, bool failed);
    /// Forgets all works: the device that knew them is gone, or this session is over.
    void forget_numbers();

private:
    struct Stream {
        uint32_t number = 0;        // the device's
        std::deque<uint32_t> works; // on the device, in order
        bool failed = false;        // the last of them
    };
    Stream &stream_of(uint32_t number, DeviceNumbers &numbers);
    uint32_t context_of(uint32_t number, DeviceNumbers &numbers);
    [[nodiscard]] bool holds_pages(uint32_t page, uint32_t pages) const;
    [[nodiscard]] const char *flaw_of(const rvl_launch &launch) const;
    void add_work(uint32_t device_number, const rvl_slot &command, Stream &stream, bool is_wait);
    void retire_waits(uint32_t stream);

    std::unordered_map<uint32_t, uint32_t> numbers_; // of launches and waits on the device
    std::unordered_map<uint32_t, Stream> streams_;
    std::unordered_map<uint32_t, uint32_t> contexts_;
    static constexpr size_t remembered_failures = 1024;
    std::vector<uint32_t> failures_ = std::vector<uint32_t>(remembered_failures);
};

} // namespace rivulet::tools
