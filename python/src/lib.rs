//! graphcap._native: what of the Python package has to be fast, or has to be C. The package's Python modules do the rest.

mod call;
mod callbacks;
mod dlpack;
mod gate;
mod handle;
mod launch;
mod library;
mod memory;
mod stream;
mod torch_memory;

use pyo3::prelude::*;

/// Loads libgraphcap.so.0: one that the process has, else the file `named`, else the file `own`. `is_main`: the thread ends the interpreter.
#[pyfunction]
#[pyo3(signature = (named, own, is_main))]
fn load(named: Option<&str>, own: &str, is_main: bool) -> PyResult<()> {
    if is_main {
        gate::begin();
    }
    library::load(named, own)
}

/// The path of the loaded library, and where it was found.
#[pyfunction]
fn loaded() -> PyResult<(&'static str, &'static str)> {
    library::told()
}

/// Called in a forked child, before anything else.
#[pyfunction]
fn forked() {
    gate::forked();
}

/// True once the interpreter has begun to end.
#[pyfunction]
fn is_ending() -> bool {
    gate::is_closed()
}

/// True where this thread is the one that imported the package.
#[pyfunction]
fn is_main_thread() -> bool {
    gate::is_main()
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    for function in [
        wrap_pyfunction!(load, module)?,
        wrap_pyfunction!(loaded, module)?,
        wrap_pyfunction!(forked, module)?,
        wrap_pyfunction!(is_ending, module)?,
        wrap_pyfunction!(is_main_thread, module)?,
        wrap_pyfunction!(call::_set_errors, module)?,
    ] {
        module.add_function(function)?;
    }
    module.add_class::<handle::Handle>()?;
    launch::add(module)?;
    module.add_class::<stream::StreamBase>()?;
    memory::add(module)?;
    dlpack::add(module)?;
    callbacks::add(module)?;
    call::add_functions(module)
}
