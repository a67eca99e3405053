//! Mathematics: products of matrices and Fourier transforms, by kernels of graphcap's own or by a library of the device's.

use super::{Address, FftPlanId, LaunchShape, StreamId};
use graphcap_base::error::{Error, Result};

/// Bytes of an element of a matrix, and of a real number of a transform.
const REAL: u64 = 4;
/// Bytes of a complex number.
const COMPLEX: u64 = 8;
/// Largest size that libraries take.
const MOST: u64 = i32::MAX as u64;

/// Calculations of a device. The rules of [`Driver`](super::Driver) hold.
pub trait Math: Send + Sync {
    /// Returns how the device multiplies matrices so. Does beforehand what must not happen in a capture: loads a library and makes its
    /// handle. Harms no capture.
    ///
    /// # Errors
    /// `LIBRARY` where the library cannot be loaded; `INVALID_VALUE` for sizes that the device cannot multiply.
    fn sgemm_way(&self, sgemm: &Sgemm) -> Result<Way>;
    /// Gives a stream a product whose way is [`Way::Library`]. `workspace` is memory of as many bytes as the way says.
    fn sgemm(&self, stream: StreamId, sgemm: &Sgemm, of: &SgemmOperands, workspace: Address) -> Result<()>;
    /// Lends a handle of the library to others, which use it for work of the stream, in `workspace`: memory of as many bytes as the way of
    /// a product says that uses the stream's. Nobody else uses the handle until it is given to [`Math::blas_return`].
    ///
    /// # Errors
    /// `NOT_SUPPORTED` on a device that has no library; `LIBRARY`.
    fn blas_lend(&self, stream: StreamId, workspace: Address) -> Result<usize>;
    /// Takes a handle back that was lent.
    fn blas_return(&self, native: usize);
    /// Makes a generator of random numbers of the library's (Philox 4x32-10) as the library makes them, with the seed 0. Harms no
    /// capture.
    ///
    /// # Errors
    /// `NOT_SUPPORTED` on a device that has no library; `LIBRARY`; `OUT_OF_MEMORY`.
    fn rand_create(&self) -> Result<usize>;
    /// Sets a generator to a stream, for which others use it until core lets go of it.
    fn rand_lend(&self, stream: StreamId, native: usize) -> Result<()>;
    /// Ends a generator when no work needs it: it is given out again, or destroyed in [`Driver::collect`](super::Driver::collect).
    /// `used_by` are streams whose work used it, of whatever contexts.
    fn rand_destroy(&self, native: usize, used_by: &[StreamId]);
    /// Plans a transform. Harms no capture.
    ///
    /// # Errors
    /// `LIBRARY` where the library cannot be loaded; `INVALID_VALUE` for sizes that the device cannot transform;
    /// `OUT_OF_MEMORY`.
    fn fft_plan(&self, fft: &Fft) -> Result<FftPlanned>;
    /// Gives a stream a transform whose way is [`Way::Library`]. `work` is memory of as many bytes as the way says.
    fn fft(&self, stream: StreamId, plan: FftPlanId, of: &FftOperands) -> Result<()>;
    /// Ends a plan when no work needs it: in [`Driver::collect`](super::Driver::collect) where that may wait or harm a capture.
    /// `used_by` are streams whose work used it, of whatever contexts.
    fn fft_plan_destroy(&self, plan: FftPlanId, used_by: &[StreamId]);
}

/// Way in which a device calculates something.
#[derive(Clone, Debug)]
pub enum Way {
    /// By a kernel of graphcap's own.
    Kernel(MathKernel),
    /// By a library, which needs so many bytes of memory while it runs; 0 for none.
    Library(usize),
}

/// A launch of a kernel of graphcap's own.
#[derive(Clone, Debug)]
pub struct MathKernel {
    /// Its blocks.
    pub shape: LaunchShape,
    /// The value of its last parameter.
    pub parameters: Vec<u8>,
    /// Bytes of memory that it needs while it runs; 0 for none.
    pub work_bytes: usize,
}

/// Memory that a library may use while a product runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum SgemmWorkspace {
    /// The stream's, which all products share that the stream executes, or records into one capture. They stay in order.
    #[default]
    OfStream,
    /// Memory of its own for each product that is recorded, as large as a stream's. What is executed uses the stream's.
    Own,
    /// As [`SgemmWorkspace::Own`], of so many bytes, which the library is given of the stream's too.
    OwnOf(u64),
}

/// With fewer bytes cuBLAS may refuse a product.
const LEAST_WORKSPACE: u64 = 16 << 10;

/// Precision of a product.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum MathMode {
    /// In 32-bit floating point throughout.
    #[default]
    Float32,
    /// The factors may be rounded to TF32, which has 10 bits behind the point, where the device is faster so.
    TensorFloat32,
}

/// C = alpha * op(A) * op(B) + beta * C for each of a batch of column-major matrices of 32-bit numbers. op(A) has `m` rows and
/// `k` columns, op(B) `k` rows and `n` columns, C `m` rows and `n` columns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Sgemm {
    /// Rows of C.
    pub m: u64,
    /// Columns of C.
    pub n: u64,
    /// Columns of op(A).
    pub k: u64,
    /// Tells whether op(A) is A transposed.
    pub transpose_a: bool,
    /// Tells whether op(B) is B transposed.
    pub transpose_b: bool,
    /// Elements from one column of A, B and C to the next.
    pub leading: [u64; 3],
    /// Elements from one matrix of the batch to the next, for A, B and C.
    pub stride: [u64; 3],
    /// The number of matrices.
    pub batch: u64,
    /// Precision.
    pub mode: MathMode,
    /// Memory that the device's library works in, if it is one that multiplies.
    pub workspace: SgemmWorkspace,
}

/// The names of the matrices of a product.
const MATRICES: [&str; 3] = ["A", "B", "C"];

impl Sgemm {
    /// A product as small as can be, by which a device tells how it multiplies.
    pub const SMALLEST: Sgemm = Sgemm {
        m: 1,
        n: 1,
        k: 1,
        transpose_a: false,
        transpose_b: false,
        leading: [1; 3],
        stride: [1; 3],
        batch: 1,
        mode: MathMode::Float32,
        workspace: SgemmWorkspace::OfStream,
    };

    /// Returns whether there is nothing to calculate.
    pub fn is_nothing(&self) -> bool {
        self.m == 0 || self.n == 0 || self.batch == 0
    }

    /// Rows and columns of A, B and C as they lie in memory.
    pub fn sizes(&self) -> [(u64, u64); 3] {
        let turned = |rows, columns, is_transposed| if is_transposed { (columns, rows) } else { (rows, columns) };
        [turned(self.m, self.k, self.transpose_a), turned(self.k, self.n, self.transpose_b), (self.m, self.n)]
    }

    /// The bytes that A, B and C take from their first elements on; 0 for one without elements.
    ///
    /// # Errors
    /// `INVALID_VALUE` for sizes and distances of more than 2^31 - 1, for columns that overlap, and for matrices C that do; for a
    /// workspace of fewer than 16 KiB or more than 2^31 - 1 bytes.
    pub fn extents(&self) -> Result<[u64; 3]> {
        match self.workspace {
            SgemmWorkspace::OwnOf(bytes) if !(LEAST_WORKSPACE..=MOST).contains(&bytes) => {
                return Err(Error::invalid_value(format!(
                    "the workspace of the product has {bytes} bytes; it can have {LEAST_WORKSPACE} to {MOST}"
                )));
            }
            _ => {}
        }
        for (name, value) in [("m", self.m), ("n", self.n), ("k", self.k), ("the batch", self.batch)] {
            if value > MOST {
                return Err(Error::invalid_value(format!("{name} is {value}; it can be at most {MOST}")));
            }
        }
        let mut extents = [0; 3];
        for (index, (rows, columns)) in self.sizes().into_iter().enumerate() {
            let (name, leading, stride) = (MATRICES[index], self.leading[index], self.stride[index]);
            if leading > MOST || leading < rows.max(1) {
                return Err(Error::invalid_value(format!(
                    "the leading dimension of {name} is {leading}; it is at least its number of rows, {rows}, and 1, and at most \
                     {MOST}"
                )));
            }
            if rows == 0 || columns == 0 || self.batch == 0 {
                continue;
            }
            let one = (columns - 1) * leading + rows;
            if index == 2 && self.batch > 1 && stride < one {
                return Err(Error::invalid_value(format!(
                    "the matrices C are {stride} elements apart and have {one} each, so that they overlap; make the stride larger"
                )));
            }
            let bytes = (self.batch - 1).checked_mul(stride).and_then(|all| all.checked_add(one)?.checked_mul(REAL));
            extents[index] = bytes.filter(|&bytes| bytes <= i64::MAX as u64).ok_or_else(|| {
                Error::invalid_value(format!(
                    "{} matrices {name}, {stride} elements apart, are more than there are addresses",
                    self.batch
                ))
            })?;
        }
        Ok(extents)
    }
}

/// alpha or beta of a product.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Factor {
    /// The number.
    Value(f32),
    /// The number is in device memory, at this address.
    At(Address),
}

/// Addresses of the operands of a product.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SgemmOperands {
    /// The first elements of A, B and C.
    pub matrices: [Address; 3],
    /// alpha.
    pub alpha: Factor,
    /// beta.
    pub beta: Factor,
}

/// Direction of a transform.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FftDirection {
    /// From `length` real numbers to `length / 2 + 1` complex ones.
    RealToComplex,
    /// Back, without division by the length. The imaginary parts of the first number and, for an even length, of the last one are
    /// ignored.
    ComplexToReal,
}

/// A batch of transforms of one length, of 32-bit numbers, from one place to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fft {
    /// Direction.
    pub direction: FftDirection,
    /// Real numbers in each.
    pub length: u64,
    /// The number of transforms.
    pub batch: u64,
    /// Numbers from the first input of one transform to that of the next, in the input's numbers.
    pub input_distance: u64,
    /// As `input_distance`, of the output.
    pub output_distance: u64,
}

/// A transform as a device has planned it.
#[derive(Clone, Debug)]
pub struct FftPlanned {
    /// Way in which it is calculated.
    pub way: Way,
    /// The plan.
    pub plan: FftPlanId,
}

/// Addresses of the operands of a transform.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FftOperands {
    /// The first number of the input.
    pub input: Address,
    /// The first number of the output.
    pub output: Address,
    /// Memory for the work alone.
    pub work: Address,
}

impl Fft {
    /// Numbers of each transform in the input and in the output, and the bytes of one number of these.
    pub fn sides(&self) -> [(u64, u64); 2] {
        let (real, complex) = ((self.length, REAL), (self.length / 2 + 1, COMPLEX));
        match self.direction {
            FftDirection::RealToComplex => [real, complex],
            FftDirection::ComplexToReal => [complex, real],
        }
    }

    /// The bytes that input and output take from their first numbers on.
    ///
    /// # Errors
    /// `INVALID_VALUE` for a length or batch that is 0 or more than 2^31 - 1, for outputs that overlap, and for distances that are
    /// beyond the address space.
    pub fn extents(&self) -> Result<[u64; 2]> {
        for (name, value) in [("length", self.length), ("batch", self.batch)] {
            if value == 0 || value > MOST {
                return Err(Error::invalid_value(format!("the {name} is {value}; it can be 1 to {MOST}")));
            }
        }
        let distances = [("input", self.input_distance), ("output", self.output_distance)];
        let mut extents = [0; 2];
        for (index, (numbers, bytes)) in self.sides().into_iter().enumerate() {
            let (name, distance) = distances[index];
            if self.batch > 1 && distance < numbers {
                return Err(Error::invalid_value(format!(
                    "the {name}s of two transforms are {distance} numbers apart and have {numbers} each, so that they overlap; \
                     make the distance larger"
                )));
            }
            let all =
                (self.batch - 1).checked_mul(distance).and_then(|all| all.checked_add(numbers)?.checked_mul(bytes));
            extents[index] = all.filter(|&bytes| bytes <= i64::MAX as u64).ok_or_else(|| {
                Error::invalid_value(format!(
                    "{} transforms whose {name}s are {distance} numbers apart are more than there are addresses",
                    self.batch
                ))
            })?;
        }
        Ok(extents)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: Sgemm = Sgemm {
        m: 4,
        n: 4,
        k: 4,
        transpose_a: false,
        transpose_b: false,
        leading: [4; 3],
        stride: [16; 3],
        batch: 1,
        mode: MathMode::Float32,
        workspace: SgemmWorkspace::OfStream,
    };

    fn refused<T: std::fmt::Debug>(result: Result<T>, part: &str) {
        let message = result.unwrap_err().message;
        assert!(message.contains(part), "{part:?} is not in {message:?}");
    }

    #[test]
    fn products_take_the_bytes_that_their_columns_reach() {
        assert_eq!(SQUARE.extents().unwrap(), [64; 3]);
        let wide =
            Sgemm { m: 3, n: 5, k: 2, transpose_a: true, leading: [7, 8, 9], stride: [0, 100, 90], batch: 2, ..SQUARE };
        // A has 2 rows and 3 columns as it lies, B 2 and 5, C 3 and 5.
        assert_eq!(wide.extents().unwrap(), [(2 * 7 + 2) * 4, (100 + 4 * 8 + 2) * 4, (90 + 4 * 9 + 3) * 4]);
        assert_eq!(Sgemm { k: 0, leading: [4, 1, 4], ..SQUARE }.extents().unwrap(), [0, 0, 64]);
    }

    #[test]
    fn products_that_do_not_fit_say_so() {
        refused(Sgemm { leading: [3, 4, 4], ..SQUARE }.extents(), "leading dimension of A is 3");
        refused(Sgemm { leading: [4, 4, 1 << 31], ..SQUARE }.extents(), "leading dimension of C");
        refused(Sgemm { k: 1 << 31, ..SQUARE }.extents(), "k is 2147483648");
        refused(Sgemm { batch: 2, stride: [0, 0, 15], ..SQUARE }.extents(), "overlap");
        refused(Sgemm { batch: 3, stride: [u64::MAX / 2, 0, 16], ..SQUARE }.extents(), "more than there are addresses");
        for (bytes, is_taken) in
            [(LEAST_WORKSPACE - 1, false), (LEAST_WORKSPACE, true), (MOST, true), (MOST + 1, false)]
        {
            let extents = Sgemm { workspace: SgemmWorkspace::OwnOf(bytes), ..SQUARE }.extents();
            match is_taken {
                true => assert!(extents.is_ok()),
                false => refused(extents, "workspace"),
            }
        }
    }

    #[test]
    fn transforms_that_do_not_fit_say_so() {
        let fft =
            Fft { direction: FftDirection::RealToComplex, length: 7, batch: 2, input_distance: 9, output_distance: 4 };
        assert_eq!(fft.extents().unwrap(), [(9 + 7) * 4, (4 + 4) * 8]);
        let back = Fft { direction: FftDirection::ComplexToReal, input_distance: 4, output_distance: 7, ..fft };
        assert_eq!(back.extents().unwrap(), [(4 + 4) * 8, (7 + 7) * 4]);
        refused(Fft { length: 0, ..fft }.extents(), "length is 0");
        refused(Fft { batch: 1 << 31, ..fft }.extents(), "batch is");
        refused(Fft { output_distance: 3, ..fft }.extents(), "outputs of two transforms are 3 numbers apart");
        refused(Fft { input_distance: u64::MAX / 2, batch: 4, ..fft }.extents(), "more than there are addresses");
    }
}
