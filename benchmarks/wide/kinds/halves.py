# SPDX-License-Identifier: Apache-2.0
from cases import Out, kernel
import numpy

HALF_ULP = 1e-3  # of values near 1


@kernel((8192,), tolerance=HALF_ULP)
def half_axpy(r):
    x, y = r.floats(8192, kind="f2"), r.floats(8192, kind="f2")
    return dict(x=x, y=Out(1.5 * x.astype("f8") + y, y), a=1.5)


@kernel((40, 24, 8), tolerance=8 * HALF_ULP)
def half_depthwise_3x3(r):
    planes, filters = r.floats(8, 24, 40, kind="f2"), r.floats(8, 3, 3, kind="f2")
    p = numpy.pad(planes.astype("f8"), ((0, 0), (1, 1), (1, 1)))
    right = sum(p[:, j:j + 24, i:i + 40] * filters[:, j, i, None, None] for j in range(3) for i in range(3))
    return {"in": planes, "filters": filters,
            "out": Out(numpy.maximum(right, 0), numpy.zeros_like(planes)), "width": 40, "height": 24}


@kernel((8, 16), group=(8, 8), tolerance=16 * HALF_ULP)
def half_gemm_4x8(r):
    a, b = r.floats(64, 48, kind="f2"), r.floats(48, 64, kind="f2")
    return dict(a=a, b=b, c=Out(a.astype("f8") @ b, numpy.zeros((64, 64), "f2")), n=64, k=48)


@kernel((512,), tolerance=1e-5)
def half_to_float_gemv(r):
    weights, x = r.floats(512, 128, kind="f2"), r.floats(128)
    return dict(weights=weights, x=x, y=Out(weights.astype("f8") @ x), n=128)


@kernel((32 * 64,), group=(64,), tolerance=4 * HALF_ULP)
def half_rms_norm(r):
    rows, scale = r.floats(32, 200, kind="f2"), r.floats(200, low=0.5, high=1.5, kind="f2")
    x = rows.astype("f8")
    right = x / numpy.sqrt((x * x).mean(1, keepdims=True) + 1e-5) * scale
    return {"in": rows, "scale": scale, "out": Out(right, numpy.zeros_like(rows)), "n": 200}


@kernel((120, 40), group=(8, 8), tolerance=2 * HALF_ULP)
def half_luma_blur(r):
    pixels, right = r.floats(40, 128, kind="f2"), numpy.zeros((40, 128))
    p = pixels.astype("f8")
    right[:, :120] = 0.25 * p[:, :120] + 0.5 * p[:, 1:121] + 0.25 * p[:, 2:122]
    return {"in": pixels, "out": Out(right, numpy.zeros_like(pixels)), "pitch": 128}
