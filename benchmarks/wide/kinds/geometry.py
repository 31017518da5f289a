# SPDX-License-Identifier: Apache-2.0
from cases import Local, Out, kernel
import numpy


def vector(*numbers):
    """A float4 as a value."""
    return numpy.array(numbers, "f4").view("V16")[0]


@kernel((256,), group=(64,), tolerance=1e-4)
def nbody_local(r):
    bodies = r.floats(256, 4)
    bodies[:, 3] += 1.5
    p = bodies[:, :3].astype("f8")
    d = p - p[:, None]
    factor = bodies[:, 3] / ((d * d).sum(-1) + 0.01) ** 1.5
    right = numpy.zeros((256, 4))
    right[:, :3] = (d * factor[..., None]).sum(1)
    return dict(bodies=bodies, forces=Out(right), n=256, tile=Local(1024))


@kernel((512,), tolerance=1e-3)
def lennard_jones(r):
    grid = numpy.stack(numpy.meshgrid(*[numpy.arange(8)] * 3), -1).reshape(512, 3) * 1.2
    atoms = numpy.zeros((512, 4), "f4")
    atoms[:, :3] = grid + 0.1 * r.floats(512, 3)
    far = ((atoms[:, None] - atoms) ** 2).sum(-1) + 1e9 * numpy.eye(512)
    neighbours = numpy.argsort(far, 1)[:, :24].T.astype("i4").copy()
    d = atoms[:, :3].astype("f8") - atoms[neighbours, :3]
    r2 = (d * d).sum(-1)
    s = 1 / r2
    near = numpy.where(r2 < numpy.float32(2.5), 1, 0)
    f = near * 24 * s ** 4 * (2 * s ** 3 - 1)
    energy = near * 4 * s ** 3 * (s ** 3 - 1)
    right = numpy.concatenate([(d * f[..., None]).sum(0), energy.sum(0)[:, None]], 1)
    return dict(atoms=atoms, neighbours=neighbours, forces=Out(right, share=0.01), most=24, cutoff=2.5)


@kernel((512,), group=(64,), tolerance=1e-3)
def ray_triangle(r):
    origins, directions, corners = r.floats(512, 4), r.floats(512, 4), r.floats(24, 3, 4, low=-3, high=3)
    o, d, c = (a[..., :3].astype("f8") for a in (origins, directions, corners))
    hits, nearest = numpy.full(512, -1, "i4"), numpy.full(512, 1e30)
    for t in range(24):
        e1, e2 = c[t, 1] - c[t, 0], c[t, 2] - c[t, 0]
        p, s = numpy.cross(d, e2), o - c[t, 0]
        det = p @ e1
        q = numpy.cross(s, e1)
        u, v, far = (s * p).sum(1) / det, (d * q).sum(1) / det, q @ e2 / det
        inside = (abs(det) >= 1e-6) & (u >= 0) & (u <= 1) & (v >= 0) & (u + v <= 1)
        hit = inside & (far > 0) & (far < nearest)
        hits[hit], nearest[hit] = t, far[hit]
    return dict(origins=origins, directions=directions, corners=corners, hits=Out(hits, share=0.005),
                distances=Out(nearest, share=0.005), triangles=24)


@kernel((4096,))
def ray_box(r):
    origins, directions = r.floats(4096, 4, low=-3, high=3), r.floats(4096, 4)
    low, high = (-1.0, -0.8, -0.6), (1.0, 0.9, 0.7)
    a, b = ((numpy.array(x) - origins[:, :3]) / directions[:, :3].astype("f8") for x in (low, high))
    right = numpy.maximum(a, b).min(1) >= numpy.maximum(numpy.minimum(a, b).max(1), 0)
    return dict(origins=origins, directions=directions, hits=Out(right.astype("u1"), share=0.001),
                low=vector(*low, 0), high=vector(*high, 0))


@kernel((64, 48), group=(16, 16), tolerance=1e-3)
def perlin_noise(r):
    p, right = r.state.permutation(256).astype("u1"), 0
    y, x = (a * float(numpy.float32(0.11)) for a in numpy.mgrid[:48, :64])
    for octave in range(4):
        xi, yi = numpy.floor(x).astype(int), numpy.floor(y).astype(int)
        xf, yf = x - xi, y - yi
        u, v = (t ** 3 * (t * (t * 6 - 15) + 10) for t in (xf, yf))
        a, b = p[xi & 255].astype(int) + yi, p[xi + 1 & 255].astype(int) + yi

        def grad(place, gx, gy):
            h = p[place & 255]
            s, t = numpy.where(h & 4, gy, gx), numpy.where(h & 4, gx, gy)
            return numpy.where(h & 1, -s, s) + numpy.where(h & 2, -2 * t, 2 * t)

        top = grad(a, xf, yf) * (1 - u) + grad(b, xf - 1, yf) * u
        bottom = grad(a + 1, xf, yf - 1) * (1 - u) + grad(b + 1, xf - 1, yf - 1) * u
        right, x, y = right + 0.5 ** octave * (top * (1 - v) + bottom * v), 2 * x, 2 * y
    return dict(p=p, out=Out(right, share=0.001), scale=0.11)


@kernel((96, 64), group=(8, 8), tolerance=0.05)
def julia_smooth(r):
    width, height, c, most = 90, 60, complex(-0.7, 0.27015), 40
    y, x = numpy.mgrid[:height, :width]
    z, right = 3 * x / width - 1.5 + 1j * (2 * y / height - 1), numpy.zeros((height, width))
    done = numpy.zeros(right.shape, bool)
    for i in range(most):
        square = abs(z) ** 2
        out = (square > 64) & ~done
        right[out] = i + 1 - numpy.log2(numpy.log2(square[out]) * 0.5)
        done |= out
        z = numpy.where(done, 0, z * z + c)
    return dict(out=Out(right, share=0.02), width=width, height=height, cx=c.real, cy=c.imag, most=most)


@kernel((1024,), group=(128,))
def kmeans_assign(r):
    points, centres = r.floats(8, 1024), r.floats(12, 8)
    far = ((points.astype("f8").T[:, None] - centres) ** 2).sum(-1)
    right = far.argmin(1).astype("i4")
    return dict(points=points, centres=centres, nearest=Out(right),
                counts=Out(numpy.bincount(right, minlength=12).astype("i4")), dimensions=8, k=12)


@kernel((1024,))
def collatz(r):
    starts, right = r.ints(1024, low=1, high=3000, kind="u4"), []
    for n in starts.tolist():
        count = 0
        while n != 1:
            n, count = 3 * n + 1 if n & 1 else n // 2, count + 1
        right.append(count)
    return dict(starts=starts, steps=Out(numpy.array(right, "u4")))


@kernel((2048,))
def point_in_polygon(r):
    points, angle = r.floats(2048, 2), numpy.arange(24) * 2 * numpy.pi / 24
    radius = 0.3 + 0.6 * r.floats(24, low=0)
    polygon = (radius * [numpy.cos(angle), numpy.sin(angle)]).T.astype("f4")
    p, right = points.astype("f8"), numpy.zeros(2048, bool)
    for a, b in zip(polygon.astype("f8"), numpy.roll(polygon, 1, 0).astype("f8")):
        crosses = (a[1] > p[:, 1]) != (b[1] > p[:, 1])
        right ^= crosses & (p[:, 0] < (b[0] - a[0]) * (p[:, 1] - a[1]) / (b[1] - a[1]) + a[0])
    return dict(points=points, polygon=polygon, corners=24, inside=Out(right.astype("i4"), share=0.002))


@kernel((64, 48), tolerance=0.01)
def sphere_march(r):
    y, x = numpy.mgrid[:48, :64]
    d = numpy.stack([(x - 32) / 48, (y - 24) / 48, numpy.ones(x.shape)], -1)
    d /= numpy.sqrt((d * d).sum(-1, keepdims=True))
    t, running = numpy.zeros(x.shape), numpy.ones(x.shape, bool)
    for _ in range(32):
        p = [0, 0, -1] + t[..., None] * d
        q = p - numpy.floor(p) - 0.5
        distance = numpy.sqrt((q * q).sum(-1)) - 0.3
        running &= (distance >= 0.001) & (t <= 10)
        t = numpy.where(running, t + distance, t)
    return dict(depth=Out(t, share=0.02), width=64, height=48)
