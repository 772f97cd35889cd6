//! The files that all programs are given, and what they are asked.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

/// A folder of Markdown files.
pub struct Corpus {
    pub files: usize,
    pub bytes: u64,
}

/// Copies the Markdown below a folder into a new one, with its paths and without anything else. Links are not followed.
///
/// # Errors
/// Folders that cannot be read or written, or hold no Markdown.
pub fn gather(from: &Path, to: &Path) -> Result<Corpus> {
    if to.exists() {
        std::fs::remove_dir_all(to).with_context(|| format!("{} cannot be emptied", to.display()))?;
    }
    let mut corpus = Corpus { files: 0, bytes: 0 };
    for path in markdown(from)? {
        let Ok(name) = path.strip_prefix(from) else { continue };
        let copy = to.join(name);
        std::fs::create_dir_all(copy.parent().unwrap_or(to))?;
        corpus.bytes += std::fs::copy(&path, &copy).with_context(|| format!("{} cannot be copied", path.display()))?;
        corpus.files += 1;
    }
    ensure!(corpus.files > 0, "there is no Markdown below {}", from.display());
    Ok(corpus)
}

/// All Markdown files below a folder, in the order of their paths.
pub fn markdown(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).with_context(|| format!("{} cannot be read", folder.display()))? {
            let entry = entry?;
            let (kind, path) = (entry.file_type()?, entry.path());
            if kind.is_dir() && entry.file_name() != ".git" {
                folders.push(path);
            } else if kind.is_file() && path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Searches as a person types them: the first three longer words of a heading, the first of its file that has two; of every n-th file, without repetition.
///
/// # Errors
/// A folder that cannot be read, or has no headings.
pub fn queries(folder: &Path, count: usize) -> Result<Vec<String>> {
    let mut all = Vec::new();
    for path in markdown(folder)? {
        let text = String::from_utf8_lossy(&std::fs::read(&path)?).into_owned();
        if let Some(query) = text.lines().filter(|line| line.starts_with('#')).find_map(query)
            && !all.contains(&query)
        {
            all.push(query);
        }
    }
    ensure!(!all.is_empty(), "no file below {} has a heading to make a query of", folder.display());
    let step = (all.len() / count.max(1)).max(1);
    Ok(all.into_iter().step_by(step).take(count).collect())
}

/// The first three words of at least four letters, in lower case; nothing when there are fewer than two.
pub fn query(heading: &str) -> Option<String> {
    let words = heading.split(|letter: char| !letter.is_alphanumeric()).filter(|word| word.chars().count() > 3).take(3);
    let words: Vec<String> = words.map(str::to_lowercase).collect();
    (words.len() > 1).then(|| words.join(" "))
}

/// A labelled set, laid out as one Markdown file for each of its documents.
pub struct Questions {
    /// What it is called.
    pub name: String,
    /// Where the files are; document number `n`, from 1, is `doc-n.md`.
    pub folder: PathBuf,
    pub documents: usize,
    pub questions: Vec<Question>,
}

/// A question with the documents that answer it.
pub struct Question {
    pub text: String,
    /// Grade above zero by document number.
    pub grades: BTreeMap<usize, u32>,
}

impl Questions {
    /// Reads `docs.jsonl`, `queries.jsonl` and `qrels.tsv` of a folder and writes the documents as files: the title as heading, cut at 120 characters,
    /// a blank line, the text. Questions come in the order of their ids as strings; those that no document answers are left out.
    ///
    /// # Errors
    /// Files that are absent or not of this form.
    pub fn lay_out(set: &Path, folder: &Path) -> Result<Self> {
        if folder.exists() {
            std::fs::remove_dir_all(folder)?;
        }
        std::fs::create_dir_all(folder)?;
        let mut numbers = BTreeMap::new();
        for (number, document) in lines(&set.join("docs.jsonl"))?.iter().enumerate() {
            let (id, text) = (string(document, "id")?, string(document, "text")?);
            let title = document["title"].as_str().filter(|title| !title.is_empty()).unwrap_or(&text);
            let title: String = title.lines().next().unwrap_or_default().chars().take(120).collect();
            std::fs::write(folder.join(format!("doc-{}.md", number + 1)), format!("# {title}\n\n{text}\n"))?;
            numbers.insert(id, number + 1);
        }
        let path = set.join("qrels.tsv");
        let judged = std::fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
        let mut grades: BTreeMap<&str, BTreeMap<usize, u32>> = BTreeMap::new();
        for line in judged.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let [question, document, grade] = fields[..] else { continue };
            if let (Some(number), Ok(grade @ 1..)) = (numbers.get(document), grade.parse::<u32>()) {
                grades.entry(question).or_default().insert(*number, grade);
            }
        }
        let mut asked = BTreeMap::new();
        for question in lines(&set.join("queries.jsonl"))? {
            asked.insert(string(&question, "id")?, string(&question, "text")?);
        }
        let questions = asked.into_iter().filter_map(|(id, text)| Some(Question { text, grades: grades.remove(id.as_str())? })).collect();
        let name = set.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { name, folder: folder.to_path_buf(), documents: numbers.len(), questions })
    }
}

fn lines(path: &Path) -> Result<Vec<Value>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
    text.lines().map(|line| serde_json::from_str(line).with_context(|| format!("{} is not JSON lines", path.display()))).collect()
}

fn string(value: &Value, key: &str) -> Result<String> {
    // Some sets number their documents and questions.
    let found = &value[key];
    found.as_str().map(str::to_owned).or_else(|| found.as_u64().map(|number| number.to_string())).with_context(|| format!("a line has no {key}"))
}
