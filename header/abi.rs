//! Types in memory, where pointers have 8 bytes: the layouts of graphcap-api.json.

use super::items::{Item, Member, What};

/// A type as the calling convention sees it.
pub struct Abi {
    /// `i8` to `i64`, `u8` to `u64`, `f32`, `f64`, `pointer` or `void`, or the name of a struct or union.
    pub class: String,
    pub size: usize,
    pub alignment: usize,
}

/// The types of C that the interface uses, as the compilers of 64 bits that it is for have them.
const PLAIN: &[(&str, &str, usize)] = &[
    ("void", "void", 0),
    ("char", "i8", 1),
    ("int8_t", "i8", 1),
    ("uint8_t", "u8", 1),
    ("int16_t", "i16", 2),
    ("uint16_t", "u16", 2),
    ("int32_t", "i32", 4),
    ("uint32_t", "u32", 4),
    ("int64_t", "i64", 8),
    ("uint64_t", "u64", 8),
    ("ptrdiff_t", "i64", 8),
    ("size_t", "u64", 8),
    ("float", "f32", 4),
    ("double", "f64", 8),
];

/// A type by its name in C.
pub fn of(kind: &str, items: &[Item]) -> Abi {
    if kind.ends_with('*') {
        return Abi { class: "pointer".into(), size: 8, alignment: 8 };
    }
    if let Some((_, class, size)) = PLAIN.iter().find(|(name, ..)| *name == kind) {
        return Abi { class: (*class).into(), size: *size, alignment: (*size).max(1) };
    }
    let item = items.iter().find(|item| item.name == kind).unwrap_or_else(|| panic!("{kind} is no type of the header"));
    match &item.what {
        What::Alias(of) => self::of(of, items),
        What::Callback(_) => Abi { class: "pointer".into(), size: 8, alignment: 8 },
        What::Struct(members) | What::Union(members) => {
            let (_, size, alignment) = layout(item, members, items);
            Abi { class: kind.into(), size, alignment }
        }
        What::Constant(_) | What::Handle | What::Function(_) => panic!("{kind} is no type that has a size"),
    }
}

/// The offset and the size of each member, the size and the alignment of a struct or union.
pub fn layout(item: &Item, members: &[Member], items: &[Item]) -> (Vec<(usize, usize)>, usize, usize) {
    let is_union = matches!(item.what, What::Union(_));
    let (mut end, mut size, mut alignment) = (0, 0, 1);
    let mut places = Vec::new();
    for member in members {
        let abi = of(&member.kind, items);
        let whole = abi.size * member.length.as_deref().map_or(1, |length| self::length(length, items));
        let offset = if is_union { 0 } else { usize::next_multiple_of(end, abi.alignment) };
        places.push((offset, whole));
        end = offset + whole;
        size = size.max(end);
        alignment = alignment.max(abi.alignment);
    }
    (places, size.next_multiple_of(alignment), alignment)
}

/// The length of an array, which is a number or a constant.
pub fn length(text: &str, items: &[Item]) -> usize {
    let constant = items.iter().find(|item| item.name == text).map(|item| &item.what);
    let number = if let Some(What::Constant(value)) = constant { value } else { text };
    number.parse().expect("the length of an array is a number")
}
