//! Resources: a view over the tools. Same texts, same access, same not-found.

use std::sync::Arc;

use document::{Scheme, Uri};
use engine::{Library, decisions};
use tokio_util::sync::CancellationToken;

use crate::surface::{CacheHint, Completion, Contents, Page, ProtocolError, ResourceAnswer, ResourceDescription, TemplateDescription};
use crate::{errors, wire};

/// The guide for agents.
const GUIDE: &str = include_str!("guide.md");

/// Its name.
const GUIDE_URI: &str = "ibid://guide";

/// The one template; `+` keeps the slashes of ids.
pub(crate) const RECORD_TEMPLATE: &str = "decision://{+id}";

/// Entries of a page.
const PAGE: usize = 100;

const MARKDOWN: &str = "text/markdown";

/// Never stale: an answer may be kept, but must be asked for again before it is used.
const NOW: CacheHint = CacheHint::private(0);

/// One page of resources. The cursor is the last uri of the page before: it survives restarts and writes, and needs no memory.
pub(crate) async fn list(library: &Arc<Library>, caller: engine::Caller, cursor: Option<&str>) -> Result<Page<ResourceDescription>, ProtocolError> {
    if let Some(cursor) = cursor
        && !Uri::parse(cursor).is_ok_and(|uri| matches!(uri.scheme(), Scheme::Decision | Scheme::Ibid) && uri.to_string() == cursor)
    {
        return Err(ProtocolError::bad_cursor(&cursor.chars().take(200).collect::<String>()));
    }
    let mut items: Vec<ResourceDescription> = if cursor.is_none() { vec![guide()] } else { Vec::new() };
    if !has_decisions(library) {
        return Ok(Page::whole(items, NOW));
    }
    let desk = library.desk(caller, CancellationToken::new()).await.map_err(|error| errors::listing(&error))?;
    // The guide opens page one, whatever its uri; behind it nothing but records is listed.
    let after = cursor.filter(|cursor| *cursor != GUIDE_URI);
    let (entries, has_more) = decisions::resource_page(&desk, after, PAGE - items.len()).await.map_err(|error| errors::listing(&error))?;
    items.extend(entries.into_iter().map(|entry| ResourceDescription {
        uri: entry.uri,
        name: entry.name,
        title: Some(entry.title),
        description: Some(entry.description),
        mime_type: Some(MARKDOWN.to_owned()),
        size_bytes: Some(entry.size_bytes),
    }));
    let next_cursor = has_more.then(|| items.last().map(|last| last.uri.clone())).flatten();
    Ok(Page { items, next_cursor, cache: NOW })
}

fn guide() -> ResourceDescription {
    ResourceDescription {
        uri: GUIDE_URI.to_owned(),
        name: "guide".to_owned(),
        title: Some("How to use this library".to_owned()),
        description: Some("A short guide for agents: where to begin, what to trust, how to cite.".to_owned()),
        mime_type: Some(MARKDOWN.to_owned()),
        size_bytes: Some(GUIDE.len() as u64),
    }
}

fn has_decisions(library: &Library) -> bool {
    library.config().collections.iter().any(|collection| collection.kind == document::Kind::Decisions)
}

/// The templates.
pub(crate) fn templates(library: &Library) -> Page<TemplateDescription> {
    let record = TemplateDescription {
        uri_template: RECORD_TEMPLATE.to_owned(),
        name: "decision".to_owned(),
        title: Some("Decision record".to_owned()),
        description: Some("A decision record by its id; #1.2 behind it is one section.".to_owned()),
        mime_type: Some(MARKDOWN.to_owned()),
    };
    Page::whole(if has_decisions(library) { vec![record] } else { Vec::new() }, NOW)
}

/// Reads a resource.
pub(crate) async fn read(library: &Arc<Library>, caller: engine::Caller, uri: &str) -> Result<ResourceAnswer, ProtocolError> {
    let text = if uri == GUIDE_URI {
        GUIDE.to_owned()
    } else if Uri::readings(uri).iter().any(|reading| reading.scheme() == Scheme::Decision) {
        let desk = library.desk(caller, CancellationToken::new()).await.map_err(|error| errors::resource(&error, uri))?;
        let record = decisions::get(&desk, uri).await.map_err(|error| errors::resource(&error, uri))?;
        wire::whole_text(&record, desk.freshness.stale_reason.as_deref())
    } else {
        return Err(ProtocolError::resource_not_found(uri));
    };
    Ok(ResourceAnswer { contents: vec![Contents::text(uri, MARKDOWN, text)], cache: NOW })
}

/// Whether a caller may hear of changes of a uri.
pub(crate) async fn may_see(library: &Arc<Library>, caller: engine::Caller, uri: &str) -> bool {
    if uri == GUIDE_URI {
        return true;
    }
    // The news came from the library as it stands: it need not be brought up to date for this.
    let freshness = engine::Freshness::fresh(0);
    let desk = engine::Desk { library: Arc::clone(library), caller, freshness, cancelled: CancellationToken::new() };
    decisions::is_served(&desk, uri).await
}

/// Ids of records that begin with what was typed.
pub(crate) async fn complete_id(library: &Arc<Library>, caller: engine::Caller, typed: &str) -> Result<Completion, ProtocolError> {
    let desk = library.desk(caller, CancellationToken::new()).await.map_err(|error| errors::listing(&error))?;
    // One more than the protocol allows, so that the adapter can tell that there are more even where they were not counted.
    let found = decisions::complete_id(&desk, typed, PAGE + 1).await.map_err(|error| errors::listing(&error))?;
    Ok(Completion { values: found.ids, total: found.total.and_then(|total| u32::try_from(total).ok()) })
}
