//! CUPTI: the functions that graphcap calls, and the members of records that it reads.

use std::ffi::{c_char, c_int, c_uint, c_void, CStr};

use crate::library::{table, LazyTable, Named};

/// Function that CUPTI calls as a call of the driver's begins and ends: the data, the domain, the function, and what there is to tell.
pub(super) type ApiCallback = extern "C" fn(*mut c_void, c_int, c_uint, *const c_void);
/// Function that gives CUPTI a buffer: where to write its address, its size, and how many records it takes at most.
pub(super) type Request = extern "C" fn(*mut *mut u8, *mut usize, *mut usize);
/// Function that gets a buffer with records: the context, the stream, the buffer, its size, and how many bytes have records.
pub(super) type Completed = extern "C" fn(*mut c_void, c_uint, *mut u8, usize, usize);

table! { Cupti of Named {
        what: "CUPTI",
        files: &["libcupti.so.13", "libcupti.so.12"],
        variable: "GRAPHCAP_CUPTI_LIBRARY",
    };
    version "cuptiGetVersion" (version: *mut c_uint);
    subscribe "cuptiSubscribe" (subscriber: *mut *mut c_void, callback: ApiCallback, data: *mut c_void);
    unsubscribe "cuptiUnsubscribe" (subscriber: *mut c_void);
    enable_callback "cuptiEnableCallback" (enable: c_uint, subscriber: *mut c_void, domain: c_int, function: c_uint);
    register "cuptiActivityRegisterCallbacks" (request: Request, completed: Completed);
    register_clock "cuptiActivityRegisterTimestampCallback" (now: extern "C" fn() -> u64);
    enable "cuptiActivityEnable" (kind: c_int);
    disable "cuptiActivityDisable" (kind: c_int);
    next_record "cuptiActivityGetNextRecord" (buffer: *mut u8, bytes: usize, record: *mut *const u8);
    flush "cuptiActivityFlushAll" (flags: c_uint);
}

/// The functions, once they are needed.
pub(super) static CUPTI: LazyTable<Cupti> = LazyTable::new();

/// Another tool is the one that CUPTI serves (`CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED`).
pub(super) const SUBSCRIBED: c_int = 39;
/// The driver's functions, as a domain (`CUPTI_CB_DOMAIN_DRIVER_API`).
pub(super) const DRIVER_API: c_int = 1;
/// `cuGraphLaunch`, and the one for the default stream of the thread.
pub(super) const GRAPH_LAUNCHES: [c_uint; 2] = [514, 515];
/// Flag of a flush: also buffers with records that have no end yet.
pub(super) const FORCED: c_uint = 1;

const MEMCPY: c_int = 1;
const MEMSET: c_int = 2;
const KERNEL: c_int = 3;
const CONCURRENT_KERNEL: c_int = 10;
/// A copy between devices.
const PEER_COPY: c_int = 22;
/// Kinds of records that are asked for.
pub(super) const KINDS: [c_int; 4] = [CONCURRENT_KERNEL, MEMCPY, MEMSET, PEER_COPY];

/// The versions of records that graphcap knows: all members that it reads lie at the same places in CUPTI 12.1 to 13.4.
pub(super) fn is_known(version: c_uint) -> bool {
    matches!(version, 18..=28 | 130_000..=130_499)
}

/// A record of a kernel, a copy or a memset.
pub(super) struct Activity<'a> {
    /// The kernel; nothing for a copy or a memset.
    pub(super) kernel: Option<&'a CStr>,
    /// Its kind, in the words of graphs.
    pub(super) kind: &'static str,
    /// Begin and end; 0 where they are not known yet.
    pub(super) times: (u64, u64),
    /// Numbers of the device and of the stream.
    pub(super) place: (u32, u32),
    /// Number of the call of the driver's by which it ran.
    pub(super) correlation: u32,
    /// Number of the exec, 0 for work in no graph, and of the node in it.
    pub(super) node: (u32, u32),
}

/// Reads a record; `None` for one of another kind.
///
/// # Safety
/// `record` is one that CUPTI gave, of a version that is known, and is not given back while the result is used.
pub(super) unsafe fn activity<'a>(record: *const u8) -> Option<Activity<'a>> {
    // SAFETY: the caller promises a record, which is longer than the places that are read of its kind.
    let word = |at: usize| unsafe { record.add(at).cast::<u32>().read_unaligned() };
    // SAFETY: as above.
    let long = |at: usize| unsafe { record.add(at).cast::<u64>().read_unaligned() };
    let kind = word(0) as c_int;
    let (device, stream, correlation, node, graph) = match kind {
        KERNEL | CONCURRENT_KERNEL => (40, 48, 92, 144, 156),
        MEMCPY | MEMSET => (32, 40, 44, 64, 72),
        PEER_COPY => (32, 40, 60, 72, 80),
        _ => return None,
    };
    let is_kernel = matches!(kind, KERNEL | CONCURRENT_KERNEL);
    let name = match is_kernel {
        // SAFETY: as above.
        true => unsafe { record.add(104).cast::<*const c_char>().read_unaligned() },
        false => std::ptr::null(),
    };
    Some(Activity {
        // SAFETY: the name of a kernel is a text of CUPTI's that ends with a NUL, and lasts.
        kernel: (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) }),
        kind: match kind {
            MEMCPY | PEER_COPY => "memcpy",
            MEMSET => "memset",
            _ => "kernel",
        },
        times: (long(16), long(24)),
        place: (word(device), word(stream)),
        correlation: word(correlation),
        node: (word(graph), long(node) as u32),
    })
}

/// The number of a call of the driver's that begins; `None` where it ends.
///
/// # Safety
/// `call` is what CUPTI tells an [`ApiCallback`] about a call of the driver's.
pub(super) unsafe fn number_of_call(call: *const c_void) -> Option<u32> {
    let call = call.cast::<u8>();
    // SAFETY: the caller promises the struct, of which these are the first and the last member.
    let (site, number) = unsafe { (call.cast::<u32>().read(), call.add(64).cast::<u32>().read()) };
    (site == 0).then_some(number)
}
