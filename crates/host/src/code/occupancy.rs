//! Number of blocks that run at once, and in which clusters, on the GPU that the host device goes by: one of compute capability 9.0
//! with 132 multiprocessors. A program that shapes its launches by these answers shapes them as on such a GPU. The CPU runs the
//! blocks one after another or on several lanes, whatever the answers.

use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::launch_attributes::dimensions;
use graphcap_driver::{AttributeValue, LaunchShape, SuggestedBlock};

const MULTIPROCESSORS: u32 = 132;
/// Threads, and blocks, that a multiprocessor runs at once at most.
const THREADS: u32 = 2048;
const BLOCKS: u32 = 32;
/// Bytes of shared memory of a multiprocessor, and those that each block takes beside its own.
const SHARED_MEMORY: u32 = 233_472;
const SHARED_MEMORY_OF_SYSTEM: u32 = 1024;
/// Bytes of shared memory come in pieces of so many.
const SHARED_MEMORY_PIECE: u32 = 128;
/// Threads that run in step.
const WARP: u32 = 32;
/// Threads in a block at most.
const MOST_THREADS: u32 = 1024;
/// Dynamic shared memory of a block at most.
pub(crate) const MOST_SHARED_MEMORY: u32 = SHARED_MEMORY - SHARED_MEMORY_OF_SYSTEM;
/// Blocks of a cluster at most, and where clusters of another size than every GPU has are allowed.
const MOST_IN_CLUSTER: u32 = 8;
const MOST_IN_ANY_CLUSTER: u32 = 16;

/// Returns how many blocks of so many threads one multiprocessor runs at once.
///
/// # Errors
/// `INVALID_VALUE` for 0 threads.
pub(crate) fn active_blocks(threads: u32, shared_mem_bytes: usize) -> Result<u32> {
    if threads == 0 {
        return Err(Error::invalid_value("a block has at least 1 thread"));
    }
    if threads > MOST_THREADS || shared_mem_bytes > MOST_SHARED_MEMORY as usize {
        return Ok(0);
    }
    let shared = (shared_mem_bytes as u32 + SHARED_MEMORY_OF_SYSTEM).next_multiple_of(SHARED_MEMORY_PIECE);
    Ok((THREADS / threads.next_multiple_of(WARP)).min(BLOCKS).min(SHARED_MEMORY / shared))
}

/// The block with which a multiprocessor is busiest, the largest of several.
pub(crate) fn suggested_block(shared_mem_bytes: usize, most: u32) -> SuggestedBlock {
    let most = if most == 0 { MOST_THREADS } else { most.min(MOST_THREADS) };
    let mut best = (0, SuggestedBlock { threads: 0, blocks: 0 });
    for warps in (1..=most.div_ceil(WARP)).rev() {
        let threads = (warps * WARP).min(most);
        let blocks = active_blocks(threads, shared_mem_bytes).unwrap_or(0);
        if blocks * threads > best.0 {
            best = (blocks * threads, SuggestedBlock { threads, blocks: blocks * MULTIPROCESSORS });
        }
    }
    best.1
}

/// Returns how much dynamic shared memory each of so many blocks can have that one multiprocessor runs at once.
///
/// # Errors
/// `INVALID_VALUE` for no blocks, no threads, and more than fit.
pub(crate) fn available_shared_memory(blocks: u32, threads: u32) -> Result<usize> {
    let fit = active_blocks(threads, 0)?;
    if blocks == 0 || blocks > fit {
        return Err(Error::invalid_value(format!(
            "one multiprocessor runs 1 to {fit} blocks of {threads} threads at once, not {blocks}"
        )));
    }
    let each = SHARED_MEMORY / blocks / SHARED_MEMORY_PIECE * SHARED_MEMORY_PIECE - SHARED_MEMORY_OF_SYSTEM;
    Ok(each.min(MOST_SHARED_MEMORY) as usize)
}

/// Returns how many clusters of a launch run at once.
///
/// # Errors
/// As [`check_cluster`], and `INVALID_CLUSTER_SIZE` without a cluster.
pub(crate) fn active_clusters(
    shape: &LaunchShape,
    cluster: Option<&AttributeValue>,
    is_any_size_allowed: bool,
) -> Result<u32> {
    let blocks = check_cluster(shape, cluster, is_any_size_allowed)?;
    if blocks == 0 {
        return Err(Error::new(
            Status::INVALID_CLUSTER_SIZE,
            "the launch has no clusters; give it the attribute of the cluster dimension",
        ));
    }
    Ok(all_active_blocks(shape) / blocks)
}

/// Returns how many blocks a cluster of a launch can have at most: none where a block does not fit.
pub(crate) fn most_in_cluster(shape: &LaunchShape, is_any_size_allowed: bool) -> u32 {
    let most = if is_any_size_allowed { MOST_IN_ANY_CLUSTER } else { MOST_IN_CLUSTER };
    if all_active_blocks(shape) == 0 {
        return 0;
    }
    most
}

/// Checks the cluster of a launch against its grid. Gives how many blocks it has; 0 without one.
///
/// # Errors
/// `INVALID_CLUSTER_SIZE` where it has too many blocks, or does not divide the grid.
pub(crate) fn check_cluster(
    shape: &LaunchShape,
    cluster: Option<&AttributeValue>,
    is_any_size_allowed: bool,
) -> Result<u32> {
    let cluster = cluster.map_or([0; 3], dimensions);
    if cluster == [0; 3] {
        return Ok(0);
    }
    let most = if is_any_size_allowed { MOST_IN_ANY_CLUSTER } else { MOST_IN_CLUSTER };
    let blocks = cluster.iter().fold(1u32, |blocks, &dim| blocks.saturating_mul(dim));
    let divides = shape.grid.iter().zip(cluster).all(|(grid, dim)| dim > 0 && grid % dim == 0);
    if blocks > most || !divides {
        return Err(Error::new(
            Status::INVALID_CLUSTER_SIZE,
            format!(
                "the cluster {cluster:?} does not fit the grid {:?}: each dimension of the cluster divides that of the grid, and it \
                 has at most {most} blocks",
                shape.grid
            ),
        ));
    }
    Ok(blocks)
}

/// Checks that all blocks of a cooperative launch run at once.
///
/// # Errors
/// `COOPERATIVE_LAUNCH_TOO_LARGE`.
pub(crate) fn check_cooperative(shape: &LaunchShape) -> Result<()> {
    let blocks = shape.grid.iter().fold(1u64, |blocks, &dim| blocks.saturating_mul(dim.into()));
    let most = all_active_blocks(shape);
    if blocks <= most.into() {
        return Ok(());
    }
    Err(Error::new(
        Status::COOPERATIVE_LAUNCH_TOO_LARGE,
        format!(
            "a cooperative launch has at most as many blocks as the device runs at once, {most} of this shape, not {blocks}"
        ),
    ))
}

/// Returns how many blocks of a launch the device runs at once.
fn all_active_blocks(shape: &LaunchShape) -> u32 {
    let threads = shape.block.iter().fold(1u32, |threads, &dim| threads.saturating_mul(dim));
    active_blocks(threads, shape.shared_mem_bytes as usize).unwrap_or(0) * MULTIPROCESSORS
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: LaunchShape = LaunchShape { grid: [4, 1, 1], block: [64, 1, 1], shared_mem_bytes: 0 };

    fn cluster(dims: [u32; 3]) -> AttributeValue {
        let mut value = [0; 64];
        dims.iter().zip(value.as_chunks_mut::<4>().0).for_each(|(dim, word)| *word = dim.to_ne_bytes());
        value
    }

    #[test]
    fn blocks_are_limited_by_threads_by_their_number_and_by_shared_memory() {
        assert_eq!(active_blocks(1024, 0), Ok(2));
        assert_eq!(active_blocks(33, 0), Ok(32));
        assert_eq!(active_blocks(1, 0), Ok(32));
        assert_eq!(active_blocks(1, 100_000), Ok(2));
        assert_eq!(active_blocks(1, MOST_SHARED_MEMORY as usize), Ok(1));
        assert_eq!(active_blocks(1, MOST_SHARED_MEMORY as usize + 1), Ok(0));
        assert_eq!(active_blocks(1025, 0), Ok(0));
        assert_eq!(active_blocks(0, 0).unwrap_err().status, Status::INVALID_VALUE);
    }

    #[test]
    fn the_largest_of_the_busiest_blocks_is_suggested() {
        assert_eq!(suggested_block(0, 0), SuggestedBlock { threads: 1024, blocks: 264 });
        assert_eq!(suggested_block(0, 100), SuggestedBlock { threads: 64, blocks: 32 * 132 });
        assert_eq!(suggested_block(MOST_SHARED_MEMORY as usize, 0), SuggestedBlock { threads: 1024, blocks: 132 });
        assert_eq!(suggested_block(usize::MAX, 0), SuggestedBlock { threads: 0, blocks: 0 });
    }

    #[test]
    fn what_is_available_fits_and_no_more() {
        for blocks in [1, 2, 3, 7, 16, 32] {
            let bytes = available_shared_memory(blocks, 64).unwrap();
            assert!(active_blocks(64, bytes).unwrap() >= blocks, "{blocks}");
            assert!(blocks == 1 || active_blocks(64, bytes + 1).unwrap() < blocks, "{blocks}");
        }
        assert_eq!(available_shared_memory(33, 64).unwrap_err().status, Status::INVALID_VALUE);
        assert_eq!(available_shared_memory(0, 64).unwrap_err().status, Status::INVALID_VALUE);
    }

    #[test]
    fn clusters_divide_the_grid_and_are_small() {
        let check = |dims, any| check_cluster(&SHAPE, Some(&cluster(dims)), any).map_err(|error| error.status);
        assert_eq!(check([2, 1, 1], false), Ok(2));
        assert_eq!(check([0, 0, 0], false), Ok(0));
        for wrong in [[3, 1, 1], [2, 2, 1], [2, 0, 1], [16, 1, 1]] {
            assert_eq!(check(wrong, false), Err(Status::INVALID_CLUSTER_SIZE), "{wrong:?}");
        }
        let wide = LaunchShape { grid: [16, 1, 1], ..SHAPE };
        assert!(check_cluster(&wide, Some(&cluster([16, 1, 1])), false).is_err());
        assert_eq!(check_cluster(&wide, Some(&cluster([16, 1, 1])), true), Ok(16));
        assert_eq!(active_clusters(&SHAPE, Some(&cluster([4, 1, 1])), false), Ok(32 * 132 / 4));
        assert_eq!(active_clusters(&SHAPE, None, false).unwrap_err().status, Status::INVALID_CLUSTER_SIZE);
        assert_eq!((most_in_cluster(&SHAPE, false), most_in_cluster(&SHAPE, true)), (8, 16));
    }

    #[test]
    fn a_cooperative_launch_runs_all_at_once() {
        assert!(check_cooperative(&SHAPE).is_ok());
        let large = LaunchShape { grid: [32 * 132 + 1, 1, 1], ..SHAPE };
        assert_eq!(check_cooperative(&large).unwrap_err().status, Status::COOPERATIVE_LAUNCH_TOO_LARGE);
    }
}
