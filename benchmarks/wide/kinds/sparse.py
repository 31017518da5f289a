# SPDX-License-Identifier: Apache-2.0
from cases import Out, kernel
import numpy


def compressed(r, rows, columns, most):
    """starts, columns, values of a sparse matrix, and the matrix."""
    lengths = r.ints(rows, high=most)
    starts = numpy.concatenate([[0], numpy.cumsum(lengths)]).astype("i4")
    where = numpy.concatenate([numpy.sort(r.state.permutation(columns)[:n]) for n in lengths]).astype("i4")
    values, dense = r.floats(where.size), numpy.zeros((rows, columns))
    dense[numpy.repeat(numpy.arange(rows), lengths), where] = values
    return starts, where, values, dense


@kernel((1024,), tolerance=1e-5)
def spmv_ell(r):
    rows, width = 1000, 24
    columns, values, x = r.ints(width, rows, low=-200, high=800), r.floats(width, rows), r.floats(800)
    right = numpy.where(columns >= 0, values.astype("f8") * x[columns], 0).sum(0)
    return dict(columns=columns, values=values, x=x, y=Out(right), rows=rows, width=width)


@kernel((4096,), group=(64,), tolerance=1e-4)
def spmv_coo(r):
    rows, columns, values, x = r.ints(4000, high=500), r.ints(4000, high=300), r.floats(4000), r.floats(300)
    right = numpy.zeros(500)
    numpy.add.at(right, rows, values.astype("f8") * x[columns])
    return dict(rows=rows, columns=columns, values=values, x=x, y=Out(right), count=4000)


@kernel((256 * 32,), group=(128,), tolerance=1e-5)
def spmv_csr_group(r):
    starts, columns, values, dense = compressed(r, 256, 512, 90)
    x = r.floats(512)
    return dict(starts=starts, columns=columns, values=values, x=x, y=Out(dense @ x))


@kernel((2048,), tolerance=1e-5)
def spmv_dia(r):
    n, offsets = 2048, numpy.array([-64, -8, -1, 0, 1, 8, 64], "i4")
    values, x = r.floats(7, n), r.floats(n)
    padded = numpy.pad(x.astype("f8"), 64)
    right = sum(v * padded[64 + o:64 + o + n] for v, o in zip(values, offsets))
    return dict(offsets=offsets, values=values, x=x, y=Out(right), n=n, diagonals=7)


@kernel((256,), group=(32,), tolerance=1e-5)
def spmv_bsr_3x3(r):
    starts, columns, _, _ = compressed(r, 256, 256, 16)
    blocks, x = r.floats(columns.size, 3, 3), r.floats(256, 3)
    parts, right = numpy.einsum("bij,bj->bi", blocks.astype("f8"), x[columns]), numpy.zeros((256, 3))
    numpy.add.at(right, numpy.repeat(numpy.arange(256), numpy.diff(starts)), parts)
    return dict(starts=starts, columns=columns, blocks=blocks, x=x, y=Out(right))


@kernel((1024,), tolerance=1e-5)
def jacobi_sparse(r):
    n = 1024
    starts, columns, values, dense = compressed(r, n, n, 20)
    b, before = r.floats(n), r.floats(n)
    diagonal = dense.diagonal().copy()
    right = (b - dense @ before + diagonal * before) / numpy.where(diagonal == 0, 1, diagonal)
    return dict(starts=starts, columns=columns, values=values, b=b, before=before, after=Out(right),
                squares=Out((right - before) ** 2))
