// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/graph/device_scheduler.h"

#include <algorithm>
#include <array>
#include <chrono>

#include "base/error.h"
#include "base/now.h"
#include "base/thread.h"
#include "hal/core/trace.h"
#include "host-runtime/graph/graph.h"
#include "host-runtime/graph/queue.h"
#include "host-runtime/object/entry.h"
#include "host-runtime/object/log.h"

namespace rivulet {
namespace {

using namespace std::chrono_literals;

constexpr size_t most_in_flight = 1024;
/// Firmware knows 904 launches and waits at a time, and leaves others in the ring. Only so many may
/// be of queues without the highest priority, so that those with it always find a place.
constexpr size_t most_places = 832;
/// An entry's successive commands have tokens of different generations, so that a duplicate
/// completion does not end a later command. The last generation is unused, because it includes
/// RVL_PING_TOKEN.
constexpr unsigned generations = (1u << 16) / most_in_flight - 1;
/// The application should flush (5.13); otherwise commands go to the device after this time.
constexpr auto patience = 1ms;
/// How often the device is asked which launches run, while a thread waits for or queries a start.
constexpr auto start_interval = 1ms;
constexpr uint64_t look_interval_ns = 200'000;
/// This many launches form a batch even without a flush.
constexpr size_t full_ready_queue = 128;
/// This many completions end their events in one transaction.
constexpr size_t most_ended_together = 64;

/// The fields that a completion repeats from its command, apart from the token; never 0, because
/// groups start at 1.
uint64_t identity(const rvl_header &header, uint32_t launch) {
    return uint64_t{header.group} << 40 | uint64_t{header.service} << 32 | launch;
}

uint64_t identity(const rvl_slot &command) {
    const bool launches = command.header.group == RVL_GROUP_LAUNCH;
    return identity(command.header, launches ? command.launch.launch : 0);
}

bool is_wait(const rvl_slot &slot) {
    return slot.header.group == RVL_GROUP_LAUNCH && slot.header.service == RVL_LAUNCH_WAIT;
}

} // namespace

std::unique_ptr<Scheduler> make_scheduler(DeviceInstance &instance) {
    return std::make_unique<DeviceScheduler>(instance);
}

DeviceScheduler::DeviceScheduler(DeviceInstance &instance)
    : instance_(instance), slots_(most_in_flight), commands_(most_in_flight) {
    for (size_t entry = most_in_flight; entry-- > 0;)
        free_.push_back(static_cast<uint16_t>(entry));
    const auto look = [this, &graph = Graph::get()] {
        const Lock lock(graph.mutex_);
        changed_.notify_all();
    };
    start_samples();
    {
        const ThreadDefaults defaults;
        thread_ = std::thread([this] { run(); });
    }
    // Nothing below can fail, because there is now a thread that would have to be ended.
    instance_.hal().on_death(look);
    look(); // the device may have died earlier
}

DeviceScheduler::~DeviceScheduler() { retire("it was closed"); }

void DeviceScheduler::start_samples() {
    hal::trace::TraceWriter *writer = hal::trace::writer();
    const size_t bytes = writer ? writer->sample_bytes(instance_.hal()) : 0;
    if (bytes == 0)
        return;
    samples_ = std::make_shared<Arena>(instance_.heap())->allocate(bytes, RVL_PAGE_BYTES);
    writer->start_samples(instance_.hal(), samples_ ? samples_.address() : 0);
}

void DeviceScheduler::trace_samples(hal::trace::TraceWriter &writer, uint64_t row) {
    if (samples_)
        writer.add_samples(instance_.hal(), row);
}

DeviceScheduler::InFlight &DeviceScheduler::in_flight(uint16_t token) {
    return commands_[token % most_in_flight];
}

uint16_t DeviceScheduler::take_token(Event &event) {
    const uint16_t entry = free_.back();
    free_.pop_back();
    InFlight &command = commands_[entry];
    command.event = &event;
    command.generation = static_cast<uint8_t>((command.generation + 1) % generations);
    command.places = event.urgent_ ? 0 : static_cast<uint8_t>(1 + event.waits_on_device_);
    places_taken_ += command.places;
    if (event.queue_)
        event.queue_->places_ += command.places;
    command.sent.store(0, std::memory_order_relaxed);
    ++in_flight_;
    event.sent_ = true;
    if (event.start_awaited_)
        starts_awaited_ = true;
    return static_cast<uint16_t>(entry + command.generation * most_in_flight);
}

void DeviceScheduler::forget_places(const InFlight &command, Event &event) {
    places_taken_ -= command.places;
    if (event.queue_)
        event.queue_->places_ -= command.places;
}

// Returns nullptr if the token has already been released.
Event *DeviceScheduler::release_token(uint16_t token) {
    Event *event = std::exchange(in_flight(token).event, nullptr);
    if (event) {
        free_.push_back(token % most_in_flight);
        forget_places(in_flight(token), *event);
        --in_flight_;
    }
    return event;
}

bool DeviceScheduler::alive() const { return alive_ && instance_.hal().alive(); }

bool DeviceScheduler::settled(const Event &event) const {
    return event.done() || event.stage_ == Event::Stage::ready;
}

bool DeviceScheduler::predecessors_were_sent(const Event &event) {
    return std::ranges::all_of(event.edges(), [](const auto &edge) {
        return !edge.from || edge.from->sent_ || edge.from->done();
    });
}

/// Whether nothing has to come to the device before it that has not been sent, or goes ahead of the
/// rest, too.
bool DeviceScheduler::may_overtake(const Event &event) const {
    return event.queue_ && event.queue_->priority_flags() & RVL_FLAG_HIGH &&
           !event.waits_on_device_ && std::ranges::all_of(event.edges(), [](const auto &edge) {
               return !edge.from || edge.from->urgent_ || edge.from->sent_ || edge.from->done();
           });
}

void DeviceScheduler::put(Event &event) {
    event.urgent_ = may_overtake(event);
    (event.urgent_ ? urgent_queue_ : ready_queue_).push(event);
    if (event.urgent_ || ready_queue_.size() == 1)
        changed_.notify_all();
}

// An urgent launch is checked again, because one before it may have come back since (fill_ring).
Event *DeviceScheduler::first_ready() const {
    Event *const urgent = urgent_queue_.first();
    if (urgent && may_overtake(*urgent))
        return urgent;
    return ready_queue_.empty() && holding_ ? holding_->held_back_.first() : ready_queue_.first();
}

// A queue may take twice as many places as it leaves free, so that a queue of launches that wait
// for a long kernel doesn't keep those of others from the device: each further queue that does so
// gets a third of the places of the one before.
bool DeviceScheduler::has_place(const Event &event) const {
    const size_t wanted = 1 + event.waits_on_device_;
    const size_t left = most_places - std::min(most_places, places_taken_ + wanted);
    return event.queue_ ? event.queue_->places_ + wanted <= 2 * left : left != 0;
}

// The device takes a launch that it doesn't know for one that has ended, so nothing may come to it
// before what it waits for.
bool DeviceScheduler::must_be_held_back(const Event &event) const {
    if (!event.queue_ || !event.queue_->held_back_.empty())
        return bool(event.queue_);
    return !has_place(event) || (holding_ && !predecessors_were_sent(event));
}

void DeviceScheduler::hold_back(Event &event) {
    Queue &queue = *event.queue_;
    if (queue.held_back_.empty())
        queue.next_holding_ = std::exchange(holding_, &queue);
    queue.held_back_.push(event);
    event.held_back_ = true;
}

// The first launch that was held back and needn't be any longer.
Event *DeviceScheduler::take_held_back() {
    for (Queue **link = &holding_; *link; link = &(*link)->next_holding_) {
        Queue &queue = **link;
        Event &event = *queue.held_back_.first();
        if (!has_place(event) || !predecessors_were_sent(event))
            continue;
        queue.held_back_.pop();
        if (queue.held_back_.empty())
            *link = queue.next_holding_;
        return &event;
    }
    return nullptr;
}

// Takes the next command to send, which needs at most that many slots.
Event *DeviceScheduler::take_next(size_t most_slots) {
    if (free_.empty() || most_slots < 2)
        return nullptr;
    if (Event *const urgent = urgent_queue_.first(); urgent && may_overtake(*urgent))
        return urgent_queue_.pop();
    if (Event *const held_back = take_held_back())
        return held_back;
    while (Event *const event = ready_queue_.first()) {
        const bool waits = must_be_held_back(*event);
        if (!waits && !event->queue_ && !has_place(*event))
            return nullptr;
        ready_queue_.pop();
        if (!waits)
            return event;
        hold_back(*event);
    }
    return nullptr;
}

// A command that could not be sent goes back to where it was, ahead of later ones of its queue.
void DeviceScheduler::put_back(Event &event) {
    event.sent_ = false;
    Queue *const queue = event.queue_.get();
    const bool holds = queue && !queue->held_back_.empty();
    if (event.urgent_ || (!event.held_back_ && !holds))
        return (event.urgent_ ? urgent_queue_ : ready_queue_).push_front(event);
    if (!holds)
        queue->next_holding_ = std::exchange(holding_, queue);
    queue->held_back_.push_front(event);
}

// The polling thread, or the one about to poll, flushes when it returns.
void DeviceScheduler::flush_soon() {
    if (std::exchange(flush_soon_, true))
        return;
    instance_.hal().wake();
    changed_.notify_all();
}

void DeviceScheduler::flush(Poll poll) {
    const cl_int code = guarded([&] {
        while (fill_ring())
            ;
    });
    if (code != CL_SUCCESS)
        die("its memory is no longer writable");
    if (poll == scheduler_polls) {
        Lock lock(Graph::get().mutex_);
        if (unpolled())
            changed_.notify_all();
    }
}

// A device that has died may have completed commands before: the thread that polls it ends the
// rest, or the scheduler's own thread if nothing is running on it. A device that is alive but has
// an inconsistent ring is given up.
void DeviceScheduler::ring_failed(std::string_view reason) noexcept {
    if (instance_.hal().alive())
        die(reason);
}

// Whether the wait's place in its stream keeps it behind a predecessor: so the wait names one
// launch where queues alternate, and the firmware then takes a shorter way.
bool DeviceScheduler::stream_holds(const Event &event, const Event &predecessor, bool success) {
    return predecessor.stream_ == event.stream_ && event.slot_flags_ & RVL_FLAG_BARRIER &&
           (!success || predecessor.number_ == event.tied_to_);
}

// Fills in the command that holds the event's launch back until its predecessors have ended. False
// if it needs none, because all of them have; called under the graph's lock.
bool DeviceScheduler::add_wait(rvl_slot &slot, const Event &event) {
    slot = {};
    rvl_wait &wait = slot.wait;
    for (const auto &[from, to, next, success] : event.edges()) {
        if (!from || stream_holds(event, *from, success))
            continue;
        wait.needs_success |= static_cast<uint16_t>(success << wait.count);
        wait.launch[wait.count++] = from->number_;
    }
    wait.failed = event.predecessor_failed_;
    if (!wait.count && !wait.failed)
        return false;
    slot.header = {.group = RVL_GROUP_LAUNCH,
                   .service = RVL_LAUNCH_WAIT,
                   .flags = event.slot_flags_,
                   .length = sizeof wait,
                   .token = 0};
    wait.number = next_launch();
    wait.stream = event.stream_;
    return true;
}

// Moves one batch from the ready queue to the ring; false if there is nothing left to do or no
// room.
bool DeviceScheduler::fill_ring() {
    Lock ring(ring_mutex_);
    if (!alive())
        return false;
    const auto room = instance_.hal().room();
    if (!room) {
        ring.unlock();
        ring_failed(room.error().message);
        return false;
    }
    size_t count = 0;
    {
        GraphTransaction transaction(GraphTransaction::later);
        flush_soon_ = false;
        const size_t most = std::min(*room, slots_.size());
        while (Event *event = take_next(most - count)) {
            transaction.advance(*event, CL_SUBMITTED);
            uint8_t flags = event->slot_flags_;
            if (event->waits_on_device_ && add_wait(slots_[count], *event)) {
                ++count;
                flags = RVL_FLAG_BARRIER | RVL_FLAG_ON_SUCCESS;
            }
            rvl_slot &slot = slots_[count++] = {};
            slot.header.flags = flags;
            slot.launch.launch = event->number_; // both are ignored by other services
            slot.launch.stream = event->stream_;
            slot.header.token = take_token(*event);
        }
        transaction.commit();
    }
    if (!count)
        return false;
    // Commands already in flight stay there: they end through `die`, which needs the ring lock, or
    // through a completion, which is not accepted before the command was encoded.
    size_t encoded = 0;
    for (; encoded < count; ++encoded) {
        rvl_slot &slot = slots_[encoded];
        if (is_wait(slot))
            continue;
        InFlight &command = in_flight(slot.header.token);
        if (!command.event->device_work_->encode(slot))
            break;
        command.sent.store(identity(slot), std::memory_order_release);
    }
    if (encoded != 0 && encoded < count && is_wait(slots_[encoded - 1]))
        --encoded; // goes with its launch, or each attempt would leave one more on the device
    const auto written = instance_.hal().submit(std::span(slots_).first(encoded));
    if (!written) {
        ring.unlock();
        ring_failed(written.error().message);
        return false;
    }
    // There is no memory for records, or less room than expected: the rest waits for completions.
    Lock lock(Graph::get().mutex_);
    for (size_t index = count; index-- > *written;)
        if (is_wait(slots_[index]))
            continue; // added again with its launch
        else if (Event *event = release_token(slots_[index].header.token))
            put_back(*event);
    return *written == count;
}

bool DeviceScheduler::poll_completions(Event &event) {
    Lock lock(Graph::get().mutex_);
    ++wanted_;
    if (poller_ == Poller::scheduler) {
        instance_.hal().wake();
        changed_.wait(lock, [&] { return poller_ != Poller::scheduler; });
    }
    --wanted_;
    if (poller_ != Poller::none || !in_flight_ || settled(event)) {
        // the scheduler's own thread left it to this one
        if ((unpolled() || first_ready()) && !wanted_)
            changed_.notify_all();
        return false;
    }
    poller_ = Poller::application;
    polled_for_ = &event;
    polling_thread_ = std::this_thread::get_id();
    event.awaited_ = true;
    while (in_flight_ && !settled(event)) {
        lock.unlock();
        take_completions();
        lock.lock();
    }
    poller_ = Poller::none;
    polled_for_ = nullptr;
    if (in_flight_ || first_ready() || wanted_ || !alive_)
        changed_.notify_all();
    return true;
}

void DeviceScheduler::wake_poller(const Event &event) {
    if (polled_for_ == &event && polling_thread_ != std::this_thread::get_id())
        instance_.hal().wake();
}

bool DeviceScheduler::oldest_waits(const Event *oldest) const {
    return !stop_ && !flush_soon_ && first_ready() == oldest &&
           ready_queue_.size() < full_ready_queue;
}

void DeviceScheduler::run() {
    Lock lock(Graph::get().mutex_);
    while (!stop_) {
        if (died_at_rest()) {
            lock.unlock();
            notice_death();
            lock.lock();
            device_stopped_ = true;
        } else if (unpolled() && !wanted_) {
            poller_ = Poller::scheduler;
            lock.unlock();
            take_completions();
            lock.lock();
            poller_ = Poller::none;
            changed_.notify_all();
        } else if (first_ready() && poller_ == Poller::none && !wanted_ && alive()) {
            const Event *oldest = first_ready();
            const auto until = std::chrono::steady_clock::now() + patience;
            while (oldest_waits(oldest) && std::chrono::steady_clock::now() < until)
                changed_.wait_until(lock, until);
            if (stop_ || first_ready() != oldest)
                continue;
            lock.unlock();
            flush();
            lock.lock();
        } else {
            changed_.wait(lock);
        }
    }
}

// With commands in flight, the polling thread notices a death, because completions made before it
// still count.
bool DeviceScheduler::died_at_rest() const {
    return !device_stopped_ && in_flight_ == 0 && poller_ == Poller::none && !alive();
}

void DeviceScheduler::notice_death() noexcept {
    if (alive_)
        die("it stopped while idle");
    // What is left running on the device must neither take processor time nor write to memory.
    instance_.close();
    instance_.hal().stop();
}

// One that failed begins a new batch: it may be reported to a pipe whose reader waits for those
// before it.
void DeviceScheduler::finish_in_batches(std::span<const rvl_slot> completions) {
    while (!completions.empty()) {
        size_t count = 1;
        while (count < std::min(completions.size(), most_ended_together) &&
               completions[count].completion.result == RVL_RESULT_OK)
            ++count;
        finish(completions.first(count));
        completions = completions.subspan(count);
    }
}

void DeviceScheduler::take_completions() {
    const cl_int code = guarded([&] {
        const bool looks = starts_awaited_;
        std::chrono::nanoseconds timeout = looks ? std::chrono::nanoseconds(start_interval) : 1s;
        // All that are there, before `flush`: a device that sleeps is woken once for what follows.
        for (bool may_be_more = true; may_be_more; timeout = 0s) {
            const auto completions = instance_.hal().completions(timeout);
            if (!completions)
                return die(completions.error().message);
            may_be_more = completions->size() >= most_ended_together;
            finish_in_batches(*completions);
        }
        if (looks)
            look_for_started();
    });
    if (code != CL_SUCCESS)
        die("the host is out of memory");
    flush(caller_polls);
}

// 5.14: QUEUED ≤ SUBMIT ≤ START ≤ END, and no END after the host was notified. The device's two
// times are placed as one interval with the device's duration. It is moved if the order of commands
// requires it, by no more than the error of the clocks' relation, and only shortened if less time
// has passed on the host than on the device.
void DeviceScheduler::set_times(Event &event, const rvl_completion &completion, uint64_t received) {
    auto &times = event.times_;
    uint64_t earliest = std::max(times[Event::submitted], event.latest_end_);
    for (const Event::Edge &edge : event.edges())
        if (edge.from) // has ended on the device
            earliest = std::max(earliest, edge.from->times_[Event::ended]);
    auto [begin, end] = instance_.hal().host_times({completion.start, completion.end},
                                                   {times[Event::submitted], received});
    if (begin < earliest) {
        end = std::min(end + (earliest - begin), received);
        begin = earliest;
    }
    // The application has already observed it running.
    if (const uint64_t seen = times[Event::started]; seen && begin > seen) {
        end -= begin - seen;
        begin = seen;
    }
    times[Event::started] = begin;
    times[Event::ended] = std::max(begin, end);
}

// Only those whose predecessors have all ended from the application's point of view, too.
void DeviceScheduler::look_for_started() {
    const uint64_t now = now_ns();
    uint64_t due = next_look_.load(std::memory_order_relaxed);
    if (now < due || !next_look_.compare_exchange_strong(due, now + look_interval_ns))
        return;
    const std::vector<uint32_t> launches = instance_.launches_at_work();
    GraphTransaction transaction(GraphTransaction::later);
    starts_awaited_ = false;
    for (const InFlight &command : commands_) {
        Event *event = command.event;
        if (!event || event->status() != CL_SUBMITTED)
            continue;
        const auto number = static_cast<uint32_t>(command.sent.load(std::memory_order_acquire));
        if (number != 0 && event->incomplete_ == 0 &&
            std::ranges::find(launches, number) != launches.end())
            transaction.advance(*event, CL_RUNNING);
        else if (event->start_awaited_)
            starts_awaited_ = true;
    }
    transaction.commit();
}

void DeviceScheduler::expect_start() {
    if (!starts_awaited_.exchange(true))
        instance_.hal().wake();
}

// Returns the event that a completion ends, which is no longer in flight then, or nullptr. Called
// under the graph's lock.
Event *DeviceScheduler::ended_event(const rvl_slot &slot) {
    const rvl_completion &completion = slot.completion;
    const uint16_t token = slot.header.token;
    const InFlight &command = in_flight(token);
    const bool refused =
        completion.result == RVL_RESULT_INVALID || completion.result == RVL_RESULT_UNKNOWN;
    const uint64_t sent = command.sent.load(std::memory_order_acquire);
    if (command.event && token / most_in_flight == command.generation &&
        (sent == identity(slot.header, completion.launch) ||
         (refused && completion.launch == 0 && sent)))
        return release_token(token);
    return nullptr;
}

// Completions that were taken from the ring together end their events in one transaction: the graph
// is locked twice for all of them, and what they make ready goes to the device in one batch. Their
// order is that of the ring, so that an event's predecessors have their times before it.
void DeviceScheduler::finish(std::span<const rvl_slot> completions) {
    const uint64_t received = now_ns();
    struct Ended {
        Event *event;
        cl_int status;
    };
    std::array<Ended, most_ended_together> ended;
    {
        const Lock lock(Graph::get().mutex_);
        for (size_t i = 0; i < completions.size(); ++i)
            ended[i].event = ended_event(completions[i]);
    }
    for (size_t i = 0; i < completions.size(); ++i)
        if (ended[i].event)
            ended[i].status = ended[i].event->device_work_->ended(completions[i].completion);
        else
            log(1, "the device reported completion of an unknown command");
    GraphTransaction transaction(GraphTransaction::at_once);
    for (size_t i = 0; i < completions.size(); ++i) {
        const auto [event, status] = ended[i];
        if (!event)
            continue;
        const rvl_completion &completion = completions[i].completion;
        set_times(*event, completion, received);
        event->instructions_ = completion.instructions;
        event->harts_ = completion.harts;
        if (event->device_work_->prints()) {
            event->end_status_ = status;
            event->retain(); // referenced by the task
            run_later(Worker::output, *event);
        } else {
            transaction.end(*event, status);
        }
    }
    transaction.commit(this); // take_completions flushes
}

[[clang::minsize]] void DeviceScheduler::die(std::string_view reason) noexcept {
    Event::List lost;
    bool is_first = false;
    {
        const Lock ring(ring_mutex_);
        const Lock lock(Graph::get().mutex_);
        is_first = alive_.exchange(false);
        for (InFlight &command : commands_)
            if (Event *event = std::exchange(command.event, nullptr)) {
                forget_places(command, *event);
                lost.push(*event);
            }
        while (Event *event = urgent_queue_.pop())
            lost.push(*event);
        for (; holding_; holding_ = holding_->next_holding_)
            while (Event *event = holding_->held_back_.pop())
                lost.push(*event);
        while (Event *event = ready_queue_.pop())
            lost.push(*event);
        in_flight_ = 0;
        changed_.notify_all();
    }
    std::string own_reason; // for a device that died by itself
    (void)guarded([&] {
        if (const auto usable = instance_.hal().usable(); !usable)
            own_reason = usable.error().message;
    });
    if (!own_reason.empty())
        reason = own_reason;
    // Before any notification, so that a context created in response finds a device that can be
    // started.
    instance_.hal().give_up(reason);
    if (is_first) {
        (void)guarded([&] { log(0, text({"device lost: ", reason})); });
        instance_.tell_loss(reason);
    }
    GraphTransaction transaction(GraphTransaction::at_once);
    while (Event *event = lost.pop())
        transaction.end(*event, CL_DEVICE_NOT_AVAILABLE);
    transaction.commit();
}

void DeviceScheduler::retire(std::string_view reason) {
    {
        Lock lock(Graph::get().mutex_);
        if (stop_)
            return;
        stop_ = true;
        changed_.notify_all();
    }
    instance_.hal().on_death({});
    instance_.hal().wake();
    die(reason);
    thread_.join();
    // An application thread may still be in the driver.
    Lock lock(Graph::get().mutex_);
    changed_.wait(lock, [&] { return poller_ == Poller::none; });
}

} // namespace rivulet
