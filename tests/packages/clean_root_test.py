#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The packages in a clean Debian: they are installed, upgraded and removed.

    clean_root_test.py PACKAGES VECADD CACHE [--architecture ARCHITECTURE] [--suite SUITE]

PACKAGES is where `./dev package` left those of each architecture, VECADD the example's program, CACHE
where downloaded packages are kept. Everything runs in a chroot with its own mounts and processes. In a
Debian of another ARCHITECTURE qemu-user runs all programs, and the device is loopback's. It is this
system's Debian, or the first one that has the architecture. With a SUITE, it is that later release, on
which the same packages work.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from clean_root import Root, missing, run
from debian import RELEASES, release

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("paths", nargs=3, type=lambda word: pathlib.Path(word).resolve())
parser.add_argument("--architecture", default="")
parser.add_argument("--suite")
options = parser.parse_args()
packages, vecadd, cache = options.paths
ARCHITECTURE = options.architecture
OTHERS_OF_FOREIGN = ("ocl-icd-libopencl1", "clinfo", "python3")
OTHERS = (*OTHERS_OF_FOREIGN, "qemu-system-riscv")
# The kernel (binfmt_misc) knows programs for qemu-user by ELF's head with the machine's number, and the
# bits of it that matter, both in hexadecimal.
MASK = "ffffffffffffff00fffffffffffffffffeffffff"
QEMU_USER = {"arm64": ("aarch64", "7f454c460201010000000000000000000200b700", MASK),
             "riscv64": ("riscv64", "7f454c460201010000000000000000000200f300", MASK)}
# The system itself writes these while packages are installed and removed.
SYSTEMS_OWN = re.compile(r"/(var/(lib/(dpkg|apt|systemd)|cache|log)|run|tmp|proc|sys|dev|root|packages)(/|$)"
                         r"|/etc/ld\.so\.cache$|.*/__pycache__(/|$)|.*\.pyc$")


def require(condition, what, output=""):
    if not condition:
        sys.exit(f"not so: {what}\n{output[-6000:]}")
    print("so it is:", what, flush=True)


def make_older(package, folder, scratch):
    """The same package with a version below its own, and a file that the newer one hasn't."""
    tree = scratch / "older"
    run("dpkg-deb", "-R", package, tree)
    control = tree / "DEBIAN/control"
    text = control.read_text()
    version = re.search(r"^Version: (.*)$", text, re.M).group(1)
    control.write_text(text.replace(version, version + "~older"))
    name = re.search(r"^Package: (.*)$", text, re.M).group(1)
    (tree / "usr/share/rivulet").mkdir(parents=True, exist_ok=True)
    (tree / "usr/share/rivulet" / f"{name}.older").write_text("gone after the upgrade\n")
    run("dpkg-deb", "--root-owner-group", "-Znone", "-b", tree, folder)
    shutil.rmtree(tree)
    return version


def require_same_files(packages, others, scratch):
    """dpkg installs a package of several architectures together (Multi-Arch: same) only if files with
    the same path are the same."""
    for package in packages:
        name = package.name.split("_")[0]
        if run("dpkg-deb", "-f", package, "Multi-Arch").strip() != "same":
            continue
        other = next(path for path in others if path.name.startswith(f"{name}_"))
        trees = [scratch / "first", scratch / "second"]
        for deb, tree in zip((package, other), trees):
            run("dpkg-deb", "-x", deb, tree)
        differ = []
        for path in trees[0].rglob("*"):
            same = trees[1] / path.relative_to(trees[0])
            if path.is_file() and same.is_file() and path.read_bytes() != same.read_bytes():
                differ.append(str(path))
        require(not differ, f"{name} can be installed beside that of another architecture",
                "\n".join(differ))
        for tree in trees:
            shutil.rmtree(tree)


def suites():
    """What Root takes: the first of these that the mirror has."""
    if ARCHITECTURE == "riscv64":  # which Debian 12 lacks
        return "trixie", "forky"  # a mirror may be updating one
    name = options.suite or release()
    return (f"{name} {name}-backports {name}-security",)


def unowned(root):
    """Files and links that no package owns, without those that the system writes."""
    owned = set()
    for listed in (root.top / "var/lib/dpkg/info").glob("*.list"):
        owned.update(listed.read_text().splitlines())
    found = set()
    for folder, folders, files in os.walk(root.top):
        path = "/" + os.path.relpath(folder, root.top)
        path = "" if path == "/." else path
        folders[:] = [name for name in folders if not SYSTEMS_OWN.match(f"{path}/{name}")]
        found.update(f"{path}/{name}" for name in files + folders)
    usr_merged = {path.removeprefix("/usr") for path in owned} | {"/usr" + path for path in owned}
    return {path for path in found - owned - usr_merged if not SYSTEMS_OWN.match(path)}


def see_the_device(root):
    output = root.run("clinfo", "-l")
    require("Rivulet" in output, "clinfo sees the platform and its device", output)
    if ARCHITECTURE:
        return
    output = root.run("/packages/vecadd")
    require("all right" in output, "vecadd runs on it: " + output.strip().splitlines()[-1], output)


def message_of_wrong_file(root):
    return root.run("sh", "-c", "echo '[[device]' >/tmp/wrong.toml; rivulet info 2>&1 || true",
                    RIVULET_CONFIG="/tmp/wrong.toml")


def with_qemu_user():
    """Runs this program once more, in namespaces of its own, where qemu-user starts programs of the
    architecture: the rest of this machine does not hear of it."""
    machine, magic, mask = QEMU_USER[ARCHITECTURE]
    escaped = ["".join(f"\\x{digits[i:i + 2]}" for i in range(0, len(digits), 2))
               for digits in (magic, mask)]
    rule = f":qemu-{machine}:M:0:{escaped[0]}:{escaped[1]}:{shutil.which('qemu-' + machine)}:F"
    inside = ('read go; mount -t proc proc /proc && mount -t binfmt_misc binfmt "$1" && '
              'printf %s "$0" >"$1/register" && shift && exec "$@"')
    child = subprocess.Popen(
        ["unshare", "--user", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", inside, rule,
         "/proc/sys/fs/binfmt_misc", sys.executable, "-B", *sys.argv],
        stdin=subprocess.PIPE, env={**os.environ, "RIVULET_TEST_INSIDE": "1"})
    own = os.readlink("/proc/self/ns/user")
    while os.readlink(f"/proc/{child.pid}/ns/user") == own:
        time.sleep(0.01)
    for kind in ("uid", "gid"):
        pathlib.Path(f"/proc/{child.pid}/{kind}_map").write_text("0 0 65536\n")
    child.communicate(b"go\n")
    return child.returncode


def main():
    why = missing()
    if options.suite and RELEASES.index(options.suite) <= RELEASES.index(release()):
        why = f"{options.suite} isn't later than this system's {release()}"
    if why:
        print("skipped:", why)
        return 77
    if ARCHITECTURE and not os.environ.get("RIVULET_TEST_INSIDE"):
        return with_qemu_user()
    native = run("dpkg", "--print-architecture").strip()
    debs = sorted((packages / (ARCHITECTURE or native)).glob("*.deb"))
    others = sorted((packages / native).glob("*.deb"))
    if ARCHITECTURE: # packages of all architectures are made natively
        debs += [path for path in others if path.name.endswith("_all.deb")]
    require(len(debs) >= 6, f"there are packages in {packages}")
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="clean-root-", dir=cache) as name:
        scratch = pathlib.Path(name)
        if ARCHITECTURE:
            require_same_files(debs, others, scratch)
        root = Root(scratch / "root", cache / f"archives{ARCHITECTURE}", *suites(), architecture=ARCHITECTURE)
        root.run("apt-get", "-q", "update")
        path = root.top / "packages"
        (path / "older").mkdir(parents=True)
        (path / "newer").mkdir()
        shutil.copy(vecadd, path / "vecadd")
        shutil.copy(pathlib.Path(__file__).with_name("from_source.py"), path)
        for package in debs:
            version = make_older(package, path / "older", scratch)
            shutil.copy(package, path / "newer")
        if ARCHITECTURE:
            root.install(*OTHERS_OF_FOREIGN)
        else:
            root.install(f"-t{root.suite}-backports", *OTHERS)
        before = unowned(root)
        check(root, version, before)
    return 0


def names(root, kind, pattern="*"):
    return ["/packages/" + str(path.relative_to(root.top / "packages"))
            for path in sorted((root.top / "packages" / kind).glob(f"{pattern}.deb"))]


def check(root, version, before):
    everyday = ["librivulet1_*", "rivulet-firmware_*", "rivulet-tools_*", "rivulet-cc_*"]
    root.install(*(path for pattern in everyday for path in names(root, "older", pattern)))
    require(root.run("rivulet", "--version").startswith("rivulet "), "rivulet has a version")
    require("docs/products.md (in the package rivulet-doc)" in message_of_wrong_file(root),
            "messages name the package with their documents")
    see_the_device(root)
    of = ["-a", ARCHITECTURE] if ARCHITECTURE else []
    triplet = run("dpkg-architecture", "-qDEB_HOST_MULTIARCH", *of).strip()
    owned = root.run("dpkg", "-L", "librivulet1").splitlines()
    require({f"/usr/lib/{triplet}/librivulet.so.1", "/etc/OpenCL/vendors/rivulet.icd"} <= set(owned),
            "the library has its multiarch path, and /etc/OpenCL/vendors names it", "\n".join(owned))
    require((root.top / "etc/OpenCL/vendors/rivulet.icd").read_text() == "librivulet.so.1\n",
            "by its SONAME")
    rules = [name for name in owned if name.startswith(("/lib/udev/", "/usr/lib/udev/"))
             and name.endswith(".rules")]
    require(rules and 'KERNEL=="rivulet[0-9]*"' in (root.top / rules[0][1:]).read_text(),
            "udev gives the library's devices to a group", "\n".join(owned))
    drivers = root.top / f"usr/lib/{triplet}/rivulet/drivers"
    require(not list(drivers.glob("loopback*")), "without the -dev package there is no loopback")

    root.install(*names(root, "older"))
    cited = "/usr/share/doc/rivulet/docs/products.md"
    require(cited in message_of_wrong_file(root) and (root.top / cited[1:]).exists(),
            "and with it, the documents themselves")
    require(list(drivers.glob("loopback*")), "with it there is one")
    require((root.top / "usr/share/rivulet/kernel/Makefile").exists(), "and the kernel module's source")
    require((root.top / f"usr/lib/{triplet}/librivulet.a").exists(), "and the static library")
    output = root.run("clinfo", "-l", RIVULET_MACHINE="loopback,harts=2")
    require("loopback" in output, "and clinfo sees it", output)
    output = root.run("python3", "/packages/from_source.py", "librivulet.so.1",
                      RIVULET_MACHINE="loopback,harts=2", RIVULET_CACHE="off")
    require("all right" in output, "and a program from source runs on it", output)
    output = root.run("rivulet", "hal-test", "--gtest_brief=1", "--gtest_filter=Start.*:Ring.*:Launch.*",
                      RIVULET_DRIVER="loopback")
    require("PASSED" in output, "rivulet hal-test passes on it", output)
    marks = [str(path) for path in (root.top / "usr/share/rivulet").glob("*.older")]
    require(marks, "the older version is there")

    root.install(*names(root, "newer"))
    known = root.run("dpkg-query", "-W", "-f", "${Version} ${db:Status-Status} ${Package}\n",
                     "*rivulet*")
    # A package that another one only suggests is known, too.
    installed = "".join(line for line in known.splitlines(keepends=True)
                        if " not-installed " not in line)
    require("librivulet1" in installed, "packages are installed", known)
    require(all(line.startswith(f"{version} installed ") for line in installed.splitlines()),
            f"all are upgraded to {version}", installed)
    require(not [mark for mark in marks if os.path.exists(mark)], "files of the older one are gone")
    print(root.run("rivulet", "info", RIVULET_DRIVER="loopback"), flush=True)
    symbols = [path for path in (root.top / "usr/lib/debug").rglob("*.debug")]
    require(symbols, "there are debug symbols")
    see_the_device(root)

    own = [line.split()[2] for line in installed.splitlines()]
    root.run("apt-get", "-q", "-y", "remove", *own)
    require("Rivulet" not in root.run("clinfo", "-l"), "removed, the platform is gone")
    root.run("dpkg", "--purge", *own)
    left = sorted(unowned(root) - before)
    require(not left, "purged, nothing is left", "\n".join(left))
    named = root.run("find", "/", "-xdev", "-iname", "*rivulet*", "-not", "-path", "/packages/*",
                     "-not", "-path", "/proc/*", "-not", "-path", "/dev/*")
    require(not named.strip(), "nor anything of that name", named)


if __name__ == "__main__":
    sys.exit(main())
