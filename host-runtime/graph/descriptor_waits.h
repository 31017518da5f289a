// SPDX-License-Identifier: Apache-2.0
//
// Waits for things that happen outside of the command graph: a user event for each, which a thread
// completes when a file descriptor becomes readable.
#pragma once

#include <list>
#include <optional>

#include "base/file_descriptor.h"
#include "base/lock.h"
#include "host-runtime/graph/event.h"

namespace rivulet {

/// An eventfd that several processes may have. A signal adds 1, or `failed` if its command ended
/// with an error; a wait takes one of these.
class SignalCounter {
public:
    static constexpr uint64_t failed = uint64_t{1} << 32;

    /// Fails with CL_OUT_OF_HOST_MEMORY.
    static SignalCounter make();
    /// Another reference to a counter that is known by `descriptor`; nullopt if it isn't one.
    static std::optional<SignalCounter> of(int descriptor);
    [[nodiscard]] FileDescriptor duplicate() const;

    void signal(bool success) const;
    [[nodiscard]] bool is_signaled() const;

private:
    explicit SignalCounter(FileDescriptor descriptor) : descriptor_(std::move(descriptor)) {}
    FileDescriptor descriptor_;
};

/// True if it is a file of Linux's explicit fences.
bool is_sync_file(int descriptor);

class DescriptorWaits {
public:
    enum class Kind : bool { counter, sync_file };
    struct Wait {
        FileDescriptor descriptor;
        Kind kind;
        Ref<Event> event; // a user event
        cl_int status = CL_QUEUED;
    };
    using List = std::list<Wait>;

    static DescriptorWaits &get();

    /// Starts the thread. Fails with CL_OUT_OF_RESOURCES.
    void prepare();
    void add(List waits) noexcept;
    /// Ends the wait for `event` and returns the status that it has got or is about to get,
    /// CL_QUEUED or CL_SUBMITTED if nothing was taken from its descriptor.
    cl_int withdraw(const Event &event) noexcept;

private:
    DescriptorWaits() = default;
    void run();
    void take_ended();

    Mutex mutex_{LockRank::leaf};
    FileDescriptor wake_;
    List waits_;
    List ending_; // taken from waits_; their events get their status
};

} // namespace rivulet
