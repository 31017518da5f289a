# SPDX-License-Identifier: Apache-2.0
from cases import Out, Picture, Sampler, kernel
import numpy


def sampled(pixels, x, y, border=None):
    """Linear filtering at unnormalised coordinates; edges replicated, or `border` outside."""
    u, v = x - 0.5, y - 0.5
    i, j = numpy.floor(u).astype(int), numpy.floor(v).astype(int)
    a, b = u - i, v - j
    h, w = pixels.shape[:2]

    def at(j, i):
        value = pixels[numpy.clip(j, 0, h - 1), numpy.clip(i, 0, w - 1)].astype("f8")
        outside = (i < 0) | (j < 0) | (i >= w) | (j >= h)
        shaped = (lambda m: m) if pixels.ndim == 2 else (lambda m: m[..., None])
        return value if border is None else numpy.where(shaped(outside), border, value)

    if pixels.ndim > 2:
        a, b = a[..., None], b[..., None]
    return ((1 - a) * (1 - b) * at(j, i) + a * (1 - b) * at(j, i + 1) + (1 - a) * b * at(j + 1, i)
            + a * b * at(j + 1, i + 1))


@kernel((64, 48), tolerance=1e-4)
def image_rotate(r):
    pixels, c, s = r.floats(48, 64, 4, low=0), 0.8, 0.6
    y, x = numpy.mgrid[:48, :64]
    dx, dy = x - 31.5, y - 23.5
    right = sampled(pixels, c * dx + s * dy + 32, c * dy - s * dx + 24, border=0)
    return {"in": Picture(pixels), "out": Out(right), "c": c, "s": s}


@kernel((48, 32), group=(16, 8), tolerance=1e-4)
def image_gauss(r):
    pixels, w = r.floats(32, 48, 4, low=0), [0.0625, 0.25, 0.375, 0.25, 0.0625]
    p = numpy.pad(pixels.astype("f8"), ((2, 2), (2, 2), (0, 0)), "edge")
    right = sum(w[i] * w[j] * p[j:j + 32, i:i + 48] for j in range(5) for i in range(5))
    return {"in": Picture(pixels), "out": Picture(numpy.zeros_like(pixels), out=Out(right)),
            "nearest": Sampler()}


@kernel((96, 64), group=(16, 16))
def image_threshold(r):
    pixels = r.smooth(50, 90)
    right = numpy.where(pixels >= 100, 255, 0).astype("u1")
    return {"in": Picture(pixels), "out": Picture(numpy.zeros_like(pixels), out=Out(right)),
            "least": numpy.uint32(100)}


@kernel((64, 48))
def image_remap(r):
    pixels = r.smooth(48, 64)
    y, x = numpy.mgrid[:48, :64].astype("f4")
    bend = 1 + 0.0001 * ((x - 32) ** 2 + (y - 24) ** 2)
    to = numpy.stack([32 + (x - 32) * bend, 24 + (y - 24) * bend], -1).astype("f4")
    right = numpy.rint(sampled(pixels, to[..., 0], to[..., 1]))
    return {"in": Picture(pixels, normalised=True), "map": to,
            "out": Out(right.astype("u1"), share=0.005)}


@kernel((48, 32), group=(16, 16), tolerance=0.05)
def image_halve(r):
    pixels = r.bytes(64, 96, 4)
    right = pixels.reshape(32, 2, 48, 2, 4).mean((1, 3))
    out = Picture(numpy.zeros((32, 48, 4), "u1"), normalised=True, out=Out(right))
    return {"in": Picture(pixels, normalised=True), "out": out}


@kernel((32, 32), tolerance=1e-6)
def image_volume(r):
    voxels = r.floats(16, 32, 32)
    return dict(volume=Picture(voxels, deep=True), out=Out(voxels.max(0)))
