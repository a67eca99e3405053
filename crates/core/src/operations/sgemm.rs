//! Products of matrices: checked against their buffers, and given to a stream as a kernel or through the device's library.

use super::overlap::{check_apart, Used};
use crate::captures::black_box::Operation;
use crate::objects::access::{Access, BufferAccess};
use crate::objects::buffer::Buffer;
use crate::objects::kernel::KernelArgument;
use crate::objects::scalar::Scalar;
use crate::objects::scalar_value::ScalarType;
use crate::operations::node_work::NodeWork;
use crate::state::{Context, Stream};
use graphcap_base::error::{Error, Result};
use graphcap_devices::BuiltInKernel;
use graphcap_driver::{check_caller, Address, Driver, Factor, MathKernel, Sgemm, SgemmOperands, StreamId, Way};

/// alpha or beta of a product; the scalar is borrowed or owned.
#[derive(Clone, Copy, Debug)]
pub enum Coefficient<S> {
    /// The number.
    Value(f32),
    /// A scalar of 32-bit floating point, as it is when the work runs.
    Scalar(S),
}

/// A product of matrices in buffers, which are borrowed or owned, as the scalars are.
#[derive(Clone, Copy, Debug)]
pub struct SgemmCall<B, S> {
    /// Its sizes.
    pub sgemm: Sgemm,
    /// The buffers of A, B and C, and the bytes in them at which their first elements are.
    pub matrices: [(B, usize); 3],
    /// Factor of the product.
    pub alpha: Coefficient<S>,
    /// Factor of C before the product is added. With the value 0 C is not read.
    pub beta: Coefficient<S>,
}

impl SgemmCall<Buffer, Scalar> {
    /// Borrows the objects of the product.
    pub fn lend(&self) -> SgemmCall<&Buffer, &Scalar> {
        let matrices = self.matrices.each_ref().map(|(buffer, offset)| (buffer, *offset));
        SgemmCall { sgemm: self.sgemm, matrices, alpha: self.alpha.lend(), beta: self.beta.lend() }
    }
}

impl Coefficient<Scalar> {
    fn lend(&self) -> Coefficient<&Scalar> {
        match self {
            Coefficient::Value(value) => Coefficient::Value(*value),
            Coefficient::Scalar(scalar) => Coefficient::Scalar(scalar),
        }
    }
}

impl<'a> Coefficient<&'a Scalar> {
    fn scalar(self) -> Option<&'a Scalar> {
        match self {
            Coefficient::Value(_) => None,
            Coefficient::Scalar(scalar) => Some(scalar),
        }
    }

    fn factor(self) -> Factor {
        match self {
            Coefficient::Value(value) => Factor::Value(value),
            Coefficient::Scalar(scalar) => Factor::At(scalar.address()),
        }
    }

    /// The address that a kernel gets, which is 0 for a value, and the bits of the value.
    fn argument(&self) -> (KernelArgument<'a>, u64) {
        match *self {
            Coefficient::Value(value) => (KernelArgument::Value(&[0; 8]), value.to_bits().into()),
            Coefficient::Scalar(scalar) => {
                let (buffer, offset) = (scalar.buffer(), scalar.offset());
                let access = BufferAccess::of_bytes(Access::Read, offset, size_of::<f32>());
                (KernelArgument::Buffer { buffer, offset, access: Some(access) }, 0)
            }
        }
    }
}

/// Names of the operands in messages.
const NAMES: [&str; 3] = ["A", "B", "C"];

impl SgemmCall<&Buffer, &Scalar> {
    /// Checks the operands, and gives the addresses of A, B and C.
    fn resolve(&self, context: &Context) -> Result<[Address; 3]> {
        let extents = self.sgemm.extents()?;
        let mut addresses = [0; 3];
        let mut used = Vec::with_capacity(5);
        for (index, (buffer, offset)) in self.matrices.into_iter().enumerate() {
            let name = NAMES[index];
            used.push(Used::of(context, name, buffer, offset, extents[index], size_of::<f32>())?);
            addresses[index] = used[index].start;
        }
        for (name, coefficient) in [("alpha", self.alpha), ("beta", self.beta)] {
            if let Some(scalar) = coefficient.scalar() {
                scalar
                    .check_type(ScalarType::F32)
                    .map_err(|error| Error::new(error.status, format!("{name} of a product: {}", error.message)))?;
                let bytes = size_of::<f32>();
                used.push(Used::of(context, name, scalar.buffer(), scalar.offset(), bytes as u64, bytes)?);
            }
        }
        let written = used.swap_remove(2);
        check_apart(&written, &used)?;
        Ok(addresses)
    }
}

impl Stream {
    /// Multiplies matrices. When the stream is being captured, the product is recorded, and calculated at each launch of the graph; a
    /// scalar counts as it is then. A product of no elements does nothing.
    ///
    /// # Errors
    /// `INVALID_VALUE` for sizes that do not fit each other or their buffers, for an address that is no multiple of 4, for a C that
    /// overlaps another operand, and for a scalar of another type; `INVALID_CONTEXT`; `LIBRARY` where the device's library
    /// cannot be loaded; what the capture rules say.
    pub fn sgemm(&self, call: &SgemmCall<&Buffer, &Scalar>) -> Result<()> {
        check_caller()?;
        let matrices = call.resolve(self.context())?;
        if call.sgemm.is_nothing() {
            return Ok(());
        }
        match self.driver()?.sgemm_way(&call.sgemm)? {
            Way::Kernel(kernel) => self.sgemm_by_kernel(call, &kernel),
            Way::Library(bytes) => {
                let operands = SgemmOperands { matrices, alpha: call.alpha.factor(), beta: call.beta.factor() };
                self.sgemm_by_library(call, &operands, bytes)
            }
        }
    }

    fn sgemm_by_kernel(&self, call: &SgemmCall<&Buffer, &Scalar>, by: &MathKernel) -> Result<()> {
        let kernel = self.context().built_in(BuiltInKernel::Sgemm)?;
        let extents = call.sgemm.extents()?;
        let matrix = |index: usize, access: Access| {
            let (buffer, offset) = call.matrices[index];
            let access = BufferAccess::of_bytes(access, offset, extents[index] as usize);
            KernelArgument::Buffer { buffer, offset, access: Some(access) }
        };
        let ((alpha, low), (beta, high)) = (call.alpha.argument(), call.beta.argument());
        let values = (low | high << 32).to_ne_bytes();
        let arguments = [
            matrix(0, Access::Read),
            matrix(1, Access::Read),
            matrix(2, Access::ReadWrite),
            alpha,
            beta,
            KernelArgument::Value(&values),
            KernelArgument::Value(&by.parameters),
        ];
        let work = NodeWork::Kernel { kernel: &kernel, shape: by.shape, arguments: &arguments, attributes: &[] };
        self.submit_node_work(&work)
    }

    fn sgemm_by_library(&self, call: &SgemmCall<&Buffer, &Scalar>, of: &SgemmOperands, bytes: usize) -> Result<()> {
        let [a, b, c] = call.matrices.map(|(buffer, _)| buffer);
        let buffer = |coefficient: Coefficient<&Scalar>| coefficient.scalar().map_or(c, Scalar::buffer).clone();
        let (alpha, beta) = (buffer(call.alpha), buffer(call.beta));
        let submit = |workspace: &Buffer| {
            let library =
                |driver: &dyn Driver, stream: StreamId| driver.sgemm(stream, &call.sgemm, of, workspace.address());
            let operands = [a, b, c, &alpha, &beta, workspace];
            self.submit_several(|| self.submit(Operation::Library, &operands, library))
        };
        submit(&self.workspace_for(call.sgemm.workspace, bytes)?)
    }
}

impl Context {
    /// Does what products need beforehand and must not happen inside a capture: loads the device's library, or graphcap's kernel.
    ///
    /// # Errors
    /// `INVALID_VALUE` for sizes that the device cannot multiply; `LIBRARY` where the device's library cannot be loaded.
    pub fn prepare_sgemm(&self, sgemm: &Sgemm) -> Result<()> {
        check_caller()?;
        sgemm.extents()?;
        if sgemm.is_nothing() {
            return Ok(());
        }
        match self.driver()?.sgemm_way(sgemm)? {
            Way::Kernel(_) => self.built_in(BuiltInKernel::Sgemm).map(drop),
            Way::Library(_) => Ok(()),
        }
    }
}
