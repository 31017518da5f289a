# SPDX-License-Identifier: Apache-2.0
"""Debian's archive, as this machine reaches it."""
import pathlib
import re
import subprocess
import tempfile

KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
RELEASES = ("bookworm", "trixie")  # what this tree is built and tested on, the oldest first


def release():
    """That of this system, or the one that it comes closest to."""
    found = re.search(r"^VERSION_CODENAME=(\w+)", pathlib.Path("/etc/os-release").read_text(), re.M)
    return found.group(1) if found and found.group(1) in RELEASES else RELEASES[-1]


def mirror():
    """The address of the archive that this machine installs its own release from."""
    known = subprocess.run(["apt-get", "indextargets", "--format", "$(RELEASE) $(COMPONENT) $(REPO_URI)",
                            "Identifier: Packages"], text=True, capture_output=True, check=True).stdout
    found = re.search(rf"^({'|'.join(RELEASES)}) main (\S+?)/?$", known, re.M)
    if not found:
        raise LookupError("no apt source has any of " + ", ".join(RELEASES))
    return found.group(2)


def sources(*suites):
    """Lines for apt; a suite's security updates are on another path of the mirror."""
    debian = mirror()
    security = re.sub(r"/debian$", "/debian-security", debian)
    return [f"deb [signed-by={KEYRING}] {security if suite.endswith('-security') else debian} {suite} main"
            for suite in suites]


class Archive:
    """The packages of a suite and architecture, without any change to this system's apt."""

    def __init__(self, cache, architecture, suite="bookworm"):
        self.cache, self.architecture = cache / architecture, architecture
        for folder in ("lists/partial", "archives/partial"):
            (self.cache / folder).mkdir(parents=True, exist_ok=True)
        (self.cache / "status").touch()
        (self.cache / "sources.list").write_text("\n".join(sources(suite)) + "\n")
        settings = {"APT::Architecture": architecture, "APT::Architectures": architecture,
                    "APT::Sandbox::User": "root",
                    "Dir::State": self.cache, "Dir::State::status": self.cache / "status",
                    "Dir::Cache": self.cache, "Dir::Etc::sourcelist": self.cache / "sources.list",
                    "Dir::Etc::sourceparts": "-"}
        self.options = [f"-o{key}={value}" for key, value in settings.items()]

    def unpacked(self, package):
        """The folder of a package's files; fetched on the first call. Without its version, the name
        of a kernel is that of a package that depends on it."""
        found = sorted(self.cache.glob(f"unpacked-{package}"))
        if found:
            return found[-1]
        subprocess.run(["apt-get", "-qq", *self.options, "update"], check=True)
        name = package
        if package.startswith("linux-image"):
            depends = subprocess.run(["apt-cache", *self.options, "depends", package], text=True,
                                     capture_output=True, check=True).stdout
            name = re.search(r"Depends: (linux-image-\S+)", depends).group(1)
        with tempfile.TemporaryDirectory(dir=self.cache) as scratch:
            subprocess.run(["apt-get", "-q", *self.options, "download", name], cwd=scratch, check=True)
            files = pathlib.Path(scratch) / "files"
            subprocess.run(["dpkg-deb", "-x", next(pathlib.Path(scratch).glob("*.deb")), files],
                           check=True)
            files.rename(self.cache / f"unpacked-{package}")
        return self.cache / f"unpacked-{package}"

    def kernel(self):
        return self.unpacked(f"linux-image-{self.architecture}")
