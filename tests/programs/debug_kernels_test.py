#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""In kernels built with -g -cl-opt-disable, gdb stops at every line and knows every variable.

Each kernel runs once with one work-item after the other on one hart. follow_work_item.py sets a
breakpoint on every line of its source that starts a statement in the line table, and follows one
work-item from breakpoint to breakpoint. Lines marked by a comment must come in the order that
`stops` gives, with the values that it gives. At every stop all variables have a value, and a line
at which the work-item never stops must be one that `stops` passes by."""
import json
import pathlib
import re
import tempfile
import unittest

from programs import BUILD, ProgramTest, run


class Case:
    """`source`: OpenCL C, in which /*N*/ ends the lines at which to stop. `stops`: (N, {expression:
    value}) in the order in which work-item `item` comes there."""

    def __init__(self, name, item, arguments, source, stops):
        self.name, self.item, self.arguments = name, item, arguments
        self.source, self.stops = source, stops

    def lines(self):
        """The number of each marked line, by its mark."""
        return {int(mark): number for number, line in enumerate(self.source.split("\n"), 1)
                for mark in re.findall(r"/\*(\d+)\*/", line)}

    def lines_without_variables(self):
        """The kernel's declaration: the loop over work-items is there, and outside of them ids have
        no values."""
        return {number for number, line in enumerate(self.source.split("\n"), 1)
                if line.startswith("kernel ")}


CASES = [
    Case("loop", "5", ["iota:16", "3", "-g", "16", "-l", "8"], """
int twice(int x) {
    int y = x + x; /*3*/
    return y; /*4*/
}
kernel void loop(global int *out, int n) {
    size_t i = get_global_id(0); /*0*/
    int sum = 1; /*1*/
    for (int k = 0; k < n; ++k) {
        int t = twice(k); /*2*/
        if (t == 2)
            continue; /*5*/
        sum += t; /*6*/
    }
    out[i] += sum; /*7*/
}""", [(0, {"n": "3"}), (1, {"i": "5"}), (2, {"k": "0", "sum": "1"}), (3, {"x": "0"}),
       (4, {"y": "0"}), (6, {"t": "0"}), (2, {"k": "1"}), (3, {"x": "1"}), (4, {"y": "2"}),
       (5, {"t": "2"}), (2, {"k": "2"}), (3, {"x": "2"}), (4, {"y": "4"}), (6, {"t": "4"}),
       (7, {"sum": "5", "out[i]": "5", "__group_id[0]": "0", "__local_id[0]": "5"})]),
    Case("barrier_kernel", "6", ["iota:8", "local:4", "-g", "8", "-l", "4"], """
struct pair { int a; float b; };
kernel void barrier_kernel(global int *out, local int *scratch) {
    local int shared_values[4];
    struct pair p = {3, 1.5f}; /*0*/
    int l = get_local_id(0); /*1*/
    shared_values[l] = l * l; /*2*/
    scratch[l] = l; /*3*/
    barrier(CLK_LOCAL_MEM_FENCE); /*4*/
    int other = shared_values[3 - l]; /*5*/
    p.b += other; /*6*/
    barrier(CLK_LOCAL_MEM_FENCE); /*7*/
    out[get_global_id(0)] = other + p.a; /*8*/
}""", [(0, {}), (1, {"p": "{a = 3, b = 1.5}"}), (2, {"l": "2", "__global_id": "{6, 0, 0}"}),
       (3, {"shared_values[2]": "4"}), (4, {"scratch[2]": "2"}),
       (5, {"shared_values": "{0, 1, 4, 9}", "l": "2", "p.a": "3"}),
       (6, {"other": "1", "__local_id[0]": "2"}), (7, {"p.b": "2.5"}),
       (8, {"other": "1", "p": "{a = 3, b = 2.5}", "__group_id": "{1, 0, 0}"})]),
    Case("arrays", "1,2", ["zeros:16", "-g", "4", "-g", "4", "-l", "2", "-l", "2"], """
kernel void arrays(global float *out) {
    float a[4] = {1, 2, 3, 4}; /*0*/
    float4 v = (float4)(5, 6, 7, 8); /*1*/
    int x = get_global_id(0), y = get_global_id(1); /*2*/
    a[x] += v.y; /*3*/
    v.zw = (float2)(a[0], a[1]); /*4*/
    out[y * 4 + x] = v.w; /*5*/
}""", [(0, {}), (1, {"a": "{1, 2, 3, 4}"}), (2, {"v": "{5, 6, 7, 8}"}), (3, {"x": "1", "y": "2"}),
       (4, {"a": "{1, 8, 3, 4}"}), (5, {"v": "{5, 6, 1, 8}", "__global_id": "{1, 2, 0}"})]),
    Case("switches", "2", ["zeros:4"], """
kernel void switches(global int *out) {
    int i = get_global_id(0), r = 0; /*0*/
    switch (i & 3) { /*1*/
    case 0:
        r = 10; /*2*/
        break; /*10*/
    case 2:
        r = 30; /*3*/
        break; /*4*/
    default:
        r = 40; /*5*/
    } /*11*/
    if (r > 20)
        r += 1; /*6*/
    else
        r -= 1; /*7*/
    do {
        --r; /*8*/
    } while (r > 29);
    out[i] = r; /*9*/
}""", [(0, {}), (1, {"i": "2", "r": "0"}), (3, {}), (4, {"r": "30"}), (6, {}), (8, {"r": "31"}),
       (8, {"r": "30"}), (9, {"r": "29"})]),
    Case("pointers", "3", ["iota:8", "-g", "8"], """
void add(int *where, int what) {
    *where += what; /*2*/
}
kernel void pointers(global int *out) {
    int mine = 7; /*0*/
    add(&mine, get_global_id(0)); /*1*/
    global int *p = out + get_global_id(0); /*3*/
    *p = mine; /*4*/
}""", [(0, {}), (1, {"mine": "7"}), (2, {"what": "3", "*where": "7"}), (3, {"mine": "10"}),
       (4, {"*p": "3", "p - out": "3"})]),
    Case("returns", "6", ["iota:8", "6", "-g", "8"], """
kernel void returns(global int *out, int limit) {
    int i = get_global_id(0); /*0*/
    if (i >= limit) /*1*/
        return; /*2*/
    out[i] = -1; /*3*/
} /*4*/""", [(0, {}), (1, {"i": "6", "limit": "6"}), (2, {})]),
    Case("calls", "1", ["zeros:2", "-g", "2"], """
long first(long n) {
    long r = n * 3; /*2*/
    return r + 1; /*3*/
}
long second(long n) {
    long s = first(n + 1); /*1*/
    return s * 2; /*4*/
}
kernel void calls(global long *out) {
    out[get_global_id(0)] = second(get_global_id(0)); /*0*/
}""", [(0, {}), (1, {"n": "1"}), (2, {"n": "2"}), (3, {"r": "6"}), (4, {"s": "7"})]),
    Case("halves", "1", ["zeros:2", "-g", "2"], """
constant float table[3] = {0.5f, 1.5f, 2.5f};
kernel void halves(global float *out) {
    uchar c = 200; /*0*/
    short s = -5; /*1*/
    float f = table[get_global_id(0)]; /*2*/
    f = sqrt(f * f); /*3*/
    bool b = f > 1; /*4*/
    out[get_global_id(0)] = b ? f : c + s; /*5*/
}""", [(0, {}), (1, {"(int)c": "200"}), (2, {"s": "-5"}), (3, {"f": "1.5"}), (4, {"f": "1.5"}),
       (5, {"b": "true"})]),
    Case("shadows", "0", ["zeros:1", "-g", "1"], """
kernel void shadows(global int *out) {
    int v = 1; /*0*/
    {
        int v = 2; /*1*/
        v += 3; /*2*/
        out[0] = v; /*3*/
    }
    out[0] += v; /*4*/
}""", [(0, {}), (1, {}), (2, {"v": "2"}), (3, {"v": "5"}), (4, {"v": "1", "out[0]": "5"})]),
    Case("barriers_in_loop", "3", ["iota:4", "-g", "4", "-l", "4"], """
kernel void barriers_in_loop(global int *out) {
    local int values[4];
    int l = get_local_id(0), sum = 0; /*0*/
    values[l] = out[l]; /*1*/
    for (int step = 2; step > 0; step >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE); /*2*/
        int other = values[l ^ step]; /*3*/
        barrier(CLK_LOCAL_MEM_FENCE); /*4*/
        values[l] += other; /*5*/
    }
    sum = values[l]; /*6*/
    out[l] = sum; /*7*/
}""", [(0, {}), (1, {"l": "3", "sum": "0"}), (2, {"step": "2"}), (3, {"step": "2", "l": "3"}),
       (4, {"other": "1"}), (5, {"other": "1", "__local_id[0]": "3"}), (2, {"step": "1"}),
       (3, {"values": "{2, 4, 2, 4}"}), (4, {"other": "2"}), (5, {"step": "1"}), (6, {}),
       (7, {"sum": "6"})]),
    Case("program_variables", "1", ["zeros:4", "-g", "4"], """
struct pair { int a; float b; };
constant float table[3] = {0.5f, 1.5f, 2.5f};
constant int limit = 7, unused = 9;
global int counter = 3;
global struct pair last = {1, 2.5f};
kernel void program_variables(global int *out) {
    constant int weights[2] = {4, 5};
    int i = get_global_id(0); /*0*/
    counter = i; /*1*/
    counter = 40; /*2*/
    last.a = weights[i]; /*3*/
    out[i] = counter + limit + (int)table[1]; /*4*/
}""", [(0, {"table": "{0.5, 1.5, 2.5}", "limit": "7", "unused": "9", "last": "{a = 4, b = 2.5}"}),
       (1, {"weights": "{4, 5}", "counter": "40"}), (2, {"counter": "1"}), (3, {"counter": "40"}),
       (4, {"last": "{a = 5, b = 2.5}", "table[2]": "2.5", "last.b + counter": "42.5"})]),
    Case("events", "5", ["iota:8", "zeros:8", "-g", "8", "-l", "4"], """
kernel void events(global int *in, global int *out) {
    local int values[4];
    event_t e[2];
    global int *from = in + 4 * get_group_id(0); /*0*/
    e[0] = async_work_group_copy(values, from, 2, 0); /*1*/
    e[1] = async_work_group_copy(values + 2, from + 2, 2, 0); /*2*/
    wait_group_events(2, e); /*3*/
    out[get_global_id(0)] = values[get_local_id(0)]; /*4*/
}""", [(0, {}), (1, {"*from": "4"}), (2, {}), (3, {"e": "{0x0, 0x0}"}),
       (4, {"e": "{0x0, 0x0}", "values": "{4, 5, 6, 7}"})]),
    Case("samplers", "2", ["empty:4x1", "zeros:4", "-g", "4"], """
float red(read_only image2d_t image, sampler_t how, int x) {
    return read_imagef(image, how, (int2)(x, 0)).x; /*2*/
}
kernel void samplers(read_only image2d_t image, global float *out) {
    const sampler_t edge = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST; /*0*/
    float sum = red(image, edge, get_global_id(0)); /*1*/
    out[get_global_id(0)] = sum + 1; /*3*/
}""", [(0, {}), (1, {"edge": "0x12"}), (2, {"x": "2", "how": "0x12"}),
       (3, {"sum": "0", "edge": "0x12"})]),
]


class DebugKernels(ProgramTest):
    def test_gdb_stops_at_every_line_and_knows_every_variable(self):
        for case in CASES:
            with self.subTest(case.name), tempfile.TemporaryDirectory() as folder:
                self.follow(case, pathlib.Path(folder))

    def follow(self, case, folder):
        source = folder / "kernel.cl"
        source.write_text(case.source)
        marks = case.lines()
        without_variables = case.lines_without_variables()
        (folder / "follow.json").write_text(json.dumps(
            {"item": case.item.split(","), "but": sorted(without_variables),
             "stops": [(marks[mark], list(values)) for mark, values in case.stops]}))
        shown = run(BUILD / "bin/rivulet", "debug", case.name, "--work-item", case.item, "--batch",
                    "--ex", f"source {pathlib.Path(__file__).with_name('follow_work_item.py')}",
                    "--ex", f"rivulet-follow {folder / 'follow.json'} {folder / 'stops.json'}",
                    "--", BUILD / "bin/rivulet", "run", source, case.name,
                    "--options=-g -cl-opt-disable -cl-std=CL3.0", *case.arguments, seconds=600)
        self.assertEqual(shown.returncode, 0, shown)
        followed = json.loads((folder / "stops.json").read_text())
        for stop in followed["stops"]:
            for kind in ("locals", "args"):
                self.assertNotRegex(stop[kind], "<optimized out>|<error reading", stop)
        stops = [stop for stop in followed["stops"] if stop["line"] in marks.values()]
        self.assertEqual([stop["line"] for stop in stops],
                         [marks[mark] for mark, _ in case.stops], f"{followed}\n{shown}")
        for (_, values), stop in zip(case.stops, stops):
            found = [re.sub(r"^\(.*?\) ", "", value) for value in stop["values"]]
            self.assertEqual(found, list(values.values()), f"{stop}\n{shown}")
        statements = set(followed["statements"]) - without_variables
        self.assertLessEqual(set(marks.values()), statements, "marked lines without a statement")
        reached = {stop["line"] for stop in followed["stops"]}
        passed_by = set(marks.values()) - {marks[mark] for mark, _ in case.stops}
        self.assertEqual(statements - reached, passed_by, f"{followed}\n{shown}")

    def test_work_items_that_do_not_exist_are_reported(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "kernel.cl")
            source.write_text(CASES[0].source)
            program = ["--batch", "--", BUILD / "bin/rivulet", "run", source, "loop"]
            shown = run(BUILD / "bin/rivulet", "debug", "loop", "--work-item", "99", *program,
                        "--options=-g -cl-opt-disable", "iota:16", "3")
            self.assertIn("no work-item 99 came to", shown.stdout + shown.stderr, shown)
            shown = run(BUILD / "bin/rivulet", "debug", "loop", "--work-item", "5", *program,
                        "iota:16", "3")
            self.assertIn("no ids are known here", shown.stdout + shown.stderr, shown)
            shown = run(BUILD / "bin/rivulet", "debug", "loop", "--work-item", "5,,1", *program)
            self.assert_fails(shown, "a global id is X or X,Y or X,Y,Z")


if __name__ == "__main__":
    unittest.main()
