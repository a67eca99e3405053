//! The command `graphcap`.

use std::io::{BufWriter, Write};
use std::process::ExitCode;

use graphcap_command::chrome;
use graphcap_observe::read::TraceFile;

const USAGE: &str = "usage: graphcap trace convert FILE [OUT]

Converts a trace of graphcap to Chrome's JSON, for Perfetto (ui.perfetto.dev) and speedscope. OUT is standard output unless it is given.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["trace", "convert", from] => convert(from, None),
        ["trace", "convert", from, to] => convert(from, Some(to)),
        ["--help" | "-h" | "help"] => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("graphcap: {error}");
            ExitCode::FAILURE
        }
    }
}

fn convert(from: &str, to: Option<&str>) -> Result<(), String> {
    let bytes = std::fs::read(from).map_err(|error| format!("{from}: {error}"))?;
    let trace = TraceFile::read(&bytes).map_err(|error| format!("{from}: {error}"))?;
    if trace.dropped > 0 {
        eprintln!("graphcap: {} records found no room in the trace; give it a larger limit", trace.dropped);
    }
    let out: Box<dyn Write> = match to {
        Some(path) => Box::new(std::fs::File::create(path).map_err(|error| format!("{path}: {error}"))?),
        None => Box::new(std::io::stdout()),
    };
    let mut out = BufWriter::new(out);
    let written = chrome::write(&trace, &mut out).and_then(|()| out.flush());
    written.map_err(|error| format!("{}: {error}", to.unwrap_or("standard output")))
}
