"""Opens reports of `graphcap report` in Chromium: clicks, measures, looks for errors, requests and what axe-core finds.

usage: python docs/site/check_report.py OUT CHROMIUM GRAPHCAP    OUT: a folder for the pages and for pictures of them; GRAPHCAP: the command
"""

import json
import pathlib
import shutil
import struct
import subprocess
import sys
import time

from axe_playwright_python.sync_playwright import Axe
from check import RULES, SCHEMES, WIDTHS
from playwright.sync_api import sync_playwright

COUNTS = [10, 10_000]
KERNELS = ["layer_norm", "void gemm<float, 128, 64>(float*, float const*)", "softmax", "add_bias", "gelu", "attention_scores"]
CHUNK, RECORDS = 65536, 1636


def graph(count):
    """The text of a graph: a copy, blocks of a fork of four and a join, and a copy back."""
    nodes, edges, last = [], [], None
    buffers = ["weights"] + [f"activation {number}" for number in range(5)]
    memory = [{"name": name, "kind": "buffer", "bytes": str(4 << 20)} for name in buffers] + [{"name": "input", "kind": "host_buffer", "bytes": "65536"}]
    place = lambda number: {"memory": number, "offset": "0"}
    none = {"bytes": "0", "slice_height": "0"}

    def add(node, before):
        nodes.append(node)
        edges.extend([first, len(nodes) - 1] for first in before)
        return len(nodes) - 1

    def copy(way, destination, source):
        return {"kind": "memcpy", "direction": way, "destination": place(destination), "source": place(source), "width": "65536",
                "height": "1", "depth": "1", "destination_pitch": none, "source_pitch": none}  # fmt: skip

    def kernel(number, output, source):
        address = lambda to, does: {"bytes": "00" * 8, "addresses": [{"at": 0, "to": {"memory": place(to)}}], "access": {"does": does}}
        separate = [address(output, "write"), address(source, "read"), {"bytes": "0a000000"}]
        return {"kind": "kernel", "kernel": number, "grid": [16, 1, 1], "block": [256, 1, 1], "shared_mem_bytes": 0, "arguments": {"separate": separate}}

    last = add(dict(copy("host_to_device", 1, 6), name="load"), [])
    while len(nodes) < count - 1:
        fork = [add(kernel(index % 4, 2 + index, 1), [last]) for index in range(min(4, count - 1 - len(nodes)))]
        last = fork[0]
        if len(nodes) < count - 1:
            last = add(dict(kernel(4 + len(nodes) % 2, 1, 2), name=f"block {len(nodes) // 5}", stream="stream 1"), fork)
            fork = [last]
    add(copy("device_to_host", 6, 1), fork)
    return {"format": "graphcap graph", "version": 1, "name": f"{count} nodes", "memory": memory, "kernels": [{"name": name} for name in KERNELS],
            "functions": [], "events": [], "conditions": [], "graph": {"nodes": nodes, "edges": edges}}  # fmt: skip


def trace(saved, lanes=4, replays=3):
    """The bytes of a trace of the graph, in the form of docs/tracing.md."""
    records, texts = [[] for _ in range(lanes)], {}

    def text(value):
        if value and value not in texts:
            texts[value] = len(texts) + 1
            data = value.encode()
            for part in range(0, len(data), 24):
                piece = data[part : part + 24]
                head = 1 | len(piece) << 8 | part // 24 << 16 | texts[value] << 32
                records[0].append(struct.pack("<Q24sQ", head, piece, 0))
        return texts.get(value, 0)

    def put(lane, kind, name=0, begin=0, duration=0, launch=0, stream=0, number=0):
        records[lane].append(struct.pack("<IIQQIIII", kind, name, duration, begin, 1, launch, stream, number))

    put(0, 6, text(saved["name"]))
    for number, node in enumerate(saved["graph"]["nodes"]):
        name = saved["kernels"][node["kernel"]]["name"] if node["kind"] == "kernel" else ""
        put(0, 5, text(node.get("name", "")), text(name), number + 1, 0, text(node["kind"]), number)
    at = [1_000_000] * lanes
    for launch in range(replays):
        for number in range(len(saved["graph"]["nodes"])):
            lane = number % lanes
            duration = 2000 + number * 7919 % 9000
            put(lane, 4, 0, at[lane], duration, launch, 1, number)
            at[lane] += duration + 300
    chunks = [struct.pack("<8sQQQQQQ", b"GCTRACE1", 1 << 30, 1_000_000, 0, max(at), 0, 1).ljust(CHUNK, b"\0")]
    for lane, list_of in enumerate(records):
        for first in range(0, len(list_of), RECORDS):
            head = struct.pack("<Q16s", lane + 1, f"lane {lane}".encode()).ljust(64, b"\0")
            chunks.append((head + b"".join(list_of[first : first + RECORDS])).ljust(CHUNK, b"\0"))
    return b"".join(chunks)


def make(command, out, count):
    """Writes the files of a graph and the report of it; gives the report and how long it took."""
    saved = graph(count)
    files = [out / f"{count}.{ending}" for ending in ("json", "trace", "html")]
    files[0].write_text(json.dumps(saved))
    files[1].write_bytes(trace(saved))
    began = time.monotonic()
    subprocess.run([command, "report", files[0], "--trace", files[1], "--output", files[2]], check=True)
    return files[2], time.monotonic() - began


# Clicks of a user: name, element, and what has to be true then.
CLICKS = [
    ("kernel of the table", "#kernels tbody tr:nth-child(2) button", "document.querySelector('tr.on') && document.querySelector('.time svg.marked g.on')"),
    ("largest total last", "#kernels thead th:nth-child(4) button", "document.querySelector('#kernels th[aria-sort]')"),
    ("all nodes", "label:text-is('All nodes'):visible", "document.querySelector('.view.live svg [data-n=\"3\"]').getBoundingClientRect().width > 0"),
    ("user of memory", "#memory a >> nth=2", "document.querySelector('.view.live .selected') && document.querySelector('.time .selected')"),
    ("node", ".view.live:visible g.selected rect", "document.querySelector('#details dt').textContent && document.querySelector('.edges .on')"),
    ("zoom out", "[data-zoom=fit]", "document.querySelector('#details h3')"),
    ("zoom in", "[data-zoom=in]", "document.querySelector('#details h3')"),
    ("zoom of the timeline", "[data-time=in]", "document.querySelector('.ticks span').textContent != '0.000'"),
]
# Time until what a click changed is on the screen.
PAINTED = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))"


def clicked(page, count, times):
    """Clicks, measures, and gives what is wrong."""
    for name, selector, holds in CLICKS:
        target = page.locator(selector)
        if not target.count():
            continue
        target.scroll_into_view_if_needed()
        page.evaluate(PAINTED)
        began = time.monotonic()
        target.click()
        page.evaluate(PAINTED)
        times.append((count, name, time.monotonic() - began))
        if not page.evaluate(f"Boolean({holds})"):
            yield f"{count} nodes: after a click at {name} the page does not show it"
    page.fill("#find", "block 1")
    page.press("#find", "Enter")
    if "block 1" not in page.inner_text("#details h3"):
        yield f"{count} nodes: a search finds no node"


def looked_at(browser, report, count, pictures, times):
    """Opens a report in each width and scheme, and gives what is wrong."""
    for scheme in SCHEMES:
        for size, width in WIDTHS.items():
            context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
            page = context.new_page()
            told = []
            page.on("console", lambda message, told=told: told.append(message.text))
            page.on("pageerror", lambda error, told=told: told.append(str(error)))
            page.on("request", lambda request, told=told: told.append(request.url) if request.url != report.as_uri() and not request.url.startswith("data:") else None)
            began = time.monotonic()
            page.goto(report.as_uri())
            page.evaluate(PAINTED)
            times.append((count, "to open", time.monotonic() - began))
            where = f"{count}-{size}-{scheme}"
            page.screenshot(path=pictures / f"{where}.png", full_page=True)
            wide = page.evaluate("document.documentElement.scrollWidth")
            if wide > width:
                yield f"{where}: {wide} pixels wide"
            yield from clicked(page, count, times)
            page.evaluate("scrollTo(0, 0)")
            page.screenshot(path=pictures / f"{where}-clicked.png", full_page=True)
            if count < 1000:
                for found in Axe().run(page, options=RULES).response["violations"]:
                    places = "; ".join(str(node["target"][0]) for node in found["nodes"][:3])
                    yield f"{where}: axe {found['id']} ({found['impact']}): {found['help']}: {places}"
            yield from (f"{where}: {fault}" for fault in told)
            context.close()
    context = browser.new_context(viewport={"width": 1440, "height": 900}, java_script_enabled=False)
    page = context.new_page()
    page.goto(report.as_uri())
    page.screenshot(path=pictures / f"{count}-without-javascript.png", full_page=True)
    context.close()


def main():
    """Prints what was measured and what is wrong, and fails if anything is."""
    out, chromium, command = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3]
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    faults, times = [], []
    with sync_playwright() as playwright:
        # Chromium's own sandbox does not start for root, and reads nothing but these pages.
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for count in COUNTS:
            report, seconds = make(command, out, count)
            times.append((count, "to make", seconds))
            faults += looked_at(browser, report, count, out, times)
        browser.close()
    longest = {}
    for count, name, seconds in times:
        longest[count, name] = max(seconds, longest.get((count, name), 0))
    for (count, name), seconds in longest.items():
        print(f"report-check: {count} nodes, {name}: {seconds * 1000:.0f} ms at most")
    print(*faults, sep="\n", end="\n" if faults else "")
    print(f"report-check: {len(faults)} faults; pictures in {out}")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
