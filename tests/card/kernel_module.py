# SPDX-License-Identifier: Apache-2.0
"""Builds the kernel module rivulet_window against Debian's headers, for the guest's kernel."""
import pathlib
import re
import shutil
import subprocess

SOURCE = pathlib.Path(__file__).resolve().parents[2] / "hal/drivers/linux/kernel"


def release_of(archive):
    return next((archive.kernel() / "boot").glob("vmlinuz-*")).name.removeprefix("vmlinuz-")


def packages_of(release):
    series = ".".join(release.split(".")[:2])
    common = re.sub(r"-[a-z0-9]+$", "-common", release)
    return f"linux-headers-{release}", f"linux-headers-{common}", f"linux-kbuild-{series}"


def headers(archive, native, folder):
    """The build folder of the kernel, assembled from its packages, of which the last has programs that
    the build runs. The archive has only those of its newest kernel."""
    def unpack():
        *of_kernel, programs = packages_of(release_of(archive))
        return [archive.unpacked(name) for name in of_kernel] + [native.unpacked(programs)]
    try:
        unpacked = unpack()
    except subprocess.CalledProcessError:
        shutil.rmtree(archive.kernel())
        unpacked = unpack()
    for package in unpacked:
        shutil.copytree(package / "usr", folder / "usr", symlinks=True, dirs_exist_ok=True)
    tree = folder / "usr/src" / packages_of(release_of(archive))[0]
    makefile = tree / "Makefile"
    makefile.write_text(makefile.read_text().replace("/usr/src/", f"{folder}/usr/src/"))
    return tree


def build(archive, folder, native=None, settings=("CC=gcc",)):
    """rivulet_window.ko, which must compile without a warning. `native` is the archive of this machine's
    architecture, if the kernel is of another."""
    tree = headers(archive, native or archive, folder)
    module = folder / "module"  # alone, as it is installed
    shutil.copytree(SOURCE, module)
    # The headers name the compiler of their release, which a newer system need not have.
    log = subprocess.run(["make", "-C", tree, f"M={module}", *settings, "W=1", "modules"], text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    print(log.stdout, flush=True)
    if log.returncode or re.search(rf"^{re.escape(str(module))}/.*warning:", log.stdout, re.M):
        raise SystemExit("the kernel module does not build")
    return module / "rivulet_window.ko"


def with_needed(kernel, *names):
    """The files of modules and of those that they need, in the order in which they are loaded."""
    files = {path.stem.replace("-", "_"): path for path in (kernel / "lib/modules").rglob("*.ko")}
    found = []

    def add(name):
        path = files[name.replace("-", "_")]
        for needed in re.search(rb"depends=([^\0]*)", path.read_bytes())[1].decode().split(","):
            if needed:
                add(needed)
        if path not in found:
            found.append(path)

    for name in names:
        add(name)
    return found
