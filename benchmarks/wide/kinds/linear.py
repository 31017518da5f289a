# SPDX-License-Identifier: Apache-2.0
from cases import Local, Out, kernel
import numpy


@kernel((1000,), tolerance=1e-5)
def gemv_rows(r):
    a, x = r.floats(1000, 96), r.floats(96)
    return dict(a=a, x=x, y=Out(a.astype("f8") @ x), n=96, rows=1000)


@kernel((64 * 64,), group=(64,), tolerance=1e-5)
def gemv_group(r):
    a, x = r.floats(64, 500), r.floats(500)
    return dict(a=a, x=x, y=Out(a.astype("f8") @ x), n=500, partial=Local(256))


@kernel((16, 16), group=(8, 8), tolerance=1e-5)
def gemm_tile_4x4(r):
    a, b = r.floats(64, 64), r.floats(64, 64)
    return dict(a=a, b=b, c=Out(a.astype("f8") @ b), n=64)


@kernel((80, 48), tolerance=1e-5)
def gemm_at_b(r):
    a, b = r.floats(40, 48), r.floats(40, 80)
    return dict(a=a, b=b, c=Out(a.T.astype("f8") @ b), m=48, n=80, k=40)


@kernel((256,), group=(64,), tolerance=1e-5)
def dot_float4(r):
    x, y = r.floats(4096, 4), r.floats(4096, 4)
    return dict(x=x, y=y, partial=Out((x.astype("f8") * y).reshape(-1, 256, 4).sum((0, 2))), n4=4096)


@kernel((4096,), tolerance=1e-5)
def complex_multiply(r):
    a, b = r.floats(4096, 2), r.floats(4096, 2)
    product = a.astype("f8").view("c16") * b.astype("f8").view("c16")
    return dict(a=a, b=b, c=Out(product.view("f8")))


@kernel((64, 64), group=(16, 16), tolerance=1e-5)
def lu_step(r):
    a, k = r.floats(64, 64), 5
    a[k, k] = 2.5
    right = a.astype("f8")
    right[k + 1:, k] /= a[k, k]
    right[k + 1:, k + 1:] -= numpy.outer(right[k + 1:, k], a[k, k + 1:])
    return dict(a=Out(right, a), column=a[:, k].copy(), n=64, k=k)


@kernel((192,), group=(64,), tolerance=1e-12)
def cholesky_column(r):
    n, k = 160, 24
    m = r.floats(n, n, kind="f8")
    a = m @ m.T + n * numpy.eye(n)
    full = numpy.linalg.cholesky(a)
    before, after = numpy.zeros((n, n)), numpy.zeros((n, n))
    before[:, :k], after[:, :k + 1] = full[:, :k], full[:, :k + 1]
    return dict(a=a, l=Out(after, before), n=n, k=k)


@kernel((1000,), tolerance=1e-4)
def inverse_3x3(r):
    m = r.floats(1000, 3, 3) + 3 * numpy.eye(3, dtype="f4")
    return dict(m=m, out=Out(numpy.linalg.inv(m.astype("f8"))), count=1000)


@kernel((2048,), group=(128,), tolerance=1e-6)
def givens_rows(r):
    a, c, s = r.floats(4, 2000), 0.8, 0.6
    right = a.astype("f8")
    right[1], right[3] = c * a[1] + s * a[3], c * a[3] - s * a[1]
    return dict(a=Out(right, a), n=2000, p=1, q=3, c=c, s=s)
