//! What stands around every page: name of the library, ways around, search box, freshness, who is signed in.

use crate::site::Site;
use crate::{assets, shown};

/// The frame of a page.
pub(crate) struct Chrome {
    /// Name of the library; not shown to strangers.
    pub(crate) library: Option<String>,
    /// Version of ibid; not shown to strangers.
    pub(crate) version: String,
    /// Who is signed in, where signing in is asked for.
    pub(crate) signed_in_as: Option<String>,
    /// Why the page may be older than the files.
    pub(crate) stale_reason: Option<String>,
    /// What the search box holds.
    pub(crate) query: String,
    /// Path of the way that is marked as the current one.
    pub(crate) here: &'static str,
    pub(crate) style: &'static str,
    pub(crate) mark: &'static str,
}

/// Ways that stand on top of every page, with what they are called.
const WAYS: [(&str, &str); 4] = [("/", "Home"), ("/records", "Records"), ("/problems", "Problems"), ("/guide", "Guide")];

impl Chrome {
    /// The frame for somebody who is in.
    pub(crate) fn inside(site: &Site, caller: &str) -> Self {
        Self {
            library: Some(shown::plain(&site.options.library.config().name)),
            version: site.options.version.clone(),
            signed_in_as: site.options.require_sign_in.then(|| caller.to_owned()),
            ..Self::outside()
        }
    }

    /// The frame for strangers: it tells nothing.
    pub(crate) fn outside() -> Self {
        Self {
            library: None,
            version: String::new(),
            signed_in_as: None,
            stale_reason: None,
            query: String::new(),
            here: "",
            style: assets::style_path(),
            mark: assets::mark_path(),
        }
    }

    /// The same frame on the page of that path.
    pub(crate) fn at(mut self, path: &'static str) -> Self {
        self.here = path;
        self
    }

    /// The ways around: path, name, and whether it is the current one.
    pub(crate) fn ways(&self) -> impl Iterator<Item = (&'static str, &'static str, bool)> {
        let here = self.here;
        WAYS.into_iter().map(move |(path, name)| (path, name, path == here))
    }
}
