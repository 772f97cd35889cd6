//! Links: what our documents point at is there, headings included.

use std::path::{Component, Path, PathBuf};

use document::{Lines, Link, Span, Syntax};

use super::{File, Finding, House};

const WHY: &str = "documents are a promise; a link that leads nowhere breaks it";

pub fn findings(house: &House) -> Vec<Finding> {
    // Fixtures and examples are input: what is wrong in them is wrong on purpose.
    let is_ours = |file: &&File| {
        !["fixtures/", "cases/", "/fixtures/", "/cases/", "/tests/"]
            .iter()
            .any(|part| file.path.starts_with(part) || (part.starts_with('/') && file.path.contains(part)))
    };
    let mut findings = Vec::new();
    for file in house.files_of(".md").filter(is_ours) {
        let lines = Lines::of(&file.text);
        let (_, body) = document::split_front_matter(&file.text);
        for link in document::links(&file.text, body) {
            if let Some(message) = fault(house, file, &link) {
                let line_number = lines.line_number(link.span.start) as usize;
                findings.push(Finding { path: file.path.clone(), line_number, rule: "links", message, why: WHY });
            }
        }
    }
    findings
}

fn fault(house: &House, file: &File, link: &Link) -> Option<String> {
    let target = link.target.as_str();
    if target.is_empty() || target.contains("://") || target.starts_with("mailto:") || target.contains('…') {
        return None;
    }
    let (path, anchor) = target.split_once('#').map_or((target, None), |(path, anchor)| (path, Some(anchor)));
    let resolved = if path.is_empty() { file.path.clone() } else { resolve(&file.path, path)? };
    if !house.root.join(&resolved).exists() {
        return Some(format!("`{target}` leads to nothing"));
    }
    let anchor = anchor.filter(|_| resolved.ends_with(".md"))?;
    let text = &house.files.iter().find(|known| known.path == resolved)?.text;
    let sections = document::outline(text, Span::new(0, text.len()), Syntax::Markdown);
    let is_there = sections.iter().any(|section| section.slug == anchor || section.path == anchor);
    (!is_there).then(|| format!("`{resolved}` has no heading `#{anchor}`"))
}

/// The path below the workspace; `None` when it leads out of it.
fn resolve(from: &str, to: &str) -> Option<String> {
    let mut path: PathBuf = if to.starts_with('/') { PathBuf::new() } else { Path::new(from).parent()?.to_path_buf() };
    for part in Path::new(to.split('?').next()?).components() {
        match part {
            // Out of the repository: not ours to check.
            Component::ParentDir if !path.pop() => return None,
            Component::Normal(name) => path.push(name.to_str()?.replace("%20", " ")),
            _ => {}
        }
    }
    Some(path.to_string_lossy().into_owned())
}
