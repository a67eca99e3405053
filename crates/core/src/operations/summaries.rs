//! Summaries of pieces of the device's memory, made where the memory is.

use std::ops::Range;

use super::copy::{Copy, CopySide, HostPointer};
use super::node_work::NodeWork;
use crate::objects::buffer::Buffer;
use crate::objects::host_buffer::HostBuffer;
use crate::objects::kernel::{Kernel, KernelArgument};
use crate::state::Stream;
use graphcap_base::error::Result;
use graphcap_base::room;
use graphcap_devices::BuiltInKernel;
use graphcap_driver::rules::summary::{ElementKind, Summary, PIECE_WORDS, SUMMARY_WORDS};
use graphcap_driver::{Address, HostMemoryOptions, LaunchShape};

/// Threads of a block on GPUs, as `summarize.cu` has them.
const THREADS: u32 = 128;
const PIECE_BYTES: usize = PIECE_WORDS * size_of::<u64>();
const SUMMARY_BYTES: usize = SUMMARY_WORDS * size_of::<u64>();

/// A piece of the device's memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryPiece {
    /// The first byte.
    pub address: Address,
    /// Number of the bytes.
    pub bytes: u64,
    /// Kind of its elements. Floats lie at multiples of their size, and fill the piece.
    pub kind: ElementKind,
}

/// Summaries of pieces, made by a stream.
pub struct Summaries {
    stream: Stream,
    kernel: Kernel,
    /// Descriptions of the pieces.
    pieces: Buffer,
    /// A summary for each piece; work writes it where the CPU reads it.
    summaries: HostBuffer,
}

impl Summaries {
    /// Prepares for summaries of so many pieces at least, whose memory lives as long.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY`; the status of a context that faulted.
    pub fn prepare(stream: &Stream, pieces: &[MemoryPiece]) -> Result<Summaries> {
        let context = stream.context();
        let kernel = context.built_in(BuiltInKernel::Summarize)?;
        let count = pieces.len().max(1);
        let mut words: Vec<u64> = room::list(count * PIECE_WORDS)?;
        words.extend(pieces.iter().flat_map(|piece| [piece.address, piece.bytes, piece.kind as u64]));
        let bytes = size_of_val(words.as_slice());
        let pieces = Buffer::allocate(context, count * PIECE_BYTES)?;
        let options = HostMemoryOptions { mapped: true, ..HostMemoryOptions::default() };
        let summaries = HostBuffer::allocate(context, count * SUMMARY_BYTES, options)?;
        if bytes > 0 {
            let source = CopySide::Host(HostPointer(words.as_ptr().addr()));
            let copied = stream.memcpy(&Copy::of(CopySide::Buffer(&pieces, 0), source, bytes));
            // The words hold still until the copy has run.
            copied.and(stream.synchronize())?;
        }
        Ok(Summaries { stream: stream.clone(), kernel, pieces, summaries })
    }

    /// Summarizes some of the pieces, behind what the stream was given before.
    ///
    /// # Errors
    /// As for launches.
    pub fn submit(&self, pieces: Range<usize>) -> Result<()> {
        if pieces.is_empty() {
            return Ok(());
        }
        let shape = LaunchShape { grid: [pieces.len() as u32, 1, 1], block: [THREADS, 1, 1], shared_mem_bytes: 0 };
        // No access is stated: the kernel reads the pieces, too, which no argument points to.
        let argument = |buffer, offset| KernelArgument::Buffer { buffer, offset, access: None };
        let arguments = [
            argument(&self.pieces, pieces.start * PIECE_BYTES),
            argument(self.summaries.memory(), pieces.start * SUMMARY_BYTES),
        ];
        let kernel = &self.kernel;
        self.stream.submit_node_work(&NodeWork::Kernel { kernel, shape, arguments: &arguments, attributes: &[] })
    }

    /// Reads the summaries of some of the pieces. The stream's work must be complete.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY`; the status of a context that faulted.
    pub fn read(&self, pieces: Range<usize>) -> Result<Vec<Summary>> {
        let mut bytes = room::list(pieces.len() * SUMMARY_BYTES)?;
        bytes.resize(pieces.len() * SUMMARY_BYTES, 0);
        self.stream
            .driver()?
            .host_bytes(self.summaries.address() + (pieces.start * SUMMARY_BYTES) as Address, &mut bytes);
        let words = |summary: &[u8; SUMMARY_BYTES]| {
            let mut words = [0; SUMMARY_WORDS];
            let each = summary.as_chunks().0.iter().map(|word| u64::from_ne_bytes(*word));
            words.iter_mut().zip(each).for_each(|(to, word)| *to = word);
            Summary::of_words(words)
        };
        Ok(bytes.as_chunks::<SUMMARY_BYTES>().0.iter().map(words).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Context;
    use graphcap_driver::{DeviceChoice, DeviceKind, StreamOptions};

    #[test]
    fn pieces_are_summarized_where_they_are() {
        let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0).unwrap();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let buffer = Buffer::allocate(&context, 64).unwrap();
        stream.memset(&buffer, 0, 0x3f80_0000, 4, 8).unwrap();
        stream.memset(&buffer, 32, 0x7fc0_0000, 4, 8).unwrap();
        let piece = |offset, bytes, kind| MemoryPiece { address: buffer.address() + offset, bytes, kind };
        let pieces =
            [piece(0, 32, ElementKind::F32), piece(24, 16, ElementKind::F32), piece(32, 3, ElementKind::Bytes)];
        let summaries = Summaries::prepare(&stream, &pieces).unwrap();
        summaries.submit(0..2).unwrap();
        summaries.submit(2..3).unwrap();
        stream.synchronize().unwrap();
        let all = summaries.read(0..3).unwrap();
        assert_eq!((all[0].nans, all[0].sum, all[0].least, all[0].greatest), (0, 8.0, 1.0, 1.0));
        assert_eq!((all[1].nans, all[1].first, all[1].sum), (2, 2, 2.0));
        assert_eq!(all[2], Summary::of(&[0, 0, 0xc0], 0, ElementKind::Bytes));
        assert_eq!(summaries.read(1..2).unwrap(), all[1..2]);
    }
}
