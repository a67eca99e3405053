//! The host kernel that makes Fourier transforms: each block transforms some of a batch, with memory of its own for the work.

use std::ffi::c_void;

use super::fft_plans::{self, FftPlan};
use super::BLOCKS_PER_LANE;
use crate::memory::check_range;
use crate::raw;
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::{Fft, FftDirection, FftPlanned, HostBlock, LaunchShape, MathKernel, Way};

pub(crate) use super::fft_plans::end;

/// Words of the last parameter.
const FFT_WORDS: usize = 8;

/// The addresses of input, output and work memory; and the rest.
pub const PARAMETERS: [usize; 4] = [8, 8, 8, 8 * FFT_WORDS];

/// Numbers that are worth a block of their own: some 20 us.
const NUMBERS_OF_BLOCK: u64 = 1 << 13;
/// Alignment of memory for the work.
const WORK_ALIGNMENT: usize = 64;

/// Share of the work that a block does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Share {
    /// Transforms that it makes.
    transforms: u64,
    /// Bytes of memory that it has for the work.
    work_bytes: u64,
}

/// Bytes of the copy of an input, on which the transform works.
fn copy_bytes(fft: &Fft) -> usize {
    let [(numbers, bytes), _] = fft.sides();
    ((numbers * bytes) as usize).next_multiple_of(WORK_ALIGNMENT)
}

/// Bytes that a block needs.
fn work_bytes(fft: &Fft, plan: &FftPlan) -> usize {
    copy_bytes(fft) + (plan.scratch() * 8).next_multiple_of(WORK_ALIGNMENT)
}

/// Plans transforms, which have been checked, for so many lanes.
///
/// # Errors
/// `OUT_OF_MEMORY`.
pub(crate) fn plan(fft: &Fft, lanes: usize) -> Result<FftPlanned> {
    let (id, plan) = fft_plans::begin((fft.length, fft.direction))?;
    let most = fft.batch.min(BLOCKS_PER_LANE * lanes as u64);
    let blocks = fft.length.saturating_mul(fft.batch).div_ceil(NUMBERS_OF_BLOCK).clamp(1, most);
    let transforms = fft.batch.div_ceil(blocks);
    let blocks = fft.batch.div_ceil(transforms);
    let share = Share { transforms, work_bytes: work_bytes(fft, &plan) as u64 };
    let Some(all) = usize::try_from(blocks).ok().and_then(|blocks| blocks.checked_mul(share.work_bytes as usize))
    else {
        end(id);
        return Err(Error::new(Status::OUT_OF_MEMORY, "there is not enough memory for the transform"));
    };
    let words = to_words(fft, share);
    let kernel = MathKernel {
        shape: LaunchShape { grid: [blocks as u32, 1, 1], block: [1; 3], shared_mem_bytes: 0 },
        parameters: words.iter().flat_map(|word| word.to_ne_bytes()).collect(),
        work_bytes: all,
    };
    Ok(FftPlanned { way: Way::Kernel(kernel), plan: id })
}

fn to_words(fft: &Fft, share: Share) -> [u64; FFT_WORDS] {
    let is_back = u64::from(fft.direction == FftDirection::ComplexToReal);
    let Share { transforms, work_bytes } = share;
    [is_back, fft.length, fft.batch, fft.input_distance, fft.output_distance, transforms, work_bytes, 0]
}

fn of_words(words: [u64; FFT_WORDS]) -> (Fft, Share) {
    let [is_back, length, batch, input_distance, output_distance, transforms, work_bytes, _] = words;
    let direction = match is_back {
        0 => FftDirection::RealToComplex,
        _ => FftDirection::ComplexToReal,
    };
    (Fft { direction, length, batch, input_distance, output_distance }, Share { transforms, work_bytes })
}

/// Runs a block. Its arguments may be anybody's, as a text of a graph can name the kernel: memory that is not there faults, as it
/// would on a GPU.
pub(crate) extern "C-unwind" fn run(block: *const HostBlock, arguments: *const *const c_void) -> i32 {
    let [input, output, work] = std::array::from_fn(|index| raw::argument_words::<1>(arguments, index)[0]);
    let (fft, share) = of_words(raw::argument_words(arguments, 3));
    let index = u64::from(raw::block_index(block)[0]);
    run_block(&fft, share, index, input, output, work).map_or_else(|error| error.status.0, |()| 0)
}

fn run_block(fft: &Fft, share: Share, index: u64, input: u64, output: u64, work: u64) -> Result<()> {
    let [input_bytes, output_bytes] = fft.extents()?;
    let range = |address: u64, bytes: u64| {
        check_range(address, usize::try_from(bytes).unwrap_or(usize::MAX))?;
        match address.is_multiple_of(8) {
            true => Ok(()),
            false => Err(Error::new(Status::ILLEGAL_ADDRESS, "an address of a transform is no multiple of 8")),
        }
    };
    range(input, input_bytes)?;
    range(output, output_bytes)?;
    let plan = fft_plans::find((fft.length, fft.direction))?;
    let (bytes, copied) = (work_bytes(fft, &plan) as u64, copy_bytes(fft) as u64);
    let mine = index.checked_mul(share.work_bytes).and_then(|before| work.checked_add(before));
    let mine = mine
        .filter(|_| share.work_bytes >= bytes)
        .ok_or_else(|| Error::new(Status::ILLEGAL_ADDRESS, "a transform has less memory for its work than it needs"))?;
    range(mine, bytes)?;
    let [(read, read_bytes), (written, written_bytes)] = fft.sides();
    let first = index.saturating_mul(share.transforms);
    for transform in first..first.saturating_add(share.transforms).min(fft.batch) {
        let from = input + transform * fft.input_distance * read_bytes;
        let to = output + transform * fft.output_distance * written_bytes;
        raw::copy(mine, from, (read * read_bytes) as usize);
        let length = fft.length as usize;
        let is_done = raw::with_complex(mine + copied, plan.scratch(), |scratch| match &*plan {
            FftPlan::Forward(plan) => raw::with_real(mine, length, |input| {
                raw::with_complex(to, written as usize, |output| {
                    plan.process_with_scratch(input, output, scratch).is_ok()
                })
            }),
            FftPlan::Back(plan) => raw::with_complex(mine, read as usize, |input| {
                raw::with_real(to, length, |output| fft_plans::back(&**plan, input, output, scratch, length))
            }),
        });
        if !is_done {
            return Err(Error::new(Status::LAUNCH_FAILED, "a transform was given numbers of another length"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORTH: Fft = Fft {
        direction: FftDirection::RealToComplex,
        length: 100,
        batch: 1000,
        input_distance: 100,
        output_distance: 51,
    };

    #[test]
    fn the_parameters_are_read_back() {
        let share = Share { transforms: 5, work_bytes: 192 };
        for direction in [FftDirection::RealToComplex, FftDirection::ComplexToReal] {
            let fft = Fft { direction, ..FORTH };
            assert_eq!(of_words(to_words(&fft, share)), (fft, share));
        }
    }

    #[test]
    fn each_block_has_work_and_memory_of_its_own() {
        for batch in [1, 2, 7, 1000, 12_345] {
            let planned = plan(&Fft { batch, ..FORTH }, 4).unwrap();
            let Way::Kernel(kernel) = planned.way else { panic!("the host has no library") };
            let words: Vec<u64> =
                kernel.parameters.as_chunks().0.iter().map(|word| u64::from_ne_bytes(*word)).collect();
            let (_, share) = of_words(words.try_into().unwrap());
            let blocks = u64::from(kernel.shape.grid[0]);
            assert!(blocks * share.transforms >= batch && (blocks - 1) * share.transforms < batch, "{share:?}");
            assert_eq!(kernel.work_bytes as u64, blocks * share.work_bytes);
            end(planned.plan);
        }
    }

    #[test]
    fn hostile_parameters_fault_instead_of_reaching_memory() {
        let mut place = [0u64; 600];
        let address = std::ptr::from_mut(&mut place).expose_provenance() as u64;
        let share = Share { transforms: 1, work_bytes: 4096 };
        assert!(run_block(&FORTH, share, 0, address, address, address).is_err());
        assert!(run_block(&Fft { length: 0, ..FORTH }, share, 0, address, address, address).is_err());
        assert!(run_block(&FORTH, Share { work_bytes: u64::MAX, ..share }, 3, address, address, address).is_err());
    }
}
