//! Values as they stand in a report.

/// Most characters of a value.
const LONGEST: usize = 400;

/// Returns text for HTML, also within quotes. Control characters are shown by number, and what is long is cut.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (index, character) in text.chars().enumerate() {
        if index == LONGEST {
            out.push('…');
            break;
        }
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            control if control.is_control() => out.extend(control.escape_default()),
            other => out.push(other),
        }
    }
    out
}

/// Returns bytes in the unit in which they are read most easily.
pub(super) fn bytes(count: usize) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    let (mut value, mut unit) = (count as f64, None);
    for next in UNITS {
        if value < 1024.0 {
            break;
        }
        (value, unit) = (value / 1024.0, Some(next));
    }
    unit.map_or_else(|| format!("{count} B"), |unit| format!("{value:.1} {unit}"))
}
