//! Filters: which documents may be found at all. Tested on columns while ranking, so that a filtered search is never short of results.

use std::collections::HashSet;

use document::Kind;
use tantivy::columnar::{Column, StrColumn};
use tantivy::schema::Field;
use tantivy::{DocId, Searcher, SegmentReader, Term};

use crate::IndexError;
use crate::date::day_range;
use crate::fold::fold_name;
use crate::query::{Atom, Clause, Fact};
use crate::schema::{FIELDS, kind_number};

/// Which documents may be found. The default is all; each field narrows it further. Texts are compared folded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only these kinds; all where empty.
    pub kinds: Vec<Kind>,
    /// Only these collections; all where empty.
    pub collection_ids: Vec<i64>,
    /// None of these collections.
    pub excluded_collection_ids: Vec<i64>,
    /// Only this project.
    pub project: Option<String>,
    /// Only this record type.
    pub record_type: Option<String>,
    /// Only this status.
    pub status: Option<String>,
    /// Only one of these statuses; none at all where the list is empty.
    pub statuses: Option<Vec<String>>,
    /// Only documents with this tag, or with one below it (`a` finds `a/b`).
    pub tag: Option<String>,
    /// Only documents of this person: whole name, handle, or one word of it.
    pub person: Option<String>,
    /// Only documents dated on this date (`YYYY`, `YYYY-MM`, `YYYY-MM-DD`, RFC 3339) or later. Undated ones are left out.
    pub date_from: Option<String>,
    /// Only documents dated on this date or earlier. Undated ones are left out.
    pub date_to: Option<String>,
    /// Only these documents.
    pub document_ids: Option<Vec<i64>>,
    /// None of these documents.
    pub excluded_document_ids: Vec<i64>,
}

/// Something that is true or false of a document.
#[derive(Debug, Clone)]
pub enum Test {
    Number(Field, &'static str, HashSet<i64>),
    Text(Field, &'static str, String),
    From(i64),
    To(i64),
}

/// Tests of which one must hold, or none may.
#[derive(Debug, Clone)]
pub struct Condition {
    pub is_negated: bool,
    pub tests: Vec<Test>,
}

impl Condition {
    fn any(tests: Vec<Test>) -> Self {
        Self { is_negated: false, tests }
    }

    /// The condition of a clause that speaks of facts only.
    pub fn of(clause: &Clause) -> Option<Self> {
        let tests: Option<Vec<Test>> =
            clause.alternatives.iter().map(|atom| if let Atom::Fact(fact) = atom { Some(Test::of(fact)) } else { None }).collect();
        Some(Self { is_negated: clause.is_negated, tests: tests? })
    }

    /// The terms that documents meeting it have, where that is all there is to it.
    pub fn terms(&self) -> Option<Vec<Term>> {
        if self.is_negated {
            return None;
        }
        let mut terms = Vec::new();
        for test in &self.tests {
            match test {
                Test::Number(field, _, values) => terms.extend(values.iter().map(|value| Term::from_field_i64(*field, *value))),
                Test::Text(field, _, value) => terms.push(Term::from_field_text(*field, value)),
                Test::From(_) | Test::To(_) => return None,
            }
        }
        Some(terms)
    }
}

impl Test {
    pub fn of(fact: &Fact) -> Self {
        let fields = &*FIELDS;
        match fact {
            Fact::Kind(kind) => Self::Number(fields.kind, "kind", HashSet::from([kind_number(*kind)])),
            Fact::Tag(value) => Self::Text(fields.tag, "tag", value.clone()),
            Fact::Status(value) => Self::Text(fields.status, "status", value.clone()),
            Fact::Project(value) => Self::Text(fields.project, "project", value.clone()),
            Fact::RecordType(value) => Self::Text(fields.record_type, "record_type", value.clone()),
            Fact::Person(value) => Self::Text(fields.person, "person", value.clone()),
            Fact::From(day) => Self::From(*day),
            Fact::To(day) => Self::To(*day),
        }
    }
}

impl Filter {
    /// The same as conditions.
    pub(crate) fn conditions(&self) -> Result<Vec<Condition>, IndexError> {
        let fields = &*FIELDS;
        let mut conditions = Vec::new();
        let mut numbers = |field: Field, name: &'static str, values: HashSet<i64>, is_negated: bool| {
            conditions.push(Condition { is_negated, tests: vec![Test::Number(field, name, values)] });
        };
        if !self.kinds.is_empty() {
            numbers(fields.kind, "kind", self.kinds.iter().map(|kind| kind_number(*kind)).collect(), false);
        }
        if !self.collection_ids.is_empty() {
            numbers(fields.collection, "collection", self.collection_ids.iter().copied().collect(), false);
        }
        if !self.excluded_collection_ids.is_empty() {
            numbers(fields.collection, "collection", self.excluded_collection_ids.iter().copied().collect(), true);
        }
        if let Some(ids) = &self.document_ids {
            numbers(fields.document, "document", ids.iter().copied().collect(), false);
        }
        if !self.excluded_document_ids.is_empty() {
            numbers(fields.document, "document", self.excluded_document_ids.iter().copied().collect(), true);
        }
        let texts = [
            (fields.project, "project", &self.project, ' '),
            (fields.record_type, "record_type", &self.record_type, ' '),
            (fields.status, "status", &self.status, ' '),
            (fields.tag, "tag", &self.tag, '#'),
            (fields.person, "person", &self.person, '@'),
        ];
        for (field, name, value, sign) in texts {
            if let Some(value) = value {
                conditions.push(Condition::any(vec![Test::Text(field, name, fold_name(value.trim().trim_start_matches(sign)))]));
            }
        }
        if let Some(statuses) = &self.statuses {
            conditions.push(Condition::any(statuses.iter().map(|status| Test::Text(fields.status, "status", fold_name(status))).collect()));
        }
        let day = |value: &String| day_range(value).ok_or_else(|| IndexError::Date { value: value.clone() });
        if let Some(value) = &self.date_from {
            conditions.push(Condition::any(vec![Test::From(day(value)?.0)]));
        }
        if let Some(value) = &self.date_to {
            conditions.push(Condition::any(vec![Test::To(day(value)?.1)]));
        }
        Ok(conditions)
    }
}

/// The conditions as questions to the columns of one segment.
pub struct SegmentFilter {
    checks: Vec<(bool, Vec<Check>)>,
}

enum Check {
    Number(Column<i64>, HashSet<i64>),
    Text(StrColumn, u64),
    From(Column<i64>, i64),
    To(Column<i64>, i64),
}

impl SegmentFilter {
    /// Prepares the conditions for a segment; `None` when nothing in it can meet them.
    pub fn new(conditions: &[Condition], segment: &SegmentReader) -> tantivy::Result<Option<Self>> {
        let columns = segment.fast_fields();
        let mut checks = Vec::new();
        for condition in conditions {
            let mut prepared = Vec::new();
            for test in &condition.tests {
                match test {
                    Test::Number(_, name, values) => prepared.push(Check::Number(columns.i64(name)?, values.clone())),
                    Test::Text(_, name, value) => {
                        // A value that the segment does not know is met by none of its documents.
                        if let Some(column) = columns.str(name)?
                            && let Some(number) = column.dictionary().term_ord(value.as_bytes())?
                        {
                            prepared.push(Check::Text(column, number));
                        }
                    }
                    Test::From(day) => prepared.push(Check::From(columns.i64("date_last")?, *day)),
                    Test::To(day) => prepared.push(Check::To(columns.i64("date_first")?, *day)),
                }
            }
            if prepared.is_empty() && !condition.is_negated {
                return Ok(None);
            }
            checks.push((condition.is_negated, prepared));
        }
        Ok(Some(Self { checks }))
    }

    /// Whether a passage may be found.
    pub fn admits(&self, passage: DocId) -> bool {
        self.checks.iter().all(|(is_negated, checks)| checks.iter().any(|check| check.holds(passage)) != *is_negated)
    }
}

impl Check {
    fn holds(&self, passage: DocId) -> bool {
        match self {
            Self::Number(column, values) => column.first(passage).is_some_and(|value| values.contains(&value)),
            Self::Text(column, number) => column.ords().values_for_doc(passage).any(|value| value == *number),
            Self::From(column, day) => column.first(passage).is_some_and(|value| value >= *day),
            Self::To(column, day) => column.first(passage).is_some_and(|value| value <= *day),
        }
    }
}

/// The terms of the narrowest condition, when so few passages have them that it is quicker to look at these than at those with the words.
pub fn narrowest(conditions: &[Condition], searcher: &Searcher) -> tantivy::Result<Option<Vec<Term>>> {
    let mut best: Option<(u64, Vec<Term>)> = None;
    for condition in conditions {
        let Some(terms) = condition.terms().filter(|terms| terms.len() <= 1_000) else { continue };
        let mut count = 0;
        for term in &terms {
            count += searcher.doc_freq(term)?;
        }
        if best.as_ref().is_none_or(|(least, _)| count < *least) {
            best = Some((count, terms));
        }
    }
    Ok(best.filter(|(count, _)| *count < searcher.num_docs() / 500).map(|(_, terms)| terms))
}
