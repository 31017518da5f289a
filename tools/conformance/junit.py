# SPDX-License-Identifier: Apache-2.0
"""JUnit XML, as Jenkins, GitLab and GitHub's actions read it.

What is as expected passes: a failure that is expected is a skipped test here, with its reason, so
that the CI system's colour is that of the run.
"""
import re
import xml.etree.ElementTree as tree

LOG_TAIL = 20000
UNPRINTABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def case_of(parent, results, result):
    case = tree.SubElement(parent, "testcase", name=result.name.split("/", 1)[1],
                           classname=f"{result.machine}.{result.suite}",
                           time=f"{result.seconds:.3f}")
    note = result.last.get("note", "")
    if result.outcome == "worse":
        kind = "error" if result.status in ("error", "missing", "crash") else "failure"
        message = f"{result.status}, expected {result.expected or 'pass'}"
        problem = tree.SubElement(case, kind, type=result.status,
                                  message=message + (f": {note}" if note else ""))
        problem.text = results.log_of(result.last)[-LOG_TAIL:] + (
            f"\n\nTo repeat it:\n{result.repeat}\n" if result.repeat else "")
    elif result.status not in ("pass", "flaky"):
        message = result.status
        if result.status != "skip":
            message += f", as expected: {result.reason or 'no reason given'}"
        tree.SubElement(case, "skipped", message=message)
    if result.status == "flaky":
        tree.SubElement(case, "system-out").text = (
            "flaky: " + ", ".join(attempt["status"] for attempt in result.attempts))


def render(results):
    root = tree.Element("testsuites", name="rivulet conformance")
    groups = {}
    for result in results.results:
        groups.setdefault((result.machine, result.suite), []).append(result)
    for (machine, suite), members in groups.items():
        element = tree.SubElement(
            root, "testsuite", name=f"{suite} on {machine}", tests=str(len(members)))
        for result in members:
            case_of(element, results, result)
        for name, tags in (("failures", ("failure",)), ("errors", ("error",)),
                           ("skipped", ("skipped",))):
            element.set(name, str(sum(case.find(tag) is not None
                                      for case in element for tag in tags)))
        element.set("time", f"{sum(result.seconds for result in members):.3f}")
    if results.lost:
        element = tree.SubElement(root, "testsuite", name="tests that are gone",
                                  tests=str(len(results.lost)), failures=str(len(results.lost)))
        for key in results.lost:
            case = tree.SubElement(element, "testcase", name=key, classname="gone")
            tree.SubElement(case, "failure", message="expected, but its suite has no such test")
    tree.indent(root)
    text = UNPRINTABLE.sub("\ufffd", tree.tostring(root, "unicode"))  # logs and names have anything
    return '<?xml version="1.0" encoding="utf-8"?>\n' + text + "\n"
