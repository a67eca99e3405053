#!/usr/bin/env bash
# ctypesgen: of an inline function in a header, it takes the local variables for variables that the library exports. The module that it
# writes looks for each of them in the library, and has it where the library happens to have a symbol of that name; it also loses an inline
# function that the library does not export, without a word. One expects a function's variables to stay within it.
#
# Seen with ctypesgen 1.1.1. docs/languages.md has graphcap's inline functions left out, by GRAPHCAP_NO_SHORTHANDS.
#
# Needs Python with venv, and a C compiler; without them it is skipped.
set -euo pipefail
command -v cc >/dev/null || { echo "skipped: no C compiler"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
{ python3 -m venv python && python/bin/pip install -q ctypesgen==1.1.1; } >log 2>&1 || { cat log; echo "skipped: ctypesgen cannot be had"; exit 0; }
echo "ctypesgen $(python/bin/ctypesgen --version)"
cat >twice.h <<'C'
int once(int number);
static inline int twice(int number)
{
    int sum = once(number);
    return once(sum);
}
C
# `sum` is another thing of the library's.
printf 'int sum = 42;\nint once(int number) { return number + 1; }\n' >twice.c
cc -shared -fPIC -o libtwice.so twice.c
python/bin/ctypesgen -L . -l twice -o twice.py twice.h >log 2>&1
python/bin/python - <<'PYTHON'
import twice
print("the header declares no variable; the module has sum =", twice.sum.value if hasattr(twice, "sum") else None)
print("the inline function is there:", hasattr(twice, "twice"))
if not hasattr(twice, "sum") or twice.sum.value != 42 or hasattr(twice, "twice"):
    raise SystemExit("this has changed")
PYTHON
