# SPDX-License-Identifier: Apache-2.0
"""The files of a source tree, without asking git: checks work on an unpacked archive, too."""
import os


def source_files(top):
    """Paths relative to `top`, without what is built or hidden."""
    found = []
    for folder, folders, names in os.walk(top):
        folders[:] = [name for name in folders
                      if not name.startswith(".") and name != "__pycache__"
                      and not (os.path.samefile(folder, top) and name.startswith("build"))]
        found += [os.path.relpath(os.path.join(folder, name), top) for name in names
                  if not name.startswith(".")]
    return sorted(found)
