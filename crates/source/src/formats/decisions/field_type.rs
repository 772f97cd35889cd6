//! The types that a custom field may be declared to have, and the words by which people name them.

/// What the values of a custom field are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FieldType {
    /// Anything.
    Text,
    /// A number, which the declared unit may follow.
    Number,
    /// A date in any spelling that the reader knows.
    Date,
    /// One of the declared values.
    Enum,
    /// Several texts; with declared values, some of those.
    List,
    /// True or false.
    Boolean,
    /// A whole web or mail address.
    Url,
}

impl FieldType {
    /// All types, in the order of the docs.
    pub const ALL: [Self; 7] = [Self::Text, Self::Number, Self::Date, Self::Enum, Self::List, Self::Boolean, Self::Url];

    /// The word in declarations and answers.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Number => "number",
            Self::Date => "date",
            Self::Enum => "enum",
            Self::List => "list",
            Self::Boolean => "boolean",
            Self::Url => "url",
        }
    }

    /// The type that a word names, case aside: its own word, or the one that JSON Schema, form builders and page headers have for it.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Some(match word.trim().to_lowercase().as_str() {
            "text" | "string" | "str" => Self::Text,
            "number" | "integer" | "int" | "float" | "decimal" => Self::Number,
            "date" => Self::Date,
            "enum" | "select" | "choice" => Self::Enum,
            "list" | "array" | "tags" => Self::List,
            "boolean" | "bool" => Self::Boolean,
            "url" | "uri" | "link" => Self::Url,
            _ => return None,
        })
    }

    /// All words as a sentence has them: `text, number, … or url`.
    #[must_use]
    pub fn sentence() -> String {
        let words = Self::ALL.map(Self::as_str);
        words.split_last().map_or_else(String::new, |(last, others)| format!("{} or {last}", others.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::FieldType;

    #[test]
    fn each_type_is_known_by_its_own_word_and_by_those_of_others() {
        for kind in FieldType::ALL {
            assert_eq!(FieldType::parse(kind.as_str()), Some(kind));
        }
        let others = ["String", "integer", "SELECT", "array", "bool", "link"].map(FieldType::parse);
        assert_eq!(others, ["text", "number", "enum", "list", "boolean", "url"].map(FieldType::parse));
        assert_eq!(FieldType::parse("rating"), None);
        assert_eq!(FieldType::sentence(), "text, number, date, enum, list, boolean or url");
    }
}
