# SPDX-License-Identifier: Apache-2.0
"""Reads kernels from a RIVULET_TRACE trace: launches and pc samples."""
import dataclasses


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def fields(data):
    """Yields (number, value) for each field of a protobuf message; bytes are not decoded."""
    at = 0
    while at < len(data):
        try:
            key, at = varint(data, at)
            number, kind = key >> 3, key & 7
            value, at = varint(data, at) if kind in (0, 2) else (0, at)
        except IndexError:
            return  # the program was killed while it wrote
        if kind == 0:
            pass
        elif kind == 2:
            length = value
            value, at = data[at:at + length], at + length
        elif kind in (1, 5):
            length = 8 if kind == 1 else 4
            value, at = int.from_bytes(data[at:at + length], "little"), at + length
        else:
            raise ValueError("this is no trace of Perfetto's")
        if at > len(data):
            return  # the program was killed while it wrote
        yield number, value


# Fields of perfetto.protos: TracePacket, TrackDescriptor, TrackEvent, DebugAnnotation.
PACKET, TIMESTAMP, EVENT, DESCRIPTOR = 1, 8, 11, 60
TRACK_UUID, TRACK_NAME, TRACK_PARENT = 1, 2, 5
EVENT_ANNOTATION, EVENT_TYPE, EVENT_TRACK, EVENT_NAME = 4, 9, 11, 23
ANNOTATION_NUMBER, ANNOTATION_TEXT, ANNOTATION_NAME = 3, 6, 10
BEGIN, END, INSTANT = 1, 2, 3


@dataclasses.dataclass
class Launch:
    kernel: str
    image: str
    start: int
    end: int
    instructions: int
    harts: set


@dataclasses.dataclass
class Sample:
    launch: tuple  # device and number
    hart: int
    pc_offset: int


class Trace:
    """`launches` by device and number, `samples`, and the names of devices."""

    def __init__(self, data):
        self.launches, self.samples = {}, []
        self._tracks, open_slices = {}, {}
        for number, packet in fields(data):
            if number != PACKET:
                continue
            parts = dict(fields(packet))
            if DESCRIPTOR in parts:
                track = dict(fields(parts[DESCRIPTOR]))
                self._tracks[track[TRACK_UUID]] = (
                    track.get(TRACK_NAME, b"").decode(errors="replace"), track.get(TRACK_PARENT, 0))
            elif EVENT in parts:
                self._take(parts.get(TIMESTAMP, 0), list(fields(parts[EVENT])), open_slices)

    def _hart_of(self, track):
        """(device, hart) of a hart's track or one of its lanes; None for other tracks."""
        name, parent = self._tracks.get(track, ("", 0))
        if not name.startswith("hart "):
            return None
        above, next_parent = self._tracks.get(parent, ("", 0))
        return (next_parent if above == name else parent), int(name.split()[1])

    def _take(self, time, event, open_slices):
        single = dict(event)
        track, kind = single.get(EVENT_TRACK), single.get(EVENT_TYPE)
        if kind == END:
            started = open_slices.get(track)
            if started:
                begun, values, name, where = started.pop()
                self._end(begun, time, values, name, where)
            return
        where = self._hart_of(track)
        if where is None:
            return
        values = {}
        for number, value in event:
            if number == EVENT_ANNOTATION:
                note = dict(fields(value))
                text = note.get(ANNOTATION_TEXT)
                values[note[ANNOTATION_NAME].decode()] = (
                    text.decode(errors="replace") if text is not None else note.get(ANNOTATION_NUMBER))
        if kind == BEGIN:
            name = single.get(EVENT_NAME, b"").decode(errors="replace")
            open_slices.setdefault(track, []).append((time, values, name, where))
        elif kind == INSTANT and "pc_offset" in values:
            self.samples.append(Sample((where[0], values["launch"]), where[1], values["pc_offset"]))

    def _end(self, begun, time, values, name, where):
        if "launch" not in values:
            return
        launch = self.launches.setdefault(
            (where[0], values["launch"]),
            Launch(name, values.get("image", ""), begun, time, values.get("instructions", 0), set()))
        launch.harts.add(where[1])
