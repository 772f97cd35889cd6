//! What kind of transformer a folder holds: the numbers of `config.json`, believed only within bounds.

use serde::Deserialize;

use super::folder::Folder;
use crate::EmbedError;

/// Ranges of the numbers that are believed; the largest known models of the family stay far below the upper ends.
const MAX_HIDDEN: u64 = 8_192;
const MAX_LAYERS: u64 = 96;
const MAX_INNER: u64 = 32_768;
const MAX_POSITIONS: u64 = 131_072;
const MAX_VOCABULARY: u64 = 4_000_000;

/// How tensors are named, and where positions begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    /// bert.
    Bert,
    /// roberta, xlm-roberta, camembert: positions begin behind that of padding.
    Roberta,
    /// distilbert: other names, no types of tokens.
    DistilBert,
}

/// What is applied between the two matrices of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Activation {
    /// With the error function.
    Gelu,
    /// Approximated with tanh.
    GeluTanh,
    Relu,
}

/// The shape of a transformer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Architecture {
    pub family: Family,
    /// Components of a token's vector, and of a text's.
    pub hidden: usize,
    pub heads: usize,
    pub layers: usize,
    /// Components between the two matrices of a layer.
    pub inner: usize,
    /// Rows of the table of positions.
    pub positions: usize,
    /// The row of the first token.
    pub first_position: usize,
    pub vocabulary: usize,
    /// Rows of the table of token types; 0 where there is none.
    pub types: usize,
    pub activation: Activation,
    pub epsilon: f64,
    /// Where the model says it comes from; may be empty.
    pub origin: String,
}

#[derive(Debug, Deserialize)]
struct Config {
    model_type: Option<String>,
    #[serde(alias = "dim")]
    hidden_size: Option<u64>,
    #[serde(alias = "n_heads")]
    num_attention_heads: Option<u64>,
    #[serde(alias = "n_layers")]
    num_hidden_layers: Option<u64>,
    #[serde(alias = "hidden_dim")]
    intermediate_size: Option<u64>,
    max_position_embeddings: Option<u64>,
    vocab_size: Option<u64>,
    type_vocab_size: Option<u64>,
    #[serde(alias = "activation")]
    hidden_act: Option<String>,
    layer_norm_eps: Option<f64>,
    pad_token_id: Option<u64>,
    position_embedding_type: Option<String>,
    #[serde(default)]
    is_decoder: bool,
    #[serde(rename = "_name_or_path", default)]
    name_or_path: Option<String>,
}

impl Architecture {
    /// Reads `config.json`.
    pub(super) fn read(folder: &Folder) -> Result<Self, EmbedError> {
        let config: Config = folder.json("config.json")?.ok_or_else(|| folder.missing("config.json"))?;
        let wrong = |what: String| folder.unusable(format!("config.json says {what}"));
        let family = match config.model_type.as_deref() {
            Some("bert") => Family::Bert,
            Some("roberta" | "xlm-roberta" | "camembert") => Family::Roberta,
            Some("distilbert") => Family::DistilBert,
            Some(other) => {
                let other = super::folder::shortened(other);
                return Err(wrong(format!(
                    "model_type {other:?}, which ibid does not read; it reads bert, roberta, xlm-roberta, camembert and distilbert"
                )));
            }
            None => return Err(wrong("no model_type; is it the config.json of a transformer?".to_owned())),
        };
        let number = |name: &str, value: Option<u64>, highest: u64| match value {
            None => Err(wrong(format!("no {name}"))),
            Some(value) if value == 0 || value > highest => Err(wrong(format!("{name} {value}, and only 1 to {highest} is believed"))),
            Some(value) => Ok(value as usize),
        };
        let hidden = number("hidden_size", config.hidden_size, MAX_HIDDEN)?;
        let heads = number("num_attention_heads", config.num_attention_heads, MAX_HIDDEN)?;
        if !hidden.is_multiple_of(heads) {
            return Err(wrong(format!("hidden_size {hidden} and num_attention_heads {heads}, and the one cannot be divided by the other")));
        }
        if config.position_embedding_type.as_deref().is_some_and(|kind| kind != "absolute") || config.is_decoder {
            return Err(wrong("that positions are relative or that it is a decoder; ibid reads encoders with absolute positions".to_owned()));
        }
        let positions = number("max_position_embeddings", config.max_position_embeddings, MAX_POSITIONS)?;
        let first_position = match family {
            Family::Roberta => number("pad_token_id", Some(config.pad_token_id.unwrap_or(1).saturating_add(1)), MAX_POSITIONS)?,
            Family::Bert | Family::DistilBert => 0,
        };
        if first_position + 8 > positions {
            return Err(wrong(format!("max_position_embeddings {positions}, which is too few for a text")));
        }
        let types = match family {
            Family::DistilBert => 0,
            // Models of which this was taken out have 0.
            _ => config.type_vocab_size.map_or(Ok(2), |types| if types == 0 { Ok(0) } else { number("type_vocab_size", Some(types), 1_024) })?,
        };
        let epsilon = config.layer_norm_eps.unwrap_or(1e-12);
        if !(0.0..=0.1).contains(&epsilon) {
            return Err(wrong(format!("layer_norm_eps {epsilon}, and only 0 to 0.1 is believed")));
        }
        let activation = match config.hidden_act.as_deref() {
            None | Some("gelu") => Activation::Gelu,
            Some("gelu_new" | "gelu_pytorch_tanh" | "gelu_fast") => Activation::GeluTanh,
            Some("relu") => Activation::Relu,
            Some(other) => return Err(wrong(format!("hidden_act {:?}, which ibid does not know", super::folder::shortened(other)))),
        };
        Ok(Self {
            family,
            hidden,
            heads,
            layers: number("num_hidden_layers", config.num_hidden_layers, MAX_LAYERS)?,
            inner: number("intermediate_size", config.intermediate_size, MAX_INNER)?,
            positions,
            first_position,
            vocabulary: number("vocab_size", config.vocab_size, MAX_VOCABULARY)?,
            types,
            activation,
            epsilon,
            origin: config.name_or_path.unwrap_or_default(),
        })
    }
}
