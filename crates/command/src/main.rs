//! The command `graphcap`.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use graphcap_command::arguments::{Arguments, Command, TraceCommand};
use graphcap_command::info::Info;
use graphcap_command::report::Subject;
use graphcap_command::summary::Summary;
use graphcap_command::{check, chrome, compare, graphs, report};
use graphcap_observe::read::TraceFile;
use graphcap_observe::times::ExecTimes;
use serde::Serialize;

/// The status of `diff` where it finds a difference, and of `check` where it finds something wrong.
const FOUND: u8 = 1;
/// The status of a failure, which is also that of a wrong call.
const FAILED: u8 = 2;

fn main() -> ExitCode {
    let answered = match Arguments::try_parse() {
        Ok(arguments) => run(arguments.command),
        Err(wrong) if wrong.use_stderr() => wrong.exit(),
        Err(help) => write_text(None, &help.to_string()).map(|()| ExitCode::SUCCESS),
    };
    answered.unwrap_or_else(|error| {
        tell(&error);
        ExitCode::from(FAILED)
    })
}

/// Writes a message to standard error; nobody is left to be told where that fails.
fn tell(message: &str) {
    let _ = writeln!(io::stderr(), "graphcap: {message}");
}

fn run(command: Command) -> Result<ExitCode, String> {
    match command {
        Command::Info { json: true } => write_json(&Info::look())?,
        Command::Info { json: false } => write_text(None, &Info::look().text())?,
        Command::Draw { file, out, details } => {
            write_text(out.as_deref(), &graphs::draw(&graphs::read(&file)?, details)?)?;
        }
        Command::Diff { one, other } => {
            let told = graphs::diff(&graphs::read(&one)?, &graphs::read(&other)?)?;
            write_text(None, &told)?;
            return Ok(if told.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(FOUND) });
        }
        Command::Check { file, severity, json } => {
            let named = |wrong| format!("{}: {wrong}", file.display());
            let (told, is_wrong) = graphs::check(&graphs::read(&file)?, severity, json).map_err(named)?;
            write_text(None, &told)?;
            return Ok(if is_wrong { ExitCode::from(FOUND) } else { ExitCode::SUCCESS });
        }
        Command::Report { graph, trace, output } => {
            let saved = graph.as_deref().map(graphs::read).transpose()?;
            let read = trace.as_deref().map(read_trace).transpose()?;
            let names =
                [&graph, &trace].map(|path| path.as_ref().map_or_else(String::new, |path| path.display().to_string()));
            let [of_graph, of_trace] = &names;
            let (graph, trace) =
                (saved.as_ref().map(|graph| (&**of_graph, graph)), read.as_ref().map(|read| (&**of_trace, read)));
            write_text(output.as_deref(), &report::html(Subject { graph, trace })?)?;
        }
        Command::Trace(TraceCommand::Summary { file, json }) => {
            let summary = Summary::of(&read_trace(&file)?);
            match json {
                true => write_json(&summary)?,
                false => write_text(None, &summary.text())?,
            }
        }
        Command::Trace(TraceCommand::Convert { file, out }) => {
            let trace = read_trace(&file)?;
            write_to(out.as_deref(), |out| chrome::write(&trace, out))?;
        }
        Command::Trace(TraceCommand::Compare { one, other }) => {
            let (one, other) = (Summary::of(&read_trace(&one)?), Summary::of(&read_trace(&other)?));
            write_text(None, &compare::text(&one, &other))?;
        }
        Command::Trace(TraceCommand::Times { file, last }) => {
            write_json(&ExecTimes::of_all(&read_trace(&file)?, last))?;
        }
        Command::Trace(TraceCommand::Check { file }) => {
            let nodes = check::check(&read_trace(&file)?).map_err(|wrong| format!("{}: {wrong}", file.display()))?;
            write_text(None, &format!("{nodes} nodes\n"))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn read_trace(path: &Path) -> Result<TraceFile, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let trace = TraceFile::read(&bytes).map_err(|error| format!("{}: {error}", path.display()))?;
    if trace.dropped > 0 {
        tell(&format!("{} records found no room in {}; give it a larger limit", trace.dropped, path.display()));
    }
    Ok(trace)
}

fn write_text(path: Option<&Path>, text: &str) -> Result<(), String> {
    write_to(path, |out| out.write_all(text.as_bytes()))
}

fn write_json(value: &impl Serialize) -> Result<(), String> {
    write_to(None, |out| {
        serde_json::to_writer_pretty(&mut *out, value)?;
        writeln!(out)
    })
}

/// Writes to a file, or to standard output. A reader that has read enough, such as `head`, is no failure.
fn write_to(path: Option<&Path>, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), String> {
    let name = path.map_or_else(|| "standard output".into(), |path| path.display().to_string());
    let told = |error: io::Error| format!("{name}: {error}");
    let out: Box<dyn Write> = match path {
        Some(path) => Box::new(File::create(path).map_err(told)?),
        None => Box::new(io::stdout()),
    };
    let mut out = BufWriter::new(out);
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.map_err(told),
    }
}
