//! `cargo xtask bench peers`: ibid and other programs that serve Markdown to agents, driven over MCP with the same files and questions in one run.
//!
//! Each program is installed at a pinned version below a scratch folder, gets a home and a copy of the corpus of its own (some rewrite what they index),
//! and is measured from outside, as a client sees it. What cannot be installed is listed with the reason. The bench reports and asserts nothing.
//!
//! The published table was made of 43 MB of English documentation and design records: `text/` of rust-lang/rfcs 354518a8, all Markdown of
//! kubernetes/enhancements 64765b4b, modelcontextprotocol/modelcontextprotocol b0f60ba5, basicmachines-co/basic-memory 4d1dfdb7 and iwe-org/iwe 95e9a79a,
//! and `src/content/docs/en` of withastro/docs 741c1b89, each below a folder `OWNER+NAME` with its other paths kept, `.mdx` renamed to `.md`, nothing else.
//! `git -C CLONE archive COMMIT PATH | tar -x -C FOLDER/OWNER+NAME` makes one of them. It is given by `--corpus FOLDER` and never committed.

mod basic_memory;
mod client;
mod corpus;
mod ibid;
mod install;
mod iwec;
mod machine;
mod mcpvault;
mod measure;
mod options;
mod page;
mod peer;
mod process;
mod qmd;
mod quality;
mod table;
#[cfg(test)]
mod tests;

use anyhow::{Context as _, Result};

use self::corpus::Questions;
use self::measure::{Bench, Measured};
use self::options::Options;
use self::peer::Peer;

/// Runs it with the arguments behind its name.
pub fn run(arguments: &[String]) -> Result<bool> {
    let options = Options::of(arguments)?;
    let bench = Bench { folder: options.folder.clone(), limit: options.limit };
    std::fs::create_dir_all(&bench.folder).with_context(|| format!("{} cannot be made", bench.folder.display()))?;
    let files = bench.folder.join("corpora/files");
    let corpus = corpus::gather(&options.corpus, &files)?;
    let queries = corpus::queries(&files, options.queries)?;
    let questions = options.questions.as_deref().map(|set| Questions::lay_out(set, &bench.folder.join("corpora/questions"))).transpose()?;
    let peers: [Box<dyn Peer>; 5] = [
        Box::new(ibid::Ibid::new(options.ibid.clone())),
        Box::new(qmd::Qmd),
        Box::new(basic_memory::BasicMemory::new(options.python.clone())),
        Box::new(iwec::Iwec),
        Box::new(mcpvault::Mcpvault),
    ];
    let load = machine::load();
    let mut rows = Vec::new();
    for peer in peers.iter().filter(|peer| options.names(peer.name())) {
        eprintln!("{} {} …", peer.name(), peer.version());
        let measured = peer.install(&bench.folder).and_then(|()| bench.measure(peer.as_ref(), &files, &queries, questions.as_ref()));
        if let Err(error) = &measured {
            eprintln!("  {error:#}");
        }
        rows.push((peer.name(), peer.version(), measured.map_err(|error| format!("{error:#}"))));
    }
    let about = machine::about(&corpus, questions.as_ref(), queries.len(), &load);
    let text = table::full(&about, &rows);
    println!("{text}");
    if options.write {
        page::write(&text, &table::short(&about, &rows))?;
    }
    Ok(true)
}

/// A row of the tables: name, version, and what was measured or why nothing was.
type Row = (&'static str, String, Result<Measured, String>);
