#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of release.py and sbom.py, and that the tree's versions agree."""
import datetime
import pathlib
import re
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
