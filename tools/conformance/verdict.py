# SPDX-License-Identifier: Apache-2.0
"""Statuses of tests, and how they are combined over several attempts."""

# From good to bad. A result is worse than expected if it comes later here.
SEVERITY = {"pass": 0, "skip": 1, "flaky": 2, "fail": 3, "crash": 4, "hang": 4, "error": 5,
            "missing": 6}
GOOD = {"pass", "skip"}


def of_attempts(statuses):
    """The combined status of all attempts: good and bad ones make the test flaky."""
    if not statuses:
        return "missing"
    bad = [status for status in statuses if status not in GOOD]
    if not bad:
        return "pass" if "pass" in statuses else "skip"
    if len(bad) < len(statuses):
        return "flaky"
    return max(bad, key=lambda status: SEVERITY[status])


def is_done(statuses, tries):
    """True if no further attempt is needed."""
    return bool(statuses) and (statuses[-1] in GOOD or len(statuses) >= tries)
