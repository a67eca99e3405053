//! The command as it is called: what it writes, and its exit status.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use graphcap::core::{Buffer, Context, Copy, CopySide, Fill, Graph, HostBuffer, NodeWork, Stream};
use graphcap::driver::{DeviceChoice, DeviceKind};
use graphcap_observe::trace;
use serde_json::{json, Value};

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_graphcap"));
    command.args(arguments).env("GRAPHCAP_DEVICE", "host").env("GRAPHCAP_CUDA_LIBRARY", "/nonexistent/libcuda.so.1");
    command
}

fn run(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

/// Returns its standard output, of a call that answers `status`.
#[track_caller]
fn told(arguments: &[&str], status: i32) -> String {
    let Output { status: answered, stdout, stderr } = run(arguments);
    assert_eq!(answered.code(), Some(status), "{arguments:?}: {}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).unwrap()
}

/// A folder of this test's, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("graphcap-tool-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A chain of memsets that have names.
fn graph(names: &[&str]) -> Graph {
    let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0).unwrap();
    let buffer = Buffer::allocate(&context, 64).unwrap();
    buffer.set_name("words").unwrap();
    let graph = Graph::create(&context).unwrap();
    graph.set_name("the chain").unwrap();
    let mut last = Vec::new();
    for name in names {
        let fill = Fill { buffer: &buffer, offset: 0, value: 1, element_size: 4, width: 4, height: 1, pitch: 0 };
        last = vec![graph.add_node(&last, &NodeWork::Memset(fill)).unwrap()];
        graph.set_node_name(last[0], name).unwrap();
    }
    graph
}

/// Writes a trace of that many replays. To be called by one test: the trace is one for the process.
fn trace_of(path: &str, graph: &Graph, replays: usize) {
    let context = graph.context();
    let stream = Stream::create(context, Default::default()).unwrap();
    let exec = graph.instantiate().unwrap();
    trace::start(Path::new(path), 1 << 24).unwrap();
    (0..replays).for_each(|_| exec.launch(&stream).unwrap());
    stream.synchronize().unwrap();
    trace::stop().unwrap();
}

#[test]
fn help_and_wrong_calls() {
    let help = told(&["--help"], 0);
    for command in ["info", "draw", "diff", "report", "trace", "Exit status"] {
        assert!(help.contains(command), "{help}");
    }
    assert!(told(&["trace", "--help"], 0).contains("convert"));
    assert_eq!(told(&["--version"], 0), format!("graphcap {}\n", env!("CARGO_PKG_VERSION")));
    for wrong in [&[][..], &["fly"], &["draw"], &["trace"], &["diff", "one"], &["info", "--xml"], &["report"]] {
        told(wrong, 2);
    }
    for missing in
        [&["draw", "/nonexistent"][..], &["diff", "/nonexistent", "/nonexistent"], &["trace", "summary", "/dev/null"]]
    {
        let Output { status, stderr, .. } = run(missing);
        assert_eq!(status.code(), Some(2));
        assert!(String::from_utf8(stderr).unwrap().contains(missing.last().unwrap()), "{missing:?}");
    }
}

/// `graphcap info | head -1` ends quietly; a full disk is told, also where it holds the messages.
#[test]
fn outputs_that_take_no_more() {
    let full = || File::create("/dev/full").unwrap();
    for call in [&["info"][..], &["info", "--json"], &["--help"], &["--version"], &["trace", "--help"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let ended = command(call).stdout(writer).output().unwrap();
        assert_eq!((ended.status.code(), &*ended.stderr), (Some(0), &[][..]), "{call:?}");
        let failed = command(call).stdout(full()).output().unwrap();
        assert_eq!(failed.status.code(), Some(2), "{call:?}");
        let told = String::from_utf8(failed.stderr).unwrap();
        assert!(told.starts_with("graphcap: standard output: No space left"), "{call:?}: {told}");
    }
    for wrong in [&["draw", "/nonexistent"][..], &["fly"]] {
        assert_eq!(command(wrong).stderr(full()).status().unwrap().code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn info_tells_devices_libraries_variables_and_limits() {
    let text = told(&["info"], 0);
    let info: Value = serde_json::from_str(&told(&["info", "--json"], 0)).unwrap();
    assert_eq!(info["devices"][0]["kind"], "host");
    let name = info["devices"][0]["name"].as_str().unwrap();
    let driver = &info["libraries"][0];
    let missing = driver["missing"].as_str().unwrap();
    assert!(missing.contains("/nonexistent/libcuda.so.1"), "{missing}");
    for told in [name, missing, "GRAPHCAP_DEVICE=host", "GRAPHCAP_LOG", "limits", info["version"].as_str().unwrap()] {
        assert!(text.contains(told), "{told} is not in:\n{text}");
    }
    let broken = command(&["info"]).env("GRAPHCAP_HOST_THREADS", "none").output().unwrap();
    assert!(String::from_utf8_lossy(&broken.stdout).contains("  host: the environment variable GRAPHCAP_HOST_THREADS"));
    let variables = info["environment"].as_array().unwrap();
    assert!(variables.iter().any(|variable| variable["name"] == "GRAPHCAP_DEVICE" && variable["value"] == "host"));
}

#[test]
fn saved_graphs_are_drawn_and_compared() {
    let folder = Folder::new("graphs");
    let (one, other, out) = (folder.file("one.json"), folder.file("other.json"), folder.file("one.dot"));
    let (first, second) = (graph(&["clear", "fill"]), graph(&["clear"]));
    std::fs::write(&one, first.export_json().unwrap()).unwrap();
    std::fs::write(&other, second.export_json().unwrap()).unwrap();
    let drawn = told(&["draw", &one], 0);
    assert_eq!(drawn, first.export_dot(Default::default()).unwrap());
    assert_eq!(told(&["draw", &one, &out], 0), "");
    assert_eq!(std::fs::read_to_string(&out).unwrap(), drawn);
    assert!(!drawn.contains("words") && told(&["draw", "--details", &one], 0).contains("words"));
    assert_eq!(told(&["diff", &one, &one], 0), "");
    assert_eq!(told(&["diff", &one, &other], 1), first.diff(&second).unwrap());
    std::fs::write(&other, "{").unwrap();
    told(&["diff", &one, &other], 2);
}

#[test]
fn saved_graphs_are_checked() {
    let folder = Folder::new("checks");
    let (right, wrong) = (folder.file("right.json"), folder.file("wrong.json"));
    let graph = graph(&["clear", "fill"]);
    std::fs::write(&right, graph.export_json().unwrap()).unwrap();
    let [clear, fill] = graph.nodes().unwrap().nodes[..] else { panic!("two nodes") };
    graph.remove_dependencies(&[(clear, fill)]).unwrap();
    std::fs::write(&wrong, graph.export_json().unwrap()).unwrap();
    assert_eq!(told(&["check", &right], 0), "");
    let text = told(&["check", &wrong], 1);
    assert!(
        text.starts_with("error: node 1 (memset \"fill\")")
            && text.contains("node 0 (memset \"clear\")")
            && text.contains("words"),
        "{text}"
    );
    let json: Value = serde_json::from_str(&told(&["check", "--json", "--severity", "error", &wrong], 1)).unwrap();
    let finding = &json["findings"][0];
    assert_eq!((&finding["kind"], &finding["severity"]), (&"unordered".into(), &"error".into()));
    assert_eq!((&finding["node"], &finding["other"], &finding["bytes"]), (&1.into(), &0.into(), &"16".into()));
    assert!(text.contains(finding["text"].as_str().unwrap().split(" at ").next().unwrap()), "{json}");
    let schema: Value = serde_json::from_str(include_str!("../../../docs/findings.schema.json")).unwrap();
    let properties = &schema["$defs"]["finding"]["properties"];
    assert!(json["findings"].as_array().unwrap().iter().all(|finding| {
        let is_known = |place: &str| properties[place]["enum"].as_array().unwrap().contains(&finding[place]);
        finding.as_object().unwrap().keys().all(|key| properties.get(key).is_some())
            && is_known("kind")
            && is_known("severity")
    }));
    let none: Value = serde_json::from_str(&told(&["check", "--json", &right], 0)).unwrap();
    assert_eq!(none["findings"], Value::Array(Vec::new()));
    std::fs::write(&wrong, "{").unwrap();
    told(&["check", &wrong], 2);
}

/// A node of a saved graph may overrun the memory that the text states. Plain host memory is a note.
#[test]
fn overruns_and_plain_host_memory_of_saved_graphs_are_found() {
    let folder = Folder::new("overruns");
    let file = folder.file("graph.json");
    let graph = graph(&["clear", "fill"]);
    let mut saved: Value = serde_json::from_str(&graph.export_json().unwrap()).unwrap();
    assert_eq!(std::mem::replace(&mut saved["memory"][0]["bytes"], "12".into()), "64");
    std::fs::write(&file, saved.to_string()).unwrap();
    let told_text = told(&["check", &file], 1);
    assert!(told_text.starts_with("error: node 0 (memset \"clear\"): the memset has 16 bytes"), "{told_text}");
    assert!(told_text.contains("4 of them lie behind the end") && told_text.lines().count() == 2, "{told_text}");
    let json: Value = serde_json::from_str(&told(&["check", "--json", &file], 1)).unwrap();
    assert_eq!((&json["findings"][0]["kind"], &json["findings"][0]["bytes"]), (&"overrun".into(), &"16".into()));
    let host = HostBuffer::allocate(graph.context(), 16, Default::default()).unwrap();
    let buffer = Buffer::allocate(graph.context(), 16).unwrap();
    let copy = Copy::of(CopySide::Buffer(&buffer, 0), CopySide::HostBuffer(&host, 0), 16);
    graph.add_node(&[], &NodeWork::Memcpy(copy)).unwrap();
    let mut saved: Value = serde_json::from_str(&graph.export_json().unwrap()).unwrap();
    let memory = saved["memory"].as_array_mut().unwrap().iter_mut().find(|memory| memory["kind"] == "host_buffer");
    let memory = memory.unwrap().as_object_mut().unwrap();
    memory.insert("kind".into(), "host".into());
    memory.remove("bytes");
    std::fs::write(&file, saved.to_string()).unwrap();
    assert_eq!(told(&["check", &file], 0), "");
    let notes = told(&["check", "--severity", "note", &file], 1);
    assert!(notes.starts_with("note: node 2 (memcpy)") && notes.contains("that no graph keeps"), "{notes}");
}

/// Kernels of which a saved graph does not tell what they touch, with the address of a stream's workspace.
#[test]
fn nodes_of_saved_graphs_that_share_a_workspace_are_found() {
    let folder = Folder::new("workspaces");
    let file = folder.file("graph.json");
    let graph = graph(&["one", "other"]);
    let mut saved: Value = serde_json::from_str(&graph.export_json().unwrap()).unwrap();
    let argument = json!({ "bytes": "00".repeat(16), "addresses": [{ "at": 8, "to": { "memory": { "memory": 0, "offset": "4" } } }] });
    let ones = [1, 1, 1];
    let product = json!({ "kind": "kernel", "kernel": 0, "grid": ones, "block": ones, "shared_mem_bytes": 0, "arguments": { "separate": [argument] } });
    saved["kernels"] = json!([{ "name": "product" }]);
    saved["graph"]["nodes"] = json!([product, product]);
    let mut check = |workspace: bool, edges: Value, code| {
        saved["memory"][0]["workspace"] = workspace.into();
        saved["graph"]["edges"] = edges;
        std::fs::write(&file, saved.to_string()).unwrap();
        told(&["check", &file], code)
    };
    assert_eq!(check(false, json!([]), 0), "");
    assert_eq!(check(true, json!([[0, 1]]), 0), "");
    let text = check(true, json!([]), 1);
    assert!(text.starts_with("warning: node 1 (kernel \"product\") and node 0"), "{text}");
    assert!(text.contains("share a workspace of 64 bytes") && text.lines().count() == 1, "{text}");
}

#[test]
fn traces_are_summed_up_converted_and_compared() {
    let folder = Folder::new("traces");
    let (one, other, out) = (folder.file("one.trace"), folder.file("other.trace"), folder.file("one.json"));
    let graph = graph(&["clear", "fill"]);
    trace_of(&one, &graph, 20);
    trace_of(&other, &graph, 7);
    let summary: Value = serde_json::from_str(&told(&["trace", "summary", "--json", &one], 0)).unwrap();
    let rows = summary["nodes"].as_array().unwrap();
    assert_eq!(rows.len(), 2, "{rows:?}");
    for row in rows {
        let number = |key: &str| row[key].as_u64().unwrap();
        assert_eq!(number("count"), 20, "{row}");
        assert!(number("min_ns") <= number("median_ns") && number("median_ns") <= number("max_ns"), "{row}");
        assert!(
            number("total_ns") <= 20 * number("max_ns")
                && number("total_ns") <= summary["duration_ns"].as_u64().unwrap()
        );
    }
    assert_eq!(summary["replays"][0]["count"], 20);
    let text = told(&["trace", "summary", &one], 0);
    assert!(text.contains("clear") && text.contains("the chain") && text.contains("median"), "{text}");
    assert_eq!(told(&["trace", "convert", &one, &out], 0), "");
    let converted = told(&["trace", "convert", &one], 0);
    assert_eq!(std::fs::read_to_string(&out).unwrap(), converted);
    let events: Value = serde_json::from_str(&converted).unwrap();
    let spans = events.as_array().unwrap().iter().filter(|event| event["ph"] == "X");
    let count = |category: &str| spans.clone().filter(|event| event["cat"] == category).count();
    assert_eq!((count("node"), count("replay"), count("mark")), (40, 20, 0));
    let compared = told(&["trace", "compare", &one, &other], 0);
    let line = compared.lines().find(|line| line.starts_with("clear")).unwrap();
    let cells: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(cells[..3], ["clear", "20", "7"], "{compared}");
    check_report(&folder, &graph, &one);
}

/// The runs in a trace are those of the nodes in the graph's picture.
fn check_report(folder: &Folder, graph: &Graph, trace: &str) {
    let (saved, out) = (folder.file("saved.json"), folder.file("report.html"));
    std::fs::write(&saved, graph.export_json().unwrap()).unwrap();
    assert_eq!(told(&["report", "--trace", trace, "--output", &out, &saved], 0), "");
    let page = std::fs::read_to_string(&out).unwrap();
    for node in ["0", "1"] {
        assert_eq!(page.matches(&format!("data-w=\"{node}\" data-n=\"{node}\"/>")).count(), 20, "{node}");
    }
    assert!(page.contains("id=\"timeline\"") && page.contains("id=\"optimizer\""));
    let of_trace = told(&["report", "--trace", trace], 0);
    assert!(of_trace.contains("id=\"timeline\"") && !of_trace.contains("id=\"graph\""));
    assert!(of_trace.contains("data-w=\"1\"") && !of_trace.contains("data-n=\"1\""));
}

#[test]
fn a_report_shows_nodes_memory_and_what_the_optimizer_says() {
    let folder = Folder::new("report");
    let file = folder.file("one.json");
    std::fs::write(&file, graph(&["<b>clear</b>", "fill"]).export_json().unwrap()).unwrap();
    let page = told(&["report", &file], 0);
    for told in [
        "<title>the chain",
        "&lt;b&gt;clear&lt;/b&gt;",
        "destination: words",
        "<path data-f=\"0\" data-t=\"1\"",
        "data-go=\"1\">1</a> writes",
        "no gain: no shorter path was found",
    ] {
        assert!(page.contains(told), "{told} is not in:\n{page}");
    }
    assert!(!page.contains("<b>clear") && !page.contains("://"), "{page}");
    std::fs::write(&file, graph(&["clear", "fill"]).export_json().unwrap().replace("[[0,1]]", "[[0,1],[1,0]]"))
        .unwrap();
    told(&["report", &file], 2);
}

#[test]
fn a_report_of_a_large_graph_shows_it_by_kernel_first() {
    let folder = Folder::new("large");
    let file = folder.file("large.json");
    let names: Vec<String> = (0..2001).map(|number| format!("node {number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    std::fs::write(&file, graph(&names).export_json().unwrap()).unwrap();
    let page = told(&["report", &file], 0);
    assert!(page.contains("By kernel") && page.contains("data-n=\"k0\"") && page.contains("data-n=\"2000\""));
    std::fs::write(&file, graph(&names[1..]).export_json().unwrap()).unwrap();
    assert!(!told(&["report", &file], 0).contains("By kernel"));
}
