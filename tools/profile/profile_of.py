# SPDX-License-Identifier: Apache-2.0
"""Computes figures from a trace and its kernel images: kernels, harts, lines, blocks."""
import collections
import pathlib

import listing
import stalls

BLOCKS = 3  # of each kernel, that llvm-mca looks at


def share(part, whole):
    return round(100 * part / whole, 2) if whole else 0.0


class Sources:
    """Lines of the source files that exist."""

    def __init__(self):
        self._files = {}

    def lines(self, path):
        if path not in self._files:
            try:
                self._files[path] = pathlib.Path(path).read_text(errors="replace").splitlines()
            except OSError:
                self._files[path] = []
        return self._files[path]

    def line(self, path, number):
        lines = self.lines(path)
        return lines[number - 1] if 0 < number <= len(lines) else ""


class Image:
    """A kernel image: its instructions with the samples of one kernel."""

    def __init__(self, path, counts):
        self.instructions = listing.disassemble(path) if path else []
        at = {instruction.address: instruction for instruction in self.instructions}
        self.unknown = 0
        for pc_offset, count in counts.items():
            if pc_offset in at:
                at[pc_offset].samples = count
            else:
                self.unknown += count
        self.blocks = listing.regions_of(listing.blocks_of(self.instructions))


def lines_of(image, total, sources, remarks):
    counts = collections.Counter()
    for instruction in image.instructions:
        if instruction.samples:
            counts[instruction.file, instruction.line] += instruction.samples
    return [{"file": pathlib.Path(file).name, "path": file, "line": line, "samples": count,
             "percent": share(count, total), "text": sources.line(file, line).strip(),
             "remarks": remarks.at(file, line)}
            for (file, line), count in counts.most_common()]


def blocks_of(image, total):
    hot = sorted((block for block in image.blocks if block.samples), key=lambda b: -b.samples)[:BLOCKS]
    return [{"address": block.instructions[0].address, "end": block.instructions[-1].address,
             "function": block.instructions[0].function, "instructions": len(block.instructions),
             "loops": block.loops, "samples": block.samples, "percent": share(block.samples, total),
             "lines": sorted({instruction.line for instruction in block.instructions
                              if instruction.line}),
             "stalls": stalls.analyse(block)} for block in hot]


def add_remarks(remarks, compiler, image, path):
    """The remarks on those sources of a kernel image that still exist."""
    for source in sorted({instruction.file for instruction in image.instructions}):
        if compiler and source.endswith(".cl") and pathlib.Path(source).is_file():
            remarks.compile(compiler, source, path)


def analyse(trace, remarks, compiler):
    """Kernels by the time that they took, and what is known of each. The second value has what only
    the HTML shows: instructions and sources. `compiler` is rivulet-cc, or None: no new remarks."""
    groups = collections.defaultdict(list)
    for key, launch in trace.launches.items():
        groups[launch.kernel].append((key, launch))
    samples = collections.defaultdict(list)
    for sample in trace.samples:
        launch = trace.launches.get(sample.launch)
        samples[launch.kernel if launch else None].append(sample)
    time = sum(launch.end - launch.start for launch in trace.launches.values())
    sources, kernels, listings, remarked = Sources(), [], {}, set()
    for name, launches in groups.items():
        its = samples[name]
        # A kernel may have been built more than once: the image that most samples are of.
        images = collections.Counter(trace.launches[sample.launch].image for sample in its)
        path = images.most_common(1)[0][0] if images else launches[0][1].image
        counts = collections.Counter(sample.pc_offset for sample in its
                                     if trace.launches[sample.launch].image == path)
        image = Image(path, counts)
        if path not in remarked:
            add_remarks(remarks, compiler, image, path)
        remarked.add(path)
        harts = collections.Counter(sample.hart for sample in its)
        took = sum(launch.end - launch.start for _, launch in launches)
        instructions = sum(launch.instructions for _, launch in launches)
        kernels.append({
            "kernel": name, "launches": len(launches), "ms": took / 1e6, "percent": share(took, time),
            "instructions": instructions, "samples": len(its),
            "harts": {str(hart): count for hart, count in sorted(harts.items())},
            "used_harts": sorted(set().union(*(launch.harts for _, launch in launches))),
            "elsewhere": image.unknown,
            "lines": lines_of(image, len(its), sources, remarks),
            "blocks": blocks_of(image, len(its))})
        listings[name] = image.instructions
    kernels.sort(key=lambda kernel: -kernel["ms"])
    return {"kernels": kernels, "device_ms": time / 1e6, "samples": len(trace.samples),
            "unknown_samples": len(samples[None])}, listings, sources
