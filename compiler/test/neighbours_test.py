#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""neighbours_test.py RIVULET_CC RIVULET_OPT PIPELINE.DEF: all that passes know of each other is in the IR.

For each pass A and the pass B that follows it in pipeline.def, running A, writing the IR to a file and
running B on it gives the same as running A and B in one process; from the front end's output through
all stages, on each kernel of KERNELS.
"""
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

KERNELS = {
    "barrier": """kernel void reverse(global float *out, local float *tile, float by) {
        int id = get_local_id(0), last = get_local_size(0) - 1;
        tile[id] = out[get_global_id(0)] * by;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[get_global_id(0)] = tile[last - id];
    }""",
    "loop": """kernel void blur(global const uchar *in, global uchar *out, int w, int h, int r) {
        int x = get_global_id(0), y = get_global_id(1), sum = 0;
        if (x >= w || y >= h) return;
        for (int i = max(x - r, 0); i <= min(x + r, w - 1); i++)
            if (in[y * w + i] > 3) sum += in[y * w + i] * 3;
        out[y * w + x] = sum >> 4;
    }
    kernel void points(global const float4 *in, global float4 *out, volatile global long *n) {
        float4 private_copy[4];
        for (int i = 0; i < 4; i++) private_copy[i] = sqrt(in[get_global_id(0) + i]);
        out[get_global_id(0)] = private_copy[*n & 3] + convert_float4(as_int4(private_copy[0]));
        switch (*n) { case 0: printf("%d\\n", (int)*n); break; case 5: *n = mul_hi(*n, 7l); }
    }""",
}
MACHINE = ["--vlen=128"]
ROW = re.compile(r'^RVL_(STAGE|PASS|OPEN|CLOSE)(?:\((\w+|"[^"]*")(?:, "([^"]*)")?)?', re.M)


def elements(table):
    """The passes of all stages in order, each as a pipeline over a module."""
    unit, depth, group = "module", [], ""
    for kind, first, second in ROW.findall(table):
        name = first.strip('"')
        if kind == "STAGE":
            unit = second
            if unit == "machine function":
                return
        elif kind == "OPEN":
            depth.append(name)
            group += f"{name}("
        elif kind == "CLOSE":
            group = group.rstrip(",") + "),"
            depth.pop()
            if not depth:
                text, group = group.rstrip(","), ""
                is_module = unit == "module"
                yield text if is_module else f"function({text})"
        elif depth == ["function"] and unit == "module":
            group += f"{name},"
        elif depth:
            group += f"{name},"
        else:
            yield name if unit == "module" else f"function({name})"


def flat(pipelines):
    """function(a,b) as function(a), function(b)."""
    for text in pipelines:
        inner = re.fullmatch(r"function\(([^()]*)\)", text)
        yield from [f"function({name})" for name in split(inner.group(1))] if inner else [text]


def split(names):
    return re.findall(r"[^,<]+(?:<[^>]*>)?", names)


def check(compiler, opt, pipelines, name, folder):
    def run(passes, source, result):
        done = subprocess.run([opt, *MACHINE, "-discard-value-names", "-preserve-ll-uselistorder",
                               f"-passes={passes}", source, "-o", result],
                              capture_output=True, text=True)
        if done.returncode:
            return f"{passes} on {name} fails: {done.stderr}"
        # Less the name of the file, and the order of use lists, which is no part of what code means.
        return re.sub(r"^ *uselistorder.*\n", "", result.read_text().partition("\n")[2], flags=re.M)

    source, before, now = folder / f"{name}.cl", folder / "before.ll", folder / "0.ll"
    source.write_text(KERNELS[name])
    subprocess.run([compiler, source, *MACHINE, "--emit=object", "-o", folder / "0.bc"], check=True)
    run("verify", folder / "0.bc", before)
    run(pipelines[0], before, now)
    for number, (one, other) in enumerate(zip(pipelines, pipelines[1:]), 1):
        then = folder / f"{number}.ll"
        apart = run(other, now, then)
        together = run(f"{one},{other}", before, folder / "together.ll")
        if apart != together:
            yield (f"{name}: {other} on the output of {one} differs from both at once" +
                   (f": {apart}" if "fails" in apart[:200] else ""))
        before, now = now, then


def main():
    compiler, opt, table = sys.argv[1:]
    pipelines = list(flat(elements(pathlib.Path(table).read_text())))
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = []
        for name in KERNELS:
            where = pathlib.Path(folder, name)
            where.mkdir()
            jobs.append(pool.submit(
                lambda *job: list(check(compiler, opt, pipelines, *job)), name, where))
        complaints = [found for job in jobs for found in job.result()]
    print(f"{len(pipelines)} passes, {len(complaints)} complaints", *complaints, sep="\n")
    sys.exit(1 if complaints or len(pipelines) < 50 else 0)


main()
