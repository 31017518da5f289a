#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/conformance.md from what tests have measured and from the table of features.

    conformance.py [--check]      --check only says whether the file is up to date

Every feature that hal/protocol/features.def advertises must be named here with its tests, and the
tests must be there.
"""
import csv
import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = TOP / "docs/conformance.md"
ULPS = TOP / "compiler/library/ulps.csv"
FEATURES = TOP / "hal/protocol/features.def"
ROW = re.compile(r"^RVL_(?:EXTENSION|FEATURE)\((\w+),.*?(\w+)\)$", re.MULTILINE)

# Feature, or how a family of them begins → tests: Suite.Name of GoogleTest, or a file of lit's.
TESTS = {
    "cl_khr_byte_addressable_store": ["compiler/spmd/test/narrow.cl"],
    "cl_khr_global_int32": ["Device.HoldsWhatSelfCheckExpects"],
    "cl_khr_local_int32": ["LocalMemory.DeclaredInTheKernel", "Device.HoldsWhatSelfCheckExpects"],
    "cl_khr_int64": ["compiler/test/features.cl", "Device.HoldsWhatSelfCheckExpects"],
    "cl_khr_fp64": ["Accuracy.DoubleOnDevice", "compiler/test/features.cl"],
    "cl_khr_fp16": ["Accuracy.HalfOnDevice", "compiler/test/features.cl"],
    "cles_khr_int64": ["Device.HoldsWhatSelfCheckExpects"],
    "cl_khr_extended_bit_ops": ["Device.HoldsWhatSelfCheckExpects"],
    "cl_khr_integer_dot_product": ["Device.HoldsWhatSelfCheckExpects"],
    "cl_khr_extended_async_copies": ["Language.AsyncCopiesOfTwoAndThreeDimensions"],
    "cl_khr_async_work_group_copy_fence": ["Language.AsyncCopiesOfTwoAndThreeDimensions"],
    "cl_khr_work_group_uniform_arithmetic": ["Language.CollectivesCombineAllWorkItemsOfAGroup"],
    "cl_khr_kernel_clock": ["Language.ClocksGoForward"],
    "cl_intel_subgroups": ["SubGroups.FunctionsOfInt",
                           "SubGroupKernels.BlocksAreReadAndWrittenInColumns"],
    "cl_intel_required_subgroup_size": ["SubGroupKernels.HaveTheRequiredSize"],
    "cl_khr_subgroup_": ["SubGroups.FunctionsOfLong", "SubGroups.FunctionsOfHalf"],
    "__opencl_c_subgroups": ["SubGroupKernels.IdsFollowTheLinearLocalId",
                             "SubGroupKernels.AnswerQueries"],
    "cl_ext_atomic_counters": ["AtomicCounters.NoTwoWorkItemsSeeTheSameValue",
                               "AtomicCounters.Of32BitsAreTheFirstFourBytes"],
    "cl_khr_3d_image_writes": ["Image.EveryTypeIsWrittenAndReadWhereItsCoordinatesSay"],
    "cl_khr_depth_images": ["Image.EveryFormatStoresAndGivesWhatKernelsWriteAndRead"],
    "cl_khr_mipmap_image": ["Image.MipLevelsAreApartAndSampledByLevelOfDetail"],
    "cl_khr_image2d_from_buffer": ["ImageCommands.ImagesOfABufferShareItsElements"],
    "cl_khr_srgb_image_writes": ["Image.EveryFormatStoresAndGivesWhatKernelsWriteAndRead"],
    "cl_ext_image_unorm_int_2_101010":
        ["Image.EveryFormatStoresAndGivesWhatKernelsWriteAndRead"],
    "cles_khr_2d_image_array_writes": ["Image.EveryTypeIsWrittenAndReadWhereItsCoordinatesSay"],
    "__opencl_c_images": ["Image.EveryTypeIsWrittenAndReadWhereItsCoordinatesSay",
                          "Image.SamplersAreAsChapterEightSaysAsArgumentAndInTheSource"],
    "__opencl_c_read_write_images": ["Image.EveryTypeIsWrittenAndReadWhereItsCoordinatesSay"],
    "__opencl_c_3d_image_writes": ["Image.EveryTypeIsWrittenAndReadWhereItsCoordinatesSay"],
    "__opencl_c_int64": ["Device.HoldsWhatSelfCheckExpects"],
    "__opencl_c_fp64": ["Accuracy.DoubleOnDevice"],
    "__opencl_c_atomic": ["Device.HoldsWhatSelfCheckExpects",
                          "Language.FeatureQueriesAgreeWithTheMacros"],
    "__opencl_c_generic_address_space": ["Language.GenericPointersReachAndTellAllAddressSpaces"],
    "__opencl_c_program_scope_global_variables":
        ["Language.ProgramScopeVariablesLiveAsLongAsTheProgram"],
    "__opencl_c_work_group_collective_functions":
        ["Language.CollectivesCombineAllWorkItemsOfAGroup"],
    "__opencl_c_kernel_clock": ["Language.ClocksGoForward"],
    "__opencl_c_integer_dot_product": ["Device.HoldsWhatSelfCheckExpects"],
}


def sources(*patterns):
    for pattern in patterns:
        for path in TOP.glob(pattern):
            if "build" not in path.parts:
                yield path


def known_tests():
    """Suite.Name of every GoogleTest in the tree."""
    test = re.compile(r"^TEST(?:_F|_P)?\((\w+),\s*(\w+)\)", re.MULTILINE)
    return {f"{suite}.{name}"
            for path in sources("compiler/**/*_test.cpp", "tests/api/*.cpp", "host-runtime/**/*.cpp")
            for suite, name in test.findall(path.read_text())}


def tests_of(feature):
    keys = [key for key in TESTS if feature.startswith(key)]
    if not keys:
        raise SystemExit(f"{feature} is advertised, but docs/conformance.py names no test of it")
    return TESTS[max(keys, key=len)]


def feature_rows():
    tests = known_tests()
    for feature, needs in ROW.findall(FEATURES.read_text()):
        for test in tests_of(feature):
            if test not in tests and not (TOP / test).is_file():
                raise SystemExit(f"docs/conformance.py: the test {test} of {feature} is not there")
        where = "every device" if needs == "ALWAYS" else "where there is " + needs
        yield f"| `{feature}` | {where} | " + ", ".join(f"`{t}`" for t in tests_of(feature)) + " |"


def ulp_rows():
    with ULPS.open() as file:
        for function, single, double, half, allowed in list(csv.reader(file))[1:]:
            for measured in (single, double):
                if float(measured) > float(allowed):
                    raise SystemExit(f"{ULPS}: {function}: {measured} is more than {allowed}")
            yield f"| {function} | {single} | {double} | {half or '–'} | {allowed} |"


def document():
    return "\n".join([
        "# What was measured and tested",
        "Written by `docs/conformance.py`; a test holds it up to date.",
        "",
        "## Accuracy",
        "The worst errors in ULPs that were seen of the built-in library, compiled for the build",
        "machine, against MPFR; half goes by way of float and is rounded once. To measure them anew:",
        "`ctest -L long -R library.Accuracy.Dense`, a million points per function for float and",
        "double, every float for sin, exp, log, sqrt, rsqrt and cbrt, every half.",
        "The same sources run on the device: `library.Device@…` holds each function against the same",
        "limits there, at every vector width with `-L long`. *Allowed*: the full profile's limit for",
        "float and double.",
        "",
        "| function | float | double | half | allowed |",
        "|---|---|---|---|---|",
        *ulp_rows(),
        "",
        "## Features",
        "Of `hal/protocol/features.def`, each with the tests that stand for it.",
        "",
        "| feature | offered by | tests |",
        "|---|---|---|",
        *feature_rows(),
        ""])


def main():
    if sys.argv[1:] == ["--check"]:
        if DOCUMENT.is_file() and DOCUMENT.read_text() == document():
            return 0
        print("docs/conformance.md is not up to date; run docs/conformance.py")
        return 1
    DOCUMENT.write_text(document())
    return 0


if __name__ == "__main__":
    sys.exit(main())
