//! The handler of SIGSEGV: tells what was touched and by what, where that is guarded memory, and goes on with the handler that was
//! there before. It takes no lock and allocates nothing.

use std::ffi::{c_int, c_void};
use std::fmt::{self, Write as _};
use std::sync::OnceLock;

use super::check;
use super::pages;
use super::running::{self, Noted, Running, What};
use super::space::{self, BytePlace, Text};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::names::write_quoted;
use graphcap_driver::Address;

/// Beginning of messages.
pub(super) const PREFIX: &str = "graphcap: GRAPHCAP_HOST_MEMORY=guard:";

/// The handler that was there before.
static FORMER: OnceLock<libc::sigaction> = OnceLock::new();

type Simple = extern "C" fn(c_int);
type WithInfo = extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void);

/// Puts the handler in front of the one that is there. Called once.
pub(super) fn install() -> Result<()> {
    // SAFETY: all 0 is an action without a handler.
    let (mut action, mut former): (libc::sigaction, libc::sigaction) = unsafe { std::mem::zeroed() };
    action.sa_sigaction = (on_fault as WithInfo) as usize;
    action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
    // SAFETY: the action is complete, and there is room for the former one.
    let answer = unsafe {
        libc::sigemptyset(&mut action.sa_mask);
        libc::sigaction(libc::SIGSEGV, &action, &mut former)
    };
    if answer != 0 {
        let error = std::io::Error::last_os_error();
        return Err(Error::new(Status::NOT_SUPPORTED, format!("no handler of SIGSEGV can be installed: {error}")));
    }
    let _ = FORMER.set(former);
    Ok(())
}

extern "C" fn on_fault(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the system gives a handler with `SA_SIGINFO` what it tells of the signal.
    let (address, is_fault) = unsafe { ((*info).si_addr().addr() as Address, (*info).si_code > 0) };
    if let Some(record) = space::find(address).filter(|_| is_fault) {
        match check::touched(record, address) {
            check::Answer::GoOn => return,
            check::Answer::Undeclared => {
                check::tell(record, address, running::here(), verb(context));
                return go_on(signal, info, context, is_fault);
            }
            check::Answer::Unchecked => {}
        }
        let mut text = Text::new();
        let (who, place) = (running::here(), BytePlace::of(record, address));
        let _ = writeln!(text, "{PREFIX} {who} {} {place}", verb(context));
        pages::tell(text.bytes());
    }
    go_on(signal, info, context, is_fault);
}

/// Returns what was done, as far as the system tells.
fn verb(context: *mut c_void) -> &'static str {
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    {
        // SAFETY: the system gives the handler the registers of the thread.
        let error = unsafe { (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs[libc::REG_ERR as usize] };
        if error & 2 == 0 {
            "read"
        } else {
            "wrote to"
        }
    }
    #[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
    {
        let _ = context;
        "touched"
    }
}

/// Makes the handler run that was there before; without one the process ends, as it would without this one.
fn go_on(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void, is_fault: bool) {
    if let Some(former) = FORMER.get() {
        let handler = former.sa_sigaction;
        if handler != libc::SIG_DFL && handler != libc::SIG_IGN {
            // SAFETY: whoever installed it gave a function of the type that the flag says.
            return unsafe {
                match former.sa_flags & libc::SA_SIGINFO {
                    0 => std::mem::transmute::<usize, Simple>(handler)(signal),
                    _ => std::mem::transmute::<usize, WithInfo>(handler)(signal, info, context),
                }
            };
        }
        if handler == libc::SIG_IGN && !is_fault {
            return;
        }
    }
    // SAFETY: the signal's own action; what faulted is done once more, and ends the process.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        if !is_fault {
            libc::raise(signal);
        }
    }
}

/// Tells of the work that ran.
impl fmt::Display for Running {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Running { what, in_replay, name, node, node_name, graph_name } = *self;
        match what {
            What::Nothing => return write!(out, "code that graphcap does not run"),
            What::Kernel => {
                out.write_str("kernel ")?;
                write_quoted(text_of(&name), out)?;
            }
            What::Copy => write!(out, "a copy")?,
            What::Memset => write!(out, "a memset")?,
            What::Values => write!(out, "a value operation")?,
            What::HostFunction => write!(out, "a host function")?,
            What::Node => write!(out, "a node")?,
        }
        if !in_replay {
            return Ok(());
        }
        if node != 0 {
            write!(out, " at node {node:#x}")?;
        }
        if node_name.length > 0 {
            out.write_char(' ')?;
            write_quoted(text_of(&node_name), out)?;
        }
        match graph_name.length {
            0 => write!(out, " of a graph"),
            _ => {
                out.write_str(" of graph ")?;
                write_quoted(text_of(&graph_name), out)
            }
        }
    }
}

/// A text that this thread has noted.
fn text_of(noted: &Noted) -> &str {
    match noted.length {
        0 => "",
        length => {
            let start = std::ptr::with_exposed_provenance::<u8>(noted.start);
            // SAFETY: the text lives as long as it is noted, and was one when that was done.
            unsafe { std::str::from_utf8_unchecked(std::slice::from_raw_parts(start, length)) }
        }
    }
}
