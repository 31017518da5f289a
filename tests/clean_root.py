# SPDX-License-Identifier: Apache-2.0
"""A Debian with nothing but what it needs, and apt, in a folder: commands run in a chroot with mounts
and processes of their own. Needs root and mmdebstrap."""
import os
import shlex
import shutil
import subprocess
import sys

from debian import mirror, sources


def missing():
    """Why no root can be made here, or None."""
    if os.geteuid() != 0 or not shutil.which("mmdebstrap"):
        return "a clean root needs root, and mmdebstrap, which `./dev test -R packages` installs"
    if subprocess.run(["unshare", "--mount", "true"], check=False, stderr=subprocess.DEVNULL).returncode != 0:
        return "a clean root needs mount namespaces, and in a chroot that / is a mount (mount --bind)"
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
    taken from the folder `archives`, and new ones are kept there. `include` names further packages, and
    `folders` what folders of this system are in the root while a command runs."""

    def __init__(self, top, archives, *suites, architecture="", include=(), folders=None):
        self.top, self.archives, self.folders = top, archives, folders or {}
        (archives / "partial").mkdir(parents=True, exist_ok=True)
        kept = '"$1/var/cache/apt/archives/"'
        # Certificates take qemu-user many minutes.
        include = [*include, *(["ca-certificates"] if mirror().startswith("https:") else [])]
        for names in suites:
            self.suite = names.split()[0]
            made = run("mmdebstrap", "--quiet", "--variant=minbase",
                       *([f"--include={','.join(include)}"] if include else []),
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
        for inside in self.folders:
            (top / inside).mkdir(parents=True)
        for name in ("resolv.conf", "hosts"):
            shutil.copy(f"/etc/{name}", top / "etc" / name)
        # As container images have it: this root need not outlive a power failure.
        (top / "etc/dpkg/dpkg.cfg.d/unsafe-io").write_text("force-unsafe-io\n")
        (top / "etc/apt/apt.conf.d/90keep").write_text(
            'APT::Keep-Downloaded-Packages "true";\nAPT::Sandbox::User "root";\n'
            'Binary::apt::APT::Keep-Downloaded-Packages "true";\n')

    def entered(self, *command, **variables):
        """The command that runs `command` in there, and its environment. Mounts and processes end with
        it."""
        binds = {"var/cache/apt/archives": self.archives, **self.folders}
        # As a mount, the root can have roots in it: unshare needs one at /.
        enter = ('mount --bind "$0" "$0" && mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && '
                 'mount --rbind /sys "$0/sys" && '
                 + "".join(f'mount --bind {shlex.quote(str(outside))} "$0/{inside}" && '
                           for inside, outside in binds.items()) +
                 'mount -t tmpfs tmp "$0/tmp" && exec chroot "$0" "$@"')
        return (["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", enter, str(self.top),
                 *map(str, command)],
                {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8",
                 "DEBIAN_FRONTEND": "noninteractive", **variables})

    def run(self, *command, **variables):
        """The output of a command in there."""
        words, environment = self.entered(*command, XDG_CACHE_HOME="/tmp",
                                          QEMU_CPU="max", # with vectors
                                          **variables)
        return run(*words, env=environment)

    def install(self, *names):
        self.run("apt-get", "-q", "-y", "--no-install-recommends", "install", *names)
