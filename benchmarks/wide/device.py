#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs kernels of the wide benchmark on the machine that RIVULET_MACHINE names, checks their results,
and prints JSON rows like those of rivulet-compiler-bench.

    device.py [--options OPTIONS] [--images FOLDER | --spirv FOLDER] [--check] [-k NAMES]
"""
import argparse
import ctypes
import json
import os
import pathlib
import sys

os.environ["PYOPENCL_NO_CACHE"] = "1"
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import numpy
import pyopencl as cl

from cases import Local, Out, Picture, Sampler, all_cases

INSTRUCTIONS = 0x4F01  # CL_PROFILING_COMMAND_INSTRUCTIONS_RIVULET
CHANNELS = {numpy.dtype(kind): names for kind, names in {
    numpy.uint8: ("UNSIGNED_INT8", "UNORM_INT8"), numpy.uint16: ("UNSIGNED_INT16", "UNORM_INT16"),
    numpy.int32: ("SIGNED_INT32", None), numpy.uint32: ("UNSIGNED_INT32", None),
    numpy.float32: ("FLOAT", None), numpy.float16: ("HALF_FLOAT", None)}.items()}


def value(of):
    if isinstance(of, (bool, int)):
        return numpy.int32(of)
    return numpy.float32(of) if isinstance(of, float) else of


class Runner:
    def __init__(self, options, images, counts, spirv=None):
        self.device = cl.get_platforms()[0].get_devices()[0]
        self.context = cl.Context([self.device])
        self.queue = cl.CommandQueue(self.context,
                                     properties=cl.command_queue_properties.PROFILING_ENABLE)
        self.options, self.images, self.counts, self.spirv = options, images, counts, spirv
        self.library = ctypes.CDLL("libOpenCL.so.1")

    def instructions(self, event):
        count = ctypes.c_uint64()
        status = self.library.clGetEventProfilingInfo(
            ctypes.c_void_p(event.int_ptr), INSTRUCTIONS, ctypes.c_size_t(8), ctypes.byref(count), None)
        if status:
            sys.exit(f"device: the machine doesn't count instructions: OpenCL error {status}")
        return count.value

    def buffer(self, contents):
        return cl.Buffer(self.context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR,
                         hostbuf=numpy.ascontiguousarray(contents))

    def image(self, picture):
        pixels = numpy.ascontiguousarray(picture.pixels)
        sizes = pixels.shape[:3 if picture.deep else 2]
        channels = pixels.shape[len(sizes)] if pixels.ndim > len(sizes) else 1
        form = cl.ImageFormat(getattr(cl.channel_order, {1: "R", 2: "RG", 4: "RGBA"}[channels]),
                              getattr(cl.channel_type, CHANNELS[pixels.dtype][picture.normalised]))
        access = cl.mem_flags.READ_ONLY if picture.out is None else cl.mem_flags.WRITE_ONLY
        return cl.Image(self.context, access | cl.mem_flags.COPY_HOST_PTR, form,
                        shape=sizes[::-1], hostbuf=pixels)

    def argument(self, of):
        if isinstance(of, Out):
            return self.buffer(of.initial)
        if isinstance(of, numpy.ndarray) and of.ndim:
            return self.buffer(of)
        if isinstance(of, Picture):
            return self.image(of)
        if isinstance(of, Sampler):
            return cl.Sampler(self.context, of.normalised,
                              getattr(cl.addressing_mode, of.addressing),
                              getattr(cl.filter_mode, of.filtering))
        return cl.LocalMemory(of.bytes) if isinstance(of, Local) else value(of)

    def read(self, of, memory):
        if isinstance(of, Out):
            got = numpy.empty_like(of.initial)
            cl.enqueue_copy(self.queue, got, memory)
            return of, got
        got = numpy.empty_like(of.pixels)
        sizes = got.shape[:3 if of.deep else 2]
        cl.enqueue_copy(self.queue, got, memory, origin=(0,) * len(sizes), region=sizes[::-1])
        return of.out, got

    def program(self, case):
        if self.spirv is not None:
            return cl.Program(self.context, (self.spirv / f"{case.name}.spv").read_bytes())
        if self.images is None:
            return cl.Program(self.context, case.source.read_text())
        image = (self.images / f"{case.name}.rvk").read_bytes()
        return cl.Program(self.context, [self.device], [image])

    def run(self, case):
        program = self.program(case)
        try:
            program.build(" ".join(filter(None, [case.options, self.options])))
        except cl.Error as error:
            return {"kernel": case.name, "failure": str(error)}
        kernel, arguments = getattr(program, case.name), case.arguments()
        memory = {name: self.argument(of) for name, of in arguments.items()}
        kernel.set_args(*memory.values())
        instructions = work_items = 0
        for changes in case.launches:
            for name, of in changes.items():
                if name != "size":
                    kernel.set_arg(list(arguments).index(name), value(of))
            size = changes.get("size", case.size)
            event = cl.enqueue_nd_range_kernel(self.queue, kernel, size, case.group)
            event.wait()
            work_items += int(numpy.prod(size))
            if self.counts:
                instructions += self.instructions(event)
        errors = [out.error(got, case.tolerance) for out, got in
                  (self.read(of, memory[name]) for name, of in arguments.items()
                   if isinstance(of, Out) or isinstance(of, Picture) and of.out is not None)]
        return {"kernel": case.name, "work_items": work_items, "instructions": instructions,
                "error": max(errors), "right": max(errors) <= case.tolerance}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--options", default="", help="more build options")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--images", type=pathlib.Path, metavar="FOLDER",
                         help="run FOLDER/NAME.rvk instead of the sources")
    instead.add_argument("--spirv", type=pathlib.Path, metavar="FOLDER",
                         help="build FOLDER/NAME.spv instead of the sources")
    parser.add_argument("--check", action="store_true",
                        help="only whether results are right, on any machine")
    parser.add_argument("-k", "--kernels", help="only these, separated by commas")
    arguments = parser.parse_args()
    cases = all_cases()
    names = arguments.kernels.split(",") if arguments.kernels else list(cases)
    runner = Runner(arguments.options, arguments.images, not arguments.check, arguments.spirv)
    rows = []
    for name in names:
        try:
            rows.append(runner.run(cases[name]))
        except cl.Error as error:
            rows.append({"kernel": name, "failure": str(error)})
        if arguments.check and not rows[-1].get("right"):
            print(rows[-1], file=sys.stderr)
    print(json.dumps(rows, indent=1))
    return 0 if all(row.get("right") for row in rows) or not arguments.check else 1


if __name__ == "__main__":
    sys.exit(main())
