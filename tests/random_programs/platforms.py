# SPDX-License-Identifier: Apache-2.0
"""Runs batches of random programs on an OpenCL platform, each batch in a process of its own. When
one dies or takes too long, halves of what it left are tried, down to the program at fault."""
import os
import shutil
import subprocess
import tempfile

from kernel import PRELUDE

POCL = "/etc/OpenCL/vendors/pocl.icd"
RUSTICL = "/etc/OpenCL/vendors/rusticl.icd"
PROCESSOR_TIME = 120 # seconds of each process of a batch, and a tenth of it for each program more
ENDLESS = 3600       # seconds until a batch that uses no processor time is given up


class Platform:
    """Where programs run. `options` is appended to the program's, or replaces them if `alone`."""
    def __init__(self, name, runner, environment, options="", alone=False, wrapper=()):
        self.name, self.runner, self.options, self.alone = name, runner, options, alone
        self.wrapper = list(wrapper)
        self.environment = {key: value for key, value in os.environ.items()
                            if not key.startswith("RIVULET_")} | environment

    def results(self, programs, dump=False):
        """By program name: a hash, or the error."""
        found = self.attempt(programs, dump)
        missing = [program for program in programs if program.name not in found]
        if len(programs) == 1:
            return found if found else {programs[0].name: "failed: the process ended"}
        half = len(missing) // 2 or 1
        for part in (missing[:half], missing[half:]):
            found |= self.results(part) if part else {}
        return found

    def attempt(self, programs, dump):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "batch")
            with open(path, "w") as file:
                file.write(self.batch(programs))
            environment = self.environment | {"POCL_CACHE_DIR": os.path.join(folder, "pocl")}
            # Processor time, which others on the machine don't stretch.
            limit = PROCESSOR_TIME * (10 + len(programs)) // 10
            command = ["prlimit", f"--cpu={limit}"] + self.wrapper + [self.runner] + ["--dump"] * dump + [path]
            try:
                done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL,
                                      capture_output=True, text=True, errors="replace",
                                      timeout=ENDLESS)
                output, self.log = done.stdout, done.stderr
            except subprocess.TimeoutExpired as error:
                output, self.log = (error.stdout or b"").decode(), "TIME LIMIT"
            shutil.rmtree(environment["POCL_CACHE_DIR"], ignore_errors=True)
        found, name = {}, None
        for line in output.splitlines():
            if line.startswith("  ") and dump:
                found[name].append(tuple(map(int, line.split())))
            elif line.startswith("k"):
                name, value = line.split(" ", 1)
                found[name] = [] if dump else value
        # A program that fails to build takes its neighbours with it.
        if len(programs) > 1:
            found = {name: value for name, value in found.items()
                     if dump or not value.startswith("failed")}
        return found

    def batch(self, programs):
        """Neighbours with the same options are one OpenCL program."""
        text, at = "", 0
        while at < len(programs):
            options = programs[at].options
            end = at
            while end < len(programs) and programs[end].options == options:
                end += 1
            part = programs[at:end]
            source = PRELUDE + "".join(program.source() for program in part)
            options = " ".join([options] * (not self.alone) + [self.options]).strip()
            text += f"program {len(source.encode())} {options}\n{source}"
            text += "".join(program.launch() for program in part)
            at = end
        return text


def pocl(runner, options=""):
    return Platform("PoCL" + (" " + options if options else ""), runner,
                    {"OCL_ICD_VENDORS": POCL}, options, alone=True)


def oclgrind(runner, options=""):
    return Platform("Oclgrind" + (" " + options if options else ""), runner, {}, options, alone=True,
                    wrapper=["oclgrind", "--build-options", "-cl-std=CL1.2"])


def rusticl(runner, options=""):
    return Platform("Rusticl" + (" " + options if options else ""), runner,
                    {"OCL_ICD_VENDORS": RUSTICL, "RUSTICL_ENABLE": "llvmpipe"}, options, alone=True)


# Implementations other than PoCL; a release of Debian has one of them at least.
OTHERS = {"oclgrind": (oclgrind, lambda: shutil.which("oclgrind")),
          "rusticl": (rusticl, lambda: os.path.exists(RUSTICL))}


def installed():
    """The names of those of OTHERS that are installed, the preferred one first."""
    return [name for name, (_, is_installed) in OTHERS.items() if is_installed()]


def ours(runner, build, machine, options="", alone=False):
    return Platform(machine + (" " + options if options else ""), runner,
                    {"OCL_ICD_VENDORS": os.path.join(build, "etc/OpenCL/vendors"),
                     "RIVULET_CACHE": "off", "RIVULET_VERIFY": "1", "RIVULET_MACHINE": machine},
                    options, alone)
