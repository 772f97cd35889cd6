//! Promise 2: a change on disk is in the very next answer, also while a second process has the library open.

use serde_json::json;

use crate::agent::{Agent, World, record};

fn total(agent: &mut Agent) -> i64 {
    agent.call("search_records", json!({}))["total"].as_i64().expect("a total")
}

fn finds(agent: &mut Agent, word: &str) -> usize {
    agent.call("search", json!({"query": word}))["results"].as_array().expect("results").len()
}

#[test]
fn every_sort_of_change_is_in_the_next_answer_of_every_process() {
    let world = World::new();
    world.write("sre/adr/0001-define-slos.md", &record("Define SLOs", "accepted", "every service states an availability target"));
    let mut first = world.agent();
    let mut second = world.agent();
    for agent in [&mut first, &mut second] {
        assert_eq!(total(agent), 1);
    }
    // An edit.
    world.write("sre/adr/0001-define-slos.md", &record("Define SLOs", "accepted", "now about zymurgy"));
    assert_eq!(finds(&mut first, "zymurgy"), 1);
    assert_eq!(finds(&mut second, "zymurgy"), 1);
    assert_eq!(finds(&mut second, "availability"), 0);
    // A new file in a new folder of a new project.
    world.write("pay/rfc/0007-refunds.md", &record("Refunds", "proposed", "about quokkas"));
    assert_eq!(finds(&mut second, "quokkas"), 1);
    assert_eq!(finds(&mut first, "quokkas"), 1);
    // A rename.
    std::fs::rename(world.records().join("pay/rfc/0007-refunds.md"), world.records().join("pay/rfc/0008-refunds.md")).expect("renamed");
    for agent in [&mut first, &mut second] {
        let page = agent.call("search_records", json!({"project": "pay"}));
        assert_eq!(page["records"][0]["id"], "pay/rfc/0008-refunds", "{page}");
        assert_eq!(page["total"], 1);
    }
    // A renamed folder.
    std::fs::rename(world.records().join("pay"), world.records().join("payments")).expect("renamed");
    for agent in [&mut second, &mut first] {
        assert_eq!(agent.call("search_records", json!({}))["records"].as_array().map(Vec::len), Some(2));
        assert_eq!(agent.call("get_record", json!({"id": "payments/rfc/8"}))["title"], "Refunds");
    }
    // A deletion.
    std::fs::remove_file(world.records().join("sre/adr/0001-define-slos.md")).expect("deleted");
    for agent in [&mut first, &mut second] {
        assert_eq!(total(agent), 1);
        assert_eq!(finds(agent, "zymurgy"), 0);
    }
    // A deleted folder.
    std::fs::remove_dir_all(world.records().join("payments")).expect("deleted");
    for agent in [&mut second, &mut first] {
        assert_eq!(total(agent), 0);
    }
    assert_eq!(first.finish(), Some(0));
    assert_eq!(second.finish(), Some(0));
}

#[test]
fn a_hundred_edits_in_a_row_are_each_seen_by_the_other_process() {
    let world = World::new();
    world.write("a/adr/0001-x.md", &record("X", "accepted", "start"));
    let mut agents = [world.agent(), world.agent()];
    for round in 0..100 {
        world.write("a/adr/0001-x.md", &record("X", "accepted", &format!("round{round}word")));
        let agent = &mut agents[round % 2];
        assert_eq!(finds(agent, &format!("round{round}word")), 1, "round {round}");
    }
}

#[test]
fn what_changed_while_nobody_ran_is_in_the_first_answer() {
    let world = World::new();
    world.write("a/adr/0001-x.md", &record("X", "accepted", "before"));
    let mut agent = world.agent();
    assert_eq!(finds(&mut agent, "before"), 1);
    agent.kill();
    world.write("a/adr/0001-x.md", &record("X", "accepted", "afterwards"));
    world.write("a/adr/0002-y.md", &record("Y", "accepted", "another"));
    let mut agent = world.agent();
    assert_eq!(finds(&mut agent, "before"), 0);
    assert_eq!(finds(&mut agent, "afterwards"), 1);
    assert_eq!(total(&mut agent), 2);
}
