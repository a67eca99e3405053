//! Ranges and marks for a tool that takes those of NVTX, such as Nsight, by the names that the trace has. The tool is a library that the
//! environment names; it asks for tables of functions and sets in them those that it has.

use std::collections::HashMap;
use std::ffi::{c_char, c_int, c_uint, c_void, CStr, CString};
use std::path::Path;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::Arc;

use crate::format::{Entry, Kind};
use crate::log::{log, Level, Subject};
use graphcap_base::lock::{rank, OnceCell};
use libloading::Library;

/// Function of a tool, whose type is that of its place in the tables.
type Slot = AtomicPtr<c_void>;
/// Most functions of a table, and one place behind them.
const MOST: usize = 17;
/// Functions of each table, by the number that NVTX has for it; there is none of the number 0.
const SIZES: [usize; 7] = [0, 16, 9, 15, 7, 16, 7];
/// The table of functions with domains, and places in it.
const DOMAINS: usize = 5;
const MARK: usize = 1;
const PUSH: usize = 4;
const POP: usize = 5;
const CREATE_DOMAIN: usize = 12;

/// Functions that the tool has set, by table.
static FUNCTIONS: [[Slot; MOST]; SIZES.len()] =
    [const { [const { Slot::new(std::ptr::null_mut()) }; MOST] }; SIZES.len()];
/// Addresses of those places, as tools are given them.
static TABLES: [[Slot; MOST]; SIZES.len()] = [const { [const { Slot::new(std::ptr::null_mut()) }; MOST] }; SIZES.len()];

/// The tool.
static TOOL: OnceCell<Tool, rank::RangesTool> = OnceCell::new();

type Mark = unsafe extern "C" fn(*mut c_void, *const Attributes);
type Push = unsafe extern "C" fn(*mut c_void, *const Attributes) -> c_int;
type Pop = unsafe extern "C" fn(*mut c_void) -> c_int;
type CreateDomain = unsafe extern "C" fn(*const c_char) -> *mut c_void;
type GetTable = extern "C" fn(c_uint) -> *const c_void;
type Initialize = unsafe extern "C" fn(GetTable) -> c_int;

/// Functions of a tool.
struct Tool {
    domain: AtomicPtr<c_void>,
    mark: Option<Mark>,
    range: Option<(Push, Pop)>,
}

/// The attributes of a range or a mark, as NVTX 3 has them.
#[repr(C)]
struct Attributes {
    version: u16,
    size: u16,
    category: u32,
    color_kind: i32,
    color: u32,
    payload_kind: i32,
    reserved: i32,
    payload: u64,
    message_kind: i32,
    message: *const c_char,
}

impl Attributes {
    fn new(name: &CStr) -> Attributes {
        let (version, size) = (3, size_of::<Attributes>() as u16);
        let (category, color_kind, color, payload_kind, reserved, payload) = (0, 0, 0, 0, 0, 0);
        let (message_kind, message) = (1, name.as_ptr());
        Attributes {
            version,
            size,
            category,
            color_kind,
            color,
            payload_kind,
            reserved,
            payload,
            message_kind,
            message,
        }
    }
}

/// The function by which tools ask for the tables, as NVTX's headers lay it out.
#[repr(C)]
struct Callbacks {
    size: usize,
    table: extern "C" fn(c_uint, *mut *const Slot, *mut c_uint) -> c_int,
}

/// The version of NVTX.
#[repr(C)]
struct Version {
    size: usize,
    version: u32,
    reserved: u32,
    set: extern "C" fn(u32),
}

static CALLBACKS: Callbacks = Callbacks { size: size_of::<Callbacks>(), table };
static VERSION: Version = Version { size: size_of::<Version>(), version: 3, reserved: 0, set: take_version };

extern "C" fn take_version(_version: u32) {}

extern "C" fn exported(number: c_uint) -> *const c_void {
    match number {
        1 => (&raw const CALLBACKS).cast(),
        3 => (&raw const VERSION).cast(),
        _ => std::ptr::null(),
    }
}

extern "C" fn table(number: c_uint, out: *mut *const Slot, size_out: *mut c_uint) -> c_int {
    let of = number as usize;
    let (Some(table), Some(size)) = (TABLES.get(of), SIZES.get(of).filter(|size| **size != 0)) else { return 0 };
    // SAFETY: the tool promises that each output is NULL or writable.
    unsafe {
        if !out.is_null() {
            out.write(table.as_ptr());
        }
        if !size_out.is_null() {
            size_out.write(*size as c_uint);
        }
    }
    1
}

fn function(place: usize) -> Option<*mut c_void> {
    let function = FUNCTIONS[DOMAINS][place].load(Ordering::Acquire);
    (!function.is_null()).then_some(function)
}

/// Loads the tool in a file, which gets ranges and marks from here on.
///
/// # Errors
/// A sentence about what was not found.
fn load(path: &Path) -> Result<Tool, String> {
    for ((functions, table), size) in FUNCTIONS.iter().zip(&TABLES).zip(SIZES) {
        for (function, place) in functions.iter().zip(table).take(size).skip(1) {
            place.store(std::ptr::from_ref(function).cast_mut().cast(), Ordering::Relaxed);
        }
    }
    // SAFETY: who names the file wants its initialisers to run.
    let library = unsafe { Library::new(path) }.map_err(|error| error.to_string())?;
    // SAFETY: NVTX gives the function of that name this type.
    let begin =
        unsafe { library.get::<Initialize>(b"InitializeInjectionNvtx2\0") }.map_err(|error| error.to_string())?;
    // SAFETY: the function may be called once with a function that gives tables.
    if unsafe { begin(exported) } == 0 {
        return Err("its InitializeInjectionNvtx2 answered 0".into());
    }
    std::mem::forget(library);
    // SAFETY: the tool sets functions of the types that NVTX gives to these places.
    unsafe {
        let create = function(CREATE_DOMAIN).map(|found| std::mem::transmute::<*mut c_void, CreateDomain>(found));
        let domain = create.map_or(std::ptr::null_mut(), |create| create(c"graphcap".as_ptr()));
        Ok(Tool {
            domain: AtomicPtr::new(domain),
            mark: function(MARK).map(|found| std::mem::transmute::<*mut c_void, Mark>(found)),
            range: function(PUSH).zip(function(POP)).map(|(push, pop)| {
                (std::mem::transmute::<*mut c_void, Push>(push), std::mem::transmute::<*mut c_void, Pop>(pop))
            }),
        })
    }
}

/// Loads the tool in a file. Tells whether it is there.
pub(crate) fn attach(path: &Path) -> bool {
    let loaded = TOOL.get_or_try_init(|| load(path));
    log(Level::Info, Subject::Library, || match &loaded {
        Ok(_) => format!("{} was loaded, which takes ranges of NVTX", path.display()),
        Err(reason) => format!("{} takes no ranges of NVTX: {reason}", path.display()),
    });
    loaded.is_ok()
}

/// Returns whether there is a tool.
#[inline]
pub(crate) fn is_attached() -> bool {
    TOOL.get().is_some()
}

/// Begins a range of the calling thread. Tells whether it did; then [`pop`] ends it.
pub(crate) fn push(name: &CStr) -> bool {
    let Some((tool, (push, _))) = TOOL.get().and_then(|tool| Some((tool, tool.range?))) else { return false };
    // SAFETY: the function is the tool's, and the attributes last for the call.
    unsafe { push(tool.domain.load(Ordering::Relaxed), &Attributes::new(name)) };
    true
}

/// Ends the latest range of the calling thread.
pub(crate) fn pop() {
    if let Some((tool, (_, pop))) = TOOL.get().and_then(|tool| Some((tool, tool.range?))) {
        // SAFETY: the function is the tool's.
        unsafe { pop(tool.domain.load(Ordering::Relaxed)) };
    }
}

/// Tells the tool of a mark.
pub(crate) fn mark(name: &CStr) {
    if let Some((tool, mark)) = TOOL.get().and_then(|tool| Some((tool, tool.mark?))) {
        // SAFETY: the function is the tool's, and the attributes last for the call.
        unsafe { mark(tool.domain.load(Ordering::Relaxed), &Attributes::new(name)) };
    }
}

/// Names of a trace, for a tool.
#[derive(Default)]
pub(crate) struct Names {
    texts: HashMap<u32, Arc<CStr>>,
    execs: HashMap<u32, ExecTexts>,
}

/// Texts of an exec.
#[derive(Default)]
struct ExecTexts {
    graph: u32,
    /// By body and step.
    nodes: HashMap<(u32, u32), u32>,
}

impl Names {
    /// Notes a text.
    pub(crate) fn add(&mut self, id: u32, text: &str) {
        let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
        self.texts.insert(id, text.into());
    }

    /// Notes what a record describes.
    pub(crate) fn note(&mut self, entry: &Entry) {
        match entry.kind {
            Kind::Exec => self.execs.entry(entry.exec).or_default().graph = entry.name,
            Kind::Step => {
                let of = [entry.name, entry.begin as u32, entry.stream].into_iter().find(|id| *id != 0);
                let exec = self.execs.entry(entry.exec).or_default();
                exec.nodes.insert((entry.launch, entry.number), of.unwrap_or(0));
            }
            _ => {}
        }
    }

    /// Forgets what an exec and its nodes are called.
    pub(crate) fn forget(&mut self, exec: u32) {
        self.execs.remove(&exec);
    }

    /// The name of what a record tells of.
    pub(crate) fn of(&self, entry: &Entry) -> Option<Arc<CStr>> {
        match entry.kind {
            Kind::Replay => {
                let graph = self.execs.get(&entry.exec).and_then(|exec| self.texts.get(&exec.graph))?;
                CString::new([b"replay of ", graph.to_bytes()].concat()).ok().map(Arc::from)
            }
            Kind::Node => {
                let text = self.execs.get(&entry.exec)?.nodes.get(&(entry.name, entry.number))?;
                self.texts.get(text).cloned()
            }
            _ => self.texts.get(&entry.name).cloned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exec_that_is_gone_leaves_no_names() {
        let mut names = Names::default();
        names.add(1, "decode");
        for exec in [1, 2] {
            names.note(&Entry { exec, name: 1, ..Entry::of(Kind::Exec) });
            names.note(&Entry { exec, name: 1, number: 5, ..Entry::of(Kind::Step) });
        }
        names.forget(1);
        let of = |exec| names.of(&Entry { exec, number: 5, ..Entry::of(Kind::Node) });
        assert_eq!((of(1), of(2).as_deref()), (None, Some(c"decode")));
        assert_eq!(names.execs.len(), 1);
    }
}
