//! What sentence-transformers adds to a model: how the vectors of tokens become one, how long a text may be, what is put before it.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::folder::{Folder, shortened};
use crate::EmbedError;
use crate::habits::{self, Prefixes};

/// The longest text in tokens. Passages have half of it; memory and time grow with the square.
const MAX_TOKENS: usize = 512;

/// The longest prefix that is believed, in bytes.
const MAX_PREFIX: usize = 2_000;

/// How the vectors of the tokens become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pooling {
    /// The mean of all tokens.
    Mean,
    /// The vector of the first token.
    First,
}

/// What is done before and after the transformer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Recipe {
    pub pooling: Pooling,
    /// The longest text in tokens, marks included; the rest is cut off.
    pub max_tokens: usize,
    pub prefixes: Prefixes,
}

#[derive(Debug, Deserialize)]
struct Module {
    #[serde(default)]
    path: String,
    r#type: String,
}

#[derive(Debug, Deserialize)]
struct PoolingConfig {
    #[serde(default)]
    pooling_mode_cls_token: bool,
    #[serde(default)]
    pooling_mode_mean_tokens: bool,
    #[serde(default)]
    pooling_mode_max_tokens: bool,
    #[serde(default)]
    pooling_mode_mean_sqrt_len_tokens: bool,
    #[serde(default)]
    pooling_mode_weightedmean_tokens: bool,
    #[serde(default)]
    pooling_mode_lasttoken: bool,
    word_embedding_dimension: Option<u64>,
    include_prompt: Option<bool>,
}

#[derive(Debug, Deserialize)]
struct Lengths {
    max_seq_length: Option<u64>,
}

#[derive(Debug, Deserialize)]
struct Prompts {
    #[serde(default)]
    prompts: BTreeMap<String, Option<String>>,
}

impl Recipe {
    /// Reads what is there; a plain folder of the model hub gets the mean of all tokens.
    pub(super) fn read(folder: &Folder, name: &str, hidden: usize, positions: usize) -> Result<Self, EmbedError> {
        let pooling_folder = pooling_folder(folder)?;
        let config: Option<PoolingConfig> = folder.json(&format!("{pooling_folder}/config.json"))?;
        let pooling = match &config {
            None => Pooling::Mean,
            Some(config) => pooling(folder, config, hidden)?,
        };
        let lengths: Option<Lengths> = folder.json("sentence_bert_config.json")?;
        let stated = lengths.and_then(|lengths| lengths.max_seq_length).map_or(MAX_TOKENS, |stated| usize::try_from(stated).unwrap_or(MAX_TOKENS));
        if stated < 8 {
            return Err(folder.unusable(format!("sentence_bert_config.json says max_seq_length {stated}, which is too short for a text")));
        }
        let prefixes = prefixes(folder, name)?;
        if config.and_then(|config| config.include_prompt) == Some(false) && prefixes != Prefixes::default() {
            return Err(folder.unusable("its prompts must not count in the mean (include_prompt false), which ibid cannot do"));
        }
        Ok(Self { pooling, max_tokens: stated.min(MAX_TOKENS).min(positions), prefixes })
    }
}

/// Where the pooling is described, once it is sure that no module is there that is not understood.
fn pooling_folder(folder: &Folder) -> Result<String, EmbedError> {
    let modules: Option<Vec<Module>> = folder.json("modules.json")?;
    let mut place = "1_Pooling".to_owned();
    for module in modules.unwrap_or_default() {
        match module.r#type.rsplit('.').next().unwrap_or_default() {
            "Transformer" if module.path.is_empty() => {}
            "Transformer" => return Err(folder.unusable(format!("its transformer lies in {:?}; name that folder", shortened(&module.path)))),
            "Normalize" => {}
            "Pooling" => {
                let is_name =
                    |part: &str| !part.is_empty() && part.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-'));
                if !is_name(&module.path) {
                    return Err(folder.unusable(format!("modules.json names the folder {:?}, which is no name", shortened(&module.path))));
                }
                place = module.path;
            }
            other => {
                return Err(
                    folder.unusable(format!("modules.json names a module {:?}, which ibid does not compute; choose another model", shortened(other)))
                );
            }
        }
    }
    Ok(place)
}

fn pooling(folder: &Folder, config: &PoolingConfig, hidden: usize) -> Result<Pooling, EmbedError> {
    if let Some(stated) = config.word_embedding_dimension.filter(|stated| *stated != hidden as u64) {
        return Err(
            folder.unusable(format!("its pooling is for {stated} components and config.json says {hidden}; these files are of different models"))
        );
    }
    let others = [
        config.pooling_mode_max_tokens,
        config.pooling_mode_mean_sqrt_len_tokens,
        config.pooling_mode_weightedmean_tokens,
        config.pooling_mode_lasttoken,
    ];
    match (config.pooling_mode_cls_token, config.pooling_mode_mean_tokens) {
        (true, false) if !others.contains(&true) => Ok(Pooling::First),
        (false, true) if !others.contains(&true) => Ok(Pooling::Mean),
        _ => Err(folder.unusable("its pooling is neither the mean nor the first token, and ibid knows no other; choose another model")),
    }
}

fn prefixes(folder: &Folder, name: &str) -> Result<Prefixes, EmbedError> {
    let prompts: Option<Prompts> = folder.json("config_sentence_transformers.json")?;
    let prompts = prompts.map(|prompts| prompts.prompts).unwrap_or_default();
    let find = |names: &[&str]| names.iter().find_map(|name| prompts.get(*name).cloned().flatten().filter(|prompt| !prompt.is_empty()));
    let (query, passage) = (find(&["query", "retrieval.query"]), find(&["passage", "document", "retrieval.passage", "corpus"]));
    if query.is_none() && passage.is_none() {
        return Ok(habits::prefixes(name));
    }
    let stated = Prefixes { query: query.unwrap_or_default(), passage: passage.unwrap_or_default() };
    if stated.query.len().max(stated.passage.len()) > MAX_PREFIX {
        return Err(folder.unusable(format!("config_sentence_transformers.json has a prompt of more than {MAX_PREFIX} bytes")));
    }
    Ok(stated)
}
