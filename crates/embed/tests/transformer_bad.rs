//! Folders that are incomplete, of two models, or malicious: each is refused with the folder, the reason and the way on, before it costs anything.

mod transformer_support;

use std::fs;
use std::path::Path;

use embed::{Choice, EmbedError, FolderSettings, Model as _, Role};
use serde_json::{Value, json};
use transformer_support::{TOKENIZER, Tiny, open, safetensors, with_header};

/// Why a folder is refused, after `change` was made to a good one.
fn refusal(change: impl FnOnce(&Path)) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    Tiny::bert().write(folder.path());
    change(folder.path());
    let error = open(folder.path()).expect_err("it is not what it should be");
    assert!(matches!(error, EmbedError::Unusable { .. }), "{error:?}");
    let text = error.to_string();
    assert!(text.contains(&folder.path().display().to_string()) && text.len() < 700, "{text}");
    text
}

fn write(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) {
    fs::write(folder.join(name), bytes).expect("a file");
}

#[test]
fn what_is_missing_is_named() {
    for name in ["config.json", "tokenizer.json", "model.safetensors"] {
        let text = refusal(|folder| fs::remove_file(folder.join(name)).expect("it was there"));
        assert!(text.contains(&format!("{name} is missing; download")), "{text}");
    }
    let error = embed::open(&Choice::Folder(FolderSettings { path: "no/such/folder".into(), ..FolderSettings::default() })).err().expect("not there");
    assert!(error.to_string().contains("no/such/folder"), "{error}");
    let file = tempfile::NamedTempFile::new().expect("a file");
    assert!(open(file.path()).expect_err("a file").to_string().contains("it is not a folder"));
}

#[test]
fn a_pickle_is_never_read() {
    let text = refusal(|folder| fs::rename(folder.join("model.safetensors"), folder.join("pytorch_model.bin")).expect("renamed"));
    assert!(text.contains("can run code") && text.contains("convert"), "{text}");
    let text = refusal(|folder| fs::rename(folder.join("model.safetensors"), folder.join("model.safetensors.index.json")).expect("renamed"));
    assert!(text.contains("several files"), "{text}");
    let text = refusal(|folder| fs::rename(folder.join("tokenizer.json"), folder.join("vocab.txt")).expect("renamed"));
    assert!(text.contains("AutoTokenizer"), "{text}");
}

#[test]
fn numbers_of_a_configuration_are_believed_within_bounds_only() {
    for (key, value, part) in [
        ("hidden_size", json!(0), "hidden_size 0"),
        ("hidden_size", json!(1_u64 << 60), "is believed"),
        ("hidden_size", json!(-1), "not what it should be"),
        ("hidden_size", json!(1e300), "not what it should be"),
        ("hidden_size", Value::Null, "no hidden_size"),
        ("hidden_size", json!(64), "config.json says 64"),
        ("num_attention_heads", json!(5), "cannot be divided"),
        ("num_attention_heads", json!(0), "num_attention_heads 0"),
        ("num_hidden_layers", json!(1_000_000_000), "num_hidden_layers"),
        ("num_hidden_layers", json!(3), "lacks encoder.layer.2"),
        ("intermediate_size", json!(65), "shape"),
        ("max_position_embeddings", json!(1_u64 << 60), "is believed"),
        ("max_position_embeddings", json!(3), "too few"),
        ("max_position_embeddings", json!(41), "shape"),
        ("vocab_size", json!(99), "token 99"),
        ("vocab_size", json!(101), "shape"),
        ("type_vocab_size", json!(3), "shape"),
        ("layer_norm_eps", json!(-1), "layer_norm_eps"),
        ("hidden_act", json!("swish\u{7}"), "hidden_act"),
        ("model_type", json!("llama"), "which ibid does not read"),
        ("model_type", Value::Null, "no model_type"),
        ("position_embedding_type", json!("relative_key"), "relative"),
        ("is_decoder", json!(true), "decoder"),
    ] {
        let text = refusal(|folder| {
            let mut config = Tiny::bert().config;
            config[key] = value.clone();
            write(folder, "config.json", config.to_string());
        });
        assert!(text.contains(part) && !text.contains('\u{7}'), "{key} {value}: {text}");
    }
}

#[test]
fn files_of_json_are_bounded_in_size_and_depth() {
    for name in ["config.json", "modules.json", "1_Pooling/config.json", "sentence_bert_config.json", "config_sentence_transformers.json"] {
        let text = refusal(|folder| write(folder, name, vec![b' '; (1 << 20) + 1]));
        assert!(text.contains(name) && text.contains("the limit"), "{text}");
        let text = refusal(|folder| write(folder, name, "[".repeat(100_000)));
        assert!(text.contains(name), "{text}");
        assert!(refusal(|folder| write(folder, name, b"\xFF\0")).contains(name));
    }
    // A hole of a terabyte takes no place.
    for name in ["tokenizer.json", "model.safetensors"] {
        let sparse = |folder: &Path| fs::File::create(folder.join(name)).and_then(|file| file.set_len(1 << 40)).expect("a file");
        assert!(refusal(sparse).contains("the limit"), "{name}");
    }
}

#[test]
fn a_file_of_tensors_that_lies_is_refused_before_it_is_believed() {
    let whole = safetensors(&Tiny::bert().tensors);
    let weights = |bytes: Vec<u8>| refusal(|folder| write(folder, "model.safetensors", bytes));
    assert!(weights(Vec::new()).contains("too short"));
    assert!(weights(whole[..whole.len() - 1].to_vec()).contains("no room"));
    assert!(weights([&whole[..], b"x"].concat()).contains("longer than its header says"));
    assert!(weights([&u64::MAX.to_le_bytes()[..], b"{}"].concat()).contains("longer than the file"));
    assert!(weights(with_header(&" ".repeat(5 << 20), b"")).contains("the limit"));
    assert!(weights(with_header("{", b"")).contains("cannot be read"));
    assert!(weights(with_header(&"[".repeat(100_000), b"")).contains("cannot be read"));
    assert!(weights(with_header("{}", b"")).contains("word_embeddings"));
    for (entry, part) in [
        (json!({"dtype": "F32", "shape": [1_u64 << 60, 1_u64 << 60], "data_offsets": [0, 8]}), "no room"),
        (json!({"dtype": "F32", "shape": [1_u64 << 62], "data_offsets": [0, 0]}), "no room"),
        (json!({"dtype": "F32", "shape": [2], "data_offsets": [8, 0]}), "no room"),
        (json!({"dtype": "F32", "shape": [2], "data_offsets": [0, 4]}), "no room"),
        (json!({"dtype": "F32", "shape": [2], "data_offsets": [8, 16]}), "no room"),
        (json!({"dtype": "F32", "shape": [1], "data_offsets": [4, 8]}), "gaps"),
        (json!({"dtype": "Q4", "shape": [2], "data_offsets": [0, 8]}), "as Q4"),
        (json!({"dtype": "F32", "shape": [-2], "data_offsets": [0, 8]}), "cannot be read"),
        (json!({"dtype": "F32"}), "does not say where"),
    ] {
        let text = weights(with_header(&json!({"embeddings.word_embeddings.weight": entry}).to_string(), &[0; 8]));
        assert!(text.contains(part), "{entry}: {text}");
    }
    let twice = json!({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}, "b": {"dtype": "F32", "shape": [1], "data_offsets": [4, 8]}});
    assert!(weights(with_header(&twice.to_string(), &[0; 8])).contains("overlap"));
}

#[test]
fn numbers_that_are_not_finite_are_refused() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut tiny = Tiny::bert();
        tiny.tensors.get_mut("encoder.layer.1.output.dense.weight").expect("a tensor").1[7] = bad;
        let text = refusal(|folder| tiny.write(folder));
        assert!(text.contains("encoder.layer.1.output.dense.weight holds numbers that are not finite"), "{text}");
    }
}

#[test]
fn numbers_that_are_finite_and_absurd_give_zeros_and_no_nonsense() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut tiny = Tiny::bert();
    for (_, numbers) in tiny.tensors.values_mut() {
        numbers.fill(f32::MAX);
    }
    tiny.write(folder.path());
    let vectors = open(folder.path()).expect("a model").embed(Role::Query, &["the cat"]).expect("vectors");
    assert!(vectors[0].iter().all(|component| component.is_finite()), "{vectors:?}");
}

#[test]
fn a_tokenizer_of_another_model_or_of_none_is_refused() {
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut tokenizer: Value = serde_json::from_str(TOKENIZER).expect("JSON");
        change(&mut tokenizer);
        refusal(|folder| write(folder, "tokenizer.json", tokenizer.to_string()))
    };
    assert!(changed(&|file| file["model"]["vocab"]["more"] = json!(100)).contains("has token 100"));
    assert!(changed(&|file| file["model"]["vocab"]["more"] = json!(u32::MAX)).contains("has token 4294967295"));
    assert!(changed(&|file| file["post_processor"]["special_tokens"]["[CLS]"]["ids"] = json!([5_000])).contains("makes no tokens, or other ones"));
    assert!(changed(&|file| file["model"]["vocab"] = json!({})).contains("tokenizer.json"));
    assert!(changed(&|file| file["model"]["type"] = json!("Magic")).contains("tokenizer.json"));
    assert!(
        changed(&|file| file["post_processor"]["single"] = json!(vec![json!({"SpecialToken": {"id": "[CLS]", "type_id": 0}}); 1_000]))
            .contains("tokenizer.json")
    );
    for text in ["", "{}", "null", "\u{0}"] {
        assert!(refusal(|folder| write(folder, "tokenizer.json", text)).contains("tokenizer.json"));
    }
    assert!(refusal(|folder| write(folder, "tokenizer.json", "[".repeat(1 << 20))).contains("tokenizer.json"));
}

#[test]
fn a_recipe_that_is_not_understood_is_refused_rather_than_half_followed() {
    for (name, value, part) in [
        ("modules.json", json!([{"path": "2_Dense", "type": "sentence_transformers.models.Dense"}]), "\"Dense\""),
        ("modules.json", json!([{"path": "../other", "type": "sentence_transformers.models.Pooling"}]), "no name"),
        ("modules.json", json!([{"path": "0_Transformer", "type": "sentence_transformers.models.Transformer"}]), "name that folder"),
        ("1_Pooling/config.json", json!({"pooling_mode_max_tokens": true}), "neither the mean nor the first"),
        ("1_Pooling/config.json", json!({"pooling_mode_mean_tokens": true, "pooling_mode_cls_token": true}), "neither the mean nor the first"),
        ("1_Pooling/config.json", json!({"pooling_mode_mean_tokens": true, "word_embedding_dimension": 64}), "different models"),
        ("sentence_bert_config.json", json!({"max_seq_length": 0}), "too short"),
        ("config_sentence_transformers.json", json!({"prompts": {"query": "x".repeat(3_000)}}), "more than 2000 bytes"),
    ] {
        let text = refusal(|folder| write(folder, name, value.to_string()));
        assert!(text.contains(part), "{name} {value}: {text}");
    }
}

#[cfg(unix)]
#[test]
fn pipes_and_links_to_nowhere_are_refused_and_links_to_files_are_followed() {
    for name in ["config.json", "tokenizer.json", "model.safetensors", "modules.json"] {
        let text = refusal(|folder| {
            fs::remove_file(folder.join(name)).expect("it was there");
            let made = std::process::Command::new("mkfifo").arg(folder.join(name)).status().expect("mkfifo");
            assert!(made.success());
        });
        assert!(text.contains(&format!("{name} is not a regular file")), "{text}");
        let link = |target: &'static str| {
            refusal(|folder| {
                fs::remove_file(folder.join(name)).expect("it was there");
                std::os::unix::fs::symlink(target, folder.join(name)).expect("a link");
            })
        };
        assert!(link("/dev/zero").contains("is not a regular file"));
        assert!(link("nowhere").contains("cannot be read"));
        assert!(link(name).contains("cannot be read"), "a link to itself");
    }
    // As in the cache of the model hub.
    let folder = tempfile::tempdir().expect("a folder");
    Tiny::bert().write(folder.path());
    let file = folder.path().join("model.safetensors");
    fs::rename(&file, folder.path().join("blob")).expect("renamed");
    std::os::unix::fs::symlink("blob", &file).expect("a link");
    assert!(open(folder.path()).is_ok());
}
