//! Texts are split as by the tokenizer that the weights were trained with.

use std::sync::LazyLock;

use embed::{BuiltIn, Table};
use proptest::prelude::*;
use tokenizers::Tokenizer;
use tokenizers::models::bpe::Vocab;
use tokenizers::models::wordpiece::WordPiece;
use tokenizers::normalizers::BertNormalizer;
use tokenizers::pre_tokenizers::bert::BertPreTokenizer;

static MODEL: LazyLock<BuiltIn> = LazyLock::new(|| BuiltIn::shipped().expect("the shipped table is whole"));

/// BERT's tokenizer over the vocabulary of the shipped table; what is unknown has the number behind the last row.
static REFERENCE: LazyLock<Tokenizer> = LazyLock::new(|| {
    let pieces = table().vocabulary().map(|(text, goes_on)| if goes_on { format!("##{text}") } else { text.to_owned() });
    let vocabulary: Vocab = pieces.chain(["[UNK]".to_owned()]).zip(0..).collect();
    let model = WordPiece::builder().vocab(vocabulary).unk_token("[UNK]".to_owned()).build().expect("the vocabulary makes a tokenizer");
    let mut tokenizer = Tokenizer::new(model);
    tokenizer.with_normalizer(Some(BertNormalizer::new(true, true, None, true))).expect("a new tokenizer takes a normalizer");
    tokenizer.with_pre_tokenizer(Some(BertPreTokenizer));
    tokenizer
});

fn table() -> &'static Table<'static> {
    MODEL.table()
}

/// Rows that the reference finds, without what is unknown.
fn expected(text: &str) -> Vec<usize> {
    let encoding = REFERENCE.encode_fast(text, false).expect("the reference splits every text");
    encoding.get_ids().iter().map(|id| *id as usize).filter(|id| *id < table().rows()).collect()
}

/// What tokenizers disagree about.
const ODD: &[&str] = &[
    "\u{301}",
    "\u{327}\u{301}",
    "İ",
    "ß",
    "ﬁ",
    "Å",
    "ǆ",
    "가",
    "각",
    "が",
    "東京",
    "\u{2f800}",
    "\u{200b}",
    "\u{a0}",
    "\u{3000}",
    "\u{85}",
    "\u{b}",
    "\u{0}",
    "\u{fffd}",
    "\u{e000}",
    "\u{e001}",
    "…",
    "—",
    "$",
    "^",
    "`",
    "##",
    "##ing",
    "[UNK]",
    "[CLS]",
    "C++",
    "don't",
    "👩‍👩‍👧",
    "क्षि",
    "ไทย",
    "שָׁלוֹם",
    "مُحَمَّد",
    "Ωμέγα",
    "ΑΣ",
    "ЁЙ",
    "\u{1d15e}",
    "\u{344}",
];

/// Pieces, odd characters, and stretches of anything.
fn stretch() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => (0..table().rows()).prop_map(|row| table().vocabulary().nth(row).expect("each row has a piece").0.to_owned()),
        3 => prop::sample::select(ODD).prop_map(str::to_owned),
        2 => "[ -~]{0,12}",
        1 => Just(" ".to_owned()),
        1 => any::<char>().prop_map(String::from),
        1 => "\\PC{0,6}",
        1 => "[a-z]{90,110}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn odd_texts_are_split_alike(text in prop::collection::vec(stretch(), 0..12).prop_map(|stretches| stretches.concat())) {
        prop_assert_eq!(table().pieces(&text), expected(&text));
    }
}

/// Between two letters a character shows its class: it vanishes (`ab`), parts (`a b`), or makes a word that nobody knows.
#[test]
fn every_character_is_treated_alike() {
    let mut differing: Vec<char> = Vec::new();
    let characters: Vec<char> = ('\u{0}'..=char::MAX).collect();
    for block in characters.chunks(512) {
        let text = |characters: &[char]| characters.iter().map(|character| format!("a{character}b\n")).collect::<String>();
        if table().pieces(&text(block)) != expected(&text(block)) {
            differing.extend(block.iter().filter(|character| {
                let text = text(&[**character]);
                table().pieces(&text) != expected(&text)
            }));
        }
    }
    assert!(differing.is_empty(), "{} characters differ: {:?}", differing.len(), &differing[..differing.len().min(100)]);
}
