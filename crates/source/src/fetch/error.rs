//! What can go wrong between ibid and a site, each with the address that was asked for and the way on.

use std::time::Duration;

/// Why a site gave no answer that can be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// The whole answer did not come in time.
    #[error("{address} did not answer within {}", shown(*.patience))]
    TimedOut {
        /// The address.
        address: String,
        /// How long it was waited for.
        patience: Duration,
    },
    /// Nobody knows the host.
    #[error("{address} cannot be reached: there is no host of that name. Check the address, and whether this machine is on the network.")]
    NoSuchHost {
        /// The address.
        address: String,
    },
    /// Nothing answers there.
    #[error("{address} cannot be reached: {reason}. Check the address, and whether the site is up.")]
    Unreachable {
        /// The address.
        address: String,
        /// What the system said.
        reason: String,
    },
    /// The connection cannot be trusted.
    #[error("{address} has no connection that can be trusted: {reason}. It must speak https, with a certificate that this system accepts.")]
    Untrusted {
        /// The address.
        address: String,
        /// What the TLS library said.
        reason: String,
    },
    /// The connection broke off, or what came is no HTTP.
    #[error("{address} broke off its answer: {reason}. Try again.")]
    BrokenOff {
        /// The address.
        address: String,
        /// What the HTTP library said.
        reason: String,
    },
    /// There is more than may be.
    #[error("{address} answers with more than {limit_bytes} bytes, which is the limit.")]
    TooLarge {
        /// The address.
        address: String,
        /// The limit in bytes, after decompression.
        limit_bytes: usize,
    },
    /// It wants to know who asks.
    #[error("{address} needs a token (it answered {status}): set IBID_SITE_TOKEN, or name a variable with `token_variable`.")]
    NeedsToken {
        /// The address.
        address: String,
        /// 401 or 403.
        status: u16,
    },
    /// It does not let this token in.
    #[error("{address} refuses the token (it answered {status}): it may have expired, or not be meant for this site.")]
    TokenRefused {
        /// The address.
        address: String,
        /// 401 or 403.
        status: u16,
    },
    /// It does not have it.
    #[error("{address} is not there (it answered {status}). Is the address right, with the base path below which the site is published?")]
    NotThere {
        /// The address.
        address: String,
        /// 404 or 410.
        status: u16,
    },
    /// It answered with a page for people.
    #[error("{address} answered with a page for people. Is the address right, with its base path, and does the site want a sign-in?")]
    IsAPage {
        /// The address.
        address: String,
    },
    /// It answered with another status.
    #[error("{address} answered {status}. {}", if *.status >= 500 || *.status == 429 { "Try again later." } else { "Check the address." })]
    Status {
        /// The address.
        address: String,
        /// The status.
        status: u16,
    },
    /// It sends us to somebody else.
    #[error("{address} redirects to {to}, which is another site. If that is the right one, give its address.")]
    LeadsAway {
        /// The address.
        address: String,
        /// Scheme, host and port of the other one, without path and query.
        to: String,
    },
    /// It sends us on and on.
    #[error("{address} redirects again and again.")]
    RedirectsWithoutEnd {
        /// The address.
        address: String,
    },
    /// It sends us nowhere.
    #[error("{address} redirects without saying where to.")]
    RedirectsNowhere {
        /// The address.
        address: String,
    },
    /// A part of the path cannot be asked for.
    #[error("`{path}` is no path below the site.")]
    BadPath {
        /// The path.
        path: String,
    },
    /// A token would be sent so that others can read it.
    #[error("{address} is no https address, and a token is sent over https only. Use its https address, or no token.")]
    TokenInClear {
        /// The site's address.
        address: String,
    },
    /// The token holds what no header may hold.
    #[error("The token for {address} holds characters that cannot be sent. Is it whole, on one line, without blanks?")]
    BadToken {
        /// The site's address.
        address: String,
    },
    /// There is no client that could ask.
    #[error("{address} cannot be asked: {reason}.")]
    NoClient {
        /// The site's address.
        address: String,
        /// What is missing, such as the system's certificates.
        reason: String,
    },
}

/// `10s`, or `200ms` where it is no whole number of seconds.
fn shown(patience: Duration) -> String {
    if patience.subsec_millis() == 0 { format!("{}s", patience.as_secs()) } else { format!("{}ms", patience.as_millis()) }
}

/// What a failed exchange comes to, by what caused it.
pub(super) fn of(error: &reqwest::Error, address: &str) -> FetchError {
    let address = address.to_owned();
    let mut reason = String::new();
    let mut cause: Option<&(dyn std::error::Error + 'static)> = std::error::Error::source(error);
    while let Some(error) = cause {
        reason = error.to_string();
        if let Some(tls) = of_tls(error) {
            return FetchError::Untrusted { address, reason: tls.to_string() };
        }
        cause = error.source();
    }
    let reason = reason.split(" (os error").next().unwrap_or_default().to_lowercase();
    let reason = if reason.is_empty() { "the request failed".to_owned() } else { reason };
    if error.is_builder() {
        return FetchError::NoClient { address, reason };
    }
    if error.is_dns() {
        return FetchError::NoSuchHost { address };
    }
    if error.is_connect() { FetchError::Unreachable { address, reason } } else { FetchError::BrokenOff { address, reason } }
}

/// The TLS library's own error, out of the system errors that wrap it: those do not name it as their source.
fn of_tls<'a>(error: &'a (dyn std::error::Error + 'static)) -> Option<&'a rustls::Error> {
    error.downcast_ref::<rustls::Error>().or_else(|| of_tls(error.downcast_ref::<std::io::Error>()?.get_ref()?))
}
