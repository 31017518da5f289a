# SPDX-License-Identifier: Apache-2.0
"""Remarks of the compiler (rivulet-cc --remarks): LLVM's YAML, as far as it is shown next to lines.

They come from a file, or from the sources and images that a program has left: rivulet-cc compiles
those once more, with the options that the image's note keeps."""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile

DOCUMENT = re.compile(r"^--- !(\w+)\n(.*?)^\.\.\.", re.MULTILINE | re.DOTALL)
LOCATION = re.compile(r"^DebugLoc:\s*\{\s*File:\s*'?([^',]*)'?,\s*Line:\s*(\d+)", re.MULTILINE)
FIELD = re.compile(r"^(Pass|Name|Function):\s*'?([^'\n]*)'?", re.MULTILINE)
ARGUMENT = re.compile(r"^\s+-?\s*(\w+):\s+(?:'((?:[^']|'')*)'|\"((?:[^\"\\]|\\.)*)\"|(\S.*))$",
                      re.MULTILINE)


TARGET = re.compile(r"^isa (rv\S+), VLEN (\S+)$", re.MULTILINE)
OPTIONS = re.compile(r"^options (.*)$", re.MULTILINE)
COMPILE_SECONDS = 120


def parse(text):
    """{file: {line: [text]}}, each text once."""
    found = {}
    for kind, body in DOCUMENT.findall(text):
        location = LOCATION.search(body)
        if not location:
            continue
        names = dict(FIELD.findall(body))
        _, _, arguments = body.partition("Args:")
        words = "".join((single or double or plain).replace("''", "'")
                        for key, single, double, plain in ARGUMENT.findall(arguments)
                        if key not in ("DebugLoc", "File", "Line", "Column"))
        told = f"{kind.lower()}: {words.strip() or names.get('Name', '')} [{names.get('Name', '')}]"
        of_line = found.setdefault(location[1], {}).setdefault(int(location[2]), [])
        if told not in of_line:
            of_line.append(told)
    return found


def compiler(folder):
    """rivulet-cc in the bin/ of this installation or build, or in PATH."""
    for folder_above in pathlib.Path(folder).parents:
        if os.access(folder_above / "bin/rivulet-cc", os.X_OK):
            return str(folder_above / "bin/rivulet-cc")
    return shutil.which("rivulet-cc")


def of_source(program, source, image):
    """Remarks on a source file as the image's note says that it was compiled; {} for the host's."""
    quiet = {"capture_output": True, "text": True, "errors": "replace", "check": False,
             "stdin": subprocess.DEVNULL, "timeout": COMPILE_SECONDS}
    note = subprocess.run([program, "--dump", image], **quiet).stdout
    target, options = TARGET.search(note), OPTIONS.search(note)
    if not target:
        return {}
    length = [f"--vlen={target[2]}"] if target[2].isdigit() else []
    with tempfile.TemporaryDirectory(prefix="rivulet-remarks-") as folder:
        out = pathlib.Path(folder, "remarks.yaml")
        subprocess.run([program, f"--target={target[1]}", *length,
                        *shlex.split(options[1] if options else ""), source, "-o", os.devnull,
                        f"--remarks={out}"], **quiet)
        return parse(out.read_text(errors="replace")) if out.is_file() else {}


class Remarks:
    """The remarks on lines; of a file that was given, whatever its source was called."""

    def __init__(self, given=None):
        self._given, self._of_files = {}, {}
        if given:
            for lines in parse(pathlib.Path(given).read_text(errors="replace")).values():
                for line, texts in lines.items():
                    self._given.setdefault(line, []).extend(texts)

    def compile(self, program, source, image):
        try:
            self._of_files.update(of_source(program, source, image))
        except (OSError, ValueError, subprocess.TimeoutExpired): # ValueError: of shlex
            pass  # the profile is as good without

    def at(self, path, line):
        return self._given.get(line, []) + self._of_files.get(path, {}).get(line, [])
