#!/usr/bin/env python3
"""Says whether this tree can be released: one version, no placeholders, the interface, the packages, the wheel, the documents.

usage: scripts/release_check.py              all; it builds, and takes hours on two cores
       scripts/release_check.py versions     whether all files state one version; a test runs this

`make release-check` calls it. RELEASING.md tells the steps of a release."""

import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Where the version stands besides Cargo.toml: files and what precedes it there.
STATED = [
    ("Cargo.lock", '\nname = "graphcap"\nversion = "'),
    ("python/Cargo.lock", '\nname = "graphcap-python"\nversion = "'),
    ("python/pyproject.toml", '\nversion = "'),
    ("python/Cargo.toml", '\nversion = "'),
    ("python/graphcap/__init__.py", '\n__version__ = "'),
    ("include/graphcap.h", 'GRAPHCAP_VERSION_STRING "'),
    ("include/graphcap-api.json", '"version": "'),
    ("docs/man/graphcap.1", '"graphcap '),
    ("packaging/vcpkg/vcpkg.json", '"version": "'),
    ("CHANGELOG.md", "\n## ["),
]

# What stands where somebody has to decide something before a release.
PLACEHOLDERS = [
    ("packaging/maintainer", "address-missing@"),
    ("SECURITY.md", "address-missing@"),
    ("CHANGELOG.md", "not released yet"),
    ("docs/verified.md", "unreleased"),
]

# What else has to pass, the quick ones first.
COMMANDS = [
    ("links", "python3 scripts/links.py"),
    ("entries of the documents", "python3 scripts/doc_entries.py && python3 scripts/doc_names.py"),
    ("API: the header and graphcap-api.json are those of the sources", "cargo test --locked --features header --test header"),
    ("ABI against scripts/abi/base.txt", "sh scripts/abi/abi.sh check"),
    ("packages", "make package && make package-check"),
    ("wheels", "make wheels && WHEELS=build/package/$(uname -m)/wheels scripts/python.sh test"),
    ("site", "make docs-check"),
]


def read(name):
    return (ROOT / name).read_text()


def git(*arguments):
    """The output of git, or nothing where it fails."""
    return subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True).stdout.strip()


def workspace_version():
    return re.search(r'^version = "(.*)"', read("Cargo.toml"), re.MULTILINE).group(1)


def versions():
    """Lines about files that state another version than Cargo.toml."""
    version = workspace_version()
    wrong = [
        f"Cargo.toml: {name} is asked for in version {found}, not {version}"
        for name, found in re.findall(r'^(graphcap-\w+) = \{.*version = "=(.*?)"', read("Cargo.toml"), re.MULTILINE)
        if found != version
    ]
    for name, before in STATED:
        found = re.search(re.escape(before) + r"([0-9][^\]\"]*)", read(name))
        if not found or found.group(1) != version:
            wrong.append(f"{name}: the version is {found.group(1) if found else 'missing'}, not {version}")
    return wrong


def placeholders():
    return [f"{name} has the placeholder “{text}”" for name, text in PLACEHOLDERS if text in read(name)]


def names(api):
    """Names that programs use: functions, structs with their members, constants with their values."""
    found = {function["name"] for function in api["functions"] + api["shorthands"]}
    found |= {f"{struct['name']}::{member['name']}" for struct in api["structs"] for member in struct["members"]}
    return found | {f"{constant['name']} = {constant['value']}" for constant in api["constants"] + api["statuses"]}


def interface():
    """Names that the interface as data had in the last release and has no more."""
    tag = git("describe", "--tags", "--abbrev=0", "--match", "v[0-9]*", "HEAD^")
    if not tag:
        print("   no release is tagged, so the interface is compared with scripts/abi/base.txt alone")
        return []
    last = json.loads(git("show", f"{tag}:include/graphcap-api.json"))
    return [f"{name} is gone since {tag}" for name in sorted(names(last) - names(json.loads(read("include/graphcap-api.json"))))]


def tree():
    return ["the tree has changes that are not committed"] if git("status", "--porcelain") else []


def commands():
    """The commands that fail. Their output goes by. STRICT has them fail where they leave something out."""
    failed = []
    strict = os.environ | {"STRICT": "yes"}
    for number, (title, command) in enumerate(COMMANDS, 1):
        print(f"\nrelease-check: {number} of {len(COMMANDS)}: {title}: {command}", flush=True)
        if subprocess.run(command, shell=True, cwd=ROOT, env=strict).returncode != 0:
            failed.append(f"{title}: {command} failed")
    return failed


def main():
    checks = [versions] if sys.argv[1:] == ["versions"] else [versions, placeholders, interface, tree, commands]
    wrong = []
    for check in checks:
        print(f"release-check: {check.__name__}", flush=True)
        wrong += check()
    print(*(f"release-check: {line}" for line in wrong), sep="\n")
    print(f"release-check: {workspace_version()} " + ("can not be released" if wrong else "is as it should be"))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
