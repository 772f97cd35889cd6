//! SARIF 2.1.0: findings in the form in which code hosts and editors read them.

use std::collections::{BTreeSet, HashMap};

use document::{Severity, Stamp};
use engine::decisions::Finding;
use engine::findings;
use serde_json::{Value, json};

use super::place::{Address, Places};

/// The log of one run.
pub fn log(found: &[Finding], places: &Places) -> Value {
    let codes: Vec<&str> = found.iter().map(|finding| finding.problem.code.as_str()).collect::<BTreeSet<_>>().into_iter().collect();
    let rules: Vec<Value> = codes.iter().map(|code| rule(code)).collect();
    let mut seen: HashMap<String, usize> = HashMap::new();
    let results: Vec<Value> = found
        .iter()
        .map(|finding| {
            let fingerprint = fingerprint(finding);
            let count = seen.entry(fingerprint.clone()).or_default();
            *count += 1;
            result(finding, places, codes.binary_search(&finding.problem.code.as_str()).unwrap_or_default(), &format!("{fingerprint}:{count}"))
        })
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "ibid", "version": env!("CARGO_PKG_VERSION"), "semanticVersion": env!("CARGO_PKG_VERSION"), "rules": rules}},
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The work tree in which ibid check ran."}}},
            "results": results,
        }],
    })
}

fn rule(code: &str) -> Value {
    let Some(kind) = findings::kind_of(code) else { return json!({"id": code}) };
    json!({
        "id": code,
        "shortDescription": {"text": kind.meaning},
        "help": {"text": kind.mend},
        "defaultConfiguration": {"level": level(kind.severity)},
    })
}

const fn level(severity: Severity) -> &'static str {
    severity.as_str()
}

fn result(finding: &Finding, places: &Places, rule_index: usize, fingerprint: &str) -> Value {
    let problem = &finding.problem;
    let hint = problem.hint.as_deref().map(|hint| format!(" {hint}")).unwrap_or_default();
    let file = match places.address(finding) {
        Address::InWorkTree(uri) => json!({"uri": uri, "uriBaseId": "%SRCROOT%"}),
        Address::Absolute(uri) => json!({"uri": uri}),
    };
    json!({
        "ruleId": problem.code,
        "ruleIndex": rule_index,
        "level": level(problem.severity),
        "message": {"text": format!("{}{hint}", problem.message)},
        "locations": [{"physicalLocation": {"artifactLocation": file, "region": {"startLine": problem.line_number.unwrap_or(1)}}}],
        "partialFingerprints": {"ibidFinding/v1": fingerprint},
    })
}

/// The same for a finding wherever its line moves: code, file and sentence, not the line.
fn fingerprint(finding: &Finding) -> String {
    let problem = &finding.problem;
    let whole = [&finding.collection, &problem.code, &problem.path, &problem.message].map(String::as_str).join("\0");
    Stamp::of(whole.as_bytes()).as_str().trim_start_matches("sha256:").chars().take(32).collect()
}
