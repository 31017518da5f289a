#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The recipes of Yocto and Buildroot agree with the tree, as far as that can be told without either.

    products_test.py SOURCE PREFIX

PREFIX is an install tree of a native build. buildroot_test.py and yocto_test.py run the recipes.
"""
import fnmatch
import hashlib
import pathlib
import re
import sys
import unittest

SOURCE, PREFIX = (pathlib.Path(name) for name in sys.argv[1:3])
LAYER = SOURCE / "tools/products/yocto/meta-rivulet"
RECIPES = LAYER / "recipes-rivulet/rivulet"
TREE = SOURCE / "tools/products/buildroot"
# What a cross build does not install: programs of OpenCL and of libraries, and what those print.
NATIVE_ONLY = ("bin/rivulet-run", "bin/rivulet-bench", "bin/rivulet-flash", "bin/rivulet-sign",
               "share/man/*", "share/bash-completion/*", "share/zsh/*")
# Patterns of FILES that bitbake.conf has, without those that no file of ours matches.
DEFAULTS = {"dev": ("include/*", "lib/lib*.so", "share/pkgconfig/*"), "staticdev": ("lib/*.a",),
            "doc": ("share/doc/*",)}
# Of a prefix that is not /usr, and of packages' symbols, which bitbake makes itself.
ELSEWHERE = ("activate", "lib/*.debug")
FOLDERS = {"${bindir}": "bin", "${libdir}": "lib", "${nonarch_libdir}": "lib", "${datadir}": "share",
           "${sysconfdir}": "etc"}


def joined(path):
    """A recipe's text, with continued lines as one."""
    return path.read_text(encoding="utf-8").replace("\\\n", " ")


def recipes():
    return [*RECIPES.glob("*.bb"), *RECIPES.glob("*.inc"), *TREE.glob("package/*/*.mk")]


def yocto_files(path):
    """{package without ${PN}-: patterns relative to the prefix}."""
    packages = {}
    for name, value in re.findall(r'(?m)^FILES:\$\{PN\}(?:-(\w+))? \+?= "([^"]*)"', joined(path)):
        for folder, real in FOLDERS.items():
            value = value.replace(folder, real)
        packages[name] = tuple(value.split())
    return packages


def matches(file, patterns):
    """A pattern names a file or a folder that it is in; a star is a part of one name."""
    parts = file.split("/")
    return any(len(wanted) <= len(parts) and all(map(fnmatch.fnmatchcase, parts, wanted))
               for wanted in (pattern.split("/") for pattern in patterns))


class Recipes(unittest.TestCase):
    def test_checksums_of_licences(self):
        for file, md5 in re.findall(r"file://(LICENSES/\S+);md5=(\w+)", joined(RECIPES / "rivulet.inc")):
            self.assertEqual(hashlib.md5((SOURCE / file).read_bytes()).hexdigest(), md5, file)
        for recipe in TREE.glob("package/*/*.mk"):
            for name in re.findall(r"_LICENSE_FILES = (LICENSES/\S+)", joined(recipe)):
                self.assertTrue((SOURCE / name).is_file(), name)

    def test_settings_exist(self):
        cmake = "".join(path.read_text(encoding="utf-8") for folder in
                        (".", "boards", "cmake", "device-firmware", "hal", "compiler")
                        for kind in ("CMakeLists.txt", "*.cmake", "*/*.cmake")
                        for path in (SOURCE / folder).glob(kind))
        known = set(re.findall(r"\b(?:option|set|find_program|find_path|find_library)\((\w+)", cmake))
        for recipe in recipes():
            used = re.findall(r"-D((?:RIVULET|LIBFDT)_\w+)=", joined(recipe))
            self.assertLessEqual(set(used), known, recipe.name)

    def test_every_installed_file_has_one_package(self):
        packages = yocto_files(RECIPES / "rivulet_git.bb")
        firmware = ("lib/rivulet/firmware/*", "lib/rivulet/boards/*")
        for suffix, patterns in DEFAULTS.items():
            packages[suffix] = packages.get(suffix, ()) + patterns
        files = [str(path.relative_to(PREFIX)) for path in PREFIX.rglob("*") if not path.is_dir()]
        self.assertTrue(files)
        for file in files:
            if matches(file, (*NATIVE_ONLY, *ELSEWHERE, *firmware)):
                continue
            owners = [name for name, patterns in packages.items() if matches(file, patterns)]
            self.assertEqual(len(owners), 1, f"{file} is in {owners or 'no package'}")
        for name, patterns in packages.items():
            for pattern in patterns:
                self.assertTrue(any(matches(file, (pattern,)) for file in files),
                                f"{name or 'rivulet'}: no file is {pattern}")

    def test_buildroot_selects_what_it_depends_on(self):
        config = (TREE / "package/rivulet/Config.in").read_text(encoding="utf-8")
        selected = {name.lower().replace("_", "-") for name in
                    re.findall(r"(?m)^\tselect BR2_PACKAGE_(?!HAS_)(\w+)", config)}
        recipe = joined(TREE / "package/rivulet/rivulet.mk")
        needed = set(re.search(r"(?m)^RIVULET_DEPENDENCIES = (.*)$", recipe)[1].split())
        self.assertEqual(selected, {name for name in needed if not name.startswith("$(")})

    def test_buildroot_symbols_are_defined_and_used(self):
        defined = {name for path in TREE.rglob("Config.in") for name in
                   re.findall(r"(?m)^config (BR2_PACKAGE_RIVULET\w*)", path.read_text(encoding="utf-8"))}
        used = {name for path in [*TREE.rglob("*.mk"), TREE / "external.mk"] for name in
                re.findall(r"BR2_PACKAGE_RIVULET\w*", path.read_text(encoding="utf-8"))}
        # Buildroot itself reads a package's own symbol.
        own = {"BR2_PACKAGE_" + path.name.upper().replace("-", "_") for path in (TREE / "package").iterdir()}
        self.assertEqual(defined - own, used - own)
        self.assertLessEqual(own, defined)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
