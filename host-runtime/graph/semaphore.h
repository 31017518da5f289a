// SPDX-License-Identifier: Apache-2.0
//
// cl_semaphore_khr: a binary semaphore. A signal command and the wait command that it lets go share
// a user event, which the signal completes when it executes: whichever is enqueued first brings the
// event, the other one takes it. So waits are edges of the graph, and no thread waits for them. A
// signal without a wait command, or the other way round, is open.
#pragma once

#include <list>
#include <vector>

#include "host-runtime/graph/event.h"

namespace rivulet {

class Semaphore final : public Object {
public:
    Semaphore(Ref<Context> context, std::vector<Ref<Device>> devices,
              std::vector<cl_semaphore_properties_khr> properties)
        : Object(Kind::semaphore), context_(std::move(context)), devices_(std::move(devices)),
          properties_(std::move(properties)) {}

    [[nodiscard]] const Context &context() const { return *context_; }
    [[nodiscard]] const Object *reports_to() const final { return &context(); }
    [[nodiscard]] const std::vector<Ref<Device>> &devices() const { return devices_; }
    [[nodiscard]] const std::vector<cl_semaphore_properties_khr> &properties() const {
        return properties_;
    }
    /// True if a signal command has executed for which no wait command was enqueued.
    [[nodiscard]] bool is_signaled() const;

    /// Ends the wait for a signal that failed with an error.
    void abandon(Event &event);

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

    mutable Mutex mutex_{LockRank::leaf};
    std::list<Ref<Event>> open_; // events of open commands, all of one side, the oldest first
    Side open_side_ = Side::signal;
};

} // namespace rivulet
