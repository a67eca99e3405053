#!/usr/bin/env python3
"""Writes the manual pages as CMake does: each function has one, and mandoc finds nothing to say. Without mandoc the second part is left out.

usage: man_pages.py ROOT    ROOT: the folder of the sources
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def main():
    """Prints what is wrong, and fails if anything is."""
    root = pathlib.Path(sys.argv[1])
    api = json.loads((root / "include" / "graphcap-api.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-B", root / "docs" / "site" / "man.py", folder], check=True)
        pages = {page.stem: page for page in pathlib.Path(folder, "man3").iterdir()}
        wrong = [f"no page for {entry['name']}" for kind in ("functions", "shorthands") for entry in api[kind] if entry["name"] not in pages]
        wrong += [f"{name} leads to a page that there is not" for name, page in pages.items() if not page.exists()]
        mandoc = shutil.which("mandoc")
        if mandoc:
            told = subprocess.run(
                [mandoc, "-Tlint", *sorted(str(page) for page in pages.values() if not page.is_symlink())],
                env=os.environ | {"MANPATH": folder},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            for line in told.stdout.splitlines():
                # It looks for pages that others lead to among the installed ones alone.
                missing = re.search(r"referenced manual not found: Xr (\S+) 3", line)
                if not missing or missing[1] not in pages:
                    wrong.append(line)
            if told.returncode and not told.stdout:
                wrong.append(f"mandoc ended with {told.returncode}")
    print(*wrong, sep="\n", end="\n" if wrong else "")
    if wrong:
        sys.exit(1)
    print(f"{len(pages)} pages; mandoc: {'no complaint' if mandoc else 'not installed, so its lint is left out'}")


if __name__ == "__main__":
    main()
