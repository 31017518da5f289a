#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/conformance.md from what tests have measured and from the table of features.

    conformance.py RESULTS...     takes over results: build/release/tests.xml, which `./dev test --long` does
    conformance.py                rewrites the document from the recorded results
    conformance.py --check        only says whether the document is up to date

Results are kept in docs/conformance.csv, so that a change of them is a difference. Every feature
that hal/protocol/features.def advertises must be named here with its tests, and they must have
passed.
"""
import argparse
import collections
import csv
import fnmatch
import pathlib
import re
import sys
import tomllib

TOP = pathlib.Path(__file__).resolve().parent.parent
sys.path += [str(TOP / folder) for folder in ("tools/conformance", "benchmarks", "docs")]
import opencl_3_1
from expectations import Expectations
from library import read_costs

DOCUMENT = TOP / "docs/conformance.md"
RESULTS = TOP / "docs/conformance.csv"
FEATURES = TOP / "hal/protocol/features.def"
SUITES = TOP / "tools/conformance/suites/rivulet.toml"
EXPECTATIONS = TOP / "tools/conformance/expectations"
IN_FULL_LENGTH = TOP / "tools/conformance/expectations-full"
ROW = re.compile(r"^RVL_(?:EXTENSION|FEATURE)\((\w+),.*?(\w+)\)$", re.MULTILINE)

# Feature, or how a family of them begins → tests: Suite.Name of GoogleTest, or a file of lit's.
TESTS = {
    "cl_khr_byte_addressable_store": ["compiler/test/spmd/integer_demotion.cl"],
    "cl_khr_global_int32": ["SelfCheck.FunctionsDoWhatTheSpecificationSays"],
    "cl_khr_local_int32": ["LocalMemory.DeclaredInTheKernel",
                           "SelfCheck.FunctionsDoWhatTheSpecificationSays"],
    "cl_khr_int64": ["compiler/test/features.cl", "SelfCheck.FunctionsDoWhatTheSpecificationSays"],
    "cl_khr_fp64": ["Accuracy.DoubleOnDevice", "compiler/test/features.cl"],
    "cl_khr_fp16": ["Accuracy.HalfOnDevice", "compiler/test/features.cl"],
    "cles_khr_int64": ["SelfCheck.FunctionsDoWhatTheSpecificationSays"],
    "cl_khr_extended_bit_ops": ["SelfCheck.FunctionsDoWhatTheSpecificationSays"],
    "cl_khr_integer_dot_product": ["SelfCheck.FunctionsDoWhatTheSpecificationSays"],
    "cl_khr_extended_async_copies": ["Language.AsyncCopiesOfTwoAndThreeDimensions"],
    "cl_khr_async_work_group_copy_fence": ["Language.AsyncCopiesOfTwoAndThreeDimensions"],
    "cl_khr_work_group_uniform_arithmetic": ["Language.CollectivesCombineAllWorkItemsOfAGroup"],
    "cl_khr_select_fprounding_mode": ["Rounding.OfFloatsIsAsSelected",
                                      "Rounding.OfDoublesIsAsSelected",
                                      "Rounding.OfHalvesIsAsSelected"],
    "cl_khr_kernel_clock": ["Language.ClocksGoForward"],
    "cl_rivulet_bfloat": ["Bfloat.EveryValueIsExtended", "Bfloat.FloatsAreRoundedInEveryMode",
                          "Bfloat.DoublesAreRoundedOnceInEveryMode",
                          "Bfloat.MultiplyAddRoundsOnce", "Bfloat.OperatorsRoundToNearestEven",
                          "compiler/test/bfloat_extension.cl"],
    "cl_intel_subgroups": ["SubGroups.FunctionsOfInt",
                           "SubGroupKernels.BlocksAreReadAndWrittenInColumns"],
    "cl_intel_subgroup_local_block_io":
        ["SubGroupKernels.BlocksOfLocalMemoryAreReadAndWrittenInColumns"],
    "cl_intel_required_subgroup_size": ["SubGroupKernels.HaveTheRequiredSize"],
    "cl_qcom_reqd_sub_group_size": ["SubGroupKernels.HaveTheRequiredShareOfTheLargestSize",
                                    "compiler/test/sub_groups.cl"],
    "cl_rivulet_subgroup_matrix_multiply_accumulate":
        ["SubGroupMatrices.OfBytesAreMultipliedExactly",
         "SubGroupMatrices.OfFloatsAreExactWhereFloatHoldsTheSums",
         "SubGroupMatrices.OfFloatsAreWithinTheErrorOfTheirSums",
         "compiler/test/sub_group_matrices.cl"],
    "cl_khr_subgroup_": ["SubGroups.FunctionsOfLong", "SubGroups.FunctionsOfHalf"],
    "__opencl_c_subgroups": ["SubGroupKernels.IdsFollowTheLinearLocalId",
                             "SubGroupKernels.AnswerQueries"],
    "cl_ext_atomic_counters": ["AtomicCounters.NoTwoWorkItemsSeeTheSameValue",
                               "AtomicCounters.Of32BitsAreTheFirstFourBytes"],
    "cl_ext_float_atomics": ["FloatAtomics.NoUpdateIsLost",
                             "FloatAtomics.QueriesAgreeWithTheMacros"],
    "__opencl_c_ext_fp16": ["FloatAtomics.NoUpdateIsLost",
                            "FloatAtomics.LocalMemoryIsUpdatedByTheGroup"],
    "__opencl_c_ext_fp32": ["FloatAtomics.NoUpdateIsLost",
                            "FloatAtomics.LocalMemoryIsUpdatedByTheGroup"],
    "__opencl_c_ext_fp64": ["FloatAtomics.NoUpdateIsLost",
                            "FloatAtomics.LocalMemoryIsUpdatedByTheGroup"],
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
    "__opencl_c_ext_image_unorm_int_2_101010":
        ["Image.EveryFormatStoresAndGivesWhatKernelsWriteAndRead"],
    "__opencl_c_int64": ["SelfCheck.FunctionsDoWhatTheSpecificationSays"],
    "__opencl_c_fp64": ["Accuracy.DoubleOnDevice"],
    "__opencl_c_atomic": ["SelfCheck.FunctionsDoWhatTheSpecificationSays",
                          "Language.FeatureQueriesAgreeWithTheMacros"],
    "__opencl_c_generic_address_space": ["Language.GenericPointersReachAndTellAllAddressSpaces"],
    "__opencl_c_program_scope_global_variables":
        ["Language.ProgramScopeVariablesLiveAsLongAsTheProgram"],
    "__opencl_c_work_group_collective_functions":
        ["Language.CollectivesCombineAllWorkItemsOfAGroup"],
    "__opencl_c_kernel_clock": ["Language.ClocksGoForward"],
    "__opencl_c_integer_dot_product": ["SelfCheck.FunctionsDoWhatTheSpecificationSays"],
}


# Lines that tests print: gtest's and lit's verdicts, and the lines of compiler/library/test/measure.h.
VERDICT = re.compile(r"^\[ +(OK|FAILED|SKIPPED) +\] (\w+\.\w+)", re.MULTILINE)
LIT_VERDICT = re.compile(r"^(PASS|FAIL): ([\w-]+) :: (\S+)", re.MULTILINE)
LIT_FOLDERS = {"rivulet-cc": "compiler/test/"}
ACCURACY = re.compile(r"^accuracy,(\w+),(\w+),(\d+),([\d.]+|inf),([\d.]+)$", re.MULTILINE)
TYPES = ("half", "float", "double")
# 6.12.4, 6.12.5 and their like: every type has a limit of its own.
LIMITED = {"clamp", "copysign", "cross", "degrees", "distance", "dot", "fast_distance",
           "fast_length", "fast_normalize", "length", "max", "min", "mix", "normalize", "radians",
           "sign", "smoothstep", "step"}
EVERY = (1 << 32, 0x10020) # so many inputs are all that there are; of half, in whole vectors


class Results:
    """worst[function, type] is (inputs, ulps, allowed); passed is a set of tests."""

    def __init__(self):
        self.worst = {}
        self.passed = set()
        if RESULTS.is_file():
            with RESULTS.open() as file:
                for kind, *row in csv.reader(file):
                    if kind == "passed":
                        self.passed.add(row[0])
                    else:
                        self.worst[row[0], row[1]] = (int(row[2]), float(row[3]), float(row[4]))

    def take_over(self, texts):
        """Measurements of these texts replace those of functions that they measure."""
        named = {test for tests in TESTS.values() for test in tests} | opencl_3_1.all_tests()
        measured, passed, failed = {}, set(), set()
        for text in texts:
            for function, kind, inputs, ulps, allowed in ACCURACY.findall(text):
                before = measured.get((function, kind), (0, 0.0, 0.0))
                measured[function, kind] = (max(before[0], int(inputs)),
                                            max(before[1], float(ulps)), float(allowed))
            for verdict, test in self.verdicts(text):
                if verdict in ("OK", "PASS"):
                    passed.add(test)
                elif verdict in ("FAILED", "FAIL"):
                    failed.add(test)
        self.worst.update(measured)
        self.passed = ((self.passed | passed) & named) - failed # on whichever machine

    @staticmethod
    def verdicts(text):
        yield from VERDICT.findall(text)
        for verdict, suite, test in LIT_VERDICT.findall(text):
            yield verdict, LIT_FOLDERS.get(suite, "") + test

    def save(self):
        with RESULTS.open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            for (function, kind), (inputs, ulps, allowed) in sorted(self.worst.items()):
                writer.writerow(["accuracy", function, kind, inputs, f"{ulps:.4f}", f"{allowed:g}"])
            writer.writerows(["passed", test] for test in sorted(self.passed))


def tests_of(feature):
    keys = [key for key in TESTS if feature.startswith(key)]
    if not keys:
        raise SystemExit(f"{feature} is advertised, but docs/conformance.py names no test of it")
    return TESTS[max(keys, key=len)]


def feature_rows(results):
    for feature, needs in ROW.findall(FEATURES.read_text()):
        for test in tests_of(feature):
            if test not in results.passed:
                raise SystemExit(f"docs/conformance.py: no result says that {test}, which stands "
                                 f"for {feature}, has passed")
        where = "every device" if needs == "ALWAYS" else "devices with " + needs
        yield f"| `{feature}` | {where} | " + ", ".join(f"`{t}`" for t in tests_of(feature)) + " |"


def change_rows(results):
    for test in sorted(opencl_3_1.all_tests() - results.passed):
        raise SystemExit(f"docs/conformance.py: no result says that {test}, which stands for a "
                         f"change of OpenCL 3.1, has passed")
    yield from opencl_3_1.rows()


def within(results, function, kind):
    inputs, ulps, allowed = results.worst[function, kind]
    if ulps > allowed:
        raise SystemExit(f"{function} of {kind}: {ulps} is more than {allowed}")
    return inputs, ulps, allowed


# Functions with several results have a row for each: fract_floor.
def shown(function):
    return re.sub(r"^(fract|frexp|ilogb|lgamma_r|modf|nan|remquo|sincos)_(\w+)$", r"\1: \2", function)


def is_of_float_only(function):
    return function.startswith(("half_", "native_", "fast_"))


def math_rows(results):
    for function in sorted({function for function, _ in results.worst} - LIMITED):
        if is_of_float_only(function):
            continue
        cells = []
        for kind in TYPES:
            inputs, ulps, allowed = within(results, function, kind)
            cells.append(f"{ulps:.3f}" + (" (all)" if inputs in EVERY else ""))
        yield f"| {shown(function)} | " + " | ".join(cells) + f" | {allowed:g} |"


def limited_rows(results):
    for function in sorted(LIMITED):
        cells = []
        for kind in TYPES:
            if kind != "float" and is_of_float_only(function):
                cells.append("–")
            else:
                _, ulps, allowed = within(results, function, kind)
                cells.append(f"{ulps:.3f} of {allowed:g}")
        yield f"| {function} | " + " | ".join(cells) + " |"


def half_and_native_rows(results):
    for function in sorted({f[5:] for f, _ in results.worst if f.startswith("half_")}):
        cells = [f"{within(results, prefix + function, 'float')[1]:.3f}"
                 for prefix in ("half_", "native_")]
        yield f"| {function} | " + " | ".join(cells) + " |"


INTEGER_TYPES = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong")


def cost_table(title, costs, types, with_extremes=True):
    """A row for each function. A cell has one number if extreme arguments cost nothing more."""
    yield f"| {title} | " + " | ".join(types) + " |"
    yield "|---" + "|--:" * len(types) + "|"
    for function in sorted({function for function, _ in costs}):
        cells = []
        for kind in types:
            ordinary, extreme = costs.get((function, kind), (None, None))
            if ordinary is None:
                cells.append("–")
            elif with_extremes and extreme > 1.005 * ordinary:
                cells.append(f"{ordinary:.3f} / {extreme:.3f}")
            else:
                cells.append(f"{ordinary:.3f}")
        yield f"| {function} | " + " | ".join(cells) + " |"


def half_and_native_costs(costs):
    return {(function.split("_", 1)[1], prefix): costs[function, "float"]
            for function, kind in costs for prefix in ("half_", "native_")
            if function.startswith(prefix)}


def cost_tables():
    costs = read_costs()
    conversions = {key for key in costs if key[0].startswith("convert_")}
    half_and_native = {key for key in costs if key[0].startswith(("half_", "native_"))}
    of_numbers = {key for key in costs.keys() - conversions - half_and_native if key[1] in TYPES}
    of_integers = costs.keys() - conversions - half_and_native - of_numbers
    def some(keys):
        return {key: costs[key] for key in keys}
    yield from cost_table("function", some(of_numbers), TYPES)
    yield ""
    yield from cost_table("function", half_and_native_costs(costs), ("half_", "native_"))
    yield ""
    yield from cost_table("function", some(of_integers), INTEGER_TYPES)
    yield ""
    yield from cost_table("to from", some(conversions), INTEGER_TYPES + TYPES, with_extremes=False)


def recorded(folder=EXPECTATIONS):
    """{machine: {SUITE/TEST: (status, reason)}} of the expectations that the runner has written."""
    return {path.stem: Expectations(path).entries for path in sorted(folder.glob("*.txt"))}


def counted(statuses):
    count = collections.Counter(statuses)
    return ", ".join(f"{count[status]} {status}" for status in sorted(count)) or "none was run"


def section_rows():
    suites = tomllib.loads(SUITES.read_text())["suite"]
    for machine, entries in recorded().items():
        for suite, table in suites.items():
            if not any(name.startswith(suite + "/") for name in entries):
                continue  # it was not run on this machine
            for section, patterns in table["section"].items():
                found = [status for name, (status, _) in entries.items()
                         if any(fnmatch.fnmatchcase(name, f"{suite}/{p}") for p in patterns)]
                yield f"| {section} | `{suite}` | {machine} | {counted(found)} |"


def cts_table():
    machines = recorded()
    suites = {name.split("/")[0] for entries in machines.values() for name in entries}
    yield "| suite | " + " | ".join(machines) + " |"
    yield "|---" * (1 + len(machines)) + "|"
    for suite in sorted(suite for suite in suites if suite.startswith("cts.")):
        found = [[entry for name, entry in entries.items() if name.startswith(suite + "/")]
                 for entries in machines.values()]
        yield f"| `{suite}` | " + " | ".join(map(cts_cell, found)) + " |"


def full_length_rows():
    for machine, entries in recorded(IN_FULL_LENGTH).items():
        suites = collections.defaultdict(list)
        for name, (status, reason) in entries.items():
            suite, test = name.split("/")
            suites[suite].append((f"`{test}`" + (f" ({reason})" if reason else ""), status))
        for suite, tests in sorted(suites.items()):
            names = ", ".join(test for test, _ in sorted(tests))
            yield f"| `{suite}` | {machine} | {counted(status for _, status in tests)} | {names} |"


def cts_cell(entries):
    """Statuses; the reason of a pass says how it was shortened."""
    shortened = sum(status == "pass" and bool(reason) for status, reason in entries)
    return (counted(status for status, _ in entries) if entries else "–") + (
        f" ({shortened} shortened)" if shortened else "")


def shortened_rows():
    for machine, entries in recorded().items():
        found = collections.defaultdict(list)
        for name, (status, reason) in entries.items():
            if status == "pass" and reason:
                found[name.split("/")[0], reason].append(name)
        for (suite, reason), names in sorted(found.items()):
            yield f"| {machine} | `{suite}` | {reason} | {len(names)} |"


def reason_rows():
    found = collections.defaultdict(set)
    for entries in recorded().values():
        for name, (status, reason) in entries.items():
            if name.startswith("cts.") and status != "pass":
                found[status, reason].add(name)
    for (status, reason), names in sorted(found.items(), key=lambda row: (row[0][0], -len(row[1]))):
        suites = sorted({name.split("/")[0].removeprefix("cts.") for name in names})
        yield f"| {status} | {reason} | {len(names)} | {', '.join(suites)} |"


def document(results):
    points = min(inputs for (function, _), (inputs, _, _) in results.worst.items()
                 if function not in LIMITED and not is_of_float_only(function)
                 and inputs not in EVERY)
    return "\n".join([
        "# Measured accuracy and tested features",
        "Generated by `docs/conformance.py` from results of `./dev test --long`, collected over several",
        "runs (`docs/conformance.csv`), and from the table of features. A test checks that it is up to",
        "date.",
        "",
        "## Accuracy",
        "Largest errors in ULPs relative to MPFR, measured on the device (QEMU, VLEN 512) by",
        f"`library.Accuracy.…OnDevice`, for at least {points} points per function: all pairs of special",
        "values, every exponent, the range in which the function varies, and random bits. *All* means every",
        "value of the type; for float that was measured with the library compiled for the build machine",
        "(`library.Accuracy.EveryValue`), and the device gives identical bits on all of its points.",
        "",
        "- Vectors give the same bits as scalars (`library.Device@v512`; calls of every width",
        "  `library.Device@v128`), and so do harts without a vector unit (`library.Device@rv64gc`).",
        "- half is computed in float and rounded once: 0.505 ULPs are allowed.",
        "- *Allowed* is the full profile's limit for float and double. lgamma has none; below zero its",
        "  error is given in ULPs of the larger term of a difference.",
        "- Functions with two results have two rows.",
        "- Under `-cl-fast-relaxed-math`, float has the same limits or those of OpenCL C 3.0, 7.4",
        "  (`Accuracy.RelaxedOnDevice`).",
        "",
        "| function | half | float | double | allowed |",
        "|---|---|---|---|---|",
        *math_rows(results),
        "",
        "Common and geometric functions, with the limit for each type (OpenCL 3.0's full profile; for mix",
        "and smoothstep our own). dot and cross are in units of max² epsilon, where max is the largest",
        "component. Geometric functions show the vector width that is closest to its limit",
        "(`library.GeometricFunctions`).",
        "",
        "| function | half | float | double |",
        "|---|---|---|---|",
        *limited_rows(results),
        "",
        "half_ functions may have an error of 8192 ULPs. We apply the same limit to native_ functions for",
        "normal arguments and results. Circular functions are tested from -2^16 to 2^16 (half_) and from",
        "-2^13 to 2^13 (native_).",
        "",
        "| function | half_ | native_ |",
        "|---|---|---|",
        *half_and_native_rows(results),
        "",
        "## Cost of functions",
        "Instructions that a work-item retires at VLEN 512 in a kernel that calls the function once,",
        "including loop, loads and stores, which are all that fabs needs (`./dev bench library`). Behind the",
        "slash: when one argument in sixteen is zero, denormal, close to the largest, infinite, or NaN.",
        "Geometric functions are those of three components, `dot` and `dot_acc_sat` of char those of char4.",
        "",
        *cost_tables(),
        "",
        "## Features",
        "Every feature in `hal/protocol/features.def` with its tests, all of which have passed.",
        "",
        "| feature | supported by | tests |",
        "|---|---|---|",
        *feature_rows(results),
        "",
        "## OpenCL 3.1",
        "What OpenCL 3.1 changes, as its documents list it, and the tests, all of which have passed.",
        "",
        "| document | change | tests |",
        "|---|---|---|",
        *change_rows(results),
        "",
        "## Sections that no CTS covers",
        "Run them with `rivulet conformance run --suites rivulet --set build=build/release`. The manifest is",
        "`tools/conformance/suites/rivulet.toml`; results are in `tools/conformance/expectations`.",
        "",
        "| section | suite | machine | tests |",
        "|---|---|---|---|",
        *section_rows(),
        "",
        "## OpenCL-CTS",
        "Results of the parts that were run (`--cts`, the CTS's own lists in wimpy mode). They are no claim",
        "of conformance; [submission.md](submission.md) says what that requires. The head of each file in",
        "`tools/conformance/expectations` says what was left out on a machine.",
        "",
        *cts_table(),
        "",
        "Tests shortened beyond wimpy mode:",
        "",
        "| machine | suite | how | sub-tests |",
        "|---|---|---|--:|",
        *shortened_rows(),
        "",
        "Sub-tests that were run in full length (`--full`); results are in",
        "`tools/conformance/expectations-full`. On devices of the embedded profile, the CTS itself takes one input",
        "of 64 in `bruteforce`, and one of 16 in `conversions` if they have 32 or 64 bits.",
        "",
        "| suite | machine | result | sub-tests |",
        "|---|---|---|---|",
        *full_length_rows(),
        "",
        "Reasons why sub-tests did not pass (each counted once for all machines):",
        "",
        "| status | reason | sub-tests | suites |",
        "|---|---|--:|---|",
        *reason_rows(),
        ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("results", nargs="*", metavar="RESULTS")
    arguments = parser.parse_args()
    results = Results()
    if arguments.check:
        if DOCUMENT.is_file() and DOCUMENT.read_text() == document(results):
            return 0
        print("docs/conformance.md is not up to date; run docs/conformance.py")
        return 1
    if arguments.results:
        results.take_over(pathlib.Path(path).read_text() for path in arguments.results)
        results.save()
    DOCUMENT.write_text(document(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
