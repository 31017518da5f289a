# SPDX-License-Identifier: Apache-2.0
"""The compiler benchmark as one HTML file: a bar chart and a table per vector length."""
import html
import math

COLOURS = {"scalar": "#9aa5b1", "loopvec": "#5b8def", "ours": "#d1495b", "hand_spmd": "#2e8b57",
           "hand": "#1f4e3d"}
BAR, GAP, LEFT, WIDTH = 9, 10, 110, 640
STYLE = ("body{font:14px sans-serif;margin:2em}td,th{padding:2px 10px;text-align:right}"
         "td:first-child{text-align:left}table{border-collapse:collapse}tr:nth-child(even)"
         "{background:#f3f5f7}")


def chart(kernels, variants, values):
    """Instructions per work-item relative to hand_spmd, on a logarithmic scale."""
    ratios = {key: value / values[key[0], "hand_spmd"] for key, value in values.items()
              if (key[0], "hand_spmd") in values}
    if not ratios:
        return ""
    low, high = math.log10(min(ratios.values())) - 0.1, math.log10(max(ratios.values()))

    def x(ratio):
        return LEFT + WIDTH * (math.log10(ratio) - low) / (high - low)

    row = BAR * len(variants) + GAP
    parts = []
    for line, kernel in enumerate(kernels):
        top = line * row
        parts.append(f'<text x="{LEFT - 8}" y="{top + row / 2}" text-anchor="end">'
                     f"{html.escape(kernel)}</text>")
        for number, variant in enumerate(variants):
            if (kernel, variant) not in ratios:
                continue
            ratio = ratios[kernel, variant]
            parts.append(f'<rect x="{LEFT}" y="{top + number * BAR}" height="{BAR - 1}" '
                         f'width="{x(ratio) - LEFT:.1f}" fill="{COLOURS[variant]}">'
                         f"<title>{kernel} {variant}: {ratio:.3g} × hand_spmd</title></rect>")
    height = row * len(kernels)
    parts.append(f'<line x1="{x(1):.1f}" x2="{x(1):.1f}" y1="0" y2="{height}" stroke="#000" '
                 'stroke-dasharray="3"/>')
    return (f'<svg width="{LEFT + WIDTH + 20}" height="{height}" font-family="sans-serif" '
            f'font-size="12">{"".join(parts)}</svg>')


def table(kernels, variants, values):
    head = "".join(f"<th>{variant}</th>" for variant in variants)
    body = "".join(
        f"<tr><td>{html.escape(kernel)}</td>" + "".join(
            f"<td>{values[kernel, variant]:.4f}</td>" if (kernel, variant) in values
            else "<td>–</td>" for variant in variants) + "</tr>"
        for kernel in kernels)
    return f"<table><tr><th>kernel</th>{head}</tr>{body}</table>"


def write(path, rows, variants):
    sections = []
    for vlen in dict.fromkeys(row["vlen"] for row in rows):
        here = [row for row in rows if row["vlen"] == vlen]
        values = {(row["kernel"], row["variant"]): row["instructions_per_work_item"]
                  for row in here}
        kernels = list(dict.fromkeys(row["kernel"] for row in here))
        sections.append(f"<h2>VLEN {vlen}</h2>{chart(kernels, variants, values)}"
                        f"{table(kernels, variants, values)}")
    legend = " ".join(f'<span style="color:{COLOURS[variant]}">■</span> {variant}'
                      for variant in variants)
    path.write_text(f"<!doctype html><meta charset=utf-8><title>Compiler benchmark</title>"
                    f"<style>{STYLE}</style><h1>Retired instructions per work-item</h1>"
                    f"<p>{legend}; bars are relative to hand_spmd (dashed), logarithmic.</p>"
                    + "".join(sections) + "\n")
