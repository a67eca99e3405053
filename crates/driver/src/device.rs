//! Devices: their description, and the choice of one.

/// The kinds of device, by C's numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DeviceKind {
    /// NVIDIA's driver.
    Cuda = 1,
    /// The device built into this library.
    Host = 2,
}

/// A device, as a person would name it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeviceInfo {
    /// The driver that it belongs to.
    pub kind: DeviceKind,
    /// Its number among the devices of that kind, from 0.
    pub ordinal: u32,
    /// Its name, such as "NVIDIA H200" or "graphcap host device (2 lanes)".
    pub name: String,
}

/// The devices to choose from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DeviceChoice {
    /// The one that the environment variable `GRAPHCAP_DEVICE` says, else CUDA where it works, else the host device.
    #[default]
    Auto,
    /// This kind only.
    Kind(DeviceKind),
}
