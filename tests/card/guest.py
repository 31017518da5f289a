#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A guest of QEMU with a card: Debian's own kernel, a small root of this build's programs."""
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from debian import Archive
from llvm import tool

MODULES = ("irqbypass", "vfio_virqfd", "vfio", "vfio_iommu_type1", "vfio-pci-core", "vfio-pci")
INIT = """#!/bin/busybox sh
B=/bin/busybox
$B mount -t proc p /proc; $B mount -t sysfs s /sys; $B mount -t devtmpfs d /dev
$B mkdir -p /dev/shm /tmp /etc/rivulet; $B mount -t tmpfs t /dev/shm; $B mount -t tmpfs t /tmp
for m in MODULES; do $B insmod /lib/modules/$m.ko; done
for d in /sys/bus/pci/devices/*; do [ "$($B cat $d/device)" = 0x1110 ] && D=$($B basename $d); done
echo vfio-pci >/sys/bus/pci/devices/$D/driver_override; echo $D >/sys/bus/pci/drivers_probe
$B sed "s/0000:00:02.0/$D/" /card.toml >/etc/rivulet/card.toml
export CARD=/sys/bus/pci/devices/$D PATH=/usr/bin:/bin HOME=/tmp LD_LIBRARY_PATH=/usr/lib GTEST_BRIEF=1
n=0
while IFS= read -r line; do
    n=$((n + 1)); echo "== $n begins"
    $B sh -c "$line" </dev/null 2>&1
    echo "== $n ends with $?"
done </commands
echo "== all done"
$B poweroff -f
"""


@dataclasses.dataclass(frozen=True)
class Machine:
    """A machine of QEMU with an IOMMU and message-signalled interrupts."""
    architecture: str  # as Debian names it
    triplet: str
    options: tuple
    arguments: str  # of the kernel


AMD64 = Machine("amd64", "x86_64-linux-gnu",
                ("qemu-system-x86_64", "-M", "q35", "-cpu", "qemu64,+ssse3,+sse4.1,+sse4.2,+popcnt",
                 "-device", "intel-iommu,intremap=on,caching-mode=on"),
                "console=ttyS0 no_timer_check intel_iommu=on iommu=nopt")
ARM64 = Machine("arm64", "aarch64-linux-gnu",
                ("qemu-system-aarch64", "-M", "virt,gic-version=3,iommu=smmuv3", "-cpu", "cortex-a57"),
                "console=ttyAMA0")


def needed_by(program):
    """The shared objects that it names, and the loader."""
    listed = subprocess.run(["readelf", "-Wld", program], text=True, capture_output=True,
                            check=False).stdout
    return set(re.findall(r"Shared library: \[(\S+)\]|program interpreter: /\S+/(\S+)\]", listed))


def cross_examples(machine, libraries, native, folder):
    """vecadd and photo for another architecture, and their kernels, which a native rivulet-cc compiles:
    the guest has no compiler."""
    source = pathlib.Path(__file__).resolve().parents[2] / "examples"
    include = folder / "include"
    include.mkdir(parents=True)
    for header in ("CL", "png.h", "pngconf.h", "pnglibconf.h", "turbojpeg.h"):
        (include / header).symlink_to(pathlib.Path("/usr/include") / header)

    def shared(name):
        return next(found / name for found in libraries if (found / name).exists())

    flags = ("-O2", "-I", include, "-I", native / "examples/photo", "-Wl,--allow-shlib-undefined")
    opencl = shared("libOpenCL.so.1")
    programs = (folder / "vecadd", folder / "photo")
    for command in (
            [f"{machine.triplet}-gcc", source / "vecadd/vecadd.c", *flags, opencl, "-o", programs[0]],
            [f"{machine.triplet}-g++", "-std=c++23", *sorted((source / "photo").glob("*.cpp")), *flags,
             opencl, shared("libpng16.so.16"), shared("libturbojpeg.so.0"), "-o", programs[1]]):
        subprocess.run(command, check=True)
    text = (source / "vecadd/vecadd.c").read_text()
    strings = text[text.index("*source = "):text.index(";\n\nstatic void check")]
    (folder / "vecadd.cl").write_text(
        "".join(re.findall(r'"(.*?)"', strings)).replace("\\n", "\n"))
    images = []
    for kernels in (folder / "vecadd.cl", source / "photo/photo.cl"):
        images.append(folder / kernels.with_suffix(".rvk").name)
        subprocess.run([native / "bin/rivulet-cc", kernels, "-o", images[-1]], check=True)
    return programs, images


class Root:
    """The guest's first file system: busybox, a build's library, drivers and programs. Of another
    architecture, what isn't of the build is of Debian's packages and cross compilers."""

    def __init__(self, build, machine, archive, images, native=None):
        self.folder = tempfile.TemporaryDirectory(prefix="rivulet-guest-")
        self.top = pathlib.Path(self.folder.name) / "root"
        for folder in ("bin", "dev", "proc", "sys", "tmp", "etc", "usr/bin", "usr/lib/rivulet/drivers",
                      "usr/lib/rivulet/firmware", "lib/modules", "etc/OpenCL/vendors"):
            (self.top / folder).mkdir(parents=True, exist_ok=True)
        of_examples = ("libpng16-16", "libturbojpeg0", "zlib1g") if native else ()
        packages = [archive.unpacked(name) for name in
                    ("busybox-static", "clinfo", "ocl-icd-libopencl1", *of_examples)]
        self.libraries = [build / "lib",
                          *(package / folder / machine.triplet for package in packages[2:]
                            for folder in ("usr/lib", "lib"))]
        self.compiler = f"{machine.triplet}-gcc" if native else None
        shutil.copy(packages[0] / "bin/busybox", self.top / "bin/busybox")
        (self.top / "bin/sh").symlink_to("busybox")
        modules = next((archive.kernel() / "lib/modules").iterdir())
        for name in MODULES:
            found = next(modules.rglob(name + ".ko"), None)
            if found:
                shutil.copy(found, self.top / "lib/modules" / (name + ".ko"))
        for program in (build / "bin/rivulet", build / "bin/rivuletd", build / "hal/rivulet-doorbell",
                        build / "bin/rivulet-hal-test", build / "tests/api/rivulet_api_test",
                        packages[1] / "usr/bin/clinfo"):
            self.add(program, "usr/bin")
        shutil.copy(pathlib.Path(__file__).parents[2] / "examples/photo/chelsea.png", self.top)
        if native:
            programs, compiled = cross_examples(machine, self.libraries, native,
                                                pathlib.Path(self.folder.name) / "examples")
            for program in programs:
                self.add(program, "usr/bin")
            for image in compiled:
                shutil.copy(image, self.top)
        else:
            for program in ("bin/rivulet-cc", "examples/vecadd/vecadd", "examples/photo/photo"):
                self.add(build / program, "usr/bin")
            shutil.copytree(build / "lib/rivulet/library", self.top / "usr/lib/rivulet/library")
        rivulet = build / "lib/rivulet"
        self.add(build / "lib/librivulet.so", "usr/lib")
        self.add(rivulet / "config.so", "usr/lib/rivulet")
        for driver in ("linux", "daemon"):
            self.add(rivulet / f"drivers/{driver}.so", "usr/lib/rivulet/drivers")
        shutil.copy((native or build) / "lib/rivulet/firmware/virt-rv64.elf",
                    self.top / "usr/lib/rivulet/firmware")
        (self.top / "etc/OpenCL/vendors/rivulet.icd").write_text("/usr/lib/librivulet.so\n")
        if images:
            shutil.copytree(images, self.top / "images")
        for folder in ("lib64", "lib"):  # folders where programs look for their loader
            for loader in (self.top / "usr/lib").glob("ld-linux*"):
                (self.top / folder).mkdir(exist_ok=True)
                shutil.copy(loader, self.top / folder)
        init = self.top / "init"
        init.write_text(INIT.replace("MODULES", " ".join(MODULES)))
        init.chmod(0o755)

    def add(self, file, folder):
        target = self.top / folder / file.name
        shutil.copy(file, target)
        subprocess.run([tool("llvm-strip"), "--strip-debug", target], check=False)
        for library in {name for names in needed_by(file) for name in names if name}:
            if (self.top / "usr/lib" / library).exists():
                continue
            found = next((folder / library for folder in self.libraries
                          if (folder / library).exists()), None)
            self.add(found or self.of_system(library, file), "usr/lib")

    def of_system(self, library, file):
        """Where the cross compiler or, for this machine, the loader finds a library that a file needs."""
        if self.compiler:
            said = subprocess.run([self.compiler, f"-print-file-name={library}"], text=True, capture_output=True,
                                  check=True).stdout
        else:
            listed = subprocess.run(["ldd", file], text=True, capture_output=True, check=False).stdout
            said = next((path for path in re.findall(r"(/\S+) \(0x", listed)
                         if pathlib.Path(path).name == library), "")
        found = pathlib.Path(said.strip())
        if not found.is_absolute():
            raise SystemExit(f"there is no {library}, which {file} needs")
        return found

    def archive(self, configuration, commands):
        """An initrd with that configuration, which runs those commands."""
        (self.top / "card.toml").write_text(configuration)
        (self.top / "commands").write_text("".join(line + "\n" for line in commands))
        path = pathlib.Path(self.folder.name) / "initrd"
        names = subprocess.run(["find", ".", "-print0"], cwd=self.top, stdout=subprocess.PIPE,
                               check=True).stdout
        with path.open("wb") as output:
            subprocess.run(["cpio", "--null", "--create", "--format=newc", "--quiet"], cwd=self.top,
                           input=names, stdout=output, check=True)
        return path

    def close(self):
        self.folder.cleanup()


def guest_configuration(text):
    """The [[device]] for guests in what `rivulet card` prints."""
    lines = text.split("# [[device]]\n")[1].splitlines()
    own = [line.removeprefix("# ") for line in lines if line != "# The card is ready."]
    return re.sub(r'"[^"]*/(virt-rv64\.elf)"', r'"/usr/lib/rivulet/firmware/\1"',
                  "\n".join(["[[device]]", *own, ""]))


class Guest:
    """One boot of a guest; .lines() returns its console output."""

    def __init__(self, machine, kernel, initrd, socket):
        self.process = subprocess.Popen(
            [*machine.options, "-m", "2048",
             "-kernel", next((kernel / "boot").glob("vmlinuz-*")), "-initrd", initrd,
             "-append", f"{machine.arguments} quiet panic=-1", "-nodefaults", "-display", "none", "-no-reboot", "-serial", "stdio",
             "-chardev", f"socket,path={socket},id=card",
             "-device", "ivshmem-doorbell,chardev=card,vectors=3"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, errors="replace")

    def lines(self):
        for line in self.process.stdout:
            print("   ", line.rstrip(), flush=True)
            yield line.rstrip()

    def results(self):
        """The status of each command, once the guest has ended."""
        found = {}
        for line in self.lines():
            match = re.match(r"== (\d+) ends with (\d+)", line)
            if match:
                found[int(match[1])] = int(match[2])
        self.wait()
        return [found[key] for key in sorted(found)]

    def kill(self):
        self.process.kill()
        self.wait()

    def wait(self):
        self.process.wait()
        self.process.stdout.close()
