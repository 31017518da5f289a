#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Names of one file mean the same when the files of its folder are compiled together (rivulet_unity()).

    unity.py [SOURCE-DIRECTORY]

A function of an anonymous namespace, or a static one, would be an overload for the other files: a call
there may take it instead of the function that was meant, without a word. Other names would be errors
in such a build alone. So no two files of a folder declare the same one.
"""
import collections
import os
import pathlib
import re
import sys

from sources import source_files

TOGETHER = ("hal/core/", "host-runtime/", "compiler/") # rivulet_unity() has their targets
TEXT = re.compile(r'//(?! namespace$)[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"', re.S | re.M)
ANONYMOUS = re.compile(r"^namespace \{$(.*?)^\} // namespace$", re.S | re.M)
# clang-format leaves what a namespace declares at the start of a line.
TYPE = re.compile(r"^(?:template <[^>]*> )?(?:class|struct|enum|enum class|union) (\w+)(?: final)?[^;(]*\{", re.M)
FUNCTION = re.compile(r"^(?=\w|\[)(?!using|return|namespace)[\w:<>,&*\[\] ]*?[\s&*](\w+)\((?=[^;{]*(?:;|\{))", re.M)
VARIABLE = re.compile(r"^(?:static |inline |constinit |constexpr |const )+[\w:<>,&* ]*?[\s&*](\w+)(?:\[\w*\])*(?: = |\{|;)",
                      re.M)
STATIC = re.compile(r"^static [\w:<>,&* ]*?[\s&*](\w+)\(", re.M)
WORDS = {"class", "struct", "if", "for", "while", "switch", "decltype", "static_assert", "requires"}


def own_names(source):
    """What a file declares for itself."""
    source = TEXT.sub(lambda match: '""' if match[0][0] in '"R' else "", source)
    names = set(STATIC.findall(source))
    for part in ANONYMOUS.findall(source):
        for kind in TYPE, FUNCTION, VARIABLE:
            names.update(kind.findall(part))
    return names - WORDS


def clashes(top, files):
    declared = collections.defaultdict(list)
    for name in files:
        if name.startswith(TOGETHER) and name.endswith(".cpp") and not name.endswith("_test.cpp") \
                and not re.search(r"/(tests?|fuzz|driver)/", name):
            for own in own_names((top / name).read_text()):
                declared[os.path.dirname(name), own].append(os.path.basename(name))
    for (folder, own), where in sorted(declared.items()):
        if len(where) > 1:
            yield f"{folder}: `{own}` is declared by {' and '.join(where)}, each for itself; rename one"


if __name__ == "__main__":
    top = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    found = list(clashes(top, source_files(top)))
    print("\n".join(found))
    sys.exit(bool(found))
