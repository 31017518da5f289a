# SPDX-License-Identifier: Apache-2.0
from cases import Local, Out, kernel
import numpy


def uint(x):
    return numpy.uint32(x)


@kernel((512,), group=(64,))
def pi_xorshift(r):
    seeds = r.words(512) | uint(1)
    s, hits = seeds.copy(), numpy.zeros(512, "u4")

    def drawn():
        nonlocal s
        s ^= s << uint(13)
        s ^= s >> uint(17)
        s ^= s << uint(5)
        return (s >> uint(8)) * 2.0 ** -24

    for _ in range(64):
        x, y = drawn(), drawn()
        hits += x * x + y * y < 1
    # A point on the circle may be on either side.
    return dict(seeds=seeds, hits=Out(hits, share=0.004), trials=uint(64))


@kernel((1024,), tolerance=1e-5)
def philox_normals(r):
    key, mask = [17, 99], numpy.uint64(0xffffffff)
    c = [numpy.arange(1024, dtype="u8")] + [numpy.zeros(1024, "u8")] * 3
    k = list(key)
    for _ in range(10):
        a, b = numpy.uint64(0xD2511F53) * c[0], numpy.uint64(0xCD9E8D57) * c[2]
        high, half = numpy.uint64(32), [numpy.uint64(x) for x in k]
        c = [(b >> high) ^ c[1] ^ half[0], b & mask, (a >> high) ^ c[3] ^ half[1], a & mask]
        k = [k[0] + 0x9E3779B9 & 0xffffffff, k[1] + 0xBB67AE85 & 0xffffffff]
    bits = numpy.array([(x >> numpy.uint64(8)).astype("f8") for x in c])
    radius = numpy.sqrt(-2 * numpy.log((bits[:2] + 0.5) / 2 ** 24))
    angle = bits[2:] * 2 * numpy.pi / 2 ** 24
    right = numpy.concatenate([radius * numpy.cos(angle), radius * numpy.sin(angle)]).T
    return dict(out=Out(right), key=numpy.array(key, "u4").view("V8")[0])


@kernel((1024,), tolerance=1e-4)
def asian_option(r):
    normals = r.state.standard_normal((24, 1024)).astype("f4")
    prices = 100 * numpy.cumprod(numpy.exp(0.001 + 0.05 * normals.astype("f8")), 0)
    return dict(normals=normals, payoff=Out(numpy.maximum(prices.mean(0) - 100, 0)), steps=24,
                spot=100.0, strike=100.0, drift=0.001, volatility=0.05)


@kernel((16 * 64,), group=(64,), tolerance=1e-4)
def binomial_option(r):
    spots, steps, strike, up, p, discount = r.floats(16, low=80, high=120), 40, 100.0, 1.02, 0.51, 0.999
    spot = spots.astype("f8")[:, None]

    def exercise(t):
        return numpy.maximum(strike - spot * up ** (2.0 * numpy.arange(t + 1) - t), 0)

    value = exercise(steps)
    for t in range(steps - 1, -1, -1):
        value = numpy.maximum(discount * (p * value[:, 1:] + (1 - p) * value[:, :-1]),
                              strike - spot * up ** (2.0 * numpy.arange(t + 1) - t))
    return dict(spots=spots, prices=Out(value[:, 0]), strike=strike, up=up, probability=p,
                discount=discount, steps=steps, value=Local(4 * 64))


@kernel((48, 64), group=(16, 4))
def ising_sweep(r):
    spins, numbers = (2 * r.bytes(64, 96, high=2).astype("i1") - 1), r.floats(64, 96, low=0)
    y, x = numpy.mgrid[:64, :96]
    energy = 2.0 * spins * sum(numpy.roll(spins, s, a).astype("i4") for s in (1, -1) for a in (0, 1))
    flip = ((energy <= 0) | (numbers < numpy.exp(-0.4 * energy))) & ((x + y) % 2 == 1)
    return dict(spins=Out(numpy.where(flip, -spins, spins), spins), numbers=numbers, width=96,
                height=64, colour=1, beta=0.4)
