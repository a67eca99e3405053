//! Copies that a stream is given together: one call of the driver's where it has that, else one after another.

use std::ffi::c_uint;

use cudarc::driver::sys::CUdevice_attribute;

use crate::api::limits::attribute;
use crate::api::{Api, DriverError, MemcpyAttributes, StreamHandle};
use crate::context::CudaContext;
use graphcap_base::error::Status;
use graphcap_base::room;
use graphcap_driver::rules;
use graphcap_driver::{BatchCopy, BatchError, StreamId};

/// One copy alone costs no less in a batch.
const FEWEST: usize = 2;

/// `CU_MEMCPY_SRC_ACCESS_ORDER_STREAM`: sources are read when the stream comes to the copies.
const STREAM_ORDER: c_uint = 1;

/// The result of calls about several copies.
type Result<T> = std::result::Result<T, BatchError>;

/// The arrays that the driver takes.
struct Batch {
    destinations: Vec<u64>,
    sources: Vec<u64>,
    sizes: Vec<usize>,
    /// The place of each among all copies of the call.
    indices: Vec<usize>,
}

impl Batch {
    /// Collects those copies for which `is_fit` holds.
    fn of(copies: &[BatchCopy<'_>], is_fit: impl Fn(&BatchCopy<'_>) -> bool) -> Result<Batch> {
        let count = copies.len();
        let mut batch = Batch {
            destinations: room::list(count)?,
            sources: room::list(count)?,
            sizes: room::list(count)?,
            indices: room::list(count)?,
        };
        for (index, copy) in copies.iter().enumerate().filter(|(_, copy)| is_fit(copy)) {
            batch.destinations.push(copy.rows.row.destination);
            batch.sources.push(copy.rows.row.source);
            batch.sizes.push(copy.rows.row.bytes);
            batch.indices.push(index);
        }
        Ok(batch)
    }

    /// Queues the copies. `failed` becomes the place in the batch of the one that the driver blames, where it tells.
    ///
    /// # Safety
    /// `stream` is a live stream that no other thread destroys meanwhile, and its context is current. Who submitted the copies
    /// promises host memory; the driver checks device addresses.
    unsafe fn submit(
        &mut self,
        api: &Api,
        stream: StreamHandle,
        failed: &mut usize,
    ) -> std::result::Result<(), DriverError> {
        let mut attributes = MemcpyAttributes { source_order: STREAM_ORDER, ..MemcpyAttributes::default() };
        let (mut first, count) = (0, self.sizes.len());
        let [destinations, sources] = [&mut self.destinations, &mut self.sources].map(|list| list.as_mut_ptr());
        let sizes = self.sizes.as_mut_ptr();
        // SAFETY: each array has `count` elements, and there is one set of attributes, which begins at the first copy. The caller
        // promises the stream.
        unsafe {
            let newer =
                api.cuMemcpyBatchAsync_v2(destinations, sources, sizes, count, &mut attributes, &mut first, 1, stream);
            match newer {
                Err(DriverError { status: Status::NOT_SUPPORTED, .. }) => api.cuMemcpyBatchAsync(
                    destinations,
                    sources,
                    sizes,
                    count,
                    &mut attributes,
                    &mut first,
                    1,
                    failed,
                    stream,
                ),
                answer => answer,
            }
        }
    }
}

impl CudaContext {
    /// Queues copies, or records them one after another.
    pub(super) fn memcpy_batch(&self, stream: StreamId, copies: &[BatchCopy<'_>]) -> Result<()> {
        let takes_host_addresses = self.takes_host_addresses(copies);
        let is_fit = |copy: &BatchCopy<'_>| goes_together(copy, takes_host_addresses);
        let are_queued = self.queue_together(stream, &mut Batch::of(copies, is_fit)?)?;
        let mut rest = copies.iter().enumerate().filter(|(_, copy)| !are_queued || !is_fit(copy));
        rest.try_for_each(|(index, copy)| {
            self.submit_other(stream, &copy.work()).map_err(|error| BatchError::at(index, error))
        })
    }

    /// Queues copies by one call of the driver's; false where it takes none, and then none is queued.
    fn queue_together(&self, id: StreamId, batch: &mut Batch) -> Result<bool> {
        // The driver refuses the legacy stream, by whichever of its handles.
        if id == StreamId::LEGACY || batch.indices.len() < FEWEST {
            return Ok(false);
        }
        let mut failed = usize::MAX;
        // Without a current context the driver refuses.
        let _current = self.map_error(self.device.enter())?;
        // SAFETY: the stream lives, and the context is current.
        let answer =
            self.record_on_stream(id, |stream| unsafe { batch.submit(self.api(), stream.native, &mut failed) });
        match answer {
            Ok(()) => Ok(true),
            // A driver before 12.8; or the stream is in a capture by now, which the call does not harm: single copies are recorded.
            Err(error) if matches!(error.status, Status::NOT_SUPPORTED | rules::BARRED) => Ok(false),
            Err(error) => Err(BatchError { index: batch.indices.get(failed).copied(), error }),
        }
    }

    /// True where the addresses of the host's may stand for registered host memory in a batch, or where `copies` have none. Elsewhere
    /// the driver translates them for single copies alone, and a batch faults.
    fn takes_host_addresses(&self, copies: &[BatchCopy<'_>]) -> bool {
        if copies.iter().all(is_on_devices) {
            return true;
        }
        let of = CUdevice_attribute::CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM;
        attribute(self.api(), self.primary.ordinal, of).is_some_and(|value| value != 0)
    }
}

/// True of a copy whose sides are device memory.
fn is_on_devices(copy: &BatchCopy<'_>) -> bool {
    copy.rows.row.kind.host_sides() == (false, false)
}

/// True of a copy that the driver's batch takes. A snapshot may be gone when the stream comes to the copy: it is read during a call of
/// its own.
fn goes_together(copy: &BatchCopy<'_>, takes_host_addresses: bool) -> bool {
    let has_fit_sides = takes_host_addresses || is_on_devices(copy);
    copy.snapshot.is_none() && copy.rows.is_one() && has_fit_sides
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use graphcap_driver::{Memcpy, MemcpyKind, MemcpyRows, Steps};

    fn copy(kind: MemcpyKind, height: usize) -> BatchCopy<'static> {
        let row = Memcpy { destination: 0x1000, source: 0x2000, bytes: 8, kind };
        let steps = Steps { row: 16, slice: 16 * height };
        BatchCopy { rows: MemcpyRows { row, height, depth: 1, destination: steps, source: steps }, snapshot: None }
    }

    #[test]
    fn rows_snapshots_and_addresses_that_need_translation_go_alone() {
        use MemcpyKind::{DeviceToDevice, DeviceToHost, HostToDevice, HostToHost};
        for kind in [DeviceToDevice, DeviceToHost, HostToDevice, HostToHost] {
            assert!(goes_together(&copy(kind, 1), true), "{kind:?}");
            assert!(!goes_together(&copy(kind, 2), true), "{kind:?}");
            assert_eq!(goes_together(&copy(kind, 1), false), kind == DeviceToDevice);
        }
        let bytes = Arc::new(vec![0; 8]);
        assert!(!goes_together(&BatchCopy { snapshot: Some(&bytes), ..copy(HostToDevice, 1) }, true));
    }

    #[test]
    fn a_batch_knows_where_its_copies_stand_in_the_call() {
        let copies = [2, 1, 2, 1].map(|height| copy(MemcpyKind::DeviceToDevice, height));
        let batch = Batch::of(&copies, |copy| goes_together(copy, true)).unwrap();
        assert_eq!((batch.indices, batch.sizes), (vec![1, 3], vec![8, 8]));
        assert_eq!((batch.destinations, batch.sources), (vec![0x1000; 2], vec![0x2000; 2]));
    }
}
