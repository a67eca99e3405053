//! Copies and memsets on streams.

use std::ffi::{c_uint, c_void};

use super::stream::Stream;
use crate::api::{Api, DriverError, Memcpy3d, Memcpy3dSide, MEMORY_TYPE_DEVICE, MEMORY_TYPE_HOST};
use crate::shared::Shared;
use graphcap_base::error::Result;
use graphcap_driver::{Address, Memcpy, MemcpyKind, MemcpyRows, Memset, Steps, StreamId};

impl Shared {
    pub(crate) fn memcpy(&self, stream: StreamId, copy: Memcpy) -> Result<()> {
        // Without a current context the driver (580) records a copy of a pool's memory for no context. It then refuses updates
        // between that and nodes that have one, and crashes in a launch behind an update of a copy from or to the host.
        // cuMemcpyAsync was seen to crash by itself.
        let _current = self.map_error(self.device.enter())?;
        // SAFETY: the stream lives. Who submits promises host memory.
        self.record_on_stream(stream, |stream| unsafe { copy_row(self.api(), copy, stream) })
    }

    pub(crate) fn memcpy_rows(&self, stream: StreamId, copy: &MemcpyRows) -> Result<()> {
        let _current = self.map_error(self.device.enter())?;
        self.record_on_stream(stream, |stream| {
            let copy = match may_be_read_back(stream) {
                true => *copy,
                false => copy.joined(),
            };
            if copy.is_plain() {
                // SAFETY: the stream lives. Who submits promises host memory.
                return unsafe { copy_row(self.api(), copy.row, stream) };
            }
            let parameters = parameters(&copy, MEMORY_TYPE_DEVICE);
            // SAFETY: the stream lives, and so do the parameters. The driver checks device addresses; who submits promises host
            // memory.
            unsafe { self.api().cuMemcpy3DAsync_v2(&parameters, stream.native) }
        })
    }

    pub(crate) fn memset(&self, stream: StreamId, set: &Memset) -> Result<()> {
        let api = self.api();
        self.record_on_stream(stream, |stream| {
            let set = match may_be_read_back(stream) {
                true => *set,
                false => set.joined(),
            };
            let Memset { address, value, element_size, count, rows, pitch } = set;
            // SAFETY: the stream lives. The driver checks the address.
            unsafe {
                match (rows, pitch, element_size) {
                    (1, 0, 1) => api.cuMemsetD8Async(address, value as u8, count, stream.native),
                    (1, 0, 2) => api.cuMemsetD16Async(address, value as u16, count, stream.native),
                    (1, 0, _) => api.cuMemsetD32Async(address, value, count, stream.native),
                    (.., 1) => api.cuMemsetD2D8Async(address, pitch, value as u8, count, rows, stream.native),
                    (.., 2) => api.cuMemsetD2D16Async(address, pitch, value as u16, count, rows, stream.native),
                    _ => api.cuMemsetD2D32Async(address, pitch, value, count, rows, stream.native),
                }
            }
        })
    }
}

/// Returns whether work of the stream may become a node, which keeps its rows as they were given. Of other work few long rows are the
/// quickest.
fn may_be_read_back(stream: &Stream) -> bool {
    stream.apart().may_be_captured()
}

/// Copies one row.
///
/// # Safety
/// The stream lives, and is kept from begins and ends of captures. Host memory is there until the copy has run. The driver checks device
/// addresses.
unsafe fn copy_row(api: &Api, copy: Memcpy, stream: &Stream) -> Result<(), DriverError> {
    let Memcpy { destination, source, bytes, kind } = copy;
    let host = |address: Address| std::ptr::with_exposed_provenance_mut::<c_void>(address as usize);
    // SAFETY: passed on to the caller.
    unsafe {
        match kind {
            MemcpyKind::HostToDevice => api.cuMemcpyHtoDAsync_v2(destination, host(source), bytes, stream.native),
            MemcpyKind::DeviceToHost => api.cuMemcpyDtoHAsync_v2(host(destination), source, bytes, stream.native),
            MemcpyKind::DeviceToDevice => api.cuMemcpyDtoDAsync_v2(destination, source, bytes, stream.native),
            // Not cuMemcpyPeerAsync, which breaks a capture. The addresses tell which devices they are on.
            MemcpyKind::BetweenContexts | MemcpyKind::HostToHost => {
                api.cuMemcpyAsync(destination, source, bytes, stream.native)
            }
        }
    }
}

/// Returns what the driver is told of a copy. Memory that is not the host's is of the type `device`.
pub(crate) fn parameters(copy: &MemcpyRows, device: c_uint) -> Memcpy3d {
    let (is_to_host, is_from_host) = copy.row.kind.host_sides();
    let host = |address: Address| std::ptr::with_exposed_provenance_mut::<c_void>(address as usize);
    let slice_height = |steps: Steps| match steps.slice {
        0 => copy.height,
        slice => slice / steps.row.max(1),
    };
    let memory_type = |is_host| if is_host { MEMORY_TYPE_HOST } else { device };
    let (source, destination) = (copy.row.source, copy.row.destination);
    Memcpy3d {
        source: side(
            source,
            host(source).cast_const(),
            memory_type(is_from_host),
            copy.source.row,
            slice_height(copy.source),
        ),
        destination: side(
            destination,
            host(destination),
            memory_type(is_to_host),
            copy.destination.row,
            slice_height(copy.destination),
        ),
        width_in_bytes: copy.row.bytes,
        height: copy.height,
        depth: copy.depth,
    }
}

/// One side of a copy of rows.
fn side<P>(address: Address, host: P, memory_type: c_uint, pitch: usize, height: usize) -> Memcpy3dSide<P> {
    Memcpy3dSide {
        x_in_bytes: 0,
        y: 0,
        z: 0,
        lod: 0,
        memory_type,
        padding: 0,
        host,
        device: if memory_type == MEMORY_TYPE_HOST { 0 } else { address },
        array: std::ptr::null_mut(),
        reserved: std::ptr::null_mut(),
        pitch,
        height,
    }
}
