# What make soak runs: every program of the folders in every variant, so that nothing is lost that a change need not pass. It
# configures the tests with GRAPHCAP_TEST_SET=all, builds nothing, and compares what CTest lists with the files.
# Run by CTest: sets.py <source tree> <cmake> <ctest> <build tree with the set "change">

import json
import subprocess
import sys
import tempfile
from pathlib import Path

SUBJECTS = "object work capture rules graph kit lifetime api cuda fault".split()
ON_A_GPU = {"cuda", "fault"}
# They choose the memory themselves, run out of address space or count what they have.
NOT_GUARDED = {"guard_memory", "check_access", "no_memory"}
KINDS = "header binary consumer setup python example bench lanes fuzz stand_in".split()


def listed(ctest, build_tree):
    """The tests of a build tree: {name: set of labels}."""
    run = subprocess.run([ctest, "--show-only=json-v1"], cwd=build_tree, check=True, capture_output=True, text=True)
    found = {}
    for test in json.loads(run.stdout)["tests"]:
        labels = [p["value"] for p in test.get("properties", []) if p["name"] == "LABELS"]
        found[test["name"]] = set(labels[0]) if labels else set()
    return found


def wanted(source, valgrind):
    """The variants of the programs that the folders have."""
    names = set()
    for subject in SUBJECTS:
        for file in sorted((source / "c_tests" / subject).glob("*.c*")):
            languages = ["c11", "cpp17"] if file.suffix == ".c" else ["cpp17"]
            names |= {f"{language}.{file.stem}" for language in languages}
            if file.suffix == ".c" and subject in ON_A_GPU:
                continue
            if valgrind:
                names.add(f"valgrind.{file.stem}")
            if file.stem not in NOT_GUARDED:
                names.add(f"guard.{file.stem}")
    for folder, prefix in (("stand_in", ""), ("stand_in/failures", "failures_")):
        for file in sorted((source / "c_tests" / folder).glob("*.c")):
            names.add(f"stand_in.{prefix}{file.stem}")
            if valgrind:
                names.add(f"valgrind.{prefix}{file.stem}")
    return names


def main():
    source, cmake, ctest, build_tree = Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
    wrong = []
    with tempfile.TemporaryDirectory(prefix="graphcap-sets-") as folder:
        command = [cmake, "-S", str(source), "-B", folder, "-DGRAPHCAP_TEST_SET=all", "-DCMAKE_BUILD_TYPE=RelWithDebInfo"]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode:
            raise SystemExit(f"$ {' '.join(command)}\n{run.stdout}{run.stderr}")
        everything = listed(ctest, folder)
        cache = (Path(folder) / "CMakeCache.txt").read_text()
    valgrind = "VALGRIND_EXECUTABLE:FILEPATH=VALGRIND_EXECUTABLE-NOTFOUND" not in cache
    of_a_change = listed(ctest, build_tree)

    wrong += [f"make soak has no test {name}" for name in sorted(wanted(source, valgrind) - set(everything))]
    wrong += [f"make soak lacks {name}, which make test has" for name in sorted(set(of_a_change) - set(everything))]
    labels = set().union(*everything.values())
    wrong += [f"make soak has no test with the label {kind}" for kind in KINDS if kind not in labels]

    # Its two runs of CTest have all tests between them.
    presets = {p["name"]: p for p in json.loads((source / "CMakePresets.json").read_text())["testPresets"]}
    full, rest = presets["soak"]["filter"], presets["soak-rest"]["filter"]
    if full != {"include": rest.get("exclude")}:
        wrong.append("the test presets soak and soak-rest leave tests out between them")
    recipe = (source / "Makefile").read_text().partition("\nsoak:")[2].partition("\n\n")[0]
    for part in ("cargo test", "--preset soak\n", "--preset soak-rest", "demo", "bundle-check"):
        if part not in recipe:
            wrong.append(f"make soak does not run {part.strip()}")

    for line in wrong:
        print(line, file=sys.stderr)
    print(f"make test has {len(of_a_change)} tests, make soak {len(everything)}; {len(wrong)} are missing")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
