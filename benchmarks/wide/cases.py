# SPDX-License-Identifier: Apache-2.0
"""What the rows of kinds/*.py are made of.

A row is a function with the name of its kernel. It returns the kernel's arguments in order, results
with what is right:

    @kernel((1024,), group=(64,), tolerance=1e-6)
    def axpby(r):
        x, y = r.floats(1024), r.floats(1024)
        return dict(x=x, y=y, out=Out(1.5 * x + y), a=1.5)

NumPy arrays are buffers; Python's int and float are int and float, NumPy's scalars what they are.
"""
import dataclasses
import importlib
import pathlib
import zlib

import numpy

HERE = pathlib.Path(__file__).resolve().parent
KINDS = ["linear", "sparse", "stencils", "pictures", "images", "halves", "text", "crypto", "graphs",
         "sorting", "sub_groups", "fourier", "random_numbers", "learning", "geometry"]


class Out:
    """A buffer that is compared with what is right; all zero at first, unless told. `share` of its
    elements may be wrong, where a rounding decides which way a work-item goes."""

    def __init__(self, right, initial=None, kind=None, share=0.0):
        right = numpy.asarray(right)
        if kind is None:
            kind = right.dtype if initial is None else initial.dtype
            if initial is None and right.dtype == numpy.float64:
                kind = numpy.float32
        self.right, self.share = right, share
        self.initial = numpy.zeros(right.shape, kind) if initial is None else initial

    def error(self, got, tolerance):
        """Largest |got - right| / max(1, |right|), of all elements but the share that may be wrong."""
        got, right = (numpy.ravel(a).astype(numpy.float64) for a in (got, self.right))
        # An infinity may be right.
        difference = numpy.where(got == right, 0, numpy.abs(got - right))
        error = difference / numpy.maximum(1, numpy.abs(right))
        error = numpy.sort(numpy.where(numpy.isnan(error), numpy.inf, error))
        wrong = numpy.count_nonzero(error > tolerance)
        return 0.0 if wrong <= self.share * error.size else float(error[-1])


@dataclasses.dataclass
class Picture:
    """An image: pixels[row, column, channel], or without channel if there is one; 3D if `deep`."""
    pixels: numpy.ndarray
    normalised: bool = False  # integers are read as fractions
    out: Out | None = None    # its contents after the launch
    deep: bool = False


@dataclasses.dataclass
class Sampler:
    addressing: str = "CLAMP_TO_EDGE"
    filtering: str = "NEAREST"
    normalised: bool = False


@dataclasses.dataclass
class Local:
    bytes: int


class Random:
    """Inputs, the same for each run: RandomState's numbers don't change with NumPy's versions."""

    def __init__(self, name):
        self.state = numpy.random.RandomState(zlib.crc32(name.encode()))

    def floats(self, *shape, low=-1.0, high=1.0, kind=numpy.float32):
        return self.state.uniform(low, high, shape).astype(kind)

    def ints(self, *shape, low=0, high=1 << 31, kind=numpy.int32):
        return self.state.randint(low, high, shape, numpy.int64).astype(kind)

    def words(self, *shape):
        return self.ints(*shape, high=1 << 32, kind=numpy.uint32)

    def bytes(self, *shape, low=0, high=256):
        return self.ints(*shape, low=low, high=high, kind=numpy.uint8)

    def smooth(self, height, width):
        """A picture of bytes with edges and gradients rather than noise."""
        y, x = numpy.mgrid[:height, :width]
        wave = 90 * numpy.sin(x / 9.0) * numpy.cos(y / 7.0) + 60 * ((x // 16 + y // 12) % 2)
        return numpy.clip(wave + 90 + self.ints(height, width, high=24), 0, 255).astype(numpy.uint8)


@dataclasses.dataclass
class Case:
    name: str
    kind: str
    look: bool  # whether one may look at its code when tuning the compiler
    size: tuple
    group: tuple | None
    tolerance: float
    options: str
    launches: list  # changed arguments of each
    arguments_of: object

    def arguments(self):
        return self.arguments_of(Random(self.name))

    @property
    def source(self):
        return HERE / "kernels" / f"{self.name}.cl"

    @property
    def has_loop(self):
        """Whether a scalar loop over work-items can run it: those of a sub-group are lanes always."""
        return self.kind != "sub_groups"


_cases = {}


def kernel(size, group=None, tolerance=0.0, options="", launches=({},)):
    def register(function):
        name, kind = function.__name__, function.__module__.rsplit(".", 1)[-1]
        # Every other kernel of a kind is for looking at. New rows come last, so that this never changes.
        place = sum(case.kind == kind for case in _cases.values())
        _cases[name] = Case(name, kind, place % 2 == 0, size, group, tolerance, options,
                            list(launches), function)
        return function

    return register


def all_cases():
    if not _cases:
        for kind in KINDS:
            importlib.import_module(f"kinds.{kind}")
    return _cases
