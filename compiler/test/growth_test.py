#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Twice as much of a construct must not make more than 2.5 times the code, nor more than 2.75 times the
work of the compiler: each construct of the language, once N and once 2N times, on harts with and without a
vector unit. Work is the number of instructions of LLVM IR that passes ran on, each counted once per pass,
which --time-passes prints: unlike time, it is the same in each run. Where a pass looks at the same
instructions again and again, only time tells: four times as much of the constructs in TIMED must not take a
pass more than ten times as long.

    growth_test.py RIVULET-CC [--long] [--only NAME]

--long: four times as many, on three more targets. Constructs in EXCEPTIONS grow faster; their ratios
must stay what the table says: one that got better is taken out of it.
"""
import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import re
import subprocess
import sys
import tempfile

MOST_CODE, MOST_WORK = 2.5, 2.75
MOST_TIME = 10
USUAL = 2  # times the numbers in CONSTRUCTS
TARGETS = {"rv64-v512": ["--vlen=512"], "rv64gc": ["--target=rv64gc"]}
MORE_TARGETS = {"rv64-v128": ["--vlen=128"], "rv64gcv": [],
                "rv32": ["--target=rv32imafdc_zve32f", "--vlen=128"]}

KERNEL = "kernel void k(global int *a, global int *b, int c) {{ int i = get_global_id(0); {} }}"


def times(n, text, join=" "):
    """The text n times; {i} is the number, {j} the next one."""
    return join.join(text.format(i=i, j=i + 1) for i in range(n))


def body(text):
    return KERNEL.format(text)


def chain(operator):
    return lambda n: body("if (" + times(n, "b[i + {i}] > {i}", operator) + ") a[i] = 1; else a[i] = 2;")


def image(n):
    reads = times(n, "s += read_imagef(m, (int2)(x + {i}, y));")
    return ("kernel void k(read_only image2d_t m, global float4 *o) { int x = get_global_id(0), "
            f"y = get_global_id(1); float4 s = 0; {reads} o[y * 64 + x] = s; }}")


def sampled(n):
    reads = times(n, "s += read_imagef(m, l, (float2)(x * 0.3f + {i}, y));")
    return ("constant sampler_t l = CLK_FILTER_LINEAR | CLK_ADDRESS_CLAMP; kernel void k(read_only "
            "image2d_t m, global float4 *o) { int x = get_global_id(0), y = get_global_id(1); "
            f"float4 s = 0; {reads} o[y * 64 + x] = s; }}")


# name: (N, program of a number)
CONSTRUCTS = {
    "statements": (32, lambda n: body(times(n, "a[i] += b[i + {i}] * c;"))),
    "dependent statements": (32, lambda n: body("int x = b[i];" + times(n, "x = x * c + {i};")
                                                + "a[i] = x;")),
    "and chain": (20, chain("&&")),
    "or chain": (20, chain("||")),
    "mixed chain": (16, lambda n: body("if (" + times(n, "(b[i + {i}] > 0 || b[i - {i}] < c)", "&&")
                                       + ") a[i] = 1;")),
    "bit and chain": (20, chain("&")),
    "and chain as value": (20, lambda n: body("a[i] = " + times(n, "b[i + {i}] > {i}", "&&") + ";")),
    "else if chain": (20, lambda n: body("int x = b[i];" + times(n, "if (x == 7 * {i}) a[i] = {i};",
                                                                 " else "))),
    "ifs in a row": (20, lambda n: body(times(n, "if (b[i] > {i}) a[i + {i}] = {i};"))),
    "nested ifs": (10, lambda n: body(times(n, "if (b[i + {i}] > c) {{ a[i] += {i};") + "}" * n)),
    "early returns": (20, lambda n: body(times(n, "if (b[i] == 7 * {i}) return; a[i] += {i};"))),
    "ternaries": (20, lambda n: body("a[i] = " + times(n, "b[i] > 3 * {i} ? b[i + {i}] :", " ")
                                     + " 0;")),
    "switch cases": (24, lambda n: body("switch (b[i]) {" + times(
        n, "case {i}: a[i] = b[i] * {i} + c; break;") + "}")),
    "switch fall through": (16, lambda n: body("switch (b[i]) {" + times(
        n, "case {i}: a[i] += b[i + {i}];") + "}")),
    "dense table switch": (24, lambda n: body("switch (b[i]) {" + times(
        n, "case {i}: a[i] = {i} * {i}; break;") + "}")),
    "gotos": (12, lambda n: body(times(n, "if (b[i + {i}] > c) goto l{i}; a[i] += {i}; l{i}:;"))),
    "loops in a row": (12, lambda n: body(times(n, "for (int k = 0; k < c; ++k) a[i] += b[k + {i}];"))),
    "loops with varying ends": (8, lambda n: body(times(
        n, "for (int k = 0; k < b[i]; ++k) a[i] += b[k * {j}];"))),
    "nested loops": (4, lambda n: body(times(n, "for (int k{i} = 0; k{i} < c; ++k{i}) {{")
                                       + "a[i] += b[" + times(n, "k{i}", "+") + "];" + "}" * n)),
    "breaks of a loop": (12, lambda n: body("for (int k = 0; k < c; ++k) {" + times(
        n, "if (b[i + k + {i}] == {i}) break; a[i] += {i};") + "}")),
    "continues of a loop": (12, lambda n: body("for (int k = 0; k < c; ++k) {" + times(
        n, "if (b[i + k + {i}] == {i}) continue; a[i] += {i};") + "}")),
    "barriers": (16, lambda n: body(times(n, "a[i] += b[i + {i}]; barrier(CLK_GLOBAL_MEM_FENCE);"))),
    "barriers with values across": (12, lambda n: body("int x = b[i];" + times(
        n, "x += b[i + x]; barrier(CLK_GLOBAL_MEM_FENCE);") + "a[i] = x;")),
    "sub-group functions": (16, lambda n: body("int x = b[i];" + times(
        n, "x += sub_group_reduce_add(x + {i});") + "a[i] = x;")),
    "calls": (16, lambda n: times(n, "int f{i}(int x) {{ return x * {j} + 1; }}")
              + body("int x = b[i];" + times(n, "x += f{i}(x);") + "a[i] = x;")),
    "calls of one function": (16, lambda n: "int f(int x) { return x * x + (x >> 3); }"
                              + body("int x = b[i];" + times(n, "x += f(x + {i});") + "a[i] = x;")),
    "call depth": (16, lambda n: "int f0(int x) { return x; }" + times(
        n, "int f{j}(int x) {{ return f{i}(x * 3) + {i}; }}") + body(f"a[i] = f{n}(b[i]);")),
    "arguments": (16, lambda n: "kernel void k(" + times(n, "global int *p{i}", ", ") + ") { int i = "
                  "get_global_id(0);" + times(n, "p{i}[i] += {i};") + "}"),
    "value arguments": (24, lambda n: "kernel void k(global int *a, " + times(n, "int v{i}", ", ")
                        + ") { a[get_global_id(0)] = " + times(n, "v{i} * {i}", "+") + "; }"),
    "kernels": (8, lambda n: times(n, "kernel void k{i}(global int *a) {{ a[get_global_id(0)] += {i}; "
                                   "}}")),
    "image reads": (8, image),
    "sampled image reads": (4, sampled),
    "private arrays": (6, lambda n: body(times(n, "int p{i}[8]; for (int k = 0; k < 8; ++k) p{i}[k] = "
                                               "b[i + k]; a[i] += p{i}[b[i] & 7];"))),
    "elements of a private array": (16, lambda n: body(
        f"int p[{n}];" + times(n, "p[{i}] = b[i + {i}];") + f"a[i] = p[b[i] & {n - 1}];")),
    "local arrays": (8, lambda n: body(times(n, "local int l{i}[64];") + times(
        n, "l{i}[i & 63] = b[i];") + "barrier(CLK_LOCAL_MEM_FENCE);" + times(
            n, "a[i] += l{i}[c & 63];"))),
    "vector widths": (8, lambda n: "kernel void k(global int{0} *a, global int{0} *b) {{ int i = "
                      "get_global_id(0); a[i] = a[i] * b[i] + b[i + 1]; }}".format(n)),
    "vector conversions": (8, lambda n: "kernel void k(global char{0} *a, global float{0} *b) {{ int i "
                           "= get_global_id(0); a[i] = convert_char{0}_sat(b[i]); }}".format(n)),
    "swizzles": (12, lambda n: "kernel void k(global int4 *a, global int4 *b) { int i = "
                 "get_global_id(0); int4 x = b[i];" + times(n, "x += x.wzyx * {i} + b[i + {i}].yyxx;")
                 + "a[i] = x; }"),
    "shuffles": (6, lambda n: "kernel void k(global uchar8 *a, global uchar8 *b) { int i = "
                 "get_global_id(0); uchar8 x = b[i];" + times(n, "x = shuffle(x, b[i + {i}]);")
                 + "a[i] = x; }"),
    "shuffles of two": (4, lambda n: "kernel void k(global uchar8 *a, global uchar8 *b) { int i = "
                        "get_global_id(0); uchar8 x = b[i];" + times(
                            n, "x = shuffle2(x, b[i + {i}], x);") + "a[i] = x; }"),
    "struct fields": (16, lambda n: "struct s { " + times(n, "int f{i};") + " }; kernel void k(global "
                      "struct s *a, global struct s *b) { int i = get_global_id(0);" + times(
                          n, "a[i].f{i} += b[i].f{i};") + "}"),
    "struct copies": (8, lambda n: "struct s { int f[12]; float4 g; }; kernel void k(global struct s *a, "
                      "global struct s *b) { int i = get_global_id(0);" + times(
                          n, "a[i + {i}] = b[i + {j} * 3];") + "}"),
    "struct values": (8, lambda n: "struct s { " + times(n, "int f{i};") + " }; kernel void k(global "
                      "struct s *a, global struct s *b, int c) { int i = get_global_id(0); struct s x = "
                      "b[i]; if (c) x = a[i]; a[i + 1] = x; }"),
    "atomics": (12, lambda n: body(times(n, "atomic_add(&a[b[i + {i}]], {i});"))),
    "atomics with results": (12, lambda n: body(times(n, "b[i] += atomic_xchg(&a[b[i + {i}]], {i});"))),
    "printf calls": (8, lambda n: body(times(n, 'printf("%d {i}\\n", b[i + {i}]);'))),
    "string constants": (16, lambda n: times(n, 'constant char s{i}[] = "text {i}";') + body(times(
        n, "a[i] += s{i}[b[i] & 3];"))),
    "constant tables": (12, lambda n: times(n, "constant int t{i}[] = {{1, 2, 3, {i}}};") + body(times(
        n, "a[i] += t{i}[b[i] & 3];"))),
    "macros": (4, lambda n: "#define M0(x) ((x) + 1)\n" + "".join(
        f"#define M{i + 1}(x) (M{i}(x) * {i + 3})\n" for i in range(n)) + body(f"a[i] = M{n}(b[i]);")),
    "built-in functions": (8, lambda n: "kernel void k(global float *a) { int i = get_global_id(0); "
                           "float x = a[i];" + times(n, "x = sqrt(fabs(x)) + fma(x, {i}.0f, 1.0f);")
                           + "a[i] = x; }"),
    "math functions": (2, lambda n: "kernel void k(global float *a) { int i = get_global_id(0); float x "
                       "= a[i];" + times(n, "x = exp(x) + {i}.0f;") + "a[i] = x; }"),
    "doubles": (12, lambda n: "kernel void k(global double *a) { int i = get_global_id(0); double x = "
                "a[i];" + times(n, "x = x * a[i + {i}] / (x + {j});") + "a[i] = x; }"),
    "asynchronous copies": (8, lambda n: "kernel void k(global int *a) { local int l[64]; event_t e = "
                            "0;" + times(n, "e = async_work_group_copy(l, a + {i}, 64, e);")
                            + "wait_group_events(1, &e); a[get_global_id(0)] = l[3]; }"),
}


# name: (pass, N, program of a number)
TIMED = {
    "strided loads": ("RowsPass", 1000, lambda n: body("int x = 0;" + times(n, "x += b[i * c + {i}];")
                                                       + "a[i] = x;")),
    "strided stores": ("RowsPass", 1000, lambda n: body(times(n, "a[i * c + {i}] = b[i];"))),
}


@dataclasses.dataclass(frozen=True)
class Exemption:
    reason: str
    code: float  # ratios, within a fifth of them
    work: float


# (construct, target): of the numbers of the usual run
EXCEPTIONS = {}


@dataclasses.dataclass(frozen=True)
class Cost:
    instructions: int
    work: int


def cost(compiler, folder, name, n, target):
    # Others compile the same for another target at the same time.
    file = folder / f"{name}.{n}{''.join(target)}.cl".replace(" ", "_")
    file.write_text(CONSTRUCTS[name][1](n) + "\n")
    done = subprocess.run([compiler, file, "-o", f"{file}.rvk", "-cl-std=CL3.0", "-w", "--stats",
                           "--time-passes", *target], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{name} × {n} does not compile for {target}:\n{done.stderr}")
    work, = re.findall(r"^ +(\d+) +\d+  Total$", done.stderr, re.M)
    return Cost(sum(map(int, re.findall(r"^kernel .*: (\d+) instructions", done.stderr, re.M))), int(work))


def verdict(compiler, folder, name, target_name, target, factor):
    """A line for people, and whether it is as it should be."""
    n = CONSTRUCTS[name][0] * factor
    if name in ("vector widths", "vector conversions"):
        n = 8  # to 16; there are no more
    one, two = (cost(compiler, folder, name, k, target) for k in (n, 2 * n))
    code, work = two.instructions / one.instructions, two.work / one.work
    text = (f"{name} on {target_name}: {n} → {2 * n}: {one.instructions} → {two.instructions} "
            f"instructions ({code:.2f} ×), work {one.work} → {two.work} ({work:.2f} ×)")
    exception = EXCEPTIONS.get((name, target_name))
    if exception and factor == USUAL:
        as_known = all(abs(ratio - known) <= known / 5
                       for ratio, known in ((code, exception.code), (work, exception.work)))
        return f"{text}; known: {exception.reason}, {exception.code} × and {exception.work} ×", as_known
    return text, exception is not None or (code <= MOST_CODE and work <= MOST_WORK)


def processor_time(compiler, folder, name, n):
    """Of the pass, in seconds: the least of three runs."""
    pass_name, _, program = TIMED[name]
    file = folder / f"{name}.{n}.cl".replace(" ", "_")
    file.write_text(program(n) + "\n")
    seconds = []
    for _ in range(3):
        done = subprocess.run([compiler, file, "-o", f"{file}.ll", "--vlen=512", "-w", "--emit=spmd",
                               "--time-passes"], capture_output=True, text=True, check=True)
        row, = re.findall(rf"^ .* {pass_name}$", done.stderr.split("Instructions of LLVM IR")[0], re.M)
        seconds.append(float(re.findall(r"([\d.]+) \(", row)[-2]))  # before the wall clock's
    return min(seconds)


def time_verdict(compiler, folder, name):
    pass_name, n, _ = TIMED[name]
    one, four = (processor_time(compiler, folder, name, k) for k in (n, 4 * n))
    for _ in range(3):  # other work on the machine makes times longer, never shorter
        if four <= MOST_TIME * one:
            break
        four = min(four, processor_time(compiler, folder, name, 4 * n))
    return (f"{name}: {n} → {4 * n}: {pass_name} takes {one:.3f} → {four:.3f} s ({four / one:.1f} ×)",
            four <= MOST_TIME * one)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("compiler")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--only", help="constructs whose name contains this")
    options = parser.parse_args()
    targets = TARGETS | (MORE_TARGETS if options.long else {})
    jobs = [(name, target) for name in CONSTRUCTS for target in targets
            if not options.only or options.only in name]
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        lines = list(pool.map(lambda job: verdict(options.compiler, pathlib.Path(folder), job[0], job[1],
                                                  targets[job[1]], 8 if options.long else USUAL), jobs))
        lines += [time_verdict(options.compiler, pathlib.Path(folder), name) for name in TIMED
                  if not options.only or options.only in name]
    for text, good in sorted(lines, key=lambda line: line[1], reverse=True):
        print("" if good else "FAILED ", text, sep="")
    failed = sum(not good for _, good in lines)
    unused = [key for key in EXCEPTIONS if key not in {(name, target) for name, target in jobs}]
    print(f"{len(lines)} constructs and targets, {failed} grow too fast")
    return 1 if failed or not lines or (unused and not options.only) else 0


if __name__ == "__main__":
    sys.exit(main())
