"""Writes the manual pages of section 3 from include/graphcap-api.json: one for each subject, and a symbolic link to it for each function.

usage: python3 docs/site/man.py OUT    OUT/man3 gets the pages. They have the date of SOURCE_DATE_EPOCH, or of today.
"""

import datetime
import os
import pathlib
import re
import sys
import textwrap

from reference import Api, cuda_of, declared


def lines(text):
    """Text as lines of mdoc: a sentence begins a line, and no line is taken for a macro."""
    text = re.sub(r"\*\*|`", "", text).replace("\\", "\\e")
    text = re.sub(r"\b(\w+)\(\)", r"\\fB\1\\fP\\&()", text)
    for sentence in re.split(r"(?<=[.:;!?]) (?=[A-Z])", text):
        for line in textwrap.wrap(sentence, 76, break_long_words=False, break_on_hyphens=False):
            yield ("\\&" if line[0] in ".'" else "") + line


def paragraphs(text):
    """Paragraphs as lines of mdoc."""
    for place, paragraph in enumerate(text):
        if place:
            yield ".Pp"
        yield from lines(paragraph)


def listed(title, rows):
    """A list of terms with a title before it."""
    if rows:
        yield ".Pp"
        yield f"{title}:"
        yield ".Bl -tag -width Ds"
        for term, text in rows:
            yield f".It {term}"
            yield from lines(text)
        yield ".El"


def result(entry):
    """The type of the result."""
    return entry["returns"] if isinstance(entry["returns"], str) else entry["returns"]["type"]


def synopsis(entry):
    """The declaration of a function."""
    yield f'.Ft "{result(entry)}"'
    yield f".Fo {entry['name']}"
    for parameter in entry["parameters"]:
        yield f'.Fa "{declared(parameter)}"'
    if not entry["parameters"]:
        yield ".Fa void"
    yield ".Fc"


def function(entry):
    """The entry of a function."""
    yield f".Ss {entry['name']}"
    yield from paragraphs(entry["text"])
    yield from listed("Parameters", [(f"Fa {of['name']}", of["text"]) for of in entry["parameters"] if of["text"]])
    if entry["returns"]["text"]:
        yield ".Pp"
        yield from lines(f"It returns {entry['returns']['text']}")
    yield from listed("Errors", [(f"Er {status['name']}", status["text"]) for status in entry["statuses"]])
    if cuda_of(entry):
        yield ".Pp"
        yield from lines(f"In CUDA: {', '.join(cuda_of(entry))}.")


def struct(entry):
    """The entry of a struct or union."""
    yield f".Ss {entry['name']}"
    yield from paragraphs(entry["text"])
    yield from listed("Members", [(f'Vt "{declared(member)}"', member["text"] or "Zero.") for member in entry["members"]])
    macros = [macro["name"] + (f"({', '.join(macro['parameters'])})" if macro["parameters"] else "") for macro in entry["macros"]]
    yield from listed("Initial values", [(f'Dv "{name}"', macro["text"]) for name, macro in zip(macros, entry["macros"])])


def numbers(entries):
    """A list of constants."""
    yield ".Bl -tag -width Ds"
    for entry in entries:
        yield f'.It Dv {entry["name"]} No = {entry["value"]}'
        yield from paragraphs(entry["text"])
    yield ".El"


def parts(api, ident):
    """The sections of a page below its description."""
    types = [entry for entry in api.of("types", ident) if entry["kind"] != "number"]
    yield "TYPES", [[f".Ss {entry['name']}", *paragraphs(entry["text"])] for entry in types]
    yield "STRUCTS", [struct(entry) for entry in api.of("structs", ident)]
    yield "NUMBERS", [numbers(entries) for entries in [api.of("constants", ident)] if entries]
    yield "STATUSES", [numbers(entries) for entries in [api.of("statuses", ident)] if entries]


def page_name(section):
    """The name of the page of a subject."""
    return "graphcap-" + section["id"]


def head(name, date, names, title):
    """The lines before the description."""
    yield from (f".Dd {date}", f".Dt {name.upper()} 3", ".Os", ".Sh NAME")
    for place, one in enumerate(names):
        yield f".Nm {one}" + (" ," if place + 1 < len(names) else "")
    yield f".Nd {title}"


def subject(api, section, date):
    """The page of a subject, and the names of its functions."""
    functions, shorthands = api.of("functions", section["id"]), api.of("shorthands", section["id"])
    calls = [*functions, *shorthands]
    page = list(head(page_name(section), date, [entry["name"] for entry in calls] or [page_name(section)], section["title"].lower()))
    page += [".Sh SYNOPSIS", f".In {section['header']}"]
    for entry in calls:
        page += synopsis(entry)
    page += [".Sh DESCRIPTION", *paragraphs(section["text"])]
    for entry in functions:
        page += function(entry)
    for entry in shorthands:
        page += [f".Ss {entry['name']}", *lines(entry["text"]), *lines(f"A shorthand of C and C++ for {entry['calls']}().")]
    for title, entries in parts(api, section["id"]):
        page += [f".Sh {title}"] if entries else []
        for entry in entries:
            page += entry
    return [*page, ".Sh SEE ALSO", ".Xr graphcap 3"], [entry["name"] for entry in calls]


def overview(api, date):
    """The page that lists the subjects."""
    page = list(head("graphcap", date, ["graphcap"], "capture of GPU work into graphs, and their replay"))
    page += [".Sh SYNOPSIS", ".In graphcap.h", ".Sh DESCRIPTION"]
    page += lines("graphcap records work from streams into graphs and replays it, on NVIDIA's GPUs and on the CPU. Each subject has a page:")
    page += [".Bl -tag -width Ds"]
    for section in api.sections:
        page += [f".It Xr {page_name(section)} 3", section["title"]]
    page += [".El", ".Sh SEE ALSO"]
    names = sorted(page_name(section) for section in api.sections)
    return page + [f".Xr {name} 3" + (" ," if name != names[-1] else "") for name in names]


def main():
    """Writes the pages."""
    out = pathlib.Path(sys.argv[1]) / "man3"
    out.mkdir(parents=True, exist_ok=True)
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH") or datetime.datetime.now(datetime.timezone.utc).timestamp())
    day = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    date = f"{day:%B} {day.day}, {day.year}"
    api = Api()
    pages = {"graphcap": overview(api, date)}
    for section in api.sections:
        name = page_name(section)
        pages[name], names = subject(api, section, date)
        for link in names:
            (out / f"{link}.3").unlink(missing_ok=True)
            (out / f"{link}.3").symlink_to(f"{name}.3")
    for name, page in pages.items():
        (out / f"{name}.3").write_text("\n".join(page) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
