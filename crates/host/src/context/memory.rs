//! Memory: taken, pinned, given back.

use std::sync::Arc;

use super::HostContext;
use crate::engine::stream::Op;
use crate::engine::stream_list;
use crate::memory;
use crate::memory::graph_memory;
use crate::raw;
use graphcap_base::error::Result;
use graphcap_driver::{
    Address, AddressOrigin, GraphMemory, HostMemory, HostMemoryOptions, Memory, MemoryId, MemoryKind, Reserved,
    StreamId, Value,
};

impl Memory for HostContext {
    fn allocate(&self, bytes: usize, _: MemoryKind) -> Result<(MemoryId, Address)> {
        self.check_call()?;
        memory::allocate(bytes, self.ordinal())
    }

    fn adopt(&self, address: Address, bytes: usize, on_release: Box<dyn FnOnce() + Send>) -> Result<MemoryId> {
        self.check_call()?;
        memory::adopt(address, bytes, on_release)
    }

    fn lend(&self, _: u32) -> Result<()> {
        // All is memory of the process.
        Ok(())
    }

    fn borrow(&self, on_release: Box<dyn FnOnce() + Send>) -> Result<MemoryId> {
        Ok(memory::borrow(on_release))
    }

    fn entrust(&self, on_release: Box<dyn FnOnce() + Send>) -> Result<MemoryId> {
        self.check_call()?;
        Ok(memory::entrust(on_release))
    }

    fn release(&self, memory: MemoryId, used_by: &[StreamId]) {
        let release = Arc::new(memory::Release(memory));
        let mut users = Vec::new();
        used_by.iter().for_each(|&id| stream_list::users_of(&self.streams, id, &mut users));
        for stream in users.iter().filter(|stream| !stream.is_complete()) {
            stream.submit(stream.lock(), Op::Release(Arc::clone(&release)));
        }
    }

    fn releases_at_once(&self) -> bool {
        true
    }

    fn reserve(&self, bytes: Option<usize>, owner: &str) -> Result<Reserved> {
        self.check_call()?;
        memory::reserved::reserve(bytes, owner, self.ordinal())
    }

    fn back(&self, reserved: MemoryId, offset: usize, bytes: usize) -> Result<()> {
        self.check_call()?;
        memory::reserved::back(reserved, offset, bytes)
    }

    fn unback(&self, reserved: MemoryId, from: usize, end: usize) -> Result<usize> {
        self.check_call()?;
        memory::reserved::unback(reserved, from, end)
    }

    fn carve(
        &self,
        reserved: MemoryId,
        offset: usize,
        bytes: usize,
        on_release: Box<dyn FnOnce() + Send>,
    ) -> Result<(MemoryId, Address)> {
        self.check_call()?;
        memory::reserved::carve(reserved, offset, bytes, on_release)
    }

    fn memory_named(&self, address: Address, name: &str) {
        memory::guard::name(address, name);
    }

    fn check_guarded(&self) {
        memory::guard::check_all_when("when a graph was checked");
    }

    fn graph_memory(&self) -> Result<GraphMemory> {
        self.check_call()?;
        Ok(graph_memory::of(self.ordinal()))
    }

    fn graph_memory_reset_high(&self) -> Result<()> {
        self.check_call()?;
        graph_memory::reset_high(self.ordinal());
        Ok(())
    }

    fn trim(&self) -> Result<()> {
        self.check_call()
    }

    fn graph_memory_trim(&self) -> Result<()> {
        self.check_call()?;
        graph_memory::trim(self.ordinal());
        Ok(())
    }

    fn address_origin(&self, address: Address) -> Result<Option<AddressOrigin>> {
        self.check_call()?;
        Ok(memory::origin(address))
    }

    fn host_allocate(&self, bytes: usize, options: HostMemoryOptions) -> Result<HostMemory> {
        self.check_call()?;
        memory::host_allocate(bytes, options)
    }

    fn host_register(
        &self,
        address: Address,
        bytes: usize,
        options: HostMemoryOptions,
        on_release: Box<dyn FnOnce() + Send>,
    ) -> Result<HostMemory> {
        self.check_call()?;
        memory::host_register(address, bytes, options, on_release)
    }

    fn host_number(&self, address: Address, bytes: usize) -> u64 {
        match raw::load(address, if bytes == 4 { Value::U32(0) } else { Value::U64(0) }) {
            Value::U32(number) => u64::from(number),
            Value::U64(number) => number,
        }
    }

    fn host_set_number(&self, address: Address, number: u64) {
        raw::store(address, Value::U64(number));
    }

    fn host_bytes(&self, address: Address, to: &mut [u8]) {
        raw::copy(to.as_mut_ptr().expose_provenance() as Address, address, to.len());
    }
}
