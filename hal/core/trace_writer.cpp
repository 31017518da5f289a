// SPDX-License-Identifier: Apache-2.0
#include "hal/core/trace_writer.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <map>
#include <new>
#include <string>
#include <vector>

#include "base/build_version.h"
#include "base/error.h"
#include "base/file_descriptor.h"
#include "base/file_size.h"
#include "base/lock.h"
#include "base/now.h"
#include "base/perfetto.h"
#include "hal/core/kernel_samples.h"

namespace rivulet::hal::trace {
namespace {

constexpr size_t most_unwritten = 64u << 10;
constexpr uint64_t longest_unwritten_ns = 500'000'000;

std::string program_name() {
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    const std::string_view whole(path, static_cast<size_t>(std::max<ssize_t>(length, 0)));
    return std::string(whole.substr(whole.rfind('/') + 1));
}

class FileWriter final : public TraceWriter {
public:
    explicit FileWriter(FileDescriptor file) : file_(std::move(file)) {
        perfetto::append_process(unwritten_, process_, getpid(), program_name(),
                                 text({"rivulet ", build_version()}));
    }

    void add_span(const Slice &slice) noexcept override {
        write([&](std::string &trace) {
            const uint64_t row = thread_row(trace);
            append_begin(trace, row, slice);
            perfetto::append_slice_end(trace, row, slice.end);
        });
    }
    void add_instant(std::string_view name, uint64_t time) noexcept override {
        write([&](std::string &trace) {
            perfetto::append_instant(trace, thread_row(trace), time, name);
        });
    }
    uint64_t find_row(const void *object, std::string_view kind) noexcept override {
        uint64_t row = 0;
        write([&](std::string &trace) {
            uint64_t &known = objects_[object];
            if (known == 0)
                known = add_row(trace, text({kind, " ", ++kinds_[std::string(kind)]}), process_);
            row = known;
        });
        return row;
    }
    uint64_t find_part(uint64_t whole, std::string_view kind, unsigned part) noexcept override {
        uint64_t row = 0;
        write([&](std::string &trace) {
            uint64_t &known = parts_[{whole, part}];
            if (known == 0)
                known = add_row(trace, text({kind, " ", uint64_t{part}}), whole);
            row = known;
        });
        return row;
    }
    void add_slices(uint64_t row, std::span<const Slice> slices) noexcept override {
        if (row == 0)
            return;
        write([&](std::string &trace) {
            const uint64_t lane = free_lane(trace, row, slices.front());
            append_begin(trace, lane, slices.front());
            for (const Slice &slice : slices.subspan(1)) {
                append_begin(trace, lane, slice);
                perfetto::append_slice_end(trace, lane, slice.end);
            }
            perfetto::append_slice_end(trace, lane, slices.front().end);
        });
    }
    void add_mark(uint64_t row, std::string_view name, uint64_t time,
                  std::span<const Annotation> annotations) noexcept override {
        if (row != 0)
            write([&](std::string &trace) {
                perfetto::append_instant(trace, row, time, name, annotations);
            });
    }
    size_t sample_bytes(const Device &device) noexcept override {
        return KernelSamples::bytes(device);
    }
    void start_samples(Device &device, uint64_t address) noexcept override try {
        const Lock lock(samples_mutex_);
        samples_.erase(&device); // left by an earlier run, or another device at this address
        KernelSamples samples;
        if (samples.start(device, address))
            samples_[&device] = std::move(samples);
    } catch (const std::bad_alloc &) {
        // Continues without samples.
    }
    void add_samples(Device &device, uint64_t row) noexcept override {
        const Lock lock(samples_mutex_);
        if (const auto found = samples_.find(&device); found != samples_.end())
            found->second.write(*this, device, row);
    }
    uint64_t add_counter(std::string_view name, std::string_view unit) noexcept override {
        const uint64_t counter = next_uuid_++;
        write([&](std::string &trace) {
            perfetto::append_counter_track(trace, {counter, process_, name}, unit);
        });
        return counter;
    }
    void set_counter(uint64_t counter, uint64_t time, int64_t value) noexcept override {
        write([&](std::string &trace) { perfetto::append_counter(trace, counter, time, value); });
    }
    void flush() noexcept override {
        const Lock lock(mutex_);
        write_out();
    }

private:
    /// The slices shown under a track's name: a single lane if they don't overlap.
    struct Lane {
        uint64_t uuid = 0;
        uint64_t end = 0; // end of its last slice
    };
    struct Row {
        std::string name;
        std::vector<Lane> lanes;
    };

    /// `append` gets the trace's buffer, under the lock.
    template <class F> void write(F &&append) noexcept {
        const Lock lock(mutex_);
        const size_t before = unwritten_.size();
        try {
            append(unwritten_);
        } catch (const std::bad_alloc &) {
            unwritten_.resize(before); // half a packet would make the rest unreadable
            return;
        }
        const uint64_t now = now_ns();
        if (unwritten_.size() >= most_unwritten || now - written_ >= longest_unwritten_ns) {
            written_ = now;
            write_out();
        }
    }

    /// A write beyond the process's file size limit would terminate the program with SIGXFSZ.
    ssize_t write_within_limit(std::string_view text) const noexcept {
        if (may_have_file_of(bytes_ + unwritten_.size()))
            return ::write(file_.get(), text.data(), text.size());
        errno = EFBIG;
        return -1;
    }

    /// A trace that can't be continued ends with a whole packet, because readers reject a partial
    /// one.
    void write_out() noexcept {
        std::string_view rest = unwritten_;
        while (!ends_early_ && !rest.empty()) {
            const ssize_t count = write_within_limit(rest);
            if (count > 0) {
                rest.remove_prefix(static_cast<size_t>(count));
            } else if (errno != EINTR) {
                std::fprintf(stderr, "rivulet: error: the trace ends early: %m\n");
                ends_early_ = true;
                static_cast<void>(!ftruncate(file_.get(), static_cast<off_t>(bytes_)));
            }
        }
        bytes_ += unwritten_.size();
        unwritten_.clear();
    }

    static void append_begin(std::string &trace, uint64_t row, const Slice &slice) {
        perfetto::append_slice_begin(trace, row, slice.start, slice.name, slice.annotations,
                                     slice.flow);
    }

    /// The calling thread's track; its description is written on first use.
    uint64_t thread_row(std::string &trace) {
        thread_local uint64_t row = 0;
        if (row == 0) {
            char name[32] = "";
            pthread_getname_np(pthread_self(), name, sizeof name);
            const uint64_t uuid = next_uuid_++;
            perfetto::append_thread(trace, uuid, getpid(),
                                    static_cast<int32_t>(syscall(SYS_gettid)), name);
            row = uuid;
        }
        return row;
    }

    uint64_t add_row(std::string &trace, std::string name, uint64_t parent) {
        const uint64_t row = next_uuid_++;
        perfetto::append_track(trace, {row, parent, name});
        rows_[row].name = std::move(name);
        return row;
    }

    uint64_t free_lane(std::string &trace, uint64_t uuid, const Slice &slice) {
        Row &row = rows_[uuid];
        auto lane = std::ranges::find_if(
            row.lanes, [&](const Lane &other) { return other.end <= slice.start; });
        if (lane == row.lanes.end()) {
            row.lanes.push_back({next_uuid_++, 0});
            lane = std::prev(row.lanes.end());
            perfetto::append_track(trace, {lane->uuid, uuid, row.name});
        }
        lane->end = slice.end;
        return lane->uuid;
    }

    const FileDescriptor file_;
    std::atomic<uint64_t> next_uuid_ = 1;
    const uint64_t process_ = next_uuid_++;
    Mutex mutex_{LockRank::leaf};
    std::map<const void *, uint64_t> objects_; // their tracks
    // tracks, by the parent track and index
    std::map<std::pair<uint64_t, unsigned>, uint64_t> parts_;
    std::map<std::string, uint64_t> kinds_; // number of tracks of each kind
    std::map<uint64_t, Row> rows_;
    Mutex samples_mutex_{LockRank::access}; // held while devices are called
    std::map<const Device *, KernelSamples> samples_;
    std::string unwritten_;
    uint64_t bytes_ = 0; // size of the file
    bool ends_early_ = false;
    uint64_t written_ = now_ns();
};

/// A program started by the traced one finds the file existing and creates another.
FileDescriptor open_new(const char *path) {
    constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    FileDescriptor file(open(path, flags, 0666));
    if (!file && errno == EEXIST)
        file = FileDescriptor(open(text({path, ".", getpid()}).c_str(), flags, 0666));
    return file;
}

} // namespace
} // namespace rivulet::hal::trace

rivulet::hal::trace::TraceWriter *rivulet_open_trace(const char *path) try {
    using namespace rivulet;
    using namespace rivulet::hal;
    FileDescriptor file = trace::open_new(path);
    if (!file) {
        std::fprintf(stderr, "rivulet: error: RIVULET_TRACE=%s: %s; nothing is traced\n", path,
                     errno_text(errno).c_str());
        return nullptr;
    }
    // Never destroyed, because library threads may run until the process exits.
    return new trace::FileWriter(std::move(file));
} catch (const std::bad_alloc &) {
    std::fprintf(stderr, "rivulet: error: no memory for a trace; nothing is traced\n");
    return nullptr;
}
