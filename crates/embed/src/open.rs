//! Which model is wanted, as a configuration says it, and the model itself.

use std::path::PathBuf;
use std::sync::Arc;

use crate::{Blend, EmbedError, Endpoint, EndpointSettings, Model, Transformer};

/// The model that is wanted.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Choice {
    /// The table that ships with ibid.
    #[default]
    BuiltIn,
    /// A transformer of the BERT family in a local folder.
    Folder(FolderSettings),
    /// A server that speaks the embeddings half of OpenAI's interface.
    Endpoint(EndpointSettings),
    /// None: words alone are searched.
    None,
}

/// A folder as sentence-transformers or the model hub lay it out, and what is to be different from what it says itself.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FolderSettings {
    /// The folder with `config.json`, `tokenizer.json` and `model.safetensors`.
    pub path: PathBuf,
    /// Instead of the blend that goes with the model.
    pub blend: Option<Blend>,
    /// Put before what is looked for, instead of what the folder says.
    pub query_prefix: Option<String>,
    /// Put before what may be found, instead of what the folder says.
    pub passage_prefix: Option<String>,
}

/// Opens the model. A folder is read and checked; an endpoint is asked once.
///
/// # Errors
/// [`EmbedError::Unusable`] where files or settings are not what they should be, and for [`Choice::None`], which has no model;
/// [`EmbedError::NoAnswer`] where an endpoint gives none.
pub fn open(choice: &Choice) -> Result<Arc<dyn Model>, EmbedError> {
    match choice {
        Choice::BuiltIn => Ok(crate::built_in()),
        Choice::Folder(settings) => Ok(Arc::new(Transformer::open(settings)?)),
        Choice::Endpoint(settings) => Ok(Arc::new(Endpoint::connect(settings)?)),
        Choice::None => {
            Err(EmbedError::Unusable { model: "none".to_owned(), reason: "the configuration says that words alone are searched".to_owned() })
        }
    }
}
