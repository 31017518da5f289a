#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The commands of docs/porting.md, as they are written, in one shell, in a folder outside of the source
tree, with an install tree alone. Where a reader writes the driver, a finished one takes the skeleton's
place: tests/sdk/project/forwarding.c, in front of the loopback driver.

    porting_test.py PREFIX SOURCE NEWLIB-CACHE
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
prefix, source, cache = sys.argv[1:4]
written = (HERE / "project/forwarding.c").read_text().replace('"forwarding"', '"acme"')
page = pathlib.Path(prefix, "share/doc/rivulet/docs/porting.md").read_text()
blocks = re.findall(r"^```sh\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
step_6 = next(i for i, block in enumerate(blocks) if "export RIVULET_DRIVER" in block)

with tempfile.TemporaryDirectory(prefix="rivulet porting ") as name:
    top = pathlib.Path(name)
    # The last step installs into the prefix, which other tests use.
    own = top / "prefix"
    shutil.copytree(prefix, own, symlinks=True)
    (top / "finished.c").write_text(written)
    script = (f'set -ex\n. "{own}/activate"\n' + "".join(blocks[:step_6]) + "cp ../finished.c acme.c\n"
              + "".join(blocks[step_6:]))
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("RIVULET_", "OCL_", "LD_"))}
    # `./dev test` has programs of the source tree in the PATH.
    environment["PATH"] = ":".join(folder for folder in environment["PATH"].split(":")
                                   if not folder.startswith(source))
    environment |= {"FORWARD_TO": str(own / "lib/rivulet/drivers/loopback.so"), "RIVULET_CACHE": "off"}
    script = script.replace("cmake -G Ninja -B build", f'cmake -G Ninja -B build "-DRIVULET_CACHE_DIR={cache}"')
    done = subprocess.run(["bash", "-c", script], cwd=top, env=environment, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False, timeout=800)
    steps = done.stdout.count("[  PASSED  ]")
    installed = own / "lib/rivulet"
    complaints = [what for holds, what in (
        (done.returncode == 0, f"the commands end with {done.returncode}"),
        (steps == sum("hal-test" in block for block in blocks), f"{steps} steps of the suite pass"),
        ("ok   ping" in done.stdout, "the board's firmware doesn't answer behind QEMU's stub"),
        (source not in done.stdout.replace(cache, "").replace(prefix, ""), "they read the source tree"),
        *(((installed / file).exists(), f"{file} is not installed") for file in (
            "drivers/acme.so", "boards/acme-x1/board.dtb", "firmware/acme-x1-rv64.elf")),
    ) if not holds]
    if complaints:
        sys.exit(done.stdout[-8000:] + "\n" + "\n".join(complaints))
    print(f"{len(blocks)} blocks of commands work as written, {steps} steps of the suite pass")
