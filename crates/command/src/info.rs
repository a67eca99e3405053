//! Facts about the machine: devices, libraries, features, environment variables, limits.

use graphcap_base::switch::variable;
use graphcap_devices::{device_count, device_info, seek_libraries, settle_auto, SoughtLibrary};
use graphcap_driver::DeviceKind;
use serde::Serialize;

/// Variables that graphcap reads, as docs/environment.md describes them.
pub const VARIABLES: [&str; 17] = [
    "GRAPHCAP_DEVICE",
    "GRAPHCAP_CUDA_LIBRARY",
    "GRAPHCAP_CUBLAS_LIBRARY",
    "GRAPHCAP_CUFFT_LIBRARY",
    "GRAPHCAP_CURAND_LIBRARY",
    "GRAPHCAP_CUPTI_LIBRARY",
    "GRAPHCAP_HOST_DEVICES",
    "GRAPHCAP_HOST_THREADS",
    "GRAPHCAP_HOST_MEMORY",
    "GRAPHCAP_CUDA_MEMORY",
    "GRAPHCAP_CHECK_ACCESS",
    "GRAPHCAP_CHECK",
    "GRAPHCAP_POOL_DIRECT",
    "GRAPHCAP_TRACE",
    "NVTX_INJECTION64_PATH",
    "GRAPHCAP_LOG",
    "GRAPHCAP_LIBRARY",
];

/// Features of Cargo's that the library can be built with, and whether the command was built with them, as the library beside it.
const FEATURES: [(&str, bool); 4] = [
    ("products", cfg!(feature = "products")),
    ("transforms", cfg!(feature = "transforms")),
    ("kit", cfg!(feature = "kit")),
    ("optimising", cfg!(feature = "optimising")),
];

/// Facts that were found.
#[derive(Serialize)]
pub struct Info {
    version: &'static str,
    features: Vec<&'static str>,
    /// Device that `GRAPHCAP_DEVICE_AUTO` stands for, and why.
    auto_device: String,
    devices: Vec<Device>,
    /// The reason for which there is no host device.
    host_missing: Option<String>,
    libraries: Vec<Library>,
    environment: Vec<Fact<Option<String>>>,
    limits: Vec<Fact<u64>>,
}

#[derive(Serialize)]
struct Device {
    kind: &'static str,
    ordinal: u32,
    name: String,
}

#[derive(Serialize)]
struct Library {
    name: &'static str,
    /// Absent where it was not loaded, or the system does not tell its file.
    path: Option<String>,
    /// Behind `.so.` in the name of the file.
    version: Option<String>,
    /// The reason for which it was not loaded.
    missing: Option<String>,
}

#[derive(Serialize)]
struct Fact<T> {
    name: &'static str,
    value: T,
}

impl Info {
    /// Looks at the machine. It loads NVIDIA's driver and libraries where they are installed.
    pub fn look() -> Info {
        let kinds = [(DeviceKind::Host, "host"), (DeviceKind::Cuda, "cuda")];
        let devices = kinds.into_iter().flat_map(|(kind, word)| {
            let ordinals = 0..device_count(kind).unwrap_or(0);
            ordinals.filter_map(move |ordinal| {
                let name = device_info(kind, ordinal).ok()?.name;
                Some(Device { kind: word, ordinal, name })
            })
        });
        // Of CUDA the first line and that of the driver tell.
        let host_missing = device_info(DeviceKind::Host, 0).err().map(|error| error.message.to_string());
        let value = |name| variable(name).map(|value| value.to_string_lossy().into_owned());
        Info {
            version: env!("CARGO_PKG_VERSION"),
            features: FEATURES.into_iter().filter(|(_, is_on)| *is_on).map(|(name, _)| name).collect(),
            auto_device: settle_auto().map_or_else(|error| error.message.to_string(), |(_, reason)| reason),
            devices: devices.collect(),
            host_missing,
            libraries: seek_libraries().into_iter().map(Library::of).collect(),
            environment: VARIABLES.into_iter().map(|name| Fact { name, value: value(name) }).collect(),
            limits: vec![
                Fact { name: "bytes of a graph's JSON text", value: graphcap_core::JSON_LIMIT as u64 },
                Fact { name: "bytes of a name", value: graphcap_core::NAME_LIMIT as u64 },
                Fact {
                    name: "bytes of a trace for which no limit was given",
                    value: graphcap_observe::trace::USUAL_LIMIT,
                },
            ],
        }
    }

    /// Writes it for people.
    pub fn text(&self) -> String {
        let mut lines = vec![
            format!("graphcap {}", self.version),
            format!("features: {}", self.features.join(", ")),
            format!("default device: {}", self.auto_device),
            "\ndevices".to_owned(),
        ];
        lines.extend(self.devices.iter().map(|Device { kind, ordinal, name }| format!("  {kind} {ordinal}: {name}")));
        lines.extend(self.host_missing.iter().map(|reason| format!("  host: {reason}")));
        lines.push("\nlibraries".to_owned());
        lines.extend(self.libraries.iter().map(Library::line));
        lines.push("\nenvironment".to_owned());
        lines.extend(self.environment.iter().map(|Fact { name, value }| match value {
            Some(value) => format!("  {name}={value}"),
            None => format!("  {name} is not set"),
        }));
        lines.push("\nlimits".to_owned());
        lines.extend(self.limits.iter().map(|Fact { name, value }| format!("  {name}: {value}")));
        lines.join("\n") + "\n"
    }
}

impl Library {
    fn of(SoughtLibrary { what, found, .. }: SoughtLibrary) -> Library {
        match found {
            Err(error) => Library { name: what, path: None, version: None, missing: Some(error.message.to_string()) },
            Ok(file) => {
                let path = file.map(|file| file.to_string_lossy().into_owned());
                let version =
                    path.as_ref().and_then(|path| path.rsplit_once(".so.")).map(|(_, version)| version.to_owned());
                Library { name: what, path, version, missing: None }
            }
        }
    }

    fn line(&self) -> String {
        let Library { name, path, version, missing } = self;
        match (missing, path, version) {
            (Some(reason), ..) => format!("  {name}: {reason}"),
            (None, Some(path), Some(version)) => format!("  {name}: {version}, {path}"),
            (None, path, _) => {
                format!("  {name}: {}", path.as_deref().unwrap_or("loaded from a file that the system does not tell"))
            }
        }
    }
}
