//! A server that speaks the embeddings half of OpenAI's interface: Ollama, LM Studio, OpenAI and others.

mod address;
mod answer;
mod exchange;
mod settings;

use sha2::{Digest as _, Sha256};
use tokio::runtime::{Builder, Runtime};
use tokio::time::Instant;

use crate::habits::{self, Prefixes};
use crate::{Blend, EmbedError, Model, Role};
use exchange::{Asker, Failure, Patience};

pub use settings::{EndpointSettings, Key};

/// What is asked to learn whether somebody answers.
const PROBE: &str = "Which way is up?";
/// A text of so few bytes is not refused because of its length.
const SHORT: usize = 64;

/// A server that answered once.
#[derive(Debug)]
pub struct Endpoint {
    /// Model and host, for messages.
    name: String,
    space: String,
    dimensions: usize,
    blend: Blend,
    prefixes: Prefixes,
    batch_size: usize,
    batch_characters: usize,
    timeout: std::time::Duration,
    asker: Asker,
    /// `None` only while it is dropped.
    runtime: Option<Runtime>,
}

impl Endpoint {
    /// Asks once, with a short text, to learn how many components a vector has.
    ///
    /// # Errors
    /// [`EmbedError::Unusable`] where the settings cannot be right; [`EmbedError::NoAnswer`] where nothing that can be used comes in time.
    pub fn connect(settings: &EndpointSettings) -> Result<Self, EmbedError> {
        let shown = crate::transformer::folder::shortened(&settings.model);
        let unusable = |reason: String| EmbedError::Unusable { model: format!("endpoint {shown}"), reason };
        let url = address::read(&settings.address, settings.key.is_some()).map_err(unusable)?;
        let name = format!("{shown} at {}", url.origin().ascii_serialization());
        let unusable = |reason: String| EmbedError::Unusable { model: name.clone(), reason };
        if settings.model.trim().is_empty() {
            return Err(unusable("it has no name; configure the model as the server calls it".to_owned()));
        }
        if !(1..=2_048).contains(&settings.batch_size) || settings.batch_characters == 0 || settings.timeout.is_zero() {
            return Err(unusable("one request must have 1 to 2,048 texts, at least one character, and some time".to_owned()));
        }
        if settings.dimensions.is_some_and(|dimensions| !(1..=answer::MAX_DIMENSIONS).contains(&dimensions)) {
            return Err(unusable(format!("1 to {} dimensions can be asked for", answer::MAX_DIMENSIONS)));
        }
        let runtime =
            Builder::new_current_thread().enable_all().build().map_err(|error| unusable(format!("no connections can be made ({error})")))?;
        let known = habits::prefixes(&settings.model);
        let blend = settings.blend.unwrap_or_else(|| habits::blend(&settings.model, &known));
        let prefixes = Prefixes {
            query: settings.query_prefix.clone().unwrap_or(known.query),
            passage: settings.passage_prefix.clone().unwrap_or(known.passage),
        };
        let what = format!("{url} {} {:?} {prefixes:?}", settings.model, settings.dimensions);
        let short: String = Sha256::digest(what).iter().take(6).map(|byte| format!("{byte:02x}")).collect();
        let mut endpoint = Self {
            name: name.clone(),
            space: String::new(),
            dimensions: 0,
            blend,
            prefixes,
            batch_size: settings.batch_size,
            batch_characters: settings.batch_characters,
            timeout: settings.timeout,
            asker: Asker::new(url, settings.clone()).map_err(unusable)?,
            runtime: Some(runtime),
        };
        let patience = endpoint.patience(Role::Query);
        let vectors = endpoint.block_on(async |endpoint| endpoint.once(&[PROBE], patience).await.map_err(reason))?;
        endpoint.dimensions = vectors.first().map_or(0, Vec::len);
        endpoint.space = format!("endpoint-{}-{}-{short}", habits::file_name(&settings.model), endpoint.dimensions);
        Ok(endpoint)
    }

    /// A person waits for a question, and has words in any case; passages are embedded in the background.
    fn patience(&self, role: Role) -> Patience {
        match role {
            Role::Query => Patience { attempts: 2, until: Instant::now() + self.timeout },
            Role::Passage => Patience { attempts: 5, until: Instant::now() + self.timeout * 3 },
        }
    }

    fn block_on<T>(&self, work: impl AsyncFnOnce(&Self) -> Result<T, String>) -> Result<T, EmbedError> {
        let done = match &self.runtime {
            Some(runtime) => runtime.block_on(work(self)),
            None => Err("it is being closed".to_owned()),
        };
        done.map_err(|reason| EmbedError::NoAnswer { model: self.name.clone(), reason })
    }

    /// One request, with its repetitions.
    async fn once(&self, texts: &[&str], patience: Patience) -> Result<Vec<Vec<f32>>, Failure> {
        let body = self.asker.ask(texts, patience).await?;
        let dimensions = (self.dimensions > 0).then_some(self.dimensions);
        let mut vectors = answer::read(&body, texts.len(), dimensions).map_err(|what| Failure::Failed(format!("it answered {what}")))?;
        vectors.iter_mut().for_each(|vector| habits::normalise(vector));
        Ok(vectors)
    }

    /// Texts that fit one request. If they are refused, the one that is at fault is found by halving them, and then halved itself.
    async fn batch(&self, texts: &[&str], role: Role) -> Result<Vec<Vec<f32>>, String> {
        let mut vectors = Vec::with_capacity(texts.len());
        let mut waiting = vec![texts.to_vec()];
        while let Some(now) = waiting.pop() {
            let refused = match self.once(&now, self.patience(role)).await {
                Ok(made) => {
                    vectors.extend(made);
                    continue;
                }
                Err(Failure::Refused(reason)) => reason,
                Err(Failure::Failed(reason)) => return Err(reason),
            };
            match now.as_slice() {
                [text] if text.len() > SHORT => waiting.push(vec![&text[..text.floor_char_boundary(text.len() / 2)]]),
                [_] => {
                    // Is it this text, or does the server refuse everything?
                    self.once(&[PROBE], self.patience(role)).await.map_err(|_| refused)?;
                    tracing::warn!(model = self.name, "the endpoint refuses a short text, which gets no vector");
                    vectors.push(vec![0.0; self.dimensions]);
                }
                several => {
                    let (first, second) = several.split_at(several.len() / 2);
                    waiting.extend([second.to_vec(), first.to_vec()]);
                }
            }
        }
        Ok(vectors)
    }
}

fn reason(failure: Failure) -> String {
    match failure {
        Failure::Refused(reason) | Failure::Failed(reason) => reason,
    }
}

impl Model for Endpoint {
    fn space(&self) -> &str {
        &self.space
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn is_instant(&self) -> bool {
        false
    }

    fn blend(&self) -> Blend {
        self.blend
    }

    fn embed(&self, role: Role, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let mut vectors = vec![vec![0.0; self.dimensions]; texts.len()];
        // Servers refuse empty texts.
        let full: Vec<(usize, String)> = texts
            .iter()
            .enumerate()
            .filter(|(_, text)| text.chars().any(|character| !character.is_whitespace() && !character.is_control()))
            .map(|(index, text)| (index, self.prefixes.before(role, text)))
            .collect();
        let mut rest = full.as_slice();
        while !rest.is_empty() {
            let mut characters = 0;
            let fits = rest.iter().take(self.batch_size).take_while(|(_, text)| {
                characters += text.chars().count();
                characters <= self.batch_characters
            });
            let (now, later) = rest.split_at(fits.count().max(1));
            let batch: Vec<&str> = now.iter().map(|(_, text)| text.as_str()).collect();
            let made = self.block_on(async |endpoint| endpoint.batch(&batch, role).await)?;
            for ((index, _), vector) in now.iter().zip(made) {
                vectors[*index] = vector;
            }
            rest = later;
        }
        Ok(vectors)
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        // Whoever drops it may stand inside of another runtime, where waiting for this one is not allowed.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
