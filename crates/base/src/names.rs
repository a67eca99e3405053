//! Names in messages: demangled where a compiler mangled them, and cut in the middle where they are long, so that the rest of a
//! message has room. Texts that are read back have names as they are.

use std::borrow::Cow;
use std::fmt::{self, Write};
use std::panic::catch_unwind;

/// As many bytes of a name a message has at most.
pub const SHOWN_BYTES: usize = 96;
/// Text that stands for the bytes that are left out.
const LEFT_OUT: &str = "...";
/// As many bytes are kept of the start of a name that is cut, and of its end.
const START: usize = (SHOWN_BYTES - LEFT_OUT.len()) / 2;
const END: usize = SHOWN_BYTES - LEFT_OUT.len() - START;

/// Longer names are not demangled. The time for a hostile one grows with the square of its length: some 10 ms for one of this length.
const LONGEST_MANGLED: usize = 4096;
/// As many bytes a demangled name has at most: a short mangled name can stand for one of any length.
const LONGEST_DEMANGLED: usize = 16 * 1024;
/// Deepest nesting of a mangled name. Names of templates of templates nest 50 deep and take 20 KiB of the stack; a hostile one
/// takes 100 KiB at this depth.
const DEEPEST: u32 = 64;

/// A name between double quotes, with escapes for what cannot be read, or without quotes.
pub struct Shown<'a> {
    name: &'a str,
    is_quoted: bool,
}

/// Shows `name` in a message between double quotes.
pub fn quoted(name: &str) -> Shown<'_> {
    Shown { name, is_quoted: true }
}

/// Shows `name` in a message whose words quote it.
pub fn shown(name: &str) -> Shown<'_> {
    Shown { name, is_quoted: false }
}

/// As many bytes of names a message lists, or one more name.
const LISTED_BYTES: usize = 400;

/// Names in a message, the first ones of many.
pub fn listed<N: AsRef<str>>(names: &[N]) -> String {
    let mut text = String::new();
    for (at, name) in names.iter().enumerate() {
        if text.len() > LISTED_BYTES {
            let _ = write!(text, " and {} others", names.len() - at);
            break;
        }
        let _ = write!(text, "{}{}", if at == 0 { "" } else { ", " }, shown(name.as_ref()));
    }
    text
}

impl fmt::Display for Shown<'_> {
    #[cold]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = demangled(self.name);
        if self.is_quoted {
            return write_quoted(&name, f);
        }
        match parts(&name, char::len_utf8) {
            None => f.write_str(&name),
            Some((start, end)) => write!(f, "{start}{LEFT_OUT}{end}"),
        }
    }
}

/// Writes a name between double quotes, cut but not demangled, without allocating.
pub fn write_quoted(name: &str, out: &mut dyn Write) -> fmt::Result {
    out.write_char('"')?;
    match parts(name, |c| escaped(c).map(char::len_utf8).sum()) {
        None => write_escaped(name, out)?,
        Some((start, end)) => {
            write_escaped(start, out)?;
            out.write_str(LEFT_OUT)?;
            write_escaped(end, out)?;
        }
    }
    out.write_char('"')
}

/// A character as the Debug form of a text has it.
fn escaped(c: char) -> impl Iterator<Item = char> {
    let plain = (c == '\'').then_some(c);
    let escaped = plain.is_none().then(|| c.escape_debug());
    plain.into_iter().chain(escaped.into_iter().flatten())
}

fn write_escaped(text: &str, out: &mut dyn Write) -> fmt::Result {
    text.chars().flat_map(escaped).try_for_each(|c| out.write_char(c))
}

/// The start and the end of `name` that are shown, where the whole has more than [`SHOWN_BYTES`]. `cost` tells as how many bytes a
/// character is shown.
fn parts(name: &str, cost: impl Fn(char) -> usize) -> Option<(&str, &str)> {
    let mut shown = 0_usize;
    name.chars().find(|&c| {
        shown += cost(c);
        shown > SHOWN_BYTES
    })?;
    let fits = |most: usize, chars: &mut dyn Iterator<Item = char>| -> usize {
        let mut room = most;
        let kept = chars.take_while(|&c| {
            let left = room.checked_sub(cost(c));
            room = left.unwrap_or(room);
            left.is_some()
        });
        kept.map(char::len_utf8).sum()
    };
    let start = fits(START, &mut name.chars());
    let end = fits(END, &mut name.chars().rev());
    Some((name.get(..start)?, name.get(name.len() - end..)?))
}

/// Returns whether `pattern` is a pattern of a name, or of the name in the source that a compiler mangled to it: `*` stands for any
/// characters, `?` for one.
pub fn is_called(pattern: &str, name: &str) -> bool {
    matches(pattern, name) || matches(pattern, &demangled(name))
}

fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut place) = (0, 0);
    // The last star, and the place in the name up to which it stands for characters.
    let mut star: Option<(usize, usize)> = None;
    while let Some(&found) = name.get(place) {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, place));
                at += 1;
            }
            Some(&wanted) if wanted == '?' || wanted == found => (at, place) = (at + 1, place + 1),
            _ => match star {
                Some((last, taken)) => {
                    star = Some((last, taken + 1));
                    (at, place) = (last + 1, taken + 1);
                }
                None => return false,
            },
        }
    }
    pattern.get(at..).is_some_and(|rest| rest.iter().all(|&left| left == '*'))
}

/// The name in the source that a C++ or Rust compiler mangled to `name`; else `name`.
fn demangled(name: &str) -> Cow<'_, str> {
    let is_mangled = ["_Z", "__Z", "_R"].iter().any(|prefix| name.starts_with(prefix));
    if !is_mangled || name.len() > LONGEST_MANGLED {
        return name.into();
    }
    // Names come from outside. The libraries are made for that; should one panic all the same, the name stays as it is.
    catch_unwind(|| of_rust(name).or_else(|| of_cpp(name))).ok().flatten().map_or(name.into(), Cow::Owned)
}

fn of_rust(name: &str) -> Option<String> {
    let symbol = rustc_demangle::try_demangle(name).ok()?;
    let mut text = Limited(String::new());
    // Without the hash at the end.
    write!(text, "{symbol:#}").ok()?;
    Some(text.0)
}

fn of_cpp(name: &str) -> Option<String> {
    let parsing = cpp_demangle::ParseOptions::default().recursion_limit(DEEPEST);
    let symbol = cpp_demangle::Symbol::new_with_options(name, &parsing).ok()?;
    // A kernel returns nothing.
    let options = cpp_demangle::DemangleOptions::new().no_return_type().recursion_limit(DEEPEST);
    let mut text = Limited(String::new());
    symbol.structured_demangle(&mut text, &options).ok()?;
    Some(text.0)
}

/// A text that takes no more than [`LONGEST_DEMANGLED`] bytes.
struct Limited(String);

impl Write for Limited {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        match self.0.len() + text.len() <= LONGEST_DEMANGLED {
            true => self.0.push_str(text),
            false => return Err(fmt::Error),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_names_are_shown_whole() {
        for name in ["", "velocity", "a \"b\" \\ 'c'\n", "h\u{e9}\u{301}\u{202e}", &"x".repeat(SHOWN_BYTES)] {
            assert_eq!(quoted(name).to_string(), format!("{name:?}"));
            assert_eq!(shown(name).to_string(), name);
        }
    }

    #[test]
    fn patterns_are_of_names_and_of_what_they_were_mangled_from() {
        let mangled = "_ZN6vector3addIfLi4EEEvPT_PKS1_i";
        for pattern in ["*", "vector::add<*", "*add<float, 4>*", "_ZN6vector3add*", "*P?_*", "**add**"] {
            assert!(is_called(pattern, mangled), "{pattern}");
        }
        for pattern in ["", "add", "*add", "vector::add?", "*sub*", "_ZN?"] {
            assert!(!is_called(pattern, mangled), "{pattern}");
        }
        assert!(is_called("", "") && is_called("*", "") && !is_called("?", ""));
        assert!(is_called("a*b*c", "abcbc") && !is_called("a*b*c", "abcb") && is_called("?\u{e9}", "\u{e9}\u{e9}"));
    }

    #[test]
    fn long_names_are_cut_in_the_middle() {
        let name = format!("{}{}", "a".repeat(60), "z".repeat(60));
        let cut = format!("{}...{}", "a".repeat(START), "z".repeat(END));
        assert_eq!((shown(&name).to_string(), cut.len()), (cut.clone(), SHOWN_BYTES));
        assert_eq!(quoted(&name).to_string(), format!("\"{cut}\""));
        // Two bytes each: the cut falls between characters.
        let name = "\u{e9}".repeat(200);
        assert_eq!(shown(&name).to_string(), format!("{}...{0}", "\u{e9}".repeat(23)));
        // What an escape takes counts.
        let name = "\u{1}".repeat(SHOWN_BYTES);
        assert!(quoted(&name).to_string().len() <= SHOWN_BYTES + 2, "{}", quoted(&name));
    }

    /// A small generator: the numbers are the same in each run.
    fn random(seed: u64) -> impl FnMut(usize) -> usize {
        let mut state = seed;
        move |below| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        }
    }

    #[test]
    fn random_names_keep_their_start_and_end() {
        const CHARS: [char; 12] =
            ['a', '_', '"', '\\', '\'', '\n', '\0', '\u{301}', '\u{e9}', '\u{4e2d}', '\u{1f600}', '\u{202e}'];
        let mut random = random(7);
        for _ in 0..20_000 {
            let kinds = 1 + random(CHARS.len());
            let name: String = (0..random(160)).map(|_| CHARS[random(kinds)]).collect();
            let (quoted, shown) = (quoted(&name).to_string(), shown(&name).to_string());
            assert!(shown.len() <= SHOWN_BYTES && quoted.len() <= SHOWN_BYTES + 2, "{name:?}: {quoted}");
            assert_eq!(name.len() <= SHOWN_BYTES, shown == name, "{name:?}: {shown}");
            for (shown, whole) in [(shown, name.clone()), (quoted, format!("{name:?}"))] {
                if shown == whole {
                    continue;
                }
                // The parts that are left begin and end the whole, and are as long as they can be: an escape has 10 bytes at most.
                let at = shown.match_indices(LEFT_OUT).map(|(at, _)| at);
                let is_cut =
                    |at: usize| whole.starts_with(&shown[..at]) && whole.ends_with(&shown[at + LEFT_OUT.len()..]);
                assert!(at.into_iter().any(is_cut), "{shown} is no cut of {whole}");
                assert!(shown.len() > SHOWN_BYTES - 20, "{shown}");
            }
        }
    }

    #[test]
    fn mangled_names_are_shown_as_in_the_source() {
        let names = [
            ("_Z5scaleIfEvPT_i", "scale<float>(float*, int)"),
            ("_ZN3ops4fillEPfi", "ops::fill(float*, int)"),
            (
                "_ZN8__main__6kernelB2v1B4abcdE5ArrayIfLi1E1C7mutable7alignedE",
                "__main__::kernel[abi:v1][abi:abcd](Array<float, 1, C, mutable, aligned>)",
            ),
            ("_ZN3foo3bar17h05af221e174051e9E", "foo::bar"),
            ("_RNvC7kernels5scale", "kernels::scale"),
        ];
        for (mangled, source) in names {
            assert_eq!(shown(mangled).to_string(), source);
            assert_eq!(quoted(mangled).to_string(), format!("{source:?}"));
        }
        // A name that only begins like one.
        for name in ["_Zero", "_Z", "_R", "__Z", "_Remove", "_ZN3fo", "a_Z5scaleIfEvPT_i"] {
            assert_eq!(shown(name).to_string(), name);
        }
        let arrays = format!("_ZN8__main__6kernelE{}", "5ArrayIfLi1E1C7mutable7alignedE".repeat(40));
        let text = shown(&arrays).to_string();
        assert!(text.starts_with("__main__::kernel(Array<float, 1, C, mutable,"), "{text}");
        assert!(text.ends_with("mutable, aligned>)") && text.len() == SHOWN_BYTES, "{text}");
    }

    #[test]
    fn hostile_names_are_shown_somehow() {
        let pieces = [
            "P",
            "K",
            "N",
            "I",
            "E",
            "S_",
            "S0_",
            "S1_",
            "T_",
            "T0_",
            "1a",
            "i",
            "Li1E",
            "X",
            "dt",
            "cv",
            "J",
            "F",
            "Dp",
            "DT",
            "sr",
            "St",
            "Z",
            "_Z",
            "C1",
            "B1a",
            "A1_",
            "fp_",
            "cl",
            "Ul",
            "vE_",
            "M",
            "99999999999",
            "\u{e9}",
            "B_",
            "R",
            "p",
            "Nv",
            "C",
        ];
        let deep = pieces.iter().flat_map(|piece| {
            let ends = ["_Z1a", "_ZN", "_R", "_RNvC1a"].iter();
            ends.map(move |start| format!("{start}{}", piece.repeat(LONGEST_MANGLED / piece.len())))
        });
        let mut random = random(11);
        let mixed = (0..3_000).map(|_| {
            let few: Vec<_> = (0..1 + random(6)).map(|_| pieces[random(pieces.len())]).collect();
            let start = ["_Z1a", "_ZN1a", "_RNv", "__Z"][random(4)];
            (0..random(200)).fold(start.to_owned(), |name, _| name + few[random(few.len())])
        });
        for name in deep.chain(mixed.collect::<Vec<_>>()) {
            assert!(shown(&name).to_string().len() <= SHOWN_BYTES, "{name}");
        }
    }
}
