//! The host kernel that multiplies matrices: each block calculates a tile of C, or some small matrices of a batch. It runs on
//! the device's lanes as the blocks of any kernel do.

use std::ffi::c_void;

use super::BLOCKS_PER_LANE;
use crate::memory::check_range;
use crate::raw;
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::{HostBlock, LaunchShape, MathKernel, MathMode, Sgemm, SgemmWorkspace};

/// Words of the last parameter.
const SGEMM_WORDS: usize = 16;

/// The addresses of A, B, C, alpha and beta, the latter two 0 where they are values; the values; and the rest.
pub const PARAMETERS: [usize; 7] = [8, 8, 8, 8, 8, 8, 8 * SGEMM_WORDS];

/// Operations that are worth a block of their own: some 20 us.
const OPERATIONS_OF_BLOCK: u64 = 1 << 21;
/// Tiles have multiples of so many rows and columns, which the innermost loops take at a time.
const TILE_STEP: [u64; 2] = [48, 8];
/// Tiles are at least so large, since each packs its operands anew.
const LEAST: [u64; 2] = [96, 64];

/// Tiling of a product into blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Tiling {
    /// Rows and columns of a tile.
    tile: [u64; 2],
    /// Matrices of the batch that one block calculates.
    matrices: u64,
}

impl Tiling {
    /// For so many lanes.
    fn of(sgemm: &Sgemm, lanes: u64) -> Tiling {
        let whole = Tiling { tile: [sgemm.m, sgemm.n], matrices: 1 };
        let operations = (2 * sgemm.m).saturating_mul(sgemm.n).saturating_mul(sgemm.k.max(1));
        let wanted = BLOCKS_PER_LANE * lanes;
        if operations < OPERATIONS_OF_BLOCK {
            let together = OPERATIONS_OF_BLOCK / operations.max(1);
            return Tiling { matrices: together.min(sgemm.batch.div_ceil(wanted)).max(1), ..whole };
        }
        if lanes == 1 || sgemm.batch >= wanted {
            return whole;
        }
        let pieces = wanted.div_ceil(sgemm.batch).min(operations / OPERATIONS_OF_BLOCK).max(1);
        // Each tile packs its rows of A and its columns of B anew, and B by far the slower where that is transposed.
        let square = (pieces.saturating_mul(sgemm.m) / sgemm.n.saturating_mul(2)).isqrt();
        let rows = (sgemm.m / LEAST[0]).min(square).clamp(1, pieces);
        let columns = (sgemm.n / LEAST[1]).clamp(1, pieces.div_ceil(rows));
        let piece = |size: u64, pieces: u64, step: u64| size.div_ceil(pieces).next_multiple_of(step).min(size);
        Tiling { tile: [piece(sgemm.m, rows, TILE_STEP[0]), piece(sgemm.n, columns, TILE_STEP[1])], matrices: 1 }
    }

    /// Tiles of a matrix along its rows and along its columns, and blocks along the batch.
    fn counts(self, sgemm: &Sgemm) -> [u64; 3] {
        [
            sgemm.m.div_ceil(self.tile[0].max(1)),
            sgemm.n.div_ceil(self.tile[1].max(1)),
            sgemm.batch.div_ceil(self.matrices.max(1)),
        ]
    }
}

/// The launch that calculates a product on so many lanes.
///
/// # Errors
/// `INVALID_VALUE` for a batch of too many blocks.
pub(crate) fn launch(sgemm: &Sgemm, lanes: usize) -> Result<MathKernel> {
    let cut = Tiling::of(sgemm, lanes as u64);
    let blocks = cut.counts(sgemm).iter().try_fold(1, |all: u64, &count| all.checked_mul(count));
    let blocks = blocks.and_then(|blocks| i32::try_from(blocks).ok()).ok_or_else(|| {
        Error::invalid_value(format!("a batch of {} matrices is too large for one product; make several", sgemm.batch))
    })?;
    let words = to_words(sgemm, cut);
    Ok(MathKernel {
        shape: LaunchShape { grid: [blocks as u32, 1, 1], block: [1; 3], shared_mem_bytes: 0 },
        parameters: words.iter().flat_map(|word| word.to_ne_bytes()).collect(),
        work_bytes: 0,
    })
}

fn to_words(sgemm: &Sgemm, cut: Tiling) -> [u64; SGEMM_WORDS] {
    let [lda, ldb, ldc] = sgemm.leading;
    let [stride_a, stride_b, stride_c] = sgemm.stride;
    let transposed = u64::from(sgemm.transpose_a) | u64::from(sgemm.transpose_b) << 1;
    let Tiling { tile: [rows, columns], matrices } = cut;
    let (m, n, k, batch) = (sgemm.m, sgemm.n, sgemm.k, sgemm.batch);
    [m, n, k, transposed, lda, ldb, ldc, stride_a, stride_b, stride_c, batch, rows, columns, matrices, 0, 0]
}

fn of_words(words: [u64; SGEMM_WORDS]) -> (Sgemm, Tiling) {
    let [m, n, k, transposed, lda, ldb, ldc, stride_a, stride_b, stride_c, batch, rows, columns, matrices, _, _] =
        words;
    let sgemm = Sgemm {
        m,
        n,
        k,
        transpose_a: transposed & 1 != 0,
        transpose_b: transposed & 2 != 0,
        leading: [lda, ldb, ldc],
        stride: [stride_a, stride_b, stride_c],
        batch,
        mode: MathMode::Float32,
        workspace: SgemmWorkspace::OfStream,
    };
    (sgemm, Tiling { tile: [rows, columns], matrices })
}

/// Runs a block. Its arguments may be anybody's, as a text of a graph can name the kernel: memory that is not there faults, as it
/// would on a GPU.
pub(crate) extern "C-unwind" fn run(block: *const HostBlock, arguments: *const *const c_void) -> i32 {
    let [a, b, c, alpha, beta] = std::array::from_fn(|index| raw::argument_words::<1>(arguments, index)[0]);
    let [values] = raw::argument_words::<1>(arguments, 5);
    let (sgemm, cut) = of_words(raw::argument_words(arguments, 6));
    let index = u64::from(raw::block_index(block)[0]);
    let ran = factor(alpha, values as u32).and_then(|alpha| {
        let beta = factor(beta, (values >> 32) as u32)?;
        run_block(&sgemm, cut, index, [a, b, c], alpha, beta)
    });
    ran.map_or_else(|error| error.status.0, |()| 0)
}

/// alpha or beta.
fn factor(address: u64, bits: u32) -> Result<f32> {
    if address == 0 {
        return Ok(f32::from_bits(bits));
    }
    check_range(address, size_of::<f32>())?;
    match address.is_multiple_of(size_of::<f32>() as u64) {
        true => Ok(f32::from_bits(raw::load_u32(address))),
        false => Err(misaligned()),
    }
}

#[cold]
fn misaligned() -> Error {
    Error::new(Status::ILLEGAL_ADDRESS, "an address of a product is no multiple of 4")
}

fn run_block(sgemm: &Sgemm, cut: Tiling, index: u64, matrices: [u64; 3], alpha: f32, beta: f32) -> Result<()> {
    let extents = sgemm.extents()?;
    let [rows, columns, _] = cut.counts(sgemm);
    if sgemm.is_nothing() || rows == 0 || columns == 0 {
        return Ok(());
    }
    // With an alpha of 0 neither A nor B is read.
    let k = if alpha == 0.0 { 0 } else { sgemm.k };
    for ((address, bytes), is_used) in matrices.into_iter().zip(extents).zip([k > 0, k > 0, true]) {
        if is_used {
            check_range(address, usize::try_from(bytes).unwrap_or(usize::MAX))?;
            if !address.is_multiple_of(size_of::<f32>() as u64) {
                return Err(misaligned());
            }
        }
    }
    let (row, column) = (index % rows * cut.tile[0], index / rows % columns * cut.tile[1]);
    let first = (index / (rows * columns)).saturating_mul(cut.matrices);
    let (m, n) = (cut.tile[0].min(sgemm.m - row), cut.tile[1].min(sgemm.n - column));
    for matrix in first..first.saturating_add(cut.matrices).min(sgemm.batch) {
        let steps = |index: usize, is_transposed: bool| match is_transposed {
            true => [sgemm.leading[index], 1],
            false => [1, sgemm.leading[index]],
        };
        let steps = [steps(0, sgemm.transpose_a), steps(1, sgemm.transpose_b), steps(2, false)];
        let at = |index: usize, elements: u64| {
            matrices[index] + size_of::<f32>() as u64 * (matrix * sgemm.stride[index] + elements)
        };
        raw::multiply(&raw::Product {
            sizes: [m, n, k],
            a: at(0, row * steps[0][0]),
            b: at(1, column * steps[1][1]),
            c: at(2, row + column * steps[2][1]),
            steps,
            alpha,
            beta,
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(size: u64, batch: u64) -> Sgemm {
        let (leading, stride) = ([size; 3], [size * size; 3]);
        let (transpose_a, transpose_b, mode) = (false, false, MathMode::Float32);
        Sgemm {
            m: size,
            n: size,
            k: size,
            transpose_a,
            transpose_b,
            leading,
            stride,
            batch,
            mode,
            workspace: SgemmWorkspace::OfStream,
        }
    }

    #[test]
    fn the_parameters_are_read_back() {
        let (sgemm, cut) = (Sgemm { transpose_b: true, k: 3, ..square(9, 4) }, Tiling { tile: [5, 6], matrices: 7 });
        assert_eq!(of_words(to_words(&sgemm, cut)), (sgemm, cut));
    }

    #[test]
    fn the_tiles_cover_every_element_once_for_any_number_of_lanes() {
        for (m, n, k, batch) in
            [(1, 1, 1, 1), (7, 300, 5, 3), (1000, 3, 900, 2), (513, 777, 64, 1), (2048, 2048, 300, 1)]
        {
            for lanes in [1, 2, 3, 16, 100] {
                let sgemm = Sgemm { m, n, k, batch, ..square(m, batch) };
                let cut = Tiling::of(&sgemm, lanes);
                let [rows, columns, blocks] = cut.counts(&sgemm);
                assert!(rows * cut.tile[0] >= m && (rows - 1) * cut.tile[0] < m, "{cut:?}");
                assert!(columns * cut.tile[1] >= n && (columns - 1) * cut.tile[1] < n, "{cut:?}");
                assert!(blocks * cut.matrices >= batch && (blocks - 1) * cut.matrices < batch, "{cut:?}");
            }
        }
    }

    #[test]
    fn large_products_are_cut_for_several_lanes_and_small_ones_are_put_together() {
        assert_eq!(Tiling::of(&square(2048, 1), 1).counts(&square(2048, 1)), [1, 1, 1]);
        let [rows, columns, _] = Tiling::of(&square(2048, 1), 2).counts(&square(2048, 1));
        assert!((2..=16).contains(&(rows * columns)), "{rows} x {columns}");
        assert_eq!(Tiling::of(&square(16, 1), 2).counts(&square(16, 1)), [1, 1, 1]);
        assert_eq!(Tiling::of(&square(4, 100_000), 2).counts(&square(4, 100_000)), [1, 1, 8]);
    }

    #[test]
    fn hostile_parameters_fault_instead_of_reaching_memory() {
        let mut place = [0u64; 16];
        let sgemm = square(4, 1);
        let cut = Tiling { tile: [4, 4], matrices: 1 };
        let address = std::ptr::from_mut(&mut place).expose_provenance() as u64;
        // None of it is memory of the device.
        assert!(run_block(&sgemm, cut, 0, [address; 3], 1.0, 0.0).is_err());
        let huge = Sgemm { stride: [u64::MAX; 3], batch: 2, ..sgemm };
        assert!(run_block(&huge, cut, 1, [address; 3], 1.0, 0.0).is_err());
        assert!(run_block(&sgemm, Tiling { tile: [0, 0], matrices: u64::MAX }, 9, [address; 3], 1.0, 0.0).is_err());
    }
}
