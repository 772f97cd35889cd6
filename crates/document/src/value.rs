//! Metadata values as a file states them, kept even where nobody knows what they mean.

/// A metadata value. Scalars stay text exactly as written: `0012` is no number and `yes` no boolean until somebody declares it so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// An empty scalar, or the YAML null.
    Empty,
    /// A scalar, unquoted and unescaped but otherwise as written.
    Text(String),
    /// A sequence.
    List(Vec<Value>),
    /// A mapping, in the order of the file.
    Map(Vec<(String, Value)>),
}

impl Value {
    /// The text of a scalar.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Empty | Self::List(_) | Self::Map(_) => None,
        }
    }

    /// All scalars in it, depth first: a list of names, however it was written.
    #[must_use]
    pub fn texts(&self) -> Vec<&str> {
        match self {
            Self::Empty => Vec::new(),
            Self::Text(text) => vec![text],
            Self::List(items) => items.iter().flat_map(Self::texts).collect(),
            // `status: { accepted }` is a mapping from `accepted` to nothing: there the key is the value.
            Self::Map(entries) => {
                entries.iter().flat_map(|(key, value)| if *value == Self::Empty { vec![key.as_str()] } else { value.texts() }).collect()
            }
        }
    }

    /// The value of a key of a mapping, the key compared without case.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Map(entries) => entries.iter().find(|(name, _)| name.eq_ignore_ascii_case(key)).map(|(_, value)| value),
            Self::Empty | Self::Text(_) | Self::List(_) => None,
        }
    }
}
