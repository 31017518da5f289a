# SPDX-License-Identifier: Apache-2.0
"""The report as a single HTML file, which CI systems can display; only its search needs scripts."""
import collections
import html
import pathlib

import plots
from progress import duration

LOG_TAIL = 12000
MOST_LOGS = 200  # failures shown with a log, per list
SLOWEST = 25
FACTS = {"rivulet": "Rivulet", "started": "started", "host": "host", "qemu": "QEMU",
         "cts": "OpenCL-CTS"}


def escape(text):
    return html.escape(str(text))


def badge(status):
    return f'<span class="badge {plots.CLASS[status]}">{status}</span>'


def tile(label, value, style=""):
    return f'<div class="tile {style if value else ""}"><b>{escape(value)}</b>{escape(label)}</div>'


def table(head, rows):
    cells = "".join(f"<th>{escape(name)}</th>" for name in head)
    return (f'<div class="wide"><table><thead><tr>{cells}</tr></thead><tbody>'
            + "".join(f"<tr>{''.join(row)}</tr>" for row in rows) + "</tbody></table></div>")


def cell(content):
    return f"<td>{content}</td>"


def number(content):
    return f'<td class="number">{escape(content)}</td>'


def head(results):
    worse, lost = len(results.of_outcome("worse")), len(results.lost)
    if results.green:
        sentence = "Nothing is worse than expected."
    else:
        parts = [f"{worse} {'result is' if worse == 1 else 'results are'} worse than expected"] \
            if worse else []
        parts += [f"{lost} expected {'test is' if lost == 1 else 'tests are'} gone"] if lost else []
        if machines := results.lost_machines:
            parts.append(f"{len(machines)} expected {'machine is' if len(machines) == 1 else 'machines are'} gone")
        sentence = " and ".join(parts) + "."
    counts = results.counts()
    bad = sum(counts.get(s, 0) for s in ("fail", "crash", "hang", "error"))
    better = len(results.of_outcome("better"))
    machines, suites = len(results.plan.machines), len(results.plan.suites)
    return [
        "<h1>OpenCL conformance</h1>",
        f'<p class="soft">{len(results.results)} results on {machines} '
        f"{'machine' if machines == 1 else 'machines'}, {suites} "
        f"{'suite' if suites == 1 else 'suites'}</p>",
        f'<div class="verdict {"" if results.green else "red"}"><b>'
        f"{'Green' if results.green else 'Red'}.</b> {sentence}</div>",
        table(["built from, run on", ""], [[cell(escape(FACTS.get(name, name))), cell(escape(text))]
                                for name, text in results.plan.facts.items()]),
        '<div class="tiles">', tile("pass", counts.get("pass", 0), "green"),
        tile("skip", counts.get("skip", 0)), tile("flaky", counts.get("flaky", 0), "amber"),
        tile("fail, crash or hang", bad, "red"),
        tile("missing", counts.get("missing", 0), "red"), tile("worse than expected", worse, "red"),
        tile("better than expected", better, "green"),
        tile("of tests' time", duration(sum(r.seconds for r in results.results))), "</div>"]


def matrix(results):
    groups = collections.defaultdict(list)
    for result in results.results:
        groups[result.suite, result.machine].append(result)
    rows = []
    for suite, machine in sorted(groups):
        members = groups[suite, machine]
        counts = results.counts(members)
        counted = len(members) - counts.get("skip", 0)
        rate = f"{100 * counts.get('pass', 0) / counted:.1f} %" if counted else "–"
        rows.append([cell(escape(suite)), cell(escape(machine)), cell(plots.stacked(counts)),
                     number(rate), number(f"{counts.get('pass', 0)} of {counted}"),
                     number(counts.get("skip", 0)),
                     number(duration(sum(r.seconds for r in members)))])
    key = "".join(f'<i class="{style}"></i>{style}' for style in ("pass", "skip", "flaky", "fail"))
    return ["<h2>Pass rates</h2>", f'<p class="soft key">Skipped tests do not count.{key}</p>',
            table(["suite", "machine", "", "rate", "passed", "skipped", "time"], rows)]


def one(results, result, with_log):
    attempts = ", ".join(f"{a['status']} after {a['seconds']:.3g} s" for a in result.attempts)
    parts = [f"<details><summary>{badge(result.status)} {escape(result.name)} "
             f'<span class="machine">on {escape(result.machine)}</span></summary>']
    if result.expected:
        parts.append(f"<p>Expected: {result.expected}"
                     + (f" ({escape(result.reason)})" if result.reason else "") + "</p>")
    if note := result.last.get("note"):
        parts.append(f"<p>{escape(note)}</p>")
    parts.append(f'<p class="soft">Attempts: {escape(attempts or "none")}</p>')
    if result.repeat:
        parts.append(f"<p>To repeat it:</p><pre>{escape(result.repeat)}</pre>")
    log = results.log_of(result.last) if with_log else ""
    if log:
        cut = "" if len(log) <= LOG_TAIL else f"[… {len(log) - LOG_TAIL} characters left out …]\n"
        parts.append(f"<pre>{escape(cut + log[-LOG_TAIL:])}</pre>")
    return "".join(parts) + "</details>"


def list_of(results, title, sentence, members):
    if not members:
        return []
    return [f"<h2>{title} ({len(members)})</h2>", f'<p class="soft">{sentence}</p>',
            *(one(results, result, index < MOST_LOGS) for index, result in enumerate(members))]


def problems(results):
    parts = []
    if results.lost:
        items = "".join(f"<li>{escape(key)}</li>" for key in results.lost)
        parts += [f"<h2>Tests that are gone ({len(results.lost)})</h2>", '<p class="soft">The '
                  f"expectations name them, and the run does not have them.</p><ul>{items}</ul>"]
    if results.lost_machines:
        items = "".join(f"<li>{escape(name)}</li>" for name in results.lost_machines)
        parts += [f"<h2>Machines that are gone ({len(results.lost_machines)})</h2>",
                  '<p class="soft">There are expectations of them, and the run does not have them.'
                  f"</p><ul>{items}</ul>"]
    failing = [r for r in results.of_outcome("ok") if r.status not in ("pass", "skip", "flaky")]
    parts += list_of(results, "Worse than expected", "These make the run red.",
                     results.of_outcome("worse"))
    parts += list_of(results, "Better than expected",
                     "<code>--update</code> makes these the expectation.",
                     results.of_outcome("better"))
    parts += list_of(results, "Flaky", "Some attempts passed and some did not.",
                     [r for r in results.results if r.status == "flaky" and r.outcome != "worse"])
    parts += list_of(results, "Known failures", "These are as expected.", failing)
    return parts


def times(results):
    run = [r for r in results.results if r.attempts]
    slowest = sorted(run, key=lambda r: (-r.seconds, r.key))[:SLOWEST]
    rows = [(f"{r.name} {r.machine}", r.seconds, duration(r.seconds), plots.CLASS[r.status])
            for r in slowest]
    return ["<h2>Times</h2>", '<p class="soft">Number of tests by the time they took, and the '
            "slowest ones.</p>", plots.histogram([r.seconds for r in run]),
            plots.bars(rows, "s") if rows else ""]


def accuracy(results):
    rows, exact = collections.defaultdict(list), collections.defaultdict(list)
    for machine, function, kind, error, limit in results.accuracy():
        if error == 0 and not limit:
            exact[machine, kind].append(function)
        elif limit:
            rows[machine, kind].append((function, 100 * error / limit, f"{error:.3g} of {limit:g}",
                                        "fail" if error > limit else "neutral"))
        else:
            rows[machine, kind + ", ULP"].append((function, error, f"{error:.3g}", "neutral"))
    parts = ["<h2>Errors in ULP</h2>", '<p class="soft">The largest that was seen of each '
             "function, as a share of what is allowed.</p>"] if rows or exact else []
    for key in sorted({*rows, *exact}):
        parts.append(f"<h3>{escape(key[1])} on {escape(key[0])}</h3>")
        if exact[key]:
            parts.append(f'<p class="soft">Exact, as they must be: {escape(", ".join(exact[key]))}.'
                         "</p>")
        if rows[key]:
            parts.append(plots.bars(rows[key], "ULP" if key[1].endswith("ULP") else "%", left=150))
    return parts


def comparison(results, baseline):
    """`baseline` is report.json of another run."""
    before = {(r["machine"], r["test"]): r for r in baseline["results"]}
    changes, points, added = [], [], 0
    for r in results.results:
        old = before.pop((r.machine, r.name), None)
        if old is None:
            added += 1
            continue
        if old["status"] != r.status:
            changes.append([cell(escape(r.name)), cell(escape(r.machine)),
                            cell(badge(old["status"])), cell(badge(r.status))])
        if r.attempts and old["seconds"]:
            points.append((old["seconds"], round(r.seconds, 3), r.key))
    total_before, total = sum(p[0] for p in points), sum(p[1] for p in points)
    parts = ["<h2>Against the other run</h2>",
             f"<p>{len(changes)} results differ, {added} tests are new, {len(before)} are no longer "
             f"there. The {len(points)} tests that both ran took {duration(total_before)} then and "
             f"{duration(total)} now.</p>"]
    if changes:
        parts.append(table(["test", "machine", "before", "now"], changes))
    if points:
        parts.append(plots.scatter(points))
    return parts


def not_run(results):
    plan = results.plan
    if not plan.absent and not plan.avoided:
        return []
    parts = ["<h2>Not run</h2>"]
    if plan.absent:
        parts.append('<p class="soft">The list names these suites, but their programs are not '
                     f"built: {escape(', '.join(plan.absent))}.</p>")
    if plan.avoided:
        parts.append(table(["avoided", "reason"],
                           ([cell(escape(key)), cell(escape(why))] for key, why in plan.avoided)))
    return parts


# Without scripts, which some CI systems block, all rows are shown.
SEARCH = """<script>
const box = document.getElementById("filter"), rows = document.querySelectorAll("#all tbody tr");
box.hidden = false;
box.addEventListener("input", () => {
  const words = box.value.toLowerCase().split(/\\s+/);
  let shown = 0;
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = !words.every(word => text.includes(word));
    shown += !row.hidden;
  }
  document.getElementById("shown").textContent = `${shown} of ${rows.length}`;
});
</script>"""


def everything(results):
    rows = ([cell(escape(r.name)), cell(escape(r.machine)), cell(badge(r.status)),
             number(duration(r.seconds) if r.attempts else "–")]
            for r in sorted(results.results, key=lambda r: r.key))
    return [f"<h2>All results ({len(results.results)})</h2>",
            '<p><input id="filter" type="search" placeholder="words of test, machine or result" hidden '
            'aria-label="filter results"> <span id="shown" class="soft"></span></p>',
            '<div id="all">', table(["test", "machine", "result", "time"], rows), "</div>", SEARCH]


def document(title, body):
    style = (pathlib.Path(__file__).parent / "page.css").read_text()
    return ('<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{escape(title)}</title><style>\n{style}</style></head><body>\n"
            + "\n".join(body) + "\n</body></html>\n")


def render(results, baseline=None):
    body = [*head(results), *problems(results), *matrix(results), *not_run(results)]
    if baseline:
        body += comparison(results, baseline)
    body += [*accuracy(results), *times(results), *everything(results)]
    return document(f"{'Green' if results.green else 'Red'}: OpenCL conformance", body)
