//! Which records a question means, as a condition.

use crate::database::Sql;
use crate::fold::key;

/// Which records. All that is stated must hold; names are compared without case. Drafts never match.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RecordFilter {
    /// Project.
    pub project: Option<String>,
    /// Type such as `adr`.
    pub record_type: Option<String>,
    /// Status word.
    pub status: Option<String>,
    /// A tag.
    pub tag: Option<String>,
    /// An author.
    pub author: Option<String>,
    /// A decider.
    pub decider: Option<String>,
    /// A metadata key and a value, which any scalar in that entry may have.
    pub field: Option<(String, String)>,
    /// Any of these status words.
    pub statuses: Option<Vec<String>>,
    /// Any of these documents.
    pub document_ids: Option<Vec<i64>>,
    /// Dated on that day or later. Dates are compared as text: a record of `2024` lies before `2024-01-01`. Undated records do not match.
    pub date_from: Option<String>,
    /// Dated on that day or earlier; `2024-05` takes in all of May. Undated records do not match.
    pub date_to: Option<String>,
    /// Only records with a periodic review.
    pub has_review: bool,
    /// Only records with reviewers.
    pub has_reviewers: bool,
    /// Only records that say that another one takes their place as a whole, or only those that do not.
    pub is_superseded: Option<bool>,
}

/// A condition over `records r` or `record_counts r`, with the values for its placeholders.
pub(crate) struct Condition {
    pub(crate) text: String,
    values: Vec<Bound>,
}

enum Bound {
    Text(String),
    List(Vec<String>),
    Ids(Vec<i64>),
}

impl Condition {
    fn new() -> Self {
        Self { text: String::new(), values: Vec::new() }
    }

    /// Adds a clause in which `?` stands for the next placeholder.
    fn and(&mut self, clause: &str, value: Bound) {
        self.values.push(value);
        self.text.push_str(" AND ");
        self.text.push_str(&clause.replace('?', &format!("${}", self.values.len())));
    }

    pub(crate) fn count(&self) -> usize {
        self.values.len()
    }

    pub(crate) fn bind<'a>(&'a self, sql: Sql<'a>) -> Sql<'a> {
        self.values.iter().fold(sql, |sql, value| match value {
            Bound::Text(text) => sql.text(text),
            Bound::List(texts) => sql.list(texts),
            Bound::Ids(ids) => sql.ids(ids.iter().copied()),
        })
    }
}

impl RecordFilter {
    /// Whether the kept totals of projects, types and status words answer how many there are.
    pub(crate) fn is_counted(&self) -> bool {
        let Self { project: _, record_type: _, status: _, statuses: _, tag, author, decider, field, document_ids, date_from, date_to, .. } = self;
        let texts = [tag, author, decider, date_from, date_to];
        texts.iter().all(|text| text.is_none())
            && field.is_none()
            && document_ids.is_none()
            && !self.has_review
            && !self.has_reviewers
            && self.is_superseded.is_none()
    }

    pub(crate) fn condition(&self) -> Condition {
        let mut condition = Condition::new();
        let equal = [("r.project_key", &self.project), ("r.type_key", &self.record_type), ("r.status_key", &self.status)];
        for (column, value) in equal {
            if let Some(value) = value {
                condition.and(&format!("{column} = ?"), Bound::Text(key(value)));
            }
        }
        if let Some(statuses) = &self.statuses {
            condition.and("r.status_key IN @list(?)", Bound::List(statuses.iter().map(|status| key(status)).collect()));
        }
        // Few records are asked one by one whether they bear a word; otherwise the word's documents are gathered first.
        let bears = if self.project.is_some() || self.document_ids.is_some() {
            "EXISTS (SELECT 1 FROM labels l WHERE l.document_id = r.document_id AND"
        } else {
            "r.document_id IN (SELECT l.document_id FROM labels l WHERE"
        };
        for (label, value) in [("tag", &self.tag), ("author", &self.author), ("decider", &self.decider)] {
            if let Some(value) = value {
                condition.and(&format!("{bears} l.label = '{label}' AND l.name = '' AND l.value_key = ?)"), Bound::Text(key(value)));
            }
        }
        if let Some((name, value)) = &self.field {
            condition.values.push(Bound::Text(key(name)));
            let name_number = condition.values.len();
            condition.and(&format!("{bears} l.label = 'field' AND l.name = ${name_number} AND l.value_key = ?)"), Bound::Text(key(value)));
        }
        if let Some(ids) = &self.document_ids {
            condition.and("r.document_id IN @ids(?)", Bound::Ids(ids.clone()));
        }
        if let Some(from) = &self.date_from {
            condition.and("r.date_key >= ? AND r.date_key <> ''", Bound::Text(from.trim().to_owned()));
        }
        if let Some(to) = &self.date_to {
            // `~` stands behind every character of a date.
            condition.and("r.date_key <= ? AND r.date_key <> ''", Bound::Text(format!("{}~", to.trim())));
        }
        if self.has_review {
            condition.text.push_str(" AND r.has_review = 1");
        }
        if self.has_reviewers {
            condition.text.push_str(" AND r.has_reviewers = 1");
        }
        match self.is_superseded {
            Some(true) => condition.text.push_str(" AND r.is_superseded = 1"),
            Some(false) => condition.text.push_str(" AND r.is_superseded = 0"),
            None => {}
        }
        condition
    }
}
