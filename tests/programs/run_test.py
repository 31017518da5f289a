#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`rivulet run`: a kernel with arguments from the command line and from files."""
import json
import pathlib
import subprocess
import tempfile
import unittest

import numpy

from programs import BUILD, SOURCE, ProgramTest, run

KERNELS = """
kernel void saxpy(float a, global const float *x, global float *y) {
    size_t i = get_global_id(0);
    y[i] += a * x[i];
}
kernel void copy(global const double *x, global double *y) {
    y[get_global_id(0)] = x[get_global_id(0)];
}
kernel void second(global short3 *v, local short *l, uchar2 c) {
    v[get_global_id(0)].y += c.x - c.y;
}
kernel void sum(global const long *x, global const half *h, global double *out) {
    size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
    out[i] = (double)x[i] + vload_half(i, h);
}
kernel void grey(read_only image2d_t in, write_only image2d_t out, float4 weights) {
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(out, p, (float4)(dot(read_imagef(in, p), weights)));
}
"""


class Run(ProgramTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "kernels.cl"
        self.file.write_text(KERNELS)

    def kernel(self, *arguments, **environment):
        return run(BUILD / "bin/rivulet", "run", self.file, *arguments, **environment)

    def json(self, *arguments, **environment):
        process = self.kernel(*arguments, "--json", **environment)
        self.assertEqual(process.returncode, 0, process)
        return json.loads(process.stdout)

    def test_saves_what_it_computes(self):
        x, out = numpy.linspace(-1, 1, 1000, dtype="f4"), self.folder / "out.npy"
        numpy.save(self.folder / "x.npy", x)
        result = self.json("saxpy", "-1.5", self.folder / "x.npy", "fill:1000:2", "-s", f"2={out}",
                           "--print", "2")
        self.assertEqual(result["global"], [1000])
        expected = numpy.float32(2) + numpy.float32(-1.5) * x
        numpy.testing.assert_allclose(numpy.load(out), expected, rtol=0, atol=2 ** -22)
        self.assertEqual(len(result["arguments"]["y (float*)"]), 64)

    def test_each_run_begins_with_the_same_contents(self):
        out = self.folder / "out.bin"
        result = self.json("saxpy", "1", "iota:64", "zeros:64", "--repeat", "3", "-s", f"2={out}",
                           RIVULET_MACHINE="rv64-v128-icount")
        self.assertEqual(numpy.fromfile(out, "f4").tolist(), list(range(64)))
        self.assertEqual(len({entry["instructions"] for entry in result["runs"]}), 1)

    def test_differences_fail_unless_they_are_tolerated(self):
        expected = self.folder / "expected.npy"
        exact = numpy.arange(64, dtype="f4")
        exact[7] = numpy.nextafter(exact[7], numpy.float32(8))
        numpy.save(expected, exact)
        command = ["saxpy", "1", "iota:64", "zeros:64", "-e", f"2={expected}"]
        process = self.kernel(*command)
        self.assertEqual(process.returncode, 1)
        self.assertIn("1 numbers differ; number 7 is 7, 7.0000005 expected", process.stdout)
        self.assertEqual(self.kernel(*command, "--tolerance", "1").returncode, 0)

    def test_doubles_are_told_apart_by_each_unit_of_the_last_place(self):
        near = numpy.array([1.0])
        near.view("i8")[0] += 200
        numpy.save(self.folder / "one.npy", numpy.array([1.0]))
        numpy.save(self.folder / "near.npy", near)
        command = ["copy", self.folder / "one.npy", "zeros:1", "-e", f"1={self.folder}/near.npy"]
        self.assertEqual(self.kernel(*command).returncode, 1)
        self.assertEqual(self.kernel(*command, "--tolerance", "199").returncode, 1)
        self.assertEqual(self.kernel(*command, "--tolerance", "200").returncode, 0)

    def test_each_expectation_and_each_file_counts(self):
        numpy.save(self.folder / "right.npy", numpy.zeros(4))
        numpy.save(self.folder / "wrong.npy", numpy.ones(4))
        for files in ("right", "wrong"), ("wrong", "right"):
            expected = [word for name in files for word in ("-e", f"1={self.folder}/{name}.npy")]
            self.assertEqual(self.kernel("copy", "zeros:4", "zeros:4", *expected).returncode, 1)
        self.json("copy", "zeros:4", "zeros:4", "-s", f"1={self.folder}/a", "-s", f"1={self.folder}/b")
        self.assertEqual((self.folder / "a").read_bytes(), (self.folder / "b").read_bytes())

    def test_output_that_fails_is_an_error_and_leaves_no_file(self):
        for more in [], ["--json"]:
            with open("/dev/full", "w") as full:
                process = subprocess.run([BUILD / "bin/rivulet", "run", self.file, "saxpy", "1",
                                          "iota:4", "iota:4", *more], stdout=full,
                                         stderr=subprocess.PIPE, text=True)
            self.assertEqual(process.returncode, 1)
            self.assertIn("standard output can't be written", process.stderr)
        process = self.kernel("saxpy", "1", "iota:4", "iota:4", "-s", "2=/dev/full")
        self.assert_fails(process, "cannot write /dev/full")
        self.assertTrue(pathlib.Path("/dev/full").is_char_device())

    def test_vectors_of_three_have_three_columns(self):
        out = self.folder / "out.npy"
        self.json("second", "iota:4", "local:8", "7,3", "-s", f"0={out}")
        expected = numpy.arange(12, dtype="i2").reshape(4, 3)
        expected[:, 1] += 4
        self.assertTrue((numpy.load(out) == expected).all())
        again = self.folder / "again.npy"
        self.json("second", out, "local:8", "3,7", "-s", f"0={again}")
        self.assertTrue((numpy.load(again) == numpy.arange(12).reshape(4, 3)).all())

    def test_halves_and_two_dimensions(self):
        numpy.save(self.folder / "h.npy", numpy.array([0.5, -2, 65504, 2 ** -24] * 4, dtype="f2"))
        out = self.folder / "out.npy"
        self.json("sum", "iota:16", self.folder / "h.npy", "zeros:16", "-g", "8,2", "-l", "4,1", "-s",
                  f"2={out}")
        self.assertTrue((numpy.load(out) == numpy.arange(16) +
                         numpy.array([0.5, -2, 65504, 2 ** -24] * 4)).all())
        result = self.json("sum", "iota:4", "fill:4:65519", "zeros:4", "-p", "1,2")
        self.assertEqual(result["arguments"]["h (half*)"], ["65504"] * 4)  # ties: to even

    def test_pictures(self):
        out = self.folder / "grey.png"
        result = self.json("grey", SOURCE / "examples/photo/chelsea.png", "empty:451x300",
                           "0.3,0.6,0.1,0", "-s", f"1={out}")
        self.assertEqual(result["global"], [451, 300])
        self.assertTrue(out.read_bytes().startswith(b"\x89PNG"))

    def test_programs_compiled_before(self):
        binary = self.folder / "kernels.bin"
        made = run(BUILD / "bin/rivulet", "cc", self.file, "-cl-kernel-arg-info", "-o", binary)
        self.assertEqual(made.returncode, 0, made)
        process = run(BUILD / "bin/rivulet", "run", binary, "saxpy", "1", "iota:8", "zeros:8", "-p2")
        self.assertIn("0 1 2 3 4 5 6 7", process.stdout)

    def test_usage(self):
        for arguments in ["saxpy", "1", "iota:4", "iota:4", "-g", "0"], ["saxpy", "-l", "4"], []:
            self.assertEqual(self.kernel(*arguments).returncode, 2, arguments)
        self.assertIn("Arguments, in the kernel's order", self.kernel("--help").stdout)

    def test_what_makes_no_sense_is_said(self):
        damaged = self.folder / "damaged.npy"
        damaged.write_bytes(b"\x93NUMPY\x01\x00\xff\xff{" + 16 * b" ")
        negative = self.folder / "negative.npy"
        numpy.save(negative, numpy.zeros(4, dtype="f4"))
        negative.write_bytes(negative.read_bytes().replace(b"(4,), ", b"(-4,),"))
        for words, arguments in {
                "extent that is none": ["saxpy", "1", negative, "iota:4"],
                '"1e300" is not a value of this type': ["saxpy", "1", "fill:4:1e300", "iota:4"],
                "saved as FILE.png": ["grey", "empty:4x4", "empty:4x4", "0,0,0,0", "-s",
                                      f"1={self.folder}/x.npy"],
                "no kernel nothing; there are: saxpy;copy;second;sum;grey": ["nothing"],
                "takes 3 arguments, 1 are given": ["saxpy", "1"],
                '"x" is not a value of this type': ["saxpy", "x", "iota:4", "iota:4"],
                "there is no such file": ["saxpy", "1", "2", "3"],
                f"cannot read {self.folder}: Is a directory":
                    ["saxpy", "1", self.folder, "iota:4"],
                "is not a valid buffer size": ["saxpy", "1", "zeros:0", "iota:4"],
                "not enough memory": ["saxpy", "1", "zeros:4611686018427387", "iota:4"],
                "cut short": ["saxpy", "1", damaged, "iota:4"],
                "numbers, separated by commas": ["second", "iota:4", "local:4", "7"],
                "give local:N": ["second", "iota:4", "4", "7,3"],
                "ARGUMENT=FILE with an argument from 0 to 2":
                    ["saxpy", "1", "iota:4", "iota:4", "-s", "3=x"]}.items():
            with self.subTest(words):
                self.assert_fails(self.kernel(*arguments), words)
        self.assert_fails(run(BUILD / "bin/rivulet", "run", self.folder, "saxpy"),
                          f"cannot read {self.folder}: Is a directory")


if __name__ == "__main__":
    unittest.main()
