# SPDX-License-Identifier: Apache-2.0
"""A Debian with nothing but what it needs, and apt, in a folder: commands run in a chroot with mounts
and processes of their own. Needs root and mmdebstrap."""
import os
import shutil
import subprocess
import sys

from debian import mirror, sources


def missing():
    """Why no root can be made here, or None."""
    if os.geteuid() != 0 or not shutil.which("mmdebstrap"):
        return "a clean root needs root, and mmdebstrap, which `./dev test -R packages` installs"
    return None


def run(*command, may_fail=False, **options):
    done = subprocess.run([str(word) for word in command], text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    if done.returncode != 0:
        if may_fail:
            return None
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout[-6000:]}")
    return done.stdout


class Root:
    """Made of the first of `suites` that the mirror has completely: each names a release and, after
    blanks, its updates and backports. apt's lists are empty. Packages that were downloaded before are
    taken from the folder `archives`, and new ones are kept there."""

    def __init__(self, top, archives, *suites, architecture=""):
        self.top, self.archives = top, archives
        (archives / "partial").mkdir(parents=True, exist_ok=True)
        kept = '"$1/var/cache/apt/archives/"'
        # Certificates take qemu-user many minutes.
        certificates = mirror().startswith("https:")
        for names in suites:
            self.suite = names.split()[0]
            made = run("mmdebstrap", "--quiet", "--variant=minbase",
                       *(["--include=ca-certificates"] if certificates else []),
                       *([f"--architectures={architecture}"] if architecture else []),
                       # Mirrors may be outdated for a suite that isn't released.
                       '--aptopt=Acquire::Check-Valid-Until "false"',
                       "--skip=download/empty,essential/unlink",
                       f"--setup-hook=mkdir -p {kept} && cp -an {archives}/. {kept}",
                       f"--customize-hook=cp -an {kept}/. {archives}/",
                       self.suite, top, *sources(*names.split()), may_fail=names != suites[-1])
            if made is not None:
                break
            shutil.rmtree(top, ignore_errors=True)
        print(f"Debian's {self.suite}", flush=True)
        for name in ("resolv.conf", "hosts"):
            shutil.copy(f"/etc/{name}", top / "etc" / name)
        (top / "etc/apt/apt.conf.d/90keep").write_text(
            'APT::Keep-Downloaded-Packages "true";\nAPT::Sandbox::User "root";\n'
            'Binary::apt::APT::Keep-Downloaded-Packages "true";\n')

    def entered(self, *command, **variables):
        """The command that runs `command` in there, and its environment. Mounts and processes end with
        it."""
        enter = ('mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && '
                 'mount --rbind /sys "$0/sys" && '
                 'mount --bind "$ARCHIVES" "$0/var/cache/apt/archives" && '
                 'mount -t tmpfs tmp "$0/tmp" && exec chroot "$0" "$@"')
        return (["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", enter, str(self.top),
                 *map(str, command)],
                {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8",
                 "DEBIAN_FRONTEND": "noninteractive", "ARCHIVES": str(self.archives), **variables})

    def run(self, *command, **variables):
        """The output of a command in there."""
        words, environment = self.entered(*command, XDG_CACHE_HOME="/tmp",
                                          QEMU_CPU="max", # with vectors
                                          **variables)
        return run(*words, env=environment)

    def install(self, *names):
        self.run("apt-get", "-q", "-y", "--no-install-recommends", "install", *names)
