# Compares graphcap.h and graphcap_allocators.h with the C++ layer over it: every function is used by a part of graphcap.hpp, or stands below with the
# reason why not; and graphcap.hpp includes every part. Run by CTest: hpp_coverage.py <include dir>, CC names the compiler.

import os
import re
import sys
from pathlib import Path

from declarations import functions

# Functions that C++ does without: a pattern of their names, and why.
UNUSED = {
    r"gc_version(_string)?": "answers a value and cannot fail: C++ calls it as it is",
    r"gc_graph_exec_apply_reason_description": "answers a text and cannot fail: C++ calls it as it is",
    r"gc_pool_(torch|rmm)_\w+": "given to the allocators of others by its address, in C++ too",
    r"gc_status_description": "answers a text and cannot fail: C++ calls it as it is",
}


def code(path):
    """A header without its comments."""
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", path.read_text(), flags=re.S)


def main():
    include = Path(sys.argv[1])
    umbrella = include / "graphcap.hpp"
    parts = sorted(include.glob("graphcap/*.hpp"))
    used = set()
    for part in parts:
        used |= set(re.findall(r"\bgc_\w+", code(part)))
    declared = functions(os.environ.get("CC", "cc"), include / "graphcap_allocators.h")
    excused = {name for name in declared if any(re.fullmatch(pattern, name) for pattern in UNUSED)} - used
    wrong = [f"no part of graphcap.hpp uses {name}" for name in declared if name not in used | excused]
    wrong += [f"UNUSED has {pattern}, and no unused function is called that" for pattern in UNUSED
              if not any(re.fullmatch(pattern, name) for name in excused)]
    included = re.findall(r'#include "graphcap/(\w+)\.hpp"', code(umbrella))
    wrong += [f"graphcap.hpp does not include {part.name}" for part in parts if part.stem not in included]
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{len(declared)} functions, of which C++ uses {len(declared) - len(excused)}; {len(parts)} parts")


if __name__ == "__main__":
    main()
