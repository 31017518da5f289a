# SPDX-License-Identifier: Apache-2.0
from cases import Out, kernel
import numpy

from kinds.sorting import Unordered


@kernel((4096,), group=(256,), tolerance=1e-5, options="-cl-std=CL3.0")
def sub_group_reduce(r):
    values = r.floats(16, 256)
    return {"in": values, "out": Out(values.astype("f8").sum(1))}


@kernel((2048,), group=(256,), options="-cl-std=CL3.0")
def sub_group_scan(r):
    flags = r.ints(8, 256, high=16)
    kept = flags & 1
    return dict(flags=flags,
                places=Out(numpy.where(kept == 1, numpy.cumsum(kept, 1) - 1, -1).astype("i4")))


@kernel((2048,), group=(64,), tolerance=1e-6)
def sub_group_butterfly(r):
    values = r.floats(128, 16, low=-5, high=5)
    e = numpy.exp(values.astype("f8"))
    return {"in": values, "out": Out(e / e.sum(1, keepdims=True))}


@kernel((4096,), group=(256,), options="-cl-std=CL3.0")
def sub_group_ballot(r):
    values = r.words(4096)
    kept = values[values < 1 << 30]
    return {"in": values, "out": Unordered(kept, numpy.zeros(4096, "u4")),
            "count": Out(numpy.array([kept.size], "u4")), "bound": numpy.uint32(1 << 30)}


@kernel((32 * 128,), group=(128,), tolerance=1e-5, options="-cl-std=CL3.0")
def sub_group_gemv(r):
    a, x = r.floats(125, 300), r.floats(300)
    return dict(a=a, x=x, y=Out(a.astype("f8") @ x), n=300, rows=125)
