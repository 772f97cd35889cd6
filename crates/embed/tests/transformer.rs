//! Vectors of transformers against those of the reference implementation, and what must not change them.

mod transformer_support;

use std::path::Path;

use embed::{CosineForm, FolderSettings, Model as _, Role, Transformer};
use serde_json::{Value, json};
use transformer_support::{Tiny, open};

/// Texts, and their vectors as Python made them.
fn expectations(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

fn texts(value: &Value) -> Vec<&str> {
    value["texts"].as_array().expect("texts").iter().map(|text| text.as_str().expect("a text")).collect()
}

fn assert_near(found: &[f32], wanted: &Value, what: &str) {
    for (index, wanted) in wanted.as_array().expect("a vector").iter().enumerate() {
        let wanted = wanted.as_f64().expect("a number") as f32;
        assert!((found[index] - wanted).abs() < 1e-4, "{what}: component {index} is {} and not {wanted}", found[index]);
    }
}

#[test]
fn families_activations_and_poolings_agree_with_the_reference() {
    let reference = expectations(include_str!("transformer_support/reference.json"));
    for case in reference["cases"].as_array().expect("cases") {
        let [model_type, activation, pooling] = ["model_type", "activation", "pooling"].map(|key| case[key].as_str().expect("a name"));
        let folder = tempfile::tempdir().expect("a folder");
        Tiny::new(model_type, activation, if pooling == "cls" { "cls" } else { "mean" }).write(folder.path());
        let model = open(folder.path()).expect("a model");
        assert_eq!(model.dimensions(), 32);
        // Together, so that shorter texts are filled up, the last one cut; and each alone.
        let texts = texts(&reference);
        let together = model.embed(Role::Passage, &texts).expect("vectors");
        for (index, text) in texts.iter().enumerate() {
            let what = format!("{model_type} {activation} {pooling} {text:?}");
            assert_near(&together[index], &case["vectors"][index], &what);
            let alone = model.embed(Role::Query, &[text]).expect("vectors");
            assert_near(&alone[0], &case["vectors"][index], &what);
        }
    }
}

#[test]
fn the_real_minilm_agrees_with_the_reference() {
    let Some(folder) = std::env::var_os("IBID_TEST_MINILM") else {
        eprintln!("skipped: IBID_TEST_MINILM does not name a folder with all-MiniLM-L6-v2");
        return;
    };
    let model = open(Path::new(&folder)).expect("a model");
    let reference = expectations(include_str!("transformer_support/minilm.json"));
    let texts = texts(&reference);
    let vectors = model.embed(Role::Passage, &texts).expect("vectors");
    for (index, text) in texts.iter().enumerate() {
        assert_near(&vectors[index], &reference["vectors"][index], &text.chars().take(40).collect::<String>());
    }
    assert_eq!((model.dimensions(), model.blend().form), (384, CosineForm::OfBest));
}

#[test]
fn a_text_without_words_gives_zeros_and_moves_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    Tiny::bert().write(folder.path());
    let model = open(folder.path()).expect("a model");
    let vectors = model.embed(Role::Passage, &["", "the cat", " \n\t", "\u{0}"]).expect("vectors");
    for empty in [0, 2, 3] {
        assert_eq!(vectors[empty], vec![0.0; 32]);
    }
    assert_eq!(vectors[1], model.embed(Role::Passage, &["the cat"]).expect("vectors")[0]);
    assert!(model.embed(Role::Passage, &[]).expect("vectors").is_empty());
}

#[test]
fn a_text_of_megabytes_is_cut_before_it_costs_anything_and_every_vector_has_length_one() {
    let folder = tempfile::tempdir().expect("a folder");
    Tiny::bert().write(folder.path());
    let model = open(folder.path()).expect("a model");
    let long = "the cat ".repeat(1 << 20);
    let short = "the cat ".repeat(100);
    let many: Vec<String> = (0..300).map(|count| "the sea ".repeat(count % 9 + 1)).collect();
    let mut texts: Vec<&str> = many.iter().map(String::as_str).collect();
    texts.extend([long.as_str(), short.as_str()]);
    let vectors = model.embed(Role::Passage, &texts).expect("vectors");
    assert_eq!(vectors[300], vectors[301]);
    for vector in vectors {
        let length: f32 = vector.iter().map(|component| component * component).sum();
        assert!((length - 1.0).abs() < 1e-5, "{length}");
    }
}

#[test]
fn prompts_of_the_folder_count_and_the_configuration_overrides_them() {
    let folder = tempfile::tempdir().expect("a folder");
    Tiny::bert().write(folder.path());
    let plain = open(folder.path()).expect("a model");
    std::fs::write(folder.path().join("config_sentence_transformers.json"), json!({"prompts": {"query": "red ", "document": "blue "}}).to_string())
        .expect("a file");
    let prompted = open(folder.path()).expect("a model");
    let [asked, stored] = [Role::Query, Role::Passage].map(|role| prompted.embed(role, &["cat"]).expect("vectors"));
    assert_eq!(asked, plain.embed(Role::Query, &["red cat"]).expect("vectors"));
    assert_eq!(stored, plain.embed(Role::Query, &["blue cat"]).expect("vectors"));
    assert_ne!(prompted.space(), plain.space());
    let settings =
        FolderSettings { path: folder.path().to_path_buf(), query_prefix: Some(String::new()), passage_prefix: Some(String::new()), blend: None };
    let overridden = Transformer::open(&settings).expect("a model");
    assert_eq!(overridden.embed(Role::Query, &["cat"]).expect("vectors"), plain.embed(Role::Query, &["cat"]).expect("vectors"));
}

#[test]
fn e5_is_known_by_its_name_also_in_the_cache_of_the_hub() {
    let folder = tempfile::tempdir().expect("a folder");
    let snapshot = folder.path().join("models--intfloat--multilingual-e5-small/snapshots/0123abcd");
    Tiny::new("xlm-roberta", "gelu", "mean").write(&snapshot);
    let model = open(&snapshot).expect("a model");
    assert_eq!(model.blend().form, CosineForm::OfRange);
    assert!(model.space().starts_with("multilingual-e5-small-"), "{}", model.space());
    let [asked, stored] = [Role::Query, Role::Passage].map(|role| model.embed(role, &["cat"]).expect("vectors"));
    assert_ne!(asked, stored);
}

#[test]
fn a_space_follows_the_weights_the_tokenizer_and_the_pooling() {
    let folder = tempfile::tempdir().expect("a folder");
    let space = |tiny: &Tiny| {
        tiny.write(folder.path());
        open(folder.path()).expect("a model").space().to_owned()
    };
    let first = space(&Tiny::bert());
    assert_eq!(first, space(&Tiny::bert()));
    assert!(first.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_' | '-')), "{first}");
    let mut moved = Tiny::bert();
    moved.tensors.get_mut("encoder.layer.1.output.dense.bias").expect("a tensor").1[3] += 1.0;
    let others = [space(&moved), space(&Tiny::new("bert", "gelu", "cls")), space(&Tiny::new("bert", "relu", "mean"))];
    assert!(!others.contains(&first), "{others:?}");
}
