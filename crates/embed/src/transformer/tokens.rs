//! Texts to the numbers of their tokens, as the model's own `tokenizer.json` says, cut at the longest text.

use std::panic::{AssertUnwindSafe, catch_unwind};

use sha2::{Digest as _, Sha256};
use tokenizers::{Tokenizer, TruncationDirection, TruncationParams, TruncationStrategy};

use super::folder::{Folder, shortened};
use crate::EmbedError;

const FILE: &str = "tokenizer.json";
/// The largest file, in bytes. That of a model for a hundred languages has 17 million.
const MAX_BYTES: u64 = 64 << 20;
/// Bytes of a text per token that it may have: more are cut off before the tokenizer works on them. English has five.
const BYTES_PER_TOKEN: usize = 256;

/// The tokenizer of a model.
#[derive(Debug)]
pub(super) struct Tokens {
    tokenizer: Tokenizer,
    max_tokens: usize,
    vocabulary: usize,
    /// The file, for the name of the model's space.
    pub hash: Vec<u8>,
}

impl Tokens {
    /// Reads the file and tries it. All its numbers must be rows of the table, which has `vocabulary` of them.
    pub(super) fn open(folder: &Folder, max_tokens: usize, vocabulary: usize) -> Result<Self, EmbedError> {
        let Some(bytes) = folder.bytes(FILE, MAX_BYTES)? else {
            let old = folder.has("vocab.txt") || folder.has("sentencepiece.bpe.model");
            let convert = "write one with transformers in Python: AutoTokenizer.from_pretrained(folder).save_pretrained(folder)";
            return Err(if old { folder.unusable(format!("{FILE} is missing; {convert}")) } else { folder.missing(FILE) });
        };
        let wrong = |what: &str| folder.unusable(format!("{FILE} is not what it should be: {}", shortened(what)));
        // The library was written for files that mean well: it counts without bounds.
        let made = catch_unwind(|| prepared(&bytes, max_tokens)).map_err(|_| wrong("it cannot be prepared"))?;
        let tokenizer = made.map_err(|error| wrong(&error.to_string()))?;
        let highest = tokenizer.get_vocab(true).into_values().max();
        let highest = highest.ok_or_else(|| wrong("it has no tokens"))?;
        if highest as usize >= vocabulary {
            return Err(folder.unusable(format!(
                "{FILE} has token {highest}, and the model has rows for 0 to {}; these files are of different models",
                vocabulary.saturating_sub(1)
            )));
        }
        let tokens = Self { tokenizer, max_tokens, vocabulary, hash: Sha256::digest(&bytes).to_vec() };
        if tokens.encode("a text of some words").is_none() {
            return Err(wrong("it makes no tokens, or other ones than the model has, of a text of some words"));
        }
        Ok(tokens)
    }

    /// The tokens of a text with the model's marks around them. `None` where the text has none of its own.
    pub(super) fn encode(&self, text: &str) -> Option<Vec<u32>> {
        let text = &text[..text.floor_char_boundary(self.max_tokens * BYTES_PER_TOKEN)];
        if text.trim().is_empty() {
            return None;
        }
        let made = catch_unwind(AssertUnwindSafe(|| self.tokenizer.encode_fast(text, true)));
        let encoding = made.ok()?.ok()?;
        let ids = encoding.get_ids();
        let is_sound = ids.len() <= self.max_tokens && ids.iter().all(|id| (*id as usize) < self.vocabulary);
        let has_own = encoding.get_special_tokens_mask().contains(&0);
        (is_sound && has_own).then(|| ids.to_vec())
    }
}

/// The tokenizer of a file, with our own cut and without filling up.
fn prepared(bytes: &[u8], max_tokens: usize) -> tokenizers::Result<Tokenizer> {
    let mut tokenizer = Tokenizer::from_bytes(bytes)?;
    let direction = TruncationDirection::Right;
    tokenizer.with_padding(None);
    tokenizer.with_truncation(Some(TruncationParams { direction, max_length: max_tokens, strategy: TruncationStrategy::LongestFirst, stride: 0 }))?;
    Ok(tokenizer)
}
