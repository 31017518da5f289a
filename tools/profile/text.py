# SPDX-License-Identifier: Apache-2.0
"""The profile as text."""
import stalls

LINES = 8  # of each kernel


def count(number):
    return f"{number:,}" if number else "not counted"


def write(profile, everything=False):
    out = [f"{'kernel':<24}{'launches':>9}{'ms':>12}{'%':>7}{'instructions':>18}{'samples':>9}  harts"]
    for kernel in profile["kernels"]:
        out.append(f"{kernel['kernel']:<24}{kernel['launches']:>9}{kernel['ms']:>12.3f}"
                   f"{kernel['percent']:>7.1f}{count(kernel['instructions']):>18}"
                   f"{kernel['samples']:>9}  {len(kernel['used_harts'])}")
    for kernel in profile["kernels"]:
        if not kernel["samples"]:
            continue
        harts = ", ".join(f"hart {hart} {100 * samples / kernel['samples']:.0f} %"
                          for hart, samples in kernel["harts"].items())
        out += ["", f"{kernel['kernel']}: {harts}"]
        for line in kernel["lines"] if everything else kernel["lines"][:LINES]:
            out.append(f"{line['percent']:>7.1f} %  {line['file'] or '?'}:{line['line']}  "
                       f"{line['text']}")
            out += [f"           {remark}" for remark in line["remarks"]]
        for block in kernel["blocks"]:
            out.append(f"  {'loop' if block['loops'] else 'block'} at 0x{block['address']:x}, "
                       f"{block['instructions']} instructions, {block['percent']:.1f} % of the samples")
            out.append(f"      {stalls.describe(block['stalls'])}")
    if not profile["samples"]:
        out += ["", "No samples were taken: see the messages above, or let the program run longer."]
    return "\n".join(out) + "\n"
