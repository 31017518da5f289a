# SPDX-License-Identifier: Apache-2.0
"""Environment variables for all tests, and a check that the library knows their machines."""
import os
import shutil

import kinds
from errors import UsageError
from process import MARK

# Variables whose value is a file or folder, of base/environment.def.
PATHS = ("RIVULET_BOARD_PATH", "RIVULET_CACHE", "RIVULET_CC", "RIVULET_CONFIG", "RIVULET_CRASH_DUMP",
         "RIVULET_DATA", "RIVULET_DEBUG_FILES", "RIVULET_FIRMWARE", "RIVULET_GDB",
         "RIVULET_INSTRUCTIONS", "RIVULET_LLVM_SPIRV", "RIVULET_QEMU", "RIVULET_SIGN_KEY", "RIVULET_TRACE")


def absolute(path):
    """The path for tests, which run in folders of their own; programs in PATH stay names. Of a list with
    colons, each."""
    if ":" in path:
        return ":".join(map(absolute, path.split(":")))
    if path in ("", "off") or ("/" not in path and shutil.which(path)):
        return path
    return os.path.abspath(path)


def common(prefix):
    """The caller's settings, but with this tree's device only, and without cached kernels."""
    if driver := os.environ.get("RIVULET_DRIVER"):
        raise UsageError(f"RIVULET_DRIVER={driver} would be the driver of all tests, whatever their "
                         "machine is called: unset it and write --machine NAME,driver=DRIVER")
    settings = {name: absolute(value) if name in PATHS else value
                for name, value in sorted(os.environ.items())
                if name.startswith("RIVULET_") and name not in (MARK, "RIVULET_MACHINE")}
    settings.setdefault("RIVULET_CACHE", "off")
    # Packages have their .icd file in the system's folder, where those of other devices are, too.
    own = "/etc/OpenCL/vendors/rivulet.icd" if str(prefix) == "/usr" else prefix / "etc/OpenCL/vendors"
    vendors = os.environ.get("OCL_ICD_VENDORS") or str(own)
    if not os.path.exists(vendors):
        raise UsageError(f"{vendors} is not there, so that tests would see other OpenCL devices; "
                         "set OCL_ICD_VENDORS to the folder with rivulet.icd")
    settings["OCL_ICD_VENDORS"] = os.path.abspath(vendors)
    return settings


def check_machines(machines, prefix, environment):
    """Asks the library, because programs that open no device pass with any machine name."""
    program = prefix / "bin/rivulet"
    if not os.access(program, os.X_OK):
        return  # running from a source tree
    for device in dict.fromkeys(name for machine in machines for name in machine.name.split(";")):
        try:
            kinds.output_of([str(program), "info"], {**environment, "RIVULET_MACHINE": device})
        except UsageError as error:
            reason = str(error).splitlines()[-1].removeprefix("rivulet: ")
            raise UsageError(f'machine "{device}": {reason}') from None
