//! Pages as files of a folder: the same views as the site's, with links that work below any base path, and nothing that needs a server.

use askama::Template;
use document::Syntax;
use engine::decisions::publish::Place;
use engine::decisions::{Project, RecordAnswer, RecordSummary, Statuses};
use engine::{Error, ErrorKind};

use crate::pages::record::{BodyView, Cited, RecordView};
use crate::pages::record_row::RecordRow;
use crate::{assets, shown};

/// The policy of each page: a file has no headers, so it stands in the page itself. What only headers can say (who may frame it) is left to the host.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'none'; base-uri 'none'";

/// What all pages of one folder share.
#[derive(Debug, Clone)]
pub struct StaticSite {
    /// What the library is called.
    pub library: String,
    /// Version of ibid, for the foot of pages.
    pub version: String,
    /// Status words, for the colours of badges.
    pub statuses: Statuses,
}

/// A file of the folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StaticFile {
    /// Path below the folder, with `/`.
    pub path: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// What stands around a page.
struct Frame {
    library: String,
    version: String,
    policy: &'static str,
    /// The way up to the folder: empty, or `../` as often as needed.
    root: String,
    style: &'static str,
    mark: &'static str,
}

impl Frame {
    fn home(&self) -> &str {
        if self.root.is_empty() { "./" } else { &self.root }
    }
}

#[derive(Template)]
#[template(path = "static_record.html")]
struct RecordPage {
    frame: Frame,
    record: RecordView,
}

#[derive(Template)]
#[template(path = "static_index.html")]
struct IndexPage {
    frame: Frame,
    total: String,
    projects: Vec<ProjectView>,
}

/// A project with its records.
struct ProjectView {
    anchor: String,
    name: String,
    description: String,
    records: Vec<RecordRow>,
}

impl StaticSite {
    /// Style sheet and mark.
    #[must_use]
    pub fn assets(&self) -> Vec<StaticFile> {
        let file = |path: &str, text: &str| StaticFile { path: path.trim_start_matches('/').to_owned(), bytes: text.as_bytes().to_vec() };
        vec![file(assets::style_path(), assets::STYLE), file(assets::mark_path(), assets::MARK)]
    }

    /// `index.html`: all records by project, newest first.
    ///
    /// # Errors
    /// The page cannot be made.
    pub fn index(&self, projects: &[Project], records: &[RecordSummary]) -> Result<StaticFile, Error> {
        let row = |record: &RecordSummary| {
            let mut row = RecordRow::of(record, &self.statuses);
            row.address = below("", &row.address);
            // Listings by tag need a server.
            row.tags.clear();
            row
        };
        let views = projects.iter().enumerate().map(|(at, project)| ProjectView {
            anchor: format!("page:project-{}", at + 1),
            name: shown::plain(&project.name),
            description: shown::plain(&project.description),
            records: records.iter().filter(|record| record.project == project.id).map(row).collect(),
        });
        let total = format!(
            "{} of {}",
            shown::counted(i64::try_from(records.len()).unwrap_or(i64::MAX), "record"),
            shown::counted(i64::try_from(projects.len()).unwrap_or(i64::MAX), "project")
        );
        file("index.html".to_owned(), &IndexPage { frame: self.frame(String::new()), total, projects: views.collect() })
    }

    /// `d/<id>/index.html`: one record. `id_at` finds the record whose file is at a path of the same collection.
    ///
    /// # Errors
    /// The page cannot be made.
    pub fn record<'a>(&self, answer: &RecordAnswer, place: &Place, id_at: impl Fn(&str) -> Option<&'a str>) -> Result<StaticFile, Error> {
        let mut answer = answer.clone();
        // How many days are left is another number tomorrow, and a page says it for as long as it lies there.
        if let Some(review) = &mut answer.review {
            review.days_left = None;
        }
        // What is wrong in the files is for those who can mend it.
        answer.problems.clear();
        let root = "../".repeat(1 + answer.row.id.split('/').count());
        let mut record = RecordView::of(&answer, Cited::default(), &self.statuses);
        record.for_each_address(|address| *address = address.take().and_then(|address| moved(&root, &address)));
        record.permalink = if place.address.is_some() { place.of_page(&answer.row.id) } else { "./".to_owned() };
        if let BodyView::Html(html) = &mut record.body
            && Syntax::of_path(&answer.row.path) == Syntax::Markdown
        {
            *html = with_links(html, |target| body_link(&root, &answer.row.path, target, &id_at));
        }
        file(format!("d/{}/index.html", answer.row.id), &RecordPage { frame: self.frame(root), record })
    }

    fn frame(&self, root: String) -> Frame {
        let name = shown::plain(&self.library);
        Frame {
            library: if name.trim().is_empty() { "Decision records".to_owned() } else { name },
            version: self.version.clone(),
            policy: POLICY,
            root,
            style: assets::style_path().trim_start_matches('/'),
            mark: assets::mark_path().trim_start_matches('/'),
        }
    }
}

fn file(path: String, view: &impl Template) -> Result<StaticFile, Error> {
    let html = view.render().map_err(|error| Error::new(ErrorKind::Unreachable, format!("The page {path} cannot be made: {error}.")))?;
    Ok(StaticFile { path, bytes: html.into_bytes() })
}

/// The address of a page of the site, from a page that is `root` below the folder.
fn below(root: &str, address: &str) -> String {
    format!("{root}{}/", address.trim_start_matches('/'))
}

/// An address of the live site as one of the folder: pages of records are there, anchors and the web stay, listings need a server.
fn moved(root: &str, address: &str) -> Option<String> {
    match address {
        page if page.starts_with("/d/") => Some(below(root, page)),
        listing if listing.starts_with('/') => None,
        other => Some(other.to_owned()),
    }
}

/// Our own HTML with its links put right. Every `<` of the text itself is escaped, so what begins like a link is one that we wrote.
fn with_links(html: &str, link: impl Fn(&str) -> Option<String>) -> String {
    const START: &str = "<a href=\"";
    let mut out = String::with_capacity(html.len() + html.len() / 16);
    let mut rest = html;
    while let Some((before, behind)) = rest.split_once(START) {
        let Some((target, after)) = behind.split_once('"') else { break };
        out.push_str(before);
        match link(target) {
            Some(address) => {
                out.push_str(START);
                out.push_str(&address);
                out.push('"');
            }
            None => out.push_str("<a"),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Where a link of a record's text leads: to the page of the record whose file it names, to the web, or nowhere. `target` is escaped as an attribute.
fn body_link<'a>(root: &str, path: &str, target: &str, id_at: impl Fn(&str) -> Option<&'a str>) -> Option<String> {
    let first = target.split(['/', '?', '#']).next().unwrap_or_default();
    if target.starts_with('#') || first.contains(':') {
        return Some(target.to_owned());
    }
    let (file, anchor) = target.find('#').map_or((target, ""), |at| target.split_at(at));
    let file = file.split('?').next().unwrap_or_default();
    let decoded = percent_encoding::percent_decode_str(file).decode_utf8().ok()?.replace("&amp;", "&").replace("&#x27;", "'").replace("&#39;", "'");
    if decoded.is_empty() || decoded.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in decoded.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    let wanted = parts.join("/");
    let id = ["", ".md", "/README.md"].iter().find_map(|ending| id_at(&format!("{wanted}{ending}")))?;
    Some(format!("{}{anchor}", below(root, &crate::address::of_record(id))))
}

#[cfg(test)]
mod tests {
    use super::{body_link, moved, with_links};

    fn id_at(path: &str) -> Option<&'static str> {
        match path {
            "sre/adr/0002-b & c.md" => Some("sre/adr/0002-b & c"),
            "keps/1-x/README.md" => Some("keps/kep/1-x"),
            _ => None,
        }
    }

    #[test]
    fn links_of_texts_lead_to_pages_or_to_the_web_or_nowhere() {
        let link = |target: &str| body_link("../../", "sre/adr/0001-a.md", target, id_at);
        assert_eq!(link("0002-b%20&amp;%20c.md#x").as_deref(), Some("../../d/sre/adr/0002-b%20%26%20c/#x"));
        assert_eq!(link("./../adr/0002-b%20&amp;%20c").as_deref(), Some("../../d/sre/adr/0002-b%20%26%20c/"));
        assert_eq!(link("../../keps/1-x/").as_deref(), Some("../../d/keps/kep/1-x/"));
        assert_eq!(link("https://example.org/a?b#c").as_deref(), Some("https://example.org/a?b#c"));
        assert_eq!(link("#part").as_deref(), Some("#part"));
        for nowhere in ["diagram.png", "/etc/passwd", "//evil.example", "../../../../x.md", "%ff", "", "?q"] {
            assert_eq!(link(nowhere), None, "{nowhere}");
        }
        let html = "<p>&lt;a href=\"x\"&gt; <a href=\"gone.md\">a</a> <a href=\"#b\">b</a></p>";
        assert_eq!(with_links(html, link), "<p>&lt;a href=\"x\"&gt; <a>a</a> <a href=\"#b\">b</a></p>");
    }

    #[test]
    fn addresses_of_the_site_become_those_of_the_folder() {
        assert_eq!(moved("../", "/d/a/adr/b%20c").as_deref(), Some("../d/a/adr/b%20c/"));
        assert_eq!(moved("../", "/records?tag=x"), None);
        assert_eq!(moved("../", "https://example.org").as_deref(), Some("https://example.org"));
    }
}
