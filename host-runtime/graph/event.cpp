// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/graph/event.h"

#include "base/now.h"
#include "hal/core/trace.h"
#include "host-runtime/graph/device_scheduler.h"
#include "host-runtime/graph/graph.h"
#include "host-runtime/graph/queue.h"
#include "host-runtime/graph/waiter.h"
#include "host-runtime/object/entry.h"

namespace rivulet {

/// Attached to its event until that reaches the state, then queued for execution.
class Event::Callback final : public Task {
public:
    Callback(cl_int state, Notify notify, void *user_data)
        : state(state), notify_(notify), user_data_(user_data) {
        start(Worker::callbacks);
    }
    void due(Event &event, cl_int status) {
        event_ = Ref<Event>(event);
        status_ = status;
        run_later(Worker::callbacks, *this);
    }
    void run() override {
        const std::unique_ptr<Task> self(this);
        notify_(handle_of<cl_event>(event_.get()), status_, user_data_);
    }

    const cl_int state;
    std::unique_ptr<Callback> next; // of the event

private:
    const Notify notify_;
    void *const user_data_;
    Ref<Event> event_; // once it is due
    cl_int status_ = 0;
};

Event::Event(Ref<Context> context, Ref<Queue> queue, cl_command_type type)
    : Object(Kind::event), context_(std::move(context)), queue_(std::move(queue)), type_(type),
      status_(type == CL_COMMAND_USER ? CL_SUBMITTED : CL_QUEUED) {
    times_[queued] = now_ns();
    if (hal::trace::is_on())
        hal::trace::Span::begin_flow(flow());
}

Event::Event(Ref<Context> context, Ref<Queue> queue, cl_command_type type,
             std::shared_ptr<HostWork> work)
    : Event(std::move(context), std::move(queue), type) {
    host_work_ = std::move(work);
    if (!host_work_->runs_inline())
        start(host_work_->worker());
}

Event::Event(Ref<Context> context, Ref<Queue> queue, cl_command_type type,
             std::unique_ptr<DeviceWork> work)
    : Event(std::move(context), std::move(queue), type) {
    wanted_on_device_ = Wanted::yes;
    may_run_on_device(std::move(work));
}

void Event::may_run_on_device(std::unique_ptr<DeviceWork> work) {
    scheduler_ = &work->scheduler();
    device_work_ = std::move(work);
    could_run_on_device_ = true;
}

Event::~Event() = default;

DeviceScheduler *Event::scheduler() const { return queue_ ? &queue_->scheduler() : scheduler_; }

// The device reports the end of a launch by itself, but not its start.
cl_int Event::status_now() const {
    const cl_int before = status();
    if (has_commands ? before > CL_RUNNING : scheduler_ && before == CL_SUBMITTED)
        scheduler()->look_for_started();
    return status();
}

void Event::on_status(cl_int status, Notify notify, void *user_data) {
    auto callback = std::make_unique<Callback>(status, notify, user_data);
    const Lock lock(Graph::get().mutex_);
    const cl_int now = this->status();
    if (now <= status)
        return callback.release()->due(*this, now < 0 ? now : status);
    *callbacks_end_ = std::move(callback);
    callbacks_end_ = &(*callbacks_end_)->next;
    if (status == CL_RUNNING)
        await_start();
}

// A command buffer starts when one of its commands does.
void Event::await_start() {
    if (std::exchange(start_awaited_, true))
        return;
    if (scheduler_ && stage_ == Stage::submitted)
        scheduler_->expect_start();
    if (has_commands)
        for (const Edge &edge : edges())
            if (edge.from)
                edge.from->await_start();
}

// 5.9: in the order of the states; an error triggers all of them.
void Event::call_back(cl_int before, cl_int status) {
    for (cl_int state = before - 1; state >= std::max(status, CL_COMPLETE); --state)
        for (std::unique_ptr<Callback> *link = &callbacks_; *link;) {
            if ((*link)->state != state) {
                link = &(*link)->next;
                continue;
            }
            std::unique_ptr<Callback> callback = std::move(*link);
            *link = std::move(callback->next);
            if (!*link)
                callbacks_end_ = link;
            callback.release()->due(*this, status < 0 ? status : state);
        }
}

void Event::wake() {
    for (Waiter *waiter = waiters_; waiter; waiter = waiter->next) {
        waiter->due = true;
        waiter->woken.notify_one();
    }
    if (DeviceScheduler *scheduler = this->scheduler())
        scheduler->wake_poller(*this);
}

void Event::run() {
    const auto self = Ref<Event>::adopt(this);
    Graph::get().run_task(*this);
}

void Event::release_resources() {
    host_work_.reset();
    device_work_.reset();
    more_edges_.reset();
    release();
}

// The status can no longer be set, so commands that wait for it would wait forever (5.9,
// clReleaseEvent). They fail instead.
void Event::on_last_handle() {
    if (type_ == CL_COMMAND_USER &&
        Graph::get().set_user_status(*this, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST))
        (void)guarded([&] {
            context().report(
                "a user event was released before clSetUserEventStatus set it: commands "
                "that wait for it end with an error");
        });
}

} // namespace rivulet
