# SPDX-License-Identifier: Apache-2.0
from cases import Out, kernel
import numpy


@kernel((128, 48), group=(16, 4), tolerance=1e-5)
def heat_5pt(r):
    t, k = r.floats(45, 120), 0.2
    right = t.astype("f8")
    right[1:-1, 1:-1] += k * (t[1:-1, :-2] + t[1:-1, 2:] + t[:-2, 1:-1] + t[2:, 1:-1] - 4 * t[1:-1, 1:-1])
    return dict(t=t, next=Out(right), width=120, height=45, k=k)


@kernel((32, 16, 8), tolerance=1e-5)
def laplace_7pt(r):
    u = r.floats(8, 16, 32)
    p = numpy.pad(u.astype("f8"), 1, "edge")
    c = slice(1, -1)
    right = (p[c, c, :-2] + p[c, c, 2:] + p[c, :-2, c] + p[c, 2:, c] + p[:-2, c, c] + p[2:, c, c]
             - 6 * p[c, c, c])
    return dict(u=u, out=Out(right), nx=32, ny=16, nz=8)


@kernel((64, 32), tolerance=1e-5)
def lbm_d2q9(r):
    omega = 1.2
    cx, cy = numpy.array([0, 1, 0, -1, 0, 1, -1, -1, 1]), numpy.array([0, 0, 1, 0, -1, 1, 1, -1, -1])
    w = numpy.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)[:, None, None]
    before = (w * r.floats(9, 32, 64, low=0.9, high=1.1)).astype("f4")
    f = numpy.array([numpy.roll(before[d].astype("f8"), (cy[d], cx[d]), (0, 1)) for d in range(9)])
    rho = f.sum(0)
    ux, uy = numpy.tensordot(cx, f, 1) / rho, numpy.tensordot(cy, f, 1) / rho
    cu = 3 * (cx[:, None, None] * ux + cy[:, None, None] * uy)
    equilibrium = w * rho * (1 + cu + cu * cu / 2 - 1.5 * (ux * ux + uy * uy))
    return {"from": before, "to": Out(f + omega * (equilibrium - f)), "width": 64, "height": 32,
            "omega": omega}


@kernel((64, 48), group=(16, 16), tolerance=1e-5)
def jacobi_tile(r):
    u, f = r.floats(50, 66), r.floats(50, 66)
    right = numpy.zeros(u.shape)
    right[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - f[1:-1, 1:-1])
    return dict(u=u, f=f, out=Out(right), pitch=66)


@kernel((128, 64))
def life(r):
    cells = r.bytes(64, 128, high=2)
    n = sum(numpy.roll(cells, (j, i), (0, 1)) for j in (-1, 0, 1) for i in (-1, 0, 1) if i or j)
    right = (n == 3) | ((n == 2) & (cells == 1))
    return dict(cells=cells, next=Out(right.astype("u1")), width=128, height=64)


@kernel((64, 32), group=(32, 2), tolerance=1e-5)
def gray_scott(r):
    uv, feed, kill = r.floats(32, 64, 2, low=0, high=1), 0.055, 0.062
    c = uv.astype("f8")
    lap = sum(numpy.roll(c, s, a) for s in (-1, 1) for a in (0, 1)) - 4 * c
    u, v = c[..., 0], c[..., 1]
    change = numpy.stack([feed * (1 - u) - u * v * v, u * v * v - (feed + kill) * v], -1)
    return dict(uv=uv, next=Out(c + lap * [0.16, 0.08] + change), feed=feed, kill=kill)


@kernel((64, 64), group=(16, 16), tolerance=1e-5)
def red_black(r):
    n, omega = 66, 1.5
    u, f = r.floats(n, n), r.floats(n, n)
    right, (y, x) = u.astype("f8"), numpy.mgrid[:n, :n]
    better = numpy.zeros((n, n))
    better[1:-1, 1:-1] = 0.25 * (u[1:-1, :-2] + u[1:-1, 2:] + u[:-2, 1:-1] + u[2:, 1:-1] - f[1:-1, 1:-1])
    here = ((x + y) % 2 == 1) & (x > 0) & (y > 0) & (x < n - 1) & (y < n - 1)
    right[here] += omega * (better - right)[here]
    return dict(u=Out(right, u), f=f, n=n, colour=1, omega=omega)


@kernel((32, 16), group=(32, 4), tolerance=1e-5)
def wave_8th_order(r):
    now, before = r.floats(32, 16, 32), r.floats(32, 16, 32)
    u, c = now.astype("f8"), [-2.847222, 1.6, -0.2, 0.025397, -0.001786]
    right = before.astype("f8")
    total = c[0] * u[4:-4] + sum(c[k] * (u[4 - k:28 - k] + u[4 + k:28 + k]) for k in range(1, 5))
    right[4:-4] = 2 * u[4:-4] - right[4:-4] + 0.1 * total
    return dict(now=now, next=Out(right, before), nx=32, ny=16, nz=32)
