//! The model that ships with ibid: one vector per piece of a word, and a text is the sum of its pieces' vectors, brought to length one.
//!
//! Needs no network, no folder and hardly any time: the table stays in the pages of the program, from which only the rows that occur are read.
//! How the table is made is told in `models/README.md`.

mod characters;
mod table;
mod wordpiece;

use std::sync::{Arc, OnceLock};

use self::wordpiece::Splitter;
use crate::{Blend, CosineForm, EmbedError, Model, Role};

pub use table::{Table, TableError};

static BYTES: &[u8] = include_bytes!("../table/built-in.table");

/// The model that ships with ibid, the same one at every call.
///
/// # Panics
/// If this build holds a damaged table, which its tests would have found.
#[must_use]
pub fn built_in() -> Arc<dyn Model> {
    static MODEL: OnceLock<Arc<BuiltIn>> = OnceLock::new();
    Arc::<BuiltIn>::clone(MODEL.get_or_init(|| Arc::new(BuiltIn::new(Table::read(BYTES).expect("the table of this build is whole")))))
}

/// A table of vectors as a model.
#[derive(Debug)]
pub struct BuiltIn {
    table: Table<'static>,
    space: String,
}

impl BuiltIn {
    /// A model over any table; its space is named after the table's hash.
    #[must_use]
    pub fn new(table: Table<'static>) -> Self {
        let hash: String = table.hash().iter().take(6).map(|byte| format!("{byte:02x}")).collect();
        Self { table, space: format!("built-in-{hash}") }
    }

    /// The table that ships with ibid.
    ///
    /// # Errors
    /// A damaged one.
    pub fn shipped() -> Result<Self, TableError> {
        Table::read(BYTES).map(Self::new)
    }

    /// Its table.
    #[must_use]
    pub const fn table(&self) -> &Table<'static> {
        &self.table
    }
}

impl Model for BuiltIn {
    fn space(&self) -> &str {
        &self.space
    }

    fn dimensions(&self) -> usize {
        self.table.dimensions()
    }

    fn is_instant(&self) -> bool {
        true
    }

    fn blend(&self) -> Blend {
        Blend { weight: 0.3, form: CosineForm::OfBest }
    }

    fn embed(&self, _: Role, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let mut splitter = Splitter::new(&self.table);
        Ok(texts.iter().map(|text| self.table.vector(&mut splitter, text)).collect())
    }
}
