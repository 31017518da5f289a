// SPDX-License-Identifier: Apache-2.0
//
// cl_semaphore_khr: a binary semaphore. A signal command and the wait command that it lets go share
// a user event, which the signal completes when it executes: whichever is enqueued first brings the
// event, the other one takes it. So waits are edges of the graph, and no thread waits for them. A
// signal without a wait command, or the other way round, is open.
//
// A semaphore with opaque handles has a counter that the kernel keeps instead, because the other
// side may be in another process; a thread waits for it. What is imported from a sync file is one
// signal, which that thread ends.
#pragma once

#include <list>
#include <vector>

#include "host-runtime/graph/descriptor_waits.h"
#include "host-runtime/graph/event.h"

namespace rivulet {

class Semaphore final : public Object {
public:
    Semaphore(Ref<Context> context, std::vector<Ref<Device>> devices,
              std::vector<cl_semaphore_properties_khr> properties,
              std::optional<cl_external_semaphore_handle_type_khr> exported,
              std::optional<SignalCounter> counter, bool is_of_sync_file)
        : Object(Kind::semaphore), context_(std::move(context)), devices_(std::move(devices)),
          properties_(std::move(properties)), exported_(exported), counter_(std::move(counter)),
          is_of_sync_file_(is_of_sync_file) {}

    [[nodiscard]] const Context &context() const { return *context_; }
    [[nodiscard]] const Object *reports_to() const final { return &context(); }
    [[nodiscard]] const std::vector<Ref<Device>> &devices() const { return devices_; }
    [[nodiscard]] const std::vector<cl_semaphore_properties_khr> &properties() const {
        return properties_;
    }
    /// The type of handles that it can get.
    [[nodiscard]] std::optional<cl_external_semaphore_handle_type_khr> exported() const {
        return exported_;
    }
    /// Only semaphores with opaque handles have one.
    [[nodiscard]] const std::optional<SignalCounter> &counter() const { return counter_; }

    /// Other sync files can be imported into such a semaphore.
    [[nodiscard]] bool is_of_sync_file() const { return is_of_sync_file_; }

    /// True if a signal command has executed for which no wait command was enqueued.
    [[nodiscard]] bool is_signaled() const;

    /// Ends the wait for a signal that failed with an error.
    void abandon(Event &event);
    /// Ends the share of a wait command that failed before it executed: a list of its event, so
    /// that nothing is allocated. A signal with the same event is there for the next wait.
    void withdraw(std::list<Ref<Event>> share);
    /// Takes the oldest signal that no wait command has taken; nullptr if there is none.
    [[nodiscard]] Ref<Event> take_signal();

    enum class Side : bool { signal, wait };

    /// One command's share of a signal and its wait. Unless it is kept, the semaphore is as if the
    /// command had not been enqueued.
    class End {
    public:
        End(Ref<Semaphore> semaphore, Side side);
        End(End &&other) noexcept = default;
        End(const End &) = delete;
        End &operator=(const End &) = delete;
        ~End();
        [[nodiscard]] const Ref<Event> &event() const { return event_; }
        void keep() { semaphore_ = nullptr; }

    private:
        Ref<Semaphore> semaphore_; // nullptr once kept
        Side side_;
        Ref<Event> event_;
        std::list<Ref<Event>> taken_; // the event, if the other side brought it
    };

private:
    const Ref<Context> context_;
    const std::vector<Ref<Device>> devices_;
    const std::vector<cl_semaphore_properties_khr> properties_;
    const std::optional<cl_external_semaphore_handle_type_khr> exported_;
    const std::optional<SignalCounter> counter_;
    const bool is_of_sync_file_;

    mutable Mutex mutex_{LockRank::leaf};
    std::list<Ref<Event>> open_; // events of open commands, all of one side, the oldest first
    Side open_side_ = Side::signal;
};

} // namespace rivulet
