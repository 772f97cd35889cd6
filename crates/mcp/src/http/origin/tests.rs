//! Names that are ours and names that only look like it.

use super::*;

fn rules() -> HostRules {
    HostRules { hosts: vec!["ibid.example.org".into(), "team.example.org:8443".into()], origins: vec!["https://notes.example.org".into()] }
}

#[test]
fn loopback_is_allowed_on_any_port() {
    for host in ["localhost", "LOCALHOST:1", "127.0.0.1:8123", "127.0.0.53", "[::1]:9", "[::1]"] {
        assert!(rules().allows_authority(host), "{host}");
    }
}

#[test]
fn names_that_only_look_like_loopback_are_foreign() {
    for host in ["localhost.evil.example", "127.0.0.1.evil.example", "evil.example:127", "0.0.0.0", "2130706433", "192.168.1.4", "localhost."] {
        assert!(!rules().allows_authority(host), "{host}");
    }
}

#[test]
fn configured_hosts_may_fix_a_port() {
    assert!(rules().allows_authority("ibid.example.org:443"));
    assert!(rules().allows_authority("team.example.org:8443"));
    assert!(!rules().allows_authority("team.example.org"));
    assert!(!rules().allows_authority("team.example.org:8444"));
}

#[test]
fn origins_follow_the_hosts_and_may_be_named() {
    for origin in ["http://localhost:5173", "https://ibid.example.org", "https://notes.example.org", "http://[::1]:3000"] {
        assert!(rules().allows_origin(origin), "{origin}");
    }
    for origin in
        ["null", "http://evil.example", "file://localhost", "http://localhost@evil.example", "http://localhost/evil", "https://notes.example.org:1"]
    {
        assert!(!rules().allows_origin(origin), "{origin}");
    }
}
