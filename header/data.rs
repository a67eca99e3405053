//! graphcap-api.json: the interface as data, for bindings and tools.

use super::doc::Doc;
use super::inits;
use super::items::{Item, Member, Parameter, Signature, What};
use super::json::Json;
use super::layout::Part;
use super::shorthands::Shorthand;
use super::write::must_be_looked_at;
use super::{abi, cuda, env, Interface};

/// The version that has all that does not say `@since`.
const FIRST: &str = "0.1.0";

/// All of graphcap-api.json.
pub fn document(interface: &Interface) -> String {
    let Interface { items, parts, shorthands } = interface;
    let every = |wanted: fn(&Item) -> bool, describe: &dyn Fn(&Item, &Part) -> Json| {
        let found = parts.iter().flat_map(|part| part.items.iter().map(move |item| (*item, part)));
        Json::list(found.filter(|(item, _)| wanted(item)).map(|(item, part)| describe(item, part)))
    };
    let sections = parts.iter().map(|part| {
        Json::Object(vec![
            ("id", Json::text(part.section.id)),
            ("title", Json::text(part.section.title)),
            ("header", Json::text(part.section.header())),
            ("text", paragraphs(&part.section.head.split("\n\n").map(str::to_owned).collect::<Vec<_>>())),
        ])
    });
    let is_type = |item: &Item| matches!(item.what, What::Alias(_) | What::Callback(_) | What::Handle);
    let is_constant = |item: &Item| matches!(item.what, What::Constant(_)) && !is_status(&item.name);
    Json::Object(vec![
        ("name", Json::text("graphcap")),
        ("version", Json::text(env("CARGO_PKG_VERSION"))),
        ("library", Json::text("libgraphcap.so.0")),
        ("pointer_size", Json::Number(8)),
        ("sections", Json::list(sections)),
        ("statuses", every(|item| is_status(&item.name), &constant)),
        ("constants", every(is_constant, &constant)),
        ("types", every(is_type, &|item, part| kind(item, part, items))),
        ("structs", every(|item| item.members().is_some(), &|item, part| record(item, part, items))),
        ("functions", every(|item| matches!(item.what, What::Function(_)), &|item, part| function(item, part, items))),
        ("shorthands", Json::list(shorthands.iter().map(|shorthand| self::shorthand(shorthand, items)))),
    ])
    .document()
}

fn is_status(name: &str) -> bool {
    name == "GRAPHCAP_SUCCESS" || name.starts_with("GRAPHCAP_ERROR_")
}

fn paragraphs(text: &[String]) -> Json {
    Json::list(text.iter().map(Json::text))
}

/// Members of all items: name, section, version, text.
fn common(item: &Item, part: &Part, doc: &Doc) -> Vec<(&'static str, Json)> {
    let since = doc.tags.iter().find(|tag| tag.tag == "since").map_or(FIRST, |tag| &tag.name);
    vec![
        ("name", Json::text(&*item.name)),
        ("section", Json::text(part.section.id)),
        ("since", Json::text(since)),
        ("text", paragraphs(&doc.text)),
    ]
}

fn constant(item: &Item, part: &Part) -> Json {
    let mut members = common(item, part, &Doc::parse(&item.doc));
    if let What::Constant(value) = &item.what {
        members.insert(1, ("value", Json::Number(value.parse().expect("a constant of the C API is a plain number"))));
    }
    Json::Object(members)
}

/// A type that is no struct.
fn kind(item: &Item, part: &Part, items: &[Item]) -> Json {
    let doc = Doc::parse(&item.doc);
    let mut members = common(item, part, &doc);
    match &item.what {
        What::Alias(of) => {
            members.insert(1, ("kind", Json::text("number")));
            members.insert(2, ("type", Json::text(&**of)));
            members.insert(3, ("abi", Json::text(abi::of(of, items).class)));
        }
        What::Callback(signature) => {
            members.insert(1, ("kind", Json::text("callback")));
            members.extend(called(signature, &doc, items));
        }
        _ => members.insert(1, ("kind", Json::text("handle"))),
    }
    Json::Object(members)
}

/// A struct or union with its layout and its macros.
fn record(item: &Item, part: &Part, items: &[Item]) -> Json {
    let mut members = common(item, part, &Doc::parse(&item.doc));
    let list = item.members().unwrap_or_default();
    let (places, size, alignment) = abi::layout(item, list, items);
    let kind = if matches!(item.what, What::Union(_)) { "union" } else { "struct" };
    members.insert(1, ("kind", Json::text(kind)));
    members.insert(2, ("size", Json::Number(size as i64)));
    members.insert(3, ("alignment", Json::Number(alignment as i64)));
    let described = list.iter().zip(places).map(|(member, place)| self::member(member, place, items));
    members.push(("members", Json::list(described)));
    let macros = inits::of(item, items).into_iter().map(|init| {
        Json::Object(vec![
            ("name", Json::text(init.name)),
            ("parameters", paragraphs(&init.parameters)),
            ("text", Json::text(init.effect)),
            ("values", paragraphs(&init.values)),
        ])
    });
    members.push(("macros", Json::list(macros)));
    Json::Object(members)
}

fn member(member: &Member, (offset, size): (usize, usize), items: &[Item]) -> Json {
    let mut described = vec![
        ("name", Json::text(&*member.name)),
        ("type", Json::text(&*member.kind)),
        ("abi", Json::text(abi::of(&member.kind, items).class)),
    ];
    if let Some(length) = &member.length {
        described.push(("length", Json::Number(abi::length(length, items) as i64)));
    }
    described.push(("offset", Json::Number(offset as i64)));
    described.push(("size", Json::Number(size as i64)));
    described.push(("text", Json::text(Doc::parse(&member.doc).text.join(" "))));
    Json::Object(described)
}

fn function(item: &Item, part: &Part, items: &[Item]) -> Json {
    let What::Function(signature) = &item.what else { unreachable!("only functions are described here") };
    let doc = Doc::parse(&item.doc);
    let mut members = common(item, part, &doc);
    if let Some(cuda) = cuda::name(&item.name) {
        members.push(("cuda", Json::text(cuda)));
    }
    members.extend(called(signature, &doc, items));
    let statuses = doc.tags.iter().filter(|tag| tag.tag == "retval");
    let statuses =
        statuses.map(|tag| Json::Object(vec![("name", Json::text(&*tag.name)), ("text", Json::text(&*tag.text))]));
    members.push(("statuses", Json::list(statuses)));
    members.push(("in_callbacks", Json::Bool(in_callbacks(&item.name, &signature.returns))));
    members.push(("must_check", Json::Bool(must_be_looked_at(&item.name, &signature.returns))));
    Json::Object(members)
}

/// True where the introduction says that callbacks may call the function.
fn in_callbacks(name: &str, returns: &str) -> bool {
    let (_, list) =
        include_str!("introduction.h").split_once("and these functions: ").expect("the introduction lists them");
    let list = list.split('.').next().unwrap_or_default();
    returns != "gc_status"
        || name.ends_with("_destroy")
        || list.split([',', ' ', '*', '\n']).any(|listed| listed == name)
}

/// The result and the parameters of a function or callback.
fn called(signature: &Signature, doc: &Doc, items: &[Item]) -> Vec<(&'static str, Json)> {
    let returned = doc.tags.iter().find(|tag| tag.tag == "return");
    let returns = vec![
        ("type", Json::text(&*signature.returns)),
        ("abi", Json::text(abi::of(&signature.returns, items).class)),
        ("text", Json::text(returned.map_or("", |tag| &tag.text))),
    ];
    let parameters = signature.parameters.iter().map(|parameter| {
        let tag = doc.tags.iter().find(|tag| tag.tag.starts_with("param") && tag.name == parameter.name);
        let direction = tag.and_then(|tag| tag.tag.strip_prefix("param[")?.strip_suffix(']')).unwrap_or("in");
        let mut described = self::parameter(parameter, items);
        described.push(("direction", Json::text(direction)));
        described.push(("text", Json::text(tag.map_or("", |tag| &tag.text))));
        Json::Object(described)
    });
    vec![("returns", Json::Object(returns)), ("parameters", Json::list(parameters))]
}

fn parameter(parameter: &Parameter, items: &[Item]) -> Vec<(&'static str, Json)> {
    vec![
        ("name", Json::text(&*parameter.name)),
        ("type", Json::text(&*parameter.kind)),
        ("abi", Json::text(abi::of(&parameter.kind, items).class)),
    ]
}

fn shorthand(shorthand: &Shorthand, items: &[Item]) -> Json {
    let parameters = shorthand.parameters.iter().map(|parameter| Json::Object(self::parameter(parameter, items)));
    let mut members = vec![
        ("name", Json::text(shorthand.name)),
        ("calls", Json::text(shorthand.calls)),
        ("text", Json::text(&*shorthand.doc)),
    ];
    if let Some(cuda) = cuda::name(shorthand.name) {
        members.push(("cuda", Json::text(cuda)));
    }
    members.push(("returns", Json::text(shorthand.returns)));
    members.push(("parameters", Json::list(parameters)));
    members.push(("body", paragraphs(&shorthand.body)));
    Json::Object(members)
}
