//! Server-sent events, read back: for peers that want one JSON document instead of a stream.

use axum::body::Body;
use futures_util::StreamExt;
use serde_json::Value;

use crate::envelope::answered_id;

/// Reads an event stream until the answer to `id` comes. `None` when the stream ends without it, as after a cancellation.
pub(super) async fn answer(body: Body, id: &Value) -> Option<Value> {
    let mut chunks = body.into_data_stream();
    let mut reader = EventReader::default();
    while let Some(Ok(chunk)) = chunks.next().await {
        for data in reader.feed(&chunk) {
            if let Ok(message) = serde_json::from_str::<Value>(&data)
                && answered_id(&message) == Some(id)
            {
                return Some(message);
            }
        }
    }
    None
}

/// Cuts a stream of bytes into the data of its events.
#[derive(Default)]
struct EventReader {
    line: Vec<u8>,
    data: Vec<String>,
}

impl EventReader {
    fn feed(&mut self, chunk: &[u8]) -> Vec<String> {
        let mut events = Vec::new();
        for &byte in chunk {
            if byte != b'\n' {
                self.line.push(byte);
                continue;
            }
            let line = std::mem::take(&mut self.line);
            let line = String::from_utf8_lossy(&line);
            let line = line.trim_end_matches('\r');
            if line.is_empty() {
                if !self.data.is_empty() {
                    events.push(std::mem::take(&mut self.data).join("\n"));
                }
            } else if let Some(data) = line.strip_prefix("data:") {
                self.data.push(data.strip_prefix(' ').unwrap_or(data).to_owned());
            }
        }
        events
    }
}

#[cfg(test)]
mod tests {
    use super::EventReader;

    #[test]
    fn events_are_found_wherever_the_chunks_are_cut() {
        let text = "id: 0\nretry: 3000\ndata: \n\n: keep-alive\n\ndata: {\"a\":\ndata: 1}\r\n\r\ndata: \"ü\"\n\n";
        for size in 1..text.len() {
            let mut reader = EventReader::default();
            let events: Vec<String> = text.as_bytes().chunks(size).flat_map(|chunk| reader.feed(chunk)).collect();
            assert_eq!(events, ["", "{\"a\":\n1}", "\"ü\""]);
        }
    }
}
