//! A real library in a folder of its own: files, store, index, product. What every answer must be is checked on every call.

use std::path::PathBuf;

use engine::config::{self, Sources};
use engine::{Caller, Clock, Library, OpenOptions, StateFolder};
use mcp::Product;
use mcp::surface::{self, CompletionCall, CompletionTarget, ContentsBody, ProtocolError, Surface, ToolContent, Visitor};
use serde_json::{Map, Value, json};
use tempfile::TempDir;

/// What the last call came to.
enum Outcome {
    Answer { value: Value, text: String },
    Failure(Value),
}

/// A library and its last answer.
pub struct World {
    folder: TempDir,
    state: TempDir,
    clock: Clock,
    product: Option<Product>,
    last: Option<Outcome>,
}

impl World {
    pub fn new(today: Option<&str>) -> Self {
        let clock = today.map_or(Clock::System, |today| {
            let noon: jiff::Timestamp = format!("{today}T12:00:00Z").parse().expect("today is a date");
            Clock::Fixed(noon.as_millisecond())
        });
        Self { folder: TempDir::new().unwrap(), state: TempDir::new().unwrap(), clock, product: None, last: None }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    pub fn write(&mut self, path: &str, text: &str) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub fn delete(&mut self, path: &str) {
        std::fs::remove_file(self.path(path)).unwrap();
    }

    /// Opened by the first call, with `ibid.toml` where the case has one, else over the folder `decisions`.
    async fn open(&mut self) -> Result<(), String> {
        if self.product.is_some() {
            return Ok(());
        }
        let mut sources = Sources { start: self.folder.path().to_path_buf(), ..Sources::default() };
        if self.path("user").is_dir() {
            sources.user_folder = Some(self.path("user"));
        }
        if !self.path("ibid.toml").is_file() {
            sources.paths = vec![self.path("decisions")];
        }
        let config = config::load(&sources).map_err(|error| error.to_string())?;
        let state = StateFolder::at(self.state.path()).map_err(|error| error.to_string())?;
        let mut options = OpenOptions::new(config, state);
        options.clock = self.clock;
        let library = Library::open(options).await.map_err(|error| error.to_string())?;
        self.product = Some(Product::new(library, Some("https://ibid.example".to_owned())));
        Ok(())
    }

    /// Calls a tool, or a method whose name holds a slash.
    pub async fn call(&mut self, what: &str, mut arguments: Value) -> Result<(), String> {
        self.open().await?;
        self.fill_in(&mut arguments);
        let product = self.product.as_ref().expect("just opened");
        let outcome = if what.contains('/') { method(product, what, &arguments).await } else { tool(product, what, &arguments).await? };
        self.last =
            Some(outcome.unwrap_or_else(|error| Outcome::Failure(json!({ "code": error.code, "message": error.message, "data": error.data }))));
        Ok(())
    }

    /// `"{next_cursor}"` is what the last answer said.
    fn fill_in(&self, arguments: &mut Value) {
        let Some(Outcome::Answer { value, .. }) = &self.last else { return };
        for argument in arguments.as_object_mut().into_iter().flat_map(Map::values_mut) {
            let name = argument.as_str().and_then(|text| text.strip_prefix('{')).and_then(|text| text.strip_suffix('}'));
            if let Some(said) = name.and_then(|name| value.get(name)) {
                *argument = said.clone();
            }
        }
    }

    pub fn answer(&self) -> Result<&Value, String> {
        match &self.last {
            Some(Outcome::Answer { value, .. }) => Ok(value),
            Some(Outcome::Failure(failure)) => Err(format!("the call failed: {failure:#}")),
            None => Err("there was no call".to_owned()),
        }
    }

    pub fn failure(&self) -> Result<&Value, String> {
        match &self.last {
            Some(Outcome::Failure(failure)) => Ok(failure),
            Some(Outcome::Answer { value, .. }) => Err(format!("the call did not fail: {value:#}")),
            None => Err("there was no call".to_owned()),
        }
    }

    pub fn text(&self) -> Result<&str, String> {
        match &self.last {
            Some(Outcome::Answer { text, .. }) => Ok(text),
            _ => self.answer().map(|_| ""),
        }
    }
}

/// Calls a tool and checks what holds for every answer of every tool.
async fn tool(product: &Product, name: &str, arguments: &Value) -> Result<Result<Outcome, ProtocolError>, String> {
    let arguments = arguments.as_object().cloned().ok_or("arguments are an object")?;
    let answer = match product.call(name, arguments, Caller::owner()).await {
        Ok(answer) => answer,
        Err(error) => return Ok(Err(error)),
    };
    let value = answer.structured.ok_or("there is no structured answer")?;
    let [ToolContent::Text(text)] = answer.content.as_slice() else { return Err("there is not exactly one text".to_owned()) };
    if answer.is_error {
        let sentence = [&value["message"], &value["hint"]].into_iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ");
        return if *text == sentence { Ok(Ok(Outcome::Failure(value))) } else { Err(format!("the text of the failure is \"{text}\"")) };
    }
    let tool = product.tools().find(|tool| tool.spec.name == name).ok_or("the tool is not listed")?;
    let schema = Value::Object(tool.output_schema.clone());
    let validator = jsonschema::validator_for(&schema).map_err(|error| error.to_string())?;
    if let Some(error) = validator.iter_errors(&value).next() {
        return Err(format!("the answer breaks its schema at {}: {error}", error.instance_path()));
    }
    if let Some(stray) = value.as_object().ok_or("no object")?.keys().find(|member| schema["properties"].get(member.as_str()).is_none()) {
        return Err(format!("the schema does not know the member \"{stray}\""));
    }
    for (what, length) in [("text", text.chars().count()), ("structured answer", value.to_string().chars().count())] {
        if length > tool.spec.budget_chars {
            return Err(format!("the {what} has {length} characters, more than {}", tool.spec.budget_chars));
        }
    }
    let is_same = match name {
        "get_record" => value["body"].as_str().is_some_and(|body| text.ends_with(body)),
        _ => serde_json::from_str::<Value>(text).is_ok_and(|read| read == value),
    };
    if !is_same {
        return Err(format!("text and structured answer differ: {text}\n{value:#}"));
    }
    Ok(Ok(Outcome::Answer { value, text: text.clone() }))
}

/// The methods that cases may call, with the names of the protocol.
async fn method(product: &Product, name: &str, arguments: &Value) -> Result<Outcome, ProtocolError> {
    let visitor = Visitor {
        caller: surface::Caller::owner(),
        protocol_version: "2025-11-25".to_owned(),
        client_name: None,
        cancelled: tokio_util::sync::CancellationToken::new(),
    };
    let said = |name: &str| arguments[name].as_str();
    let value = match name {
        "tools/list" => {
            let page = product.list_tools(&visitor).await?;
            json!({ "tools": page.items.iter().map(|tool| json!({ "name": tool.name })).collect::<Vec<_>>() })
        }
        "resources/list" => {
            let page = product.list_resources(&visitor, said("cursor")).await?;
            let resources: Vec<Value> = page
                .items
                .iter()
                .map(|one| json!({ "uri": one.uri, "name": one.name, "title": one.title, "description": one.description, "mimeType": one.mime_type, "size": one.size_bytes }))
                .collect();
            let mut value = json!({ "resources": resources });
            if let Some(cursor) = page.next_cursor {
                value["nextCursor"] = json!(cursor);
            }
            value
        }
        "resources/templates/list" => {
            let page = product.list_templates(&visitor).await?;
            json!({ "resourceTemplates": page.items.iter().map(|one| json!({ "uriTemplate": one.uri_template, "mimeType": one.mime_type })).collect::<Vec<_>>() })
        }
        "resources/read" => {
            let answer = product.read_resource(&visitor, said("uri").unwrap_or_default()).await?;
            let contents = &answer.contents[0];
            let ContentsBody::Text(text) = &contents.body else { return Err(ProtocolError::internal()) };
            let value = json!({ "contents": [{ "uri": contents.uri, "mimeType": contents.mime_type }] });
            return Ok(Outcome::Answer { value, text: text.clone() });
        }
        "completion/complete" => {
            let target = CompletionTarget::Template(said("template").unwrap_or("decision://{+id}").to_owned());
            let argument = said("argument").unwrap_or("id").to_owned();
            let call = CompletionCall { target, argument, typed: said("typed").unwrap_or_default().to_owned(), resolved: Vec::new(), visitor };
            let completion = product.complete(call).await?;
            json!({ "values": completion.values, "total": completion.total })
        }
        other => return Err(ProtocolError::new(ProtocolError::METHOD_NOT_FOUND, other)),
    };
    Ok(Outcome::Answer { text: value.to_string(), value })
}
