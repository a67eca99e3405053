//! What a thread runs just now, for the message of a trap. Noted where memory is guarded alone.

use std::cell::Cell;
use std::marker::PhantomData;

use super::check::{Checked, Declared};
use super::mode::is_on;

/// A kind of work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::driver::host) enum What {
    /// None of graphcap's.
    Nothing,
    Kernel,
    Copy,
    Memset,
    Values,
    HostFunction,
    /// A node of another kind.
    Node,
}

/// What a thread runs.
#[derive(Clone, Copy)]
pub(in crate::driver::host) struct Running {
    pub(super) what: What,
    pub(super) in_replay: bool,
    /// Where the name of the kernel starts, as a number, and how many bytes it has.
    pub(super) name: (usize, usize),
}

const NOTHING: Running = Running { what: What::Nothing, in_replay: false, name: (0, 0) };

thread_local! {
    static RUNNING: Cell<Running> = const { Cell::new(NOTHING) };
}

/// Until it is dropped, the thread is known to run something, whose name lives as long.
pub(in crate::driver::host) struct Turn<'a> {
    _checked: Option<Checked>,
    former: Option<Running>,
    name: PhantomData<&'a str>,
}

/// Notes what this thread runs from here on. `name` is that of a kernel.
#[inline]
pub(in crate::driver::host) fn runs(what: What, name: &str, in_replay: bool) -> Turn<'_> {
    let name = (name.as_ptr().expose_provenance(), name.len());
    Running { what, in_replay, name }.goes_on()
}

/// What this thread runs.
#[inline]
pub(in crate::driver::host) fn running() -> Running {
    match is_on() {
        true => here(),
        false => NOTHING,
    }
}

/// As [`running`], for a handler of a signal.
pub(super) fn here() -> Running {
    RUNNING.try_with(Cell::get).unwrap_or(NOTHING)
}

impl Running {
    /// Notes it for this thread, too, which helps the one that runs it, and ends before that.
    #[inline]
    pub(in crate::driver::host) fn goes_on<'a>(self) -> Turn<'a> {
        let former = is_on().then(|| RUNNING.try_with(|running| running.replace(self)).unwrap_or(NOTHING));
        Turn { _checked: None, former, name: PhantomData }
    }
}

impl Turn<'_> {
    /// Has the kernel run alone, with everything else than `declared` out of reach; with all in reach where that is not known.
    pub(in crate::driver::host) fn checking(mut self, declared: Option<Vec<Declared>>) -> Self {
        self._checked = declared.map(Checked::begin);
        self
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        drop(self._checked.take());
        if let Some(former) = self.former {
            let _ = RUNNING.try_with(|running| running.set(former));
        }
    }
}
