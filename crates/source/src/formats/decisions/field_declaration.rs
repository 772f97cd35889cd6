//! What a project or a library declares of a metadata field: its name, type, unit and allowed values, and what is wrong with a declaration.

use super::{FieldType, folded_key, is_own_key};

/// A field that records may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldDeclaration {
    /// Key in the records' front matter.
    pub name: String,
    /// Name for people.
    pub label: Option<String>,
    /// Type as written; where none is, `enum` with allowed values and else `text`. [`Self::kind`] says what it is taken for.
    pub field_type: String,
    /// Allowed values, where the field is limited to some.
    pub values: Vec<String>,
    /// Unit of its values.
    pub unit: Option<String>,
    /// What it means.
    pub description: Option<String>,
}

/// What is wrong with a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeclarationFault {
    /// The name is a key of which ibid reads something else, so that the field would never be one; the declaration does not count.
    NameTaken,
    /// The type is none; the field is taken for text.
    UnknownType,
    /// An enum that allows nothing; any value is taken.
    NoValues,
}

impl FieldDeclaration {
    /// The type as written, or the one that follows from the values where none is.
    #[must_use]
    pub fn type_or_default(written: Option<String>, values: &[String]) -> String {
        written.unwrap_or_else(|| if values.is_empty() { FieldType::Text } else { FieldType::Enum }.as_str().to_owned())
    }

    /// Its type; text where the word names none.
    #[must_use]
    pub fn kind(&self) -> FieldType {
        FieldType::parse(&self.field_type).unwrap_or(FieldType::Text)
    }

    /// Whether it declares the field of that name, in any spelling of it: `pci_scope`, `pci-scope` and `pciScope` are one.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        folded_key(&self.name) == folded_key(name)
    }

    /// What is wrong with it, the gravest first.
    #[must_use]
    pub fn fault(&self) -> Option<DeclarationFault> {
        if is_own_key(&self.name) {
            Some(DeclarationFault::NameTaken)
        } else if FieldType::parse(&self.field_type).is_none() {
            Some(DeclarationFault::UnknownType)
        } else if self.kind() == FieldType::Enum && self.values.is_empty() {
            Some(DeclarationFault::NoValues)
        } else {
            None
        }
    }
}

impl DeclarationFault {
    /// The code of the problem.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::NameTaken => "field-name-taken",
            Self::UnknownType => "unknown-field-type",
            Self::NoValues => "enum-without-values",
        }
    }

    /// A sentence about the declaration that has the fault.
    #[must_use]
    pub fn message(self, declared: &FieldDeclaration) -> String {
        let FieldDeclaration { name, field_type, .. } = declared;
        match self {
            Self::NameTaken => format!("The field \"{name}\" has the name of something that ibid reads itself."),
            Self::UnknownType => format!("The field \"{name}\" has the type \"{field_type}\", which is none."),
            Self::NoValues => format!("The field \"{name}\" is an enum without values."),
        }
    }

    /// The way on.
    #[must_use]
    pub fn hint(self) -> String {
        match self {
            Self::NameTaken => "Declare it under another name.".to_owned(),
            Self::UnknownType => format!("The types are {}.", FieldType::sentence()),
            Self::NoValues => "Say which values it allows: values: [low, high].".to_owned(),
        }
    }
}
