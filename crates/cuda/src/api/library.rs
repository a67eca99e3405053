//! Finding the driver: which library is loaded, whether it is a driver that works, and what to say when it is not.

use std::error::Error as _;
use std::ffi::{c_int, OsStr, OsString};

use libloading::Library;

use crate::api::{Api, Version};
use crate::library::Named;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{rank, OnceCell};
use graphcap_base::switch::variable;
use graphcap_observe::log::{log, Level, Subject};

/// Names of the driver's library: the one that it installs, then the name that linkers look for, which may be a stub of the toolkit's.
const NAMES: [&str; 2] = ["libcuda.so.1", "libcuda.so"];
/// Names the library to load instead.
const OVERRIDE: &str = "GRAPHCAP_CUDA_LIBRARY";
/// The driver as a library among the others.
pub(crate) const NAMED: Named = Named { what: "NVIDIA's driver", files: &NAMES, variable: OVERRIDE };
/// The oldest driver that has all that graphcap cannot do without.
const OLDEST: c_int = 12000;

/// A driver that was loaded and initialised.
pub(crate) struct Loaded {
    pub(crate) api: Api,
    /// As the driver numbers it: 12040 is 12.4.
    pub(crate) version: c_int,
}

static DRIVER: OnceCell<Loaded, rank::Loading> = OnceCell::new();

/// The driver, if something has had it loaded.
pub(crate) fn loaded() -> Option<&'static Loaded> {
    DRIVER.get()
}

/// The driver, which stays loaded once it worked. A failure is tried again by the next caller.
///
/// # Errors
/// `LIBRARY` when no library can be loaded, `NOT_SUPPORTED` for a driver before 12.0, `STUB_LIBRARY`, `NO_DEVICE`,
/// `NOT_INITIALIZED`.
pub(crate) fn driver() -> Result<&'static Loaded> {
    DRIVER.get_or_try_init(|| {
        load().inspect_err(|error| log(Level::Info, Subject::Library, || error.message.to_string()))
    })
}

fn load() -> Result<Loaded> {
    let names: Vec<OsString> = match variable(OVERRIDE).filter(|name| !name.is_empty()) {
        Some(name) => vec![name],
        None => NAMES.iter().map(OsString::from).collect(),
    };
    let mut tried = Vec::new();
    let mut first_failure = None;
    for name in &names {
        // SAFETY: loading a library runs its initialisers; the driver's own may run at any time and on any thread.
        match unsafe { Library::new(name) } {
            Ok(library) => match initialise(library, name) {
                Ok(loaded) => {
                    let version = Version(loaded.version);
                    log(Level::Info, Subject::Library, || {
                        format!("{} was loaded, NVIDIA's driver for CUDA {version}", name.display())
                    });
                    return Ok(loaded);
                }
                // Another name may lead to the real one.
                Err(error) => first_failure = first_failure.or(Some(error)),
            },
            // The dynamic linker's words name the file and say why it was not loaded.
            Err(error) => tried.push(match error.source() {
                Some(reason) => reason.to_string(),
                None => format!("{}: {error}", name.display()),
            }),
        }
    }
    Err(first_failure.unwrap_or_else(|| {
        let tried = tried.join("; ");
        Error::new(
            Status::LIBRARY,
            format!("no NVIDIA driver could be loaded ({tried}); install one, set {OVERRIDE} to its libcuda.so.1, or use GRAPHCAP_DEVICE_HOST"),
        )
    }))
}

/// Asks a library for its functions and its version, and initialises it.
///
/// # Errors
/// As [`driver`].
pub(crate) fn initialise(library: Library, name: &OsStr) -> Result<Loaded> {
    let name = name.display();
    // SAFETY: the library has the driver's name, or the user says that it is the driver; it is never unloaded.
    let api = unsafe { Api::find(&library) };
    let not_a_driver = |function| {
        Error::new(
            Status::LIBRARY,
            format!(
                "{name} is no CUDA driver, since it has no {function}; set {OVERRIDE} to the driver's libcuda.so.1"
            ),
        )
    };
    let mut version = 0;
    // SAFETY: `version` is writable. The driver answers this before it is initialised; a stub may answer 34.
    let asked = unsafe { api.cuDriverGetVersion(&mut version) };
    match asked {
        Err(refusal) if refusal.since.is_some() => return Err(not_a_driver(refusal.function)),
        Ok(()) if (1..OLDEST).contains(&version) => {
            let message = format!(
                "the NVIDIA driver supports CUDA {}; graphcap needs a driver for 12.0 or newer",
                Version(version)
            );
            return Err(Error::new(Status::NOT_SUPPORTED, message));
        }
        _ => {}
    }
    // SAFETY: cuInit may be called at any time, on any thread, and more than once.
    if let Err(refusal) = asked.and(unsafe { api.cuInit(0) }) {
        let Error { status, message } = api.error(refusal);
        return Err(match status {
            Status::STUB_LIBRARY => Error::new(
                status,
                format!(
                    "{name} is the toolkit's stub without a driver behind it; take it off LD_LIBRARY_PATH, or set {OVERRIDE} to \
                     the driver's libcuda.so.1"
                ),
            ),
            Status::NO_DEVICE => Error::new(status, "the NVIDIA driver finds no GPU; look at what nvidia-smi and CUDA_VISIBLE_DEVICES say"),
            _ if refusal.since.is_some() => not_a_driver(refusal.function),
            _ => Error::new(Status::NOT_INITIALIZED, format!("the NVIDIA driver could not be initialised: {message}")),
        });
    }
    // The functions are in use until the process ends.
    std::mem::forget(library);
    Ok(Loaded { api, version })
}
