//! Which methods a peer of each era may know: the SDK turns a known method with malformed parameters into an unknown one.

/// Methods that both eras have.
const SHARED: &[&str] = &[
    "completion/complete",
    "prompts/get",
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "tools/call",
    "tools/list",
];

/// Methods that only peers with a handshake have.
const LEGACY: &[&str] = &["initialize", "logging/setLevel", "ping", "resources/subscribe", "resources/unsubscribe"];

/// Methods that only the stateless era has.
const MODERN: &[&str] = &["server/discover", "subscriptions/listen"];

/// Whether the method exists in the era, so that a request which could not be read has bad parameters rather than a bad name.
pub(super) fn is_known(method: &str, is_modern: bool) -> bool {
    SHARED.contains(&method) || if is_modern { MODERN.contains(&method) } else { LEGACY.contains(&method) }
}
