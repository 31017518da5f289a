# SPDX-License-Identifier: Apache-2.0
"""results.csv as a plot: geomeans over time, a colour for each column, dashed for the measured half."""
import csv
import math

COLOURS = {"v128": "#9aa5b1", "v512": "#5b8def", "v1024": "#1f4e9d", "x60": "#d1495b", "x280": "#2e8b57"}
NAMES = {"v128": "instructions, VLEN 128", "v512": "instructions, VLEN 512",
         "v1024": "instructions, VLEN 1024", "x60": "cycles, X60", "x280": "cycles, X280"}
LEFT, TOP, WIDTH, HEIGHT, KEY = 50, 20, 560, 300, 200


def draw(results, path):
    with results.open() as file:
        rows = list(csv.DictReader(file))
    runs = list(dict.fromkeys((row["date"], row["commit"]) for row in rows))
    values = {(row["date"], row["commit"], row["column"], row["half"]): float(row["geomean"])
              for row in rows}
    low = math.floor(2 * math.log2(min(1.0, *values.values()))) / 2
    high = math.ceil(2 * math.log2(max(values.values()))) / 2

    def x(run):
        return LEFT + WIDTH * (runs.index(run) + 0.5) / len(runs)

    def y(value):
        return TOP + HEIGHT * (high - math.log2(value)) / (high - low)

    parts = []
    for power in range(math.ceil(low), math.floor(high) + 1):
        at = y(2 ** power)
        parts.append(f'<line x1="{LEFT}" x2="{LEFT + WIDTH}" y1="{at:.1f}" y2="{at:.1f}" stroke="#ddd"/>'
                     f'<text x="{LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{2.0 ** power:g}×</text>')
    every = math.ceil(len(runs) / 7)
    for run in runs[::every]:
        parts.append(f'<text x="{x(run):.1f}" y="{TOP + HEIGHT + 18}" text-anchor="middle">{run[0]}</text>')
    for line, (column, colour) in enumerate(COLOURS.items()):
        for half, dash in (("look", ""), ("measure", ' stroke-dasharray="5 3"')):
            points = [(x(run), y(values[*run, column, half])) for run in runs
                      if (*run, column, half) in values]
            parts.append(f'<polyline fill="none" stroke="{colour}" stroke-width="1.5"{dash} points="'
                         + " ".join(f"{a:.1f},{b:.1f}" for a, b in points) + '"/>')
            parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" stroke="{colour}" '
                      f'fill="{colour if half == "look" else "#fff"}"/>' for a, b in points]
        at = TOP + 10 + 20 * line
        parts.append(f'<rect x="{LEFT + WIDTH + 15}" y="{at - 9}" width="10" height="10" fill="{colour}"/>'
                     f'<text x="{LEFT + WIDTH + 31}" y="{at}">{NAMES[column]}</text>')
    parts.append(f'<text x="{LEFT + WIDTH + 15}" y="{TOP + 120}">solid: for looking at</text>'
                 f'<text x="{LEFT + WIDTH + 15}" y="{TOP + 138}">dashed: only measured</text>')
    width, height = LEFT + WIDTH + KEY, TOP + HEIGHT + 30
    path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
                    f'height="{height}" font-family="sans-serif" font-size="12">'
                    f'<rect width="{width}" height="{height}" fill="#fff"/>{"".join(parts)}</svg>\n')
