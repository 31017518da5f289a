// SPDX-License-Identifier: Apache-2.0
#include "hal/core/trace.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "hal/core/clock.h"
#include "hal/core/environment.h"
#include "hal/core/error.h"
#include "hal/core/file_descriptor.h"
#include "hal/core/fork.h"
#include "hal/core/lock.h"

namespace rivulet::hal::trace {
namespace {

constexpr size_t most_unwritten = 64u << 10;
constexpr uint64_t longest_unwritten_ns = 500'000'000;

std::atomic<bool> is_child = false;

std::string program_name() {
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    const std::string_view whole(path, static_cast<size_t>(std::max<ssize_t>(length, 0)));
    return std::string(whole.substr(whole.rfind('/') + 1));
}

/// The file, and what was not written to it yet.
class Writer {
public:
    /// Never destroyed, since library threads may still run while the process ends; and in no
    /// memory of the heap, since entry points ask it before they expect that there is none.
    static Writer &get() {
        alignas(Writer) static std::byte room[sizeof(Writer)];
        static Writer &writer = *new (room) Writer;
        return writer;
    }

    [[nodiscard]] bool is_on() const { return static_cast<bool>(file_); }
    uint64_t new_uuid() { return next_uuid_++; }
    [[nodiscard]] uint64_t process() const { return process_; }

    /// `append` gets the trace's end.
    template <class F> void write(F &&append) try {
        const std::lock_guard lock(mutex_);
        append(unwritten_);
        const uint64_t now = now_ns();
        if (unwritten_.size() < most_unwritten && now - written_ < longest_unwritten_ns)
            return;
        written_ = now;
        write_out();
    } catch (const std::bad_alloc &) {
        // The trace has a gap, the application goes on.
    }
    void flush() {
        const std::lock_guard lock(mutex_);
        write_out();
    }

private:
    Writer() {
        try {
            begin();
        } catch (const std::bad_alloc &) {
            file_.reset(); // nothing is traced
        }
    }

    void begin() {
        const char *path = environment(Variable::trace);
        if (path == nullptr)
            return;
        file_ = open_new(path);
        if (!file_) {
            std::fprintf(stderr, "rivulet: error: RIVULET_TRACE=%s: %s; nothing is traced\n", path,
                         errno_text(errno).c_str());
            return;
        }
        process_ = new_uuid();
        perfetto::append_process(unwritten_, process_, getpid(), program_name());
        call_in_forked_children([] { is_child = true; });
        std::atexit([] { get().flush(); });
    }

    /// A program that was started by the traced one finds its file and gets one of its own.
    static FileDescriptor open_new(const char *path) {
        constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
        FileDescriptor file(open(path, flags, 0666));
        if (!file && errno == EEXIST)
            file = FileDescriptor(open(text({path, ".", getpid()}).c_str(), flags, 0666));
        return file;
    }

    void write_out() {
        std::string_view rest = unwritten_;
        while (!rest.empty() && !is_child) {
            const ssize_t count = ::write(file_.get(), rest.data(), rest.size());
            if (count < 0 && errno == EINTR)
                continue;
            if (count <= 0)
                break; // a full disk: what comes later may find room, but the trace has a gap
            rest.remove_prefix(static_cast<size_t>(count));
        }
        unwritten_.clear();
    }

    FileDescriptor file_;
    uint64_t process_ = 0;
    std::atomic<uint64_t> next_uuid_ = 1;
    Mutex mutex_{LockRank::leaf};
    std::string unwritten_;
    uint64_t written_ = now_ns();
};

/// This thread's row; it is described in the trace when it is first used.
uint64_t thread_row() {
    thread_local uint64_t row = 0;
    if (row != 0)
        return row;
    row = Writer::get().new_uuid();
    char name[32] = "";
    pthread_getname_np(pthread_self(), name, sizeof name);
    Writer::get().write([&](std::string &trace) {
        perfetto::append_thread(trace, row, getpid(), static_cast<int32_t>(syscall(SYS_gettid)),
                                name);
    });
    return row;
}

thread_local Span *innermost = nullptr;

} // namespace

bool is_on() {
    static const bool on = Writer::get().is_on();
    return on && !is_child.load(std::memory_order_relaxed);
}

Span::Span(std::string_view name) : name_(name) {
    if (!is_on())
        return;
    start_ = now_ns();
    outer_ = std::exchange(innermost, this);
}

Span::~Span() {
    if (start_ == 0)
        return;
    innermost = outer_;
    const uint64_t row = thread_row();
    const uint64_t end = now_ns();
    Writer::get().write([&](std::string &trace) {
        perfetto::append_slice_begin(trace, row, start_, name_, {}, flow_);
        perfetto::append_slice_end(trace, row, end);
    });
}

void Span::begin_flow(uint64_t flow) {
    if (innermost != nullptr)
        innermost->flow_ = flow;
}

void instant(std::string_view name) {
    if (!is_on())
        return;
    const uint64_t row = thread_row();
    const uint64_t now = now_ns();
    Writer::get().write(
        [&](std::string &trace) { perfetto::append_instant(trace, row, now, name); });
}

Row::Row(std::string name, const Row *parent)
    : name_(std::move(name)), uuid_(Writer::get().new_uuid()) {
    const uint64_t above = parent != nullptr ? parent->uuid_ : Writer::get().process();
    Writer::get().write(
        [&](std::string &trace) { perfetto::append_track(trace, {uuid_, above, name_}); });
}

void Row::add(std::span<const Slice> slices) {
    Writer::get().write([&](std::string &trace) {
        auto lane = std::ranges::find_if(
            lanes_, [&](const Lane &lane) { return lane.end <= slices.front().start; });
        if (lane == lanes_.end()) {
            lanes_.push_back({Writer::get().new_uuid(), 0});
            lane = std::prev(lanes_.end());
            perfetto::append_track(trace, {lane->uuid, uuid_, name_});
        }
        lane->end = slices.front().end;
        perfetto::append_slice_begin(trace, lane->uuid, slices.front().start, slices.front().name,
                                     slices.front().annotations, slices.front().flow);
        for (const Slice &slice : slices.subspan(1)) {
            perfetto::append_slice_begin(trace, lane->uuid, slice.start, slice.name,
                                         slice.annotations, slice.flow);
            perfetto::append_slice_end(trace, lane->uuid, slice.end);
        }
        perfetto::append_slice_end(trace, lane->uuid, slices.front().end);
    });
}

Counter::Counter(std::string_view name, std::string_view unit) : uuid_(Writer::get().new_uuid()) {
    if (is_on())
        Writer::get().write([&](std::string &trace) {
            perfetto::append_counter_track(trace, {uuid_, Writer::get().process(), name}, unit);
        });
}

void Counter::set(uint64_t value) {
    if (!is_on())
        return;
    const uint64_t now = now_ns();
    Writer::get().write([&](std::string &trace) {
        perfetto::append_counter(trace, uuid_, now, static_cast<int64_t>(value));
    });
}

void Counter::add(int64_t difference) {
    if (is_on())
        set(static_cast<uint64_t>(value_ += difference));
}

} // namespace rivulet::hal::trace
