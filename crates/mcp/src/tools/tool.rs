//! A tool as a value: its spec, its schemas, and its function with the argument and answer types hidden behind JSON.

use std::future::Future;

use engine::write::Draft;
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{Desk, Spec, budget};
use crate::surface::Boxed;
use crate::wire::{Answer, Change};

/// An answer as it leaves: the structured value, and what a model reads.
#[derive(Debug, Clone, PartialEq)]
pub struct Written {
    /// For machines.
    pub value: Value,
    /// For models.
    pub text: String,
}

/// What a tool came to.
#[derive(Debug)]
pub enum Ran {
    /// An answer.
    Answer(Written),
    /// Something to be written, if the caller wants it and a person agrees.
    Draft(Box<Draft>, Wish),
}

/// What the caller of a tool that writes wants done with the draft: three arguments that all of them have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wish {
    /// Whether to write it; else it is shown.
    pub apply: bool,
    /// The version that the preview named.
    pub if_version: Option<String>,
    /// Whether a person agreed, said by a client that cannot ask one.
    pub confirm: bool,
}

type Run = Box<dyn Fn(Map<String, Value>, Desk) -> Boxed<'static, engine::Result<Ran>> + Send + Sync>;

/// A tool.
pub struct Tool {
    /// What it says of itself.
    pub spec: Spec,
    /// JSON Schema of its arguments.
    pub input_schema: Map<String, Value>,
    /// JSON Schema of its structured answer.
    pub output_schema: Map<String, Value>,
    run: Run,
}

impl Tool {
    /// Runs it with arguments that fit its schema.
    pub(super) fn run(&self, arguments: Map<String, Value>, desk: Desk) -> Boxed<'static, engine::Result<Ran>> {
        (self.run)(arguments, desk)
    }
}

impl std::fmt::Debug for Tool {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Tool").field("spec", &self.spec).finish_non_exhaustive()
    }
}

/// A tool of a spec and a function.
pub(super) fn tool<Args, Out, Call, Running>(spec: Spec, call: Call) -> Tool
where
    Args: DeserializeOwned + JsonSchema + Send + 'static,
    Out: Answer,
    Call: Fn(Args, Desk) -> Running + Copy + Send + Sync + 'static,
    Running: Future<Output = engine::Result<Out>> + Send + 'static,
{
    let run: Run = Box::new(move |arguments, desk| {
        Box::pin(async move {
            let arguments = typed(&spec, arguments)?;
            let stale_reason = desk.freshness.stale_reason.clone();
            let mut answer: Out = call(arguments, desk).await?;
            if let Some(reason) = stale_reason {
                answer.standing().stale(&reason);
            }
            Ok(Ran::Answer(budget::fit(answer, spec.budget_chars)))
        })
    });
    Tool { spec, input_schema: input_schema::<Args>(), output_schema: output_schema::<Out>(), run }
}

/// A tool that draws up what is to be written. Showing it, consent and writing are the dispatcher's.
pub(super) fn writing_tool<Args, Call, Running>(spec: Spec, wish: fn(&Args) -> Wish, call: Call) -> Tool
where
    Args: DeserializeOwned + JsonSchema + Send + 'static,
    Call: Fn(Args, Desk) -> Running + Copy + Send + Sync + 'static,
    Running: Future<Output = engine::Result<Draft>> + Send + 'static,
{
    let run: Run = Box::new(move |arguments, desk| {
        Box::pin(async move {
            let arguments: Args = typed(&spec, arguments)?;
            let wish = wish(&arguments);
            Ok(Ran::Draft(Box::new(call(arguments, desk).await?), wish))
        })
    });
    Tool { spec, input_schema: input_schema::<Args>(), output_schema: output_schema::<Change>(), run }
}

/// Names and types were checked against the schema, so what is left is a value that the type itself refuses.
fn typed<Args: DeserializeOwned>(spec: &Spec, arguments: Map<String, Value>) -> engine::Result<Args> {
    serde_json::from_value(Value::Object(arguments))
        .map_err(|error| engine::Error::bad_input(format!("The arguments of {} cannot be used: {error}.", spec.name)))
}

/// The schema of arguments, as small as it can be: every model pays for it. `null` means left out, so it need not be said.
fn input_schema<Args: JsonSchema>() -> Map<String, Value> {
    let mut settings = SchemaSettings::draft2020_12().for_deserialize();
    settings.inline_subschemas = true;
    let mut schema = object(settings.into_generator().into_root_schema_for::<Args>().to_value());
    schema.remove("description");
    schema.entry("properties").or_insert_with(|| Value::Object(Map::new()));
    let mut schema = Value::Object(schema);
    tidy(&mut schema, true);
    object(schema)
}

fn output_schema<Out: JsonSchema>() -> Map<String, Value> {
    let mut settings = SchemaSettings::draft2020_12().for_serialize();
    settings.inline_subschemas = true;
    let mut schema = settings.into_generator().into_root_schema_for::<Out>().to_value();
    tidy(&mut schema, false);
    object(schema)
}

fn object(schema: Value) -> Map<String, Value> {
    match schema {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

/// Removes what says nothing to a client: names of Rust types, widths of integers, and in arguments the `null` of options.
fn tidy(schema: &mut Value, is_input: bool) {
    match schema {
        Value::Object(map) => {
            map.remove("$schema");
            if map.get("title").is_some_and(Value::is_string) {
                map.remove("title");
            }
            if map.get("format").is_some_and(Value::is_string) {
                map.remove("format");
            }
            if is_input {
                if let Some(Value::Array(types)) = map.get_mut("type") {
                    types.retain(|name| name != "null");
                    if let [one] = types.as_slice() {
                        let one = one.clone();
                        map.insert("type".to_owned(), one);
                    }
                }
                if map.get("default").is_some_and(Value::is_null) {
                    map.remove("default");
                }
                if let Some(Value::Array(values)) = map.get_mut("enum") {
                    values.retain(|value| !value.is_null());
                }
            }
            map.values_mut().for_each(|inner| tidy(inner, is_input));
        }
        Value::Array(items) => items.iter_mut().for_each(|inner| tidy(inner, is_input)),
        _ => {}
    }
}
