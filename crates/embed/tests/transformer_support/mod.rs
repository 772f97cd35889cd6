//! Tiny transformers whose weights follow a formula; `reference.py` computes with the same ones.
#![allow(dead_code, reason = "each test binary uses its part")]

use std::collections::BTreeMap;
use std::path::Path;

use embed::{EmbedError, FolderSettings, Transformer};
use serde_json::{Value, json};

pub const TOKENIZER: &str = include_str!("tokenizer.json");

/// A file of tensors in the making.
pub type Tensors = BTreeMap<String, (Vec<usize>, Vec<f32>)>;

/// A tiny model as its files would be.
pub struct Tiny {
    pub config: Value,
    pub pooling: &'static str,
    pub tensors: Tensors,
}

fn weights(name: &str, shape: &[usize]) -> Vec<f32> {
    let seed = name.bytes().fold(2_166_136_261_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(16_777_619));
    let offset = if name.to_lowercase().contains("norm.weight") { 1.0 } else { 0.0 };
    let number = |index: usize| {
        let mut x = seed.wrapping_add((index as u32).wrapping_mul(2_654_435_761));
        x ^= x >> 16;
        x = x.wrapping_mul(0x85EB_CA6B);
        x ^= x >> 13;
        x = x.wrapping_mul(0xC2B2_AE35);
        x ^= x >> 16;
        ((f64::from(x) / 4_294_967_296.0 - 0.5) * 0.5 + offset) as f32
    };
    (0..shape.iter().product()).map(number).collect()
}

fn layer_names(is_distilbert: bool) -> [&'static str; 8] {
    if is_distilbert {
        ["attention.q_lin", "attention.k_lin", "attention.v_lin", "attention.out_lin", "ffn.lin1", "ffn.lin2", "sa_layer_norm", "output_layer_norm"]
    } else {
        [
            "attention.self.query",
            "attention.self.key",
            "attention.self.value",
            "attention.output.dense",
            "intermediate.dense",
            "output.dense",
            "attention.output.LayerNorm",
            "output.LayerNorm",
        ]
    }
}

impl Tiny {
    /// Two layers of 32 components, 100 words.
    pub fn new(model_type: &str, activation: &str, pooling: &'static str) -> Self {
        let is_distilbert = model_type == "distilbert";
        let types = if model_type == "xlm-roberta" { 1 } else { 2 };
        let config = if is_distilbert {
            json!({"model_type": model_type, "dim": 32, "n_heads": 4, "n_layers": 2, "hidden_dim": 64, "max_position_embeddings": 40, "vocab_size": 100,
                "activation": activation})
        } else {
            json!({"model_type": model_type, "hidden_size": 32, "num_attention_heads": 4, "num_hidden_layers": 2, "intermediate_size": 64,
                "max_position_embeddings": 40, "vocab_size": 100, "type_vocab_size": types, "hidden_act": activation, "layer_norm_eps": 1e-12,
                "pad_token_id": if types == 1 { 4 } else { 0 }})
        };
        let mut tensors = Tensors::new();
        let mut add = |name: String, shape: &[usize]| {
            let numbers = weights(&name, shape);
            tensors.insert(name, (shape.to_vec(), numbers));
        };
        add("embeddings.word_embeddings.weight".to_owned(), &[100, 32]);
        add("embeddings.position_embeddings.weight".to_owned(), &[40, 32]);
        if !is_distilbert {
            add("embeddings.token_type_embeddings.weight".to_owned(), &[types, 32]);
        }
        add("embeddings.LayerNorm.weight".to_owned(), &[32]);
        add("embeddings.LayerNorm.bias".to_owned(), &[32]);
        for layer in 0..2 {
            let stem = if is_distilbert { "transformer.layer" } else { "encoder.layer" };
            let shapes: [&[usize]; 8] = [&[32, 32], &[32, 32], &[32, 32], &[32, 32], &[64, 32], &[32, 64], &[32], &[32]];
            for (part, shape) in layer_names(is_distilbert).into_iter().zip(shapes) {
                add(format!("{stem}.{layer}.{part}.weight"), shape);
                add(format!("{stem}.{layer}.{part}.bias"), &shape[..1]);
            }
        }
        Self { config, pooling, tensors }
    }

    /// A bert with the mean.
    pub fn bert() -> Self {
        Self::new("bert", "gelu", "mean")
    }

    /// Writes the files of a sentence-transformers folder.
    pub fn write(&self, folder: &Path) {
        std::fs::create_dir_all(folder.join("1_Pooling")).expect("a folder");
        let write = |name: &str, value: &Value| std::fs::write(folder.join(name), value.to_string()).expect("a file");
        write("config.json", &self.config);
        write(
            "modules.json",
            &json!([{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
                {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
                {"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"}]),
        );
        let is_first = self.pooling == "cls";
        write(
            "1_Pooling/config.json",
            &json!({"word_embedding_dimension": 32, "pooling_mode_cls_token": is_first, "pooling_mode_mean_tokens": !is_first}),
        );
        write("sentence_bert_config.json", &json!({"max_seq_length": 16, "do_lower_case": false}));
        std::fs::write(folder.join("tokenizer.json"), TOKENIZER).expect("a file");
        std::fs::write(folder.join("model.safetensors"), safetensors(&self.tensors)).expect("a file");
    }
}

/// The bytes of a file of tensors.
pub fn safetensors(tensors: &Tensors) -> Vec<u8> {
    let mut header = serde_json::Map::new();
    header.insert("__metadata__".to_owned(), json!({"format": "pt"}));
    let mut body = Vec::new();
    for (name, (shape, numbers)) in tensors {
        let begin = body.len();
        body.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        header.insert(name.clone(), json!({"dtype": "F32", "shape": shape, "data_offsets": [begin, body.len()]}));
    }
    with_header(&Value::Object(header).to_string(), &body)
}

/// A file of this header and these bytes.
pub fn with_header(header: &str, body: &[u8]) -> Vec<u8> {
    [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), body].concat()
}

pub fn open(folder: &Path) -> Result<Transformer, EmbedError> {
    Transformer::open(&FolderSettings { path: folder.to_path_buf(), ..FolderSettings::default() })
}
