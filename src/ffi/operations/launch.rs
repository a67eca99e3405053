//! Shape and typed arguments of a kernel launch.

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::slice;

use super::launch_attributes::{gc_launch_attribute, Attributes};
use crate::ffi::boundary::{check_flags, gc_buffer, handle, options, Failure, Pinned, Result, Versioned};
use graphcap_base::room;
use graphcap_core::{Access, BufferAccess, Context, Kernel, KernelArgument, UsualLaunch, USUAL_ARGUMENTS};
use graphcap_driver::{LaunchShape, PARAMETER_BYTES_LIMIT};

/// Arguments of most launches fit on the stack.
pub(crate) const USUAL_COUNT: usize = 8;

/// The shape of a launch. Start from GRAPHCAP_LAUNCH_CONFIG_INIT or GRAPHCAP_LAUNCH_CONFIG(blocks, threads).
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_launch_config {
    /// sizeof(gc_launch_config).
    pub struct_size: u32,
    /// Blocks in x, y and z; none may be 0.
    pub grid_dim: [u32; 3],
    /// Threads per block in x, y and z; none may be 0.
    pub block_dim: [u32; 3],
    /// Dynamic shared memory per block in bytes.
    pub shared_mem_bytes: u32,
    /// 0.
    pub flags: u32,
    /// 0.
    pub reserved: u32,
    /// Attributes of the launch beyond its shape, one element for each attribute; copied. Of several elements with one
    /// id the last one holds. May be NULL when attribute_count is 0.
    pub attributes: *const gc_launch_attribute,
    /// The number of attributes, at most 64.
    pub attribute_count: usize,
}
// SAFETY: repr(C), starts with its size, and holds integers and pointers, which may be NULL.
unsafe impl Versioned for gc_launch_config {}

/// gc_kernel_arg::kind: the bytes at value, copied when the kernel is launched or recorded. For a host kernel they are
/// aligned to 16 bytes if their number is a multiple of 16, else to 8 bytes.
pub const GRAPHCAP_ARG_VALUE: u32 = 1;
/// gc_kernel_arg::kind: the device address of buffer, plus offset.
pub const GRAPHCAP_ARG_BUFFER: u32 = 2;

/// gc_kernel_arg::access: not stated.
pub const GRAPHCAP_ACCESS_DEFAULT: u32 = 0;
/// gc_kernel_arg::access: the kernel only reads the buffer.
pub const GRAPHCAP_ACCESS_READ: u32 = 1;
/// gc_kernel_arg::access: the kernel only writes the buffer.
pub const GRAPHCAP_ACCESS_WRITE: u32 = 2;
/// gc_kernel_arg::access: the kernel reads and writes the buffer.
pub const GRAPHCAP_ACCESS_READ_WRITE: u32 = 3;

/// gc_kernel_set_accesses(): the parameter is no address.
pub const GRAPHCAP_ACCESS_NONE: u32 = 4;

/// One argument of a kernel. Start from GRAPHCAP_ARG_INIT_VALUE(variable), GRAPHCAP_ARG_INIT_BUFFER(buffer) or
/// GRAPHCAP_ARG_INIT_BUFFER_AT(buffer, offset).
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_kernel_arg {
    /// sizeof(gc_kernel_arg).
    pub struct_size: u32,
    /// GRAPHCAP_ARG_VALUE or GRAPHCAP_ARG_BUFFER.
    pub kind: u32,
    /// One of the GRAPHCAP_ACCESS_ numbers; how this launch uses the buffer. 0 for a value. It holds for the node that records
    /// the launch, in the place of what gc_kernel_set_accesses() said of the parameter: gc_graph_optimize() goes by it.
    pub access: u32,
    /// 0.
    pub reserved: u32,
    /// The buffer of a buffer argument; NULL for a value.
    pub buffer: *const gc_buffer,
    /// The offset in the buffer that the kernel's pointer points to, in bytes; at most the buffer's size. 0 for a
    /// value.
    pub offset: usize,
    /// The bytes of a value, as the kernel's parameter has them; NULL for a buffer.
    pub value: *const c_void,
    /// The size of a value in bytes; 0 for a buffer.
    pub value_size: usize,
    /// The first byte of the buffer that access is about, counted from the start of the buffer; 0 for a value.
    pub access_offset: usize,
    /// Bytes that access is about: the kernel touches no others by this argument. 0 for the whole buffer, and for a value.
    pub access_size: usize,
}
// SAFETY: repr(C), starts with its size, and holds integers and pointers, which may be NULL.
unsafe impl Versioned for gc_kernel_arg {
    const LEAST_SIZE: usize = std::mem::offset_of!(gc_kernel_arg, offset);
}

/// Refuses a value in a member that this kind of argument does not use, so that it can be given a meaning.
#[inline]
pub(crate) fn check_unused(member: usize, argument: &'static str, known: &'static str) -> Result<()> {
    if member == 0 {
        return Ok(());
    }
    Err(Failure::Unknown { argument, number: member as i128, known })
}

/// The shape and the attributes that C means by `config`.
///
/// # Safety
/// `config` is NULL or points to as many readable bytes as its struct_size states, and its attributes are as many as it states.
#[inline(always)]
pub(crate) unsafe fn shape(config: *const gc_launch_config, pinned: &Pinned) -> Result<(LaunchShape, Attributes<'_>)> {
    let mut copy = MaybeUninit::uninit();
    // SAFETY: the caller's promise is the one that `view` asks for; C does not change a config during the call.
    let config = unsafe { options::view(config, "config", &mut copy) }?;
    check_flags(config.flags, 0, "config.flags", "0")?;
    check_flags(config.reserved, 0, "config.reserved", "0")?;
    let shape = config.shape();
    if config.attribute_count == 0 {
        return Ok((shape, Attributes::default()));
    }
    // SAFETY: the caller promises the attributes.
    Ok((shape, unsafe { Attributes::read(config.attributes, config.attribute_count, pinned) }?))
}

/// The `config` of C, if that is a struct of this version without attributes, as most are; `None` for others, which [`shape`] looks at
/// member by member.
///
/// # Safety
/// As [`shape`].
#[inline(always)]
pub(crate) unsafe fn usual_config<'a>(config: *const gc_launch_config) -> Option<&'a gc_launch_config> {
    // SAFETY: passed on to the caller.
    let config = unsafe { options::in_place(config, 1) }?.first()?;
    ((config.flags | config.reserved) as usize | config.attribute_count == 0).then_some(config)
}

/// Reads a launch such as most are into `place`: on a stream or for a graph of `context`. `None` where it asks for more, which is read
/// member by member then.
///
/// # Safety
/// `config` as for [`shape`]. `arguments` is NULL or points to `count` arguments, and the values that these point to are readable for as
/// many bytes as they state, while the result lives.
#[inline(always)]
pub(crate) unsafe fn read_usual<'l, 'p>(
    kernel: &'p Kernel,
    config: *const gc_launch_config,
    (arguments, count): (*const gc_kernel_arg, usize),
    context: &Context,
    pinned: &'p Pinned,
    place: &'l mut MaybeUninit<UsualLaunch<'p>>,
) -> Option<&'l UsualLaunch<'p>> {
    if count > USUAL_ARGUMENTS {
        return None;
    }
    // SAFETY: passed on to the caller.
    let config = unsafe { usual_config(config) }?;
    let given = match count {
        0 => &[],
        // SAFETY: passed on to the caller.
        count => unsafe { options::in_place(arguments, count) }?,
    };
    let launch = place.write(UsualLaunch::new(kernel, config.shape()));
    // SAFETY: passed on to the caller.
    launch.read(context, given, |argument| unsafe { convert_usual(argument, pinned) })?;
    Some(launch)
}

impl gc_launch_config {
    #[inline(always)]
    pub(crate) fn shape(&self) -> LaunchShape {
        LaunchShape { grid: self.grid_dim, block: self.block_dim, shared_mem_bytes: self.shared_mem_bytes }
    }
}

/// The arguments of a launch, as core takes them.
pub(crate) struct Arguments<'a> {
    few: [MaybeUninit<KernelArgument<'a>>; USUAL_COUNT],
    /// Number of those in `few`.
    count: usize,
    /// All of them, where they are not in `few`.
    many: Vec<KernelArgument<'a>>,
}

impl<'a> Arguments<'a> {
    /// No arguments yet. They are read in place: the list is too large to be moved for each launch.
    #[inline]
    pub(crate) fn new() -> Self {
        Arguments { few: [const { MaybeUninit::uninit() }; USUAL_COUNT], count: 0, many: Vec::new() }
    }

    /// Reads the arguments that C passed. To be called once.
    ///
    /// # Safety
    /// `arguments` is NULL or points to `count` arguments, and the values that these point to are readable for
    /// as many bytes as they state, while the list lives.
    #[inline]
    pub(crate) unsafe fn read(
        &mut self,
        arguments: *const gc_kernel_arg,
        count: usize,
        pinned: &'a Pinned,
    ) -> Result<()> {
        if count <= USUAL_COUNT {
            // SAFETY: passed on to the caller.
            let given = unsafe { options::in_place(arguments, count) };
            // SAFETY: as above.
            if given.is_some_and(|given| unsafe { self.read_usual(given, pinned) }) {
                return Ok(());
            }
        }
        // SAFETY: as above.
        unsafe { self.read_any(arguments, count, pinned) }
    }

    /// Reads as many arguments as `few` has places for, if they are such as most launches have: plain values, and live buffers of
    /// which no access is stated. False where one is none.
    ///
    /// # Safety
    /// The values are readable for as many bytes as they state, while the list lives.
    #[inline]
    unsafe fn read_usual(&mut self, given: &[gc_kernel_arg], pinned: &'a Pinned) -> bool {
        for (place, argument) in self.few.iter_mut().zip(given) {
            // SAFETY: passed on to the caller.
            let Some(read) = (unsafe { convert_usual(argument, pinned) }) else { return false };
            place.write(read);
        }
        self.count = given.len();
        true
    }

    /// Reads arguments of any number, kind and version, and finds what is wrong with them. Those of most launches fit into `few`.
    ///
    /// # Safety
    /// As [`Arguments::read`].
    #[inline(never)]
    unsafe fn read_any(&mut self, arguments: *const gc_kernel_arg, count: usize, pinned: &'a Pinned) -> Result<()> {
        if count > PARAMETER_BYTES_LIMIT {
            return Err(Failure::Unknown {
                argument: "argument_count",
                number: count as i128,
                known: "the number of the kernel's parameters",
            });
        }
        if count > USUAL_COUNT {
            self.many.try_reserve_exact(count).map_err(|_| room::missing())?;
        }
        let read_one = |index: usize, argument: &gc_kernel_arg| {
            // SAFETY: the caller promises that the value is readable.
            let read = unsafe { convert(argument, pinned) }?;
            match self.few.get_mut(index) {
                Some(place) if count <= USUAL_COUNT => {
                    place.write(read);
                }
                _ => self.many.push(read),
            }
            Ok(())
        };
        // SAFETY: the caller promises `count` arguments.
        unsafe { options::for_each(arguments, count, "arguments", read_one) }?;
        if count <= USUAL_COUNT {
            self.count = count;
        }
        Ok(())
    }

    /// The arguments in order.
    #[inline]
    pub(crate) fn list(&self) -> &[KernelArgument<'a>] {
        match self.count {
            0 => &self.many,
            // SAFETY: as many of the first places were written, and there are as many places.
            count => unsafe { slice::from_raw_parts(self.few.as_ptr().cast(), count) },
        }
    }
}

/// Converts an argument such as most launches have; `None` for others, which [`convert`] looks at member by member.
///
/// # Safety
/// As [`convert`].
#[inline(always)]
pub(crate) unsafe fn convert_usual<'a>(argument: &gc_kernel_arg, pinned: &'a Pinned) -> Option<KernelArgument<'a>> {
    let gc_kernel_arg {
        struct_size,
        kind,
        access,
        reserved,
        buffer,
        offset,
        value,
        value_size,
        access_offset,
        access_size,
    } = *argument;
    let stated = u64::from(access | reserved) | access_offset as u64 | access_size as u64;
    let is_of_size = struct_size as usize == size_of::<gc_kernel_arg>();
    if kind == GRAPHCAP_ARG_BUFFER && is_of_size && stated | value.addr() as u64 | value_size as u64 == 0 {
        let buffer = handle::find(buffer, pinned)?;
        return Some(KernelArgument::Buffer { buffer, offset, access: None });
    }
    let has_value = !value.is_null() && (1..=PARAMETER_BYTES_LIMIT).contains(&value_size);
    if kind == GRAPHCAP_ARG_VALUE && is_of_size && has_value && stated | buffer.addr() as u64 | offset as u64 == 0 {
        // SAFETY: the value is readable by the caller's promise, not NULL, and not too large for a slice.
        return Some(KernelArgument::Value(unsafe { slice::from_raw_parts(value.cast(), value_size) }));
    }
    None
}

/// Converts one argument.
///
/// # Safety
/// If it is a value, it is readable for `value_size` bytes while the result lives.
#[inline]
unsafe fn convert<'a>(argument: &gc_kernel_arg, pinned: &'a Pinned) -> Result<KernelArgument<'a>> {
    check_flags(argument.reserved, 0, "arguments.reserved", "0")?;
    match argument.kind {
        GRAPHCAP_ARG_BUFFER => {
            let access = match argument.access {
                GRAPHCAP_ACCESS_DEFAULT => None,
                GRAPHCAP_ACCESS_READ_WRITE => Some(Access::ReadWrite),
                GRAPHCAP_ACCESS_READ => Some(Access::Read),
                GRAPHCAP_ACCESS_WRITE => Some(Access::Write),
                number => {
                    let known = "one of the GRAPHCAP_ACCESS_ numbers";
                    let argument = "arguments.access";
                    return Err(Failure::Unknown { argument, number: number.into(), known });
                }
            };
            check_unused(argument.value.addr(), "arguments.value", "NULL for a buffer")?;
            check_unused(argument.value_size, "arguments.value_size", "0 for a buffer")?;
            let range = match (access, argument.access_offset, argument.access_size) {
                (_, 0, 0) => None,
                (Some(_), first, bytes @ 1..) => Some((first, bytes)),
                (_, first, bytes) => {
                    check_unused(first, "arguments.access_offset", "0 where access or access_size is 0")?;
                    check_unused(bytes, "arguments.access_size", "0 where access is 0")?;
                    None
                }
            };
            let access = access.map(|access| BufferAccess { access, range });
            let buffer = handle::borrow(argument.buffer, "arguments.buffer", pinned)?;
            Ok(KernelArgument::Buffer { buffer, offset: argument.offset, access })
        }
        GRAPHCAP_ARG_VALUE => {
            check_flags(argument.access, 0, "arguments.access", "0 for a value")?;
            check_unused(argument.buffer.addr(), "arguments.buffer", "NULL for a value")?;
            check_unused(argument.offset, "arguments.offset", "0 for a value")?;
            check_unused(argument.access_offset, "arguments.access_offset", "0 for a value")?;
            check_unused(argument.access_size, "arguments.access_size", "0 for a value")?;
            if argument.value.is_null() {
                return Err(Failure::Null("arguments.value"));
            }
            if !(1..=PARAMETER_BYTES_LIMIT).contains(&argument.value_size) {
                return Err(Failure::Unknown {
                    argument: "arguments.value_size",
                    number: argument.value_size as i128,
                    known: "the size of the kernel's parameter",
                });
            }
            // SAFETY: the value is readable by the caller's promise, not NULL, and not too large for a slice.
            let bytes = unsafe { slice::from_raw_parts(argument.value.cast(), argument.value_size) };
            Ok(KernelArgument::Value(bytes))
        }
        number => {
            let known = "GRAPHCAP_ARG_VALUE or GRAPHCAP_ARG_BUFFER";
            Err(Failure::Unknown { argument: "arguments.kind", number: number.into(), known })
        }
    }
}
