#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Test programs of every kind that a runner meets: fake_test.py WHAT [ARGUMENT]."""
import os
import pathlib
import signal
import subprocess
import sys
import time


def flaky(path):
    """Fails until `path` is there, which the first attempt makes."""
    path = pathlib.Path(path)
    if path.exists():
        return 0
    path.touch()
    print("the first attempt fails")
    return 1


def fork_children(_path):
    """Leaves a child in its group, and a daemon in a session of its own, and passes."""
    subprocess.Popen(["sleep", "1000"])
    subprocess.Popen(["sleep", "1000"], start_new_session=True)
    return 0


def leaves_one_ending(_path):
    """Passes while a process that it started is about to end."""
    subprocess.Popen(["sleep", "0.2"], start_new_session=True)
    return 0


def prints_binary(_path):
    sys.stdout.buffer.write(b"\xff" * 200000)
    return 1


def forks_and_hangs(_path):
    fork_children(_path)
    time.sleep(1000)


def prints_much(_path):
    print("first line")
    for number in range(40000):
        print(f"line {number} " + "x" * 60)
    print("last line")
    return 1


def counts(path):
    """Adds a line to `path`, so that a test can count how often this one ran."""
    with open(path, "a", encoding="ascii") as file:
        file.write("ran\n")
    return 0


def waits_for(path):
    """Tells `path`.started and waits for `path`: the moment in which a runner is stopped."""
    pathlib.Path(path + ".started").touch()
    while not os.path.exists(path):
        time.sleep(0.01)
    return 0


def measures(_path):
    print("accuracy,sin,float,1000,2.57,4\naccuracy,lgamma,double,1000,25.96,64")
    return 0


def gtest(words):
    if "--gtest_list_tests" in words:
        print("Running main() from a file\nCopy.\n  Works\n  Breaks\n  DISABLED_Off\n"
              "Wide/Typed.  # TypeParam = int\n  IsSkipped/0  # GetParam() = 1")
        return 0
    test = next(w for w in words if w.startswith("--gtest_filter=")).split("=")[1]
    if test == "Copy.Breaks":
        return 1
    if "IsSkipped" in test:
        print(f"[  SKIPPED ] {test} (0 ms)")
    print("[  PASSED  ] 1 test.")
    return 0


def main():
    what, *rest = sys.argv[1:]
    if what == "gtest":
        return gtest(rest)
    if what == "crash":
        print("about to crash", flush=True)
        os.kill(os.getpid(), signal.SIGSEGV)
    simple = {"pass": 0, "fail": 1, "skip": 77}
    if what in simple:
        print(f"this is {what}")
        return simple[what]
    return {"flaky": flaky, "forks": fork_children, "ending": leaves_one_ending, "binary": prints_binary,
            "hangs": forks_and_hangs,
            "prints": prints_much, "counts": counts, "waits": waits_for,
            "measures": measures}[what](rest[0] if rest else "")


if __name__ == "__main__":
    sys.exit(main())
