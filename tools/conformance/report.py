# SPDX-License-Identifier: Apache-2.0
"""Writes report.html, report.json and junit.xml of a run, and prints a summary."""
import json
import pathlib

import junit
import page
from errors import UsageError

FEW = 20 # printed individually


def load_baseline(path):
    """Reads report.json of another run; the path may be that run's folder."""
    path = pathlib.Path(path)
    if path.is_dir():
        path /= "report.json"
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content["format"] != 1:
            raise UsageError(f"{path} is of another version of this command")
        facts = content.setdefault("facts", {})
        if not isinstance(content["counts"], dict) or \
                any(not isinstance(text, str) for text in facts.values()):
            raise ValueError
        for result in content["results"]:
            result["machine"], result["test"], result["status"], result["seconds"] + 0.0
        return content
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; name the folder or report.json of a run"
                         ) from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UsageError(f"{path} is no report.json of this command") from None


def write(results, folder, baseline=None):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("report.json", json.dumps(results.as_data(), indent=1) + "\n"),
                       ("junit.xml", junit.render(results)),
                       ("report.html", page.render(results, baseline))):
        (folder / name).write_text(text, encoding="utf-8")


def summarize(results, folder):
    """Prints the outcome; returns the exit code."""
    counts = ", ".join(f"{count} {status}" for status, count in results.counts().items())
    print(f"{len(results.results)} results: {counts}")
    if absent := results.plan.absent:
        print(f"  not built: {len(absent)} of {len(results.plan.named)} suites: "
              + ", ".join(absent[:FEW]) + " …" * (len(absent) > FEW))
    suites, tests = results.lost_by_suite()
    for (machine, suite), count in suites.items():
        print(f"  gone: {machine} {suite}: {count} expected {'test' if count == 1 else 'tests'}")
    for key in tests:
        print(f"  gone: {key}")
    for name in results.lost_machines:
        print(f"  gone: machine {name}, of which there are expectations")
    if suites or results.lost_machines:
        print("  (if this run is meant to be a part of what is expected, run it with --part or "
              "--only; if\n  they are gone for good, delete their lines)")
    missing = [result for result in results.of_outcome("worse") if result.status == "missing"]
    if len(missing) > FEW:
        print(f"  missing: {len(missing)} tests have no result; --resume runs them")
    for result in results.of_outcome("worse"):
        if result.status == "missing" and len(missing) > FEW:
            continue
        print(f"  worse: {result.key}: {result.status}, expected {result.expected or 'pass'}")
    for result in results.of_outcome("better"):
        print(f"  better: {result.key}: {result.status}, expected {result.expected}")
    if results.of_outcome("better"):
        print("  (--update makes what is better the expectation)")
    print(f"{'green' if results.green else 'red'}: {pathlib.Path(folder) / 'report.html'}")
    return 0 if results.green else 1
