// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/graph/descriptor_waits.h"

#include <fcntl.h>
#include <linux/sync_file.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <string_view>

#include "base/thread.h"
#include "host-runtime/graph/graph.h"
#include "host-runtime/object/entry.h"

namespace rivulet {
namespace {

/// Status of a sync file; nullopt as long as it is active.
std::optional<cl_int> status_of_sync_file(int descriptor) {
    sync_file_info info{};
    if (ioctl(descriptor, SYNC_IOC_FILE_INFO, &info) != 0 || info.status < 0)
        return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    return info.status != 0 ? std::optional(CL_COMPLETE) : std::nullopt;
}

/// Takes a signal from a counter. Returns nullopt if the counter has no signal. The other signals
/// are put back at once: a thread that looks in between waits until they are there again.
std::optional<cl_int> take_signal(int descriptor) {
    uint64_t count = 0;
    if (read(descriptor, &count, sizeof count) != sizeof count)
        return errno == EAGAIN || errno == EINTR
                   ? std::nullopt
                   : std::optional(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    const bool has_failed = count >= SignalCounter::failed;
    const uint64_t others = count - (has_failed ? SignalCounter::failed : 1);
    if (others != 0)
        static_cast<void>(!write(descriptor, &others, sizeof others)); // they were there before
    return has_failed ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_COMPLETE;
}

} // namespace

SignalCounter SignalCounter::make() {
    SignalCounter counter(FileDescriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)));
    require(static_cast<bool>(counter.descriptor_), CL_OUT_OF_HOST_MEMORY,
            "the process can't have more open files");
    return counter;
}

std::optional<SignalCounter> SignalCounter::of(int descriptor) {
    char kind[64] = "";
    const auto link = text({"/proc/self/fd/", descriptor});
    const ssize_t length = readlink(link.c_str(), kind, sizeof kind);
    FileDescriptor own(fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
    if (length < 0 || std::string_view(kind, size_t(length)) != "anon_inode:[eventfd]" || !own)
        return std::nullopt;
    // Somebody else may have read the signal first, and the thread must not wait for the next one.
    const int flags = fcntl(own.get(), F_GETFL);
    if (flags < 0 || fcntl(own.get(), F_SETFL, flags | O_NONBLOCK) != 0)
        return std::nullopt;
    return SignalCounter(std::move(own));
}

FileDescriptor SignalCounter::duplicate() const {
    FileDescriptor copy(fcntl(descriptor_.get(), F_DUPFD_CLOEXEC, 0));
    require(static_cast<bool>(copy), CL_OUT_OF_HOST_MEMORY,
            "the process can't have more open files");
    return copy;
}

void SignalCounter::signal(bool success) const {
    const uint64_t count = success ? 1 : failed;
    static_cast<void>(!write(descriptor_.get(), &count, sizeof count)); // fails only when signaled
}

bool SignalCounter::is_signaled() const {
    pollfd end{descriptor_.get(), POLLIN, 0};
    int ready = 0;
    do // a pending signal interrupts it, even if it doesn't wait
        ready = poll(&end, 1, 0);
    while (ready < 0 && errno == EINTR);
    return ready == 1;
}

bool is_sync_file(int descriptor) {
    sync_file_info info{};
    return ioctl(descriptor, SYNC_IOC_FILE_INFO, &info) == 0;
}

// Never destroyed: its thread runs while the process exits.
DescriptorWaits &DescriptorWaits::get() {
    static auto *const waits = new DescriptorWaits;
    return *waits;
}

void DescriptorWaits::prepare() {
    const Lock lock(mutex_);
    if (wake_)
        return;
    FileDescriptor wake(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    const ThreadDefaults defaults;
    pthread_t thread;
    const auto body = [](void *self) -> void * {
        static_cast<DescriptorWaits *>(self)->run();
        return nullptr;
    };
    wake_ = std::move(wake); // the thread reads it
    if (!wake_ || pthread_create(&thread, nullptr, body, this) != 0) {
        wake_.reset();
        fail(CL_OUT_OF_RESOURCES, "the system gives no thread that waits for handles");
    }
    pthread_detach(thread);
}

void DescriptorWaits::add(List waits) noexcept {
    const Lock lock(mutex_);
    waits_.splice(waits_.end(), waits);
    constexpr uint64_t one = 1;
    static_cast<void>(!write(wake_.get(), &one, sizeof one));
}

cl_int DescriptorWaits::withdraw(const Event &event) noexcept {
    List withdrawn; // destroyed without the lock
    const Lock lock(mutex_);
    const auto is_for_event = [&](const Wait &wait) { return wait.event.get() == &event; };
    if (const auto wait = std::ranges::find_if(waits_, is_for_event); wait != waits_.end()) {
        withdrawn.splice(withdrawn.end(), waits_, wait);
        return CL_QUEUED;
    }
    const auto ending = std::ranges::find_if(ending_, is_for_event);
    return ending != ending_.end() ? ending->status : event.status();
}

// Waits are ended in the order in which they were added: several may be for one counter.
void DescriptorWaits::take_ended() {
    const Lock lock(mutex_);
    for (auto wait = waits_.begin(); wait != waits_.end();) {
        const auto next = std::next(wait);
        pollfd end{wait->descriptor.get(), POLLIN, 0};
        if (poll(&end, 1, 0) > 0) {
            const auto status =
                wait->kind == Kind::counter ? take_signal(end.fd) : status_of_sync_file(end.fd);
            wait->status = status.value_or(CL_QUEUED);
            if (status)
                ending_.splice(ending_.end(), waits_, wait);
        }
        wait = next;
    }
}

void DescriptorWaits::run() {
    std::vector<pollfd> ends;
    for (;;) {
        try {
            const Lock lock(mutex_);
            ends.assign(1, {wake_.get(), POLLIN, 0});
            for (const Wait &wait : waits_)
                ends.push_back({wait.descriptor.get(), POLLIN, 0});
        } catch (const std::bad_alloc &) {
            // Without memory for the list, the waits are looked at every millisecond.
            ends.clear();
        }
        const bool has_all = !ends.empty();
        poll(ends.data(), ends.size(), has_all ? -1 : 1);
        uint64_t count = 0;
        if (has_all && ends.front().revents != 0)
            static_cast<void>(!read(ends.front().fd, &count, sizeof count));
        ends.clear();
        take_ended();
        for (const Wait &wait : ending_) // changed by this thread only
            Graph::get().set_user_status(*wait.event, wait.status);
        List ended; // destroyed without the lock
        const Lock lock(mutex_);
        ended.swap(ending_);
    }
}

} // namespace rivulet
