# SPDX-License-Identifier: Apache-2.0
from cases import Out, kernel
import numpy


def pairs(c):
    return numpy.stack([c.real, c.imag], -1)


def complexes(floats):
    return floats.astype("f8").view("c16")[..., 0]


@kernel((1024,), tolerance=1e-5)
def fft_radix2(r):
    data, n, p = r.floats(2048, 2), 2048, 16
    x, i, right = complexes(data), numpy.arange(1024), numpy.zeros(2048, "c16")
    k = i % p
    b = x[1024:] * numpy.exp(-1j * numpy.pi * k / p)
    right[2 * i - k], right[2 * i - k + p] = x[:1024] + b, x[:1024] - b
    return {"in": data, "out": Out(pairs(right)), "n": n, "p": p}


@kernel((512,), group=(64,), tolerance=1e-5)
def fft_radix4(r):
    data, n, p = r.floats(2048, 2), 2048, 4
    x, i, right = complexes(data).reshape(4, 512), numpy.arange(512), numpy.zeros(2048, "c16")
    k, w = i % p, numpy.exp(-2j * numpy.pi * numpy.arange(1536) / 2048)
    x = numpy.array([x[j] * w[j * k * (512 // p)] for j in range(4)])
    for m in range(4):
        right[4 * (i - k) + k + m * p] = sum(x[j] * (-1j) ** (j * m) for j in range(4))
    return {"in": data, "out": Out(pairs(right)), "twiddles": pairs(w).astype("f4"), "n": n, "p": p}


@kernel((32 * 8,), group=(8,), tolerance=1e-4)
def fft_radix8_local(r):
    data = r.floats(32, 64, 2)
    return {"in": data, "out": Out(pairs(numpy.fft.fft(complexes(data))))}


@kernel((2048,), tolerance=1e-6)
def walsh_hadamard(r):
    data, step = r.floats(4096), 64
    x = data.astype("f8").reshape(-1, 2, step)
    return dict(data=Out(numpy.stack([x[:, 0] + x[:, 1], x[:, 0] - x[:, 1]], 1),
                         data.reshape(-1, 2, step)), step=step)


@kernel((4096,))
def haar_wavelet(r):
    samples = r.ints(4096, 2, low=-2000, high=2000, kind="i2")
    d = samples[:, 1] - samples[:, 0]
    return {"in": samples, "low": Out(samples[:, 0] + (d >> 1)), "high": Out(d)}


@kernel((1024,), group=(128,), tolerance=1e-5)
def fir_filter(r):
    samples, taps = r.floats(1055, 2), r.floats(32)
    right = sum(samples[t:t + 1024].astype("f8") * taps[t] for t in range(32))
    return dict(samples=samples, taps=taps, out=Out(right), count=32)
