//! Value operations: submitted to streams, and as the driver tells of them.

use std::ffi::c_uint;

use crate::api::{Api, DriverError, MemOp, StreamHandle};
use crate::shared::Shared;
use graphcap_base::error::Result;
use graphcap_driver::{Comparison, StreamId, Value, ValueAction, ValueOperation};

/// The driver's flag of a wait that flushes.
const FLUSH: c_uint = 1 << 30;

// CUstreamBatchMemOpType.
const WAIT_32: c_uint = 1;
const WRITE_32: c_uint = 2;
const WAIT_64: c_uint = 4;
const WRITE_64: c_uint = 5;

fn flags(action: ValueAction) -> c_uint {
    match action {
        // To do without the barrier is allowed, and the driver's functions of this kind refuse to be told.
        ValueAction::Write { .. } => 0,
        ValueAction::Wait { comparison, flush } => comparison as c_uint | if flush { FLUSH } else { 0 },
    }
}

impl Shared {
    pub(crate) fn value_operations(&self, stream: StreamId, operations: &[ValueOperation]) -> Result<()> {
        let api = self.api();
        if let [operation] = operations {
            // SAFETY: the stream lives.
            return self.record_on_stream(stream, |stream| unsafe { submit(api, stream.native, operation) });
        }
        let mut entries: Vec<_> = operations.iter().map(entry).collect();
        // SAFETY: the stream lives, and there are as many entries as told; the driver copies them. It checks the addresses.
        self.record_on_stream(stream, |stream| unsafe {
            api.cuStreamBatchMemOp_v2(stream.native, entries.len() as c_uint, entries.as_mut_ptr(), 0)
        })
    }
}

/// Submits one operation.
///
/// # Safety
/// `stream` is a live stream, and no other thread destroys it meanwhile.
unsafe fn submit(api: &Api, stream: StreamHandle, operation: &ValueOperation) -> Result<(), DriverError> {
    let ValueOperation { address, value, action } = *operation;
    // SAFETY: the caller promises the stream. The driver checks the address.
    unsafe {
        match (action, value) {
            (ValueAction::Write { .. }, Value::U32(value)) => {
                api.cuStreamWriteValue32_v2(stream, address, value, flags(action))
            }
            (ValueAction::Write { .. }, Value::U64(value)) => {
                api.cuStreamWriteValue64_v2(stream, address, value, flags(action))
            }
            (ValueAction::Wait { .. }, Value::U32(value)) => {
                api.cuStreamWaitValue32_v2(stream, address, value, flags(action))
            }
            (ValueAction::Wait { .. }, Value::U64(value)) => {
                api.cuStreamWaitValue64_v2(stream, address, value, flags(action))
            }
        }
    }
}

/// An entry of a batch.
pub(crate) fn entry(operation: &ValueOperation) -> MemOp {
    let ValueOperation { address, value, action } = *operation;
    let (number, value) = match (action, value) {
        (ValueAction::Write { .. }, Value::U32(value)) => (WRITE_32, u64::from(value)),
        (ValueAction::Write { .. }, Value::U64(value)) => (WRITE_64, value),
        (ValueAction::Wait { .. }, Value::U32(value)) => (WAIT_32, u64::from(value)),
        (ValueAction::Wait { .. }, Value::U64(value)) => (WAIT_64, value),
    };
    MemOp { operation: number, address, value, flags: flags(action), ..MemOp::default() }
}

/// Returns what the driver tells of an operation; `None` for one that graphcap does not submit.
pub(crate) fn operation(entry: &MemOp) -> Option<ValueOperation> {
    let comparison = || {
        Some(match entry.flags & !FLUSH {
            0 => Comparison::GreaterOrEqual,
            1 => Comparison::Equal,
            2 => Comparison::And,
            3 => Comparison::Nor,
            _ => return None,
        })
    };
    let action = match entry.operation {
        WRITE_32 | WRITE_64 => ValueAction::Write { barrier: true },
        WAIT_32 | WAIT_64 => ValueAction::Wait { comparison: comparison()?, flush: entry.flags & FLUSH != 0 },
        _ => return None,
    };
    let value = match entry.operation {
        // The other half is of the union, and may be anything.
        WRITE_32 | WAIT_32 => Value::U32(entry.value as u32),
        _ => Value::U64(entry.value),
    };
    Some(ValueOperation { address: entry.address, value, action })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_tell_what_they_were_made_of() {
        let comparisons = [Comparison::GreaterOrEqual, Comparison::Equal, Comparison::And, Comparison::Nor];
        let waits = comparisons
            .into_iter()
            .flat_map(|comparison| [true, false].map(|flush| ValueAction::Wait { comparison, flush }));
        for action in waits.chain([ValueAction::Write { barrier: true }]) {
            for value in [Value::U32(0x8765_4321), Value::U64(0x1234_5678_9abc_def0)] {
                let given = ValueOperation { address: 0x1000, value, action };
                assert_eq!(operation(&entry(&given)), Some(given));
            }
        }
        assert_eq!(operation(&MemOp { operation: 6, ..MemOp::default() }), None);
        assert_eq!(operation(&MemOp { operation: WAIT_32, flags: 4, ..MemOp::default() }), None);
    }
}
