#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a release of this working copy: sets the version, tests, packages, writes the SBOM.

It commits the version, and never tags or publishes: it prints the commands that do. Everything to
publish is in build/release-VERSION. A step that fails ends it with what to do; the same command
goes on after the commit.
"""
import argparse
import datetime
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
PART_OF_CTS = [f"cts.{suite}/*" for suite in ("basic", "api", "compiler", "buffers", "events",
                                              "workgroups", "subgroups", "printf")]
VERSIONED = ("CMakeLists.txt", "CHANGELOG.md", "debian/changelog",
             "tools/products/buildroot/package/rivulet/rivulet.mk",
             "tools/products/yocto/meta-rivulet/recipes-rivulet/rivulet/rivulet.inc")
PROJECT = re.compile(r"(?m)^(project\(rivulet VERSION )(\d+\.\d+\.\d+)")
RECIPE = re.compile(r"(?m)^(RIVULET_VERSION = |PV = \")(\d+\.\d+\.\d+)")
CHANGELOG_HEAD = re.compile(r"(?m)^## (Unreleased|(\d+\.\d+\.\d+) – (\d{4}-\d\d-\d\d))$")


class ReleaseError(Exception):
    """The message says what to do."""


def git(*words):
    return subprocess.run(["git", "-C", TOP, *words], check=True, capture_output=True,
                          text=True).stdout.strip()


def numbers(version):
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise ReleaseError(f"{version} is not a release's version: three numbers, such as 0.2.0")
    return tuple(map(int, version.split(".")))


def replaced(pattern, text, replacement, name):
    new, count = pattern.subn(replacement, text, count=1)
    if count == 0:
        raise ReleaseError(f"{name} has no line like {pattern.pattern}")
    return new


def version_files(texts, version, today):
    """The files that have the version, as {name: new text}; `texts` are the old ones."""
    head = CHANGELOG_HEAD.search(texts["CHANGELOG.md"])
    if head is None:
        raise ReleaseError("CHANGELOG.md has no heading like \"## Unreleased\"")
    if head[1] != "Unreleased":
        raise ReleaseError(f"CHANGELOG.md starts with {head[2]}: write what is new for users under "
                           "\"## Unreleased\" first")
    current = PROJECT.search(texts["CMakeLists.txt"])
    if current is None:
        raise ReleaseError("CMakeLists.txt has no project(rivulet VERSION …)")
    if numbers(version) <= numbers(current[2]):
        raise ReleaseError(f"{version} is not later than {current[2]}, the version in CMakeLists.txt")
    date = today.strftime("%a, %d %b %Y %H:%M:%S +0000")
    entry = (f"rivulet ({version}) unstable; urgency=medium\n\n"
             f"  * Release {version}; CHANGELOG.md says what is new.\n\n"
             f" -- Rivulet maintainers <maintainers@rivulet.invalid>  {date}\n\n")
    return {
        "CMakeLists.txt": replaced(PROJECT, texts["CMakeLists.txt"], rf"\g<1>{version}",
                                   "CMakeLists.txt"),
        "CHANGELOG.md": texts["CHANGELOG.md"][:head.start()] + f"## {version} – {today:%Y-%m-%d}"
                        + texts["CHANGELOG.md"][head.end():],
        "debian/changelog": entry + texts["debian/changelog"],
        **{name: replaced(RECIPE, texts[name], rf"\g<1>{version}", name) for name in VERSIONED[3:]},
    }


def section_of(changelog, version):
    """The text under a version's heading."""
    found = re.search(rf"(?ms)^## {re.escape(version)} – [^\n]*\n(.*?)(?=^## |\Z)", changelog)
    return found[1].strip() if found else ""


def set_version(version):
    """Commits the version; does nothing if that is done already."""
    texts = {name: (TOP / name).read_text(encoding="utf-8")
             for name in VERSIONED}
    if PROJECT.search(texts["CMakeLists.txt"])[2] == version and section_of(texts["CHANGELOG.md"],
                                                                            version):
        if CHANGELOG_HEAD.search(texts["CHANGELOG.md"])[1] == "Unreleased":
            raise ReleaseError(f"CHANGELOG.md has changes under \"## Unreleased\": if {version} is tagged, "
                               "release a later version; if not, move them into its section and commit")
        return
    new = version_files(texts, version, datetime.datetime.now(datetime.timezone.utc))
    for name, text in new.items():
        (TOP / name).write_text(text, encoding="utf-8")
    git("commit", "-q", "-m", f"release: {version}\n\nThe version in CMakeLists.txt, debian/changelog and the recipes of\n"
        "Yocto and Buildroot, and its date in CHANGELOG.md.", "--", *new)


def step(text, command, **more):
    print(f"\n== {text}: {' '.join(map(str, command))}", flush=True)
    if subprocess.run(command, cwd=TOP, check=False, **more).returncode != 0:
        raise ReleaseError(f"{text}: failed; mend it, commit, and run this again")


def archive(version, folder):
    path = folder / f"rivulet-{version}-source.tar.xz"
    with path.open("wb") as file:
        tar = subprocess.Popen(["git", "-C", TOP, "archive", f"--prefix=rivulet-{version}/", "HEAD"],
                               stdout=subprocess.PIPE)
        packed = subprocess.run(["xz", "-T0"], stdin=tar.stdout, stdout=file, check=False)
        tar.stdout.close()
        if tar.wait() != 0 or packed.returncode != 0:
            raise ReleaseError(f"cannot write {path}")
    return path


def collect(version, folder):
    """Copies of what ./dev package made; others in build/packages may be of another commit."""
    native = subprocess.run(["dpkg", "--print-architecture"], check=True, capture_output=True,
                            text=True).stdout.strip()
    made = [path for kind in ("*.deb", "*.tar.xz") for path in
            sorted((TOP / "build/packages" / native).glob(kind))
            if re.search(rf"[_-]{re.escape(version)}[_-]", path.name)]
    if not made:
        raise ReleaseError(f"build/packages has nothing of {version}")
    for path in made:
        (folder / path.name).write_bytes(path.read_bytes())
    return [folder / path.name for path in made]


def conformance(arguments, folder):
    """What RELEASE.txt says of it, and the results."""
    if not arguments.cts:
        return "conformance: not run (no --cts)", []
    # A new commit needs a new run: results of two builds don't mix.
    name = f"conformance-{git('rev-parse', '--short=12', 'HEAD')}"
    command = [TOP / "build/stage/bin/rivulet", "conformance", "run", "--cts", arguments.cts,
               "--cts-list", "full", "-m", "rv64-v512,harts=2", "--part",
               "--expectations", TOP / "tools/conformance/expectations",
               "--output", folder / name, "--resume"]
    for pattern in arguments.only or PART_OF_CTS:
        command += ["--only", pattern]
    step("OpenCL-CTS", command)
    return f"conformance: {name}/report.html", sorted((folder / name).glob("report.*"))


def licences():
    """Where the build took licence texts from, as an option of sbom.py."""
    cache = TOP / "build/release/CMakeCache.txt"
    found = re.search(r"(?m)^RIVULET_LICENCE_TEXTS:PATH=(.+)$", cache.read_text()) if cache.exists() else None
    return ["--licences", found[1]] if found else []


def release(arguments):
    numbers(arguments.version)
    if git("status", "--porcelain", "--untracked-files=no"):
        raise ReleaseError("files differ from the last commit: commit or restore them first")
    set_version(arguments.version)
    folder = TOP / "build" / f"release-{arguments.version}"
    folder.mkdir(parents=True, exist_ok=True)
    report = [f"Rivulet {arguments.version}, commit {git('rev-parse', 'HEAD')}"]
    if arguments.skip_tests:
        report.append("tests: skipped (--skip-tests)")
    else:
        step("tests", ["./dev", "test"])
        report.append("tests: ./dev test passed")
    step("packages", ["./dev", "package"])
    line, results = conformance(arguments, folder)
    report.append(line)
    files = [archive(arguments.version, folder), *collect(arguments.version, folder)]
    sbom = folder / f"rivulet-{arguments.version}.spdx.json"
    step("SBOM", [sys.executable, "-B", TOP / "tools/release/sbom.py", *licences(), arguments.version, sbom,
                  *files],
         env={**os.environ, "SOURCE_DATE_EPOCH": git("log", "-1", "--format=%ct")})
    validator = shutil.which("pyspdxtools")
    if validator:
        step("SBOM's validation", [validator, "--infile", sbom])
    report.append(f"SBOM: {'validated by' if validator else 'not validated: no'} pyspdxtools")
    (folder / "RELEASE.txt").write_text("\n".join(report) + "\n\n" + section_of(
        (TOP / "CHANGELOG.md").read_text(encoding="utf-8"), arguments.version) + "\n",
        encoding="utf-8")
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}"
            for path in sorted([*files, *results, sbom, folder / "RELEASE.txt"])]
    (folder / "SHA256SUMS").write_text("\n".join(sums) + "\n", encoding="utf-8")
    print(f"\nEverything to publish is in {folder}. Tag what it was made of:\n\n"
          f"    git tag -s v{arguments.version} -m 'Rivulet {arguments.version}' "
          f"{git('rev-parse', 'HEAD')}\n    git push origin HEAD v{arguments.version}")


def main():
    parser = argparse.ArgumentParser(prog="./dev release", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("version", metavar="VERSION", help="three numbers, such as 0.2.0")
    parser.add_argument("--cts", metavar="DIR", help="a build of the OpenCL-CTS, of which it runs a part")
    parser.add_argument("--only", metavar="PATTERN", action="append",
                        help=f"which part; default: {' '.join(PART_OF_CTS)}")
    parser.add_argument("--skip-tests", action="store_true",
                        help="don't run ./dev test; RELEASE.txt says so")
    try:
        release(parser.parse_args())
    except ReleaseError as error:
        sys.exit(f"release: {error}")
    except subprocess.CalledProcessError as error:
        sys.exit(f"release: {' '.join(map(str, error.cmd))}: {error.stderr.strip()}")


if __name__ == "__main__":
    main()
