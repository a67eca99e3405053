"""Builds the site of the documentation: copies the pages, writes the reference, calls Sphinx and Pagefind.

usage: python docs/site/build.py [OUT]    OUT: build/site; the site is OUT/html
"""

import os
import pathlib
import shutil
import subprocess
import sys

import reference
from pages import ROOT, Copier

HERE = pathlib.Path(__file__).resolve().parent


def main():
    """Builds the site."""
    out = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "site").resolve()
    source, html = out / "source", out / "html"
    for folder in (source, html):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    Copier(source).copy()
    reference.write(source / "reference")
    jobs = str(os.cpu_count() or 1)
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-j", jobs, "-d", out / "doctrees", "-c", HERE, source, html]
    subprocess.run(command, check=True)
    subprocess.run([sys.executable, "-m", "pagefind", "--site", html, "--quiet", "--root-selector", "article", "--exclude-selectors", ".headerlink"], check=True)


if __name__ == "__main__":
    main()
