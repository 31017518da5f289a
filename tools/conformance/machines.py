# SPDX-License-Identifier: Apache-2.0
"""Machines that tests run on: the values of RIVULET_MACHINE, and their memory use."""
import dataclasses
import pathlib
import re

from errors import UsageError

UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
# The test program, the library and QEMU itself, in addition to the machine's memory.
HOST_MEMORY = 256 << 20
# For machines without a profile, such as custom drivers.
USUAL_MEMORY = 2 << 30


def parse_bytes(text):
    """Parses "512M", "2G" or "2GiB" as bytes; None for anything else."""
    match = re.fullmatch(r"(\d+)([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE)
    return int(match[1]) * UNITS[match[2].upper()] if match else None


@dataclasses.dataclass(frozen=True)
class Machine:
    """One value of RIVULET_MACHINE; several devices are separated by semicolons."""
    name: str
    memory: int

    def environment(self):
        return {"RIVULET_MACHINE": self.name}

    @property
    def file_name(self):
        """The name in a form suitable for file names."""
        return re.sub(r"[^\w.,=+-]", "+", self.name)


def memory_of(device, profiles):
    """Memory of one device in bytes: its own setting, its profile's, or the default."""
    name, *settings = device.split(",")
    for setting in settings:
        key, _, value = setting.partition("=")
        if key == "memory":
            size = parse_bytes(value)
            if size is None:
                raise UsageError(f'machine "{device}": memory={value} is no size; write memory=1G')
            return size
    profile = pathlib.Path(profiles) / (name + ".cfg")
    if profile.is_file():
        match = re.search(r'^\[memory\]\s*\n\s*size = "(\w+)"', profile.read_text(), re.MULTILINE)
        if match and (size := parse_bytes(match[1])):
            return size
    return USUAL_MEMORY


def parse_machine(text, profiles):
    """The machine that `text` names; `profiles` is the folder of machine profiles."""
    devices = [device.strip() for device in text.split(";") if device.strip()]
    if not devices:
        raise UsageError("--machine needs a name, such as rv64-v128,harts=1; "
                         "`rivulet machines` lists them")
    for device in devices:
        name, *changes = device.split(",")
        if not name.strip() or "=" in name:
            raise UsageError(f'machine "{device}" begins with no name; `rivulet machines` lists them')
        for setting in changes:
            if not re.fullmatch(r"[\w.-]+=.+", setting):
                raise UsageError(f'machine "{device}": "{setting}" is not KEY=VALUE')
    memory = sum(memory_of(device, profiles) for device in devices)
    return Machine(";".join(devices), memory + HOST_MEMORY)
