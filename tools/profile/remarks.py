# SPDX-License-Identifier: Apache-2.0
"""Remarks of the compiler (rivulet-cc --remarks): LLVM's YAML, as far as it is shown beside lines."""
import re

DOCUMENT = re.compile(r"^--- !(\w+)\n(.*?)^\.\.\.", re.MULTILINE | re.DOTALL)
PLACE = re.compile(r"^DebugLoc:\s*\{\s*File:\s*'?([^',]*)'?,\s*Line:\s*(\d+)", re.MULTILINE)
FIELD = re.compile(r"^(Pass|Name|Function):\s*'?([^'\n]*)'?", re.MULTILINE)
ARGUMENT = re.compile(r"^\s+-?\s*(\w+):\s+(?:'((?:[^']|'')*)'|\"((?:[^\"\\]|\\.)*)\"|(\S.*))$",
                      re.MULTILINE)


def load(path):
    """{line: [text]} of a file of remarks."""
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    found = {}
    for kind, body in DOCUMENT.findall(text):
        place = PLACE.search(body)
        if not place:
            continue
        names = dict(FIELD.findall(body))
        _, _, arguments = body.partition("Args:")
        words = "".join((single or double or plain).replace("''", "'")
                        for key, single, double, plain in ARGUMENT.findall(arguments)
                        if key not in ("DebugLoc", "File", "Line", "Column"))
        found.setdefault(int(place[2]), []).append(
            f"{kind.lower()}: {words.strip() or names.get('Name', '')} [{names.get('Pass', '')}]")
    return found
