// SPDX-License-Identifier: Apache-2.0
#include "hal/core/perfetto.h"

namespace rivulet::hal::perfetto {
namespace {

/// Appends the fields of one message: a tag with the field's number and wire type, then the value.
/// A message within another one is written in place; its length, which comes first, is filled in at
/// its end, in as many bytes as any length here may take.
class Message {
public:
    explicit Message(std::string &text) : text_(text) {}
    Message(Message &outer, uint32_t field) : text_(outer.text_) {
        varint(field << 3 | 2);
        text_.append(length_bytes, '\0');
        start_ = text_.size();
    }
    Message(const Message &) = delete;
    Message &operator=(const Message &) = delete;
    ~Message() {
        if (start_ == 0)
            return;
        size_t length = text_.size() - start_;
        for (size_t byte = 0; byte < length_bytes; ++byte, length >>= 7)
            text_[start_ - length_bytes + byte] =
                static_cast<char>((length & 0x7f) | (byte + 1 < length_bytes ? 0x80 : 0));
    }

    void number(uint32_t field, uint64_t value) {
        varint(field << 3);
        varint(value);
    }
    void fixed(uint32_t field, uint64_t value) {
        varint(field << 3 | 1);
        for (int byte = 0; byte < 8; ++byte)
            text_ += static_cast<char>(value >> (8 * byte));
    }
    void bytes(uint32_t field, std::string_view value) {
        value = value.substr(0, longest_text);
        varint(field << 3 | 2);
        varint(value.size());
        text_ += value;
    }

private:
    static constexpr size_t length_bytes = 3;      // 7 bits each: 2 MiB
    static constexpr size_t longest_text = 0xffff; // so that packets stay below that

    void varint(uint64_t value) {
        for (; value >= 0x80; value >>= 7)
            text_ += static_cast<char>(value | 0x80);
        text_ += static_cast<char>(value);
    }

    std::string &text_;
    size_t start_ = 0; // behind the length; 0: the trace itself
};

// Field numbers, by the messages that they belong to.
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
constexpr uint32_t pid = 1, name = 6;
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

void describe(Message &descriptor, const Track &track) {
    descriptor.number(descriptor_field::uuid, track.uuid);
    if (!track.name.empty())
        descriptor.bytes(descriptor_field::name, track.name);
    if (track.parent != 0)
        descriptor.number(descriptor_field::parent, track.parent);
}

/// A packet with a descriptor, to which `add` adds what it describes.
template <class F> void append_descriptor(std::string &trace, const Track &track, F &&add) {
    Message whole(trace);
    Message packet(whole, trace_field::packet);
    packet.number(packet_field::sequence, only_sequence);
    Message descriptor(packet, packet_field::track_descriptor);
    describe(descriptor, track);
    add(descriptor);
}

/// A packet with an event, to which `add` adds what it says.
template <class F>
void append_event(std::string &trace, uint64_t track, uint64_t time, Type type, F &&add) {
    Message whole(trace);
    Message packet(whole, trace_field::packet);
    packet.number(packet_field::timestamp, time);
    packet.number(packet_field::sequence, only_sequence);
    Message event(packet, packet_field::track_event);
    event.number(event_field::type, type);
    event.number(event_field::track, track);
    add(event);
}

} // namespace

void append_process(std::string &trace, uint64_t uuid, int32_t pid, std::string_view name) {
    append_descriptor(trace, {uuid, 0, {}}, [&](Message &descriptor) {
        Message process(descriptor, descriptor_field::process);
        process.number(process_field::pid, static_cast<uint64_t>(pid));
        process.bytes(process_field::name, name);
    });
}

void append_thread(std::string &trace, uint64_t uuid, int32_t pid, int32_t tid,
                   std::string_view name) {
    append_descriptor(trace, {uuid, 0, {}}, [&](Message &descriptor) {
        Message thread(descriptor, descriptor_field::thread);
        thread.number(thread_field::pid, static_cast<uint64_t>(pid));
        thread.number(thread_field::tid, static_cast<uint64_t>(tid));
        thread.bytes(thread_field::name, name);
    });
}

void append_track(std::string &trace, const Track &track) {
    append_descriptor(trace, track, [](Message &) {});
}

void append_counter_track(std::string &trace, const Track &track, std::string_view unit) {
    append_descriptor(trace, track, [&](Message &descriptor) {
        Message counter(descriptor, descriptor_field::counter);
        counter.bytes(counter_field::unit_name, unit);
    });
}

namespace {
void append_annotations(Message &event, std::span<const trace::Annotation> annotations) {
    for (const trace::Annotation &annotation : annotations) {
        Message message(event, event_field::annotation);
        message.bytes(annotation_field::name, annotation.name);
        if (annotation.text.empty())
            message.number(annotation_field::number, annotation.number);
        else
            message.bytes(annotation_field::text, annotation.text);
    }
}
} // namespace

void append_slice_begin(std::string &trace, uint64_t track, uint64_t time, std::string_view name,
                        std::span<const trace::Annotation> annotations, uint64_t flow) {
    append_event(trace, track, time, slice_begin, [&](Message &event) {
        event.bytes(event_field::name, name);
        append_annotations(event, annotations);
        if (flow != 0)
            event.fixed(event_field::flow, flow);
    });
}

void append_slice_end(std::string &trace, uint64_t track, uint64_t time) {
    append_event(trace, track, time, slice_end, [](Message &) {});
}

void append_instant(std::string &trace, uint64_t track, uint64_t time, std::string_view name,
                    std::span<const trace::Annotation> annotations) {
    append_event(trace, track, time, instant, [&](Message &event) {
        event.bytes(event_field::name, name);
        append_annotations(event, annotations);
    });
}

void append_counter(std::string &trace, uint64_t track, uint64_t time, int64_t value) {
    append_event(trace, track, time, counter, [&](Message &event) {
        event.number(event_field::counter_value, static_cast<uint64_t>(value));
    });
}

} // namespace rivulet::hal::perfetto
