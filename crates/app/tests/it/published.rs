//! One library read from its folder, from what `ibid publish` wrote, and from a running `ibid serve`: every read tool gives the same answers.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::agent::{Agent, World, record};
use crate::http::Server;

/// A plain file server for a folder, below a base path, as any host of static pages would be.
struct Files {
    address: String,
}

impl Files {
    fn serve(folder: PathBuf, base: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = format!("http://{}{base}", listener.local_addr().expect("an address"));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(mut stream) = stream else { continue };
                let folder = folder.clone();
                std::thread::spawn(move || {
                    let Ok(reading) = stream.try_clone() else { return };
                    let mut lines = BufReader::new(reading).lines();
                    let Some(Ok(first)) = lines.next() else { return };
                    while lines.next().and_then(Result::ok).is_some_and(|line| !line.is_empty()) {}
                    let path = first.split(' ').nth(1).unwrap_or("/").to_owned();
                    let body = path.strip_prefix(base).and_then(|path| std::fs::read(folder.join(decoded(path).trim_start_matches('/'))).ok());
                    let (status, body) = body.map_or(("404 Not Found", Vec::new()), |body| ("200 OK", body));
                    let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
                    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
                });
            }
        });
        Self { address }
    }
}

fn decoded(path: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = path.as_bytes();
    while let [first, tail @ ..] = rest {
        let hex = tail.get(..2).and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        match (first, hex) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            _ => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).expect("a path in UTF-8")
}

/// Records of every sort that a copy could lose something of.
fn world() -> World {
    let world = World::new();
    world.write("sre/_project.yml", "name: Reliability\ndescription: Keeping it running.\nowners: [mira]\norder: 2\nfields:\n  - name: risk\n    label: Risk\n    type: enum\n    values: [low, high]\n");
    world.write("pay/_project.yml", "name: Payments\norder: 1\napprovals_required: 3\n");
    world.write(
        "sre/adr/0001-define-slos.md",
        "---\r\ntitle: Define service objectives\r\ndescription: Every service states a target.\r\nstatus: superseded\r\ndate: 2024-03-02\r\nauthors: [mira]\r\ndeciders: [mira, jon]\r\ntags: [slo, Größe]\r\nrisk: high\r\nsuperseded_by: sre/adr/0002-error-budgets\r\n---\r\n\r\n## Context\r\n\r\nTargets: 99.9 %.\r\n",
    );
    world.write(
        "sre/adr/0002-error-budgets.md",
        "---\ntitle: Error budgets\nstatus: accepted\ndate: 2025-01-31\nauthors: [mira]\ntags: [slo]\nrisk: purple\nsupersedes: [sre/adr/0001-define-slos]\nreview:\n  every: 6 months\n  reviewed: 2025-02-01\n---\n\n## Context\n\nSee [objectives](0001-define-slos.md).\n\n## Decision\n\nWe spend budgets.\n",
    );
    world.write("sre/adr/0002-a-twin-number.md", "# 2. A twin number\n\n## Status\n\nProposed\n\nAmends [Error budgets](0002-error-budgets.md)\n");
    world.write("sre/adr/0003-hidden.md", "---\ntitle: Hidden\ndraft: true\n---\n\nNobody sees this.\n");
    world.write(
        "pay/rfc/0007-refunds.md",
        "---\ntitle: Refunds\nstatus: proposed\ndate: 2022-27-09\nreviewers:\n  - mira: approved\n  - jon: pending\n---\n\nDepends on [budgets](../../sre/adr/0002-error-budgets.md) and [nothing](0099-nothing.md).\n",
    );
    world.write("pay/rfc/0008-größe und raum.md", &record("Größe", "accepted", "Umlauts & spaces: 100 %"));
    world.write(
        "pay/adr/0001-rest.rst",
        "===========\nREST or not\n===========\n\n:Status: Accepted\n:Date: 2023-05-06\n\nContext\n=======\n\nText in reST.\n",
    );
    world.write(
        "keps/kep/1234-sidecar/kep.yaml",
        "title: A sidecar\nkep-number: 1234\nstatus: implementable\nauthors: [\"@ada\"]\ncreation-date: 2021-01-02\n",
    );
    world.write("keps/kep/1234-sidecar/README.md", "# KEP-1234: A sidecar\n\n## Summary\n\nMetadata stands beside.\n");
    world
}

/// The arguments with which each read tool is called. A tool that is missing here fails the test.
fn questions(tool: &str, local: &mut Agent) -> Vec<Value> {
    let ids: Vec<String> = {
        let page = local.call("search_records", json!({"limit": 200}));
        page["records"].as_array().expect("records").iter().map(|record| record["id"].as_str().expect("an id").to_owned()).collect()
    };
    assert!(ids.len() >= 7, "{ids:?}");
    match tool {
        "search" => ["budgets", "Größe", "\"99.9 %\"", "metadata beside", "nothing-of-that-name"].map(|query| json!({"query": query})).to_vec(),
        "fetch" => ids.iter().map(|id| json!({"id": format!("decision://{id}")})).collect(),
        "list_collections" | "list_projects" | "list_fields" => vec![json!({})],
        "list_tags" | "list_authors" => vec![json!({}), json!({"project": "sre"}), json!({"project": "nobody"})],
        "search_records" => vec![
            json!({}),
            json!({"current_only": true}),
            json!({"project": "sre", "limit": 1}),
            json!({"project": "sre", "limit": 1, "offset": 1}),
            json!({"field": "risk=high"}),
            json!({"tag": "GRÖSSE"}),
            json!({"tag": "größe"}),
            json!({"query": "budgets"}),
            json!({"query": "ubstr"}),
            json!({"status": "proposed", "author": "nobody"}),
            json!({"type": "kep"}),
        ],
        "get_record" => ids
            .iter()
            .map(|id| json!({"id": id}))
            .chain([json!({"id": "SRE-ADR-0001"}), json!({"id": "rest#1"}), json!({"id": "0001-rest"})])
            .collect(),
        "due_reviews" => vec![json!({}), json!({"all": true}), json!({"within": 100_000})],
        "rfc_reviews" => vec![json!({}), json!({"reviewer": "@Jon"}), json!({"reviewer": "mira"})],
        other => panic!("no arguments are known for {other}: add some here"),
    }
}

/// The answer of a tool, failures included, without what tells where a library comes from.
fn answer(agent: &mut Agent, tool: &str, arguments: &Value) -> Value {
    let answer = agent.request("tools/call", json!({"name": tool, "arguments": arguments}))["result"].to_string();
    // The local collection is called like its folder, the other one like every collection of `--url`.
    let answer = answer.replace(r#""collection":"records""#, r#""collection":"decisions""#);
    let answer = answer.replace(r#"\"collection\":\"records\""#, r#"\"collection\":\"decisions\""#);
    let mut answer: Value = serde_json::from_str(&answer).expect("an answer");
    if tool == "list_collections" {
        for collection in answer["structuredContent"]["collections"].as_array_mut().expect("collections") {
            assert!(collection["name"].is_string());
            collection["name"] = json!("the collection");
        }
        answer["structuredContent"]["library"] = json!("the library");
        answer["content"] = json!([]);
    }
    answer
}

fn same(local: &mut Agent, other: &mut Agent, what: &str) {
    let tools = local.request("tools/list", json!({}))["result"]["tools"].clone();
    let mut asked = 0;
    for tool in tools.as_array().expect("tools") {
        let name = tool["name"].as_str().expect("a name");
        for arguments in questions(name, local) {
            let (here, there) = (answer(local, name, &arguments), answer(other, name, &arguments));
            assert_eq!(here, there, "{name} {arguments} of the local library and {what}");
            assert_ne!(here["structuredContent"]["stale"], true, "{here}");
            asked += 1;
        }
    }
    assert!(asked > 40, "only {asked} questions");
    let listed = |agent: &mut Agent| agent.request("resources/list", json!({}))["result"]["resources"].clone();
    let resources = listed(local);
    assert_eq!(resources, listed(other), "resources of the local library and {what}");
    for resource in resources.as_array().expect("resources") {
        let read = |agent: &mut Agent| agent.request("resources/read", json!({"uri": resource["uri"]}))["result"].clone();
        assert_eq!(read(local), read(other), "{resource} of the local library and {what}");
    }
}

fn publish(world: &World, records: &Path, into: &Path) {
    let output = world.ibid().arg("publish").arg("--out").arg(into).arg("--library").arg(records).output().expect("ibid runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn remote(world: &World, url: &str, token: Option<&str>) -> Agent {
    let mut command = world.ibid();
    if let Some(token) = token {
        command.env("IBID_SITE_TOKEN", token);
    }
    command.args(["mcp", "--url", url]);
    Agent::start_as_it_is(command)
}

#[test]
fn local_published_and_served_libraries_answer_alike() {
    let world = world();
    let mut local = world.agent();
    let site = World::new();
    publish(&world, &world.records(), &site.records());
    let files = Files::serve(site.records(), "/base");
    let (reader, other_reader) = (World::new(), World::new());
    let mut published = remote(&reader, &files.address, None);
    same(&mut local, &mut published, "its published pages");

    let server = Server::start(&world, &[]);
    let mut served = remote(&other_reader, &format!("http://{}", server.address), Some(&server.token));
    same(&mut local, &mut served, "ibid serve");
}

#[test]
fn a_site_that_needs_a_token_or_is_not_there_says_so() {
    let world = world();
    let server = Server::start(&world, &[]);
    let url = format!("http://{}", server.address);
    let (reader, late_reader) = (World::new(), World::new());
    let mut without = remote(&reader, &url, None);
    let answer = without.request("tools/call", json!({"name": "list_projects", "arguments": {}}));
    let failure = &answer["result"]["structuredContent"];
    assert_eq!(failure["code"], "unreachable", "{answer}");
    assert!(failure["message"].as_str().expect("a message").contains("IBID_SITE_TOKEN"), "{answer}");
    drop(server);
    let mut gone = remote(&late_reader, &url, None);
    let answer = gone.request("tools/call", json!({"name": "list_projects", "arguments": {}}));
    assert!(answer["result"]["structuredContent"]["message"].as_str().expect("a message").contains(&url), "{answer}");
}

#[test]
fn what_is_no_address_ends_the_command() {
    let output = World::new().ibid().args(["mcp", "--url", "decisions.example.org"]).output().expect("ibid runs");
    assert_eq!(output.status.code(), Some(78));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--url must be the address of a published site"));
}
