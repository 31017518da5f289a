#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What messages, help texts, manual pages and installed sources cite is installed, and so is what the
installed documents link to. A message names the installed file.

    documents_test.py PREFIX
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PREFIX = pathlib.Path(sys.argv.pop(1)).resolve()
DOCUMENTS = PREFIX / "share/doc/rivulet"
END = re.compile(rb"\.md(?![\w/-])")
CITED = re.compile(rb"[\w.][\w./-]*\w\.md$")
LONGEST = 100
TEXT = re.compile(rb"[\x20-\x7e]{12}$")
# Links to source files are for readers of the sources.
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+\.(?:md|jpg|svg|ya?ml))[)#]")


def citations():
    """Files outside of the documents, each with what it cites."""
    for path in sorted(PREFIX.rglob("*")):
        if not path.is_file() or path.is_symlink() or path.is_relative_to(DOCUMENTS):
            continue
        content = path.read_bytes()
        binary = b"\0" in content
        for end in END.finditer(content):
            # Code and debug information hold ".md" by chance, but not within a text of this length.
            if binary and not TEXT.search(content, max(end.end() - LONGEST, 0), end.end()):
                continue
            cited = CITED.search(content, max(end.end() - LONGEST, 0), end.end())
            if cited and content[max(cited.start() - 3, 0):cited.start()] != b"://":
                yield path, cited.group().decode()


class Documents(unittest.TestCase):
    def test_whatever_is_cited_is_installed(self):
        found = list(citations())
        cited = {name for _, name in found}
        self.assertLessEqual({"docs/products.md", "docs/firmware.md", "boards/README.md"}, cited)
        missing = [f"{path.relative_to(PREFIX)}: {name}" for path, name in found
                   if not any((folder / name).exists()
                              for folder in (DOCUMENTS, PREFIX, path.parent))]
        self.assertEqual(missing, [])

    def test_links_of_documents_work(self):
        broken = [f"{path.relative_to(PREFIX)}: {target}"
                  for path in sorted(DOCUMENTS.rglob("*.md"))
                  for target in LINK.findall(path.read_text())
                  if not (path.parent / target).exists()]
        self.assertEqual(broken, [])

    def test_message_names_the_installed_document(self):
        with tempfile.TemporaryDirectory() as folder:
            wrong = pathlib.Path(folder) / "wrong.toml"
            wrong.write_text("[[device]\n")
            done = subprocess.run(
                [PREFIX / "bin/rivulet", "info"], env={**os.environ, "RIVULET_CONFIG": str(wrong)},
                text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, check=False, timeout=100)
        self.assertIn(f"; {DOCUMENTS}/docs/products.md shows the form", done.stdout)


if __name__ == "__main__":
    unittest.main()
