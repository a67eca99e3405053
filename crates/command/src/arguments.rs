//! Arguments of the command, of which its help and its manual page are made.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

/// Shows what graphcap finds on a machine, graphs that were saved, and traces
#[derive(Parser)]
#[command(
    name = "graphcap",
    version,
    after_help = "Exit status: 0 for success, 1 where `diff` finds a difference or `check` something wrong, 2 for a wrong call or a file that cannot be read or written."
)]
pub struct Arguments {
    /// Command to run
    #[command(subcommand)]
    pub command: Command,
}

/// Commands of the tool.
#[derive(Subcommand)]
pub enum Command {
    /// Tells devices, libraries, features, environment variables and limits
    Info {
        /// Writes JSON
        #[arg(long)]
        json: bool,
    },
    /// Writes a saved graph in Graphviz's language, for `dot -Tsvg`
    Draw {
        /// JSON text of gc_graph_export_json()
        file: PathBuf,
        /// File to write; standard output without it
        out: Option<PathBuf>,
        /// Shows what each node does, not only what it is called
        #[arg(long)]
        details: bool,
    },
    /// Tells in lines what differs between two saved graphs, as gc_graph_diff() does
    Diff {
        /// JSON text of gc_graph_export_json()
        one: PathBuf,
        /// Text of the graph to compare with
        other: PathBuf,
    },
    /// Tells what is wrong with a saved graph, or may be, as gc_graph_check() does
    Check {
        /// JSON text of gc_graph_export_json()
        file: PathBuf,
        /// Least severity of a finding
        #[arg(long, value_enum, default_value_t = Least::Warning)]
        severity: Least,
        /// Writes JSON
        #[arg(long)]
        json: bool,
    },
    /// Writes an HTML page of a saved graph, a trace of it, or both
    Report {
        /// JSON text of gc_graph_export_json()
        #[arg(required_unless_present = "trace")]
        graph: Option<PathBuf>,
        /// Trace
        #[arg(long)]
        trace: Option<PathBuf>,
        /// File to write; standard output without it
        #[arg(long, short)]
        output: Option<PathBuf>,
    },
    /// Reads traces, of GRAPHCAP_TRACE or gc_trace_start()
    #[command(subcommand)]
    Trace(TraceCommand),
}

/// Severities.
#[derive(Clone, Copy, ValueEnum)]
pub enum Least {
    /// Notes too, which are right in many programs
    Note,
    /// Warnings and errors
    Warning,
    /// Errors alone
    Error,
}

/// Commands of `graphcap trace`.
#[derive(Subcommand)]
pub enum TraceCommand {
    /// Tells how often and how long each kernel, graph and call ran
    Summary {
        /// Trace
        file: PathBuf,
        /// Writes JSON
        #[arg(long)]
        json: bool,
    },
    /// Writes Chrome's JSON, for Perfetto (ui.perfetto.dev) and speedscope
    Convert {
        /// Trace
        file: PathBuf,
        /// File to write; standard output without it
        out: Option<PathBuf>,
    },
    /// Tells what took longer or shorter in another trace, the largest difference first
    Compare {
        /// Trace
        one: PathBuf,
        /// Trace to compare with
        other: PathBuf,
    },
    /// Writes JSON that tells when each node of the last replays ran and what it waited for, as gc_graph_exec_times() does
    Times {
        /// Trace
        file: PathBuf,
        /// Number of replays of each exec
        #[arg(long, default_value_t = 1)]
        last: usize,
    },
    /// Checks that a trace holds together: valid JSON, events within each other or apart, one node at a time on a line
    Check {
        /// Trace
        file: PathBuf,
    },
}
