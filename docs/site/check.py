"""Checks the built site in Chromium: the search, the ways from the first page, how pages look, and what axe-core finds.

usage: python docs/site/check.py OUT CHROMIUM    OUT: the folder of build.py; pictures of pages go to OUT/pictures
"""

import functools
import http.server
import pathlib
import re
import shutil
import sys
import threading
import urllib.parse

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright
from questions import QUESTIONS

WIDTHS = {"phone": 390, "tablet": 820, "desktop": 1440}
SCHEMES = ["light", "dark"]
# One page of each kind: the first one, text with tables and pictures, the reference of C and of Python, the search.
LOOKED_AT = ["index", "capture", "environment", "reference/contexts", "cuda-names", "python-reference/graphcap/stream/index",
             "architecture", "search.html?q=fork"]  # fmt: skip
RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "best-practice"]}}
# Links that a reader follows from the first page to any other, at most.
CLICKS = 2


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files without telling of each."""

    def log_message(self, *_):
        pass


def serve(folder):
    """Serves a folder on a port of this machine, and returns its address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


def address(page):
    """The address of a page, below the site's."""
    return page if ".html" in page else page + ".html"


def named(url):
    """The name of the page of an address."""
    path = urllib.parse.urlsplit(url).path.lstrip("/")
    return re.sub(r"(^|/)$", r"\1index", path).removesuffix(".html")


def distances(html):
    """Numbers of links from the first page to each."""
    found, last = {"index": 0}, ["index"]
    while last:
        following = []
        for page in last:
            text = (html / address(page)).read_text(encoding="utf-8")
            for target in re.findall(r'<a [^>]*href="([^"#:]+)(?:#[^"]*)?"', text):
                to = named(urllib.parse.urljoin("/" + address(page), target))
                if to not in found and (html / address(to)).is_file():
                    found[to] = found[page] + 1
                    following.append(to)
        last = following
    return found


def wrong_ways(html):
    """Pages that are too far from the first one, and pages that nothing leads to."""
    found = distances(html)
    pages = [path.relative_to(html).as_posix().removesuffix(".html") for path in html.rglob("*.html") if "_static" not in path.parts]
    for page in sorted(set(pages) - {"search"}):
        if page not in found:
            yield f"{page}: no link leads to it"
        elif found[page] > CLICKS:
            yield f"{page}: {found[page]} links from the first page"


def wrong_answers(page, site):
    """Questions whose answer is not among the first three pages that the search lists."""
    for question, pages in QUESTIONS.items():
        page.goto(f"{site}search.html?q={urllib.parse.quote(question)}")
        page.wait_for_selector("#search-results[data-question]", state="attached")
        links = page.eval_on_selector_all("#search-results > li > a", "links => links.slice(0, 3).map(link => link.href)")
        found = [named(link) for link in links]
        if not set(found) & set(pages):
            yield f"search: {question!r} gives {found}, none of {pages}"


def faults_of_look(page, name, size):
    """Faults of an open page, by its size and by axe-core."""
    wide = page.evaluate("document.documentElement.scrollWidth")
    if wide > page.viewport_size["width"]:
        yield f"{name}, {size}: {wide} pixels wide"
    for found in Axe().run(page, options=RULES).response["violations"]:
        places = "; ".join(node["target"][0] if isinstance(node["target"][0], str) else str(node["target"]) for node in found["nodes"][:3])
        yield f"{name}, {size}: axe {found['id']} ({found['impact']}): {found['help']}: {places}"


def wrong_looks(browser, site, pictures):
    """Faults of one page of each kind, in each width and scheme, and of all that pages load or report."""
    for scheme in SCHEMES:
        for size, width in WIDTHS.items():
            context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
            page = context.new_page()
            told = []
            page.on("console", lambda message, told=told: told.append(message.text) if message.type in ("error", "warning") else None)
            page.on("pageerror", lambda error, told=told: told.append(str(error)))
            page.on("request", lambda request, told=told: None if request.url.startswith((site, "data:", "blob:")) else told.append(request.url))
            for name in LOOKED_AT:
                page.goto(site + address(name), wait_until="networkidle")
                page.screenshot(path=pictures / f"{re.sub(r'[^a-z]+', '-', name)}-{size}-{scheme}.png")
                yield from faults_of_look(page, name, f"{size}, {scheme}")
                yield from (f"{name}, {size}, {scheme}: {fault}" for fault in told)
                told.clear()
            context.close()


def wrong_pages(browser, site, html):
    """Faults of all other pages on a phone."""
    page = browser.new_page(viewport={"width": WIDTHS["phone"], "height": 900})
    for path in sorted(html.rglob("*.html")):
        name = path.relative_to(html).as_posix()
        if name not in map(address, LOOKED_AT):
            page.goto(site + name)
            yield from faults_of_look(page, name, "phone, light")


def main():
    """Prints what is wrong, and fails if anything is."""
    out, chromium = pathlib.Path(sys.argv[1]), sys.argv[2]
    html, pictures = out / "html", out / "pictures"
    shutil.rmtree(pictures, ignore_errors=True)
    pictures.mkdir()
    site = serve(html)
    faults = list(wrong_ways(html))
    with sync_playwright() as playwright:
        # Chromium's own sandbox does not start for root, and reads nothing but these pages.
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        faults += wrong_answers(browser.new_page(), site)
        faults += wrong_looks(browser, site, pictures)
        faults += wrong_pages(browser, site, html)
        browser.close()
    print(*faults, sep="\n", end="\n" if faults else "")
    checked = len(QUESTIONS) + len(LOOKED_AT) * len(WIDTHS) * len(SCHEMES)
    print(f"docs-check: {len(QUESTIONS)} questions, {checked - len(QUESTIONS)} looks at pages, {len(faults)} faults; pictures in {pictures}")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
