# SPDX-License-Identifier: Apache-2.0
"""Results as signals of LAVA (docs.lavasoftware.org, "Test definition"): what a job prints on its
console in this form becomes a test case of the job."""
import re


def identifier(result):
    """Letters, digits, and _ - . only."""
    return re.sub(r"[^\w.-]+", ".", f"{result.name}.on.{result.machine}", flags=re.ASCII)


def write(results, stream):
    """A result that is as expected passes: LAVA knows no expectations."""
    for result in results.results:
        status = ("fail" if result.outcome == "worse" else "skip" if result.status == "skip"
                  else "pass")
        measured = f" UNITS=seconds MEASUREMENT={result.seconds:.3f}" if result.attempts else ""
        stream.write(f"<LAVA_SIGNAL_TESTCASE TEST_CASE_ID={identifier(result)} RESULT={status}"
                     f"{measured}>\n")
