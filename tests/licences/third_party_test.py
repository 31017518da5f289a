#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cmake/package/third_party.csv names every package of Debian's that the products are built of.

    third_party_test.py BUILD NOTICES

What was compiled is what Ninja has noted: headers of each object, and the libraries of each program.
"""
import pathlib
import re
import subprocess
import sys
import unittest

build, notices = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "cmake/package"))
import third_party

# Nothing of these is in an object file.
WITHOUT_CODE = re.compile(r"cmake|python3|clang-22$|lld-22$|llvm-22$|device-tree-compiler|dash|bash|coreutils")


def ninja(*words):
    return subprocess.run(["ninja", "-C", build, "-t", *words], text=True, check=True,
                          stdout=subprocess.PIPE).stdout.splitlines()


def files_of_products():
    """Paths outside of this tree that objects, archives and programs of the products depend on."""
    inputs = {line for line in ninja("inputs", "product") if not line.startswith("ninja:")}
    found = {line for line in inputs if line.startswith("/usr/")}
    objects = 0
    of_product = False
    for line in ninja("deps"):
        if line and not line.startswith(" "):
            of_product = line.partition(":")[0] in inputs
            objects += of_product
        elif of_product and line.strip().startswith("/usr/"):
            found.add(line.strip())
    return objects, found


def packages_of(files):
    """{package: one of its files}, of files that packages have."""
    names = sorted({str(pathlib.Path(file).resolve()) for file in files} | set(files))
    done = subprocess.run(["dpkg", "-S", *names], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL)
    owners = {}
    for line in done.stdout.splitlines():
        package, _, path = line.partition(": ")
        owners[package.split(",")[0].split(":")[0]] = path
    return owners


class ThirdParty(unittest.TestCase):
    def test_every_package_has_a_row_and_every_row_is_used(self):
        objects, files = files_of_products()
        self.assertGreater(objects, 200, "is `product` built?")
        used = packages_of(files)
        self.assertGreater(len(used), 10)
        self.assert_named({package: path for package, path in used.items()
                           if not WITHOUT_CODE.match(package)})
        for row in third_party.rows():
            with self.subTest(row["component"]):
                self.assertTrue(any(third_party.is_of(package, row)
                                    for package in [*used, "newlib-source"]), "nothing uses it any more; its row in third_party.csv can go")

    def test_libraries_that_are_loaded_have_a_row(self):
        programs = [file for folder in ("bin", "lib", "lib/rivulet", "lib/rivulet/drivers")
                    for file in sorted((build / folder).iterdir())
                    if file.is_file() and file.read_bytes()[:4] == b"\x7fELF"]
        self.assertGreater(len(programs), 8)
        loaded = {}
        for program in programs:
            said = subprocess.run(["readelf", "-dW", program], text=True, stdout=subprocess.PIPE).stdout
            needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", said))
            said = subprocess.run(["ldd", program], text=True, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL).stdout
            for library, path in re.findall(r"(\S+) => (/\S+)", said):
                if library in needed and build.resolve() not in pathlib.Path(path).resolve().parents:
                    # Debian's packages have libraries in /lib, which is /usr/lib.
                    loaded |= {path: program.name, path.removeprefix("/usr"): program.name}
        used = packages_of(loaded)
        self.assertGreater(len(used), 5)
        self.assert_named(used)

    def assert_named(self, used):
        for package, path in sorted(used.items()):
            with self.subTest(package):
                self.assertTrue(any(third_party.is_of(package, row) for row in third_party.rows()),
                                f"{path} is used; third_party.csv has no row of {package}")

    def test_notices_hold_the_texts(self):
        text = notices.read_text()
        self.assertNotIn("The text was not there", text)
        for words in ("Red Hat Incorporated", "LLVM Exceptions", "Henry Schreiner", "Niels Lohmann",
                      "Mark Gillard", "Yann Collet", "Google Inc", "Apache License"):
            with self.subTest(words):
                self.assertIn(words.lower(), text.lower())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
