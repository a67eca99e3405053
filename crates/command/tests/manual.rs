//! The manual pages and the list of variables agree with what they tell of.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use clap::CommandFactory;
use graphcap_command::arguments::Arguments;
use graphcap_command::info::VARIABLES;

/// Asks for the pages to be written anew.
const WRITE: &str = "GRAPHCAP_MANUAL";

fn documents() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// The pages of a folder by their names.
fn pages(folder: &Path) -> BTreeMap<String, String> {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
    files.map(|path| (name(&path), std::fs::read_to_string(&path).unwrap())).collect()
}

#[test]
fn the_manual_pages_are_those_of_the_arguments() {
    let (committed, made) =
        (documents().join("man"), std::env::temp_dir().join(format!("graphcap-man-{}", std::process::id())));
    std::fs::create_dir_all(&made).unwrap();
    clap_mangen::generate_to(Arguments::command().disable_help_subcommand(true), &made).unwrap();
    if std::env::var_os(WRITE).is_some_and(|value| value == "write") {
        std::fs::create_dir_all(&committed).unwrap();
        pages(&made).iter().for_each(|(name, text)| std::fs::write(committed.join(name), text).unwrap());
    }
    let made_pages = pages(&made);
    std::fs::remove_dir_all(&made).unwrap();
    assert!(made_pages.contains_key("graphcap.1") && made_pages.contains_key("graphcap-trace-compare.1"));
    assert_eq!(pages(&committed), made_pages, "run the test with {WRITE}=write");
}

#[test]
fn all_variables_of_the_page_are_told() {
    let page = std::fs::read_to_string(documents().join("environment.md")).unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    let names = rows.flat_map(|row| row.split('|').nth(1).unwrap_or_default().split('`').skip(1).step_by(2));
    let of_page: BTreeSet<&str> = names.collect();
    assert_eq!(of_page, VARIABLES.into_iter().collect());
}
