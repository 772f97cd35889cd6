//! What goes with a model by its name, where nothing says otherwise: prefixes of questions and passages, and how it is blended with words.

use crate::{Blend, CosineForm};

/// The instruction of the English bge and mxbai models, and of snowflake-arctic: their cards say to put it before questions only.
const REPRESENT: &str = "Represent this sentence for searching relevant passages: ";
/// The same of the Chinese bge models.
const REPRESENT_CHINESE: &str = "为这个句子生成表示以用于检索相关文章：";

/// Texts put before what is embedded.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Prefixes {
    /// Before what somebody looks for.
    pub query: String,
    /// Before what may be found.
    pub passage: String,
}

impl Prefixes {
    fn new(query: &str, passage: &str) -> Self {
        Self { query: query.to_owned(), passage: passage.to_owned() }
    }

    /// The text with its prefix.
    pub(crate) fn before(&self, role: crate::Role, text: &str) -> String {
        let prefix = match role {
            crate::Role::Query => &self.query,
            crate::Role::Passage => &self.passage,
        };
        format!("{prefix}{text}")
    }
}

fn is_part(name: &str, wanted: &str) -> bool {
    name.split(|character: char| !character.is_ascii_alphanumeric()).any(|part| part.eq_ignore_ascii_case(wanted))
}

/// The prefixes that the makers of a model of that name ask for.
pub(crate) fn prefixes(name: &str) -> Prefixes {
    if is_part(name, "e5") && !is_part(name, "instruct") {
        return Prefixes::new("query: ", "passage: ");
    }
    if is_part(name, "nomic") {
        return Prefixes::new("search_query: ", "search_document: ");
    }
    if is_part(name, "bge") && is_part(name, "zh") {
        return Prefixes::new(REPRESENT_CHINESE, "");
    }
    let is_english_bge = is_part(name, "bge") && !is_part(name, "m3") && !is_part(name, "multilingual");
    if is_english_bge || is_part(name, "mxbai") || (is_part(name, "arctic") && !is_part(name, "v2")) {
        return Prefixes::new(REPRESENT, "");
    }
    Prefixes::default()
}

/// The blend of a model: e5's cosines are all high and close, so that the range decides.
pub(crate) fn blend(name: &str, prefixes: &Prefixes) -> Blend {
    if is_part(name, "e5") || *prefixes == Prefixes::new("query: ", "passage: ") {
        Blend { weight: 0.65, form: CosineForm::OfRange }
    } else {
        Blend { weight: 0.5, form: CosineForm::OfBest }
    }
}

/// Letters, digits, `.`, `_` and `-` of a name, at most 48 of them: fit for a file name.
pub(crate) fn file_name(name: &str) -> String {
    let kept: String = name
        .chars()
        .map(|character| if character.is_ascii_alphanumeric() || matches!(character, '.' | '_' | '-') { character } else { '-' })
        .collect();
    let kept: String = kept.trim_matches(['.', '-']).chars().take(48).collect();
    if kept.is_empty() { "model".to_owned() } else { kept }
}

/// Makes the length one. What has no length, or is not finite, becomes zeros: near to nothing.
pub(crate) fn normalise(vector: &mut [f32]) {
    let length = vector.iter().map(|component| f64::from(*component).powi(2)).sum::<f64>().sqrt();
    if !length.is_finite() || length < 1e-12 {
        vector.fill(0.0);
        return;
    }
    for component in vector {
        *component = (f64::from(*component) / length) as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::{blend, file_name, normalise, prefixes};
    use crate::CosineForm;

    #[test]
    fn prefixes_go_with_the_family_and_not_with_a_name_that_only_holds_its_letters() {
        assert_eq!(prefixes("intfloat/multilingual-e5-small").passage, "passage: ");
        assert_eq!(prefixes("e5-mistral-7b-instruct").passage, "");
        assert_eq!(prefixes("all-MiniLM-L6-v2").query, "");
        assert_eq!(prefixes("BAAI/bge-small-en-v1.5").query, super::REPRESENT);
        assert_eq!(prefixes("bge-base-zh").query, super::REPRESENT_CHINESE);
        assert_eq!(prefixes("bge-m3").query, "");
        assert_eq!(prefixes("nomic-embed-text:latest").query, "search_query: ");
        assert_eq!(prefixes("made5-model").query, "");
    }

    #[test]
    fn e5_is_blended_by_range() {
        assert_eq!(blend("e5-base-v2", &prefixes("e5-base-v2")).form, CosineForm::OfRange);
        assert_eq!(blend("renamed", &prefixes("e5-base-v2")).form, CosineForm::OfRange);
        assert_eq!(blend("bge-m3", &prefixes("bge-m3")).form, CosineForm::OfBest);
    }

    #[test]
    fn a_name_fits_a_file_system() {
        assert_eq!(file_name("intfloat/e5:latest"), "intfloat-e5-latest");
        assert_eq!(file_name("../../x"), "x");
        assert_eq!(file_name("模型"), "model");
        assert_eq!(file_name(&"a".repeat(500)).len(), 48);
    }

    #[test]
    fn what_is_not_finite_becomes_zeros() {
        for bad in [[f32::NAN, 1.0], [f32::INFINITY, 1.0], [0.0, 0.0]] {
            let mut vector = bad;
            normalise(&mut vector);
            assert_eq!(vector, [0.0, 0.0]);
        }
        let mut vector = [3e30_f32, 4e30];
        normalise(&mut vector);
        assert!((vector[0] - 0.6).abs() < 1e-6 && (vector[1] - 0.8).abs() < 1e-6);
    }
}
