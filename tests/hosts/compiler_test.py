#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A compiler that is cross-built with Debian's LLVM of another architecture writes the kernel images of
the native one, byte for byte.

    compiler_test.py SOURCE NATIVE_BUILD ARCHITECTURE SYSROOT BUILD KERNEL...
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

source, native, architecture, sysroot, build = sys.argv[1:6]
kernels = sys.argv[6:]
machine = {"arm64": "aarch64"}.get(architecture, architecture)
emulator = shutil.which(f"qemu-{machine}")
if not emulator or not shutil.which("mmdebstrap"):
    print("skipped: needs qemu-user and mmdebstrap, which `./dev test -R packages` installs")
    sys.exit(77)


def run(*command):
    print("+", *command, flush=True)
    subprocess.run(command, cwd=source, stdin=subprocess.DEVNULL, check=True)


run(sys.executable, "-B", f"{source}/cmake/toolchains/sysroot.py", architecture, sysroot)
run("cmake", "--preset", architecture, "-B", build, f"-DRIVULET_SYSROOT={sysroot}",
    f"-DRIVULET_NATIVE_BUILD={native}", "-DBUILD_TESTING=OFF")
run("ninja", "-C", build, "rivulet-cc")
with tempfile.TemporaryDirectory() as folder:
    for kernel in kernels:
        images = [pathlib.Path(folder, name) for name in ("native", "cross")]
        run(f"{native}/bin/rivulet-cc", kernel, "-o", images[0])
        run(emulator, "-L", sysroot, f"{build}/bin/rivulet-cc", kernel, "-o", images[1])
        if images[0].read_bytes() != images[1].read_bytes():
            sys.exit(f"{kernel}: the images differ")
print(f"{len(kernels)} kernel images are the same")
