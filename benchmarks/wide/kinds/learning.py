# SPDX-License-Identifier: Apache-2.0
from cases import Local, Out, kernel
import numpy


@kernel((512,), tolerance=1e-4)
def q4_gemv(r):
    blocks = numpy.zeros((512, 4), [("scale", "f2"), ("nibbles", "u1", 16)])
    blocks["scale"], blocks["nibbles"] = r.floats(512, 4, low=0.01, high=0.1), r.bytes(512, 4, 16)
    x = r.floats(128)
    numbers = numpy.concatenate([blocks["nibbles"] & 15, blocks["nibbles"] >> 4], -1).astype("i4") - 8
    right = (numbers * blocks["scale"].astype("f8")[..., None]).reshape(512, 128) @ x
    return dict(weights=blocks, x=x, y=Out(right), blocks=4)


@kernel((512,), tolerance=1e-4)
def q8_dot(r):
    a, x = r.ints(512, 128, low=-127, high=128, kind="i1"), r.ints(128, low=-127, high=128, kind="i1")
    a_scales, x_scales = r.floats(512, 4, low=0.001, high=0.01), r.floats(4, low=0.001, high=0.01)
    parts = (a.astype("i4") * x).reshape(512, 4, 32).sum(2)
    return dict(a=a, a_scales=a_scales, x=x, x_scales=x_scales,
                y=Out((parts * a_scales.astype("f8") * x_scales).sum(1)), n=128)


@kernel((16, 10, 10))
def int8_conv_3x3(r):
    pixels = r.ints(12, 12, 16, low=-128, high=128, kind="i1")
    filters = r.ints(16, 3, 3, 16, low=-128, high=128, kind="i1")
    bias, scale = r.ints(16, low=-1000, high=1000), 0.0008
    p, f = pixels.astype("i4"), filters.astype("i4")
    total = sum(numpy.einsum("yxc,kc->yxk", p[j:j + 10, i:i + 10], f[:, j, i])
                for j in range(3) for i in range(3)) + bias
    right = numpy.clip(numpy.rint(total * scale), -128, 127).astype("i1")
    return {"in": pixels, "filters": filters, "bias": bias, "out": Out(right, share=0.005), "width": 12,
            "channels": 16, "scale": scale}


@kernel((32 * 64,), group=(64,), tolerance=1e-6)
def softmax_rows(r):
    rows = r.floats(32, 150, low=-6, high=6)
    e = numpy.exp(rows.astype("f8"))
    return {"in": rows, "out": Out(e / e.sum(1, keepdims=True)), "n": 150, "t": Local(256)}


@kernel((256,), tolerance=1e-4)
def layer_norm(r):
    rows, gain, bias = r.floats(256, 96), r.floats(96, low=0.5, high=1.5), r.floats(96)
    x = rows.astype("f8")
    right = (x - x.mean(1, keepdims=True)) / numpy.sqrt(x.var(1, keepdims=True) + 1e-5) * gain + bias
    return {"in": rows, "gain": gain, "bias": bias, "out": Out(right), "n": 96}


@kernel((128,), tolerance=1e-4)
def attention(r):
    q, k, v = r.floats(128, 16), r.floats(128, 16), r.floats(128, 16)
    scores = numpy.exp(0.25 * q.astype("f8") @ k.T) * numpy.tri(128)
    return dict(q=q, k=k, v=v, out=Out(scores / scores.sum(1, keepdims=True) @ v), scale=0.25)


@kernel((1024,), group=(64,), tolerance=1e-5)
def gelu(r):
    values = r.floats(1024, 4, low=-4, high=4)
    x = values.astype("f8")
    return {"in": values,
            "out": Out(0.5 * x * (1 + numpy.tanh(0.7978845608 * (x + 0.044715 * x ** 3))))}


@kernel((32, 64), group=(32, 1), tolerance=1e-3)
def rope(r):
    x, positions = r.floats(64, 64), r.ints(64, high=500)
    angle = positions[:, None] * 10000.0 ** (-numpy.arange(32) / 32)
    a, b, c, s = x[:, :32].astype("f8"), x[:, 32:].astype("f8"), numpy.cos(angle), numpy.sin(angle)
    return dict(x=Out(numpy.concatenate([a * c - b * s, a * s + b * c], 1), x), positions=positions,
                half_size=32, base=10000.0)


@kernel((32, 24, 4), group=(8, 8, 1))
def max_pool(r):
    planes = r.floats(4, 40, 60)
    p = numpy.pad(planes, ((0, 0), (1, 1), (1, 1)), constant_values=-numpy.inf)
    right = numpy.max([p[:, j:j + 39:2, i:i + 59:2] for j in range(3) for i in range(3)], 0)
    return {"in": planes, "out": Out(right), "width": 60, "height": 40, "out_width": 30,
            "out_height": 20}


@kernel((4096,), tolerance=1e-5)
def adam(r):
    p, g, m, v = r.floats(4000), r.floats(4000), r.floats(4000), r.floats(4000, low=0.1)
    next_m, next_v = 0.9 * m.astype("f8") + 0.1 * g, 0.99 * v.astype("f8") + 0.01 * g.astype("f8") ** 2
    return dict(p=Out(p - 0.01 * next_m / (numpy.sqrt(next_v) + 1e-8), p), g=g, m=Out(next_m, m),
                v=Out(next_v, v), rate=0.01, beta1=0.9, beta2=0.99, n=4000)


@kernel((32, 64), group=(32, 1), tolerance=1e-5)
def embedding_bag(r):
    table, lengths = r.floats(500, 32), r.ints(64, high=12)
    starts, indices = numpy.cumsum([0, *lengths]).astype("i4"), r.ints(lengths.sum(), high=500)
    right = [table[indices[a:b]].astype("f8").mean(0) if b > a else numpy.zeros(32)
             for a, b in zip(starts, starts[1:])]
    return dict(table=table, indices=indices, starts=starts, out=Out(numpy.array(right)), width=32)


@kernel((48, 32), group=(16, 4), options="-cl-std=CL3.0")
def packed_dot_gemm(r):
    a, b = r.ints(32, 64, low=-128, high=128, kind="i1"), r.ints(16, 48, 4, low=-128, high=128, kind="i1")
    right = a.astype("i4") @ b.transpose(0, 2, 1).reshape(64, 48).astype("i4")
    return dict(a=a, b=b, c=Out(right), n=48, k4=16)
