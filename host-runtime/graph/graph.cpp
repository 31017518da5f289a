// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/graph/graph.h"

#include <algorithm>

#include "host-runtime/graph/device_scheduler.h"
#include "host-runtime/graph/queue.h"
#include "host-runtime/graph/waiter.h"
#include "host-runtime/object/entry.h"

namespace rivulet {

Graph &Graph::get() {
    static Graph &graph = *new Graph;
    return graph;
}

bool Graph::set_user_status(Event &event, cl_int status) {
    GraphTransaction transaction(GraphTransaction::at_once);
    if (event.done())
        return false;
    transaction.complete(event, status);
    transaction.commit();
    return true;
}

bool Graph::take(Event &event) {
    GraphTransaction transaction(GraphTransaction::later);
    if (event.stage_ != Event::Stage::ready)
        return false;
    event.stage_ = Event::Stage::running;
    transaction.advance(event, CL_RUNNING);
    transaction.commit();
    return true;
}

namespace {

/// Reports a failed command to the context, unless its device was lost, which has been reported.
void tell(const Event &event, cl_int code, std::string_view text) {
    const DeviceScheduler *scheduler = event.scheduler();
    if (!scheduler || scheduler->alive())
        event.context().report(rivulet::text(
            {"a command of type ", Hex{event.type()}, " failed: ", failure_text(code, text)}));
}

} // namespace

void Graph::run(Event &event) {
    const cl_int status =
        guarded([&] { event.host_work_->run(); }, [&](auto... what) { tell(event, what...); });
    GraphTransaction transaction(GraphTransaction::at_once);
    transaction.complete(event, status);
    transaction.commit();
}

void Graph::fetch_memory(Event &event) {
    event.fetches_memory_ = false; // any further task of this event has another purpose
    const cl_int status = guarded([&] { event.device_work_->fetch_memory(); },
                                  [&](auto... what) { tell(event, what...); });
    GraphTransaction transaction(GraphTransaction::at_once);
    status == CL_SUCCESS ? transaction.submit(event) : transaction.complete(event, status);
    transaction.commit();
}

void Graph::run_task(Event &event) {
    if (event.fetches_memory_) {
        fetch_memory(event);
    } else if (event.is_device_work_) {
        DeviceScheduler &scheduler = event.device_work_->scheduler();
        const cl_int code = guarded([&] { event.device_work_->print(); });
        GraphTransaction transaction(GraphTransaction::at_once);
        transaction.end(event, code == CL_SUCCESS ? event.end_status_ : code);
        transaction.commit();
        scheduler.flush();    // memory has become free for waiting launches
    } else if (take(event)) { // a waiting thread may have been faster
        run(event);
    }
}

void Graph::wait(Event &event) {
    DeviceScheduler *scheduler = event.scheduler();
    if (scheduler && !event.done())
        scheduler->flush(DeviceScheduler::caller_polls);
    while (!event.done()) {
        if (take(event))
            run(event);
        else if (!scheduler || !scheduler->poll_completions(event))
            sleep(event, scheduler);
    }
}

void Graph::sleep(Event &event, DeviceScheduler *scheduler) {
    Lock lock(mutex_);
    if (event.done() || event.stage_ == Event::Stage::ready || (scheduler && scheduler->unpolled()))
        return;
    Waiter waiter;
    waiter.next = event.waiters_;
    event.awaited_ = true;
    event.waiters_ = &waiter;
    waiter.woken.wait(lock, [&] { return waiter.due; });
    Waiter **link = &event.waiters_;
    while (*link != &waiter)
        link = &(*link)->next;
    *link = waiter.next;
}

} // namespace rivulet
