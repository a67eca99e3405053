"""Writes the reference's pages from include/graphcap-api.json: one for each subject, and one of statuses."""

import json
import pathlib
import re

from cuda_names import runtime_names

API = pathlib.Path(__file__).resolve().parent.parent.parent / "include" / "graphcap-api.json"
NAME = re.compile(r"(?<![\w`/])((?:gc_|GRAPHCAP_)\w*[a-z0-9A-Z](?:\(\))?)(?![\w`])")


class Api:
    """The interface, by subject."""

    def __init__(self):
        self.data = json.loads(API.read_text(encoding="utf-8"))
        self.version = self.data["version"]
        self.sections = self.data["sections"]
        self.functions = {function["name"]: function for function in self.data["functions"]}
        for shorthand in self.data["shorthands"]:
            called = self.functions.get(shorthand["calls"])
            shorthand["section"] = called["section"] if called else self.section_of_struct(shorthand)

    def section_of_struct(self, shorthand):
        """The subject of a shorthand that calls nothing: that of the struct which it fills."""
        types = " ".join([shorthand["returns"], *(parameter["type"] for parameter in shorthand["parameters"])])
        return next(struct["section"] for struct in self.data["structs"] if re.search(rf"\b{struct['name']}\b", types))

    def of(self, kind, section):
        """The entries of a kind in a subject."""
        return [entry for entry in self.data[kind] if entry["section"] == section]


def cuda_of(entry):
    """The names of CUDA's driver and runtime for a function."""
    names = [name for name in entry.get("cuda", "").split(", ") if name]
    return names + [name for driver in names for name in runtime_names(driver)]


def marked(text):
    """Text of the header as Markdown: names as code, and nothing else that Markdown would read."""
    text = re.sub(r"(?<!`)[<>](?!`)|(?<!\*)\*(?!\*)|(?<=\w)\[", lambda found: "\\" + found[0], text)
    return NAME.sub(r"`\1`", text)


def paragraphs(text):
    """Paragraphs of the header as Markdown."""
    return "\n\n".join(marked(paragraph) for paragraph in text)


def prototype(entry):
    """The declaration of a function in C."""
    returns = entry["returns"] if isinstance(entry["returns"], str) else entry["returns"]["type"]
    parameters = [declared(parameter) for parameter in entry["parameters"]] or ["void"]
    start = f"{returns}{'' if returns.endswith('*') else ' '}{entry['name']}("
    line = f"{start}{', '.join(parameters)});"
    return line if len(line) <= 90 else start + "\n    " + ",\n    ".join(parameters) + ");"


def declared(parameter):
    """A parameter or member as C declares it."""
    length = f"[{parameter['length']}]" if "length" in parameter else ""
    return f"{parameter['type']}{'' if parameter['type'].endswith('*') else ' '}{parameter['name']}{length}"


def heading(name, level=3):
    """A heading with the name as its anchor."""
    return f"({name})=\n{'#' * level} {name}\n"


def listed(title, rows):
    """A list with a title, as a definition."""
    rows = [row for row in rows if row]
    return f"{title}\n: " + "\n  ".join(f"- {row}" for row in rows) + "\n" if rows else ""


def function(entry):
    """The entry of a function."""
    cuda = cuda_of(entry)
    known = {parameter["name"]: parameter for parameter in entry["parameters"] if parameter["text"]}
    parts = [
        heading(entry["name"]),
        f"```c\n{prototype(entry)}\n```\n",
        paragraphs(entry["text"]) + "\n",
        listed("Parameters", [f"`{name}` ({of['direction']}): {marked(of['text'])}" for name, of in known.items()]),
        f"Returns\n: {marked(entry['returns']['text'])}\n" if entry["returns"]["text"] else "",
        listed("Errors", [f"`{status['name']}`: {marked(status['text'])}" for status in entry["statuses"]]),
        f"In CUDA\n: {', '.join(f'`{name}`' for name in cuda)}\n" if cuda else "",
        "Callbacks\n: A callback may call it.\n" if entry["in_callbacks"] else "",
    ]
    return "\n".join(part for part in parts if part)


def shorthand(entry):
    """The entry of a shorthand, which the header compiles with the program."""
    cuda = cuda_of(entry)
    body = "\n".join(f"    {line}" for line in entry["body"])
    parts = [
        heading(entry["name"]),
        f"```c\nstatic inline {prototype(entry)[:-1]} {{\n{body}\n}}\n```\n",
        marked(entry["text"]) + " A shorthand of C and C++; other languages call what it calls.\n",
        f"In CUDA\n: {', '.join(f'`{name}`' for name in cuda)}\n" if cuda else "",
    ]
    return "\n".join(part for part in parts if part)


def callback(entry):
    """The entry of the type of a callback."""
    parameters = ", ".join(declared(parameter) for parameter in entry["parameters"])
    kind = f"typedef {entry['returns']['type']} (*{entry['name']})({parameters});"
    told = [f"`{parameter['name']}`: {marked(parameter['text'])}" for parameter in entry["parameters"] if parameter["text"]]
    parts = [heading(entry["name"]), f"```c\n{kind}\n```\n", paragraphs(entry["text"]) + "\n", listed("Parameters", told)]
    return "\n".join(part for part in parts if part)


def struct(entry):
    """The entry of a struct or union."""
    rows = [f"`{declared(member)};`\n: {marked(member['text']) or 'Zero.'}\n" for member in entry["members"]]
    macros = [f"`{macro['name']}{'(' + ', '.join(macro['parameters']) + ')' if macro['parameters'] else ''}`: {marked(macro['text'])}"
              for macro in entry["macros"]]  # fmt: skip
    parts = [
        heading(entry["name"]),
        paragraphs(entry["text"]),
        f"\nA {entry['kind']} of {entry['size']} bytes.\n",
        *(f"({macro['name']})=" for macro in entry["macros"]),
        listed("Initial values", macros),
        "\n".join(rows),
    ]
    return "\n".join(part for part in parts if part)


def constant(entry):
    """The entry of a constant."""
    return f"({entry['name']})=\n`{entry['name']}` = {entry['value']}\n: {' '.join(marked(text) for text in entry['text'])}\n"


def constants(api, section):
    """Constants of a subject, below the number types that they are of, and the types alone."""
    left = api.of("constants", section)
    texts = []
    for entry in api.of("types", section):
        if entry["kind"] == "number":
            prefix = "GRAPHCAP_" + entry["name"].removeprefix("gc_").upper() + "_"
            own = [found for found in left if found["name"].startswith(prefix)]
            left = [found for found in left if found not in own]
            texts.append(heading(entry["name"]) + f"\n```c\ntypedef {entry['type']} {entry['name']};\n```\n\n{paragraphs(entry['text'])}\n")
            texts += [constant(found) for found in own]
    if left:
        texts.append("### Flags and other numbers\n" if texts else "")
        texts += [constant(found) for found in left]
    return texts


def subject(api, section):
    """The page of a subject."""
    ident = section["id"]
    types = api.of("types", ident)
    parts = {
        "Functions": [function(entry) for entry in api.of("functions", ident)],
        "Shorthands": [shorthand(entry) for entry in api.of("shorthands", ident)],
        "Structs": [struct(entry) for entry in api.of("structs", ident)],
        "Callbacks": [callback(entry) for entry in types if entry["kind"] == "callback"],
        "Handles": [heading(entry["name"]) + "\n" + paragraphs(entry["text"]) + "\n" for entry in types if entry["kind"] == "handle"],
        "Numbers": constants(api, ident),
    }
    text = f"# {section['title']}\n\n{paragraphs(section['text'])}\n\nDeclared by `{section['header']}`.\n"
    return text + "".join(f"\n## {title}\n\n" + "\n".join(entries) for title, entries in parts.items() if any(entries))


def statuses(api):
    """The page of statuses: each with the functions that tell a cause of their own."""
    causes = {}
    for entry in api.data["functions"]:
        for status in entry["statuses"]:
            causes.setdefault(status["name"], []).append(f"`{entry['name']}()`: {marked(status['text'])}")
    text = (
        "# Status numbers\n\nAll results of calls, by number, with the functions that tell a cause of their own. "
        "[](../statuses.md) tells what to do about them, and what all functions return.\n"
    )
    for entry in sorted(api.data["statuses"], key=lambda entry: (entry["value"] < 0, abs(entry["value"]))):
        text += f"\n{heading(entry['name'], 2)}\nNumber {entry['value']}. {paragraphs(entry['text'])}\n\n"
        text += listed("Causes", causes.get(entry["name"], []))
    return text


def write(folder):
    """Writes all pages into a folder."""
    api = Api()
    folder.mkdir(parents=True, exist_ok=True)
    pages = {"statuses": statuses(api)}
    pages |= {section["id"]: subject(api, section) for section in api.sections}
    names = "\n".join(["statuses", *(section["id"] for section in api.sections)])
    pages["index"] = (
        "# C functions, structs and numbers\n\n"
        "All that `graphcap.h` declares, one page a subject. Beside it: [](../cuda-names.md), [](../environment.md), [](../limits.md), "
        f"[](../glossary.md).\n\n```{{toctree}}\n:maxdepth: 1\n\n{names}\n```\n"
    )
    for name, text in pages.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
