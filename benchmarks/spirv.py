#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""./dev bench spirv: compares the retired instructions of the wide benchmark's kernels built from
OpenCL C with those of the same kernels built from SPIR-V modules of the same sources.

clang -O0 and llvm-spirv of one LLVM version write the modules, as most producers do; this version
differs from that of our own compiler. Modules say which integer operations don't wrap
(SPV_KHR_no_integer_wrap_decoration), as OpenCL C's types do. Both are built with
-cl-uniform-work-group-size, which OpenCL C 1.2 implies and no module can express."""
import argparse
import concurrent.futures
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "wide"))
from cases import all_cases
from measure import chosen_kernels, geometric_mean, instructions

MOST = 1.02
FIRST_WITH_OPAQUE_POINTERS = 17  # of LLVM's versions, in llvm-spirv
# By name: with +all, llvm-spirv-22 writes untyped pointers, which older ones can't read.
EXTENSIONS = ["--spirv-ext=+SPV_KHR_no_integer_wrap_decoration"]


class CannotBeWritten(Exception):
    pass


def producers():
    """Versions of LLVM whose clang and llvm-spirv are both installed, newest first."""
    found = {int(match[1]) for folder in ("/usr/bin", "/usr/local/bin")
             for path in pathlib.Path(folder).glob("llvm-spirv-*")
             if (match := re.fullmatch(r"llvm-spirv-(\d+)", path.name))}
    return [version for version in sorted(found, reverse=True) if shutil.which(f"clang-{version}")]


def call(command):
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    if done.returncode:
        raise CannotBeWritten(done.stderr.strip().splitlines()[0] if done.stderr else command[0])


def write_module(case, version, folder):
    """FOLDER/NAME.spv."""
    bitcode, module = folder / f"{case.name}.bc", folder / f"{case.name}.spv"
    options = case.options.split() or ["-cl-std=CL1.2"]
    typed = ["-Xclang", "-no-opaque-pointers"] if version < FIRST_WITH_OPAQUE_POINTERS else []
    call([f"clang-{version}", "--target=spir64-unknown-unknown", *options, "-O0", "-Xclang",
          "-disable-O0-optnone", "-Xclang", "-finclude-default-header", *typed, "-emit-llvm", "-c",
          str(case.source), "-o", str(bitcode)])
    call([f"llvm-spirv-{version}", "--spirv-max-version=1.4", *EXTENSIONS, str(bitcode), "-o", str(module)])


def write_modules(names, version, folder):
    """Names of the modules that were written, and why others were not: {name: reason}."""
    def write(name):
        try:
            write_module(all_cases()[name], version, folder)
        except CannotBeWritten as reason:
            return name, str(reason)
        return name, None

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = dict(pool.map(write, names))
    return ([name for name, reason in results.items() if reason is None],
            {name: reason for name, reason in results.items() if reason is not None})


def costs(names, vlen, more):
    """What measure.instructions returns, of kernels that device.py builds with `more` options."""
    command = [sys.executable, "-B", str(HERE / "wide/device.py"),
               "--options=-cl-uniform-work-group-size", *more, "-k"]
    return instructions(names, lambda some: [*command, ",".join(some)], vlen)


def main():
    parser = argparse.ArgumentParser(prog="dev bench spirv", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    known = producers()
    parser.add_argument("-k", "--kernels", help="only these, separated by commas")
    parser.add_argument("--producer", type=int, choices=known, metavar="VERSION",
                        help="LLVM version of clang and llvm-spirv (default: the newest; installed: "
                             f"{', '.join(map(str, known)) or 'none'})")
    parser.add_argument("--vlen", type=int, choices=(128, 512, 1024), default=512)
    parser.add_argument("--json", metavar="FILE", type=pathlib.Path, help="write the costs to FILE, too")
    parser.add_argument("--build", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--stage", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    names = chosen_kernels(parser, arguments, all_cases())
    if not known:
        sys.exit("bench: no LLVM version has both clang-N and llvm-spirv-N; install for example clang-15 "
                 "and llvm-spirv-15")
    version = arguments.producer or known[0]
    with tempfile.TemporaryDirectory() as folder:
        print(f"modules by clang-{version} and llvm-spirv-{version} …", file=sys.stderr)
        written, not_written = write_modules(names, version, pathlib.Path(folder))
        print(f"VLEN {arguments.vlen}: OpenCL C …", file=sys.stderr)
        source, wrong = costs(written, arguments.vlen, [])
        print(f"VLEN {arguments.vlen}: SPIR-V …", file=sys.stderr)
        module, wrong_module = costs(written, arguments.vlen, [f"--spirv={folder}"])
    factors = {name: module[name] / source[name] for name in written if name in source and name in module}
    print(f"{'kernel':24}{'OpenCL C':>12}{'SPIR-V':>12}{'factor':>9}")
    for name, factor in sorted(factors.items(), key=lambda item: -item[1]):
        print(f"{name:24}{source[name]:12.3f}{module[name]:12.3f}{factor:9.3f}"
              f"{'  MORE' if factor > MOST else ''}")
    for name, reason in not_written.items():
        print(f"{name:24}clang-{version} can't compile it: {reason}")
    complaints = {**{f"{name} by OpenCL C": why for name, why in wrong.items()},
                  **{f"{name} by SPIR-V": why for name, why in wrong_module.items()}}
    for what, why in complaints.items():
        print(f"{what}: {why}", file=sys.stderr)
    print(f"{len(factors)} kernels, geomean {geometric_mean(list(factors.values())):.3f}, "
          f"{sum(factor > MOST for factor in factors.values())} above {MOST}")
    if arguments.json:
        arguments.json.write_text(json.dumps(
            {name: {"source": source[name], "spirv": module[name]} for name in factors}, indent=1))
    return 1 if complaints or not factors or any(factor > MOST for factor in factors.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
