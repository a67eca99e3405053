//! Statements about kernels of others, by their names.

use std::ffi::c_char;
use std::sync::Arc;

use crate::ffi::boundary::{options, Failure, Result};
use crate::ffi::objects::kernel::access;
use graphcap_base::error::Error;
use graphcap_kit::KernelStatement;

/// gc_kernel_statement::offset: each word of the parameter.
pub const GRAPHCAP_STATEMENT_EACH_WORD: u32 = 4294967295;

/// Statement about kernels by their names, for kernels of others. It goes behind what the launch and gc_kernel_set_accesses() state. It
/// has no struct_size and keeps its 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_kernel_statement {
    /// Pattern of the names, mangled or not: `*` stands for any characters, `?` for one.
    pub kernel: *const c_char,
    /// Number of the parameter, counted from 0; 0 where the launch has one block of arguments.
    pub parameter: u32,
    /// Place of the address in the parameter or block, in bytes; or GRAPHCAP_STATEMENT_EACH_WORD.
    pub offset: u32,
    /// GRAPHCAP_ACCESS_READ, GRAPHCAP_ACCESS_WRITE, GRAPHCAP_ACCESS_READ_WRITE, or GRAPHCAP_ACCESS_NONE for no address.
    pub access: u32,
    /// 0.
    pub reserved: u32,
}

/// Reads statements about kernels.
///
/// # Safety
/// `statements` is NULL or points to `count` elements, whose texts end with a NUL.
pub(super) unsafe fn statements(
    statements: *const gc_kernel_statement,
    count: u64,
    argument: &'static str,
) -> Result<Arc<[KernelStatement]>> {
    let count = usize::try_from(count).map_err(|_| Failure::NoArray { argument, count: usize::MAX })?;
    // SAFETY: passed on to the caller.
    let statements = unsafe { options::elements(statements, count, argument) }?.unwrap_or_default();
    let read = |one: &gc_kernel_statement| {
        if one.reserved != 0 {
            return Err(Error::invalid_value(format!(
                "{argument}: the reserved member of a statement is not 0; set it to 0"
            ))
            .into());
        }
        Ok(KernelStatement {
            // SAFETY: passed on to the caller.
            pattern: unsafe { options::text(one.kernel, argument) }?.to_owned(),
            parameter: one.parameter as usize,
            offset: (one.offset != GRAPHCAP_STATEMENT_EACH_WORD).then_some(one.offset as usize),
            access: access(one.access, argument)?,
        })
    };
    statements.iter().map(read).collect()
}
