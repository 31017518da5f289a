# SPDX-License-Identifier: Apache-2.0
"""The profile as a single HTML file without scripts: tables, source and assembly with samples."""
import collections
import html
import pathlib

import stalls
import text

AROUND = 40 # instructions that are shown around hot ones


def escape(text):
    return html.escape(str(text))


def heat(percent):
    """A bar with a length proportional to the share."""
    return f'<span class="heat"><i style="width:{min(percent, 100):.1f}%"></i></span>' if percent else ""


def percent_text(percent):
    return f"{percent:.1f}" if percent >= 0.05 else ""


def kernel_table(profile):
    rows = []
    for kernel in profile["kernels"]:
        rows.append(
            f'<tr><td><a href="#{escape(kernel["kernel"])}">{escape(kernel["kernel"])}</a></td>'
            f'<td class="number">{kernel["launches"]:,}</td><td class="number">{kernel["ms"]:.3f}</td>'
            f'<td class="number">{kernel["percent"]:.1f}</td><td>{heat(kernel["percent"])}</td>'
            f'<td class="number">{text.count(kernel["instructions"])}</td>'
            f'<td class="number">{kernel["samples"]:,}</td></tr>')
    return ('<div class="wide"><table><thead><tr><th>kernel<th>launches<th>ms<th>%<th>'
            "<th>instructions<th>samples</tr></thead><tbody>" + "".join(rows) + "</tbody></table></div>")


def source_listing(path, counts, total, sources, remarks):
    rows = []
    for number, line in enumerate(sources.lines(path), 1):
        percent = 100 * counts.get(number, 0) / total if total else 0
        notes = "".join(f'<div class="remark">{escape(note)}</div>' for note in remarks.at(path, number))
        rows.append(f'<tr{" class=hot" if percent >= 5 else ""}><td class="number">'
                    f"{percent_text(percent)}</td><td>{heat(percent)}</td>"
                    f'<td class="number soft">{number}</td><td><code>{escape(line)}</code>{notes}</td></tr>')
    return f'<table class="code">{"".join(rows)}</table>'


def assembly_listing(instructions, total):
    """Instructions near samples, with their lines; gaps are marked."""
    near = set()
    for at, instruction in enumerate(instructions):
        if instruction.samples:
            near.update(range(max(0, at - AROUND), min(len(instructions), at + AROUND + 1)))
    rows, before = [], None
    for at in sorted(near):
        instruction = instructions[at]
        if before is not None and at != before + 1:
            rows.append('<tr><td colspan="5" class="soft">…</td></tr>')
        if before is None or instructions[before].function != instruction.function:
            rows.append(f'<tr><td colspan="5"><b>{escape(instruction.function)}</b></td></tr>')
        percent = 100 * instruction.samples / total if total else 0
        rows.append(f'<tr{" class=hot" if percent >= 5 else ""}><td class="number">'
                    f"{percent_text(percent)}</td><td>{heat(percent)}</td>"
                    f'<td class="number soft">{instruction.address:x}</td>'
                    f'<td class="number soft">{instruction.line or ""}</td>'
                    f"<td><code>{escape(instruction.text)}</code></td></tr>")
        before = at
    return f'<table class="code">{"".join(rows)}</table>' if rows else ""


def stall_table(kernel):
    rows = []
    for block in kernel["blocks"]:
        where = (f"{'loop' if block['loops'] else 'block'} at 0x{block['address']:x}, "
                 f"{block['instructions']} instructions"
                 + (f", lines {min(block['lines'])} to {max(block['lines'])}" if block["lines"] else ""))
        if block["stalls"] is None:
            rows.append(f"<tr><td>{escape(where)}</td><td class=number>{block['percent']:.1f}</td>"
                        f'<td colspan="3">{escape(stalls.describe(None))}</td></tr>')
            continue
        for model, figures in block["stalls"].items():
            waits = ", ".join(f"{wait['for']} {wait['percent']:.0f} %" for wait in figures["waits"])
            rows.append(f"<tr><td>{escape(where)}</td><td class=number>{block['percent']:.1f}</td>"
                        f"<td>{escape(model)}</td><td class=number>{figures['cycles']:.1f}</td>"
                        f"<td>{escape(waits or 'nothing: it is limited by dispatch')}</td></tr>")
    if not rows:
        return ""
    return ('<h3>What hot blocks wait for</h3><p class="soft">As LLVM\'s scheduling models see it, with '
            'all loads in the first cache.</p><div class="wide"><table><thead><tr><th>block<th>% of '
            "samples<th>model<th>cycles a pass<th>waits for</tr></thead><tbody>"
            + "".join(rows) + "</tbody></table></div>")


def kernel_section(kernel, instructions, sources, remarks):
    total = kernel["samples"]
    out = [f'<h2 id="{escape(kernel["kernel"])}">{escape(kernel["kernel"])}</h2>']
    if not total:
        return out + ['<p class="soft">It ran too shortly for a sample.</p>']
    out.append("<p>" + ", ".join(f"hart {hart}: {100 * samples / total:.0f} %"
                                 for hart, samples in kernel["harts"].items()) + "</p>")
    out.append(stall_table(kernel))
    counts = collections.defaultdict(dict)
    for line in kernel["lines"]:
        counts[line["path"]][line["line"]] = line["samples"]
    for path, its in counts.items():
        if sources.lines(path):
            out.append(f"<details open><summary>{escape(pathlib.Path(path).name)}</summary>"
                       f"{source_listing(path, its, total, sources, remarks)}</details>")
    out.append(f"<details open><summary>assembly</summary>{assembly_listing(instructions, total)}"
               "</details>")
    return out


def write(profile, listings, sources, remarks, title):
    folder = pathlib.Path(__file__).resolve().parent
    style = (folder / "page.css").read_text()
    body = [f"<h1>Profile of {escape(title)}</h1>",
            f'<p class="soft">{profile["device_ms"]:.1f} ms in kernels, {profile["samples"]:,} samples'
            "</p>", kernel_table(profile)]
    for kernel in profile["kernels"]:
        body += kernel_section(kernel, listings[kernel["kernel"]], sources, remarks)
    return ('<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" '
            f'content="width=device-width"><title>Profile of {escape(title)}</title><style>{style}'
            "</style></head><body>" + "\n".join(body) + "</body></html>\n")
