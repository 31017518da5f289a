// SPDX-License-Identifier: Apache-2.0
//
// Packets of a Perfetto trace: protocol buffers of type perfetto.protos.TracePacket, as specified
// in protos/perfetto/trace of Perfetto's sources. A trace is a sequence of packets, which need not
// be sorted by time, so it can be written as it is recorded.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace rivulet::perfetto {

/// Shown with a slice in the viewer: a number, or `text` if that is not empty.
struct Annotation {
    std::string_view name;
    uint64_t number = 0;
    std::string_view text;
};

/// A track of the viewer. `uuid` is chosen by the writer and is not 0.
struct Track {
    uint64_t uuid = 0;
    uint64_t parent = 0; // 0: none
    std::string_view name;
};

// Each appends one packet. Times are in nanoseconds.
/// `label`: shown next to the name.
void append_process(std::string &trace, uint64_t uuid, int32_t pid, std::string_view name,
                    std::string_view label);
void append_thread(std::string &trace, uint64_t uuid, int32_t pid, int32_t tid,
                   std::string_view name);
void append_track(std::string &trace, const Track &track);
void append_counter_track(std::string &trace, const Track &track, std::string_view unit);
/// `flow`: slices with the same number are joined by arrows in time order; 0: none.
void append_slice_begin(std::string &trace, uint64_t track, uint64_t time, std::string_view name,
                        std::span<const Annotation> annotations = {}, uint64_t flow = 0);
void append_slice_end(std::string &trace, uint64_t track, uint64_t time);
void append_instant(std::string &trace, uint64_t track, uint64_t time, std::string_view name,
                    std::span<const Annotation> annotations = {});
void append_counter(std::string &trace, uint64_t track, uint64_t time, int64_t value);

} // namespace rivulet::perfetto
