// SPDX-License-Identifier: Apache-2.0
//
// The trace: what the library does and when, written to the file of RIVULET_TRACE for Perfetto. All
// functions may be called on any thread, under any lock but those of rank leaf, and do nothing in a
// program that is not traced. Times are those of now_ns().
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "hal/core/perfetto.h"

namespace rivulet::hal::trace {

/// Whether this process is traced. A forked child is not.
bool is_on();

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

/// A row that is not a thread's: a queue, a hart. Slices that overlap get rows of their own, which
/// the viewer shows under the one name.
class Row {
public:
    /// Child rows are shown under their parent's.
    explicit Row(std::string name, const Row *parent = nullptr);

    struct Slice {
        std::string_view name;
        uint64_t start = 0;
        uint64_t end = 0;
        std::vector<perfetto::Annotation> annotations;
        uint64_t flow = 0; // 0: none
    };
    /// The first slice, with the others inside it, in their order.
    void add(std::span<const Slice> slices);

private:
    struct Lane {
        uint64_t uuid = 0;
        uint64_t end = 0; // of its last slice
    };
    const std::string name_;
    const uint64_t uuid_; // of the group that the lanes are in
    std::vector<Lane> lanes_;
};

/// A value over time.
class Counter {
public:
    Counter(std::string_view name, std::string_view unit);
    void set(uint64_t value);
    void add(int64_t difference);

private:
    const uint64_t uuid_;
    std::atomic<int64_t> value_ = 0;
};

} // namespace rivulet::hal::trace
