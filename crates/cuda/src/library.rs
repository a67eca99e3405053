//! Finding NVIDIA's libraries: one that the process has loaded already, so that two copies do not lie beside each other; then by
//! versioned names, the newest first; or the one that an environment variable names.

use std::error::Error as _;
use std::ffi::{c_int, c_void, OsStr, OsString};
use std::path::{Path, PathBuf};

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};

use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{rank, OnceCell};
use graphcap_base::switch;
use graphcap_observe::log::{log, Level, Subject};

/// An object of a library's that programs can be lent: a handle of cuBLAS, a generator of cuRAND.
#[derive(Clone, Copy)]
pub(crate) struct LibraryHandle(pub(crate) *mut c_void);
// SAFETY: the libraries' functions take such objects on any thread; each has one user at a time.
unsafe impl Send for LibraryHandle {}

impl LibraryHandle {
    /// The object as others have it.
    pub(crate) fn number(self) -> usize {
        self.0.expose_provenance()
    }

    /// The object of which others were given the number.
    pub(crate) fn from_number(number: usize) -> LibraryHandle {
        LibraryHandle(std::ptr::with_exposed_provenance_mut(number))
    }
}

/// A library of NVIDIA's.
pub(crate) struct Named {
    /// Name that people call it by.
    pub(crate) what: &'static str,
    /// Its files, the newest first.
    pub(crate) files: &'static [&'static str],
    /// Names the file to load instead.
    pub(crate) variable: &'static str,
}

/// Library of NVIDIA's, looked for now.
pub struct SoughtLibrary {
    /// Name that people call it by.
    pub what: &'static str,
    /// Variable of the environment that names the file to load instead.
    pub variable: &'static str,
    /// Outcome: the file that it was loaded from, where the system tells that; or the reason for which it was not loaded.
    pub found: Result<Option<PathBuf>>,
}

impl Named {
    /// The file that the process has loaded as the library, where the system tells that.
    pub(crate) fn file(&self) -> Option<PathBuf> {
        let given = switch::variable(self.variable).and_then(|path| Path::new(&path).canonicalize().ok());
        let stems: Vec<&str> = self.files.iter().filter_map(|file| file.split_inclusive(".so").next()).collect();
        let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
        let files = maps.lines().filter_map(|line| line.find('/').and_then(|at| line.get(at..)).map(Path::new));
        let is_it = |file: &&Path| match &given {
            Some(given) => *file == given,
            None => file
                .file_name()
                .and_then(OsStr::to_str)
                .is_some_and(|name| stems.iter().any(|stem| name.starts_with(stem))),
        };
        files.into_iter().find(is_it).map(Path::to_owned)
    }
}

/// Functions of a library.
pub(crate) trait Table: Sized + 'static {
    /// The library.
    const OF: Named;

    /// Looks the functions up; the name of one that is lacking.
    ///
    /// # Safety
    /// `library` must be the one that [`Table::OF`] names, or stand in for it.
    unsafe fn find(library: &Library) -> std::result::Result<Self, &'static str>;
}

/// A table of functions that is filled once.
pub(crate) struct LazyTable<T>(OnceCell<T, rank::Loading>);

impl<T: Table> LazyTable<T> {
    pub(crate) const fn new() -> Self {
        LazyTable(OnceCell::new())
    }

    /// Loads the library, to tell of it.
    pub(crate) fn seek(&self) -> SoughtLibrary {
        let Named { what, variable, .. } = T::OF;
        SoughtLibrary { what, variable, found: self.get().map(|_| T::OF.file()) }
    }

    /// The functions, if something has had the library loaded.
    pub(crate) fn loaded(&self) -> Option<&T> {
        self.0.get()
    }

    /// The functions. The library stays loaded once it was found; a failure is tried again by the next caller.
    ///
    /// # Errors
    /// `LIBRARY`, with the names that were tried.
    pub(crate) fn get(&self) -> Result<&T> {
        self.0.get_or_try_init(|| {
            load().inspect_err(|error| log(Level::Info, Subject::Library, || error.message.to_string()))
        })
    }
}

fn load<T: Table>() -> Result<T> {
    let Named { what, files, variable } = T::OF;
    let given = switch::variable(variable).filter(|name| !name.is_empty());
    let names: Vec<OsString> = given.map_or_else(|| files.iter().map(OsString::from).collect(), |name| vec![name]);
    let present = names.iter().map(|name| (name, RTLD_NOW | RTLD_LOCAL | libc::RTLD_NOLOAD));
    let mut tried = Vec::new();
    let mut lacking = None;
    for (name, flags) in present.chain(names.iter().map(|name| (name, RTLD_NOW | RTLD_LOCAL))) {
        // SAFETY: loading a library runs its initialisers; NVIDIA's may run at any time and on any thread.
        let library = match unsafe { Library::open(Some(name), flags) } {
            Ok(library) => library,
            // One that is not loaded yet is no failure, and has no words.
            Err(_) if flags & libc::RTLD_NOLOAD != 0 => continue,
            Err(error) => {
                tried.push(match error.source() {
                    Some(reason) => reason.to_string(),
                    None => format!("{}: {error}", name.display()),
                });
                continue;
            }
        };
        // SAFETY: the library has that name, or the user says that it is it; it is never unloaded.
        match unsafe { T::find(&library) } {
            Ok(table) => {
                // The functions are in use until the process ends.
                std::mem::forget(library);
                log(Level::Info, Subject::Library, || {
                    let already = if flags & libc::RTLD_NOLOAD != 0 { " by the program" } else { "" };
                    format!("{} was loaded{already}, which is {what}", name.display())
                });
                return Ok(table);
            }
            Err(function) => lacking = lacking.or(Some((name.clone(), function))),
        }
    }
    Err(Error::new(
        Status::LIBRARY,
        match lacking {
            Some((name, function)) => format!(
                "{} is no {what}, since it has no {function}; set {variable} to the path of one",
                name.display()
            ),
            None => format!(
                "{what} could not be loaded ({}); install it, put its folder on LD_LIBRARY_PATH, or set {variable} to its path",
                tried.join("; ")
            ),
        },
    ))
}

/// Returns what a library answered, unless that was 0.
pub(crate) fn check(function: &'static str, code: c_int) -> std::result::Result<(), Answer> {
    match code {
        0 => Ok(()),
        code => Err(Answer { function, code }),
    }
}

/// Answer of a function of a library.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    pub(crate) function: &'static str,
    pub(crate) code: c_int,
}

impl Answer {
    /// As graphcap's, for a library that answers `memory` where there is none, `values` for arguments that it does not take, and
    /// `unsupported` for what it cannot do.
    #[cold]
    pub(crate) fn told(self, memory: c_int, values: &[c_int], unsupported: &[c_int]) -> Error {
        let Answer { function, code } = self;
        let (status, meaning) = match code {
            code if code == memory => (Status::OUT_OF_MEMORY, "there is not enough memory on the device"),
            code if values.contains(&code) => (Status::INVALID_VALUE, "it does not take these sizes"),
            code if unsupported.contains(&code) => (Status::NOT_SUPPORTED, "it cannot do that on this device"),
            _ => (Status::UNKNOWN, "the library's manual has the meaning of the number"),
        };
        Error::new(status, format!("{function} answered {code}: {meaning}"))
    }
}

/// Declares the functions of a library: the name in Rust, the symbol, and the parameters.
macro_rules! table {
    ($table:ident of $of:expr; $($name:ident $symbol:literal ($($argument:ident: $kind:ty),*);)*) => {
        pub(crate) struct $table {
            $($name: unsafe extern "C" fn($($kind),*) -> std::ffi::c_int,)*
        }

        impl $crate::library::Table for $table {
            const OF: $crate::library::Named = $of;

            unsafe fn find(library: &libloading::os::unix::Library) -> Result<Self, &'static str> {
                // SAFETY: the caller promises that a function of such a name is the library's, whose signature is this.
                unsafe {
                    Ok($table { $($name: *library.get(concat!($symbol, "\0").as_bytes()).map_err(|_| $symbol)?,)* })
                }
            }
        }

        impl $table {
            $(
                /// The library's function.
                ///
                /// # Safety
                /// The arguments must be what the library's manual asks for.
                #[allow(clippy::too_many_arguments, reason = "the library's functions have as many as they have")]
                pub(crate) unsafe fn $name(
                    &self,
                    $($argument: $kind),*
                ) -> Result<(), $crate::library::Answer> {
                    // SAFETY: passed on to the caller.
                    $crate::library::check($symbol, unsafe { (self.$name)($($argument),*) })
                }
            )*
        }
    };
}
pub(crate) use table;
