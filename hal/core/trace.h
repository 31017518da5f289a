// SPDX-License-Identifier: Apache-2.0
//
// The trace: what the library does and when, written to the file of RIVULET_TRACE for Perfetto by
// trace.so (trace_writer.h). All functions may be called on any thread, under any lock but those of
// rank leaf, and do nothing in a program that is not traced. Times are those of now_ns().
#pragma once

#include <atomic>

#include "hal/core/trace_writer.h"

namespace rivulet::hal::trace {

/// Null where this process is not traced, as in a forked child.
TraceWriter *writer();
inline bool is_on() { return writer() != nullptr; }

/// The time from construction to destruction, as a slice on this thread's row.
class Span {
public:
    /// `name` must outlive the span.
    explicit Span(std::string_view name);
    Span(const Span &) = delete;
    Span &operator=(const Span &) = delete;
    ~Span();

    /// An arrow leads from the innermost span of this thread to the slices of the same flow.
    static void begin_flow(uint64_t flow);

private:
    std::string_view name_;
    uint64_t start_ = 0; // 0: not traced
    uint64_t flow_ = 0;
    Span *outer_ = nullptr;
};

/// A point in time on this thread's row.
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
