//! Where the requests go: a base address becomes that of the embeddings, and secrets are kept out of it and of the open.

use reqwest::Url;

/// The longest address that is accepted, in bytes.
const MAX_LENGTH: usize = 2_000;

/// Reads an address: a base, with or without `/v1`, or the whole address that ends in `/embeddings`.
///
/// # Errors
/// A sentence that says what is wrong with it, without repeating it: it may hold a secret.
pub(super) fn read(address: &str, has_key: bool) -> Result<Url, String> {
    let address = address.trim();
    let is_strange = address.len() > MAX_LENGTH || address.chars().any(|character| character.is_control() || character.is_whitespace());
    let mut url = Url::parse(address)
        .ok()
        .filter(|url| !is_strange && matches!(url.scheme(), "http" | "https") && url.has_host())
        .ok_or("its address must begin with http:// or https:// and name a host, such as http://localhost:11434")?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err("its address must hold no user name and no password; a key goes into a variable".to_owned());
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err("its address must have no `?` and no `#`".to_owned());
    }
    let is_here = url.host_str().is_some_and(|host| {
        host == "localhost" || host.trim_matches(['[', ']']).parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
    });
    if has_key && url.scheme() == "http" && !is_here {
        return Err("its key could be read by others on the way; use https".to_owned());
    }
    let path = url.path().trim_end_matches('/');
    let path = if path.ends_with("/embeddings") {
        path.to_owned()
    } else if path.ends_with("/v1") {
        format!("{path}/embeddings")
    } else {
        format!("{path}/v1/embeddings")
    };
    url.set_path(&path);
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_base_may_end_anywhere_on_the_way_to_the_embeddings() {
        for (given, address) in [
            ("http://localhost:11434", "http://localhost:11434/v1/embeddings"),
            ("http://localhost:1234/v1/", "http://localhost:1234/v1/embeddings"),
            ("https://api.example.com/v1/embeddings", "https://api.example.com/v1/embeddings"),
            ("https://example.com/llm//", "https://example.com/llm/v1/embeddings"),
            ("https://example.com/beta/openai/embeddings/", "https://example.com/beta/openai/embeddings"),
        ] {
            assert_eq!(read(given, false).map(String::from).as_deref(), Ok(address), "{given}");
        }
    }

    #[test]
    fn what_is_no_address_or_gives_a_secret_away_is_refused() {
        for given in ["", "localhost:11434", "ftp://example.com", "file:///etc/passwd", "http://", "http://a b/"] {
            assert!(read(given, false).is_err(), "{given}");
        }
        let error = read("https://me:s3cret@example.com", false).expect_err("a password");
        assert!(!error.contains("s3cret"), "{error}");
        assert!(read("http://example.com", true).is_err());
        assert!(read("http://127.0.0.1:1234", true).is_ok());
        assert!(read("http://[::1]:1234", true).is_ok());
    }
}
