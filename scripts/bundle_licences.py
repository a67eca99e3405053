#!/usr/bin/env python3
"""Prints the licences of what the compiled libraries contain of others: the crates that cargo links, and Rust's library.

usage: cargo metadata --format-version 1 --filter-platform TARGET | scripts/bundle_licences.py"""

import json
import pathlib
import sys

RULE = "=" * 100

# Crates that come without the file, and the crate of the same repository that has it.
WITH_ANOTHER = {"pulp-wasm-simd-flag": "pulp"}


def linked(metadata):
    """The packages of others that reach the library. Those of procedural macros and of build scripts run in the compiler only."""
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    # With the command, where the workspace has it.
    commands = [name for name in metadata["workspace_members"] if packages[name]["name"] == "graphcap-command"]
    found, waiting = set(), [metadata["resolve"]["root"], *commands]
    while waiting:
        name = waiting.pop()
        is_macro = any("proc-macro" in target["kind"] for target in packages[name]["targets"])
        if name in found or is_macro:
            continue
        found.add(name)
        for dependency in nodes[name]["deps"]:
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                waiting.append(dependency["pkg"])
    return sorted((packages[name] for name in found if packages[name]["source"]), key=lambda package: package["name"])


def texts(package):
    """The crate's MIT licence, if MIT is offered; else all that it has."""
    folder = pathlib.Path(package["manifest_path"]).parent
    files = sorted(file for file in folder.iterdir() if file.name.upper().startswith(("LICEN", "COPYING", "NOTICE")))
    if not files and package["name"] in WITH_ANOTHER:
        return [f"Its licence is that of {WITH_ANOTHER[package['name']]}, which is of the same project."]
    if not files:
        sys.exit(f"bundle_licences: {package['name']} comes without a licence file")
    chosen = [file for file in files if "MIT" in file.name.upper()]
    return [file.read_text() for file in chosen or files]


def main():
    print("libgraphcap.so and libgraphcap.a contain code of these projects.\n")
    print("Rust's standard library, MIT OR Apache-2.0, Copyright (c) The Rust Project Contributors.")
    print("The Apache licence is in LICENSE-APACHE.")
    for package in linked(json.load(sys.stdin)):
        print(f"\n{RULE}\n{package['name']} {package['version']}, {package['license']}, {package['repository']}\n")
        for text in texts(package):
            print(text.strip())


if __name__ == "__main__":
    main()
