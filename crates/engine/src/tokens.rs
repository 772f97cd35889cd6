//! Tokens: the owner's, kept in a file that only the owner can read, and named ones, of which the store keeps only a hash.

use std::path::PathBuf;

use document::Stamp;
use store::{Operation, Store, TokenRow};
use subtle::ConstantTimeEq as _;

use crate::state::write_private;
use crate::{Caller, Clock, Error, ErrorKind, Result, StateFolder};

/// A token that was just made. Its text is shown once and kept nowhere in readable form, the owner's excepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewToken {
    /// Its name.
    pub name: String,
    /// The secret.
    pub secret: String,
}

/// Checks and makes tokens.
#[derive(Clone)]
pub struct Tokens {
    store: Store,
    owner: String,
    owner_path: PathBuf,
    /// Whether the owner's token was made by this start.
    pub is_new: bool,
}

impl Tokens {
    /// Opens the tokens of a library; makes the owner's token when there is none.
    ///
    /// # Errors
    /// The token file cannot be read or written, or others than its owner may read it.
    pub fn open(state: &StateFolder, store: Store) -> Result<Self> {
        let owner_path = state.root().join("owner-token");
        let fail =
            |error: std::io::Error| Error::new(ErrorKind::Unreachable, format!("The token file {} cannot be used: {error}.", owner_path.display()));
        let (owner, is_new) = match std::fs::read_to_string(&owner_path) {
            Ok(text) if text.trim().len() >= 32 => (text.trim().to_owned(), false),
            Ok(_) => (make_secret()?, true),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => (make_secret()?, true),
            Err(error) => return Err(fail(error)),
        };
        if is_new {
            write_private(&owner_path, &format!("{owner}\n")).map_err(fail)?;
        } else {
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt as _;
                let mode = std::fs::metadata(&owner_path).map_err(fail)?.permissions().mode();
                if mode & 0o077 != 0 {
                    let message = format!("The token file {} can be read by others than its owner.", owner_path.display());
                    return Err(Error::new(ErrorKind::Refused, message).hint(format!("Run: chmod 600 {}", owner_path.display())));
                }
            }
        }
        Ok(Self { store, owner, owner_path, is_new })
    }

    /// The owner's token.
    #[must_use]
    pub fn owner_secret(&self) -> &str {
        &self.owner
    }

    /// Where the owner's token lies.
    #[must_use]
    pub fn owner_path(&self) -> &std::path::Path {
        &self.owner_path
    }

    /// Who holds this token; `None` when nobody does. Compares in constant time.
    ///
    /// # Errors
    /// The store cannot be read.
    pub async fn caller(&self, secret: &str) -> Result<Option<Caller>> {
        let hash = hash(secret);
        // Both sides are hashed first, so that not even the length of the secret shows in the time taken.
        if bool::from(hash.as_bytes().ct_eq(self::hash(&self.owner).as_bytes())) {
            return Ok(Some(Caller::owner()));
        }
        let mut found = None;
        for row in self.store.tokens().await? {
            if bool::from(hash.as_bytes().ct_eq(row.hash.as_bytes())) {
                found = Some(Caller::token(row.name));
            }
        }
        Ok(found)
    }

    /// Makes a named token that may read.
    ///
    /// # Errors
    /// The name is taken or empty, or the store cannot be written.
    pub async fn add(&self, name: &str, clock: Clock) -> Result<NewToken> {
        let is_word =
            !name.is_empty() && name.len() <= 64 && name.chars().all(|character| character.is_ascii_alphanumeric() || "-_.@".contains(character));
        if !is_word || name == "owner" {
            return Err(
                Error::bad_input(format!("\"{name}\" cannot name a token.")).hint("Use 1 to 64 letters, digits, - _ . or @, but not \"owner\".")
            );
        }
        if self.store.tokens().await?.iter().any(|row| row.name == name) {
            return Err(Error::new(ErrorKind::Conflict, format!("There is a token named \"{name}\" already."))
                .hint(format!("Remove it first: ibid token remove {name}")));
        }
        let secret = make_secret()?;
        let row = TokenRow {
            name: name.to_owned(),
            hash: hash(&secret),
            scopes: "{\"read\":true}".to_owned(),
            created_ms: clock.now_ms(),
            last_used_ms: None,
        };
        self.store.put_token(&row).await?;
        self.log("token add", name, clock).await?;
        Ok(NewToken { name: name.to_owned(), secret })
    }

    /// Who may come in is a write that somebody will ask about later. The secret is no part of the line.
    async fn log(&self, action: &str, name: &str, clock: Clock) -> Result<()> {
        let operation = Operation {
            time_ms: clock.now_ms(),
            principal: Caller::owner().name,
            action: action.to_owned(),
            target: name.to_owned(),
            outcome: "done".to_owned(),
            detail: None,
        };
        Ok(self.store.log_operation(&operation).await?)
    }

    /// Names and times of making of all named tokens.
    ///
    /// # Errors
    /// The store cannot be read.
    pub async fn list(&self) -> Result<Vec<TokenRow>> {
        Ok(self.store.tokens().await?)
    }

    /// Removes a named token; its holder is refused from the next request on.
    ///
    /// # Errors
    /// There is no such token, or the store cannot be written.
    pub async fn remove(&self, name: &str, clock: Clock) -> Result<()> {
        if self.store.remove_token(name).await? {
            self.log("token remove", name, clock).await
        } else {
            Err(Error::new(ErrorKind::NotFound, format!("No token is named \"{name}\".")).hint("See: ibid token list"))
        }
    }
}

fn hash(secret: &str) -> String {
    Stamp::of(secret.as_bytes()).as_str()["sha256:".len()..].to_owned()
}

/// 256 random bits from the operating system, with a prefix by which secret scanners can know them.
fn make_secret() -> Result<String> {
    use std::fmt::Write as _;
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes).map_err(|error| Error::new(ErrorKind::Unreachable, format!("The system gives no random numbers: {error}.")))?;
    let mut secret = String::from("ibid_");
    for byte in bytes {
        let _ = write!(secret, "{byte:02x}");
    }
    Ok(secret)
}

#[cfg(test)]
mod tests {
    use super::Tokens;
    use crate::{Clock, StateFolder};
    use store::Store;

    #[tokio::test]
    async fn who_may_come_in_is_logged_without_the_secret() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&format!("sqlite:{}", folder.path().join("store.db").display())).await.unwrap();
        let tokens = Tokens::open(&StateFolder::at(folder.path()).unwrap(), store.clone()).unwrap();
        let made = tokens.add("ci", Clock::Fixed(1_000)).await.unwrap();
        assert_eq!(tokens.caller(&made.secret).await.unwrap().unwrap().name, "ci");
        tokens.remove("ci", Clock::Fixed(2_000)).await.unwrap();
        assert_eq!(tokens.caller(&made.secret).await.unwrap(), None);
        let logged = store.operations(9).await.unwrap();
        let seen: Vec<(&str, &str)> = logged.iter().map(|line| (line.action.as_str(), line.target.as_str())).collect();
        assert_eq!(seen, [("token remove", "ci"), ("token add", "ci")]);
        assert!(logged.iter().all(|line| !format!("{line:?}").contains(&made.secret)));
    }
}
