# Everything in graphcap.h and graphcap_allocators.h has a text: doxygen warns of nothing. Where it is not installed the test is skipped.
# Run by CTest: documented.py <include dir>

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SETTINGS = """
INPUT = "{header}"
OUTPUT_DIRECTORY = "{folder}"
QUIET = YES
GENERATE_HTML = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
OPTIMIZE_OUTPUT_FOR_C = YES
WARN_IF_UNDOCUMENTED = YES
WARN_IF_INCOMPLETE_DOC = NO
"""


def warnings(header, folder):
    """The warnings of doxygen about a header."""
    settings = folder / "Doxyfile"
    settings.write_text(SETTINGS.format(header=header, folder=folder))
    run = subprocess.run(["doxygen", str(settings)], capture_output=True, text=True)
    told = run.stderr.splitlines()
    return told if run.returncode == 0 or told else [f"doxygen ended with {run.returncode}"]


def main():
    if not shutil.which("doxygen"):
        print("doxygen is not installed: skipped")
        return 77
    with tempfile.TemporaryDirectory(prefix="graphcap-doxygen-") as folder:
        folder = Path(folder)
        # It does warn of what has no text.
        bare = folder / "bare.h"
        bare.write_text("/// @file\n/// A struct.\ntypedef struct bare {\n    int member;\n} bare;\n")
        if not any("member" in warning for warning in warnings(bare, folder)):
            raise SystemExit("doxygen does not warn of a member without a text")
        told = [line for name in ("graphcap.h", "graphcap_allocators.h") for line in warnings(Path(sys.argv[1]) / name, folder)]
    for line in told:
        print(line, file=sys.stderr)
    print(f"{len(told)} warnings of doxygen")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
