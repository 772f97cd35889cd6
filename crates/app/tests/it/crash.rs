//! Promise 9: killed in the middle of indexing, at twenty random points, the next start answers completely.

use std::time::Duration;

use serde_json::{Value, json};

use crate::agent::{World, record};

const RECORDS: usize = 400;

/// A fixed sequence of pseudo-random numbers (splitmix64), so that a failure can be run again.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed ^ (mixed >> 27)
}

#[test]
fn kill_nine_at_twenty_random_points_loses_nothing() {
    let world = World::new();
    let mut seed = 20_261_130;
    for number in 0..RECORDS {
        world.write(
            &format!("a/adr/{number:04}-record.md"),
            &record(&format!("Record {number}"), "accepted", &format!("word{number}x and {}", "filler text ".repeat(200))),
        );
    }
    for round in 0..20_usize {
        // Each round has work to do: some records change, and every fourth round the index or everything is gone.
        for number in (round..RECORDS).step_by(3) {
            world.write(
                &format!("a/adr/{number:04}-record.md"),
                &record(&format!("Record {number}"), "accepted", &format!("word{number}x round{round}r {}", "other text ".repeat(200))),
            );
        }
        if round % 4 == 0 {
            let _ = std::fs::remove_dir_all(world.state());
        }
        let mut agent = world.agent();
        agent.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search_records", "arguments": {},
            "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}}}));
        // Not synchronisation: the point at which the process dies.
        std::thread::sleep(Duration::from_millis(random(&mut seed) % 700));
        agent.kill();
        let mut agent = world.agent();
        assert_eq!(agent.call("search_records", json!({}))["total"], RECORDS as u64, "round {round}");
        let sample = random(&mut seed) as usize % RECORDS;
        let found = agent.call("search", json!({"query": format!("word{sample}x")}));
        assert_eq!(found["results"].as_array().map(Vec::len), Some(1), "round {round}: {found}");
        let changed = (round..RECORDS).step_by(3).count();
        let page = agent.call("search_records", json!({"query": format!("round{round}r"), "limit": 1}));
        assert_eq!(page["total"], Value::from(changed), "round {round}");
    }
}
