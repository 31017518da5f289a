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
    gone = [*((key, "expected, but the run has no such test") for key in results.lost),
            *((name, "there are expectations of this machine, but the run does not have it")
              for name in results.lost_machines)]
    if gone:
        element = tree.SubElement(root, "testsuite", name="what is gone", tests=str(len(gone)),
                                  failures=str(len(gone)))
        for name, message in gone:
            case = tree.SubElement(element, "testcase", name=name, classname="gone")
            tree.SubElement(case, "failure", message=message)
    tree.indent(root)
    text = UNPRINTABLE.sub("\ufffd", tree.tostring(root, "unicode"))  # logs and names may contain anything
    return '<?xml version="1.0" encoding="utf-8"?>\n' + text + "\n"
