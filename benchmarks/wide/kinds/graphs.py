# SPDX-License-Identifier: Apache-2.0
from cases import Out, kernel
import numpy


def random_graph(r, nodes, most):
    """starts and edges of a directed graph; the lists of a node are sorted."""
    lists = [numpy.unique(r.ints(n, high=nodes)) for n in r.ints(nodes, low=1, high=most)]
    starts = numpy.cumsum([0] + [part.size for part in lists])
    return starts.astype("i4"), numpy.concatenate(lists).astype("i4")


@kernel((2048,), group=(256,))
def bfs_volatile(r):
    starts, edges = random_graph(r, 2000, 9)
    levels = numpy.full(2000, -1, "i4")
    levels[:3] = 0
    levels[3:300] = 1
    right = levels.copy()
    for node in range(3, 300):
        for other in edges[starts[node]:starts[node + 1]]:
            if levels[other] < 0:
                right[other] = 2
    return dict(starts=starts, edges=edges, levels=Out(right, levels),
                changed=Out(numpy.array([1], "i4")), nodes=2000, level=1)


@kernel((1024,), tolerance=1e-6)
def pagerank(r):
    starts, sources = random_graph(r, 1024, 24)
    rank, inverse = r.floats(1024, low=0), r.floats(1024, low=0.05, high=1)
    right = numpy.zeros(1024)
    numpy.add.at(right, numpy.repeat(numpy.arange(1024), numpy.diff(starts)), (rank * inverse)[sources])
    return dict(starts=starts.astype("u4"), sources=sources.astype("u4"), rank=rank,
                inverse_degree=inverse, next=Out(0.15 + 0.85 * right), damping=0.85, base=0.15)


@kernel((4096,), group=(64,))
def sssp_relax(r):
    edges = r.ints(4096, 4, high=600)
    before = r.ints(600, high=1000)
    before[r.ints(200, high=600)] = 0x7fffffff
    right = before.astype("i8")
    reached = edges[before[edges[:, 0]] != 0x7fffffff]
    numpy.minimum.at(right, reached[:, 1], before[reached[:, 0]].astype("i8") + reached[:, 2])
    return dict(edges=edges, from_distance=before, distance=Out(right, before), count=4096)


@kernel((64, 64), group=(8, 8), launches=[{"k": k} for k in range(4)])
def floyd_warshall(r):
    d = r.ints(64, 64, low=1, high=1000)
    numpy.fill_diagonal(d, 0)
    right = d.copy()
    for k in range(4):
        right = numpy.minimum(right, right[:, k:k + 1] + right[k])
    return dict(d=Out(right, d), n=64, k=0)


@kernel((96, 48))
def components_label(r):
    pixels, labels = r.bytes(44, 90, high=3), numpy.arange(44 * 90, dtype="i4").reshape(44, 90)
    right, big = labels.copy(), 1 << 30
    for axis, shift in ((0, 1), (0, -1), (1, 1), (1, -1)):
        edge = numpy.zeros((44, 90), bool)
        edge[(slice(None),) * axis + (0 if shift == 1 else -1,)] = True
        same = (numpy.roll(pixels, shift, axis) == pixels) & ~edge
        right = numpy.minimum(right, numpy.where(same, numpy.roll(labels, shift, axis), big))
    return dict(pixels=pixels, labels=labels, next=Out(right), width=90, height=44)


@kernel((1024,))
def triangle_count(r):
    starts, edges = random_graph(r, 300, 40)
    pairs = r.ints(1024, 2, high=300)
    lists = [set(edges[a:b].tolist()) for a, b in zip(starts, starts[1:])]
    return dict(starts=starts, edges=edges, pairs=pairs,
                counts=Out(numpy.array([len(lists[a] & lists[b]) for a, b in pairs], "i4")))


@kernel((4096,))
def union_find(r):
    parents = (numpy.arange(4096) * r.floats(4096, low=0.3, high=1.01)).astype("i4")
    parents = numpy.minimum(parents, numpy.arange(4096)).astype("i4")
    roots = parents
    while (parents[roots] != roots).any():
        roots = parents[roots]
    return dict(parents=parents, roots=Out(roots))
