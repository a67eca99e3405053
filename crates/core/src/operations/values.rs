//! Value operations of a stream: writes of a value into a buffer, and waits until one is there.

use super::operands::{Operand, Operands};
use crate::captures::black_box::Operation;
use crate::objects::buffer::Buffer;
use crate::objects::home::Home;
use crate::state::Stream;
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::{Value, ValueAction, ValueOperation, Work, MOST_IN_A_BATCH};

/// A value operation on a buffer.
#[derive(Clone, Copy, Debug)]
pub struct StreamValue<'a> {
    /// The buffer.
    pub buffer: &'a Buffer,
    /// Place of the value in it, in bytes; its address is a multiple of the value's size.
    pub offset: usize,
    /// Value that is written or waited for.
    pub value: Value,
    /// Kind of the operation.
    pub action: ValueAction,
}

impl Operands for StreamValue<'_> {
    fn all(&self, is_so: impl FnMut(Operand<'_>) -> bool) -> bool {
        self.buffer.all(is_so)
    }
}

impl Stream {
    /// Writes a value into a buffer when the work before it has completed, or waits for one there: work that comes after
    /// a wait runs when the value is there, and other streams go on meanwhile. Recorded, it does so at each replay.
    ///
    /// # Errors
    /// `INVALID_VALUE` when the buffer was not allocated to be waited on, nor wrapped, when the value overruns
    /// it or does not lie at a multiple of its size; `INVALID_CONTEXT`;
    /// `NOT_SUPPORTED` where the device cannot do it; what the capture rules say.
    pub fn value_operation(&self, operation: &StreamValue<'_>) -> Result<()> {
        let submitted = operation.resolve(self.home())?;
        let name = match (operation.action, operation.value) {
            (ValueAction::Write { .. }, Value::U32(_)) => Operation::WriteValue32,
            (ValueAction::Write { .. }, Value::U64(_)) => Operation::WriteValue64,
            (ValueAction::Wait { .. }, Value::U32(_)) => Operation::WaitValue32,
            (ValueAction::Wait { .. }, Value::U64(_)) => Operation::WaitValue64,
        };
        self.submit_work(name, &[operation.buffer], &Work::Values(&[submitted]))
    }

    /// Does value operations one after another, as one piece of work and one node. No operations: nothing is queued.
    ///
    /// # Errors
    /// As [`Stream::value_operation`], and then none of them is done; `INVALID_VALUE` for more than 255.
    pub fn value_batch(&self, operations: &[StreamValue<'_>]) -> Result<()> {
        if operations.is_empty() {
            return Ok(());
        }
        let submitted = resolve_batch(operations, self.home())?;
        self.submit_work(Operation::BatchMemOp, &operations, &Work::Values(&submitted))
    }
}

/// The operations of a batch by the addresses that they are on.
///
/// # Errors
/// As [`Stream::value_batch`].
pub(crate) fn resolve_batch(operations: &[StreamValue<'_>], home: Home<'_>) -> Result<Vec<ValueOperation>> {
    if operations.len() > MOST_IN_A_BATCH {
        return Err(Error::invalid_value(format!(
            "a batch has at most {MOST_IN_A_BATCH} operations, not {}; submit several",
            operations.len()
        )));
    }
    let on_device = |(index, operation)| {
        StreamValue::resolve(operation, home)
            .map_err(|error| Error::new(error.status, format!("operation {index}: {}", error.message)))
    };
    let resolved = operations.iter().enumerate().map(on_device).collect::<Result<_>>()?;
    // A driver does all of a batch in one context.
    match operations.windows(2).position(|pair| !pair[0].is_beside(&pair[1])) {
        None => Ok(resolved),
        Some(before) => Err(on_several_devices(before + 1)),
    }
}

#[cold]
fn on_several_devices(index: usize) -> Error {
    Error::new(
        Status::INVALID_CONTEXT,
        format!(
            "operation {index}: the buffer is on another device than that of operation 0; make a batch for each device"
        ),
    )
}

/// Refuses memory that values are not written to, nor waited for.
///
/// # Errors
/// `INVALID_VALUE`.
pub(crate) fn check_memory(buffer: &Buffer) -> Result<()> {
    match buffer.takes_values() {
        true => Ok(()),
        false => Err(Error::invalid_value(
            "value operations do not work on memory of gc_buffer_allocate(), nor on managed memory; allocate the buffer with \
             gc_buffer_allocate_waitable() or gc_pool_allocate()",
        )),
    }
}

impl StreamValue<'_> {
    /// Returns whether both work on buffers of one device.
    fn is_beside(&self, other: &StreamValue<'_>) -> bool {
        self.buffer.context().is_beside(other.buffer.context())
    }

    /// The operation by the address that it is on.
    pub(crate) fn resolve(&self, home: Home<'_>) -> Result<ValueOperation> {
        let StreamValue { buffer, offset, value, action } = *self;
        home.check(buffer.context(), "the buffer")?;
        check_memory(buffer)?;
        let bytes = value.bytes();
        let address = buffer.device_range("buffer", offset, bytes)?;
        if !address.is_multiple_of(bytes as u64) {
            return Err(Error::invalid_value(format!(
                "offset {offset} puts the value at address {address:#x}, which is no multiple of its {bytes} bytes; align it"
            )));
        }
        Ok(ValueOperation { address, value, action })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faulty::Faulty;
    use graphcap_driver::rules::CaptureMode;
    use graphcap_driver::{Attach, Comparison, MemoryKind, StreamOptions};

    const WRITE: ValueAction = ValueAction::Write { barrier: true };
    const WAIT: ValueAction = ValueAction::Wait { comparison: Comparison::GreaterOrEqual, flush: false };

    #[test]
    fn graphs_keep_the_buffers_of_values_and_batches() {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let buffers: Vec<_> =
            (0..3).map(|_| Buffer::allocate_as(&context, 16, MemoryKind::Waitable).unwrap()).collect();
        let one = |buffer, action| StreamValue { buffer, offset: 8, value: Value::U64(1), action };
        stream.begin_capture(CaptureMode::Relaxed).unwrap();
        stream.value_operation(&one(&buffers[0], WAIT)).unwrap();
        stream.value_batch(&[one(&buffers[1], WRITE), one(&buffers[2], WAIT)]).unwrap();
        let graph = stream.end_capture().unwrap();
        assert_eq!(graph.node_count().unwrap(), 2);
        drop(buffers);
        assert_eq!(driver.released(), []);
        drop(graph);
        assert_eq!(driver.released().len(), 3);
        assert_eq!(driver.violations(), Vec::<String>::new());
    }

    #[test]
    fn a_batch_with_one_wrong_operation_does_none() {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let buffer = Buffer::allocate_as(&context, 16, MemoryKind::Waitable).unwrap();
        let at = |offset, value| StreamValue { buffer: &buffer, offset, value, action: WRITE };
        for wrong in [at(13, Value::U32(0)), at(2, Value::U32(0)), at(4, Value::U64(0)), at(usize::MAX, Value::U64(0))]
        {
            assert_eq!(stream.value_operation(&wrong).unwrap_err().status, Status::INVALID_VALUE);
            let error = stream.value_batch(&[at(0, Value::U64(1)), wrong]).unwrap_err();
            assert!(error.status == Status::INVALID_VALUE && error.message.starts_with("operation 1: "), "{error}");
        }
        let many = [at(0, Value::U32(1)); 256];
        assert_eq!(stream.value_batch(&many).unwrap_err().status, Status::INVALID_VALUE);
        stream.value_batch(&[]).unwrap();
        assert_eq!(driver.executed(), []);
        stream.value_batch(&many[1..]).unwrap();
        assert_eq!(driver.executed(), [stream.id()]);
    }

    #[test]
    fn memory_of_other_kinds_is_refused() {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        for kind in [MemoryKind::Pooled, MemoryKind::Managed(Attach::Global)] {
            let buffer = Buffer::allocate_as(&context, 16, kind).unwrap();
            let write = StreamValue { buffer: &buffer, offset: 0, value: Value::U32(1), action: WRITE };
            let error = stream.value_operation(&write).unwrap_err();
            assert!(error.status == Status::INVALID_VALUE && error.message.contains("waitable"), "{error}");
        }
        assert_eq!(driver.executed(), []);
    }
}
