/* SPDX-License-Identifier: Apache-2.0 */
#include "device-firmware/core/stream.h"

#include "device-firmware/core/seldom.h"

static stream **bucket(firmware *f, uint32_t number) {
    return &f->streams[number % STREAM_BUCKETS];
}

static bool is_unused(const stream *stream) {
    return !stream->active && !stream->waiting.first && !stream->advancing && !stream->held;
}

void stream_append(stream_list *list, stream *stream) {
    stream->list_next = NULL;
    stream->list_previous = list->last;
    *(list->last ? &list->last->list_next : &list->first) = stream;
    list->last = stream;
}

void stream_remove(stream_list *list, stream *stream) {
    *(stream->list_previous ? &stream->list_previous->list_next : &list->first) = stream->list_next;
    *(stream->list_next ? &stream->list_next->list_previous : &list->last) = stream->list_previous;
}

__attribute__((noinline)) static void take_out(firmware *f, stream *stream) {
    struct stream **link = bucket(f, stream->number);
    while (*link != stream)
        link = &(*link)->next;
    *link = stream->next;
}

static void release_stream(firmware *f, stream *stream) {
    take_out(f, stream);
    if (f->chain == stream)
        f->chain = NULL;
    stream->next = f->free_streams;
    f->free_streams = stream;
}

void stream_release_if_unused(firmware *f, stream *stream) {
    if (!is_unused(stream))
        return;
    if (stream->last_failed)
        stream_append(&f->failed, stream);
    else
        release_stream(f, stream);
}

/* Frees the stream of the oldest remembered failure. */
SELDOM void stream_forget_a_failure(firmware *f) {
    stream *oldest = f->failed.first;
    if (!oldest)
        return;
    stream_remove(&f->failed, oldest);
    release_stream(f, oldest);
}

stream *stream_find(firmware *f, uint32_t number) {
    stream *stream = *bucket(f, number);
    while (stream && stream->number != number)
        stream = stream->next;
    if (stream) {
        if (is_unused(stream)) /* except for its failure */
            stream_remove(&f->failed, stream);
        return stream;
    }
    if (!f->free_streams)
        stream_forget_a_failure(f); /* exists: schedule_has_room */
    stream = f->free_streams;
    f->free_streams = stream->next;
    *stream = (struct stream){.next = *bucket(f, number), .number = number};
    return *bucket(f, number) = stream;
}

SELDOM bool stream_rename(firmware *f, stream *stream, uint32_t number) {
    struct stream **first = bucket(f, number);
    for (const struct stream *other = *first; other; other = other->next)
        if (other->number == number)
            return false;
    take_out(f, stream);
    stream->number = number;
    stream->next = *first;
    *first = stream;
    return true;
}
