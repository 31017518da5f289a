#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of release.py and sbom.py, and that the tree's versions agree."""
import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

import release
import sbom

TODAY = datetime.datetime(2027, 1, 5, 12, 0, 0, tzinfo=datetime.timezone.utc)
TEXTS = {"CMakeLists.txt": "cmake_minimum_required(VERSION 3.25)\n"
                           "project(rivulet VERSION 0.1.0 LANGUAGES C CXX)\n",
         "CHANGELOG.md": "# Changes\n\n## Unreleased\n- New.\n\n## 0.1.0 – 2026-11-23\n- Old.\n",
         "debian/changelog": "rivulet (0.1.0) unstable; urgency=medium\n",
         release.VERSIONED[3]: "RIVULET_VERSION = 0.1.0\n",
         release.VERSIONED[4]: 'SUMMARY = "x"\nPV = "0.1.0"\n'}


class Versions(unittest.TestCase):
    def test_every_file_gets_the_version(self):
        new = release.version_files(TEXTS, "0.2.0", TODAY)
        self.assertIn("project(rivulet VERSION 0.2.0 LANGUAGES", new["CMakeLists.txt"])
        self.assertIn("cmake_minimum_required(VERSION 3.25)", new["CMakeLists.txt"])
        self.assertIn("## 0.2.0 – 2027-01-05\n- New.", new["CHANGELOG.md"])
        self.assertNotIn("Unreleased", new["CHANGELOG.md"])
        self.assertEqual(new[release.VERSIONED[3]], "RIVULET_VERSION = 0.2.0\n")
        self.assertEqual(new[release.VERSIONED[4]], 'SUMMARY = "x"\nPV = "0.2.0"\n')
        self.assertTrue(new["debian/changelog"].startswith("rivulet (0.2.0) unstable;"))
        self.assertIn(">  Tue, 05 Jan 2027 12:00:00 +0000\n", new["debian/changelog"])
        self.assertTrue(new["debian/changelog"].endswith(TEXTS["debian/changelog"]))
        self.assertEqual(release.section_of(new["CHANGELOG.md"], "0.2.0"), "- New.")
        self.assertEqual(release.section_of(new["CHANGELOG.md"], "0.1.0"), "- Old.")
        self.assertEqual(release.section_of(new["CHANGELOG.md"], "0.3.0"), "")

    def test_no_version_twice_or_backwards(self):
        for version in "0.1.0", "0.0.9":
            with self.assertRaisesRegex(release.ReleaseError, "not later than 0.1.0"):
                release.version_files(TEXTS, version, TODAY)
        self.assertIn("0.10.0", release.version_files(TEXTS, "0.10.0", TODAY)["CMakeLists.txt"])

    def test_versions_have_three_numbers(self):
        for version in "0.2", "v0.2.0", "0.2.0-rc1", "":
            with self.assertRaisesRegex(release.ReleaseError, "three numbers"):
                release.version_files(TEXTS, version, TODAY)

    def test_a_release_needs_a_changelog(self):
        texts = {**TEXTS, "CHANGELOG.md": TEXTS["CHANGELOG.md"].replace("## Unreleased\n", "")}
        with self.assertRaisesRegex(release.ReleaseError, "starts with 0.1.0"):
            release.version_files(texts, "0.2.0", TODAY)

    def test_the_trees_versions_agree(self):
        read = {name: (release.TOP / name).read_text(encoding="utf-8") for name in TEXTS}
        version = release.PROJECT.search(read["CMakeLists.txt"])[2]
        self.assertTrue(read["debian/changelog"].startswith(f"rivulet ({version}) "))
        self.assertNotEqual(release.section_of(read["CHANGELOG.md"], version), "")
        for name in release.VERSIONED[3:]:
            self.assertEqual(release.RECIPE.search(read[name])[2], version, name)


class WholeRelease(unittest.TestCase):
    """release.py in a repository of its own, whose ./dev makes packages without a build."""

    DEV = """#!/bin/sh -e
case $1 in
test) echo tested ;;
package)
    version=$(sed -n '1s/.*(\\(.*\\)).*/\\1/p' debian/changelog)
    folder=build/packages/$(dpkg --print-architecture)
    mkdir -p "$folder"
    echo "$version" >"$folder/librivulet1_${version}_amd64.deb"
    echo old >"$folder/librivulet1_0.0.1_amd64.deb"
    echo "$version" >"$folder/rivulet-$version-linux-amd64.tar.xz"
    mkdir -p build/stage/bin
    cp rivulet build/stage/bin/ ;;
esac
"""
    # `rivulet conformance run`: keeps its arguments as the report.
    RIVULET = """#!/bin/sh -e
all="$*"
while [ "$1" != --output ]; do shift; done
mkdir -p "$2/logs"
echo "$all" | tee "$2/report.html" >"$2/report.json"
"""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = pathlib.Path(folder.name)
        for name in (*release.VERSIONED, "tools/release/release.py", "tools/release/sbom.py",
                     "cmake/package/third_party.py", "cmake/package/third_party.csv",
                     "cmake/revision.txt", ".gitattributes"):
            (self.top / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(release.TOP / name, self.top / name)
        changelog = self.top / "CHANGELOG.md"
        text = changelog.read_text(encoding="utf-8")
        head = release.CHANGELOG_HEAD.search(text)
        changelog.write_text(text[:head.start()] + "## Unreleased\n- Something new.\n\n" + text[head.start():],
                             encoding="utf-8")
        (self.top / ".gitignore").write_text("build/\n", encoding="utf-8")
        (self.top / "dev").write_text(self.DEV, encoding="utf-8")
        (self.top / "rivulet").write_text(self.RIVULET, encoding="utf-8")
        for name in ("dev", "rivulet"):
            (self.top / name).chmod(0o755)
        self.git("init", "-q", "-b", "main")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "all: start")

    def git(self, *words):
        who = {f"GIT_{role}_{what}": text for role in ("AUTHOR", "COMMITTER")
               for what, text in (("NAME", "A"), ("EMAIL", "a@example.org"))}
        self.environment = {**os.environ, **who}
        return subprocess.run(["git", *words], cwd=self.top, check=True, capture_output=True, text=True,
                              env=self.environment).stdout.strip()

    def release(self, *arguments):
        return subprocess.run([sys.executable, "-B", self.top / "tools/release/release.py", *arguments],
                              cwd=self.top, env=self.environment, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def test_everything_to_publish_is_of_one_commit(self):
        done = self.release("9.9.0")
        self.assertEqual(done.returncode, 0, done.stdout)
        commit = self.git("rev-parse", "HEAD")
        self.assertEqual(self.git("log", "--format=%s"), "release: 9.9.0\nall: start")
        self.assertIn(f"git tag -s v9.9.0 -m 'Rivulet 9.9.0' {commit}\n", done.stdout)
        self.assertEqual(self.git("tag"), "")
        folder = self.top / "build/release-9.9.0"
        names = {path.name for path in folder.iterdir()}
        self.assertEqual(names, {"librivulet1_9.9.0_amd64.deb", "rivulet-9.9.0-linux-amd64.tar.xz",
                                 "rivulet-9.9.0-source.tar.xz", "rivulet-9.9.0.spdx.json", "RELEASE.txt",
                                 "SHA256SUMS"})
        subprocess.run(["sha256sum", "--quiet", "-c", "SHA256SUMS"], cwd=folder, check=True)
        text = (folder / "RELEASE.txt").read_text(encoding="utf-8")
        for part in (commit, "./dev test passed", "conformance: not run", "- Something new."):
            self.assertIn(part, text)
        files = {entry["fileName"] for entry in
                 json.loads((folder / "rivulet-9.9.0.spdx.json").read_text(encoding="utf-8"))["files"]}
        self.assertEqual(files, {"./" + name for name in names if name.endswith((".deb", ".tar.xz"))})
        with tarfile.open(folder / "rivulet-9.9.0-source.tar.xz") as sources:
            self.assertEqual(sources.extractfile("rivulet-9.9.0/cmake/revision.txt").read().decode().strip(),
                             commit)
            self.assertIn(b"rivulet (9.9.0) ",
                          sources.extractfile("rivulet-9.9.0/debian/changelog").read())
        # A release that was interrupted goes on, without a second commit.
        self.assertEqual(self.release("9.9.0", "--skip-tests").returncode, 0)
        self.assertEqual(self.git("rev-parse", "HEAD"), commit)
        # With changes under a heading of their own it doesn't: they would be in no version's section.
        changelog = self.top / "CHANGELOG.md"
        changelog.write_text(changelog.read_text(encoding="utf-8").replace(
            "## 9.9.0", "## Unreleased\n- Newer.\n\n## 9.9.0", 1), encoding="utf-8")
        self.git("commit", "-qam", "all: something newer")
        done = self.release("9.9.0", "--skip-tests")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("move them into its section", done.stdout)

    def test_results_of_the_cts_are_beside_the_packages(self):
        done = self.release("9.9.0", "--skip-tests", "--cts", "/cts", "--only", "cts.api/*")
        self.assertEqual(done.returncode, 0, done.stdout)
        folder = self.top / "build/release-9.9.0"
        name = f"conformance-{self.git('rev-parse', '--short=12', 'HEAD')}"
        asked = (folder / name / "report.html").read_text(encoding="utf-8")
        self.assertTrue(asked.startswith("conformance run --cts /cts "), asked)
        self.assertTrue(asked.endswith(" --only cts.api/*\n"), asked)
        self.assertIn(f"conformance: {name}/report.html\n",
                      (folder / "RELEASE.txt").read_text(encoding="utf-8"))
        checked = subprocess.run(["sha256sum", "-c", "SHA256SUMS"], cwd=folder, check=True, text=True,
                                 stdout=subprocess.PIPE).stdout
        for file in (f"{name}/report.html", f"{name}/report.json", "librivulet1_9.9.0_amd64.deb"):
            self.assertIn(f"{file}: OK\n", checked)

    def test_a_step_that_fails_ends_it(self):
        (self.top / "dev").write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
        self.git("commit", "-qam", "dev: break it")
        done = self.release("9.9.0")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("tests: failed", done.stdout)
        self.assertNotIn("git tag", done.stdout)

    def test_a_changed_working_copy_is_no_release(self):
        (self.top / "debian/changelog").write_text("changed\n", encoding="utf-8")
        done = self.release("9.9.0")
        self.assertIn("files differ from the last commit", done.stdout)
        self.assertNotEqual(done.returncode, 0)


class BuildVersion(unittest.TestCase):
    """cmake/build_version.cmake: what a build says of itself."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.source = pathlib.Path(folder.name) / "source"
        (self.source / "cmake").mkdir(parents=True)
        self.revision = self.source / "cmake/revision.txt"
        shutil.copy(release.TOP / "cmake/revision.txt", self.revision)

    def git(self, *words):
        return subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *words],
                              cwd=self.source, check=True, capture_output=True, text=True).stdout.strip()

    def version(self):
        text, header = self.source.parent / "text", self.source.parent / "header"
        subprocess.run(["cmake", "-DVERSION=1.2.3", f"-DSOURCE={self.source}", f"-DTEXT={text}",
                        f"-DHEADER={header}", "-P", release.TOP / "cmake/build_version.cmake"], check=True)
        version = text.read_text(encoding="utf-8").strip()
        self.assertEqual(header.read_text(encoding="utf-8"), f'#define RIVULET_BUILD_VERSION "{version}"\n')
        return version

    def test_a_working_copy_has_a_commit_and_may_be_dirty(self):
        self.git("init", "-q")
        self.git("add", "-A")
        self.git("commit", "-qm", "all: start")
        commit = self.git("rev-parse", "--short=12", "HEAD")
        self.assertEqual(self.version(), f"1.2.3+g{commit}")
        (self.source / "new").write_text("not of the repository")
        self.assertEqual(self.version(), f"1.2.3+g{commit}")
        self.revision.write_text("changed")
        self.assertEqual(self.version(), f"1.2.3+g{commit}.dirty")

    def test_an_archive_has_its_commit(self):
        self.revision.write_text("0123456789abcdef0123456789abcdef01234567\n")
        self.assertEqual(self.version(), "1.2.3+g0123456789ab")

    def test_a_copy_without_either_has_its_version_alone(self):
        self.assertEqual(self.version(), "1.2.3")


class Sbom(unittest.TestCase):
    def setUp(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "rivulet-0.2.0.tar.xz"
            path.write_bytes(b"content")
            self.document = sbom.document("0.2.0", [path], {"newlib-source": "3.3.0-2"}, TODAY)

    def test_ids_are_unique_and_known(self):
        entries = self.document["packages"] + self.document["files"]
        ids = [entry["SPDXID"] for entry in entries] + ["SPDXRef-DOCUMENT"]
        self.assertEqual(len(ids), len(set(ids)))
        for one in ids:
            self.assertRegex(one, r"^SPDXRef-[A-Za-z0-9.-]+$")
        for relation in self.document["relationships"]:
            self.assertIn(relation["spdxElementId"], ids)
            self.assertIn(relation["relatedSpdxElement"], ids)

    def test_unlisted_files_are_not_contained(self):
        # SPDX 2.3, 7.8: a package whose files were not analysed contains none.
        unlisted = {entry["SPDXID"] for entry in self.document["packages"] if not entry["filesAnalyzed"]}
        related = {}
        for relation in self.document["relationships"]:
            related.setdefault(relation["relationshipType"], []).append(relation)
        self.assertFalse([one for one in related.get("CONTAINS", []) if one["spdxElementId"] in unlisted])
        self.assertEqual({one["spdxElementId"] for one in related["GENERATED_FROM"]},
                         {entry["SPDXID"] for entry in self.document["files"]})

    def test_versions_and_checksums(self):
        newlib = next(p for p in self.document["packages"] if p["name"] == "newlib")
        self.assertEqual(newlib["versionInfo"], "3.3.0-2")
        self.assertEqual(newlib["externalRefs"][0]["referenceLocator"],
                         "pkg:deb/debian/newlib-source@3.3.0-2")
        self.assertEqual(self.document["files"][0]["checksums"][0]["checksumValue"],
                         "040f06fd774092478d450774f5ba30c5da78acc8")

    def test_own_licences_have_a_text(self):
        named = {word for entry in self.document["packages"]
                 for word in re.findall(r"LicenseRef-[\w.-]+", entry["licenseDeclared"])}
        self.assertEqual(named, {one["licenseId"]
                                 for one in self.document["hasExtractedLicensingInfos"]})

    def test_every_component_is_there(self):
        names = {entry["name"] for entry in self.document["packages"]}
        self.assertEqual(names, {"rivulet"} | {row["component"] for row in sbom.third_party.rows()})


if __name__ == "__main__":
    unittest.main()
