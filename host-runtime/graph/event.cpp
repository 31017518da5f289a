// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/graph/event.h"

#include "host-runtime/graph/callbacks.h"
#include "host-runtime/graph/engine.h"
#include "host-runtime/graph/graph.h"
#include "host-runtime/graph/queue.h"

namespace rivulet {

Event::Event(Ref<Context> context, Ref<Queue> queue, cl_command_type type)
    : Object(Kind::event), context_(std::move(context)), queue_(std::move(queue)), type_(type),
      status_(type == CL_COMMAND_USER ? CL_SUBMITTED : CL_QUEUED) {
    times_[queued] = host_time_now();
}

Event::Event(Ref<Context> context, Ref<Queue> queue, cl_command_type type,
             std::shared_ptr<HostWork> work)
    : Event(std::move(context), std::move(queue), type) {
    host_work_ = std::move(work);
}

Event::Event(Ref<Context> context, Ref<Queue> queue, cl_command_type type,
             std::unique_ptr<DeviceWork> work)
    : Event(std::move(context), std::move(queue), type) {
    engine_ = &work->engine();
    device_work_ = std::move(work);
}

Event::~Event() = default;

Engine *Event::engine() const { return queue_ ? &queue_->engine() : engine_; }

uint64_t Event::earliest_start() const { return queue_ ? queue_->last_end() : 0; }

void Event::on_status(cl_int status, Notify notify, void *user_data) {
    Lock lock(Graph::get().mutex_);
    const cl_int now = this->status();
    if (now > status) {
        callbacks_.push_back({status, notify, user_data});
        return;
    }
    run_callback([=, event = Ref<Event>(*this)] {
        notify(handle_of<cl_event>(event.get()), now < 0 ? now : status, user_data);
    });
}

// Nobody can set it any more: what waits for it would wait for ever.
void Event::on_last_handle() {
    if (type_ == CL_COMMAND_USER)
        Graph::get().set_user_status(*this, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

} // namespace rivulet
