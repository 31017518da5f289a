# SPDX-License-Identifier: Apache-2.0
"""Plots as SVG that a page holds as text; colours are the page's variables."""
import html
import math

ORDER = ("pass", "skip", "flaky", "fail", "crash", "hang", "error", "missing")
CLASS = {"pass": "pass", "skip": "skip", "flaky": "flaky", "fail": "fail", "crash": "fail",
         "hang": "fail", "error": "fail", "missing": "fail"}


def svg(width, height, parts, label):
    return (f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
            f'aria-label="{html.escape(label)}">' + "".join(parts) + "</svg>")


def text(x, y, content, anchor="start", style="", title=""):
    tip = f"<title>{html.escape(title)}</title>" if title else ""
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{style}">'
            f"{tip}{html.escape(content)}</text>")


def rectangle(x, y, width, height, style, title=""):
    tip = f"<title>{html.escape(title)}</title>" if title else ""
    return (f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0.5):.1f}" height="{height:.1f}" '
            f'class="{style}">{tip}</rect>')


def stacked(counts, width=220, height=14):
    """A bar of statuses; every status that occurs gets at least three pixels."""
    total = sum(counts.values())
    if not total:
        return ""
    shown = [status for status in ORDER if counts.get(status)]
    free = width - 3 * len(shown)
    x, parts = 0.0, []
    for status in shown:
        wide = 3 + free * counts[status] / total
        parts.append(rectangle(x, 0, wide, height, CLASS[status],
                               f"{counts[status]} of {total}: {status}"))
        x += wide
    return svg(width, height, parts, ", ".join(f"{counts[s]} {s}" for s in shown))


def nice_ceiling(value):
    if value <= 0:
        return 1.0
    step = 10 ** math.floor(math.log10(value))
    return next(factor * step for factor in (1, 2, 5, 10) if factor * step >= value)


def bars(rows, unit, left=330, width=900):
    """Horizontal bars: (label, value, text next to it, class). The scale ends at the largest."""
    right, pitch = 110, 20
    top = nice_ceiling(max(row[1] for row in rows))
    scale = (width - left - right) / top
    height = pitch * len(rows) + 26
    parts = []
    for tick in range(5):
        x = left + scale * top * tick / 4
        parts.append(f'<line x1="{x:.1f}" y1="0" x2="{x:.1f}" y2="{height - 22}" class="grid"/>')
        parts.append(text(x, height - 6, f"{top * tick / 4:g} {unit}", "middle", "axis"))
    for row, (label, value, beside, style) in enumerate(rows):
        y = row * pitch + 3
        short = label if len(label) <= 46 else label[:22] + "…" + label[-23:]
        parts.append(text(left - 8, y + 11, short, "end", "label", label))
        parts.append(rectangle(left, y, value * scale, 13, style, f"{label}: {beside}"))
        parts.append(text(left + value * scale + 6, y + 11, beside, "start", "value"))
    return svg(width, height, parts, f"bars in {unit}")


def histogram(values, width=900, height=170):
    """Number of tests by time, on a logarithmic scale with two bins per octave."""
    if not values:
        return ""
    low = math.floor(2 * math.log2(max(min(values), 1 / 64)))
    high = max(low + 8, math.floor(2 * math.log2(max(max(values), 1 / 64))) + 1)
    bins = [0] * (high - low)
    for value in values:
        bins[min(max(math.floor(2 * math.log2(max(value, 1 / 64))) - low, 0), len(bins) - 1)] += 1
    most, left, floor = max(bins), 40, height - 24
    wide = (width - left - 10) / len(bins)
    parts = [f'<line x1="{left}" y1="{floor}" x2="{width}" y2="{floor}" class="grid"/>',
             text(left - 6, 14, str(most), "end", "axis"), text(left - 6, floor, "0", "end", "axis")]
    every = max(2, 2 * round(len(bins) / 24))
    for index, count in enumerate(bins):
        seconds = 2 ** ((low + index) / 2)
        x = left + index * wide
        tall = (floor - 6) * count / most
        if count:
            parts.append(rectangle(x + 1, floor - tall, wide - 2, tall, "neutral",
                                   f"{count} tests of {seconds:.3g} to {seconds * 1.414:.3g} s"))
        if index % every == 0:
            parts.append(text(x, height - 8, f"{seconds:.3g} s", "middle", "axis"))
    return svg(width, height, parts, "number of tests by time")


def lines(series, labels, unit, width=900, height=220):
    """Values over runs: series are (name, values); labels are those of the runs."""
    values = [value for _, points in series for value in points]
    top = nice_ceiling(max(values, default=0))
    left, right, floor = 60, 70, height - 30
    pitch = (width - left - right) / max(1, len(labels) - 1)

    def place(index, value):
        return left + index * pitch, floor - (floor - 14) * value / top

    parts = []
    for tick in range(5):
        _, y = place(0, top * tick / 4)
        parts.append(f'<line x1="{left}" y1="{y:.1f}" x2="{width - right}" y2="{y:.1f}" class="grid"/>')
        parts.append(text(left - 8, y + 4, f"{top * tick / 4:g} {unit}".strip(), "end", "axis"))
    every = max(1, math.ceil(len(labels) / 9))
    for index, label in enumerate(labels):
        if index % every == 0:
            parts.append(text(place(index, 0)[0], height - 10, label, "middle", "axis"))
    for number, (name, points) in enumerate(series):
        style = "neutral" if number == 0 else "skip"
        ends = [place(index, value) for index, value in enumerate(points)]
        parts.append(f'<polyline class="line {style}" points="'
                     + " ".join(f"{x:.1f},{y:.1f}" for x, y in ends) + '"/>')
        for (x, y), value, label in zip(ends, points, labels):
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" class="{style}"><title>'
                         f"{html.escape(label)}: {value:g} {unit} {html.escape(name)}</title></circle>")
        x, y = ends[-1]
        parts.append(text(x + 8, y + 4 + 12 * number * (abs(y - place(0, series[0][1][-1])[1]) < 10),
                          name, "start", "value"))
    return svg(width, height, parts, ", ".join(name for name, _ in series) + " over runs")


def scatter(points, width=430, height=430):
    """Compares the times of two runs: (before, now, label), on logarithmic scales."""
    values = [max(v, 0.01) for before, now, _ in points for v in (before, now)]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)) + 1e-9)
    high = max(high, low + 1)
    left, bottom = 80, height - 40

    def fraction(value):
        return (math.log10(max(value, 0.01)) - low) / (high - low)

    parts = []
    for decade in range(low, high + 1):
        at = (decade - low) / (high - low)
        x, y = left + at * (width - left - 15), bottom - at * (bottom - 15)
        parts.append(f'<line x1="{x:.1f}" y1="15" x2="{x:.1f}" y2="{bottom}" class="grid"/>')
        parts.append(f'<line x1="{left}" y1="{y:.1f}" x2="{width - 15}" y2="{y:.1f}" '
                     'class="grid"/>')
        parts.append(text(x, bottom + 16, f"{10 ** decade:g} s", "middle", "axis"))
        parts.append(text(left - 6, y + 4, f"{10 ** decade:g} s", "end", "axis"))
    parts.append(f'<line x1="{left}" y1="{bottom}" x2="{width - 15}" y2="15" class="limit"/>')
    for before, now, label in points:
        x = left + fraction(before) * (width - left - 15)
        y = bottom - fraction(now) * (bottom - 15)
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" class="dot"><title>'
                     f"{html.escape(label)}: {before:g} s, now {now:g} s</title></circle>")
    parts.append(text((left + width) / 2, height - 6, "before", "middle", "axis"))
    parts.append(text(12, (15 + bottom) / 2, "now", "middle", "axis"))
    return svg(width, height, parts, "times of both runs")
