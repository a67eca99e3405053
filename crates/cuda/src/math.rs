//! Mathematics by NVIDIA's libraries, which are loaded when they are first needed.
//!
//! The libraries are called with the context current, and in the relaxed mode: making a handle or a plan in the global one would
//! break the thread's own capture. A context has one handle of cuBLAS, and each plan of cuFFT may be used by many nodes; stream
//! and memory are set anew for each use, so that no two nodes share memory for the work. Generators of cuRAND have memory of their own,
//! so that each is lent once until nothing needs it. What is let go of is destroyed where waiting is allowed, by
//! `deferred.rs`.

mod blas;
pub(super) mod fft;
mod rand;
pub(super) mod state;

use super::api::current::relax;
use super::api::{self, DriverError};
use super::context::CudaContext;
use super::deferred::{self, OnRequest};
use super::memory::Resource;
use super::shared::Shared;
use crate::library::{Answer, LibraryHandle, SoughtLibrary};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::lock;
use graphcap_driver::{
    callbacks, Address, Factor, Fft, FftOperands, FftPlanId, FftPlanned, Math, Memset, Sgemm, SgemmOperands,
    SgemmWorkspace, StreamId, Way,
};

/// Sizes that NVIDIA's manual asks for from Hopper on, and before.
const WORKSPACES: [usize; 2] = [32 << 20, 4 << 20];
/// The first generation of GPUs that wants the larger one.
const HOPPER: i32 = 9;
/// Memory behind a workspace for a factor that is a value, where the other one is in memory.
const CONSTANT: usize = 256;

/// Loads cuBLAS, cuFFT and cuRAND if they are there.
pub(super) fn seek_libraries() -> [SoughtLibrary; 3] {
    [blas::CUBLAS.seek(), fft::CUFFT.seek(), rand::CURAND.seek()]
}

/// Reason for which a library was not called, or its answer.
enum Trouble {
    Driver(DriverError),
    Library(Answer),
}

impl From<DriverError> for Trouble {
    fn from(refusal: DriverError) -> Self {
        Trouble::Driver(refusal)
    }
}

impl From<Answer> for Trouble {
    fn from(answer: Answer) -> Self {
        Trouble::Library(answer)
    }
}

impl Shared {
    /// Calls a library, as libraries are to be called.
    fn call_library<T>(
        &self,
        call: impl FnOnce() -> std::result::Result<T, Trouble>,
    ) -> std::result::Result<T, Trouble> {
        let _current = self.device.enter()?;
        let _relaxed = relax(self.api())?;
        call()
    }

    /// As [`Shared::call_library`], for work of a stream, with what `take` takes before: no lock is waited for at the gate of captures,
    /// since who holds one may wait for the device.
    fn submit_by_library<T>(
        &self,
        stream: StreamId,
        told: fn(Answer) -> Error,
        take: impl FnOnce() -> T,
        call: impl FnOnce(&T, api::StreamHandle) -> std::result::Result<(), Trouble>,
    ) -> Result<()> {
        let mut answered = Ok(());
        self.on_stream(stream, |stream| {
            let taken = take();
            stream.recorded(self.device, || match self.call_library(|| call(&taken, stream.native)) {
                Err(Trouble::Driver(refusal)) => Err(refusal),
                Err(Trouble::Library(answer)) => {
                    answered = Err(answer);
                    Ok(())
                }
                Ok(()) => Ok(()),
            })
        })?;
        answered.map_err(told)
    }

    fn trouble(&self, trouble: Trouble, told: fn(Answer) -> Error) -> Error {
        match trouble {
            Trouble::Driver(refusal) => self.error(refusal),
            Trouble::Library(answer) => told(answer),
        }
    }

    /// Bytes that a product may need while it runs, without the constant.
    fn workspace_bytes(&self, sgemm: &Sgemm) -> usize {
        if let SgemmWorkspace::OwnOf(bytes) = sgemm.workspace {
            // Behind it lies the constant.
            return (bytes as usize).next_multiple_of(CONSTANT);
        }
        *self.math.workspace.get_or_init(|| {
            let generation = self.generation();
            WORKSPACES[usize::from(generation.is_some_and(|generation| generation < HOPPER))]
        })
    }
}

impl CudaContext {
    /// Destroys an object on request, when no work needs it any more.
    fn release_library_object(&self, object: OnRequest, used_by: &[StreamId]) {
        let used_by = used_by.to_vec();
        self.outside_driver(move |shared| shared.release_resource(Resource::OnRequest(object), &used_by));
    }
}

impl Math for CudaContext {
    fn sgemm_way(&self, sgemm: &Sgemm) -> Result<Way> {
        callbacks::check_caller()?;
        let table = blas::CUBLAS.get()?;
        let mut handle = lock(&self.math.blas);
        let made = match &handle.own {
            Some(_) => Ok(()),
            None => self
                // SAFETY: the context is current.
                .call_library(|| Ok(unsafe { blas::create(table) }?))
                .map(|made| handle.own = Some(made)),
        };
        drop(handle);
        made.map_err(|trouble| self.trouble(trouble, blas::told))?;
        Ok(Way::Library(self.workspace_bytes(sgemm) + CONSTANT))
    }

    fn sgemm(&self, stream: StreamId, sgemm: &Sgemm, of: &SgemmOperands, workspace: Address) -> Result<()> {
        callbacks::check_caller()?;
        let table = blas::CUBLAS.get()?;
        let bytes = self.workspace_bytes(sgemm);
        let constant = workspace + bytes as u64;
        if let (Factor::Value(value), Factor::At(_)) | (Factor::At(_), Factor::Value(value)) = (of.alpha, of.beta) {
            // The library takes either both from the device or none.
            let (value, rows, pitch) = (value.to_bits(), 1, 0);
            self.memset(stream, &Memset { address: constant, value, element_size: 4, count: 1, rows, pitch })?;
        }
        let take = || lock(&self.math.blas);
        self.submit_by_library(stream, blas::told, take, |handle, stream| {
            let place = blas::BlasTarget { stream, workspace: (workspace, bytes) };
            // Made by `sgemm_way`, which core asks first.
            let Some(native) = handle.own else { return Err(Answer { function: "cublasCreate_v2", code: 1 }.into()) };
            // SAFETY: the context is current, the handle is locked; core keeps stream and memory.
            Ok(unsafe { blas::multiply(table, native, &place, sgemm, of, constant) }?)
        })
    }

    fn blas_lend(&self, stream: StreamId, workspace: Address) -> Result<usize> {
        callbacks::check_caller()?;
        let table = blas::CUBLAS.get()?;
        let spare = lock(&self.math.blas).spare.pop();
        let native = match spare {
            Some(native) => native,
            None => {
                // SAFETY: the context is current.
                let made = self.call_library(|| Ok(unsafe { blas::create(table) }?));
                made.map_err(|trouble| self.trouble(trouble, blas::told))?
            }
        };
        let bytes = self.workspace_bytes(&Sgemm::SMALLEST);
        let prepared = self.submit_by_library(
            stream,
            blas::told,
            || (),
            |(), stream| {
                let place = blas::BlasTarget { stream, workspace: (workspace, bytes) };
                // SAFETY: the context is current, nobody else has the handle; core keeps stream and memory.
                Ok(unsafe { blas::prepare(table, native, &place) }?)
            },
        );
        match prepared {
            Ok(()) => Ok(native.number()),
            Err(error) => {
                lock(&self.math.blas).spare.push(native);
                Err(error)
            }
        }
    }

    fn blas_return(&self, native: usize) {
        lock(&self.math.blas).spare.push(LibraryHandle::from_number(native));
    }

    fn rand_create(&self) -> Result<usize> {
        callbacks::check_caller()?;
        let table = rand::CURAND.get()?;
        let made = self.call_library(|| {
            let native = match deferred::take_generator(self.primary) {
                Some(native) => native,
                // SAFETY: the context is current.
                None => unsafe { rand::create(table) }?,
            };
            // SAFETY: the context is current, nobody else has the generator, and no work needs it.
            unsafe { rand::renew(table, native) }.inspect_err(|_| {
                deferred::on_request(self.primary, OnRequest::Generator(native));
            })?;
            Ok(native.number())
        });
        made.map_err(|trouble| self.trouble(trouble, rand::told))
    }

    fn rand_lend(&self, stream: StreamId, native: usize) -> Result<()> {
        callbacks::check_caller()?;
        let table = rand::CURAND.get()?;
        self.submit_by_library(
            stream,
            rand::told,
            || (),
            |(), stream| {
                // SAFETY: the context is current, nobody else has the generator; core keeps the stream.
                Ok(unsafe { rand::set_stream(table, LibraryHandle::from_number(native), stream) }?)
            },
        )
    }

    fn rand_destroy(&self, native: usize, used_by: &[StreamId]) {
        let generator = LibraryHandle::from_number(native);
        self.release_library_object(OnRequest::Generator(generator), used_by);
    }

    fn fft_plan(&self, fft: &Fft) -> Result<FftPlanned> {
        callbacks::check_caller()?;
        let table = fft::CUFFT.get()?;
        // SAFETY: the context is current.
        let made = self.call_library(|| Ok(unsafe { fft::plan(table, fft) }?));
        let (native, bytes) = made.map_err(|trouble| self.trouble(trouble, fft::told))?;
        let mut plans = lock(&self.math.plans);
        plans.last += 1;
        let plan = FftPlanId(plans.last);
        plans.by_id.insert(plan, (native, fft.direction));
        Ok(FftPlanned { way: Way::Library(bytes), plan })
    }

    fn fft(&self, stream: StreamId, plan: FftPlanId, of: &FftOperands) -> Result<()> {
        callbacks::check_caller()?;
        let table = fft::CUFFT.get()?;
        let mut is_known = true;
        let take = || lock(&self.math.plans);
        self.submit_by_library(stream, fft::told, take, |plans, stream| {
            let Some(&plan) = plans.by_id.get(&plan) else {
                is_known = false;
                return Ok(());
            };
            // SAFETY: the context is current, the plan is locked; core keeps plan, stream and memory.
            Ok(unsafe { fft::transform(table, plan, stream, of) }?)
        })?;
        match is_known {
            true => Ok(()),
            false => Err(Error::new(Status::INVALID_HANDLE, "the plan of the transform is of another context")),
        }
    }

    fn fft_plan_destroy(&self, plan: FftPlanId, used_by: &[StreamId]) {
        let Some((native, _)) = lock(&self.math.plans).by_id.remove(&plan) else { return };
        self.release_library_object(OnRequest::Plan(native), used_by);
    }
}
