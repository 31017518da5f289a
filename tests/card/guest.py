#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A guest of QEMU with a card: Debian's own kernel, a small root of this build's programs."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

MODULES = ("irqbypass", "vfio_virqfd", "vfio", "vfio_iommu_type1", "vfio-pci-core", "vfio-pci")
INIT = """#!/bin/busybox sh
B=/bin/busybox
$B mount -t proc p /proc; $B mount -t sysfs s /sys; $B mount -t devtmpfs d /dev
$B mkdir -p /dev/shm /tmp /etc/rivulet; $B mount -t tmpfs t /dev/shm; $B mount -t tmpfs t /tmp
for m in MODULES; do $B insmod /lib/modules/$m.ko; done
for d in /sys/bus/pci/devices/*; do [ "$($B cat $d/device)" = 0x1110 ] && D=$($B basename $d); done
echo vfio-pci >/sys/bus/pci/devices/$D/driver_override; echo $D >/sys/bus/pci/drivers_probe
$B sed "s/0000:00:02.0/$D/" /card.toml >/etc/rivulet/card.toml
export PATH=/usr/bin:/bin HOME=/tmp LD_LIBRARY_PATH=/usr/lib GTEST_BRIEF=1
n=0
while IFS= read -r line; do
    n=$((n + 1)); echo "== $n begins"
    $B sh -c "$line" </dev/null 2>&1
    echo "== $n ends with $?"
done </commands
echo "== all done"
$B poweroff -f
"""


def fetch_kernel(cache):
    """The folder of Debian's kernel package, unpacked; fetched on the first call."""
    cache.mkdir(parents=True, exist_ok=True)
    depends = subprocess.run(["apt-cache", "depends", "linux-image-amd64"], text=True,
                             capture_output=True, check=True).stdout
    package = re.search(r"Depends: (linux-image-\S+-amd64)", depends).group(1)
    folder = cache / package
    if not folder.exists():
        with tempfile.TemporaryDirectory(dir=cache) as scratch:
            subprocess.run(["apt-get", "-q", "download", package], cwd=scratch, check=True)
            unpacked = pathlib.Path(scratch) / "unpacked"
            subprocess.run(["dpkg-deb", "-x", next(pathlib.Path(scratch).glob("*.deb")), unpacked],
                           check=True)
            unpacked.rename(folder)
    return folder


def libraries_of(program):
    """Shared objects that the loader finds for it, and the loader."""
    listed = subprocess.run(["ldd", program], text=True, capture_output=True, check=False).stdout
    return set(re.findall(r"(?:=> |^\s*)(/\S+)", listed, re.M))


class Root:
    """The guest's first file system: busybox, this build's library, drivers and programs."""

    def __init__(self, build, kernel, images):
        self.folder = tempfile.TemporaryDirectory(prefix="rivulet-guest-")
        self.top = pathlib.Path(self.folder.name) / "root"
        for place in ("bin", "dev", "proc", "sys", "tmp", "etc", "usr/bin", "usr/lib/rivulet/drivers",
                      "usr/lib/rivulet/firmware", "lib/modules", "lib64", "etc/OpenCL/vendors"):
            (self.top / place).mkdir(parents=True, exist_ok=True)
        shutil.copy("/bin/busybox", self.top / "bin/busybox")
        (self.top / "bin/sh").symlink_to("busybox")
        modules = next((kernel / "lib/modules").iterdir())
        for name in MODULES:
            found = next(modules.rglob(name + ".ko"), None)
            if found:
                shutil.copy(found, self.top / "lib/modules" / (name + ".ko"))
        programs = [build / "bin/rivulet", build / "hal/rivulet-doorbell",
                    build / "hal/conformance/rivulet_hal_conformance",
                    build / "tests/api/rivulet_api_test", pathlib.Path(shutil.which("clinfo"))]
        rivulet = build / "lib/rivulet"
        shared = [build / "lib/librivulet.so", rivulet / "config.so", rivulet / "trace.so",
                  rivulet / "drivers/linux.so"]
        for program in programs:
            self.add(program, "usr/bin")
        for file, place in zip(shared, ("usr/lib", "usr/lib/rivulet", "usr/lib/rivulet", "usr/lib/rivulet/drivers")):
            self.add(file, place)
        shutil.copy(rivulet / "firmware/virt-rv64.elf", self.top / "usr/lib/rivulet/firmware")
        (self.top / "etc/OpenCL/vendors/rivulet.icd").write_text("/usr/lib/librivulet.so\n")
        if images:
            shutil.copytree(images, self.top / "images")
        init = self.top / "init"
        init.write_text(INIT.replace("MODULES", " ".join(MODULES)))
        init.chmod(0o755)

    def add(self, file, place):
        target = self.top / place / file.name
        shutil.copy(file, target)
        subprocess.run(["strip", "--strip-debug", target], check=False)
        for library in libraries_of(file):
            where = self.top / ("lib64" if "ld-linux" in library else "usr/lib")
            if not (where / os.path.basename(library)).exists():
                shutil.copy(library, where)

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
    """One boot of a guest; .lines() gives its console."""

    def __init__(self, kernel, initrd, socket):
        self.process = subprocess.Popen(
            ["qemu-system-x86_64", "-M", "q35", "-cpu", "qemu64,+ssse3,+sse4.1,+sse4.2,+popcnt", "-m",
             "1024", "-device", "intel-iommu,intremap=on,caching-mode=on",
             "-kernel", next((kernel / "boot").glob("vmlinuz-*")), "-initrd", initrd,
             "-append", "console=ttyS0 quiet no_timer_check intel_iommu=on iommu=nopt panic=-1",
             "-nodefaults", "-display", "none", "-no-reboot", "-serial", "stdio",
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
