#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The public header compiles together with Khronos' headers: in C and C++, alone and after opencl.hpp.

    headers_test.py INCLUDE CACHE COMPILER… [--suite SUITE…]

Without --suite the headers are this system's; with it, those of Debian's suites, which are kept in CACHE.
A COMPILER whose name holds "++" compiles C++."""
import argparse
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from debian import Archive

BETA = "#define CL_ENABLE_BETA_EXTENSIONS\n"
OURS = "#include <CL/cl_ext_rivulet.h>\nint use[CL_DEVICE_VLEN_RIVULET ? 1 : -1];\n"
RECORDS = "clCommandNDRangeKernelKHR_098_fn record;\n"
C = {"alone": OURS,
     "for OpenCL 1.2": "#define CL_TARGET_OPENCL_VERSION 120\n" + OURS,
     "after cl.h": "#include <CL/cl.h>\n" + OURS,
     "with command buffers": BETA + OURS + RECORDS,
     "with command buffers, after cl_icd.h": BETA + "#include <CL/cl_icd.h>\n" + OURS + RECORDS}
HPP = "#define CL_HPP_TARGET_OPENCL_VERSION 300\n#define CL_HPP_MINIMUM_OPENCL_VERSION 300\n" \
      "#include <CL/opencl.hpp>\n"
CXX = C | {"after opencl.hpp": HPP + OURS, "before opencl.hpp": OURS + HPP,
           "after opencl.hpp, with command buffers": BETA + HPP + OURS + RECORDS}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("include", type=pathlib.Path)
    parser.add_argument("cache", type=pathlib.Path)
    parser.add_argument("compiler", nargs="+")
    parser.add_argument("--suite", nargs="+", default=[])
    options = parser.parse_args()
    headers = {"this system": []}
    if options.suite:
        headers = {}
        for suite in options.suite:
            # Backports have the C headers alone.
            headers[suite] = [Archive(options.cache / of, "amd64", of).unpacked(package) / "usr/include"
                              for of, package in ((suite, "opencl-c-headers"),
                                                  (suite.split("-")[0], "opencl-clhpp-headers"))]
    tried, failed = 0, []
    for name, folders in headers.items():
        includes = [f"-isystem{folder}" for folder in folders] + [f"-I{options.include}"]
        for compiler in options.compiler:
            is_cxx = "++" in pathlib.Path(compiler).name
            for form, source in (CXX if is_cxx else C).items():
                done = subprocess.run([compiler, "-xc++" if is_cxx else "-xc", "-Wall", "-Wextra", "-Werror",
                                       "-fsyntax-only", *includes, "-"],
                                      input=source, text=True, capture_output=True)
                tried += 1
                if done.returncode != 0:
                    failed.append(f"{name}, {compiler}, {form}")
                    print(f"== {failed[-1]}\n{done.stderr[:2000]}")
    print(f"{tried} compiled, {len(failed)} failed")
    return bool(failed) or tried == 0


if __name__ == "__main__":
    sys.exit(main())
