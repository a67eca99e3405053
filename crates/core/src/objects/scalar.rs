//! A scalar: a typed value in device memory, which streams update between replays.

use std::fmt;
use std::sync::Arc;

use super::buffer::Buffer;
use super::host_buffer::HostBuffer;
use super::scalar_value::{ScalarType, ScalarValue};
use crate::captures::guarded;
use crate::graphs::graph::Graph;
use crate::operations::copy::{Copy as MemoryCopy, CopySide};
use crate::operations::values::{resolve_batch, StreamValue};
use crate::state::{Context, Stream};
use graphcap_base::error::{Error, Result};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::{
    check_caller, Address, ConditionId, HostMemoryOptions, MemoryKind, NodeId, ValueAction, Work, MOST_IN_A_BATCH,
};

/// One value in device memory, of a type.
///
/// It is part of a block, whose buffer graphs and queued work keep alive. Updates are ordered by the streams that they are
/// made on: the replays behind an update on its stream see the value.
#[derive(Clone)]
pub struct Scalar {
    block: Arc<Block>,
    offset: usize,
    of: ScalarType,
}

/// Memory that the scalars share which were made together.
struct Block {
    buffer: Buffer,
    /// Memory that values are read to, while nobody reads one.
    staging: Mutex<Option<HostBuffer>, rank::Staging>,
}

/// A write whose value is seen together with all that the stream wrote before.
const WRITE: ValueAction = ValueAction::Write { barrier: true };

impl Scalar {
    /// Makes a scalar of the context of `stream`. Its first value is written in the order of the stream.
    ///
    /// # Errors
    /// As [`Scalar::create_block`].
    pub fn create(stream: &Stream, initial: impl Into<ScalarValue>) -> Result<Scalar> {
        let initial = initial.into();
        let block = Block::create(stream, initial.scalar_type().bytes())?;
        let scalar = Scalar { block, offset: 0, of: initial.scalar_type() };
        scalar.update(stream, initial)?;
        Ok(scalar)
    }

    /// Makes several scalars that share one buffer. They lie there as the members of a C struct of their types do, in this
    /// order. Their first values are written in the order of the stream.
    ///
    /// # Errors
    /// `INVALID_VALUE` for no scalars, and for more than 255; `OUT_OF_MEMORY`; and as [`Scalar::update`].
    pub fn create_block(stream: &Stream, initial: &[ScalarValue]) -> Result<Vec<Scalar>> {
        if initial.is_empty() {
            return Err(Error::invalid_value("a block of 0 scalars cannot be made; give at least 1 value"));
        }
        check_count(initial.len())?;
        let mut bytes = 0usize;
        let mut place = |value: &ScalarValue| {
            let offset = bytes.next_multiple_of(value.scalar_type().bytes());
            bytes = offset + value.scalar_type().bytes();
            offset
        };
        let offsets: Vec<_> = initial.iter().map(&mut place).collect();
        let block = Block::create(stream, bytes)?;
        let of_block = |(&offset, value): (&usize, &ScalarValue)| Scalar {
            block: Arc::clone(&block),
            offset,
            of: value.scalar_type(),
        };
        let scalars: Vec<_> = offsets.iter().zip(initial).map(of_block).collect();
        let updates: Vec<_> = scalars.iter().zip(initial.iter().copied()).collect();
        Scalar::update_many(stream, &updates)?;
        Ok(scalars)
    }

    /// Changes the value when the work that was submitted to `stream` before has completed. Work that is submitted to the
    /// stream afterwards sees the new value, work before does not. Work of other streams is for the caller to order.
    ///
    /// # Errors
    /// `INVALID_VALUE` when the value is of another type than the scalar; `INVALID_CONTEXT`; `ILLEGAL_STATE` while the
    /// stream is being captured, and `CAPTURE_INVALIDATED` while it is in a broken capture; `CAPTURE_IMPLICIT` on the
    /// legacy stream while a blocking stream is captured, none of which harms a capture; `NOT_SUPPORTED` where the device
    /// does not write values of that size.
    pub fn update(&self, stream: &Stream, value: impl Into<ScalarValue>) -> Result<()> {
        let write = self.write(value.into())?;
        let resolved = write.resolve(stream.home())?;
        stream.submit_uncaptured("gc_scalar_update", &[&self.block.buffer], &Work::Values(&[resolved]))
    }

    /// Changes several scalars by one piece of work, in this order. No updates: nothing is queued.
    ///
    /// # Errors
    /// As [`Scalar::update`], and then none of them is changed; `INVALID_VALUE` for more than 255.
    pub fn update_many<'a>(stream: &Stream, updates: &[(&'a Scalar, ScalarValue)]) -> Result<()> {
        check_count(updates.len())?;
        if updates.is_empty() {
            return Ok(());
        }
        let write = |(index, &(scalar, value)): (usize, &(&'a Scalar, ScalarValue))| {
            let told = |error: Error| Error::new(error.status, format!("update {index}: {}", error.message));
            scalar.write(value).map_err(told)
        };
        let writes = updates.iter().enumerate().map(write).collect::<Result<Vec<_>>>()?;
        let resolved = resolve_batch(&writes, stream.home())?;
        stream.submit_uncaptured("gc_scalar_update_many", &writes.as_slice(), &Work::Values(&resolved))
    }

    /// Reads the value as it is when the work that was submitted to `stream` before has completed, for which the call waits.
    ///
    /// # Errors
    /// `ILLEGAL_STATE` while the stream is being captured, and the capture goes on; otherwise as [`Stream::synchronize`].
    pub fn read(&self, stream: &Stream) -> Result<ScalarValue> {
        check_caller()?;
        stream.check_uncaptured()?;
        guarded::question(stream)?;
        let context = self.context();
        let present = lock(&self.block.staging).take();
        let staging = match present {
            Some(staging) => staging,
            None => HostBuffer::allocate(context, size_of::<u64>(), HostMemoryOptions::default())?,
        };
        let (to, from) = (CopySide::HostBuffer(&staging, 0), CopySide::Buffer(&self.block.buffer, self.offset));
        let copy = MemoryCopy::of(to, from, self.of.bytes());
        if let Some(rows) = copy.resolve(stream.home())? {
            stream.submit_uncaptured("gc_scalar_read", &copy.operands(), &Work::Memcpy { rows, snapshot: None })?;
        }
        // A copy that was not waited for may still write: the staging memory goes with it then.
        stream.synchronize()?;
        let bits = context.driver_even_if_stale().host_number(staging.address(), self.of.bytes());
        let former = lock(&self.block.staging).replace(staging);
        drop(former);
        Ok(ScalarValue::from_bits(self.of, bits))
    }

    /// Adds a node that sets a condition to the value, as it is when the node runs, to a graph.
    ///
    /// # Errors
    /// `INVALID_VALUE` unless the scalar is a number of 32 bits; and as [`Graph::add_condition_setter`].
    pub fn add_condition_setter(
        &self,
        graph: &Graph,
        dependencies: &[NodeId],
        condition: ConditionId,
    ) -> Result<NodeId> {
        self.check_condition()?;
        graph.add_condition_setter(dependencies, condition, &self.block.buffer, self.offset)
    }

    /// Records on a stream that a condition is set to the value, as it is when the graph comes there.
    ///
    /// # Errors
    /// `INVALID_VALUE` unless the scalar is a number of 32 bits; and as [`Stream::capture_condition_setter`].
    pub fn capture_condition_setter(&self, stream: &Stream, condition: ConditionId) -> Result<()> {
        self.check_condition()?;
        stream.capture_condition_setter(condition, &self.block.buffer, self.offset)
    }

    /// Fails unless a condition can have the value.
    fn check_condition(&self) -> Result<()> {
        match self.of {
            ScalarType::U32 | ScalarType::I32 => Ok(()),
            of => Err(Error::invalid_value(format!(
                "the scalar is of type {of}, and a condition is a number of 32 bits; make the scalar of type u32 or i32"
            ))),
        }
    }

    /// Its type.
    pub fn scalar_type(&self) -> ScalarType {
        self.of
    }

    /// The buffer of its block.
    pub fn buffer(&self) -> &Buffer {
        &self.block.buffer
    }

    /// Returns its place in its buffer, in bytes.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Returns its address, as kernels see it.
    pub fn address(&self) -> Address {
        self.block.buffer.address() + self.offset as u64
    }

    /// The context that it belongs to.
    pub fn context(&self) -> &Context {
        self.block.buffer.context()
    }

    /// Fails unless it is of the type.
    ///
    /// # Errors
    /// `INVALID_VALUE`.
    pub fn check_type(&self, of: ScalarType) -> Result<()> {
        if of == self.of {
            Ok(())
        } else {
            Err(self.of.is_not(of))
        }
    }

    /// The write that changes it.
    fn write(&self, value: ScalarValue) -> Result<StreamValue<'_>> {
        self.check_type(value.scalar_type())?;
        Ok(StreamValue { buffer: &self.block.buffer, offset: self.offset, value: value.written(), action: WRITE })
    }
}

impl Block {
    fn create(stream: &Stream, bytes: usize) -> Result<Arc<Block>> {
        check_caller()?;
        stream.check_uncaptured()?;
        let buffer = Buffer::allocate_as(stream.context(), bytes, MemoryKind::Waitable)?;
        Ok(Arc::new(Block { buffer, staging: Mutex::new(None) }))
    }
}

fn check_count(count: usize) -> Result<()> {
    if count <= MOST_IN_A_BATCH {
        return Ok(());
    }
    Err(Error::invalid_value(format!(
        "{count} scalars cannot be written by one piece of work, which has at most {MOST_IN_A_BATCH} writes; make several calls"
    )))
}

impl fmt::Debug for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Scalar({} at {:#x})", self.of, self.address())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faulty::Faulty;
    use graphcap_base::error::Status;
    use graphcap_driver::rules::CaptureMode;
    use graphcap_driver::StreamOptions;

    fn values() -> Vec<ScalarValue> {
        vec![1i32.into(), 2f64.into(), 3u32.into(), 4f32.into(), 5u64.into(), 6i64.into()]
    }

    #[test]
    fn a_block_is_laid_out_as_a_struct() {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let scalars = Scalar::create_block(&stream, &values()).unwrap();
        let offsets: Vec<_> = scalars.iter().map(Scalar::offset).collect();
        assert_eq!(offsets, [0, 8, 16, 20, 24, 32]);
        assert!(scalars
            .iter()
            .all(|scalar| scalar.buffer().size() == 40 && scalar.buffer().address() == scalars[0].address()));
        assert_eq!(scalars[3].address(), scalars[0].address() + 20);
        // One piece of work for all.
        assert_eq!(driver.executed().len(), 1);
        let of: Vec<_> = values().into_iter().map(ScalarValue::scalar_type).collect();
        assert_eq!(scalars.iter().map(Scalar::scalar_type).collect::<Vec<_>>(), of);
        drop(scalars);
        assert_eq!(driver.released().len(), 1);
        assert_eq!(driver.violations(), Vec::<String>::new());
    }

    #[test]
    fn counts_and_types_are_checked_before_the_driver_is_asked() {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let refused = |result: Result<()>, part: &str| {
            let error = result.unwrap_err();
            assert!(error.status == Status::INVALID_VALUE && error.message.contains(part), "{error}");
        };
        refused(Scalar::create_block(&stream, &[]).map(drop), "0 scalars");
        refused(Scalar::create_block(&stream, &[1u32.into(); 256]).map(drop), "256 scalars");
        let scalar = Scalar::create(&stream, 1f32).unwrap();
        let calls = driver.calls();
        refused(scalar.update(&stream, 1f64), "of type f32, not f64");
        let updates = [(&scalar, 2f32.into()), (&scalar, 2i32.into())];
        refused(Scalar::update_many(&stream, &updates), "update 1: the scalar is of type f32, not i32");
        refused(Scalar::update_many(&stream, &[(&scalar, 1f32.into()); 256]), "256 scalars");
        Scalar::update_many(&stream, &[]).unwrap();
        assert_eq!(driver.calls(), calls);
        Scalar::update_many(&stream, &[(&scalar, 1f32.into()); 255]).unwrap();
        assert_eq!(driver.executed().len(), 2);
    }

    #[test]
    fn a_stream_that_is_captured_takes_no_update_and_goes_on() {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let other = Stream::create(&context, StreamOptions::default()).unwrap();
        let scalar = Scalar::create(&stream, 1f32).unwrap();
        let executed = driver.executed().len();
        stream.begin_capture(CaptureMode::Global).unwrap();
        for refused in [
            Scalar::create(&stream, 1f32).map(drop),
            scalar.update(&stream, 2f32),
            Scalar::update_many(&stream, &[(&scalar, 2f32.into())]),
            scalar.read(&stream).map(drop),
        ] {
            let error = refused.unwrap_err();
            assert!(error.status == Status::ILLEGAL_STATE && error.message.contains("goes on"), "{error}");
        }
        scalar.update(&other, 3f32).unwrap();
        stream.memset(scalar.buffer(), 0, 0, 1, 4).unwrap();
        let graph = stream.end_capture().unwrap();
        assert_eq!((graph.node_count().unwrap(), driver.executed().len()), (1, executed + 1));
        drop(scalar);
        assert_eq!(driver.released(), [], "the graph keeps its block");
        drop(graph);
        assert_eq!(driver.released().len(), 1);
        assert_eq!(driver.violations(), Vec::<String>::new());
    }

    #[test]
    fn what_a_failed_read_may_still_write_is_let_go_of() {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let scalar = Scalar::create(&stream, 1u64).unwrap();
        assert_eq!(scalar.read(&stream), Ok(1u64.into()));
        assert_eq!(scalar.read(&stream), Ok(1u64.into()));
        assert_eq!(driver.released(), []);
        driver.fail("stream_synchronize", Status::LAUNCH_FAILED);
        assert_eq!(scalar.read(&stream).unwrap_err().status, Status::LAUNCH_FAILED);
        let released = driver.released();
        assert!(released.len() == 1 && released[0].1 == [stream.id()], "{released:?}");
        assert_eq!(scalar.read(&stream), Ok(1u64.into()));
        drop(scalar);
        assert_eq!((driver.released().len(), driver.violations()), (3, Vec::new()));
    }

    #[test]
    fn a_failed_create_leaves_nothing_behind() {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let live = driver.live();
        for call in ["allocate", "value_operations"] {
            driver.fail(call, Status::OUT_OF_MEMORY);
            assert_eq!(Scalar::create(&stream, 1f32).unwrap_err().status, Status::OUT_OF_MEMORY, "{call}");
            driver.fail(call, Status::OUT_OF_MEMORY);
            assert_eq!(Scalar::create_block(&stream, &values()).unwrap_err().status, Status::OUT_OF_MEMORY, "{call}");
            assert_eq!(driver.live(), live);
        }
    }
}
