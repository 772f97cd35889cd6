//! Sets: documents, questions and judgments in the plain form of `docs.jsonl`, `queries.jsonl` and `qrels.tsv`.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use document::{Document, Facts, Kind, Scheme, Stamp, Syntax, Uri, outline};
use serde_json::Value;
use store::StoredDocument;

/// A labelled set.
pub struct Set {
    /// Name of its folder.
    pub name: String,
    /// All of it, numbered from 1.
    pub documents: Vec<StoredDocument>,
    /// Whom a document belongs to, in sets of several people, by its number.
    pub people: HashMap<i64, String>,
    /// The questions that have a judgment.
    pub questions: Vec<Question>,
}

/// A question and what answers it.
pub struct Question {
    /// What is asked.
    pub text: String,
    /// Whose documents are searched; all where it says none.
    pub person: Option<String>,
    /// Grades of what answers it.
    pub grades: HashMap<Place, f64>,
}

/// What is judged: a document by its number, or one passage of it, as the set has it.
pub type Place = (i64, Option<usize>);

impl Set {
    /// Reads the set in `folder`. Questions without a relevant document are left out, because no answer to them is right or wrong.
    pub fn read(folder: &Path) -> Result<Self, String> {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut documents = Vec::new();
        let mut people = HashMap::new();
        let mut numbers = HashMap::new();
        for value in lines(&folder.join("docs.jsonl"))? {
            let id = field(&value, "id");
            let number = i64::try_from(documents.len() + 1).unwrap_or(i64::MAX);
            if !field(&value, "person").is_empty() {
                people.insert(number, field(&value, "person").to_owned());
            }
            documents.push(StoredDocument { id: number, collection_id: 1, document: document_of(&name, &value) });
            numbers.insert(id.to_owned(), number);
        }
        let mut judgments: HashMap<String, HashMap<Place, f64>> = HashMap::new();
        for line in text_of(&folder.join("qrels.tsv"))?.lines() {
            let [question, document, grade] = line.split('\t').collect::<Vec<_>>()[..] else {
                return Err(format!("{name}: a judgment reads {line:?}"));
            };
            let grade: f64 = grade.trim().parse().map_err(|_| format!("{name}: a grade reads {grade:?}"))?;
            let number = numbers.get(document).ok_or_else(|| format!("{name}: {document} is judged but no document"))?;
            if grade > 0.0 {
                judgments.entry(question.to_owned()).or_default().insert((*number, None), grade);
            }
        }
        let mut seen = HashSet::new();
        let mut questions = Vec::new();
        for value in lines(&folder.join("queries.jsonl"))? {
            let id = field(&value, "id");
            if let Some(grades) = judgments.get(id).filter(|_| seen.insert(id.to_owned())) {
                let person = Some(field(&value, "person").to_owned()).filter(|person| !person.is_empty());
                questions.push(Question { text: field(&value, "text").to_owned(), person, grades: grades.clone() });
            }
        }
        Ok(Self { name, documents, people, questions })
    }
}

/// A text of a set as the product would read it from a file of that name.
fn document_of(set: &str, value: &Value) -> Document {
    let (id, text) = (field(value, "id"), field(value, "text"));
    let title = Some(field(value, "title")).filter(|title| !title.is_empty()).unwrap_or(id);
    let date = Some(field(value, "date").to_owned()).filter(|date| !date.is_empty());
    plain_document(&format!("{set}/{id}"), &format!("{id}.md"), title, text, date)
}

/// A document without facts of a kind.
pub fn plain_document(name: &str, path: &str, title: &str, text: &str, date: Option<String>) -> Document {
    let (_, body) = document::split_front_matter(text);
    Document {
        uri: Uri::new(Scheme::Note, name),
        kind: Kind::Notes,
        path: path.to_owned(),
        title: title.to_owned(),
        description: String::new(),
        text: text.to_owned(),
        body,
        sections: outline(text, body, Syntax::of_path(path)),
        links: Vec::new(),
        tags: Vec::new(),
        date,
        stamp: Stamp::of(text.as_bytes()),
        facts: Facts::Plain,
    }
}

fn field<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn lines(path: &Path) -> Result<Vec<Value>, String> {
    text_of(path)?.lines().map(|line| serde_json::from_str(line).map_err(|error| format!("{}: {error}", path.display()))).collect()
}

/// A text file of a set.
pub fn text_of(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}
