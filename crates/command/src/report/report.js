// Pictures that are moved and clicked, tables that are sorted. Without it the page shows all that it has, and scrolls.
"use strict";
(() => {
  const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));
  const details = document.getElementById("details");
  const names = all("#names > li").map((item) => item.textContent);
  const timeline = document.querySelector(".time svg");
  const micros = (nanoseconds) => (nanoseconds / 1000).toFixed(3);
  const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

  // A picture of which a part is shown: moved by a pointer or the arrow keys, zoomed by buttons, + and -, or the wheel with Ctrl.
  class Picture {
    constructor(svg, pane, isFlat, changed) {
      Object.assign(this, { svg, pane, isFlat, changed });
      const whole = svg.viewBox.baseVal;
      this.whole = { w: whole.width, h: whole.height };
      this.part = { x: 0, y: 0, w: whole.width, h: whole.height };
      this.moved = false;
      pane.addEventListener("keydown", (event) => this.key(event));
      svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
      svg.addEventListener("pointerdown", (event) => this.press(event));
    }
    size() {
      const box = this.svg.getBoundingClientRect();
      return { w: Math.max(box.width, 1), h: Math.max(box.height, 1), left: box.left, top: box.top };
    }
    show(x, y, w) {
      const size = this.size();
      const most = this.isFlat ? this.whole.w : Math.max(this.whole.w, (this.whole.h * size.w) / size.h, size.w);
      w = clamp(w, this.isFlat ? 50 : 60, most);
      const h = this.isFlat ? this.whole.h : (w * size.h) / size.w;
      const within = (at, part, whole) => (part >= whole ? (whole - part) / 2 : clamp(at, 0, whole - part));
      this.part = { x: within(x, w, this.whole.w), y: this.isFlat ? 0 : within(y, h, this.whole.h), w, h };
      this.svg.setAttribute("viewBox", `${this.part.x} ${this.part.y} ${w} ${h}`);
      if (!this.isFlat) this.svg.classList.toggle("far", size.w / w < 0.35);
      if (this.changed) this.changed(this.part);
    }
    fit() {
      this.show(0, 0, Infinity);
    }
    // Shows the top in a size that can be read.
    begin() {
      const size = this.size();
      const fitting = Math.max(this.whole.w, (this.whole.h * size.w) / size.h);
      this.show(0, 0, this.isFlat ? Infinity : clamp(fitting, size.w, 1.6 * size.w));
    }
    zoom(factor, fromX = 0.5, fromY = 0.5) {
      const { x, y, w, h } = this.part;
      this.show(x + w * fromX * (1 - factor), y + h * fromY * (1 - factor), w * factor);
    }
    centre(x, y) {
      const size = this.size();
      const w = Math.min(this.part.w, 1.2 * size.w);
      this.show(x - w / 2, y - (w * size.h) / size.w / 2, w);
    }
    key(event) {
      const { x, y, w, h } = this.part;
      const moves = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] };
      if (moves[event.key] && !(this.isFlat && moves[event.key][1])) {
        this.show(x + moves[event.key][0] * w, y + moves[event.key][1] * h, w);
      } else if (event.key === "+" || event.key === "-") {
        this.zoom(event.key === "+" ? 0.7 : 1 / 0.7);
      } else {
        return;
      }
      event.preventDefault();
    }
    wheel(event) {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const size = this.size();
      const factor = Math.exp(clamp(event.deltaY, -100, 100) / 250);
      this.zoom(factor, (event.clientX - size.left) / size.w, (event.clientY - size.top) / size.h);
    }
    press(event) {
      if (event.button !== 0) return;
      const start = { ...this.part, left: event.clientX, top: event.clientY };
      const size = this.size();
      this.moved = false;
      const move = (event) => {
        const [right, down] = [event.clientX - start.left, event.clientY - start.top];
        this.moved = this.moved || Math.hypot(right, down) > 4;
        if (this.moved) this.show(start.x - (right * start.w) / size.w, start.y - (down * start.h) / size.h, start.w);
      };
      const end = () => {
        window.removeEventListener("pointermove", move);
        window.removeEventListener("pointerup", end);
        window.removeEventListener("pointercancel", end);
      };
      window.addEventListener("pointermove", move);
      window.addEventListener("pointerup", end);
      window.addEventListener("pointercancel", end);
    }
  }

  const graphs = all(".view").map((pane) => {
    const svg = pane.querySelector("svg");
    const graph = { pane, svg, nodes: new Map(), edges: new Map(), marked: [], picture: null };
    for (const node of all("[data-n]", svg)) graph.nodes.set(node.dataset.n, node);
    for (const edge of all(".edges > path", svg)) {
      for (const end of [edge.dataset.f, edge.dataset.t]) {
        if (!graph.edges.has(end)) graph.edges.set(end, []);
        graph.edges.get(end).push(edge);
      }
    }
    // While the picture is hidden, so that what leaves it is never styled.
    graph.keepNear = partsOf(graph);
    return graph;
  });
  const shown = () => graphs.find((graph) => graph.pane.offsetParent !== null);

  // Returns what keeps the nodes within a part of a large picture alone in it, and their edges: to style all takes a second. Where the part
  // has many, it has one path for all of a kernel and one for all edges.
  function partsOf(graph) {
    const most = 1000;
    if (graph.nodes.size <= most) return null;
    const homes = new Map();
    const nodes = Array.from(graph.nodes, ([id, node]) => {
      const [x, y] = node.getAttribute("transform").match(/[\d.]+/g).map(Number);
      const elements = [node, ...(graph.edges.get(id) || [])];
      for (const element of elements) homes.set(element, element.parentNode);
      return { x, y, elements };
    });
    const outlines = new Map();
    for (const edge of all(".edges > path", graph.svg)) outline(edge.parentNode, edge.getAttribute("d"));
    for (const { x, y, elements } of nodes) outline(elements[0].parentNode, `M${x},${y}h168v36h-168z`);
    function outline(home, path) {
      if (!outlines.has(home)) outlines.set(home, []);
      outlines.get(home).push(path);
    }
    const paths = Array.from(outlines, ([home, parts]) => {
      const path = document.createElementNS(graph.svg.namespaceURI, "path");
      path.setAttribute("d", parts.join(""));
      homes.set(path, home);
      return path;
    });
    for (const element of homes.keys()) element.remove();
    let there = [];
    return ({ x, y, w, h }) => {
      const near = nodes.filter((node) => node.x > x - 168 && node.x < x + w && node.y > y - 36 && node.y < y + h);
      for (const element of there) element.remove();
      const marked = graph.marked.filter((element) => homes.has(element));
      there = near.length > most ? [...paths, ...marked] : near.flatMap(({ elements }) => elements);
      for (const element of there) homes.get(element).append(element);
    };
  }

  // Makes a picture movable once it is shown, since only then it has a size.
  function enliven() {
    const graph = shown();
    if (!graph || graph.picture) return;
    graph.pane.classList.add("live");
    const [width, height] = [graph.svg.viewBox.baseVal.width, graph.svg.viewBox.baseVal.height];
    graph.picture = new Picture(graph.svg, graph.pane, false, graph.keepNear);
    const scale = Math.min(graph.pane.clientWidth / width, 1);
    if (height * scale < 0.6 * window.innerHeight) graph.pane.style.height = `${Math.max(height * scale, 120)}px`;
    graph.picture.begin();
  }

  function rows(pairs) {
    const list = document.createElement("dl");
    for (const [what, text] of pairs) {
      const [term, value] = [document.createElement("dt"), document.createElement("dd")];
      term.textContent = what;
      if (text instanceof Node) value.append(text);
      else value.textContent = text;
      list.append(term, value);
    }
    return list;
  }

  function tell(title, pairs) {
    if (!details) return;
    const heading = document.createElement("h3");
    heading.textContent = title;
    details.replaceChildren(heading, rows(pairs));
  }

  function links(ids) {
    const most = 40;
    const part = document.createDocumentFragment();
    for (const id of ids.slice(0, most)) {
      const link = document.createElement("a");
      link.href = "#graph";
      link.dataset.go = id;
      link.textContent = id;
      part.append(link, " ");
    }
    if (ids.length > most) part.append(`and ${ids.length - most} more`);
    return part;
  }

  function describe(graph, id) {
    const lines = graph.nodes.get(id).querySelector("title").textContent.split("\n");
    const pairs = lines.slice(1).map((line) => {
      const end = line.indexOf(": ");
      return [line.slice(0, end), line.slice(end + 2)];
    });
    const edges = graph.edges.get(id) || [];
    const before = edges.filter((edge) => edge.dataset.t === id).map((edge) => edge.dataset.f);
    const after = edges.filter((edge) => edge.dataset.f === id).map((edge) => edge.dataset.t);
    if (before.length) pairs.push(["waits for", links(before)]);
    if (after.length) pairs.push(["before", links(after)]);
    return { title: lines[0], pairs };
  }

  function clear() {
    for (const graph of graphs) {
      for (const element of graph.marked) element.classList.remove("selected", "on");
      graph.marked = [];
    }
    if (timeline) {
      timeline.classList.remove("marked");
      for (const element of all(".on, .selected", timeline)) element.classList.remove("selected", "on");
    }
    for (const row of all("tr.on")) row.classList.remove("on");
  }

  // Selects a node in the pictures and in the timeline, and tells of it; the picture moves there if `goes`.
  function selectNode(id, goes, run) {
    clear();
    const graph = [shown(), ...graphs].find((graph) => graph && graph.nodes.has(id));
    for (const one of graphs) {
      const node = one.nodes.get(id);
      if (!node) continue;
      node.classList.add("selected");
      const edges = one.edges.get(id) || [];
      for (const edge of edges) edge.classList.add("on");
      one.marked.push(node, ...edges);
    }
    const told = graph ? describe(graph, id) : { title: id, pairs: [] };
    if (timeline) {
      const runs = all(`rect[data-n="${CSS.escape(id)}"]`, timeline);
      for (const bar of runs) bar.classList.add("selected");
      const times = runs.map((bar) => Number(bar.getAttribute("width"))).sort((one, other) => one - other);
      if (times.length) told.pairs.push(["runs shown", `${times.length}, median ${micros(times[times.length >> 1])} µs`]);
    }
    tell(told.title, [...told.pairs, ...(run || [])]);
    if (goes && graph) {
      const input = document.getElementById(`view-${graphs.indexOf(graph)}`);
      if (input && !input.checked) input.checked = true;
      enliven();
      const place = graph.nodes.get(id).transform.baseVal.consolidate().matrix;
      graph.picture.centre(place.e + 84, place.f + 18);
    }
  }

  function selectKernel(number) {
    const row = document.querySelector(`tr[data-k="${number}"]`);
    const again = row && row.classList.contains("on");
    clear();
    if (again) return;
    if (row) row.classList.add("on");
    for (const graph of graphs) {
      for (const group of all(`g[data-k="${number}"]`, graph.svg)) {
        group.classList.add("on");
        graph.marked.push(group);
      }
    }
    if (timeline) {
      const groups = all(`g[data-k="${number}"]`, timeline);
      timeline.classList.toggle("marked", groups.length > 0);
      for (const group of groups) group.classList.add("on");
    }
    if (!row) return;
    const titles = all("thead th", row.closest("table")).map((cell) => cell.textContent);
    const cells = Array.from(row.children).map((cell) => cell.textContent);
    tell(cells[0], cells.slice(1).map((cell, index) => [titles[index + 1], cell]));
  }

  for (const graph of graphs) {
    graph.svg.addEventListener("click", (event) => {
      const node = event.target.closest("[data-n]");
      if (!node || graph.picture?.moved) return;
      const id = node.dataset.n;
      if (id.startsWith("k")) selectKernel(id.slice(1));
      else selectNode(id, false);
    });
  }

  if (timeline) {
    const pane = timeline.closest(".time");
    const ticks = all(".ticks > span", pane);
    const began = Number(timeline.dataset.begin);
    const picture = new Picture(timeline, pane, true, ({ x, w }) => {
      ticks.forEach((tick, index) => {
        tick.textContent = micros(began + x + (w * index) / (ticks.length - 1));
      });
    });
    for (const button of all("[data-time]")) {
      button.addEventListener("click", () => {
        if (button.dataset.time === "fit") picture.fit();
        else picture.zoom(button.dataset.time === "in" ? 0.5 : 2);
      });
    }
    timeline.addEventListener("click", (event) => {
      const bar = event.target.closest("rect");
      if (!bar || picture.moved) return;
      const at = Number(bar.getAttribute("x")) + began;
      const run = [["run", `of launch ${bar.dataset.l}, ${micros(bar.getAttribute("width"))} µs from ${micros(at)} µs on`]];
      if (bar.dataset.n !== undefined) return selectNode(bar.dataset.n, true, run);
      clear();
      bar.classList.add("selected");
      tell(names[Number(bar.dataset.w)], run);
    });
  }

  for (const button of all("[data-zoom]")) {
    button.addEventListener("click", () => {
      const graph = shown();
      if (button.dataset.zoom === "fit") graph.picture.fit();
      else graph.picture.zoom(button.dataset.zoom === "in" ? 0.6 : 1 / 0.6);
    });
  }
  for (const input of all("input[name=view]")) input.addEventListener("change", enliven);

  const find = document.getElementById("find");
  if (find) {
    find.addEventListener("change", () => {
      const text = find.value.trim().toLowerCase();
      if (!text) return;
      const graph = [...graphs].sort((one, other) => other.nodes.size - one.nodes.size)[0];
      const ids = Array.from(graph.nodes.keys());
      const title = (id) => graph.nodes.get(id).querySelector("title").textContent.split("\n", 1)[0].toLowerCase();
      const id = graph.nodes.has(text) ? text : ids.find((id) => title(id).includes(text));
      if (id !== undefined) selectNode(id, true);
      else tell("Nothing is found", [["searched", find.value]]);
    });
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-go]");
    if (!link) return;
    event.preventDefault();
    selectNode(link.dataset.go, true);
    document.getElementById("graph").scrollIntoView({ block: "nearest" });
  });

  function button(cell, text, act) {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.addEventListener("click", act);
    const icon = cell.querySelector("i");
    cell.replaceChildren(...(icon ? [icon] : []), made);
  }

  function sort(table, column, cell) {
    const isDown = cell.getAttribute("aria-sort") !== "descending";
    for (const other of all("thead th", table)) other.removeAttribute("aria-sort");
    cell.setAttribute("aria-sort", isDown ? "descending" : "ascending");
    const value = (row) => row.children[column].textContent;
    const compare = (one, other) => {
      const [first, second] = [value(one), value(other)];
      const difference = Number(first) - Number(second);
      return Number.isNaN(difference) ? first.localeCompare(second, "en", { numeric: true }) : difference;
    };
    const body = table.tBodies[0];
    body.append(...Array.from(body.rows).sort((one, other) => (isDown ? compare(other, one) : compare(one, other))));
  }

  for (const table of all("table.sortable")) {
    all("thead th", table).forEach((cell, column) => button(cell, cell.textContent, () => sort(table, column, cell)));
    for (const row of all("tr[data-k]", table)) {
      button(row.cells[0], row.cells[0].textContent, () => selectKernel(row.dataset.k));
    }
  }
  for (const tools of all(".tools")) tools.hidden = false;
  const panes = document.querySelector(".panes");
  if (panes) panes.classList.add("live");
  window.addEventListener("resize", () => {
    const graph = shown();
    if (graph?.picture) graph.picture.show(graph.picture.part.x, graph.picture.part.y, graph.picture.part.w);
  });
  enliven();
})();
