#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""./dev bench extensions: what each extension in the ISA string brings: retired instructions of the
kernels of the wide benchmark, and of a few small ones, at VLEN 512 without it and with it."""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MACHINE = "rv64-v512-icount"
WORK_ITEMS = 1 << 14
LEAST = 1.02  # a kernel that gains less than 2 % is not listed
TOGETHER = 16  # kernels of one run

# What is measured: the profile with ADDED, against that without what is left out.
ADDED = ("zfbfmin", "zvfbfmin", "zvfbfwma")
VECTORS = ("v", "zvfh", "zvfhmin", "zvbb", "zvbc", "zvkb", "zvkt", "zvfbfmin", "zvfbfwma")
EXTENSIONS = {
    "Zba": ("zba",), "Zbb": ("zbb",), "Zbs": ("zbs",), "Zicond": ("zicond",), "Zfa": ("zfa",),
    "Zbc": ("zbc",), "Zacas": ("zacas", "zabha"), "Zabha": ("zabha",), "Zawrs": ("zawrs",),
    "Zvbb": ("zvbb", "zvkb"), "Zvbc": ("zvbc",), "Zvfh": ("zvfh", "zvfhmin"), "Zvfbfwma": ("zvfbfwma",),
    "Zvfbfmin": ("zvfbfwma", "zvfbfmin"),  # beside Zfbfmin
    "Zvfbfmin with Zfbfmin": ADDED,
    "Zvkb": ("zvbb", "zvkb"), "Zvfhmin": ("zvfh", "zvfhmin"),
}
# The same on harts without a vector unit.
SCALAR = {
    "Zba": ("zba",), "Zbb": ("zbb",), "Zbs": ("zbs",), "Zicond": ("zicond",), "Zfa": ("zfa",),
    "Zfh": ("zfh",), "Zfhmin": ("zfh", "zfhmin"), "Zfbfmin": ("zfbfmin",), "Zcb": ("zcb",),
    "Zacas": ("zacas", "zabha"),
}
# Parts of another extension, which both sides lack.
WITHOUT = {"Zvkb": ("zvbb",), "Zvfhmin": ("zvfh",), "Zfhmin": ("zfh",)}

# Kernels that the wide benchmark lacks: y[i] = EXPRESSION of x[i], of elements of these types.
SMALL = {
    "rotate": ("uint", "uint", "rotate(x[i], x[i + 1])"),
    "popcount": ("uint", "uint", "popcount(x[i])"),
    "clz": ("uint", "uint", "clz(x[i])"),
    "ctz": ("uint", "uint", "ctz(x[i])"),
    "bit_reverse": ("uint", "uint", "bit_reverse(x[i])"),
    "and_not": ("uint", "uint", "x[i] & ~x[i + 1]"),
    "bfloat_widen": ("bfloat", "float", "convert_float(x[i])"),
    "bfloat_narrow": ("float", "bfloat", "convert_bfloat(x[i])"),
    "bfloat_axpy": ("bfloat", "bfloat", "convert_bfloat(bfloat_fma(x[i], x[i + 1], y[i]))"),
    "bfloat_dot8": ("bfloat", "float", " + ".join(
        f"convert_float(x[i + {k}]) * convert_float(x[i + {k + 8}])" for k in range(8))),
    "half_axpy_small": ("half", "half", "fma(x[i], x[i + 1], y[i])"),
    "half_widen": ("ushort", "float", "vload_half(i, (global const half *)x)"),
    "bit_set": ("ulong", "ulong", "x[i] | 1ul << (x[i + 1] & 63)"),
    "bit_test": ("ulong", "ulong", "x[i] >> (x[i + 1] & 63) & 1"),
    "select": ("uint", "uint", "x[i] < x[i + 1] ? x[i] : x[i + 2] ^ 5"),
    "maximum": ("int", "int", "max(x[i], x[i + 1])"),
    "round": ("float", "float", "rint(x[i])"),
    "scale": ("float", "float", "x[i] * 2.5f + 0.75f"),
    "compare_exchange": ("uint", "uint", "atomic_cmpxchg(y + i, x[i], 5u)"),
    "fmin": ("float", "float", "fmin(x[i], x[i + 1])"),
}
PRAGMAS = {"bfloat": "#pragma OPENCL EXTENSION cl_rivulet_bfloat : enable\n",
           "half": "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"}
BYTES = {"bfloat": 2, "half": 2, "ushort": 2, "int": 4, "uint": 4, "float": 4, "ulong": 8}


def small_source(name):
    source, result, expression = SMALL[name]
    if name == "bfloat_axpy":
        expression = expression.replace("y[i]", "convert_float(y[i])")
    return (PRAGMAS.get(source, "") + PRAGMAS.get(result, "") * (result != source) +
            f"kernel void {name}(global const {source} *x, global {result} *y) "
            f"{{ size_t i = get_global_id(0); y[i] = {expression}; }}\n")


def run_small(runner, name):
    import numpy
    import pyopencl as cl
    source, result, _ = SMALL[name]
    try:
        program = cl.Program(runner.context, small_source(name)).build("-cl-std=CL3.1")
    except cl.Error as error:
        return {"kernel": name, "failure": str(error)}
    arguments = [runner.buffer(numpy.ones((WORK_ITEMS + 16) * BYTES[kind], numpy.uint8))
                 for kind in (source, result)]
    kernel = getattr(program, name)
    kernel.set_args(*arguments)
    event = cl.enqueue_nd_range_kernel(runner.queue, kernel, (WORK_ITEMS,), None)
    event.wait()
    return {"kernel": name, "work_items": WORK_ITEMS, "instructions": runner.instructions(event),
            "right": True}


def child(names):
    """Prints the rows of kernels on the machine that RIVULET_MACHINE names."""
    sys.path.insert(0, str(HERE / "wide"))
    from cases import all_cases
    from device import Runner
    runner, cases, rows = Runner("", None, True), all_cases(), []
    for name in names:
        rows.append(run_small(runner, name) if name in SMALL else runner.run(cases[name]))
    print(json.dumps(rows))


def profile(machines, folder, left_out):
    """The path of a profile like MACHINE's, with ADDED, without what is left out."""
    text = (machines / f"{MACHINE}.cfg").read_text()
    section = '\n[global]\n  driver = "rv64-riscv-cpu"\n  property = "{}"\n  value = "{}"\n'
    text += "".join(section.format(name, "true") for name in ADDED if name not in left_out)
    for name in left_out:
        text = text.replace(f'property = "{name}"\n  value = "true"',
                            f'property = "{name}"\n  value = "false"')
    if "v" in left_out:  # the lengths promise a vector unit
        text = re.sub(r'\[global\]\n[^[]*property = "[ev]len"\n[^[]*', "", text)
    path = pathlib.Path(folder) / f"{'-'.join(left_out) or 'all'}.cfg"
    path.write_text(text)
    return path


def costs(machine, names):
    """Instructions per work-item of kernels whose results are right."""
    environment = os.environ | {"RIVULET_MACHINE": str(machine), "RIVULET_CACHE": "off"}
    found = {}
    for at in range(0, len(names), TOGETHER):
        command = [sys.executable, "-B", __file__, "--child", ",".join(names[at:at + TOGETHER])]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{machine}: {done.stderr}")
        for row in json.loads(done.stdout):
            if row.get("right"):
                found[row["kernel"]] = row["instructions"] / row["work_items"]
            else:
                print(f"{machine.name}: {row}", file=sys.stderr)
    return found


def measure(machines, names, extensions, scalar):
    """[(extension, kernel, without it, with it)]; None without it: the kernel needs it."""
    rows, wholes = [], {}
    with tempfile.TemporaryDirectory() as folder:
        for extension in extensions:
            absent = (VECTORS if scalar else ()) + WITHOUT.get(extension, ())
            if absent not in wholes:
                print(f"all extensions {'but ' * bool(absent)}{' '.join(absent)} …", file=sys.stderr)
                wholes[absent] = costs(profile(machines, folder, absent), names)
            whole = wholes[absent]
            print(f"without {extension} …", file=sys.stderr)
            left_out = VECTORS + SCALAR[extension] if scalar else EXTENSIONS[extension]
            less = costs(profile(machines, folder, left_out), list(whole))
            for name, cost in whole.items():
                if name not in less or less[name] > LEAST * cost or cost > LEAST * less[name]:
                    rows.append((extension, name, less.get(name), cost))
    return rows


def table(rows):
    yield "| extension | kernel | without it | with it | factor |"
    yield "|---|---|--:|--:|--:|"
    for extension, name, less, cost in rows:
        without = "not built" if less is None else f"{less:.3f}"
        factor = "" if less is None else f"{less / cost:.2f}"
        yield f"| {extension} | {name} | {without} | {cost:.3f} | {factor} |"


def main():
    if sys.argv[1:2] == ["--child"]:
        return child(sys.argv[2].split(","))
    sys.path.insert(0, str(HERE / "wide"))
    from cases import all_cases
    parser = argparse.ArgumentParser(prog="dev bench extensions", description=__doc__)
    parser.add_argument("-k", "--kernels", help="only these, separated by commas")
    parser.add_argument("-e", "--extensions", help="only these, separated by commas")
    parser.add_argument("--scalar", action="store_true", help="harts without a vector unit")
    parser.add_argument("--json", metavar="FILE", type=pathlib.Path, help="write the rows to FILE, too")
    parser.add_argument("--build", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--stage", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    names = arguments.kernels.split(",") if arguments.kernels else [*all_cases(), *SMALL]
    known = SCALAR if arguments.scalar else EXTENSIONS
    extensions = arguments.extensions.split(",") if arguments.extensions else list(known)
    if unknown := (set(names) - set(all_cases()) - set(SMALL)) | set(extensions) - set(known):
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    rows = measure(arguments.build / "lib/rivulet/machines", names, extensions, arguments.scalar)
    print("\n".join(table(rows)))
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
