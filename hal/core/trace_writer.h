// SPDX-License-Identifier: Apache-2.0
//
// The interface of what writes a trace, which is a shared object of its own (trace.so beside
// drivers/), so that programs that are not traced don't carry it. Library and writer are of one
// build; no other program calls it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace rivulet::hal {
class Device;
}

namespace rivulet::hal::trace {

/// Shown with a slice in the viewer: a number, or a text where `text` is not empty.
struct Annotation {
    std::string_view name;
    uint64_t number = 0;
    std::string_view text;
};

/// A stretch of time on a row; times are those of now_ns().
struct Slice {
    std::string_view name;
    uint64_t start = 0;
    uint64_t end = 0;
    std::span<const Annotation> annotations;
    uint64_t flow = 0; // slices of one number are joined by arrows; 0: none
};

/// All functions may be called on any thread. What there is no memory for is a gap in the trace; on
/// a full disk it ends, after a message to standard error.
class TraceWriter {
public:
    /// A slice on the calling thread's row.
    virtual void add_span(const Slice &slice) noexcept = 0;
    /// A point in time on the calling thread's row.
    virtual void add_instant(std::string_view name, uint64_t time) noexcept = 0;
    /// The row of an object, which is not a thread's; called "KIND N", the Nth one of its kind.
    /// Made when it is first asked for; 0 when that failed, which add_slices takes.
    virtual uint64_t find_row(const void *object, std::string_view kind) noexcept = 0;
    /// The row of a part of what `row` is of, shown under it and called "KIND PART".
    virtual uint64_t find_part(uint64_t row, std::string_view kind, unsigned part) noexcept = 0;
    /// The first slice, with the others inside it, in their order. Slices of one row that overlap
    /// are shown in rows of their own under its name.
    virtual void add_slices(uint64_t row, std::span<const Slice> slices) noexcept = 0;
    /// A point in time on such a row.
    virtual void add_mark(uint64_t row, std::string_view name, uint64_t time,
                          std::span<const Annotation> annotations) noexcept = 0;
    /// Bytes of device memory for samples of where kernels are; 0: none are wanted, or possible.
    virtual size_t sample_bytes(const Device &device) noexcept = 0;
    /// Makes the device take samples; they lie at `address` until it is started anew.
    virtual void start_samples(Device &device, uint64_t address) noexcept = 0;
    /// Writes the new samples of a device, if some are taken, whose row is `row`.
    virtual void add_samples(Device &device, uint64_t row) noexcept = 0;
    virtual uint64_t add_counter(std::string_view name, std::string_view unit) noexcept = 0;
    virtual void set_counter(uint64_t counter, uint64_t time, int64_t value) noexcept = 0;
    /// Writes what is kept in memory so far.
    virtual void flush() noexcept = 0;

protected:
    ~TraceWriter() = default; // it lives for as long as the process
};

} // namespace rivulet::hal::trace

/// Makes the file and the only writer of this process. Null, after a message to standard error,
/// when that fails.
extern "C" [[gnu::visibility("default")]] rivulet::hal::trace::TraceWriter *
rivulet_open_trace(const char *path);
