//! What a server answers, and what of it is believed: as many vectors as texts, each index once, one dimension, finite numbers.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _, SeqAccess, Visitor};

/// The most components of a vector. Models in use have up to 4,096.
pub(super) const MAX_DIMENSIONS: usize = 32_768;

#[derive(Debug, Deserialize)]
struct Answer {
    data: Vec<Item>,
}

#[derive(Debug, Deserialize)]
struct Item {
    index: Option<usize>,
    embedding: Vector,
}

#[derive(Debug)]
struct Vector(Vec<f32>);

/// The vectors of an answer to `count` texts, in the order of the texts. Of `dimensions` components each, if that is known.
///
/// # Errors
/// What is wrong with it, as the end of a sentence.
pub(super) fn read(body: &[u8], count: usize, dimensions: Option<usize>) -> Result<Vec<Vec<f32>>, String> {
    let answer: Answer = serde_json::from_slice(body)
        .map_err(|error| format!("no list of embeddings: {}", crate::transformer::folder::shortened(&error.to_string())))?;
    if answer.data.len() != count {
        return Err(format!("{} vectors for {count} texts", answer.data.len()));
    }
    let mut vectors: Vec<Option<Vec<f32>>> = vec![None; count];
    let mut expected = dimensions;
    for (position, Item { index, embedding: Vector(vector) }) in answer.data.into_iter().enumerate() {
        let index = index.unwrap_or(position);
        let wanted = *expected.get_or_insert(vector.len());
        if vector.is_empty() || vector.len() > MAX_DIMENSIONS {
            return Err(format!("a vector of {} components", vector.len()));
        }
        if vector.len() != wanted {
            return Err(format!("a vector of {} components where the others have {wanted}", vector.len()));
        }
        if !vector.iter().all(|component| component.is_finite()) {
            return Err("a vector with numbers that are not finite".to_owned());
        }
        match vectors.get_mut(index) {
            Some(place @ None) => *place = Some(vector),
            Some(Some(_)) => return Err(format!("index {index} twice")),
            None => return Err(format!("index {index} for {count} texts")),
        }
    }
    // As many as texts, and none twice: all are there.
    Ok(vectors.into_iter().flatten().collect())
}

impl<'de> Deserialize<'de> for Vector {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

/// Reads a list of numbers, or the same as base64 of little-endian f32, which some servers send unasked.
struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Vector;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list of numbers or base64")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut numbers: A) -> Result<Vector, A::Error> {
        let mut vector = Vec::new();
        // As f64, because what is too large for f32 is an error or infinite depending on how the JSON reader was compiled.
        while let Some(number) = numbers.next_element::<f64>()? {
            if vector.len() >= MAX_DIMENSIONS {
                return Err(A::Error::custom("a vector is too long"));
            }
            vector.push(number as f32);
        }
        Ok(Vector(vector))
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Vector, E> {
        let bytes = base64(text).filter(|bytes| bytes.len().is_multiple_of(4)).ok_or_else(|| E::custom("a vector is no base64 of f32"))?;
        Ok(Vector(bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()))
    }
}

/// The bytes of base64 in its standard alphabet, with or without `=` at its end.
fn base64(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=').as_bytes();
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3 + 2);
    for group in digits.chunks(4) {
        let mut bits = 0_u32;
        for digit in group {
            let value = match digit {
                b'A'..=b'Z' => digit - b'A',
                b'a'..=b'z' => digit - b'a' + 26,
                b'0'..=b'9' => digit - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                _ => return None,
            };
            bits = bits << 6 | u32::from(value);
        }
        let [_, octets @ ..] = (bits << (6 * (4 - group.len()))).to_be_bytes();
        // A single digit is less than a byte.
        bytes.extend_from_slice(octets.get(..group.len() - 1).filter(|octets| !octets.is_empty())?);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::{base64, read};

    fn answer(data: &str) -> String {
        format!(r#"{{"object":"list","data":{data},"model":"x","usage":{{}}}}"#)
    }

    #[test]
    fn order_is_that_of_the_indexes_and_base64_is_read() {
        let body = answer(r#"[{"index":1,"embedding":[3,4.5]},{"index":0,"embedding":"AACAPwAAAMA="}]"#);
        assert_eq!(read(body.as_bytes(), 2, Some(2)), Ok(vec![vec![1.0, -2.0], vec![3.0, 4.5]]));
        let body = answer(r#"[{"embedding":[1]},{"embedding":[2]}]"#);
        assert_eq!(read(body.as_bytes(), 2, None), Ok(vec![vec![1.0], vec![2.0]]));
    }

    #[test]
    fn nonsense_is_said_to_be_nonsense() {
        for (data, count, part) in [
            ("[]", 1, "0 vectors for 1 texts"),
            (r#"[{"index":0,"embedding":[1,2]},{"index":0,"embedding":[1,2]}]"#, 2, "twice"),
            (r#"[{"index":7,"embedding":[1,2]}]"#, 1, "index 7"),
            (r#"[{"index":0,"embedding":[]}]"#, 1, "0 components"),
            (r#"[{"index":0,"embedding":[1,2,3]}]"#, 1, "3 components"),
            (r#"[{"index":0,"embedding":[NaN,1]}]"#, 1, "no list"),
            (r#"[{"index":0,"embedding":[null,1]}]"#, 1, "no list"),
            (r#"[{"index":0,"embedding":[1e39,1]}]"#, 1, "not finite"),
            (r#"[{"index":0,"embedding":"AADAfwAAgD8="}]"#, 1, "not finite"),
            (r#"[{"index":0,"embedding":"!"}]"#, 1, "no list"),
            (r#"[{"index":-1,"embedding":[1]}]"#, 1, "no list"),
            ("{}", 1, "no list"),
        ] {
            let error = read(answer(data).as_bytes(), count, Some(2)).expect_err(data);
            assert!(error.contains(part), "{data}: {error}");
        }
        for body in ["", "<html>", "[]", "null", "{\"data\":{}}"] {
            assert!(read(body.as_bytes(), 1, None).is_err(), "{body}");
        }
    }

    #[test]
    fn base64_is_that_of_the_standard() {
        for (text, bytes) in [("", &b""[..]), ("Zg==", b"f"), ("Zm8=", b"fo"), ("Zm9v", b"foo"), ("Zm9vYmE", b"fooba"), ("+/+/", &[0xFB, 0xFF, 0xBF])]
        {
            assert_eq!(base64(text).as_deref(), Some(bytes), "{text}");
        }
        assert_eq!((base64("A"), base64("Z g="), base64("Zg=x")), (None, None, None));
    }
}
