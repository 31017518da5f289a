#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the software bill of materials of a build as SPDX 2.3 (spdx.github.io/spdx-spec).

    sbom.py [--licences FOLDER] VERSION OUTPUT [FILE…]

It has Rivulet, what cmake/package/third_party.csv says is compiled into it or loaded by it, with the
versions of the Debian packages that are installed here, and the checksums of the FILEs of the
release. Licence texts are PACKAGE/copyright in the FOLDER.
"""
import argparse
import datetime
import fnmatch
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "cmake/package"))
import third_party  # noqa: E402

LICENCES = pathlib.Path("/usr/share/doc")


def installed():
    """{package: version} of this system."""
    lines = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Status} ${Package} ${Version}\n"],
                           check=True, capture_output=True, text=True).stdout.splitlines()
    return {name: version for status, name, version in map(str.split, filter(None, lines))
            if status == "installed"}


def identifier(text):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]+", "-", text)


def component(row, packages):
    """An SPDX package; its version is that of the first installed package that brings it."""
    found = next(((name, version) for pattern in row["packages"]
                  for name, version in sorted(packages.items()) if fnmatch.fnmatchcase(name, pattern)),
                 None)
    entry = {"SPDXID": identifier("component-" + row["component"]), "name": row["component"],
             "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
             "licenseConcluded": row["licence"], "licenseDeclared": row["licence"],
             "copyrightText": "NOASSERTION", "comment": f"{row['how']}; in {row['in']}"}
    if found:
        name, version = found
        entry["versionInfo"] = version
        entry["externalRefs"] = [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                  "referenceLocator": f"pkg:deb/debian/{name}@{version}"}]
    return entry


def file_entry(path):
    content = path.read_bytes()
    return {"SPDXID": identifier("file-" + path.name), "fileName": "./" + path.name,
            "checksums": [{"algorithm": "SHA1", "checksumValue": hashlib.sha1(content).hexdigest()},
                          {"algorithm": "SHA256",
                           "checksumValue": hashlib.sha256(content).hexdigest()}],
            "licenseConcluded": "NOASSERTION", "copyrightText": "NOASSERTION"}


def document(version, files, packages, when, licences=LICENCES):
    product = {"SPDXID": "SPDXRef-rivulet", "name": "rivulet", "versionInfo": version,
               "supplier": "Organization: Rivulet maintainers", "downloadLocation": "NOASSERTION",
               "filesAnalyzed": False, "licenseConcluded": "Apache-2.0",
               "licenseDeclared": "Apache-2.0", "copyrightText": "NOASSERTION"}
    rows = third_party.rows()
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", product["SPDXID"])]
    for row in rows:
        kind = "STATIC_LINK" if row["how"] == "compiled in" else "DYNAMIC_LINK"
        relations.append((product["SPDXID"], kind, identifier("component-" + row["component"])))
    entries = [file_entry(path) for path in files]
    # Not "CONTAINS", which a package whose files are not listed must not have.
    relations += [(entry["SPDXID"], "GENERATED_FROM", product["SPDXID"]) for entry in entries]
    newlib = third_party.text_of(next(row for row in rows if row["component"] == "newlib"),
                                 licences)
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"rivulet-{version}",
        "documentNamespace": f"https://rivulet.invalid/spdx/rivulet-{version}",
        "creationInfo": {"created": when.strftime("%Y-%m-%dT%H:%M:%SZ"),
                         "creators": [f"Tool: rivulet-release-{version}"]},
        "packages": [product, *(component(row, packages) for row in rows)],
        "files": entries,
        "hasExtractedLicensingInfos": [{"licenseId": "LicenseRef-newlib", "name": "newlib",
                                        "extractedText": newlib}],
        "relationships": [{"spdxElementId": one, "relationshipType": kind,
                           "relatedSpdxElement": other} for one, kind, other in relations],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--licences", type=pathlib.Path, default=LICENCES)
    parser.add_argument("version")
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("files", type=pathlib.Path, nargs="*")
    options = parser.parse_args()
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    when = (datetime.datetime.fromtimestamp(int(seconds), datetime.timezone.utc) if seconds
            else datetime.datetime.now(datetime.timezone.utc))
    text = json.dumps(document(options.version, options.files, installed(), when, options.licences), indent=1)
    options.output.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
