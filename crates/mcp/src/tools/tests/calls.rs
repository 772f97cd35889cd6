//! What the dispatcher does for every tool, over a real library.

use std::sync::Arc;
use std::time::Duration;

use engine::config::{self, Sources};
use engine::policy::Effect;
use engine::{Caller, Library, OpenOptions, StateFolder};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use crate::surface::{ProtocolError, Reply, ToolAnswer, ToolContent};
use crate::tools::tool::tool;
use crate::tools::{Desk, Dispatcher, Site, Spec, Tool, Toolset, all};
use crate::wire::{Answer, Standing};

struct Place {
    folders: [TempDir; 2],
    dispatcher: Dispatcher,
}

/// A library of two records in which every tool is on.
async fn library(freshness_wait: Duration) -> Place {
    let folders = [TempDir::new().unwrap(), TempDir::new().unwrap()];
    let records = folders[0].path().join("sre/adr");
    std::fs::create_dir_all(&records).unwrap();
    std::fs::write(records.join("0001-define-slos.md"), "---\ntitle: Define service objectives\nstatus: accepted\n---\n\nText.\n").unwrap();
    std::fs::write(records.join("0002-error-budgets.md"), "---\ntitle: Error budgets\nstatus: accepted\n---\n\nText.\n").unwrap();
    let mut config = config::load(&Sources { paths: vec![folders[0].path().to_path_buf()], ..Sources::default() }).unwrap();
    config.tools = crate::tools::names().into_iter().map(|name| (name.to_owned(), true)).collect();
    let options = OpenOptions { freshness_wait, ..OpenOptions::new(config, StateFolder::at(folders[1].path()).unwrap()) };
    let library: Arc<Library> = Library::open(options).await.unwrap();
    Place { folders, dispatcher: Dispatcher::new(library, Site::default()) }
}

async fn call(dispatcher: &Dispatcher, name: &str, arguments: Value) -> Result<ToolAnswer, ProtocolError> {
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    match dispatcher.call(name, arguments, Caller::owner(), CancellationToken::new(), None).await? {
        Reply::Done(answer) => Ok(answer),
        Reply::NeedsInput(needed) => panic!("nobody can be asked: {needed:?}"),
    }
}

/// A legal value for every argument that a tool needs.
fn needed(tool: &Tool) -> Map<String, Value> {
    let required = tool.input_schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    required
        .map(|name| {
            (
                name.to_owned(),
                json!(match name {
                    "id" => "sre/adr/0001-define-slos",
                    "by" => "sre/adr/0002-error-budgets",
                    "status" => "deprecated",
                    _ => "objectives",
                }),
            )
        })
        .collect()
}

fn text(answer: &ToolAnswer) -> &str {
    match answer.content.as_slice() {
        [ToolContent::Text(text)] => text,
        other => panic!("not exactly one text: {other:?}"),
    }
}

#[tokio::test]
async fn every_tool_answers_by_its_schema_and_within_its_budget() {
    let place = library(Duration::from_secs(10)).await;
    for tool in all() {
        let answer = call(&place.dispatcher, tool.spec.name, Value::Object(needed(tool))).await.unwrap();
        assert!(!answer.is_error, "{}: {answer:?}", tool.spec.name);
        let value = answer.structured.as_ref().unwrap();
        assert!(text(&answer).chars().count() <= tool.spec.budget_chars);
        let validator = jsonschema::validator_for(&Value::Object(tool.output_schema.clone())).unwrap();
        assert!(validator.is_valid(value), "{}: {value:#}", tool.spec.name);
        assert_eq!(value.get("stale"), None, "{}", tool.spec.name);
    }
}

#[tokio::test]
async fn every_tool_refuses_what_it_does_not_know() {
    let place = library(Duration::from_secs(10)).await;
    for tool in all() {
        let mut arguments = needed(tool);
        arguments.insert("surprise".to_owned(), json!(1));
        let answer = call(&place.dispatcher, tool.spec.name, Value::Object(arguments)).await.unwrap();
        assert!(answer.is_error, "{}", tool.spec.name);
        let failure = answer.structured.as_ref().unwrap();
        assert_eq!(failure["code"], "bad_input");
        assert_eq!(failure["message"], format!("{} has no argument \"surprise\".", tool.spec.name));
        assert_eq!(text(&answer), format!("{} {}", failure["message"].as_str().unwrap(), failure["hint"].as_str().unwrap()));
        for name in tool.input_schema["properties"].as_object().unwrap().keys() {
            let mut arguments = needed(tool);
            arguments.insert(name.clone(), json!({ "an": "object" }));
            let answer = call(&place.dispatcher, tool.spec.name, Value::Object(arguments)).await.unwrap();
            let message = answer.structured.unwrap()["message"].as_str().unwrap().to_owned();
            assert!(answer.is_error && message.starts_with(name.as_str()) && message.ends_with("but is an object."), "{}: {message}", tool.spec.name);
        }
    }
}

#[tokio::test]
async fn every_answer_says_when_it_may_be_stale() {
    // Somebody else holds the lock under which files are read, so every answer must own up.
    let place = library(Duration::ZERO).await;
    let libraries = std::fs::read_dir(place.folders[1].path().join("libraries")).unwrap();
    let lock = libraries.flatten().next().unwrap().path().join("sync.lock");
    let lock = std::fs::File::options().create(true).truncate(false).write(true).open(lock).unwrap();
    lock.lock().unwrap();
    for tool in all() {
        let answer = call(&place.dispatcher, tool.spec.name, Value::Object(needed(tool))).await.unwrap();
        let value = answer.structured.as_ref().unwrap();
        assert_eq!(value["stale"], true, "{}: {value:#}", tool.spec.name);
        assert!(value["stale_reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{}", tool.spec.name);
        assert!(text(&answer).contains("stale"), "{}", tool.spec.name);
        if answer.is_error {
            continue;
        }
        let validator = jsonschema::validator_for(&Value::Object(tool.output_schema.clone())).unwrap();
        assert!(validator.is_valid(value), "{}: {value:#}", tool.spec.name);
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

#[derive(Clone, Serialize, JsonSchema)]
struct Empty {
    #[serde(flatten)]
    standing: Standing,
}

impl Answer for Empty {
    fn standing(&mut self) -> &mut Standing {
        &mut self.standing
    }

    fn units(&self) -> usize {
        0
    }

    fn cut(&mut self, _units: usize) {}
}

async fn panics(_: Nothing, _: Desk) -> engine::Result<Empty> {
    panic!("a secret of the inside")
}

async fn sleeps(_: Nothing, _: Desk) -> engine::Result<Empty> {
    std::future::pending().await
}

fn spec(name: &'static str) -> Spec {
    Spec {
        name,
        toolset: Toolset::Library,
        effect: Effect::Reads,
        default_on: true,
        title: "Test",
        toggle: "tools.test",
        budget_chars: 8_000,
        description: "Test.",
    }
}

fn odd_tools() -> &'static [Tool] {
    static ODD: std::sync::LazyLock<Vec<Tool>> = std::sync::LazyLock::new(|| {
        let writes = Spec { effect: Effect::Writes, default_on: false, ..spec("writes") };
        vec![tool(spec("panics"), panics), tool(spec("sleeps"), sleeps), tool(writes, sleeps)]
    });
    &ODD
}

#[tokio::test]
async fn a_panic_is_an_internal_error_without_internals() {
    let place = library(Duration::from_secs(10)).await;
    let dispatcher = place.dispatcher.with(odd_tools(), Duration::from_secs(60));
    assert_eq!(call(&dispatcher, "panics", json!({})).await, Err(ProtocolError::internal()));
}

#[tokio::test]
async fn a_tool_that_takes_too_long_is_stopped_and_says_so() {
    let place = library(Duration::from_secs(10)).await;
    let dispatcher = place.dispatcher.with(odd_tools(), Duration::from_millis(1));
    let answer = call(&dispatcher, "sleeps", json!({})).await.unwrap();
    assert!(answer.is_error && text(&answer).starts_with("sleeps took longer than"), "{answer:?}");
}

#[tokio::test]
async fn a_cancelled_call_ends() {
    let place = library(Duration::from_secs(10)).await;
    let dispatcher = place.dispatcher.with(odd_tools(), Duration::from_secs(60));
    let cancelled = CancellationToken::new();
    let calling = dispatcher.call("sleeps", Map::new(), Caller::owner(), cancelled.clone(), None);
    let (answer, ()) = tokio::join!(calling, async { cancelled.cancel() });
    let Reply::Done(answer) = answer.unwrap() else { panic!("nobody is asked") };
    assert_eq!(text(&answer), "sleeps was cancelled.");
}

#[tokio::test]
async fn writes_are_off_until_a_person_turns_them_on() {
    let place = library(Duration::from_secs(10)).await;
    let dispatcher = place.dispatcher.with(odd_tools(), Duration::from_secs(60));
    assert_eq!(dispatcher.tools().map(|tool| tool.spec.name).collect::<Vec<_>>(), ["panics", "sleeps"]);
    assert_eq!(call(&dispatcher, "writes", json!({})).await, Err(ProtocolError::unknown_tool("writes")));
    assert_eq!(call(&dispatcher, "nothing", json!({})).await, Err(ProtocolError::unknown_tool("nothing")));
}
