//! The tools that write, over a real connection: off until turned on, a diff first, a person asked, all files or none, nobody's edit lost.

use serde_json::{Value, json};

use crate::agent::{Agent, World};

const OLD: &str = "# 1. Use queues\r\n\r\nDate: 2024-02-01\r\n\r\n## Status\r\n\r\nAccepted\r\n\r\n## Context\r\n\r\nWe need \"queues\".  \r\n";
const NEW: &str = "# 2. Use a log\n\nDate: 2025-03-04\n\n## Status\n\nAccepted\n\n## Context\n\nQueues lose order.\n";

const TOOLS: [&str; 3] = ["create_record", "set_record_status", "supersede_record"];

fn world(configuration: &str) -> World {
    let world = World::new();
    world.write("sre/adr/0001-use-queues.md", OLD);
    world.write("sre/adr/0002-use-a-log.md", NEW);
    world.configure(configuration);
    world
}

const ON: &str = "[tools]\ncreate_record = true\nset_record_status = true\nsupersede_record = true\n";

/// The arguments of each tool for a change that can be made.
fn arguments(tool: &str) -> Value {
    match tool {
        "create_record" => json!({"title": "Keep logs for a year", "context": "Auditors ask.", "date": "2026-01-02"}),
        "set_record_status" => json!({"id": "sre/adr/1", "status": "deprecated"}),
        _ => json!({"id": "sre/adr/1", "by": "sre/adr/2"}),
    }
}

fn with(mut arguments: Value, more: Value) -> Value {
    for (name, value) in more.as_object().expect("an object") {
        arguments[name] = value.clone();
    }
    arguments
}

/// The result of a call, failed or not.
fn call(agent: &mut Agent, tool: &str, arguments: &Value) -> Value {
    agent.request("tools/call", json!({"name": tool, "arguments": arguments}))["result"].clone()
}

fn files(world: &World) -> Vec<(String, String)> {
    let folder = world.records().join("sre/adr");
    let mut files: Vec<(String, String)> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .flatten()
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), std::fs::read_to_string(entry.path()).expect("a text")))
        .collect();
    files.sort();
    files
}

#[test]
fn tools_that_write_are_off_until_a_person_turns_them_on() {
    let world = world("");
    let mut agent = world.agent();
    let listed = agent.request("tools/list", json!({}))["result"]["tools"].to_string();
    for tool in TOOLS {
        assert!(!listed.contains(tool));
        let answer = agent.request("tools/call", json!({"name": tool, "arguments": arguments(tool)}));
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
    let on = self::world(ON);
    let listed = on.agent().request("tools/list", json!({}))["result"]["tools"].clone();
    for tool in TOOLS {
        let described = listed.as_array().expect("tools").iter().find(|listed| listed["name"] == tool).expect("the tool");
        assert_eq!((&described["annotations"]["readOnlyHint"], &described["annotations"]["destructiveHint"]), (&json!(false), &json!(true)));
    }
}

#[test]
fn nothing_is_written_without_a_version_and_a_persons_consent() {
    for tool in TOOLS {
        let world = world(ON);
        let mut agent = world.agent();
        let before = files(&world);
        let preview = call(&mut agent, tool, &arguments(tool));
        let shown = &preview["structuredContent"];
        assert_eq!((&shown["applied"], preview["isError"] == true), (&json!(false), false), "{preview}");
        assert!(shown["diff"].as_str().expect("a diff").contains("@@"), "{shown}");
        let version = shown["if_version"].clone();
        for (more, code) in [
            (json!({"apply": true}), "bad_input"),
            (json!({"apply": true, "confirm": true}), "bad_input"),
            (json!({"apply": true, "if_version": "sha256:00", "confirm": true}), "conflict"),
            (json!({"apply": true, "if_version": version}), "refused"),
        ] {
            let answer = call(&mut agent, tool, &with(arguments(tool), more.clone()));
            assert_eq!((&answer["isError"], &answer["structuredContent"]["code"]), (&json!(true), &json!(code)), "{tool} {more}: {answer}");
        }
        assert_eq!(files(&world), before, "{tool}");
        let done = call(&mut agent, tool, &with(arguments(tool), json!({"apply": true, "if_version": version, "confirm": true})));
        assert_eq!(done["structuredContent"]["applied"], true, "{done}");
        assert_eq!(done["structuredContent"]["diff"], shown["diff"]);
        assert_ne!(files(&world), before, "{tool}");
        // The same again is no longer what was agreed to.
        let again = call(&mut agent, tool, &with(arguments(tool), json!({"apply": true, "if_version": version, "confirm": true})));
        assert_eq!(again["isError"], true, "{again}");
    }
}

#[test]
fn an_edit_between_preview_and_write_is_a_conflict_and_stays() {
    let world = world(ON);
    let mut agent = world.agent();
    for tool in ["set_record_status", "supersede_record"] {
        world.write("sre/adr/0001-use-queues.md", OLD);
        let version = call(&mut agent, tool, &arguments(tool))["structuredContent"]["if_version"].clone();
        let edited = OLD.replace("We need", "We badly need");
        world.write("sre/adr/0001-use-queues.md", &edited);
        let answer = call(&mut agent, tool, &with(arguments(tool), json!({"apply": true, "if_version": version, "confirm": true})));
        assert_eq!(answer["structuredContent"]["code"], "conflict", "{answer}");
        assert_eq!(files(&world)[0].1, edited);
        assert_eq!(files(&world)[1].1, NEW);
    }
}

#[test]
fn only_the_bytes_that_must_change_do() {
    let world = world(ON);
    let mut agent = world.agent();
    for tool in TOOLS {
        let version = call(&mut agent, tool, &arguments(tool))["structuredContent"]["if_version"].clone();
        let done = call(&mut agent, tool, &with(arguments(tool), json!({"apply": true, "if_version": version, "confirm": true})));
        assert_eq!(done["structuredContent"]["applied"], true, "{tool}: {done}");
    }
    let files = files(&world);
    assert_eq!(
        files.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
        ["0001-use-queues.md", "0002-use-a-log.md", "0003-keep-logs-for-a-year.md"]
    );
    let lines = |text: &str| text.split_inclusive('\n').map(str::to_owned).collect::<Vec<_>>();
    for (now, before) in [(&files[0].1, OLD), (&files[1].1, NEW)] {
        let (now, before) = (lines(now), lines(before));
        let head = before.iter().zip(&now).take_while(|(before, now)| before == now).count();
        let tail = before.iter().rev().zip(now.iter().rev()).take_while(|(before, now)| before == now).count();
        assert!(before.len() - head.min(before.len()) - tail.min(before.len() - head) <= 1, "{before:?}\n{now:?}");
    }
    assert!(files[0].1.contains("Superseded by [2. Use a log](0002-use-a-log.md)\r\n"), "{}", files[0].1);
    assert!(files[1].1.contains("Supersedes [1. Use queues](0001-use-queues.md)\n"), "{}", files[1].1);
    assert!(files[2].1.starts_with("# 3. Keep logs for a year\n\nDate: 2026-01-02\n\n## Status\n\nProposed\n"), "{}", files[2].1);
    assert!(files[2].1.contains("## Context\n\nAuditors ask.\n"), "{}", files[2].1);
    // And the next answer has it.
    let record = agent.call("get_record", json!({"id": "sre/adr/1"}));
    assert_eq!((&record["status"], &record["currentRecord"]["id"]), (&json!("superseded"), &json!("sre/adr/0002-use-a-log")));
    assert_eq!(agent.call("get_record", json!({"id": "sre/adr/3"}))["status"], "proposed");
}

/// The first answer of a call by a legacy client that can ask its person, whose answer is `action`.
fn asked(world: &World, tool: &str, action: &str) -> (String, Value) {
    let mut agent = world.agent();
    agent.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25",
        "capabilities": {"elicitation": {}}, "clientInfo": {"name": "test", "version": "1"}}}));
    agent.receive();
    agent.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    agent.send(&json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": tool, "arguments": arguments(tool)}}));
    let version = agent.receive()["result"]["structuredContent"]["if_version"].clone();
    // It says that a person agreed; the person is asked all the same.
    let arguments = with(arguments(tool), json!({"apply": true, "if_version": version, "confirm": true}));
    agent.send(&json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}));
    let question = agent.receive();
    assert_eq!(question["method"], "elicitation/create", "{question}");
    let before = files(world);
    agent.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": {"action": action, "content": {}}}));
    let answer = agent.receive()["result"].clone();
    if action != "accept" {
        assert_eq!(files(world), before);
    }
    (question["params"]["message"].as_str().expect("a message").to_owned(), answer)
}

#[test]
fn a_person_is_asked_with_the_diff_and_their_word_counts() {
    for tool in TOOLS {
        for action in ["decline", "cancel"] {
            let (_, answer) = asked(&world(ON), tool, action);
            assert_eq!(answer["structuredContent"]["code"], "refused", "{tool}: {answer}");
        }
        let (message, answer) = asked(&world(ON), tool, "accept");
        assert!(message.contains("@@") && message.contains("sre/adr/"), "{message}");
        assert_eq!(answer["structuredContent"]["applied"], true, "{tool}: {answer}");
    }
}

#[test]
fn a_modern_client_gets_the_question_and_calls_again_with_the_answer() {
    let world = world(ON);
    let mut agent = world.agent();
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}});
    let mut id = 100;
    let mut modern = |agent: &mut Agent, arguments: &Value, more: Value| {
        id += 1;
        let params = with(json!({"name": "set_record_status", "arguments": arguments, "_meta": meta}), more);
        agent.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}));
        agent.receive()["result"].clone()
    };
    let version = call(&mut agent, "set_record_status", &arguments("set_record_status"))["structuredContent"]["if_version"].clone();
    let wanted = with(arguments("set_record_status"), json!({"apply": true, "if_version": version}));
    let question = modern(&mut agent, &wanted, json!({}));
    assert_eq!(question["inputRequests"]["apply"]["method"], "elicitation/create", "{question}");
    assert_eq!(files(&world)[0].1, OLD);
    let yes = json!({"inputResponses": {"apply": {"action": "accept", "content": {}}}, "requestState": question["requestState"]});
    // The yes was for this change, not for another one.
    let other = with(wanted.clone(), json!({"status": "rejected"}));
    let answer = modern(&mut agent, &other, yes.clone());
    assert_ne!(answer["structuredContent"]["applied"], true, "{answer}");
    assert_eq!(files(&world)[0].1, OLD);
    let answer = modern(&mut agent, &wanted, yes);
    assert_eq!(answer["structuredContent"]["applied"], true, "{answer}");
    assert_eq!(files(&world)[0].1, OLD.replace("Accepted", "Deprecated"));
}

#[test]
fn a_standing_word_of_the_configuration_counts() {
    let always = world(&format!("{ON}[consent]\nset_record_status = \"always\"\nsupersede_record = \"never\"\n"));
    let mut agent = always.agent();
    let version = call(&mut agent, "set_record_status", &arguments("set_record_status"))["structuredContent"]["if_version"].clone();
    let done = call(&mut agent, "set_record_status", &with(arguments("set_record_status"), json!({"apply": true, "if_version": version})));
    assert_eq!(done["structuredContent"]["applied"], true, "{done}");
    let version = call(&mut agent, "supersede_record", &arguments("supersede_record"))["structuredContent"]["if_version"].clone();
    let never =
        call(&mut agent, "supersede_record", &with(arguments("supersede_record"), json!({"apply": true, "if_version": version, "confirm": true})));
    assert_eq!(never["structuredContent"]["code"], "refused", "{never}");
    assert!(never["structuredContent"]["message"].as_str().expect("a message").contains("consent.supersede_record = \"never\""), "{never}");
}
