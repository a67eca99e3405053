//! Checks of module images before the driver gets them: it takes no size, and reads where a damaged header points to.

use graphcap_base::error::{Error, Result, Status};
use graphcap_base::room;
use graphcap_driver::code::TILE_IR;

/// The first bytes of LTO-IR, which compilers write for the linker.
const LTO_IR: [u8; 4] = [0xed, 0x43, 0x4e, 0x7f];

/// An image that can be handed to the driver: aligned, and followed by zeros.
pub(crate) struct Image {
    words: Vec<u64>,
    pub(crate) kind: ImageKind,
}

/// Kinds of images, as far as messages tell them apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ImageKind {
    Ptx,
    /// Tile IR, which states no size: the driver alone knows whether it is whole.
    TileIr,
    /// A cubin or a fatbin.
    Binary,
}

impl ImageKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            ImageKind::Ptx => "PTX",
            ImageKind::TileIr => "Tile IR",
            ImageKind::Binary => "image",
        }
    }
}

impl Image {
    /// Checks and copies an image.
    ///
    /// # Errors
    /// `INVALID_IMAGE` for one that is cut short, that has to be linked first, or of no known kind; `OUT_OF_MEMORY`.
    pub(crate) fn check(bytes: &[u8]) -> Result<Image> {
        let kind = match bytes {
            [0x7f, b'E', b'L', b'F', ..] => check_elf(bytes).map(|()| ImageKind::Binary),
            [0x50, 0xed, 0x55, 0xba, ..] => check_fatbin(bytes).map(|()| ImageKind::Binary),
            _ if bytes.starts_with(TILE_IR) => Ok(ImageKind::TileIr),
            _ if bytes.starts_with(&LTO_IR) => Err(invalid(
                "is LTO-IR, which the driver does not load; link it first: nvJitLink and nvcc -dlto make a cubin of it",
            )),
            [0xb1, 0x43, 0x62, 0x46, ..] => {
                Err(invalid("is the wrapper of a fatbin, which holds a pointer; pass the fatbin that it points to"))
            }
            _ => check_text(bytes).map(|()| ImageKind::Ptx),
        }?;
        let mut words = room::list(bytes.len() / 8 + 2)?;
        words.extend(bytes.chunks(8).map(|chunk| {
            let mut padded = [0; 8];
            padded[..chunk.len()].copy_from_slice(chunk);
            u64::from_ne_bytes(padded)
        }));
        words.resize(bytes.len() / 8 + 2, 0);
        Ok(Image { words, kind })
    }

    /// Returns the address of its first byte.
    pub(crate) fn start(&self) -> *const std::ffi::c_void {
        self.words.as_ptr().cast()
    }
}

#[cold]
fn invalid(what: &str) -> Error {
    Error::new(Status::INVALID_IMAGE, format!("the module image {what}"))
}

#[cold]
fn cut_short(bytes: &[u8], what: &str, needed: u64) -> Error {
    let given = bytes.len();
    invalid(&format!(
        "has {given} bytes, but its {what} needs {needed}: it is cut short or damaged; load the whole file"
    ))
}

/// The number of `N` bytes at `at`, little-endian as all devices are; 0 beyond the end.
fn number<const N: usize>(bytes: &[u8], at: usize) -> u64 {
    let field = at.checked_add(N).and_then(|end| bytes.get(at..end)).unwrap_or(&[]);
    field.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
}

/// The 8 bytes at `at` in what starts at `start`, as [`number`].
fn number_from(bytes: &[u8], start: u64, at: usize) -> u64 {
    usize::try_from(start).map_or(0, |start| number::<8>(bytes, start.saturating_add(at)))
}

/// Checks that `count` parts of `size` bytes from `offset` lie within the image.
fn check_range(bytes: &[u8], what: &str, offset: u64, size: u64, count: u64) -> Result<()> {
    let end = size.checked_mul(count).and_then(|length| length.checked_add(offset)).unwrap_or(u64::MAX);
    if end > bytes.len() as u64 {
        return Err(cut_short(bytes, what, end));
    }
    Ok(())
}

/// A cubin: an ELF file for a GPU.
fn check_elf(bytes: &[u8]) -> Result<()> {
    const HEADER: u64 = 64;
    const EM_CUDA: u64 = 190;
    const ET_REL: u64 = 1;
    /// Sections without bytes in the file: NOBITS, and CUDA's global and shared memory before it is linked.
    const WITHOUT_BYTES: [u64; 3] = [8, 0x7000_0007, 0x7000_000a];
    const PT_LOAD: u64 = 1;
    /// An index of a section that has no room in the header.
    const SHN_XINDEX: u64 = 0xffff;
    check_range(bytes, "ELF header", 0, HEADER, 1)?;
    if number::<2>(bytes, 4) != 0x0102 || number::<2>(bytes, 18) != EM_CUDA {
        return Err(invalid("is an ELF file, but none for a GPU (64 bits, machine CUDA); pass a cubin"));
    }
    if number::<2>(bytes, 16) == ET_REL {
        return Err(invalid("is a relocatable cubin, as nvcc -rdc=true makes them; link it first: nvlink and nvJitLink make a cubin of it"));
    }
    let (segments, sections) = (number::<8>(bytes, 32), number::<8>(bytes, 40));
    let (segment_size, segment_count) = (number::<2>(bytes, 54), number::<2>(bytes, 56));
    let section_size = number::<2>(bytes, 58);
    // Section 0 has what the header has no room for: from 65,280 sections on their number, and the index of their names.
    let first = |at| number_from(bytes, sections, at);
    let section_count = match number::<2>(bytes, 60) {
        0 if sections > 0 && first(4) & u64::from(u32::MAX) == 0 => first(32),
        count => count,
    };
    let names = match number::<2>(bytes, 62) {
        SHN_XINDEX => first(40) & u64::from(u32::MAX),
        index => index,
    };
    if section_count == 0 || section_size < 64 || (segment_count > 0 && segment_size < 56) {
        return Err(invalid("is an ELF file without a table of sections; pass a cubin as the compiler made it"));
    }
    check_range(bytes, "table of segments", segments, segment_size, segment_count)?;
    check_range(bytes, "table of sections", sections, section_size, section_count)?;
    if names >= section_count {
        return Err(invalid(&format!(
            "has the names of its {section_count} sections in section {names}: it is damaged; load the whole file"
        )));
    }
    for section in 0..section_count {
        let at = (sections + section * section_size) as usize;
        if !WITHOUT_BYTES.contains(&number::<4>(bytes, at + 4)) {
            check_range(bytes, "sections", number::<8>(bytes, at + 24), number::<8>(bytes, at + 32), 1)?;
        }
    }
    for segment in 0..segment_count {
        let at = (segments + segment * segment_size) as usize;
        if number::<4>(bytes, at) == PT_LOAD {
            check_range(bytes, "segments", number::<8>(bytes, at + 8), number::<8>(bytes, at + 32), 1)?;
        }
    }
    Ok(())
}

/// A fatbin: a header that states how many bytes follow it.
fn check_fatbin(bytes: &[u8]) -> Result<()> {
    const HEADER: u64 = 16;
    check_range(bytes, "fatbin header", 0, HEADER, 1)?;
    let header = number::<2>(bytes, 6);
    if header < HEADER {
        return Err(invalid("is a fatbin with a damaged header"));
    }
    check_range(bytes, "fatbin", header, number::<8>(bytes, 8), 1)
}

/// PTX: a text, with or without NULs behind it.
fn check_text(bytes: &[u8]) -> Result<()> {
    let length = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    let text = bytes.get(..length).unwrap_or_default();
    if text.is_empty() {
        return Err(invalid("is empty; pass PTX, a cubin or a fatbin"));
    }
    if let Some(at) = text.iter().position(|&byte| byte == 0) {
        return Err(invalid(&format!(
            "has a NUL at byte {at}, so it is no PTX, and it is neither a cubin nor a fatbin"
        )));
    }
    if !text.windows(8).any(|window| window == b".version") {
        return Err(invalid("is neither PTX (it has no .version) nor a cubin nor a fatbin"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(bytes: &[u8]) -> String {
        let Err(error) = Image::check(bytes) else { panic!("{bytes:?} was taken") };
        assert_eq!(error.status, Status::INVALID_IMAGE);
        error.message.into_owned()
    }

    fn put<const N: usize>(bytes: &mut [u8], at: usize, value: u64) {
        bytes[at..at + N].copy_from_slice(&value.to_le_bytes()[..N]);
    }

    /// A cubin with one segment and two sections, of which the second has no bytes in the file.
    fn cubin() -> Vec<u8> {
        let mut bytes = vec![0; 64 + 56 + 128 + 32];
        bytes[..6].copy_from_slice(&[0x7f, b'E', b'L', b'F', 2, 1]);
        put::<2>(&mut bytes, 18, 190);
        for (at, size, value) in [(32, 8, 64), (40, 8, 120), (54, 2, 56), (56, 2, 1), (58, 2, 64), (60, 2, 2)] {
            match size {
                8 => put::<8>(&mut bytes, at, value),
                _ => put::<2>(&mut bytes, at, value),
            }
        }
        put::<4>(&mut bytes, 64, 1);
        put::<8>(&mut bytes, 64 + 8, 248);
        put::<8>(&mut bytes, 64 + 32, 32);
        put::<4>(&mut bytes, 120 + 4, 1);
        put::<8>(&mut bytes, 120 + 24, 248);
        put::<8>(&mut bytes, 120 + 32, 32);
        put::<4>(&mut bytes, 184 + 4, 8);
        put::<8>(&mut bytes, 184 + 32, 1 << 40);
        bytes
    }

    #[test]
    fn whole_images_are_taken_and_followed_by_zeros() {
        let image = Image::check(b".version 7.0").unwrap();
        assert_eq!(image.kind, ImageKind::Ptx);
        assert_eq!(image.words[1], u64::from_le_bytes(*b" 7.0\0\0\0\0"));
        assert_eq!(image.words.last(), Some(&0));
        let kind = |bytes: &[u8]| Image::check(bytes).unwrap().kind;
        assert_eq!(kind(b"// made by hand\n.version 7.0\0\0"), ImageKind::Ptx);
        assert_eq!(kind(&cubin()), ImageKind::Binary);
        assert_eq!(kind(b"\x7fTileIR\0 and more"), ImageKind::TileIr);
        let mut fatbin = vec![0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0, 8, 0, 0, 0, 0, 0, 0, 0];
        fatbin.extend([7; 8]);
        assert_eq!(kind(&fatbin), ImageKind::Binary);
    }

    #[test]
    fn an_image_cut_at_any_byte_is_refused() {
        let whole = cubin();
        for length in 4..whole.len() {
            assert!(refused(&whole[..length]).contains(&format!("{length} bytes")), "{length}");
        }
        let fatbin = [&[0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0, 8, 0, 0, 0, 0, 0, 0, 0][..], &[7; 8]].concat();
        for length in 4..fatbin.len() {
            assert!(refused(&fatbin[..length]).contains("cut short"), "{length}");
        }
    }

    #[test]
    fn damaged_headers_are_refused() {
        for (at, value) in
            [(40, u64::MAX), (32, u64::MAX - 10), (120 + 24, u64::MAX), (120 + 32, u64::MAX), (64 + 8, 1 << 62)]
        {
            let mut damaged = cubin();
            put::<8>(&mut damaged, at, value);
            assert!(refused(&damaged).contains("damaged"), "{at}");
        }
        let mut other = cubin();
        put::<2>(&mut other, 18, 62);
        assert!(refused(&other).contains("none for a GPU"));
        let mut none = cubin();
        put::<2>(&mut none, 60, 0);
        assert!(refused(&none).contains("without a table"));
        assert!(refused(&[0x50, 0xed, 0x55, 0xba, 1, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]).contains("damaged header"));
        assert!(refused(&[0xb1, 0x43, 0x62, 0x46, 0, 0]).contains("wrapper"));
    }

    #[test]
    fn what_is_no_image_is_refused() {
        assert!(refused(b"").contains("empty"));
        assert!(refused(b"\0\0\0").contains("empty"));
        assert!(refused(b"hello").contains("neither"));
        assert!(refused(b".version 7.0\0.target sm_52").contains("NUL at byte 12"));
    }

    #[test]
    fn what_has_to_be_linked_is_refused_by_name() {
        let mut relocatable = cubin();
        put::<2>(&mut relocatable, 16, 1);
        // As the compiler leaves it: global and shared memory have sizes and no bytes.
        for kind in [0x7000_0007, 0x7000_000a] {
            put::<4>(&mut relocatable, 184 + 4, kind);
            assert!(refused(&relocatable).contains("relocatable cubin"), "{kind:#x}");
            let mut linked = relocatable.clone();
            put::<2>(&mut linked, 16, 2);
            assert_eq!(Image::check(&linked).unwrap().kind, ImageKind::Binary);
        }
        for image in [&[0xed, 0x43, 0x4e, 0x7f][..], &[0xed, 0x43, 0x4e, 0x7f, 1, 0, 2, 0]] {
            let told = refused(image);
            assert!(told.contains("is LTO-IR") && told.contains("link it first"), "{told}");
        }
        assert!(refused(&[0xed, 0x43, 0x4e]).contains("neither"));
    }

    /// A cubin of so many sections, whose number and whose index of names stand in section 0.
    fn large_cubin(count: usize) -> Vec<u8> {
        let mut bytes = vec![0; 64 + 64 * count];
        bytes[..64].copy_from_slice(&cubin()[..64]);
        put::<8>(&mut bytes, 40, 64);
        for (at, value) in [(56, 0), (60, 0), (62, 0xffff)] {
            put::<2>(&mut bytes, at, value);
        }
        put::<8>(&mut bytes, 64 + 32, count as u64);
        put::<4>(&mut bytes, 64 + 40, count as u64 - 1);
        bytes
    }

    #[test]
    fn the_number_of_many_sections_stands_in_the_first_one() {
        for count in [65_280, 70_000] {
            let whole = large_cubin(count);
            assert_eq!(Image::check(&whole).unwrap().kind, ImageKind::Binary);
            assert!(refused(&whole[..whole.len() - 1]).contains("table of sections"));
            // The last section is looked at.
            let mut damaged = whole.clone();
            let last = 64 + 64 * (count - 1);
            put::<4>(&mut damaged, last + 4, 1);
            put::<8>(&mut damaged, last + 32, 1 << 40);
            assert!(refused(&damaged).contains("its sections needs"));
            let mut nameless = whole;
            put::<4>(&mut nameless, 64 + 40, count as u64);
            assert!(refused(&nameless).contains(&format!("in section {count}")));
        }
        for (at, value) in [(40, u64::MAX), (40, 0), (40, 1 << 40), (64 + 32, 0), (64 + 32, u64::MAX)] {
            let mut damaged = large_cubin(65_280);
            put::<8>(&mut damaged, at, value);
            refused(&damaged);
        }
    }
}
