"""Builds the site of the documentation: copies the pages, writes the reference, calls Sphinx and Pagefind.

usage: python docs/site/build.py [OUT]    OUT: build/site; the site is OUT/html
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import reference
from pages import FEW, ROOT, Copier

HERE = pathlib.Path(__file__).resolve().parent

# What axe-core and Pagefind miss in the pages of Sphinx and the theme: pairs of an expression and what takes its place.
MENDS = [
    # Headings have the anchors of their sections, so that the search leads to sections, and count most.
    (r'<section id="([^"]+)">\s*((?:<span id="[^"]*"></span>)*)<h(\d)>', r'<section>\2<h\3 id="\1" data-pagefind-weight="10">'),
    (r'<p class="caption" role="heading">', '<p class="caption" role="heading" aria-level="2">'),
    (r'<th class="head[^"]*">(?:<p></p>)?</th>', "<td></td>"),
    (r'<aside class="sidebar-drawer">', '<aside class="sidebar-drawer" aria-label="Pages">'),
    (r'<aside class="toc-drawer', '<aside aria-label="On this page" class="toc-drawer'),
    # Code and tables that are wider than the page scroll, by keys too.
    (r"<pre>", '<pre tabindex="0">'),
    (r'<div class="table-wrapper', '<div tabindex="0" class="table-wrapper'),
]


def mend(html):
    """Mends the pages, and removes what they do not use: Sphinx's own search."""
    for page in html.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        for found, instead in MENDS:
            text = re.sub(found, instead, text)
        if f'data-pagefind-weight="{FEW}"' in text:
            text = text.replace(' data-pagefind-weight="10"', "")
        page.write_text(text, encoding="utf-8")
    for name in ("searchindex.js", "_static/searchtools.js", "_static/language_data.js"):
        (html / name).unlink()


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
    mend(html)
    subprocess.run([sys.executable, "-m", "pagefind", "--site", html, "--quiet", "--root-selector", "article", "--exclude-selectors", ".headerlink"], check=True)


if __name__ == "__main__":
    main()
