#!/usr/bin/env python3
"""The stand-in for the CUDA driver exports the functions that graphcap looks up and that its version had, and no other of
the driver's: what graphcap calls anew has to be written there too."""

import argparse
import re
import subprocess
import sys


def looked_up(source, version):
    """The names in the table of crates/cuda/src/api.rs that came with `version` or before."""
    with open(source, encoding="utf-8") as text:
        table = re.search(r"^functions! \{$(.*?)^\}$", text.read(), re.MULTILINE | re.DOTALL)
    if table is None:
        sys.exit(f"{source}: no table of functions")
    rows = re.findall(r"^    (\d+) (cu\w+)\(", table.group(1), re.MULTILINE)
    if len(rows) < 50 or len(rows) != table.group(1).count(";"):
        sys.exit(f"{source}: only {len(rows)} rows of the table could be read")
    return {name for since, name in rows if int(since) <= version}


def exported(library):
    """The driver's functions that the library defines."""
    output = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    return {line.split()[-1] for line in output.splitlines() if line.split()[-1].startswith("cu")}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--version", type=int, required=True, help="of the driver that is stood in for, such as 12000")
    parser.add_argument("--api", required=True, help="crates/cuda/src/api.rs")
    parser.add_argument("--library", required=True)
    arguments = parser.parse_args()
    wanted, found = looked_up(arguments.api, arguments.version), exported(arguments.library)
    for name in sorted(wanted - found):
        print(f"the stand-in lacks {name}, which graphcap calls; write it in c_tests/stand_in/driver")
    for name in sorted(found - wanted):
        print(f"the stand-in has {name}, which graphcap does not call, or which came later than {arguments.version}")
    sys.exit(wanted != found)


if __name__ == "__main__":
    main()
