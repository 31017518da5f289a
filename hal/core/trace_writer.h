// SPDX-License-Identifier: Apache-2.0
//
// The interface of trace.so, which writes traces. A separate shared object next to drivers/, so
// that untraced programs don't carry it. Library and writer are from the same build; no other
// program uses it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/perfetto.h"

namespace rivulet::hal {
class Device;
}

namespace rivulet::hal::trace {

using perfetto::Annotation;

/// An interval on a track; times are from now_ns().
struct Slice {
    std::string_view name;
    uint64_t start = 0;
    uint64_t end = 0;
    std::span<const Annotation> annotations;
    uint64_t flow = 0; // slices with the same number are joined by arrows; 0: none
};

/// All functions may be called on any thread. If memory is short, events are missing from the
/// trace; if the disk is full, it ends with a message on standard error.
class TraceWriter {
public:
    /// A slice on the calling thread's track.
    virtual void add_span(const Slice &slice) noexcept = 0;
    /// A point in time on the calling thread's track.
    virtual void add_instant(std::string_view name, uint64_t time) noexcept = 0;
    /// The track of an object, called "KIND N" for the Nth one of its kind. Created on first use; 0
    /// if that failed, which add_slices accepts.
    virtual uint64_t find_row(const void *object, std::string_view kind) noexcept = 0;
    /// The track for a part of the object of `row`, shown under it and called "KIND PART".
    virtual uint64_t find_part(uint64_t row, std::string_view kind, unsigned part) noexcept = 0;
    /// The first slice contains the others, in order. Overlapping slices of one track are shown in
    /// separate lanes.
    virtual void add_slices(uint64_t row, std::span<const Slice> slices) noexcept = 0;
    /// A point in time on such a track.
    virtual void add_mark(uint64_t row, std::string_view name, uint64_t time,
                          std::span<const Annotation> annotations) noexcept = 0;
    /// Device memory needed for kernel samples; 0 if sampling is not requested or not possible.
    virtual size_t sample_bytes(const Device &device) noexcept = 0;
    /// Makes the device write samples to `address` until it is restarted.
    virtual void start_samples(Device &device, uint64_t address) noexcept = 0;
    /// Writes a device's new samples, if any, to its track `row`.
    virtual void add_samples(Device &device, uint64_t row) noexcept = 0;
    virtual uint64_t add_counter(std::string_view name, std::string_view unit) noexcept = 0;
    virtual void set_counter(uint64_t counter, uint64_t time, int64_t value) noexcept = 0;
    /// Writes everything buffered in memory.
    virtual void flush() noexcept = 0;

protected:
    ~TraceWriter() = default; // lives as long as the process
};

} // namespace rivulet::hal::trace

/// Creates the file and the only writer of this process. Returns null, after a message on standard
/// error, if that fails.
extern "C" [[gnu::visibility("default")]] rivulet::hal::trace::TraceWriter *
rivulet_open_trace(const char *path);
