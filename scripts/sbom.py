#!/usr/bin/env python3
"""Prints what the packages contain as an SPDX 2.3 document: graphcap, the crates that are linked into it, Rust's standard library.

usage: cargo metadata --locked --format-version 1 --filter-platform TARGET | scripts/sbom.py [ZIGBUILD]

ZIGBUILD: the version of cargo-zigbuild, where it linked the library; its libunwind is in there then.
SOURCE_DATE_EPOCH: when the sources are from, in seconds. The same sources give the same document."""

import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import tomllib
import uuid

from bundle_licences import linked

ROOT = pathlib.Path(__file__).resolve().parent.parent


def package(name, version, licence, purl=None, sha256=None):
    """A package of the document. Its place is told by its purl, which names no host."""
    entry = {
        "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.]", "-", f"{name}-{version}"),
        "name": name,
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": licence.replace("/", " OR "),
        "copyrightText": "NOASSERTION",
    }
    if purl:
        entry["externalRefs"] = [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}]
    if sha256:
        entry["checksums"] = [{"algorithm": "SHA256", "checksumValue": sha256}]
    return entry


def packages_of(metadata, zigbuild):
    """graphcap first, then what it contains."""
    locked = tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]
    checksums = {(crate["name"], crate["version"]): crate.get("checksum") for crate in locked}
    graphcap = next(crate for crate in metadata["packages"] if crate["name"] == "graphcap" and not crate["source"])
    rust = subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    found = [package("graphcap", graphcap["version"], graphcap["license"]), package("rust-std", rust, "MIT OR Apache-2.0")]
    found += [package("libunwind-of-zigbuild", version, "Apache-2.0 WITH LLVM-exception") for version in zigbuild]
    return found + [
        package(
            crate["name"],
            crate["version"],
            crate["license"],
            f"pkg:cargo/{crate['name']}@{crate['version']}",
            checksums[crate["name"], crate["version"]],
        )
        for crate in linked(metadata)
    ]


def main():
    packages = packages_of(json.load(sys.stdin), sys.argv[1:])
    graphcap = packages[0]
    made = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", graphcap)] + [(graphcap["SPDXID"], "CONTAINS", part) for part in packages[1:]]
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"graphcap-{graphcap['versionInfo']}",
        "documentNamespace": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps([packages, made.isoformat()]))}",
        "creationInfo": {"created": made.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: graphcap-sbom.py"]},
        "packages": packages,
        "relationships": [
            {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other["SPDXID"]} for one, kind, other in relations
        ],
    }
    print(json.dumps(document, indent=2))


if __name__ == "__main__":
    main()
