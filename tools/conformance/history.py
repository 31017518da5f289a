# SPDX-License-Identifier: Apache-2.0
"""The history of a folder of runs as one HTML page: results and times over runs, and what changed.

Each folder in it with a report.json is a run. Runs are in the order of their start; those of reports
without one come first, by name.
"""
import pathlib

import page
import plots
from errors import UsageError
from progress import duration
from report import load_baseline

LAST = 40  # runs shown
CHANGES = 200  # shown per run


def load(folder):
    """[(name, report)] in order; raises UsageError if there is none."""
    folder = pathlib.Path(folder)
    runs = [(path.parent.name, load_baseline(path)) for path in sorted(folder.glob("*/report.json"))]
    if not runs:
        raise UsageError(f"{folder} has no folders with a report.json; name the folder in which the "
                         "--output folders of runs are")
    return sorted(runs, key=lambda run: (run[1]["facts"].get("started", ""), run[0]))


def seconds_of(report):
    return sum(result["seconds"] for result in report["results"])


def statuses(report):
    return {(r["machine"], r["test"]): r["status"] for r in report["results"]}


def changes(before, after):
    """Rows of tests whose result differs, and the numbers of those that came and went."""
    old, new = statuses(before), statuses(after)
    differ = [(key, old[key], new[key]) for key in sorted(old.keys() & new.keys())
              if old[key] != new[key]]
    return differ, len(new.keys() - old.keys()), len(old.keys() - new.keys())


def row(name, report, differ):
    facts = report["facts"]
    counts = report["counts"]
    return [page.cell(page.escape(facts.get("started", "–"))), page.cell(page.escape(name)),
            page.cell(page.escape(facts.get("rivulet", "–"))), page.cell(plots.stacked(counts)),
            page.number(counts.get("pass", 0)), page.number(counts.get("missing", 0)),
            page.number(sum(counts.values())), page.number(duration(seconds_of(report))),
            page.number("–" if differ is None else len(differ))]


def detail(name, differ, added, gone):
    rows = [[page.cell(page.escape(test)), page.cell(page.escape(machine)),
             page.cell(page.badge(before)), page.cell(page.badge(after))]
            for (machine, test), before, after in differ[:CHANGES]]
    more = f" (the first {CHANGES})" if len(differ) > CHANGES else ""
    return [f"<details><summary>{page.escape(name)}: {len(differ)} results changed{more}, {added} "
            f"tests are new, {gone} are gone</summary>",
            page.table(["test", "machine", "before", "after"], rows) if rows else "", "</details>"]


def render(runs):
    runs = runs[-LAST:]
    compared = [None] + [changes(one[1], two[1]) for one, two in zip(runs, runs[1:])]
    rows = [row(name, report, found and found[0])
            for (name, report), found in zip(runs, compared)]
    labels = [report["facts"].get("started", name)[:10] for name, report in runs]
    body = [
        "<h1>History of conformance runs</h1>",
        f'<p class="soft">{len(runs)} runs, the latest last.</p>',
        page.table(["started", "run", "build", "", "passed", "missing", "of", "time", "changed"],
                   rows),
        "<h2>Tests that passed</h2>",
        plots.lines([("passed", [r["counts"].get("pass", 0) for _, r in runs]),
                     ("all", [sum(r["counts"].values()) for _, r in runs])], labels, ""),
        "<h2>Times of tests, added up</h2>",
        plots.lines([("time", [seconds_of(r) / 3600 for _, r in runs])], labels, "h"),
        "<h2>What changed</h2>"]
    for (name, _), found in list(zip(runs, compared))[:0:-1]:
        if any(found):
            body += detail(name, *found)
    return page.document("History of conformance runs", body)


def write(folder, output):
    output = pathlib.Path(output)
    runs = load(folder)
    output.write_text(render(runs), encoding="utf-8")
    return [{"run": name, "started": report["facts"].get("started", ""),
             "build": report["facts"].get("rivulet", ""), "counts": report["counts"],
             "seconds": round(seconds_of(report), 3)} for name, report in runs]
