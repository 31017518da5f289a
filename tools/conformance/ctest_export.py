# SPDX-License-Identifier: Apache-2.0
"""Writes tests as a CTestTestfile.cmake, for use with CTest instead of another runner."""
import pathlib

import kinds

# How each kind reports a skipped test in its output.
SKIPPED = {"gtest": r"\\[  SKIPPED \\]", "cts": r"SKIPPED 1 of 1", "piglit": r'"result": "skip"'}
FAILED = {"piglit": r'"result": "(fail|crash)"'}


def quoted(text):
    """A bracket argument, in which CMake does no substitutions."""
    depth = 1
    while "]" + "=" * depth + "]" in text or text.endswith("]" + "=" * depth):
        depth += 1
    bars = "=" * depth
    return f"[{bars}[{text}]{bars}]"


def write(items, common, folder):
    lines = ["# Written by `rivulet conformance ctest`."]
    for item in items:
        kind, name = kinds.KINDS[item.suite.kind], quoted(item.key.replace(" ", "."))
        settings = [f"{key}={value}".replace("\\", "\\\\").replace(";", "\\;")
                    for key, value in {**common, **item.settings}.items()]
        command = " ".join(quoted(word) for word in item.command)
        properties = [("ENVIRONMENT", ";".join(settings)),
                      ("TIMEOUT", f"{item.suite.timeout_of(item.test):g}"),
                      ("LABELS", f"{item.suite.name};{item.machine.name}".replace("\\", "")),
                      ("SKIP_RETURN_CODE", str(kinds.SKIPPED_EXIT_CODE))]
        if item.suite.kind in SKIPPED:
            properties.append(("SKIP_REGULAR_EXPRESSION", SKIPPED[item.suite.kind].replace(
                "\\\\", "\\")))
        if item.suite.kind in FAILED:
            properties.append(("FAIL_REGULAR_EXPRESSION", FAILED[item.suite.kind]))
        if work := kind.folder(item.suite):
            properties.append(("WORKING_DIRECTORY", work))
        lines.append(f"add_test({name} {command})")
        lines.append(f"set_tests_properties({name} PROPERTIES "
                     + " ".join(f"{key} {quoted(value)}" for key, value in properties) + ")")
    path = pathlib.Path(folder) / "CTestTestfile.cmake"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n")
    return path
