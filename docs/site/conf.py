"""The configuration of Sphinx. build.py calls it, with copies of the pages in build/site/source."""

import builtins
import json
import pathlib
import re
import sys

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.nodes import make_refnode

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE))

from pages import FEW, LESS, WORDS, Copier  # noqa: E402

project = "graphcap"
author = "the graphcap developers"
copyright = author
release = version = json.loads((ROOT / "include" / "graphcap-api.json").read_text(encoding="utf-8"))["version"]

extensions = ["myst_parser", "autoapi.extension"]
myst_enable_extensions = ["deflist", "attrs_inline"]
myst_heading_anchors = 4
suppress_warnings = ["autoapi.python_import_resolution"]
exclude_patterns = ["files/**"]
default_role = "code"
nitpicky = False

# Python's part is read, not imported: it needs no library.
autoapi_dirs = [str(ROOT / "python" / "graphcap")]
autoapi_ignore = ["*/raw/*", "*/_[a-z]*", "*/__main__.py"]
autoapi_root = "python-reference"
autoapi_options = ["members", "undoc-members", "show-inheritance", "show-module-summary"]
autoapi_add_toctree_entry = False
autoapi_member_order = "groupwise"
autoapi_python_class_content = "both"
autodoc_typehints = "signature"

html_theme = "furo"
html_title = f"graphcap {version}"
html_static_path = [str(HERE / "static")]
templates_path = [str(HERE / "templates")]
html_css_files = ["site.css"]
html_copy_source = False
html_use_index = False
html_domain_indices = False
html_show_sphinx = False
html_show_copyright = False
html_permalinks_icon = "#"
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"


# The variables of the environment: the first column of their page.
ROWS = [line for line in (ROOT / "docs" / "environment.md").read_text(encoding="utf-8").split("\n") if line.startswith("| `")]
VARIABLES = {name for row in ROWS for name in re.findall(r"`(\w+)`", row.split("|")[1])}
WEIGHTS = dict.fromkeys(Copier(None).parts()["For developers"], FEW)


class NameLinks(SphinxPostTransform):
    """Makes links of names in code: of functions, types and constants to the reference, of environment variables to their page."""

    default_priority = 400

    def run(self, **_):
        labels = self.env.domains["std"].anonlabels
        for literal in list(self.document.findall(nodes.literal)):
            found = re.fullmatch(r"((?:gc_|GRAPHCAP_)\w+)(?:\(\))?", literal.astext())
            held = literal.parent
            while held and not isinstance(held, (nodes.reference, nodes.title)):
                held = held.parent
            if not found or held:
                continue
            name = found[1].lower()
            page, anchor = ("environment", "") if found[1] in VARIABLES else labels.get(name, ("", ""))
            if not page or page == self.env.docname and self.is_here(literal, anchor):
                continue
            link = make_refnode(self.app.builder, self.env.docname, page, anchor, literal.deepcopy())
            literal.parent.replace(literal, link)

    @staticmethod
    def is_here(literal, anchor):
        """Tells whether the text is in the section that it names."""
        while literal.parent and not isinstance(literal, nodes.section):
            literal = literal.parent
        return isinstance(literal, nodes.section) and anchor in literal["ids"]


def no_links_of_builtins(_, doctree):
    """Takes away links of types such as bytes, which Sphinx would lead to members of that name."""
    for link in list(doctree.findall(pending_xref)):
        if link.get("reftarget") in dir(builtins):
            link.replace_self(link.children)


def weigh(_app, page, _template, context, _doctree):
    """Marks the text for Pagefind: users' pages count more than those for developers, and some have search words."""
    if "body" in context:
        usual = LESS if page.startswith(("reference/", "python-reference/")) else 1
        words = f'<span data-pagefind-meta="words:{WORDS[page]}"></span>' if page in WORDS else ""
        context["body"] = f'{words}<div data-pagefind-weight="{WEIGHTS.get(page, usual)}">{context["body"]}</div>'


def setup(app):
    """Adds the links, and what Pagefind has to know."""
    app.add_post_transform(NameLinks)
    app.connect("doctree-read", no_links_of_builtins)
    app.connect("html-page-context", weigh)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
