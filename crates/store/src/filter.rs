//! Which records a question means, as a condition.

use document::{RelationKind, Severity};

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
    /// A metadata key and values, one of which any scalar in that entry must have.
    pub field: Option<(String, Vec<String>)>,
    /// Any of these status words.
    pub statuses: Option<Vec<String>>,
    /// Of the collections named, only the status words beside them; of others none.
    pub statuses_of: Option<Vec<(Vec<i64>, Vec<String>)>>,
    /// Any of these documents.
    pub document_ids: Option<Vec<i64>>,
    /// Dated on that day (`YYYY-MM-DD`, `YYYY-MM`, `YYYY`) or later. A record that states only a year or a month matches if one of its days does, as
    /// in the index. Undated records do not match.
    pub date_from: Option<String>,
    /// Dated on that day or earlier; `2024-05` takes in all of May. Undated records do not match.
    pub date_to: Option<String>,
    /// Stating a relation of this kind to anything.
    pub relation: Option<RelationKind>,
    /// Whose file has a problem of this code.
    pub problem_code: Option<String>,
    /// Whose file has a problem that is so bad.
    pub problem_severity: Option<Severity>,
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
        let counted = Self {
            project: self.project.clone(),
            record_type: self.record_type.clone(),
            status: self.status.clone(),
            statuses: self.statuses.clone(),
            ..Self::default()
        };
        *self == counted
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
        if let Some(groups) = &self.statuses_of {
            let mut clauses = Vec::new();
            for (collections, statuses) in groups {
                condition.values.push(Bound::Ids(collections.clone()));
                let collections_number = condition.values.len();
                condition.values.push(Bound::List(statuses.iter().map(|status| key(status)).collect()));
                clauses.push(format!("(r.collection_id IN @ids(${collections_number}) AND r.status_key IN @list(${}))", condition.values.len()));
            }
            let any = if clauses.is_empty() { "1 = 0".to_owned() } else { clauses.join(" OR ") };
            condition.text.push_str(&format!(" AND ({any})"));
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
        if let Some((name, values)) = &self.field {
            condition.values.push(Bound::Text(key(name)));
            let name_number = condition.values.len();
            let values = Bound::List(values.iter().map(|value| key(value)).collect());
            condition.and(&format!("{bears} l.label = 'field' AND l.name = ${name_number} AND l.value_key IN @list(?))"), values);
        }
        if let Some(kind) = self.relation {
            condition.and(&format!("{bears} l.label = 'relation' AND l.name = '' AND l.value_key = ?)"), Bound::Text(kind.as_str().to_owned()));
        }
        for (column, value) in [("code", self.problem_code.as_deref()), ("severity", self.problem_severity.map(Severity::as_str))] {
            if let Some(value) = value {
                // A problem of a sidecar is one of the record beside it.
                let has = "r.document_id IN (SELECT d.id FROM problems p JOIN documents d ON d.collection_id = p.collection_id AND d.path";
                let clause = format!("({has} = p.path WHERE p.{column} = ?) OR {has} = p.unit WHERE p.{column} = ?))");
                condition.and(&clause, Bound::Text(value.to_owned()));
            }
        }
        if let Some(ids) = &self.document_ids {
            condition.and("r.document_id IN @ids(?)", Bound::Ids(ids.clone()));
        }
        if let Some(from) = &self.date_from {
            // A year is the beginning of all its days. `~` stands behind every character of a date.
            let year: String = from.trim().chars().take(4).collect();
            condition.and("r.date_key >= ?", Bound::Text(year));
            condition.and("r.date_key || '~' >= ? AND r.date_key <> ''", Bound::Text(from.trim().to_owned()));
        }
        if let Some(to) = &self.date_to {
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
