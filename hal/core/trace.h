// SPDX-License-Identifier: Apache-2.0
//
// The trace: what the library does and when, written by trace.so (trace_writer.h) to the file in
// RIVULET_TRACE, for Perfetto. All functions may be called on any thread, under any lock except
// those of rank leaf, and do nothing if tracing is off. Times are from now_ns().
#pragma once

#include <atomic>

#include "hal/core/trace_writer.h"

namespace rivulet::hal::trace {

/// Null if this process is not traced, for example in a forked child.
TraceWriter *writer();
inline bool is_on() { return writer() != nullptr; }

/// A slice on this thread's track, from construction to destruction.
class Span {
public:
    /// `name` must outlive the span.
    explicit Span(std::string_view name);
    Span(const Span &) = delete;
    Span &operator=(const Span &) = delete;
    ~Span();

    /// Starts an arrow from this thread's innermost span to the slices with the same flow.
    static void begin_flow(uint64_t flow);

private:
    std::string_view name_;
    uint64_t start_ = 0; // 0: not traced
    uint64_t flow_ = 0;
    Span *outer_ = nullptr;
};

/// A point in time on this thread's track.
void instant(std::string_view name);

/// A value over time.
class Counter {
public:
    Counter(std::string_view name, std::string_view unit);
    void add(int64_t difference);

private:
    const uint64_t row_;
    std::atomic<int64_t> value_ = 0;
};

} // namespace rivulet::hal::trace
