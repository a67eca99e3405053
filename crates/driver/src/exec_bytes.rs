//! Bytes that graphs and their execs take, by a model: no device tells it. The numbers are those of `docs/cache.md`.
//!
//! The model counts what an exec takes beside the memory that its nodes work on: allocations of nodes are not in it.

use std::iter::Sum;
use std::ops::Add;

use serde::Serialize;

use super::NodeKind;

/// Bytes on the device and on the host.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bytes {
    /// In the device's memory.
    pub device: u64,
    /// In the memory of the process.
    pub host: u64,
}

impl Bytes {
    /// Both together.
    pub fn total(self) -> u64 {
        self.device.saturating_add(self.host)
    }

    /// As many as `count` times.
    pub fn times(self, count: u64) -> Bytes {
        Bytes { device: self.device.saturating_mul(count), host: self.host.saturating_mul(count) }
    }

    /// Without `other`, which is a part of it.
    pub fn without(self, other: Bytes) -> Bytes {
        Bytes { device: self.device.saturating_sub(other.device), host: self.host.saturating_sub(other.host) }
    }
}

impl Add for Bytes {
    type Output = Bytes;

    fn add(self, other: Bytes) -> Bytes {
        Bytes { device: self.device.saturating_add(other.device), host: self.host.saturating_add(other.host) }
    }
}

impl Sum for Bytes {
    fn sum<I: Iterator<Item = Bytes>>(all: I) -> Bytes {
        all.fold(Bytes::default(), Add::add)
    }
}

/// Device whose execs are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ByteModel {
    /// Those of NVIDIA's driver.
    Cuda,
    /// Those of the host device.
    Host,
}

impl ByteModel {
    /// Returns what an exec takes beside its nodes.
    pub fn exec(self) -> Bytes {
        match self {
            // Not measured: taken for as much as a node.
            ByteModel::Cuda => CUDA_KERNEL,
            ByteModel::Host => Bytes { device: 0, host: 4_000 },
        }
    }

    /// Returns what a node of an exec takes. Nodes of the graphs within it are nodes of their own.
    pub fn exec_node(self, kind: NodeKind) -> Bytes {
        match (self, kind) {
            // It is an edge to the driver, and to the host device.
            (_, NodeKind::Empty) => Bytes { device: 0, host: 200 },
            // Kernels are measured; other kinds are taken for alike.
            (ByteModel::Cuda, _) => CUDA_KERNEL,
            (ByteModel::Host, _) => Bytes { device: 0, host: 280 },
        }
    }

    /// Returns what a graph takes beside its nodes.
    pub fn graph(self) -> Bytes {
        Bytes { device: 0, host: 2_300 }
    }

    /// Returns what a node of a graph takes. Not measured on a GPU.
    pub fn graph_node(self, _: NodeKind) -> Bytes {
        match self {
            ByteModel::Cuda => Bytes { device: 0, host: 1_000 },
            ByteModel::Host => Bytes { device: 0, host: 170 },
        }
    }
}

/// A kernel node of an exec of NVIDIA's driver 580: measured are 1.7 to 2.1 KB on the device and 4 to 5.6 KB on the host.
const CUDA_KERNEL: Bytes = Bytes { device: 2_100, host: 5_600 };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_count_both_sides_and_never_wrap() {
        let one = Bytes { device: 1, host: 2 };
        assert_eq!([one, one, one].into_iter().sum::<Bytes>(), one.times(3));
        assert_eq!((one.times(3).total(), one.times(3).without(one)), (9, one.times(2)));
        assert_eq!(one.times(u64::MAX).times(3).total(), u64::MAX);
        assert_eq!(one.without(one.times(2)), Bytes::default());
    }

    #[test]
    fn a_kernel_node_takes_what_was_measured() {
        let node = ByteModel::Cuda.exec_node(NodeKind::Kernel);
        assert!((1_700..=2_150).contains(&node.device) && (4_000..=5_735).contains(&node.host), "{node:?}");
        assert_eq!(ByteModel::Host.exec_node(NodeKind::Kernel).device, 0);
    }
}
