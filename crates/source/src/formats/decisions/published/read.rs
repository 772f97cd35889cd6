//! `decisions.json` to a site: the outside first, then one record at a time, so that neither memory nor a good record hangs on a bad one.

use std::collections::HashSet;
use std::fmt;

use document::{Problem, Severity};
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value as Json;
use serde_json::value::RawValue;

use super::members::{Members, scalar};
use super::problems::{Problems, shown};
use super::{MAX_BYTES, MAX_RECORD_BYTES, MAX_RECORDS, PublishedError, PublishedProject, PublishedRecord, PublishedSite, PublishedStatus, record};
use crate::formats::decisions::FieldDeclaration;
use crate::formats::decisions::entry::key_name;

/// See [`super::read`].
pub(super) fn read(bytes: &[u8]) -> Result<(PublishedSite, Vec<Problem>), PublishedError> {
    if bytes.len() > MAX_BYTES {
        return Err(PublishedError::TooLarge { size_bytes: bytes.len(), limit_bytes: MAX_BYTES });
    }
    let text = std::str::from_utf8(bytes)
        .map_err(|error| PublishedError::NotJson { reason: format!("byte {} is no UTF-8", error.valid_up_to()) })?
        .trim_start_matches('\u{feff}');
    let mut problems = Problems::default();
    let whole: &RawValue = serde_json::from_str(text).map_err(not_json)?;
    let top = match whole.get().starts_with('[') {
        true => Top { records: Some(whole), ..Top::default() },
        false => serde_json::from_str(whole.get()).map_err(|_| PublishedError::NoRecords)?,
    };
    let records = top.records.filter(|raw| raw.get().starts_with('[')).ok_or(PublishedError::NoRecords)?;
    let mut outside = serde_json::Map::new();
    for (name, raw) in
        [("generator", top.generator), ("name", top.name), ("statuses", top.statuses), ("fields", top.fields), ("projects", top.projects)]
    {
        match raw.map(parsed) {
            Some(Some(value)) => {
                outside.insert(name.to_owned(), value);
            }
            Some(None) => {
                problems.add("published-member", Severity::Warning, || {
                    format!("Of the site, \"{name}\" is too large or nested too deeply and was left out.")
                });
            }
            None => {}
        }
    }
    let mut members = Members::new("the site".to_owned(), outside, &mut problems);
    let mut site = PublishedSite {
        generator: members.text("generator"),
        name: members.text("name").unwrap_or_default(),
        statuses: statuses(&mut members),
        fields: fields(&mut members),
        projects: projects(&mut members),
        records: Vec::new(),
    };
    site.records = self::records(records, &mut problems)?;
    Ok((site, problems.done()))
}

fn not_json(error: serde_json::Error) -> PublishedError {
    PublishedError::NotJson { reason: error.to_string() }
}

/// A value of bounded size and depth.
fn parsed(raw: &RawValue) -> Option<Json> {
    if raw.get().len() > MAX_RECORD_BYTES { None } else { serde_json::from_str(raw.get()).ok() }
}

fn records(raw: &RawValue, problems: &mut Problems) -> Result<Vec<PublishedRecord>, PublishedError> {
    let entries: Entries<'_> = serde_json::from_str(raw.get()).map_err(not_json)?;
    if entries.is_cut {
        return Err(PublishedError::TooManyRecords { limit: MAX_RECORDS });
    }
    let mut records: Vec<PublishedRecord> = Vec::new();
    let mut seen: HashSet<String> = HashSet::new();
    for (index, raw) in entries.list.iter().enumerate() {
        let place = index + 1;
        let Some(value) = parsed(raw) else {
            problems.add("published-record", Severity::Error, || format!("Record {place} is too large or nested too deeply; it was left out."));
            continue;
        };
        let Json::Object(map) = value else {
            problems.add("published-record", Severity::Error, || format!("Record {place} is no object; it was left out."));
            continue;
        };
        let Some(record) = record::read(place, map, problems) else { continue };
        if seen.insert(record.id.to_lowercase()) {
            records.push(record);
        } else {
            problems.add("published-record", Severity::Error, || {
                format!("The id \"{}\" stands twice, at the latest at record {place}; the first one counts.", shown(&record.id))
            });
        }
    }
    Ok(records)
}

fn statuses(members: &mut Members<'_>) -> Vec<PublishedStatus> {
    let mut statuses = Vec::new();
    for item in members.list("statuses") {
        let Json::Object(map) = item else {
            members.problem("published-member", "an entry of \"statuses\" is no object and was left out");
            continue;
        };
        let mut inner = members.inner("statuses", map);
        if let Some(name) = inner.text("name") {
            statuses.push(PublishedStatus { name, is_current: inner.flag("current"), is_open: inner.flag("open") });
        }
    }
    statuses
}

fn fields(members: &mut Members<'_>) -> Vec<FieldDeclaration> {
    let mut fields = Vec::new();
    for item in members.list("fields") {
        let declared = match item {
            Json::Object(map) => {
                let mut inner = members.inner("fields", map);
                inner.text("name").map(|name| {
                    let values = inner.texts("values");
                    let field_type = FieldDeclaration::type_or_default(inner.text("type"), &values);
                    let (label, unit, description) = (inner.text("label"), inner.text("unit"), inner.text("description"));
                    FieldDeclaration { name, label, field_type, values, unit, description }
                })
            }
            _ => None,
        };
        match declared {
            Some(field) => fields.push(field),
            None => members.problem("published-member", "an entry of \"fields\" has no name and was left out"),
        }
    }
    fields
}

/// A list of objects with an `id`, of bare ids, or an object from ids to such objects.
fn projects(members: &mut Members<'_>) -> Vec<PublishedProject> {
    let items: Vec<(Option<String>, Json)> = match members.take("projects") {
        None => Vec::new(),
        Some(Json::Array(items)) => items.into_iter().map(|item| (None, item)).collect(),
        Some(Json::Object(map)) => map.into_iter().map(|(id, item)| (Some(id), item)).collect(),
        Some(_) => {
            members.problem("published-member", "\"projects\" is no list and was left out");
            Vec::new()
        }
    };
    let mut projects: Vec<PublishedProject> = Vec::new();
    let mut seen: HashSet<String> = HashSet::new();
    for (key, item) in items {
        let project = match item {
            Json::Object(map) => {
                let mut inner = members.inner("projects", map);
                let id = key.or_else(|| inner.text("id"));
                id.map(|id| PublishedProject {
                    id,
                    name: inner.text("name"),
                    description: inner.text("description"),
                    owners: inner.texts("owners"),
                    order: inner.number("order"),
                    approvals_required: inner.number("approvals-required"),
                    fields: fields(&mut inner),
                })
            }
            other => key.or_else(|| scalar(&other)).map(|id| PublishedProject { id, ..PublishedProject::default() }),
        };
        match project {
            Some(project) if seen.insert(project.id.clone()) => projects.push(project),
            Some(project) => {
                members.problem("published-member", &format!("the project \"{}\" stands twice; the first one counts", shown(&project.id)));
            }
            None => members.problem("published-member", "an entry of \"projects\" has no id and was left out"),
        }
    }
    projects
}

/// The members of the outermost object that say something to us, not yet read; the first one of each name.
#[derive(Default)]
struct Top<'a> {
    generator: Option<&'a RawValue>,
    name: Option<&'a RawValue>,
    statuses: Option<&'a RawValue>,
    fields: Option<&'a RawValue>,
    projects: Option<&'a RawValue>,
    records: Option<&'a RawValue>,
}

impl<'de: 'a, 'a> Deserialize<'de> for Top<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Top<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Top<'de>, A::Error> {
                let mut top = Top::default();
                while let Some(key) = map.next_key::<String>()? {
                    let member = match key_name(&key).as_str() {
                        "generator" => &mut top.generator,
                        "name" => &mut top.name,
                        "statuses" => &mut top.statuses,
                        "fields" => &mut top.fields,
                        "projects" => &mut top.projects,
                        "records" => &mut top.records,
                        _ => {
                            map.next_value::<IgnoredAny>()?;
                            continue;
                        }
                    };
                    let value = map.next_value()?;
                    member.get_or_insert(value);
                }
                Ok(top)
            }
        }
        deserializer.deserialize_map(Members)
    }
}

/// The entries of the list of records, not yet read.
struct Entries<'a> {
    list: Vec<&'a RawValue>,
    /// There are more than may be.
    is_cut: bool,
}

impl<'de: 'a, 'a> Deserialize<'de> for Entries<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Items;
        impl<'de> Visitor<'de> for Items {
            type Value = Entries<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a list")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Entries<'de>, A::Error> {
                let mut entries = Entries { list: Vec::new(), is_cut: false };
                while let Some(item) = items.next_element::<&RawValue>()? {
                    if entries.list.len() < MAX_RECORDS {
                        entries.list.push(item);
                    } else {
                        entries.is_cut = true;
                    }
                }
                Ok(entries)
            }
        }
        deserializer.deserialize_seq(Items)
    }
}
