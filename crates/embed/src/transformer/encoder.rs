//! The transformer itself: embeddings, layers of attention and of two matrices, as Devlin et al. 2018 describe BERT.

use candle_core::{D, Device, IndexOp as _, Result, Tensor};
use candle_nn::ops::softmax_last_dim;
use candle_nn::{LayerNorm, Linear, Module as _};

use super::architecture::{Activation, Architecture, Family};
use super::weights::Weights;
use crate::EmbedError;

/// All matrices of a model.
#[derive(Debug)]
pub(super) struct Encoder {
    words: Tensor,
    /// Rows for the places of a text, with the row of the first token type added.
    places: Tensor,
    norm: LayerNorm,
    layers: Vec<Layer>,
    heads: usize,
    activation: Activation,
}

#[derive(Debug)]
struct Layer {
    /// Query, key and value side by side; the query is already divided by the root of a head's size.
    attention: Linear,
    attention_out: Linear,
    attention_norm: LayerNorm,
    inner: Linear,
    outer: Linear,
    norm: LayerNorm,
}

/// The names of a layer's parts.
struct Names {
    query: &'static str,
    key: &'static str,
    value: &'static str,
    attention_out: &'static str,
    attention_norm: &'static str,
    inner: &'static str,
    outer: &'static str,
    norm: &'static str,
}

const BERT: Names = Names {
    query: "attention.self.query",
    key: "attention.self.key",
    value: "attention.self.value",
    attention_out: "attention.output.dense",
    attention_norm: "attention.output.LayerNorm",
    inner: "intermediate.dense",
    outer: "output.dense",
    norm: "output.LayerNorm",
};

const DISTIL_BERT: Names = Names {
    query: "attention.q_lin",
    key: "attention.k_lin",
    value: "attention.v_lin",
    attention_out: "attention.out_lin",
    attention_norm: "sa_layer_norm",
    inner: "ffn.lin1",
    outer: "ffn.lin2",
    norm: "output_layer_norm",
};

struct Reader<'weights, 'folder> {
    weights: &'weights mut Weights<'folder>,
    epsilon: f64,
}

impl Reader<'_, '_> {
    fn matrix(&mut self, name: &str, rows: usize, columns: usize) -> std::result::Result<(Tensor, Tensor), EmbedError> {
        Ok((self.weights.tensor(&format!("{name}.weight"), &[rows, columns])?, self.weights.tensor(&format!("{name}.bias"), &[rows])?))
    }

    fn linear(&mut self, name: &str, rows: usize, columns: usize) -> std::result::Result<Linear, EmbedError> {
        let (weight, bias) = self.matrix(name, rows, columns)?;
        Ok(Linear::new(weight, Some(bias)))
    }

    fn norm(&mut self, name: &str, size: usize) -> std::result::Result<LayerNorm, EmbedError> {
        let (weight, bias) = (self.weights.tensor(&format!("{name}.weight"), &[size])?, self.weights.tensor(&format!("{name}.bias"), &[size])?);
        Ok(LayerNorm::new(weight, bias, self.epsilon))
    }
}

impl Encoder {
    /// Reads all tensors; texts will have at most `max_tokens`.
    pub(super) fn read(
        shape: &Architecture,
        max_tokens: usize,
        weights: &mut Weights<'_>,
        unusable: &dyn Fn(String) -> EmbedError,
    ) -> std::result::Result<Self, EmbedError> {
        let hidden = shape.hidden;
        let wrong = |error: candle_core::Error| unusable(super::folder::shortened(&error.to_string()));
        let mut reader = Reader { weights, epsilon: shape.epsilon };
        let words = reader.weights.tensor("embeddings.word_embeddings.weight", &[shape.vocabulary, hidden])?;
        let all_places = reader.weights.tensor("embeddings.position_embeddings.weight", &[shape.positions, hidden])?;
        let mut places = all_places.narrow(0, shape.first_position, max_tokens).map_err(wrong)?;
        if shape.types > 0 {
            let types = reader.weights.tensor("embeddings.token_type_embeddings.weight", &[shape.types, hidden])?;
            places = types.i(0..1).and_then(|first| places.broadcast_add(&first)).map_err(wrong)?;
        }
        let norm = reader.norm("embeddings.LayerNorm", hidden)?;
        let (names, stem) = match shape.family {
            Family::DistilBert => (&DISTIL_BERT, "transformer.layer"),
            Family::Bert | Family::Roberta => (&BERT, "encoder.layer"),
        };
        let mut layers = Vec::new();
        for index in 0..shape.layers {
            let name = |part: &str| format!("{stem}.{index}.{part}");
            let parts = [
                reader.matrix(&name(names.query), hidden, hidden)?,
                reader.matrix(&name(names.key), hidden, hidden)?,
                reader.matrix(&name(names.value), hidden, hidden)?,
            ];
            layers.push(Layer {
                attention: side_by_side(&parts, 1.0 / ((hidden / shape.heads) as f64).sqrt()).map_err(wrong)?,
                attention_out: reader.linear(&name(names.attention_out), hidden, hidden)?,
                attention_norm: reader.norm(&name(names.attention_norm), hidden)?,
                inner: reader.linear(&name(names.inner), shape.inner, hidden)?,
                outer: reader.linear(&name(names.outer), hidden, shape.inner)?,
                norm: reader.norm(&name(names.norm), hidden)?,
            });
        }
        Ok(Self { words, places, norm, layers, heads: shape.heads, activation: shape.activation })
    }

    /// The vectors of all tokens, texts x longest x components. Shorter texts are filled up with token 0, which nobody attends to.
    pub(super) fn forward(&self, texts: &[&[u32]]) -> Result<Tensor> {
        let longest = texts.iter().map(|ids| ids.len()).max().unwrap_or(0);
        let is_filled = texts.iter().any(|ids| ids.len() < longest);
        let mut ids = Vec::with_capacity(texts.len() * longest);
        let mut mask = Vec::with_capacity(if is_filled { texts.len() * longest } else { 0 });
        for text in texts {
            ids.extend_from_slice(text);
            ids.resize(ids.len() + longest - text.len(), 0);
            if is_filled {
                mask.extend((0..longest).map(|place| if place < text.len() { 0.0_f32 } else { f32::MIN }));
            }
        }
        let size = self.words.dim(D::Minus1)?;
        let ids = Tensor::from_vec(ids, texts.len() * longest, &Device::Cpu)?;
        let words = self.words.index_select(&ids, 0)?.reshape((texts.len(), longest, size))?;
        let mask = if is_filled { Some(Tensor::from_vec(mask, (texts.len(), 1, 1, longest), &Device::Cpu)?) } else { None };
        let mut state = self.norm.forward(&words.broadcast_add(&self.places.narrow(0, 0, longest)?)?)?;
        for layer in &self.layers {
            state = layer.forward(&state, mask.as_ref(), self.heads, self.activation)?;
        }
        Ok(state)
    }
}

impl Layer {
    fn forward(&self, state: &Tensor, mask: Option<&Tensor>, heads: usize, activation: Activation) -> Result<Tensor> {
        let (texts, length, size) = state.dims3()?;
        let split = self.attention.forward(state)?.reshape((texts, length, 3, heads, size / heads))?.permute((2, 0, 3, 1, 4))?.contiguous()?;
        let mut scores = split.i(0)?.matmul(&split.i(1)?.t()?)?;
        if let Some(mask) = mask {
            scores = scores.broadcast_add(mask)?;
        }
        let seen = softmax_last_dim(&scores)?.matmul(&split.i(2)?)?.transpose(1, 2)?.contiguous()?.reshape((texts, length, size))?;
        let state = self.attention_norm.forward(&(self.attention_out.forward(&seen)? + state)?)?;
        let inner = self.inner.forward(&state)?;
        let inner = match activation {
            Activation::Gelu => inner.gelu_erf()?,
            Activation::GeluTanh => inner.gelu()?,
            Activation::Relu => inner.relu()?,
        };
        self.norm.forward(&(self.outer.forward(&inner)? + state)?)
    }
}

/// Three matrices as one, of which the first is scaled.
fn side_by_side([query, key, value]: &[(Tensor, Tensor); 3], scale: f64) -> Result<Linear> {
    let weight = Tensor::cat(&[&(&query.0 * scale)?, &key.0, &value.0], 0)?;
    let bias = Tensor::cat(&[&(&query.1 * scale)?, &key.1, &value.1], 0)?;
    Ok(Linear::new(weight, Some(bias)))
}
