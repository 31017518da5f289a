// SPDX-License-Identifier: Apache-2.0
//
// The firmware's side of a client's mailbox, in memory shared with that client. The client may
// write anything to it at any time: each value is read once, into memory of the daemon, and
// checked there.
#pragma once

#include <deque>
#include <string_view>

#include "base/error.h"
#include "base/file_descriptor.h"
#include "hal/drivers/daemon/wire.h"
#include "tools/rivuletd/slices.h"

namespace rivulet::tools {

class ClientMailbox {
public:
    /// `base`: the address at which the client sees the area.
    static Result<ClientMailbox> create(uint64_t base);
    ClientMailbox(ClientMailbox &&other) noexcept;
    ClientMailbox &operator=(ClientMailbox &&) = delete;
    ~ClientMailbox();

    [[nodiscard]] int descriptor() const { return file_.get(); }
    [[nodiscard]] std::byte *transfers() const;

    /// Clears everything except the grant.
    void clear();
    /// Writes what the firmware says about itself, with the addresses of this area and heap.
    void write_hello(const rvl_hello &device, const Slice &heap);
    void set_state(rvl_state state);
    void set_session(uint32_t session);
    [[nodiscard]] uint32_t boot_session() const;
    [[nodiscard]] rvl_boot boot() const;
    void grant(const Slice &heap);
    [[nodiscard]] bool grant_is_mapped() const;

    // Commands, in order. `look` copies them out of the ring, so that commands behind one that has
    // to wait can be taken, and their slots be used again.
    /// Number of commands that wait: at most as many as the ring has slots.
    uint32_t look();
    /// `index` is below what `look` returned.
    [[nodiscard]] const rvl_slot &command(uint32_t index) const { return commands_[index]; }
    void take(uint32_t index) { commands_.erase(commands_.begin() + index); }
    void skip_commands();
    /// Asks the client to ring for new commands. `look` has to be called once more after it.
    void ask_for_bell();

    // Completions, in order; what doesn't fit is sent by a later `flush`.
    void complete(const rvl_slot &slot);
    /// True if the client has to be rung.
    bool flush();
    void drop_completions() { unsent_.clear(); }
    [[nodiscard]] bool is_full() const { return !unsent_.empty(); }

    void log(std::string_view line);
    /// Returns the report's index.
    uint32_t put_fault(const rvl_fault &fault);
    void count_cache_command();
    void beat();

private:
    ClientMailbox(FileDescriptor file, std::byte *area, uint64_t base)
        : file_(std::move(file)), area_(area), base_(base) {}
    [[nodiscard]] rvl_mailbox &shared() const { return *reinterpret_cast<rvl_mailbox *>(area_); }
    [[nodiscard]] hal::daemon::Grant &shared_grant() const;

    FileDescriptor file_;
    std::byte *area_ = nullptr;
    uint64_t base_;

    std::deque<rvl_slot> commands_;
    uint32_t head_ = 0;    // of the ring of commands
    uint32_t damaged_ = 0; // tail that was found damaged
    uint32_t tail_ = 0;    // of the completions
    uint32_t log_tail_ = 0;
    uint32_t log_lost_ = 0;
    uint32_t faults_ = 0;
    uint32_t cache_served_ = 0;
    uint32_t beats_ = 0;
    uint32_t grants_ = 0;
    std::deque<rvl_slot> unsent_;
};

} // namespace rivulet::tools
