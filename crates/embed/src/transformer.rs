//! A transformer of the BERT family in a local folder, as sentence-transformers or the model hub lay it out: bert, roberta, xlm-roberta, distilbert.

mod architecture;
mod encoder;
pub(crate) mod folder;
mod recipe;
mod tokens;
mod weights;

use sha2::{Digest as _, Sha256};

use crate::habits::{self, Prefixes};
use crate::{Blend, EmbedError, FolderSettings, Model, Role};
use architecture::Architecture;
use encoder::Encoder;
use folder::Folder;
use recipe::{Pooling, Recipe};
use tokens::Tokens;
use weights::Weights;

/// Tokens that are computed together, filling included. More do not make it faster, and take memory.
const BATCH_TOKENS: usize = 2_048;

/// A transformer that was read and checked.
#[derive(Debug)]
pub struct Transformer {
    name: String,
    space: String,
    encoder: Encoder,
    tokens: Tokens,
    pooling: Pooling,
    prefixes: Prefixes,
    dimensions: usize,
    blend: Blend,
}

impl Transformer {
    /// Reads a folder: all files are checked against each other before anything is computed.
    ///
    /// # Errors
    /// [`EmbedError::Unusable`] with the folder, what is wrong in it, and the way on.
    pub fn open(settings: &FolderSettings) -> Result<Self, EmbedError> {
        let folder = Folder::open(&settings.path)?;
        let shape = Architecture::read(&folder)?;
        let name = folder.name();
        let known_as = format!("{name} {}", shape.origin);
        let recipe = Recipe::read(&folder, &known_as, shape.hidden, shape.positions - shape.first_position)?;
        let tokens = Tokens::open(&folder, recipe.max_tokens, shape.vocabulary)?;
        let mut weights = Weights::open(&folder)?;
        let encoder = Encoder::read(&shape, recipe.max_tokens, &mut weights, &|reason| folder.unusable(reason))?;
        let mut prefixes = recipe.prefixes.clone();
        let blend = habits::blend(&known_as, &prefixes);
        prefixes.query = settings.query_prefix.clone().unwrap_or(prefixes.query);
        prefixes.passage = settings.passage_prefix.clone().unwrap_or(prefixes.passage);
        let what = format!("{shape:?} {:?} {} {prefixes:?}", recipe.pooling, recipe.max_tokens);
        let hash = Sha256::new().chain_update(weights.finish()).chain_update(&tokens.hash).chain_update(what).finalize();
        let short: String = hash.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
        Ok(Self {
            space: format!("{}-{short}", habits::file_name(&name)),
            name,
            encoder,
            tokens,
            pooling: recipe.pooling,
            prefixes,
            dimensions: shape.hidden,
            blend: settings.blend.unwrap_or(blend),
        })
    }

    /// Vectors of texts that are about equally long.
    fn batch(&self, texts: &[&[u32]]) -> candle_core::Result<Vec<Vec<f32>>> {
        let states = self.encoder.forward(texts)?;
        let mut vectors = Vec::with_capacity(texts.len());
        for (index, ids) in texts.iter().enumerate() {
            let state = states.get(index)?;
            let pooled = match self.pooling {
                Pooling::First => state.get(0)?,
                Pooling::Mean => state.narrow(0, 0, ids.len())?.mean(0)?,
            };
            let mut vector = pooled.to_vec1::<f32>()?;
            habits::normalise(&mut vector);
            vectors.push(vector);
        }
        Ok(vectors)
    }
}

impl Model for Transformer {
    fn space(&self) -> &str {
        &self.space
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn is_instant(&self) -> bool {
        false
    }

    fn blend(&self) -> Blend {
        self.blend
    }

    fn embed(&self, role: Role, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        // A text that is empty stays so: a prefix alone means nothing.
        let encode = |text: &&str| if text.trim().is_empty() { None } else { self.tokens.encode(&self.prefixes.before(role, text)) };
        let encoded: Vec<Option<Vec<u32>>> = texts.iter().map(encode).collect();
        let mut order: Vec<(usize, &[u32])> = encoded.iter().enumerate().filter_map(|(index, ids)| ids.as_deref().map(|ids| (index, ids))).collect();
        order.sort_by_key(|(_, ids)| std::cmp::Reverse(ids.len()));
        let mut vectors = vec![Vec::new(); texts.len()];
        let mut rest = order.as_slice();
        while let Some((_, longest)) = rest.first() {
            let (now, later) = rest.split_at((BATCH_TOKENS / longest.len().max(1)).clamp(1, rest.len()));
            let batch: Vec<&[u32]> = now.iter().map(|(_, ids)| *ids).collect();
            let made = self.batch(&batch).map_err(|error| EmbedError::NoAnswer {
                model: self.name.clone(),
                reason: format!("it could not be computed: {}", folder::shortened(&error.to_string())),
            })?;
            for ((index, _), vector) in now.iter().zip(made) {
                vectors[*index] = vector;
            }
            rest = later;
        }
        for vector in &mut vectors {
            vector.resize(self.dimensions, 0.0);
        }
        Ok(vectors)
    }
}
