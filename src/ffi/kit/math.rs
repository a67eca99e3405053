//! Products of matrices and Fourier transforms as plain data, and plans of transforms.

use crate::ffi::boundary::{
    check_flags, gc_buffer, gc_context, gc_fft_plan, gc_scalar, gc_status, guard, handle, one_of, options, with_clone,
    Out, Result, Versioned,
};
use crate::ffi::operations::launch::check_unused;
use graphcap_core::{Buffer, Coefficient, FftPlan, Scalar};
use graphcap_driver::{check_caller, Fft, FftDirection, MathMode, Sgemm, SgemmWorkspace};
use graphcap_kit::ops::{FftOp, SgemmOp};

/// gc_sgemm_params::math_mode: 32-bit floating point throughout.
pub const GRAPHCAP_MATH_FLOAT32: u32 = 0;
/// gc_sgemm_params::math_mode: a GPU may round the factors to TF32, which has 10 bits behind the point, to be faster. The host
/// device calculates as with GRAPHCAP_MATH_FLOAT32.
pub const GRAPHCAP_MATH_TF32: u32 = 1;

/// gc_fft_plan_params::direction: from real numbers to complex ones.
pub const GRAPHCAP_FFT_DIRECTION_R2C: u32 = 0;
/// gc_fft_plan_params::direction: from complex numbers to real ones.
pub const GRAPHCAP_FFT_DIRECTION_C2R: u32 = 1;

/// A product of matrices of floats: C = alpha * op(A) * op(B) + beta * C. All are column-major; op(A) has m rows and k columns,
/// op(B) k rows and n columns, C m rows and n columns. Start from GRAPHCAP_SGEMM_PARAMS_INIT.
///
/// Addresses are multiples of 4. C overlaps no other operand. All sizes and leading dimensions are at most 2147483647. With an
/// alpha of 0 neither A nor B is read, with a beta of 0 C is not.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_sgemm_params {
    /// sizeof(gc_sgemm_params).
    pub struct_size: u32,
    /// One of the GRAPHCAP_MATH_ numbers.
    pub math_mode: u32,
    /// Rows of op(A) and of C; with 0 there is nothing to do.
    pub m: u64,
    /// Columns of op(B) and of C; with 0 there is nothing to do.
    pub n: u64,
    /// Columns of op(A), and rows of op(B). With 0 C becomes beta * C.
    pub k: u64,
    /// 1 where op(A) is A transposed; 0 where it is A.
    pub transpose_a: u32,
    /// 1 where op(B) is B transposed; 0 where it is B.
    pub transpose_b: u32,
    /// The buffer of A.
    pub a: *const gc_buffer,
    /// The first byte of A.
    pub a_offset: usize,
    /// Elements from one column of A to the next; 0 for the number of its rows.
    pub lda: u64,
    /// Elements from one A of the batch to the next; 0 where all use one.
    pub stride_a: u64,
    /// The buffer of B.
    pub b: *const gc_buffer,
    /// The first byte of B.
    pub b_offset: usize,
    /// Elements from one column of B to the next; 0 for the number of its rows.
    pub ldb: u64,
    /// Elements from one B of the batch to the next; 0 where all use one.
    pub stride_b: u64,
    /// The buffer of C.
    pub c: *const gc_buffer,
    /// The first byte of C.
    pub c_offset: usize,
    /// Elements from one column of C to the next; 0 for m.
    pub ldc: u64,
    /// Elements from one C of the batch to the next. No two overlap.
    pub stride_c: u64,
    /// Factor of the product; 0 with an alpha_scalar.
    pub alpha: f32,
    /// Factor of C before the product is added; 0 with a beta_scalar.
    pub beta: f32,
    /// A scalar of type GRAPHCAP_SCALAR_F32 that is read in place of alpha when the product is calculated; or NULL.
    pub alpha_scalar: *const gc_scalar,
    /// A scalar of type GRAPHCAP_SCALAR_F32 that is read in place of beta when the product is calculated; or NULL.
    pub beta_scalar: *const gc_scalar,
    /// The number of products; 0 for 1.
    pub batch_count: u64,
    /// Bytes of memory that cuBLAS may use for each recording of this product alone, which the graph keeps: 16384 to 2147483647, or
    /// UINT64_MAX for as many as a stream has. gc_graph_optimize() can let such products of one stream run side by side. With 0
    /// cuBLAS uses the stream's workspace, which keeps them in order, as it does for what is executed. No effect on the host device.
    pub workspace_bytes: u64,
}
// SAFETY: repr(C), starts with its size, and holds numbers and pointers, which may be NULL.
unsafe impl Versioned for gc_sgemm_params {
    const LEAST_SIZE: usize = 32;
}

/// Sizes of Fourier transforms of floats: batch_count transforms between length real numbers and length / 2 + 1 complex ones, the
/// first half of the spectrum. A complex number is two floats, the real part first. Nothing is divided by the length: there and
/// back multiplies by it. On the way back the imaginary part of the first complex number, and for an even length that of the last
/// one, is ignored. Start from GRAPHCAP_FFT_PLAN_PARAMS_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_fft_plan_params {
    /// sizeof(gc_fft_plan_params).
    pub struct_size: u32,
    /// One of the GRAPHCAP_FFT_DIRECTION_ numbers.
    pub direction: u32,
    /// Real numbers in a transform: 1 to 2147483647.
    pub length: u64,
    /// The number of transforms; 0 for 1.
    pub batch_count: u64,
    /// Numbers from the first input of one transform to that of the next, real or complex as the input is; 0 for as many as one
    /// has. No two overlap.
    pub input_distance: u64,
    /// Numbers from the first output of one transform to that of the next; as input_distance.
    pub output_distance: u64,
}
// SAFETY: repr(C), starts with its size, and holds integers.
unsafe impl Versioned for gc_fft_plan_params {
    const LEAST_SIZE: usize = 16;
}

/// Fourier transforms from one buffer to another. Start from GRAPHCAP_FFT_PARAMS_INIT. The input is kept.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_fft_params {
    /// sizeof(gc_fft_params).
    pub struct_size: u32,
    /// 0.
    pub reserved: u32,
    /// The plan; NULL for one that is made from plan_params when the op is prepared.
    pub plan: *const gc_fft_plan,
    /// The sizes; NULL with a plan.
    pub plan_params: *const gc_fft_plan_params,
    /// The buffer of the input.
    pub input: *const gc_buffer,
    /// The first byte of the input, whose address is a multiple of 8.
    pub input_offset: usize,
    /// The buffer of the output, which does not overlap the input.
    pub output: *const gc_buffer,
    /// The first byte of the output, whose address is a multiple of 8.
    pub output_offset: usize,
}
// SAFETY: repr(C), starts with its size, and holds integers and pointers, which may be NULL.
unsafe impl Versioned for gc_fft_params {
    const LEAST_SIZE: usize = 24;
}

/// Returns whether a member that is 0 or 1 is 1.
fn is_set(value: u32, argument: &'static str) -> Result<bool> {
    one_of([(0, false), (1, true)], value, argument, "0 or 1")
}

/// A number, or what it means where it is 0.
fn or(number: u64, usual: u64) -> u64 {
    if number == 0 {
        usual
    } else {
        number
    }
}

/// alpha or beta.
fn coefficient(
    value: f32,
    scalar: *const gc_scalar,
    value_name: &'static str,
    scalar_name: &'static str,
) -> Result<Coefficient<Scalar>> {
    if scalar.is_null() {
        return Ok(Coefficient::Value(value));
    }
    let scalar: Scalar = handle::clone(scalar, scalar_name)?;
    if value != 0.0 {
        let message = format!(
            "{value_name} is {value}, and {scalar_name} is given too; set the former to 0, or the latter to NULL"
        );
        return Err(graphcap_base::Error::invalid_value(message).into());
    }
    Ok(Coefficient::Scalar(scalar))
}

/// The product that a struct describes.
pub(in crate::ffi) fn sgemm(params: &gc_sgemm_params) -> Result<SgemmOp> {
    let modes = [(GRAPHCAP_MATH_FLOAT32, MathMode::Float32), (GRAPHCAP_MATH_TF32, MathMode::TensorFloat32)];
    let mode = one_of(modes, params.math_mode, "params.math_mode", "one of the GRAPHCAP_MATH_ numbers")?;
    let mut sgemm = Sgemm {
        m: params.m,
        n: params.n,
        k: params.k,
        transpose_a: is_set(params.transpose_a, "params.transpose_a")?,
        transpose_b: is_set(params.transpose_b, "params.transpose_b")?,
        leading: [params.lda, params.ldb, params.ldc],
        stride: [params.stride_a, params.stride_b, params.stride_c],
        batch: or(params.batch_count, 1),
        mode,
        workspace: match params.workspace_bytes {
            0 => SgemmWorkspace::OfStream,
            u64::MAX => SgemmWorkspace::Own,
            bytes => SgemmWorkspace::OwnOf(bytes),
        },
    };
    let rows = sgemm.sizes().map(|(rows, _)| rows.max(1));
    sgemm.leading.iter_mut().zip(rows).for_each(|(leading, rows)| *leading = or(*leading, rows));
    sgemm.extents()?;
    let buffer = |buffer, name| -> Result<Buffer> { handle::clone(buffer, name) };
    Ok(SgemmOp {
        sgemm,
        matrices: [
            (buffer(params.a, "params.a")?, params.a_offset),
            (buffer(params.b, "params.b")?, params.b_offset),
            (buffer(params.c, "params.c")?, params.c_offset),
        ],
        alpha: coefficient(params.alpha, params.alpha_scalar, "params.alpha", "params.alpha_scalar")?,
        beta: coefficient(params.beta, params.beta_scalar, "params.beta", "params.beta_scalar")?,
    })
}

/// The sizes that a struct describes. Messages call its direction `argument`.
fn shape(params: &gc_fft_plan_params, argument: &'static str) -> Result<Fft> {
    let directions = [
        (GRAPHCAP_FFT_DIRECTION_R2C, FftDirection::RealToComplex),
        (GRAPHCAP_FFT_DIRECTION_C2R, FftDirection::ComplexToReal),
    ];
    let direction = one_of(directions, params.direction, argument, "one of the GRAPHCAP_FFT_DIRECTION_ numbers")?;
    let (length, batch) = (params.length, or(params.batch_count, 1));
    let mut fft = Fft { direction, length, batch, input_distance: 0, output_distance: 0 };
    let [(read, _), (written, _)] = fft.sides();
    fft.input_distance = or(params.input_distance, read);
    fft.output_distance = or(params.output_distance, written);
    fft.extents()?;
    Ok(fft)
}

/// The transforms that a struct describes, in the direction of the op.
///
/// # Safety
/// What the struct points to is there, as the header says.
pub(in crate::ffi) unsafe fn fft(params: &gc_fft_params, direction: FftDirection) -> Result<FftOp> {
    check_flags(params.reserved, 0, "params.reserved", "0")?;
    let plan: Option<FftPlan> = handle::optional(params.plan, "params.plan")?;
    let fft = match &plan {
        Some(plan) => {
            check_unused(params.plan_params.addr(), "params.plan_params", "NULL with a plan")?;
            *plan.fft()
        }
        None => {
            // SAFETY: passed on to the caller.
            let shape_params = unsafe { options::read(params.plan_params, "params.plan_params") }?;
            shape(&shape_params, "params.plan_params.direction")?
        }
    };
    if fft.direction != direction {
        return Err(graphcap_base::Error::invalid_value(
            "the op transforms in one direction and its plan, or plan_params.direction, in the other; use the op of that kind",
        )
        .into());
    }
    let input = (handle::clone(params.input, "params.input")?, params.input_offset);
    let output = (handle::clone(params.output, "params.output")?, params.output_offset);
    Ok(match plan {
        Some(plan) => FftOp::of_plan(&plan, input, output),
        None => FftOp::new(fft, input, output),
    })
}

/// Plans Fourier transforms, which any number of GRAPHCAP_WORK_FFT_R2C or GRAPHCAP_WORK_FFT_C2R ops can share. The first plan of a
/// size may take a second on a GPU. On the host device a plan takes milliseconds where the length is a product of small primes and
/// is below a million, and seconds where it has a prime factor of millions. A capture of the calling thread goes on. Any thread
/// may use a plan.
///
/// @param[in]  context   where the transforms will run
/// @param[in]  params    their sizes, not NULL; copied
/// @param[out] plan_out  the new plan, owned by the caller until gc_fft_plan_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    transforms overlap
/// @retval GRAPHCAP_ERROR_LIBRARY          cuFFT cannot be loaded; the message has the names that were tried
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED    the library lacks a function, or cannot transform so
/// @retval GRAPHCAP_ERROR_UNKNOWN          cuFFT failed otherwise, as it may while a blocking stream is captured; the
///                                         message has its answer. Plans are best made before captures begin
/// @retval GRAPHCAP_ERROR_ILLEGAL_ADDRESS  a kernel faulted before
#[no_mangle]
pub unsafe extern "C" fn gc_fft_plan_create(
    context: *const gc_context,
    params: *const gc_fft_plan_params,
    plan_out: *mut *mut gc_fft_plan,
) -> gc_status {
    // SAFETY: C promises that `plan_out` is NULL or writable.
    let out = unsafe { Out::handle(plan_out, "plan_out") };
    with_clone("gc_fft_plan_create", (context, "context"), |context| {
        // SAFETY: C promises that `params` is NULL or points to as many bytes as its struct_size states.
        let fft = shape(&unsafe { options::read(params, "params") }?, "params.direction")?;
        let out = out.required()?;
        check_caller()?;
        out.write(handle::insert(FftPlan::create(&context, &fft)?)?);
        Ok(())
    })
}

/// Destroys a plan. Ops and graphs that use it keep it. What a GPU has of it goes in gc_context_collect() or
/// gc_context_synchronize().
///
/// @param[in] plan  NULL has no effect
#[no_mangle]
pub unsafe extern "C" fn gc_fft_plan_destroy(plan: *mut gc_fft_plan) -> gc_status {
    guard("gc_fft_plan_destroy", [], || handle::destroy(plan, "plan"))
}
