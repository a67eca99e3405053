//! The op that copies.

use std::borrow::Cow;
use std::fmt;

use crate::op::{GraphOp, RecordContext};
use graphcap_base::error::Result;
use graphcap_core::{Buffer, Copy, HostBuffer, HostPointer, NodeWork, Pitch, Place};
use graphcap_driver::Snapshot;

/// Where a side of a [`MemcpyOp`] begins.
#[derive(Clone)]
pub enum OpPlace {
    /// At a byte of a buffer.
    Buffer(Buffer, usize),
    /// At a byte of a host buffer.
    HostBuffer(HostBuffer, usize),
    /// In host memory of the caller's, which stays valid as long as the script and the graphs that it was recorded as.
    Host(HostPointer),
    /// In bytes that were copied from host memory; a source only.
    Snapshot(Snapshot),
}

impl OpPlace {
    /// The place, owned.
    pub fn of(place: &Place<'_>) -> OpPlace {
        match *place {
            Place::Buffer(buffer, offset) => OpPlace::Buffer(buffer.clone(), offset),
            Place::HostBuffer(buffer, offset) => OpPlace::HostBuffer(buffer.clone(), offset),
            Place::Host(pointer) => OpPlace::Host(pointer),
            Place::Snapshot(bytes) => OpPlace::Snapshot(bytes.clone()),
        }
    }

    fn borrowed(&self) -> Place<'_> {
        match self {
            OpPlace::Buffer(buffer, offset) => Place::Buffer(buffer, *offset),
            OpPlace::HostBuffer(buffer, offset) => Place::HostBuffer(buffer, *offset),
            OpPlace::Host(pointer) => Place::Host(*pointer),
            OpPlace::Snapshot(bytes) => Place::Snapshot(bytes),
        }
    }
}

impl fmt::Debug for OpPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpPlace::Buffer(buffer, offset) => write!(f, "{buffer:?} + {offset}"),
            OpPlace::HostBuffer(buffer, offset) => write!(f, "Host{:?} + {offset}", buffer.memory()),
            OpPlace::Host(pointer) => pointer.fmt(f),
            OpPlace::Snapshot(bytes) => write!(f, "Snapshot({} bytes)", bytes.len()),
        }
    }
}

/// Copies `depth` slices of `height` rows of `width` bytes.
#[derive(Clone, Debug)]
pub struct MemcpyOp {
    /// What is written.
    pub destination: OpPlace,
    /// How far apart its rows are.
    pub destination_pitch: Pitch,
    /// What is read.
    pub source: OpPlace,
    /// How far apart its rows are.
    pub source_pitch: Pitch,
    /// Bytes in a row; with 0 nothing is copied.
    pub width: usize,
    /// Rows in a slice; with 0 nothing is copied.
    pub height: usize,
    /// Slices; with 0 nothing is copied.
    pub depth: usize,
}

impl MemcpyOp {
    /// Copies `bytes` bytes.
    pub fn new(destination: OpPlace, source: OpPlace, bytes: usize) -> MemcpyOp {
        let pitch = Pitch::default();
        MemcpyOp {
            destination,
            destination_pitch: pitch,
            source,
            source_pitch: pitch,
            width: bytes,
            height: 1,
            depth: 1,
        }
    }

    /// The copy, owned.
    pub fn of(copy: &Copy<'_>) -> MemcpyOp {
        let Copy { destination, destination_pitch, source, source_pitch, width, height, depth } = *copy;
        let (destination, source) = (OpPlace::of(&destination), OpPlace::of(&source));
        MemcpyOp { destination, destination_pitch, source, source_pitch, width, height, depth }
    }
}

impl GraphOp for MemcpyOp {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed("memcpy")
    }

    fn record(&self, at: &RecordContext) -> Result<()> {
        let MemcpyOp { destination, destination_pitch, source, source_pitch, width, height, depth } = self;
        at.stream().submit_node_work(&NodeWork::Memcpy(Copy {
            destination: destination.borrowed(),
            destination_pitch: *destination_pitch,
            source: source.borrowed(),
            source_pitch: *source_pitch,
            width: *width,
            height: *height,
            depth: *depth,
        }))
    }
}
