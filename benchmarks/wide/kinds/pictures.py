# SPDX-License-Identifier: Apache-2.0
from cases import Out, kernel
import numpy


@kernel((128, 48), group=(16, 16))
def yuv_to_rgb(r):
    luma, chroma = r.smooth(44, 120), r.bytes(22, 120)
    c = 298 * (luma.astype("i4") - 16)
    u, v = (numpy.repeat(numpy.repeat(chroma[:, k::2].astype("i4") - 128, 2, 0), 2, 1) for k in (0, 1))
    rgb = numpy.stack([c + 409 * v, c - 100 * u - 208 * v, c + 516 * u], -1) + 128 >> 8
    return dict(luma=luma, chroma=chroma, rgb=Out(numpy.clip(rgb, 0, 255).astype("u1")), width=120,
                height=44)


@kernel((8192,))
def rgb_to_gray(r):
    rgb = r.bytes(8000, 3)
    return dict(rgb=rgb, gray=Out((rgb @ numpy.array([66, 129, 25]) + 4224 >> 8).astype("u1")),
                n=numpy.uint32(8000))


@kernel((96, 64), group=(8, 8))
def median_3x3(r):
    picture = r.smooth(60, 92)
    p = numpy.pad(picture, 1, "edge")
    around = [p[j:j + 60, i:i + 92] for j in range(3) for i in range(3)]
    return {"in": picture, "out": Out(numpy.median(around, 0).astype("u1")), "width": 92, "height": 60}


@kernel((64, 32), group=(16, 8), tolerance=0.02)
def bilateral(r):
    picture = r.smooth(30, 60)
    y, x = numpy.mgrid[-2:3, -2:3]
    near = numpy.exp(-(x * x + y * y) / 4.5).astype("f4")
    alike = numpy.exp(-(numpy.arange(256) / 30) ** 2 / 2).astype("f4")
    total, weights = 0, 0
    inside = numpy.pad(numpy.ones((30, 60)), 2)
    p = numpy.pad(picture.astype("i4"), 2)
    for j in range(5):
        for i in range(5):
            value = p[j:j + 30, i:i + 60]
            w = near[j, i] * alike[abs(value - picture)].astype("f8") * inside[j:j + 30, i:i + 60]
            total, weights = total + w * value, weights + w
    return {"in": picture, "out": Out((total / weights + 0.5).astype("u1"), share=0.005), "near": near,
            "alike": alike, "width": 60, "height": 30}


@kernel((96, 64))
def canny_suppress(r):
    p = numpy.pad(r.smooth(60, 90).astype("i4"), 1, "edge")
    gx = p[1:-1, 2:] - p[1:-1, :-2]
    gy = p[2:, 1:-1] - p[:-2, 1:-1]
    ax, ay, m = abs(gx), abs(gy), abs(gx) + abs(gy)
    step = numpy.select([ay * 5 < ax * 2, ax * 5 < ay * 2, (gx ^ gy) < 0], [1, 90, 89], 91)
    i = numpy.arange(m.size).reshape(m.shape)
    before, after = (m.ravel()[numpy.clip(i + s, 0, m.size - 1)] for s in (-step, step))
    keep = (m > 40) & (m > before) & (m >= after)
    right = numpy.where(keep, numpy.where(m > 120, 2, 1), 0)
    right[[0, -1], :] = right[:, [0, -1]] = 0
    return dict(gx=gx.astype("i2"), gy=gy.astype("i2"), out=Out(right.astype("u1")), width=90,
                height=60, low=40, high=120)


@kernel((256,))
def integral_rows(r):
    picture = r.bytes(240, 100)
    return {"in": picture, "out": Out(numpy.cumsum(picture, 1, dtype="u4")), "width": 100,
            "height": 240}


@kernel((64, 48), group=(16, 16))
def erode_local(r):
    picture = r.smooth(44, 60)
    p = numpy.pad(picture, 2, constant_values=255)
    right = numpy.min([p[j:j + 44, i:i + 60] for j in range(5) for i in range(5)], 0)
    return {"in": picture, "out": Out(right), "width": 60, "height": 44}


@kernel((64, 64), group=(8, 8), tolerance=1e-4)
def dct_8x8(r):
    picture, k = r.smooth(64, 64), numpy.arange(8)
    cosines = numpy.cos((2 * k + 1) * k[:, None] * numpy.pi / 16) * 0.5
    cosines[0] /= numpy.sqrt(2)
    blocks = picture.reshape(8, 8, 8, 8).astype("f8") - 128
    right = numpy.einsum("vj,ajbi,ui->avbu", cosines, blocks, cosines)
    return {"in": picture, "out": Out(right.reshape(64, 64)), "cosines": cosines.astype("f4"),
            "width": 64}


@kernel((4096,))
def jpeg_quantise(r):
    table = (1 / (r.ints(64, low=2, high=60) + 0.25)).astype("f4")
    zigzag = numpy.array(sorted(range(64), key=lambda i: (i // 8 + i % 8, i % 8 if (i // 8 + i % 8) % 2
                                                         else i // 8)), "u1")
    values = r.floats(64, 64, low=-900, high=900)
    right = numpy.rint((values * table)[:, zigzag]).astype("i2")
    return {"in": values, "out": Out(right), "table": table, "zigzag": zigzag}


@kernel((4096,))
def alpha_blend(r):
    over, under = r.bytes(4096, 4), r.bytes(4096, 4)
    a = over[:, 3:].astype("i4")
    right = (over * a + under * (255 - a) + 127) // 255
    right[:, 3] = 255
    return dict(over=over, under=under, out=Out(right.astype("u1")))
