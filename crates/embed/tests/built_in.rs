//! The model that ships with ibid: what it makes of texts, and how a damaged table is refused.

use embed::{BuiltIn, Model, Role, Table, TableError, built_in};
use sha2::{Digest, Sha256};

const BYTES: &[u8] = include_bytes!("../table/built-in.table");
const HEAD: usize = 64;

fn vectors(texts: &[&str]) -> Vec<Vec<f32>> {
    built_in().embed(Role::Passage, texts).expect("the built-in model answers every text")
}

fn dot(left: &[f32], right: &[f32]) -> f32 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

/// The shipped table with some bytes of its head replaced.
fn with(at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut table = BYTES.to_vec();
    table[at..at + bytes.len()].copy_from_slice(bytes);
    table
}

#[test]
fn the_shipped_table_is_the_one_that_its_head_names() {
    let model = BuiltIn::shipped().expect("the shipped table is whole");
    assert_eq!(model.table().hash(), &Sha256::digest(&BYTES[HEAD..])[..]);
    assert_eq!((model.table().rows(), model.dimensions()), (29_523, 256));
    assert_eq!(model.space(), built_in().space());
    assert!(model.space().starts_with("built-in-") && model.space().len() == 21, "{}", model.space());
}

/// First eight components and the last one, as model2vec 0.10.0 gives them for the same weights before they are brought to eight bits.
#[test]
fn vectors_are_those_of_model2vec() {
    let expected: [(&str, [f32; 9]); 3] = [
        ("Why did we choose PostgreSQL?", [0.14404, -0.29761, 0.19397, -0.21582, -0.03137, -0.36572, -0.03387, -0.19873, 0.00500]),
        (
            "Überraschung: 東京 naïve café — the deploy failed twice!",
            [0.08392, -0.10852, 0.32495, 0.07684, -0.18066, -0.34033, -0.0979, -0.22192, 0.00726],
        ),
        ("a note about sourdough bread", [0.16248, -0.22363, -0.04526, 0.02058, -0.18323, -0.11646, 0.08551, -0.00103, 0.03391]),
    ];
    for (text, numbers) in expected {
        let vector = &vectors(&[text])[0];
        for (index, number) in (0..8).chain([255]).zip(numbers) {
            assert!((vector[index] - number).abs() < 0.003, "{text}: component {index} is {}, not {number}", vector[index]);
        }
    }
}

#[test]
fn texts_of_one_meaning_are_nearer_than_others() {
    let found = vectors(&["how do I bake bread", "a recipe for a sourdough loaf", "the database failed over to its replica"]);
    assert!(dot(&found[0], &found[1]) > dot(&found[0], &found[2]) + 0.2);
}

#[test]
fn every_vector_has_length_one_and_does_not_depend_on_its_neighbours() {
    let long = "the quick brown fox ".repeat(5_000);
    let texts = ["one", "Zwei Wörter", "three words here", &long];
    for (text, vector) in texts.iter().zip(vectors(&texts)) {
        assert!((dot(&vector, &vector) - 1.0).abs() < 1e-4, "{text}");
        assert_eq!(vector, vectors(&[text])[0], "{text}");
    }
}

#[test]
fn text_without_a_known_word_gives_zeros() {
    let word_of_101_letters = "a".repeat(101);
    for text in ["", " \n\t", "\u{0}\u{200b}", "🫠🫠", &word_of_101_letters] {
        assert_eq!(vectors(&[text])[0], vec![0.0; 256], "{text:?}");
    }
}

#[test]
fn capitals_accents_and_white_space_make_no_difference() {
    let found = vectors(&["Cafe in NAIVE", "café\u{a0} in\r\nnaïve", "cafe\u{301} in naive"]);
    assert_eq!(found[0], found[1]);
    assert_eq!(found[0], found[2]);
}

#[test]
fn other_bytes_are_no_table() {
    for bytes in [&b""[..], b"ibid", b"PK\x03\x04 and more than sixty-four bytes of something else altogether, really"] {
        assert_eq!(Table::read(bytes).unwrap_err(), TableError::Foreign);
    }
    assert_eq!(Table::read(&with(8, &[2])).unwrap_err(), TableError::Version(2));
}

#[test]
fn a_torn_table_is_refused_with_both_sizes() {
    let expected = BYTES.len() as u64;
    for length in [HEAD, 1_000, BYTES.len() / 2, BYTES.len() - 1] {
        assert_eq!(Table::read(&BYTES[..length]).unwrap_err(), TableError::Size { expected, found: length as u64 });
    }
    assert_eq!(Table::read(&BYTES[..20]).unwrap_err(), TableError::Size { expected: HEAD as u64, found: 20 });
    let longer = [BYTES, b"x"].concat();
    assert_eq!(Table::read(&longer).unwrap_err(), TableError::Size { expected, found: expected + 1 });
}

#[test]
fn a_table_that_lies_about_its_parts_is_refused() {
    let scales = HEAD;
    let buckets = HEAD + 29_523 * (4 + 256);
    let pieces = buckets + 8_193 * 8;
    let last = BYTES.len() - 8;
    for (what, table) in [
        ("no rows", with(12, &0_u32.to_le_bytes())),
        ("as many rows as there can be", with(12, &u32::MAX.to_le_bytes())),
        ("no components", with(16, &0_u32.to_le_bytes())),
        ("as many buckets as there can be", with(20, &u32::MAX.to_le_bytes())),
        ("no buckets", with(20, &0_u32.to_le_bytes())),
        ("half of the buckets", with(20, &4_096_u32.to_le_bytes())),
        ("a scale that is no number", with(scales, &f32::NAN.to_le_bytes())),
        ("a scale below zero", with(scales, &(-1.0_f32).to_le_bytes())),
        ("a first row behind the end", with(buckets + 8, &u32::MAX.to_le_bytes())),
        ("a piece behind the end", with(buckets + 12, &u32::MAX.to_le_bytes())),
        ("buckets that go back", with(buckets + 20, &0_u32.to_le_bytes())),
        ("a last bucket that ends early", with(pieces - 4, &0_u32.to_le_bytes())),
        ("an empty piece", with(pieces, &[0])),
        ("a piece without end", with(pieces, &[0x7f])),
        ("a piece that is no text", with(last, &[0xff; 8])),
    ] {
        let error = Table::read(&table).expect_err(what);
        assert!(matches!(error, TableError::Damaged(_) | TableError::Size { .. }), "{what}: {error}");
        assert!(error.to_string().contains("damaged"), "{what}: {error}");
    }
}
