#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""./dev bench library: retired instructions per work-item of kernels that call one built-in function,
at VLEN 512: with arguments of ordinary programs, and with extreme ones among them."""
import argparse
import csv
import ctypes
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "library"))
from functions import FLOATING, all_functions

COSTS = HERE / "library/costs.csv"
INSTRUCTIONS = 0x4F01  # CL_PROFILING_COMMAND_INSTRUCTIONS_RIVULET
MACHINE = "rv64-v512-icount"
WORK_ITEMS = 1 << 15
EXTREME_SHARE = 1 / 16  # of the elements
TOGETHER = 16  # kernels of one program
PRAGMA = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
TYPES = {  # of NumPy
    "half": "float16", "float": "float32", "double": "float64", "char": "int8", "uchar": "uint8",
    "short": "int16", "ushort": "uint16", "int": "int32", "uint": "uint32", "long": "int64",
    "ulong": "uint64"}


def source_of(function):
    """o = f(a, b), and what f writes by a pointer to p; vectors of three are packed."""
    arguments, parameters, variables, stores = [], [], "", ""
    for letter, (kind, is_pointer) in zip("abcd", function.parameters):
        if is_pointer:
            parameters.append(f"global {kind} *p")
            variables, stores = f"{kind} second; ", " p[i] = second;"
            arguments.append("&second")
        elif kind.endswith("3"):
            parameters.append(f"global const {kind[:-1]} *{letter}")
            arguments.append(f"vload3(i, {letter})")
        else:
            parameters.append(f"global const {kind} *{letter}")
            arguments.append(f"{letter}[i]")
    call = f"{function.name}({', '.join(arguments)})"
    result = function.result
    store = f"vstore3({call}, i, o);" if result.endswith("3") else f"o[i] = {call};"
    parameters.append(f"global {result.removesuffix('3')} *o")
    return (f"kernel void {function.kernel}({', '.join(parameters)}) "
            f"{{ size_t i = get_global_id(0); {variables}{store}{stores} }}\n")


class Runner:
    def __init__(self):
        os.environ |= {"RIVULET_MACHINE": MACHINE, "RIVULET_CACHE": "off", "PYOPENCL_NO_CACHE": "1"}
        import numpy  # a library of ours reads the environment once it is loaded
        import pyopencl
        self.numpy, self.cl = numpy, pyopencl
        device = pyopencl.get_platforms()[0].get_devices()[0]
        self.context = pyopencl.Context([device])
        self.queue = pyopencl.CommandQueue(
            self.context, properties=pyopencl.command_queue_properties.PROFILING_ENABLE)
        self.library = ctypes.CDLL("libOpenCL.so.1")

    def shape(self, kind):
        """(type of numpy, elements of a work-item)"""
        scalar = kind.rstrip("34")
        return self.numpy.dtype(TYPES[scalar]), int(kind[len(scalar):] or 1)

    def extremes(self, dtype):
        if dtype.kind in "iu":
            return self.numpy.array([self.numpy.iinfo(dtype).min, self.numpy.iinfo(dtype).max, 0], dtype)
        limits = self.numpy.finfo(dtype)
        values = [0, limits.tiny / 4, limits.tiny, limits.max / 100, limits.max, self.numpy.inf]
        return self.numpy.array([*values, *(-value for value in values), self.numpy.nan], dtype)

    def arguments(self, function, with_extremes):
        random = self.numpy.random.default_rng(1)
        ranges = iter(function.ranges)
        for kind, is_pointer in function.parameters:
            dtype, width = self.shape(kind)
            count = WORK_ITEMS * width
            if is_pointer:
                yield self.numpy.zeros(count, dtype)
                continue
            low, high = next(ranges)
            values = random.uniform(low, high, count).astype(dtype)
            if with_extremes:
                here = random.random(count) < EXTREME_SHARE
                values[here] = random.choice(self.extremes(dtype), count)[here]
            yield values
        dtype, width = self.shape(function.result)
        yield self.numpy.zeros(WORK_ITEMS * width, dtype)

    def instructions(self, kernel, function, with_extremes):
        flags = self.cl.mem_flags.READ_WRITE | self.cl.mem_flags.COPY_HOST_PTR
        buffers = [self.cl.Buffer(self.context, flags, hostbuf=values)
                   for values in self.arguments(function, with_extremes)]
        kernel.set_args(*buffers)
        event = self.cl.enqueue_nd_range_kernel(self.queue, kernel, (WORK_ITEMS,), None)
        event.wait()
        count = ctypes.c_uint64()
        status = self.library.clGetEventProfilingInfo(
            ctypes.c_void_p(event.int_ptr), INSTRUCTIONS, ctypes.c_size_t(8), ctypes.byref(count), None)
        if status:
            sys.exit(f"bench: the machine doesn't count instructions: OpenCL error {status}")
        return count.value / WORK_ITEMS

    def measure(self, functions):
        """{(name, type): (ordinary, extreme)}; an integer has no extreme values."""
        found = {}
        for at in range(0, len(functions), TOGETHER):
            some = functions[at:at + TOGETHER]
            program = self.cl.Program(self.context, PRAGMA + "".join(map(source_of, some)))
            program.build("-cl-std=CL3.0")
            for function in some:
                kernel = getattr(program, function.kernel)
                ordinary = self.instructions(kernel, function, False)
                extreme = (self.instructions(kernel, function, True)
                           if function.kind in FLOATING else ordinary)
                found[function.name, function.kind] = ordinary, extreme
        return found


def read_costs():
    with COSTS.open() as file:
        return {(row["function"], row["type"]): (float(row["ordinary"]), float(row["extreme"]))
                for row in csv.DictReader(file)}


def write_costs(costs):
    with COSTS.open("w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["function", "type", "ordinary", "extreme"])
        rows.writerows([*key, *(f"{cost:.4f}" for cost in pair)] for key, pair in sorted(costs.items()))


def print_table(costs, before):
    print(f"{'function':28}{'type':8}{'ordinary':>10}{'extreme':>10}{'recorded':>10}")
    for (name, kind), (ordinary, extreme) in sorted(costs.items(), key=lambda row: -row[1][0]):
        recorded = before.get((name, kind))
        print(f"{name:28}{kind:8}{ordinary:10.4f}{extreme:10.4f}" +
              (f"{recorded[0]:10.4f}" if recorded else ""))


def main():
    parser = argparse.ArgumentParser(prog="dev bench library", description=__doc__)
    parser.add_argument("-k", "--functions", help="only these, separated by commas")
    parser.add_argument("--types", help="only these, separated by commas")
    parser.add_argument("--record", action="store_true",
                        help="write library/costs.csv, from which docs/conformance.py makes its tables")
    parser.add_argument("--build", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--stage", type=pathlib.Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    functions = list(all_functions())
    if arguments.functions:
        names = set(arguments.functions.split(","))
        if unknown := names - {function.name for function in functions}:
            parser.error(f"no such function: {', '.join(sorted(unknown))}")
        functions = [function for function in functions if function.name in names]
    if arguments.types:
        functions = [function for function in functions if function.kind in arguments.types.split(",")]
    costs = Runner().measure(functions)
    before = read_costs() if COSTS.exists() else {}
    print_table(costs, before)
    if arguments.record:
        write_costs({**before, **costs} if arguments.functions or arguments.types else costs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
