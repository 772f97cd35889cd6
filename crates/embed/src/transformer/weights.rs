//! The numbers of a model: a safetensors file, read tensor by tensor, so that it never lies in memory twice.
//!
//! The format is eight bytes with the length of a header, the header as JSON, and the tensors without gaps. Nothing that the header says is used
//! before it agrees with the file's length and with `config.json`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};

use candle_core::{DType, Device, Tensor};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use super::folder::{Folder, shortened};
use crate::EmbedError;

const FILE: &str = "model.safetensors";
/// The largest file, in bytes: twice the largest model of the family that is in use.
const MAX_BYTES: u64 = 5 << 30;
/// The longest header, in bytes. That of a large model has 60,000.
const MAX_HEADER: u64 = 4 << 20;

#[derive(Debug, Deserialize)]
struct Entry {
    dtype: Option<String>,
    shape: Option<Vec<u64>>,
    data_offsets: Option<(u64, u64)>,
}

#[derive(Debug)]
struct Place {
    dtype: DType,
    shape: Vec<u64>,
    begin: u64,
    length: usize,
}

/// A checked file of tensors.
#[derive(Debug)]
pub(super) struct Weights<'folder> {
    folder: &'folder Folder,
    file: File,
    places: BTreeMap<String, Place>,
    /// What stands before the names of all tensors, such as `bert.`.
    prefix: &'static str,
    hash: Sha256,
}

impl<'folder> Weights<'folder> {
    /// Reads and checks the header.
    pub(super) fn open(folder: &'folder Folder) -> Result<Self, EmbedError> {
        let wrong = |what: &str| folder.unusable(format!("{FILE} {what}; download it again"));
        let Some((mut file, length)) = folder.file(FILE, MAX_BYTES)? else { return Err(without(folder)) };
        let mut start = [0; 8];
        file.read_exact(&mut start).map_err(|_| wrong("is too short to be a safetensors file"))?;
        let header_length = u64::from_le_bytes(start);
        let room = length.saturating_sub(8);
        if header_length > room {
            return Err(wrong("is cut off, or is no safetensors file: its header would be longer than the file"));
        }
        if header_length > MAX_HEADER {
            return Err(wrong(&format!("has a header of {header_length} bytes, and {MAX_HEADER} are the limit")));
        }
        let mut header = Vec::new();
        let read = (&mut file).take(header_length).read_to_end(&mut header);
        if read.ok() != usize::try_from(header_length).ok() {
            return Err(wrong("became shorter while it was read"));
        }
        let places = places(&header, 8 + header_length, room - header_length).map_err(|what| wrong(&what))?;
        let names = ["", "bert.", "roberta.", "distilbert.", "model.", "encoder."];
        let prefix = names.into_iter().find(|prefix| places.contains_key(&format!("{prefix}embeddings.word_embeddings.weight")));
        let prefix =
            prefix.ok_or_else(|| folder.unusable(format!("{FILE} holds no embeddings.word_embeddings.weight; is it a model of this family?")))?;
        Ok(Self { folder, file, places, prefix, hash: Sha256::new() })
    }

    /// A tensor of exactly this shape as f32, with finite numbers only.
    pub(super) fn tensor(&mut self, name: &str, shape: &[usize]) -> Result<Tensor, EmbedError> {
        let full = format!("{}{name}", self.prefix);
        // Older files call the two halves of a normalisation otherwise.
        let older = full.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta");
        let folder = self.folder;
        let found = self.places.get(&full).or_else(|| self.places.get(&older));
        let place = found.ok_or_else(|| folder.unusable(format!("{FILE} lacks {full}; config.json and {FILE} are not of one model")))?;
        if !place.shape.iter().copied().eq(shape.iter().map(|size| *size as u64)) {
            let (has, wants) = (&place.shape, shape);
            return Err(
                folder.unusable(format!("{full} has the shape {has:?} and not {wants:?}, as config.json says; these files are of different models"))
            );
        }
        let mut bytes = Vec::new();
        let read = self.file.seek(SeekFrom::Start(place.begin)).and_then(|_| {
            bytes.reserve_exact(place.length);
            (&mut self.file).take(place.length as u64).read_to_end(&mut bytes)
        });
        match read {
            Ok(length) if length == place.length => {}
            Ok(_) => return Err(folder.unusable(format!("{FILE} became shorter while it was read; try again"))),
            Err(error) => return Err(folder.unusable(format!("{FILE} cannot be read ({error})"))),
        }
        if !is_finite(&bytes, place.dtype) {
            return Err(folder.unusable(format!("{full} holds numbers that are not finite; download {FILE} again")));
        }
        self.hash.update(full.as_bytes());
        self.hash.update(&bytes);
        let tensor = Tensor::from_raw_buffer(&bytes, place.dtype, shape, &Device::Cpu).and_then(|tensor| tensor.to_dtype(DType::F32));
        tensor.map_err(|error| folder.unusable(format!("{full} cannot be used: {}", shortened(&error.to_string()))))
    }

    /// The hash of all tensors that were read, in the order in which they were.
    pub(super) fn finish(self) -> Vec<u8> {
        self.hash.finalize().to_vec()
    }
}

/// Why there are no weights: often they are there in another format.
fn without(folder: &Folder) -> EmbedError {
    let convert = "ask the model's makers for safetensors, or convert it: load it with transformers in Python and call save_pretrained";
    if folder.has("pytorch_model.bin") {
        // A pickle runs whatever code its maker put into it.
        return folder.unusable(format!("it holds pytorch_model.bin, which can run code when it is read, and no {FILE}; {convert}"));
    }
    if folder.has("model.safetensors.index.json") {
        return folder.unusable(format!("its weights are in several files and ibid reads one {FILE}; choose a smaller model"));
    }
    folder.missing(FILE)
}

/// The places of all tensors. They must follow each other from the first byte to the last.
fn places(header: &[u8], start: u64, room: u64) -> Result<BTreeMap<String, Place>, String> {
    let entries: BTreeMap<String, Entry> =
        serde_json::from_slice(header).map_err(|error| format!("has a header that cannot be read ({})", shortened(&error.to_string())))?;
    let mut places = BTreeMap::new();
    let mut ranges = Vec::new();
    for (name, entry) in entries {
        if name == "__metadata__" {
            continue;
        }
        let shown = shortened(&name);
        let (Some(dtype), Some(shape), Some((begin, end))) = (entry.dtype, entry.shape, entry.data_offsets) else {
            return Err(format!("does not say where {shown} is"));
        };
        let (dtype, size) = match dtype.as_str() {
            "F32" => (DType::F32, 4),
            "F16" => (DType::F16, 2),
            "BF16" => (DType::BF16, 2),
            // Tables of positions (0, 1, 2, …), which old files hold and nobody needs.
            "I64" => (DType::I64, 8),
            other => return Err(format!("holds {shown} as {}, and ibid reads F32, F16 and BF16", shortened(other))),
        };
        let length = shape.iter().try_fold(size, |product: u64, size| product.checked_mul(*size));
        if begin > end || end > room || length != Some(end - begin) {
            return Err(format!("says that {shown} lies where the file has no room for it"));
        }
        ranges.push((begin, end));
        let length = usize::try_from(end - begin).map_err(|_| format!("holds {shown}, which is too large"))?;
        places.insert(name, Place { dtype, shape, begin: start + begin, length });
    }
    ranges.sort_unstable();
    let mut reached = 0;
    for (begin, end) in ranges {
        if begin != reached {
            return Err("has tensors that overlap, or gaps between them".to_owned());
        }
        reached = end;
    }
    if reached == room { Ok(places) } else { Err("is longer than its header says".to_owned()) }
}

fn is_finite(bytes: &[u8], dtype: DType) -> bool {
    match dtype {
        DType::F32 => bytes.as_chunks::<4>().0.iter().all(|bytes| f32::from_le_bytes(*bytes).is_finite()),
        DType::F16 => bytes.as_chunks::<2>().0.iter().all(|bytes| u16::from_le_bytes(*bytes) & 0x7C00 != 0x7C00),
        DType::BF16 => bytes.as_chunks::<2>().0.iter().all(|bytes| u16::from_le_bytes(*bytes) & 0x7F80 != 0x7F80),
        _ => false,
    }
}
