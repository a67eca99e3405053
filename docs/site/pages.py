"""The pages of the site: which part of the manual each belongs to, and the copies that Sphinx reads."""

import pathlib
import re
import shutil

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DOCS = ROOT / "docs"

PYTHON = "Python <python-reference/graphcap/index>"

# The parts, and their pages in the order in which they are shown. A name that ends in / is a folder of docs/. A page that no part names is
# shown with the how-to pages.
PARTS = {
    "Tutorial": ["tutorial/first-replay", "tutorial/fork-and-join", "tutorial/many-shapes", "tutorial/device-loops", "tutorial/threads",
                 "tutorial/cpu-to-gpu", "tutorial/"],
    "How to": ["from-cuda", "from-pytorch", "from-taskflow-and-onetbb", "small-memory", "captures-in-a-library", "test-without-a-gpu",
               "troubleshooting", "tracing", "building", "packages", "ship", "python", "languages", "examples"],
    "Reference": ["reference/index", PYTHON, "cuda-names", "statuses", "environment", "limits", "glossary", "security", "changelog"],
    "Explanation": ["capture", "what-a-graph-keeps", "graphs", "edit-graphs", "graph-texts", "devices", "threads", "memory", "pools", "pool_sharing", "cache", "scalars", "optimize", "kit",
                    "math", "random", "resets", "benchmarks"],
    "For developers": ["contributing", "architecture", "architecture/", "verified", "driver-answers", "dependencies", "releasing", "migration"],
}  # fmt: skip
REST = "How to"

# Pages that are not in docs/, and their names in the site.
OTHERS = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "RELEASING.md": "releasing.md",
}

# Words of readers' questions that the pages which answer do not have, or have seldom. The search knows them; no page shows them.
WORDS = {
    "benchmarks": "measure cost price time of a launch on my own machine, how long, how fast, overhead",
    "edit-graphs": "change kernel pointer argument between replays, update after instantiation",
    "graph-texts": "draw drawing picture image diagram Graphviz dot svg",
    "graphs": "while loop if else branch condition",
    "math": "cuBLAS matrix product captured",
    "index": "licence license",
    "languages": "C++ without exceptions noexcept fno-exceptions Go Rust Zig JavaScript LuaJIT bindings",
    "limits": "longest maximum size length of names messages files, span two GPUs, several devices, tested drivers versions",
    "test-without-a-gpu": "unit tests on a machine or computer without a GPU, CI",
    "threads": "two multiple several threads allowed launch the same exec at once, thread safe safety, fork, signal handler, atexit",
    "tool": "slow slowest node of a replay that takes long, time of each node, command line program, inspect a machine",
    "tracing": "slow slowest node of a replay, time that each node takes, long, profile profiler Nsight, log messages standard error",
    "troubleshooting": "error 900 901 904, call that broke a failed capture, replay gives other wrong numbers or results than eager, captured run, uncaptured run, differs, find the node, crash hang race",
    "what-a-graph-keeps": "free destroy delete buffers in use by a graph, happens, lifetime, reference counted handles",
    "security": "untrusted hostile malicious input, reading JSON, images",
    "ship": "ABI stability compatibility between versions",
    "verified": "supported systems Windows macOS Linux glibc, GPU drivers versions tested tried, NVIDIA driver, platforms",
    "statuses": "error number code 900 901 904, forgot to join streams",
}

# Weights of words in the search: of developers' pages; of the text of the references, which has most words of any question. Users' pages have
# 1, and headings but those of developers 10, so that a name asked for leads to its entry.
FEW = 0.2
LESS = 0.5

LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")


def sources():
    """The pages: their files in the tree, and their names in the site."""
    pages = {ROOT / page: name for page, name in OTHERS.items()}
    folders = [folder for folder in [DOCS, *DOCS.iterdir()] if folder.is_dir() and folder.name != "site"]
    for folder in folders:
        pages |= {page: page.relative_to(DOCS).as_posix() for page in folder.glob("*.md")}
    return pages


def relative(name, page):
    """The way from a page of the site to a file of it."""
    return "../" * page.count("/") + name


class Copier:
    """Copies pages, so that their links lead to pages of the site and to copies of files."""

    def __init__(self, out):
        self.out = out
        self.pages = sources()

    def target(self, source, page, path):
        """Finds the place in the site that a link of a page leads to; None where the site does not have it."""
        to = (source.parent / path).resolve()
        if to in self.pages:
            return relative(self.pages[to], page)
        if not to.is_file() or to.suffix == ".md" or to.is_relative_to(ROOT / "crates") or to.is_relative_to(ROOT / "c_tests"):
            return None
        copy = "files/" + to.relative_to(ROOT).as_posix()
        (self.out / copy).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(to, self.out / copy)
        return relative(copy, page)

    def link(self, source, page, found):
        """A link as the site has it. The name of a page becomes its title."""
        mark, text, target = found.groups()
        path, hash_, anchor = target.partition("#")
        if not path or re.match(r"[a-z]+:", target):
            return found[0]
        to = self.target(source, page, path)
        if to and text in (path, pathlib.PurePath(path).name) and to.endswith(".md"):
            text = ""  # Sphinx writes the title of the page or of the section.
        return f"{mark}[{text}]({to}{hash_}{anchor})" if to else text

    def copy(self):
        """Copies all pages."""
        for source, page in self.pages.items():
            parts = re.split(r"^(```.*?^```)$", source.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
            text = "".join(
                part if place % 2 else LINK.sub(lambda found, at=(source, page): self.link(*at, found), part)
                for place, part in enumerate(parts)
            )
            if page == "index.md":
                text += self.contents()
            (self.out / page).parent.mkdir(parents=True, exist_ok=True)
            (self.out / page).write_text(text, encoding="utf-8")

    def parts(self):
        """The parts with the names of their pages."""
        there = sorted(name.removesuffix(".md") for name in self.pages.values() if name != "index.md")
        made = ["reference/index", PYTHON]
        parts = {}
        for title, names in PARTS.items():
            wanted = [[page for page in there if page.startswith(name)] if name.endswith("/") else [name] for name in names]
            parts[title] = list(dict.fromkeys(page for pages in wanted for page in pages if page in [*there, *made]))
        taken = {page for pages in parts.values() for page in pages}
        parts[REST] += [page for page in there if page not in taken]
        return parts

    def contents(self):
        """The lists of pages at the end of the first one."""
        lists = []
        for title, pages in self.parts().items():
            if pages:
                lists.append(f"\n```{{toctree}}\n:caption: {title}\n:maxdepth: 1\n:hidden:\n\n" + "\n".join(pages) + "\n```\n")
        return "".join(lists)
