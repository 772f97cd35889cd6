//! The binary `ibid`: arguments, wiring and exit codes. What it does stands in `engine`; how agents see it, in `mcp`; how people do, in `web`.

mod agree;
mod arguments;
mod commands;
mod exit;
mod open;
mod output;
mod site_folder;

use std::process::ExitCode;

use clap::Parser as _;

use crate::arguments::{Arguments, Command};

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let is_help = !error.use_stderr();
            // Help that cannot be printed because the reader is gone is no failure.
            let _ = error.print();
            return ExitCode::from(if is_help { exit::DONE } else { exit::USAGE });
        }
    };
    output::start_log();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("ibid: The system gives no threads: {error}.");
            return ExitCode::from(exit::UNREACHABLE);
        }
    };
    let result = runtime.block_on(run(&arguments));
    // What still runs in the background (an index that is being built) is safe to cut off: the next start goes on.
    runtime.shutdown_timeout(std::time::Duration::from_millis(500));
    match result {
        Ok(code) => ExitCode::from(code),
        Err(error) if output::is_broken_pipe(&error) => ExitCode::from(exit::DONE),
        Err(error) => {
            let kind = error.downcast_ref::<engine::Error>().map(|error| error.kind);
            output::print_error(&error, arguments.json);
            ExitCode::from(kind.map_or(exit::UNREACHABLE, exit::code))
        }
    }
}

async fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    match &arguments.command {
        Command::Serve(own) => commands::serve::run(arguments, own).await,
        Command::Mcp(own) => commands::mcp::run(arguments, own).await,
        Command::Connect(own) => commands::connect::run(arguments, own).await,
        Command::Add(own) => commands::add::run(arguments, own),
        Command::Search(own) => commands::search::run(arguments, own).await,
        Command::Get(own) => commands::get::run(arguments, own).await,
        Command::Call(own) => commands::call::run(arguments, own).await,
        Command::Tools => commands::tools::run(arguments).await,
        Command::Publish(own) => commands::publish::run(arguments, own).await,
        Command::Check(own) => commands::check::run(arguments, own).await,
        Command::New(own) => commands::new::run(arguments, own).await,
        Command::Supersede(own) => commands::supersede::run(arguments, own).await,
        Command::Status => commands::status::run(arguments).await,
        Command::Sync => commands::sync::run(arguments).await,
        Command::Doctor => commands::doctor::run(arguments).await,
        Command::Token(own) => commands::token::run(arguments, own).await,
    }
}
