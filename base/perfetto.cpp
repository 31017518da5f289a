// SPDX-License-Identifier: Apache-2.0
#include "base/perfetto.h"

#include <algorithm>
#include <cstddef>

namespace rivulet::perfetto {
namespace {

/// Maximum size of a numeric field: its tag and ten bytes of 7 bits each.
constexpr size_t number_bytes = 12;
/// Maximum size of the tag and length of a string or message.
constexpr size_t head_bytes = 5;
constexpr size_t longest_text = 0xffff; // so that the length of a packet fits in length_bytes

size_t text_bytes(std::string_view value) {
    return head_bytes + std::min(value.size(), longest_text);
}

/// Appends up to `most` bytes: `write` gets a pointer and advances it.
template <class F> void append_bytes(std::string &trace, size_t most, F &&write) {
    const size_t before = trace.size();
    trace.resize_and_overwrite(before + most, [&](char *text, size_t) {
        char *end = text + before;
        write(end);
        return static_cast<size_t>(end - text);
    });
}

/// Writes the fields of one message: a tag with the field's number and wire type, then the value. A
/// nested message is written in place; its length precedes it, and is filled in at the end with a
/// fixed number of bytes.
class Message {
public:
    /// A top-level field, written at `end`, which is advanced.
    Message(char *&end, uint32_t field) : end_(end) {
        varint(field << 3 | 2);
        start_ = end_ += length_bytes;
    }
    Message(Message &outer, uint32_t field) : Message(outer.end_, field) {}
    Message(const Message &) = delete;
    Message &operator=(const Message &) = delete;
    ~Message() {
        auto length = static_cast<size_t>(end_ - start_);
        for (ptrdiff_t byte = 0; byte < length_bytes; ++byte, length >>= 7)
            start_[byte - length_bytes] =
                static_cast<char>((length & 0x7f) | (byte + 1 < length_bytes ? 0x80 : 0));
    }

    void number(uint32_t field, uint64_t value) {
        varint(field << 3);
        varint(value);
    }
    void fixed(uint32_t field, uint64_t value) {
        varint(field << 3 | 1);
        for (int byte = 0; byte < 8; ++byte)
            *end_++ = static_cast<char>(value >> (8 * byte));
    }
    void bytes(uint32_t field, std::string_view value) {
        value = value.substr(0, longest_text);
        varint(field << 3 | 2);
        varint(value.size());
        end_ = std::copy(value.begin(), value.end(), end_);
    }

private:
    static constexpr ptrdiff_t length_bytes = 3; // 7 bits each: 2 MiB

    void varint(uint64_t value) {
        char *end = end_; // a local copy, since the bytes written may not alias it
        for (; value >= 0x80; value >>= 7)
            *end++ = static_cast<char>(value | 0x80);
        *end++ = static_cast<char>(value);
        end_ = end;
    }

    char *&end_;
    char *start_; // after the length
};

// Field numbers, grouped by message.
namespace trace_field {
constexpr uint32_t packet = 1;
}
namespace packet_field {
constexpr uint32_t timestamp = 8, sequence = 10, track_event = 11, track_descriptor = 60;
}
namespace descriptor_field {
constexpr uint32_t uuid = 1, name = 2, process = 3, thread = 4, parent = 5, counter = 8;
}
namespace process_field {
constexpr uint32_t pid = 1, name = 6, label = 8;
}
namespace thread_field {
constexpr uint32_t pid = 1, tid = 2, name = 5;
}
namespace counter_field {
constexpr uint32_t unit_name = 6;
}
namespace event_field {
constexpr uint32_t annotation = 4, type = 9, track = 11, name = 23, counter_value = 30, flow = 47;
}
namespace annotation_field {
constexpr uint32_t number = 3, text = 6, name = 10;
}
enum Type : uint64_t { slice_begin = 1, slice_end = 2, instant = 3, counter = 4 };
constexpr uint64_t only_sequence = 1; // all packets come from one writer

/// A packet that describes a track; `add` adds what the track belongs to: numbers, and strings that
/// take up to `added_text_bytes`.
template <class F>
void append_descriptor(std::string &trace, const Track &track, size_t added_text_bytes, F &&add) {
    constexpr size_t messages = 3, numbers = 5;
    const size_t most =
        messages * head_bytes + numbers * number_bytes + text_bytes(track.name) + added_text_bytes;
    append_bytes(trace, most, [&](char *&end) {
        Message packet(end, trace_field::packet);
        packet.number(packet_field::sequence, only_sequence);
        Message descriptor(packet, packet_field::track_descriptor);
        descriptor.number(descriptor_field::uuid, track.uuid);
        if (!track.name.empty())
            descriptor.bytes(descriptor_field::name, track.name);
        if (track.parent != 0)
            descriptor.number(descriptor_field::parent, track.parent);
        add(descriptor);
    });
}

/// A packet with an event of that name; `add` adds one more number.
template <class F>
void append_event(std::string &trace, uint64_t track, uint64_t time, Type type,
                  std::string_view name, std::span<const Annotation> annotations, F &&add) {
    constexpr size_t messages = 2, numbers = 5;
    size_t most = messages * head_bytes + numbers * number_bytes + text_bytes(name);
    for (const Annotation &annotation : annotations)
        most += head_bytes + text_bytes(annotation.name) +
                std::max(number_bytes, text_bytes(annotation.text));
    append_bytes(trace, most, [&](char *&end) {
        Message packet(end, trace_field::packet);
        packet.number(packet_field::timestamp, time);
        packet.number(packet_field::sequence, only_sequence);
        Message event(packet, packet_field::track_event);
        event.number(event_field::type, type);
        event.number(event_field::track, track);
        if (!name.empty())
            event.bytes(event_field::name, name);
        for (const Annotation &annotation : annotations) {
            Message message(event, event_field::annotation);
            message.bytes(annotation_field::name, annotation.name);
            if (annotation.text.empty())
                message.number(annotation_field::number, annotation.number);
            else
                message.bytes(annotation_field::text, annotation.text);
        }
        add(event);
    });
}

} // namespace

void append_process(std::string &trace, uint64_t uuid, int32_t pid, std::string_view name,
                    std::string_view label) {
    append_descriptor(trace, {uuid, 0, {}}, text_bytes(name) + text_bytes(label),
                      [&](Message &descriptor) {
                          Message process(descriptor, descriptor_field::process);
                          process.number(process_field::pid, static_cast<uint64_t>(pid));
                          process.bytes(process_field::name, name);
                          process.bytes(process_field::label, label);
                      });
}

void append_thread(std::string &trace, uint64_t uuid, int32_t pid, int32_t tid,
                   std::string_view name) {
    append_descriptor(trace, {uuid, 0, {}}, text_bytes(name), [&](Message &descriptor) {
        Message thread(descriptor, descriptor_field::thread);
        thread.number(thread_field::pid, static_cast<uint64_t>(pid));
        thread.number(thread_field::tid, static_cast<uint64_t>(tid));
        thread.bytes(thread_field::name, name);
    });
}

void append_track(std::string &trace, const Track &track) {
    append_descriptor(trace, track, 0, [](Message &) {});
}

void append_counter_track(std::string &trace, const Track &track, std::string_view unit) {
    append_descriptor(trace, track, text_bytes(unit), [&](Message &descriptor) {
        Message counter(descriptor, descriptor_field::counter);
        counter.bytes(counter_field::unit_name, unit);
    });
}

void append_slice_begin(std::string &trace, uint64_t track, uint64_t time, std::string_view name,
                        std::span<const Annotation> annotations, uint64_t flow) {
    append_event(trace, track, time, slice_begin, name, annotations, [&](Message &event) {
        if (flow != 0)
            event.fixed(event_field::flow, flow);
    });
}

void append_slice_end(std::string &trace, uint64_t track, uint64_t time) {
    append_event(trace, track, time, slice_end, {}, {}, [](Message &) {});
}

void append_instant(std::string &trace, uint64_t track, uint64_t time, std::string_view name,
                    std::span<const Annotation> annotations) {
    append_event(trace, track, time, instant, name, annotations, [](Message &) {});
}

void append_counter(std::string &trace, uint64_t track, uint64_t time, int64_t value) {
    append_event(trace, track, time, counter, {}, {}, [&](Message &event) {
        event.number(event_field::counter_value, static_cast<uint64_t>(value));
    });
}

} // namespace rivulet::perfetto
