//! The tables of a picture: its objects, by names that no two of a kind have.

use std::collections::HashMap;

use super::{ConditionEntry, KernelEntry, MemoryEntry, MemoryKind, NamedEntry};
use graphcap_driver::{ConditionId, EventId, KernelId};

/// The objects of a picture, and where they stand in it.
#[derive(Default)]
pub(super) struct Tables {
    pub(super) memory: Vec<MemoryEntry>,
    by_start: HashMap<(MemoryKind, u64, u64), usize>,
    pub(super) kernels: Vec<KernelEntry>,
    pub(super) by_kernel: HashMap<(KernelId, String), usize>,
    pub(super) functions: Vec<NamedEntry>,
    pub(super) by_function: HashMap<usize, usize>,
    pub(super) events: Vec<NamedEntry>,
    pub(super) by_event: HashMap<EventId, usize>,
    pub(super) conditions: Vec<ConditionEntry>,
    pub(super) by_condition: HashMap<ConditionId, usize>,
    /// Names of objects of each kind that are taken, and by which number the next one is told that wants the name.
    taken: [HashMap<String, usize>; 4],
}

/// The kinds of objects that are called by names.
#[derive(Clone, Copy)]
pub(super) enum NameKind {
    Memory,
    Kernel,
    Function,
    Event,
}

impl Tables {
    /// A name that no other object of the kind has.
    pub(super) fn unique(&mut self, kind: NameKind, wanted: String) -> String {
        let taken = &mut self.taken[kind as usize];
        let Some(next) = taken.get_mut(&wanted) else {
            taken.insert(wanted.clone(), 2);
            return wanted;
        };
        let mut number = std::mem::take(next);
        let name = loop {
            let name = format!("{wanted} ({number})");
            number += 1;
            if !taken.contains_key(&name) {
                break name;
            }
        };
        taken.insert(wanted, number);
        taken.insert(name.clone(), 2);
        name
    }

    /// Returns where memory stands that is called `given`, or else by its kind and place.
    pub(super) fn memory(
        &mut self,
        key: (MemoryKind, u64, u64),
        given: Option<&str>,
        make: impl FnOnce(&mut MemoryEntry),
    ) -> usize {
        if let Some(&at) = self.by_start.get(&key) {
            return at;
        }
        let at = self.memory.len();
        let (kind, address, _) = key;
        let wanted = given.map_or_else(|| kind.usual_name(at), str::to_owned);
        let name = self.unique(NameKind::Memory, wanted);
        let (is_workspace, is_named) = (false, given.is_some());
        let mut memory = MemoryEntry { name, kind, bytes: None, data: None, is_workspace, address, is_named };
        make(&mut memory);
        self.memory.push(memory);
        self.by_start.insert(key, at);
        at
    }
}
