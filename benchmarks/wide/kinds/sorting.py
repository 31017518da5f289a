# SPDX-License-Identifier: Apache-2.0
from cases import Local, Out, kernel
import numpy


@kernel((1024,), group=(128,))
def scan_blelloch(r):
    values = r.ints(8, 256, low=-1000, high=1000)
    return {"in": values, "out": Out(numpy.cumsum(values, 1, dtype="i4") - values),
            "sums": Out(values.sum(1, dtype="i4")), "t": Local(1024)}


@kernel((2048,), group=(128,), options="-cl-std=CL3.0")
def scan_group_builtin(r):
    values = r.ints(16, 128, high=1000, kind="u4")
    return {"in": values, "out": Out(numpy.cumsum(values, 1, dtype="u4"))}


@kernel((512,), group=(64,))
def radix_count(r):
    keys = r.words(4000)
    right = numpy.zeros((16, 8), "u4")
    for i, digit in enumerate(keys >> numpy.uint32(8) & numpy.uint32(15)):
        right[digit, i % 512 // 64] += 1
    return dict(keys=keys, counts=Out(right), shift=numpy.uint32(8), n=numpy.uint32(4000))


@kernel((128,))
def radix_scatter(r):
    keys = r.words(4096)
    digits = (keys >> numpy.uint32(4) & numpy.uint32(15)).reshape(128, 32)
    counts = numpy.array([(digits == d).sum(1) for d in range(16)]).ravel()
    offsets = (numpy.cumsum(counts) - counts).astype("u4")
    return dict(keys=keys, out=Out(keys[numpy.argsort(digits.ravel(), kind="stable")]), offsets=offsets,
                shift=numpy.uint32(4), run=32)


@kernel((1024,), group=(128,))
def bitonic_local(r):
    keys = r.state.permutation(1 << 20)[:2048].astype("u4").reshape(8, 256)
    values, order = r.words(8, 256), numpy.argsort(keys, 1)
    return dict(keys=Out(numpy.take_along_axis(keys, order, 1), keys),
                values=Out(numpy.take_along_axis(values, order, 1), values))


class Unordered(Out):
    """Elements in any order, the first `count` of a buffer."""

    def error(self, got, tolerance):
        got = numpy.ravel(got)
        some = numpy.concatenate([numpy.sort(got[:self.right.size]), got[self.right.size:]])
        right = numpy.concatenate([numpy.sort(self.right), self.initial.ravel()[self.right.size:]])
        return Out(right).error(some, tolerance)


@kernel((4096,), group=(128,))
def compact_atomic(r):
    values = r.floats(4096)
    kept = values[values > numpy.float32(0.5)]
    return {"in": values, "out": Unordered(kept, numpy.zeros(4096, "f4")),
            "count": Out(numpy.array([kept.size], "u4")), "bound": 0.5}


@kernel((512,))
def rank_sort(r):
    values = r.ints(512, high=400).astype("f4")
    return {"in": values, "out": Out(numpy.sort(values)), "n": 512}


@kernel((2048,))
def lower_bound(r):
    values, keys = numpy.sort(r.ints(1000, high=5000)), r.ints(2048, high=5000)
    return dict(sorted=values, n=1000, keys=keys,
                places=Out(numpy.searchsorted(values, keys).astype("i4")))


@kernel((4096,), group=(128,))
def arg_max(r):
    values = numpy.round(r.floats(32, 128, low=-9, high=9), 1)
    return {"in": values, "most": Out(values.max(1)),
            "where": Out((values.argmax(1) + 128 * numpy.arange(32)).astype("i4"))}


@kernel((2048,), group=(64,))
def ticket_volatile(r):
    classes, room = r.bytes(2048, high=12), 200
    heads = numpy.bincount(classes, minlength=16).astype("i4")
    lists = (numpy.arange(room) < heads[:12, None]).astype("i4")
    if (heads > room).any():
        heads[15] = 1 << 30
    return dict(classes=classes, heads=Out(heads), lists=Out(lists), room=room)
