//! The fields of a passage in the index, and how a document becomes passages of it.

use std::sync::LazyLock;

use document::{Kind, Span};
use tantivy::schema::{FAST, Field, INDEXED, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::{TextAnalyzer, TokenizerManager};
use tantivy::{TantivyDocument, Term};

use crate::date::day_range;
use crate::fold::fold_name;
use crate::tokenize::WordTokenizer;

/// Changes whenever an index written before can no longer be read with the same meaning: fields, folding, stems, scanning.
pub const VERSION: u32 = 1;

const TOKENIZER: &str = "ibid_words";
/// How often the title counts among the words of a passage. Headings, tags and people count once.
const TITLE_WEIGHT: usize = 2;

/// A document for the index.
#[derive(Debug, Clone)]
pub struct IndexDocument {
    /// Its id in the store.
    pub document_id: i64,
    /// Its collection's id in the store.
    pub collection_id: i64,
    /// Kind of its collection.
    pub kind: Kind,
    /// Its uri; the words of its last segment are found as words of the title.
    pub uri: String,
    /// Title.
    pub title: String,
    /// Project, empty where it has none.
    pub project: String,
    /// Record type (`adr`, `rfc`), empty where it has none.
    pub record_type: String,
    /// Status, empty where it has none.
    pub status: String,
    /// `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or RFC 3339. A text that is no date counts as none.
    pub date: Option<String>,
    /// Tags.
    pub tags: Vec<String>,
    /// Authors, senders, reviewers: names or handles.
    pub people: Vec<String>,
    /// Its passages in order.
    pub passages: Vec<IndexPassage>,
}

/// A passage for the index.
#[derive(Debug, Clone)]
pub struct IndexPassage {
    /// Index into the document's sections.
    pub section_index: usize,
    /// Where in the document's text.
    pub span: Span,
    /// Headings above it, outermost first, in one text.
    pub headings: String,
    /// Its text.
    pub text: String,
}

/// The fields by name and handle. All words are one field, so that a word's weight is saturated over title, headings and text together (as in
/// BM25F) and a query needs one list of postings per word.
pub struct Fields {
    pub schema: Schema,
    pub words: Field,
    pub title: Field,
    pub headings: Field,
    pub document: Field,
    pub collection: Field,
    pub kind: Field,
    pub passage: Field,
    pub section: Field,
    pub span_start: Field,
    pub span_end: Field,
    pub date_first: Field,
    pub date_last: Field,
    pub project: Field,
    pub record_type: Field,
    pub status: Field,
    pub tag: Field,
    pub person: Field,
}

/// The one schema.
pub static FIELDS: LazyLock<Fields> = LazyLock::new(|| {
    let mut builder = Schema::builder();
    let text = |with_norms: bool| {
        TextOptions::default().set_indexing_options(
            TextFieldIndexing::default()
                .set_tokenizer(TOKENIZER)
                .set_index_option(IndexRecordOption::WithFreqsAndPositions)
                .set_fieldnorms(with_norms),
        )
    };
    let keyword = || {
        TextOptions::default()
            .set_fast("raw")
            .set_indexing_options(TextFieldIndexing::default().set_tokenizer("raw").set_index_option(IndexRecordOption::Basic).set_fieldnorms(false))
    };
    let number = || NumericOptions::from(FAST);
    let indexed_number = || NumericOptions::from(FAST) | INDEXED;
    Fields {
        words: builder.add_text_field("words", text(true)),
        title: builder.add_text_field("title", text(false)),
        headings: builder.add_text_field("headings", text(false)),
        document: builder.add_i64_field("document", indexed_number()),
        collection: builder.add_i64_field("collection", indexed_number()),
        kind: builder.add_i64_field("kind", indexed_number()),
        passage: builder.add_i64_field("passage", number()),
        section: builder.add_i64_field("section", number()),
        span_start: builder.add_i64_field("span_start", number()),
        span_end: builder.add_i64_field("span_end", number()),
        date_first: builder.add_i64_field("date_first", number()),
        date_last: builder.add_i64_field("date_last", number()),
        project: builder.add_text_field("project", keyword()),
        record_type: builder.add_text_field("record_type", keyword()),
        status: builder.add_text_field("status", keyword()),
        tag: builder.add_text_field("tag", keyword()),
        person: builder.add_text_field("person", keyword()),
        schema: builder.build(),
    }
});

/// The tokenizers that the schema names.
pub fn tokenizers() -> TokenizerManager {
    let manager = TokenizerManager::default();
    manager.register(TOKENIZER, TextAnalyzer::builder(WordTokenizer::default()).build());
    manager
}

/// The number of a kind in the index.
pub const fn kind_number(kind: Kind) -> i64 {
    kind as i64
}

/// The term that all passages of a document share.
pub fn document_term(document_id: i64) -> Term {
    Term::from_field_i64(FIELDS.document, document_id)
}

/// The passages of a document as the search library takes them. A document without passages is still found by title and facts.
pub fn passages(document: &IndexDocument) -> Vec<TantivyDocument> {
    let shared = shared_fields(document);
    let empty = [IndexPassage { section_index: 0, span: Span::default(), headings: String::new(), text: String::new() }];
    let passages = if document.passages.is_empty() { &empty[..] } else { &document.passages };
    let labels = labels(document);
    passages
        .iter()
        .enumerate()
        .map(|(index, passage)| {
            let fields = &*FIELDS;
            let mut out = shared.clone();
            out.add_i64(fields.passage, number(index));
            out.add_i64(fields.section, number(passage.section_index));
            out.add_i64(fields.span_start, number(passage.span.start));
            out.add_i64(fields.span_end, number(passage.span.end));
            for _ in 0..TITLE_WEIGHT {
                out.add_text(fields.words, &document.title);
            }
            if !passage.headings.is_empty() && passage.headings != document.title {
                out.add_text(fields.words, &passage.headings);
                out.add_text(fields.headings, &passage.headings);
            }
            if !labels.is_empty() {
                out.add_text(fields.words, &labels);
            }
            out.add_text(fields.words, &passage.text);
            out
        })
        .collect()
}

/// Words of a document that stand neither in its title nor in its text: tags, people, the name in its uri.
fn labels(document: &IndexDocument) -> String {
    let mut labels = String::new();
    let name = document.uri.rsplit('/').next().unwrap_or_default();
    for label in document.tags.iter().chain(&document.people).map(String::as_str).chain([name]) {
        if !label.is_empty() {
            labels.push_str(label);
            labels.push('\n');
        }
    }
    labels
}

fn shared_fields(document: &IndexDocument) -> TantivyDocument {
    let fields = &*FIELDS;
    let mut out = TantivyDocument::default();
    out.add_i64(fields.document, document.document_id);
    out.add_i64(fields.collection, document.collection_id);
    out.add_i64(fields.kind, kind_number(document.kind));
    out.add_text(fields.title, &document.title);
    if let Some((first, last)) = document.date.as_deref().and_then(day_range) {
        out.add_i64(fields.date_first, first);
        out.add_i64(fields.date_last, last);
    }
    for (field, value) in [(fields.project, &document.project), (fields.record_type, &document.record_type), (fields.status, &document.status)] {
        if !value.is_empty() {
            out.add_text(field, fold_name(value));
        }
    }
    for value in tag_values(&document.tags) {
        out.add_text(fields.tag, value);
    }
    for value in person_values(&document.people) {
        out.add_text(fields.person, value);
    }
    out
}

/// A tag `a/b` is also a tag `a`.
fn tag_values(tags: &[String]) -> Vec<String> {
    let mut values = Vec::new();
    for tag in tags {
        let folded = fold_name(tag.trim().trim_start_matches('#'));
        let ends = folded.match_indices('/').map(|(at, _)| at).chain([folded.len()]);
        for end in ends {
            add_once(&mut values, folded[..end].to_owned());
        }
    }
    values
}

/// A person is found by the whole name and by each word of it.
fn person_values(people: &[String]) -> Vec<String> {
    let mut values = Vec::new();
    for person in people {
        let folded = fold_name(person.trim().trim_start_matches('@'));
        for word in folded.split(' ') {
            add_once(&mut values, word.to_owned());
        }
        add_once(&mut values, folded);
    }
    values
}

fn add_once(values: &mut Vec<String>, value: String) {
    if !value.is_empty() && !values.contains(&value) {
        values.push(value);
    }
}

fn number(value: usize) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
