//! The published set of the library, kept until something of it changes: whoever mirrors a site asks for its list again and again.

use std::sync::{Arc, OnceLock};

use axum::body::Bytes;
use document::Stamp;
use engine::Desk;
use engine::decisions::publish::{Place, Published, published, version};
use tokio::sync::Mutex;

/// How many sets are kept: one for each name under which the site is reached, and for few names.
const KEPT: usize = 2;

/// A set with the files that were made of it.
pub(crate) struct Kept {
    version: String,
    place: Place,
    pub(crate) set: Published,
    list: OnceLock<(Bytes, Stamp)>,
    full_stamp: OnceLock<Stamp>,
}

impl Kept {
    /// `decisions.json` with its stamp.
    pub(crate) fn list(&self) -> (Bytes, Stamp) {
        let make = || {
            let text = self.set.decisions_json();
            let stamp = Stamp::of(text.as_bytes());
            (Bytes::from(text), stamp)
        };
        self.list.get_or_init(make).clone()
    }

    /// The stamp of `llms-full.txt`.
    pub(crate) fn full_stamp(&self) -> Stamp {
        self.full_stamp.get_or_init(|| self.set.llms_full_stamp()).clone()
    }
}

/// The sets that were asked for last.
#[derive(Default)]
pub(crate) struct Shelf {
    kept: Mutex<Vec<Arc<Kept>>>,
}

impl Shelf {
    /// The set as it is now. Those who ask at the same time share one making.
    pub(crate) async fn get(&self, desk: &Desk, place: Place) -> engine::Result<Arc<Kept>> {
        let mut kept = self.kept.lock().await;
        // Asked for before the set is made: what changes in between is in the set, and at the next call the version is another.
        let version = version(desk).await?;
        if let Some(found) = kept.iter().find(|kept| kept.version == version && kept.place == place) {
            return Ok(Arc::clone(found));
        }
        let set = published(desk, place.clone()).await?;
        let made = Arc::new(Kept { version, place, set, list: OnceLock::new(), full_stamp: OnceLock::new() });
        kept.retain(|other| other.version == made.version && other.place != made.place);
        kept.truncate(KEPT - 1);
        kept.push(Arc::clone(&made));
        Ok(made)
    }
}
