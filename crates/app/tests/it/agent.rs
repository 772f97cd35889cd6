//! A plain MCP client for tests: it starts the real binary and speaks line by line, so that a test reads like a transcript.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// A folder of records with a state folder beside it; gone with the test.
pub struct World {
    folder: tempfile::TempDir,
}

impl World {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::create_dir_all(folder.path().join("records")).expect("a temporary folder can be written");
        Self { folder }
    }

    pub fn records(&self) -> PathBuf {
        self.folder.path().join("records")
    }

    pub fn state(&self) -> PathBuf {
        self.folder.path().join("state")
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.records().join(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a temporary folder can be written");
        std::fs::write(path, text).expect("a temporary file can be written");
    }

    /// The user's own `ibid.toml`.
    pub fn configure(&self, text: &str) {
        let folder = self.folder.path().join("config");
        std::fs::create_dir_all(&folder).expect("a temporary folder can be written");
        std::fs::write(folder.join("ibid.toml"), text).expect("a temporary file can be written");
    }

    /// The command `ibid` with this world's state, nobody's configuration and no token of the tester.
    pub fn ibid(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ibid"));
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("IBID_")) {
            command.env_remove(name);
        }
        command
            .env("IBID_STATE_DIR", self.state())
            .env("IBID_CONFIG_DIR", self.folder.path().join("config"))
            .env("HOME", self.folder.path())
            .current_dir(self.folder.path());
        command
    }

    pub fn agent(&self) -> Agent {
        Agent::start(self.ibid(), &[self.records()])
    }
}

/// A record in the seed's shape.
pub fn record(title: &str, status: &str, body: &str) -> String {
    format!("---\ntitle: {title}\nstatus: {status}\ndate: 2026-03-02\n---\n\n## Context\n\n{body}\n")
}

/// A running `ibid mcp`.
pub struct Agent {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    next_id: u64,
}

impl Agent {
    pub fn start(mut command: Command, roots: &[impl AsRef<Path>]) -> Self {
        command.arg("mcp");
        for root in roots {
            command.arg("--root").arg(root.as_ref());
        }
        Self::start_as_it_is(command)
    }

    /// A command that has all its arguments.
    pub fn start_as_it_is(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().expect("ibid starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("piped"));
        Self { child, input, output, next_id: 1 }
    }

    pub fn send(&mut self, message: &Value) {
        writeln!(self.input.as_mut().expect("open"), "{message}").expect("ibid reads");
    }

    /// The next line that is an answer; notifications are passed over.
    pub fn receive(&mut self) -> Value {
        loop {
            let mut line = String::new();
            let read = self.output.read_line(&mut line).expect("ibid writes UTF-8");
            assert!(read > 0, "ibid closed its output");
            let message: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("not JSON on standard output: {line:?}: {error}"));
            if message.get("id").is_some() {
                return message;
            }
        }
    }

    pub fn request(&mut self, method: &str, mut params: Value) -> Value {
        let id = self.next_id;
        self.next_id += 1;
        params["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}});
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let answer = self.receive();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// The structured answer of a tool that must succeed and be fresh.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.request("tools/call", json!({"name": tool, "arguments": arguments}));
        let result = &answer["result"];
        assert_ne!(result["isError"], true, "{tool} failed: {answer}");
        let structured = result["structuredContent"].clone();
        assert!(structured.is_object(), "{answer}");
        assert_ne!(structured["stale"], true, "{tool} is stale: {structured}");
        structured
    }

    /// Asks until the first reading of a large library is complete; each answer before says that it is stale and waited as long as it may.
    pub fn wait_for_first_reading(&mut self) {
        for _ in 0..60 {
            let answer = self.request("tools/call", json!({"name": "search_records", "arguments": {"limit": 1}}));
            let structured = &answer["result"]["structuredContent"];
            if structured["stale"] != true {
                return;
            }
            let reason = structured["stale_reason"].as_str().unwrap_or_default();
            assert!(reason.contains("still being read"), "{structured}");
        }
        panic!("the library is never read to the end");
    }

    /// Waits until ibid has gone after its input ended; gives back its exit code.
    pub fn finish(mut self) -> Option<i32> {
        self.input = None;
        self.child.wait().expect("ibid ends").code()
    }

    pub fn kill(mut self) {
        self.child.kill().expect("ibid can be killed");
        self.child.wait().expect("ibid ends");
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
