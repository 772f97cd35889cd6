//! `fetched.json`: by what the mirror asks its site only for what has changed. Written after the manifest; without it everything is asked for.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value as Json, json};

use crate::fetch::Validators;

/// Its name in the mirror.
pub(super) const STATE: &str = "fetched.json";

/// What is known of the last refresh that succeeded.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct State {
    /// The site. What was fetched from another one says nothing of this one.
    pub(super) address: String,
    /// Validators of `decisions.json`, and the stamp of the copy in the mirror.
    pub(super) index: Validators,
    pub(super) index_stamp: String,
    /// Validators of `llms.txt`.
    pub(super) llms: Validators,
    /// Validators of copies, by id, where the file in the mirror is made from them.
    pub(super) copies: BTreeMap<String, Validators>,
    /// Ids whose file in the mirror is not what the site has: asked for again at each refresh.
    pub(super) pending: BTreeSet<String>,
    /// Those of them that have never had their text.
    pub(super) textless: BTreeSet<String>,
}

impl State {
    /// The state of the mirror of the site at `address`; the empty one where `bytes` are none of it.
    pub(super) fn read(bytes: &[u8], address: &str) -> Self {
        let fresh = || Self { address: address.to_owned(), ..Self::default() };
        let Ok(json) = serde_json::from_slice::<Json>(bytes) else { return fresh() };
        let text = |name: &str| json.get(name).and_then(Json::as_str).map(str::to_owned);
        if text("address").as_deref() != Some(address) {
            return fresh();
        }
        let of = |name: &str| json.get(name).map(validators).unwrap_or_default();
        let copies = json.get("copies").and_then(Json::as_object).into_iter().flatten();
        let ids = |name: &str| {
            let ids = json.get(name).and_then(Json::as_array).into_iter().flatten();
            ids.filter_map(|id| id.as_str().map(str::to_owned)).collect()
        };
        Self {
            address: address.to_owned(),
            index: of("index"),
            index_stamp: text("indexStamp").unwrap_or_default(),
            llms: of("llms"),
            copies: copies.map(|(id, json)| (id.clone(), validators(json))).collect(),
            pending: ids("pending"),
            textless: ids("textless"),
        }
    }

    /// The text of `fetched.json`.
    pub(super) fn write(&self) -> String {
        let copies: Map<String, Json> = self.copies.iter().map(|(id, validators)| (id.clone(), json_of(validators))).collect();
        let json = json!({
            "address": self.address,
            "index": json_of(&self.index),
            "indexStamp": self.index_stamp,
            "llms": json_of(&self.llms),
            "copies": copies,
            "pending": self.pending,
            "textless": self.textless,
        });
        format!("{json}\n")
    }
}

fn validators(json: &Json) -> Validators {
    let text = |name: &str| json.get(name).and_then(Json::as_str).map(str::to_owned);
    Validators { etag: text("etag"), last_modified: text("lastModified") }
}

fn json_of(validators: &Validators) -> Json {
    json!({ "etag": validators.etag, "lastModified": validators.last_modified })
}
