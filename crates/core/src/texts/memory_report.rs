//! Memory that the buffers, pools, graphs and execs of a context take, and which graphs and execs keep a buffer or a pool: as numbers, as
//! text for people, and as JSON.

mod keepers;
mod pools;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;
use std::sync::Arc;

use serde::Serialize;

use self::keepers::{list, note, place, Keepers};
pub use self::pools::PoolRow;
use super::json;
use super::text::Text;
use crate::graphs::census::Census;
use crate::graphs::exec::{ExecInner, GraphExec};
use crate::graphs::graph::Graph;
use crate::objects::buffer::Buffer;
use crate::state::{Context, GraphInner};
use graphcap_base::error::Result;
use graphcap_driver::{check_caller, ByteModel, Bytes, NodeKind};

/// Objects of a context. They are numbered from 0 in each list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemoryReport {
    /// `graphcap memory`
    pub format: &'static str,
    /// Grows when a member changes its meaning.
    pub version: u32,
    /// The name of the device.
    pub device: String,
    /// Source of `model_bytes` of graphs and execs: the model of `docs/cache.md`, not by a measurement.
    pub model: &'static str,
    /// All together.
    pub totals: Totals,
    /// In the order of their addresses.
    pub buffers: Vec<BufferRow>,
    /// In the order in which they were made.
    pub pools: Vec<PoolRow>,
    /// In the order in which they were made.
    pub graphs: Vec<GraphRow>,
    /// In the order in which they were made.
    pub execs: Vec<ExecRow>,
}

/// Sums of a report.
#[derive(Serialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct Totals {
    /// The bytes of buffers by their kind.
    pub buffer_bytes: BTreeMap<&'static str, u64>,
    /// Memory that pools have of the device, with the buffers that are blocks of them.
    pub pool_bytes: u64,
    /// Memory that buffers and pools take, each byte once: `pool_bytes`, and the bytes of the buffers that are no blocks of pools.
    pub memory_bytes: u64,
    /// Of graphs, by the model.
    pub graph_model_bytes: Bytes,
    /// Of execs, by the model.
    pub exec_model_bytes: Bytes,
}

/// A buffer or host buffer.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct BufferRow {
    /// Its number in the report.
    pub id: usize,
    /// The name that it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// `device`, `waitable`, `managed`, `wrapped`, `pool` for a block of a pool, `graph` for what nodes allocate, or `pinned`.
    pub kind: &'static str,
    /// Its first byte.
    pub address: u64,
    /// Its size.
    pub bytes: u64,
    /// The graphs that keep it, by their numbers in the report.
    pub graphs: Vec<usize>,
    /// The execs that keep it.
    pub execs: Vec<usize>,
}

/// A graph.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct GraphRow {
    /// Its number in the report.
    pub id: usize,
    /// The name that it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Number of nodes, without those of graphs within; absent where the device did not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<usize>,
    /// Memory by the model, with the graphs within it.
    pub model_bytes: Bytes,
}

/// An exec.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct ExecRow {
    /// Its number in the report.
    pub id: usize,
    /// The graph that it was made from, if that lives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph: Option<usize>,
    /// Number of nodes, without those of graphs within.
    pub nodes: usize,
    /// Memory by the model. Nodes of graphs within count as long as the graph lives that it was made from.
    pub model_bytes: Bytes,
}

impl Context {
    /// Returns what its buffers, pools, graphs and execs take. Takes time for all of them and for what they keep, and asks the device
    /// about each node. What the device does not tell, after a fault for instance, is left out.
    ///
    /// # Errors
    /// `NOT_PERMITTED` inside a host function.
    pub fn memory_report(&self) -> Result<MemoryReport> {
        check_caller()?;
        let driver = self.driver()?;
        let model = driver.byte_model();
        let graphs = self.graphs().live::<GraphInner>();
        let execs = self.execs().live::<ExecInner>();
        let numbers: HashMap<usize, usize> = graphs.iter().enumerate().map(|(id, graph)| (place(graph), id)).collect();
        let (mut of_graphs, mut of_execs, mut totals) = (Keepers::new(), Keepers::new(), Totals::default());
        let mut sums = (Bytes::default(), Bytes::default());
        let mut censuses = Vec::with_capacity(graphs.len());
        let graph_rows = graphs.iter().enumerate().map(|(id, inner)| {
            let graph = Graph(Arc::clone(inner));
            note(&inner.kept(), id, &mut of_graphs);
            let census = Census::of(&graph).ok();
            let bytes = census.map_or(model.graph(), |census| census.graph_bytes(model));
            sums.0 = sums.0 + bytes;
            censuses.push(census);
            let nodes = graph.nodes().ok().map(|nodes| nodes.nodes.len());
            GraphRow { id, name: graph.name().map(|name| name.to_string()), nodes, model_bytes: bytes }
        });
        let graph_rows: Vec<_> = graph_rows.collect();
        let exec_rows = execs.into_iter().enumerate().map(|(id, inner)| {
            let exec = GraphExec::from_inner(inner);
            let made = Arc::clone(&exec.made());
            note(&made.kept(), id, &mut of_execs);
            let origin = made.origin().upgrade().and_then(|origin| numbers.get(&place(&origin)).copied());
            let nodes = made.node_count();
            let of_origin = origin.filter(|&origin| graph_rows.get(origin).is_some_and(|row| row.nodes == Some(nodes)));
            let census = of_origin.and_then(|origin| censuses.get(origin).copied().flatten());
            let bytes = census.map_or_else(|| plain_exec(model, nodes), |census| census.exec_bytes(model));
            sums.1 = sums.1 + bytes;
            ExecRow { id, graph: origin, nodes, model_bytes: bytes }
        });
        let exec_rows: Vec<_> = exec_rows.collect();
        let buffers = own_buffers(self);
        let pools = pools::rows(self, &buffers, &of_graphs, &of_execs)?;
        let buffer_rows = buffers.iter().enumerate().map(|(id, buffer)| {
            let (kind, bytes) = (buffer.origin().word(), buffer.size() as u64);
            *totals.buffer_bytes.entry(kind).or_default() += bytes;
            totals.memory_bytes += if buffer.origin().pool().is_some() { 0 } else { bytes };
            let inner = buffer.inner();
            let keepers = |of: &Keepers| {
                let block = inner.kept_block().and_then(|block| of.get(&place(block)));
                let mut keepers: Vec<usize> =
                    of.get(&place(&inner)).into_iter().chain(block).flatten().copied().collect();
                keepers.sort_unstable();
                keepers.dedup();
                keepers
            };
            let (graphs, execs) = (keepers(&of_graphs), keepers(&of_execs));
            BufferRow {
                id,
                name: buffer.name().map(|name| name.to_string()),
                kind,
                address: buffer.address(),
                bytes,
                graphs,
                execs,
            }
        });
        let buffers = buffer_rows.collect();
        totals.pool_bytes = pools.iter().map(|row| row.reserved).sum();
        totals.memory_bytes += totals.pool_bytes;
        totals.graph_model_bytes = sums.0;
        totals.exec_model_bytes = sums.1;
        Ok(MemoryReport {
            format: "graphcap memory",
            version: 1,
            device: self.device().name.clone(),
            model: "docs/cache.md",
            totals,
            buffers,
            pools,
            graphs: graph_rows,
            execs: exec_rows,
        })
    }
}

/// The buffers of a context by their addresses, each once, without those that are lent to it.
fn own_buffers(context: &Context) -> Vec<Buffer> {
    let mut seen = HashSet::new();
    let live = context.memory().all().into_iter().filter_map(Buffer::from_listed);
    live.filter(|buffer| buffer.context().is(context) && seen.insert(place(&buffer.inner()))).collect()
}

/// An exec of so many nodes of which no kind is known.
fn plain_exec(model: ByteModel, nodes: usize) -> Bytes {
    model.exec() + model.exec_node(NodeKind::Kernel).times(nodes as u64)
}

impl MemoryReport {
    /// As JSON, on one line for each object.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY`.
    pub fn to_json(&self) -> Result<String> {
        Text::of(|text| {
            text.write_str("{\n")?;
            for (name, word) in [("format", self.format), ("device", &self.device), ("model", self.model)] {
                write!(text, "\"{name}\": ")?;
                json::value(text, &word)?;
                text.write_str(",\n")?;
            }
            writeln!(text, "\"version\": {},", self.version)?;
            json::lines(text, "buffers", &self.buffers)?;
            json::lines(text, "pools", &self.pools)?;
            json::lines(text, "graphs", &self.graphs)?;
            json::lines(text, "execs", &self.execs)?;
            text.write_str("\"totals\": ")?;
            json::value(text, &self.totals)?;
            text.write_str("\n}\n")
        })
    }

    /// As text: a line for each object, the totals first.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY`.
    pub fn to_text(&self) -> Result<String> {
        Text::of(|out| {
            writeln!(out, "memory of graphcap on {}", self.device)?;
            for (kind, bytes) in &self.totals.buffer_bytes {
                writeln!(out, "  {bytes} bytes of {kind} buffers")?;
            }
            if !self.pools.is_empty() {
                let Totals { pool_bytes, memory_bytes, .. } = self.totals;
                writeln!(out, "  {} pools with {pool_bytes} bytes, blocks among them", self.pools.len())?;
                writeln!(out, "  {memory_bytes} bytes of buffers and pools, each byte once")?;
            }
            let modelled = [
                ("graphs", self.graphs.len(), self.totals.graph_model_bytes),
                ("execs", self.execs.len(), self.totals.exec_model_bytes),
            ];
            for (what, count, bytes) in modelled {
                let Bytes { device, host } = bytes;
                writeln!(
                    out,
                    "  {count} {what}, by the model of {}: {device} bytes on the device, {host} on the host",
                    self.model
                )?;
            }
            for row in &self.buffers {
                write!(
                    out,
                    "buffer {}{}: {} bytes at {:#x}, {}",
                    row.id,
                    optional_name(&row.name),
                    row.bytes,
                    row.address,
                    row.kind
                )?;
                list(out, "graphs", &row.graphs)?;
                list(out, "execs", &row.execs)?;
                out.write_char('\n')?;
            }
            self.pools.iter().try_for_each(|row| row.write(out))?;
            for row in &self.graphs {
                write!(out, "graph {}{}: ", row.id, optional_name(&row.name))?;
                if let Some(nodes) = row.nodes {
                    write!(out, "{nodes} nodes, ")?;
                }
                let Bytes { device, host } = row.model_bytes;
                writeln!(out, "by the model {device} bytes on the device, {host} on the host")?;
            }
            for row in &self.execs {
                write!(out, "exec {}", row.id)?;
                if let Some(graph) = row.graph {
                    write!(out, " of graph {graph}")?;
                }
                let Bytes { device, host } = row.model_bytes;
                writeln!(out, ": {} nodes, by the model {device} bytes on the device, {host} on the host", row.nodes)?;
            }
            Ok(())
        })
    }
}

/// The name with a space before it, or nothing.
fn optional_name(name: &Option<String>) -> String {
    name.as_ref().map_or_else(String::new, |name| format!(" {name:?}"))
}
