//! Trace files read: records by thread, with their texts. Nothing in a file is believed.

use std::collections::HashMap;
use std::fmt;

use crate::format::{Entry, Kind, CHUNK, HEAD, MAGIC, MOMENTS, RECORD, RECORDS, TEXT};
use crate::moments::Moments;

/// A trace.
#[derive(Debug, Default)]
pub struct TraceFile {
    /// The process.
    pub process: u64,
    /// Begin of the trace, in nanoseconds of the monotonic clock.
    pub began: u64,
    /// Begin by the calendar, in nanoseconds since 1970.
    pub began_calendar: u64,
    /// End of the trace; 0 where it was not stopped.
    pub ended: u64,
    /// Number of records that found no room.
    pub dropped: u64,
    /// The threads, in the order of their first chunks.
    pub threads: Vec<Thread>,
    texts: HashMap<u32, Vec<u8>>,
}

/// Records of a thread.
#[derive(Debug, Default)]
pub struct Thread {
    /// Its number by the operating system.
    pub number: u64,
    /// Its name.
    pub name: String,
    /// Its records in the order in which they began.
    pub events: Vec<Entry>,
}

/// Reason why a file is no trace.
#[derive(Debug, PartialEq, Eq)]
pub struct NoTrace(&'static str);

impl fmt::Display for NoTrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for NoTrace {}

/// The word at a place of a chunk.
fn word(bytes: &[u8], at: usize) -> u64 {
    let found = bytes.get(8 * at..8 * at + 8).and_then(|word| word.try_into().ok());
    found.map_or(0, u64::from_le_bytes)
}

/// A trace that is read, chunk by chunk.
pub(crate) struct Reader {
    trace: TraceFile,
    places: HashMap<u64, usize>,
    texts: Vec<(u32, u16, Vec<u8>)>,
    moments: Vec<(u64, u64)>,
}

impl Reader {
    /// Reads the header.
    pub(crate) fn begin(header: &[u8]) -> Result<Reader, NoTrace> {
        if header.get(..MAGIC.len()) != Some(&MAGIC[..]) {
            return Err(NoTrace("the file does not begin as a trace of graphcap does"));
        }
        if header.len() < CHUNK {
            return Err(NoTrace("the file ends within the header of the trace"));
        }
        let trace = TraceFile {
            began: word(header, 2),
            began_calendar: word(header, 3),
            ended: word(header, 4),
            dropped: word(header, 5),
            process: word(header, 6),
            ..TraceFile::default()
        };
        let read = (MOMENTS..CHUNK / 8 - 1).step_by(2).map(|at| (word(header, at), word(header, at + 1)));
        let mut moments = vec![(word(header, 7), trace.began), (word(header, 8), trace.ended)];
        moments.extend(read.take_while(|(counter, _)| *counter != 0));
        Ok(Reader { trace, places: HashMap::new(), texts: Vec::new(), moments })
    }

    /// Reads a chunk, of which those records are kept that `keep` says.
    pub(crate) fn chunk(&mut self, chunk: &[u8], keep: &mut dyn FnMut(&Entry) -> bool) -> Result<(), NoTrace> {
        let number = word(chunk, 0);
        if number == 0 || chunk.len() < HEAD {
            return Ok(());
        }
        self.moments.push((word(chunk, 3), word(chunk, 4)));
        let threads = &mut self.trace.threads;
        let at = *self.places.entry(number).or_insert_with(|| {
            let name = chunk.get(8..24).unwrap_or_default().split(|byte| *byte == 0).next().unwrap_or_default();
            threads.push(Thread { number, name: String::from_utf8_lossy(name).into_owned(), events: Vec::new() });
            threads.len() - 1
        });
        for record in chunk.get(HEAD..).unwrap_or_default().chunks_exact(RECORD).take(RECORDS) {
            let first = word(record, 0);
            if first == 0 {
                break;
            }
            let kind = Kind::ALL.into_iter().find(|kind| *kind as u8 == first as u8);
            let kind =
                kind.ok_or(NoTrace("the file has a record of an unknown kind: it is damaged, or of a newer graphcap"))?;
            if kind == Kind::Text {
                let bytes = usize::from((first >> 8) as u8);
                let Some(text) = record.get(8..8 + bytes.min(TEXT)) else { break };
                self.texts.push(((first >> 32) as u32, (first >> 16) as u16, text.to_vec()));
            } else if let Some(thread) = threads.get_mut(at) {
                let event = event(kind, first, record);
                if keep(&event) {
                    thread.events.push(event);
                }
            }
        }
        Ok(())
    }

    /// The trace.
    pub(crate) fn end(mut self) -> TraceFile {
        self.texts.sort_by_key(|(id, part, _)| (*id, *part));
        for (id, _, text) in self.texts {
            self.trace.texts.entry(id).or_default().extend_from_slice(&text);
        }
        if let Some(moments) = Moments::of(self.moments) {
            let events = self.trace.threads.iter_mut().flat_map(|thread| &mut thread.events);
            events.for_each(|event| moments.tell(event));
        }
        self.trace.place_on_devices();
        self.trace
    }
}

impl TraceFile {
    /// Reads a file. Of one that was cut the whole records are read.
    ///
    /// # Errors
    /// Where the file does not begin as a trace does, or has a record of an unknown kind.
    pub fn read(bytes: &[u8]) -> Result<TraceFile, NoTrace> {
        let mut reader = Reader::begin(bytes.get(..CHUNK).unwrap_or(bytes))?;
        for chunk in bytes.get(CHUNK..).unwrap_or_default().chunks(CHUNK) {
            reader.chunk(chunk, &mut |_| true)?;
        }
        Ok(reader.end())
    }

    /// Adds a text that the file has not.
    pub(crate) fn name_text(&mut self, id: u32, text: &str) {
        self.texts.insert(id, text.as_bytes().to_vec());
    }

    /// A text by its id; empty where there is none.
    pub fn text(&self, id: u32) -> String {
        self.texts.get(&id).map(|text| String::from_utf8_lossy(text).into_owned()).unwrap_or_default()
    }
}

fn event(kind: Kind, first: u64, record: &[u8]) -> Entry {
    let (of_exec, of_stream) = (word(record, 3), word(record, 4));
    Entry {
        kind,
        name: (first >> 32) as u32,
        duration: word(record, 1),
        begin: word(record, 2),
        exec: of_exec as u32,
        launch: (of_exec >> 32) as u32,
        stream: of_stream as u32,
        number: (of_stream >> 32) as u32,
    }
}
