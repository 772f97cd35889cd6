//! `ibid serve`: the library over HTTP. One port: `/mcp` for agents, pages for people.

use std::io::IsTerminal as _;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ::mcp::Product;
use ::mcp::http::{Authenticator, HostRules, HttpOptions, Refusal};
use ::mcp::surface::{Boxed, Caller};
use engine::{Error, ErrorKind, Library};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::arguments::Arguments as Global;
use crate::commands::connect::{Client, Way, shown};
use crate::{exit, open, output};

/// Serve the library over HTTP.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Folders of records, or a folder with an ibid.toml.
    paths: Vec<PathBuf>,
    /// Address and port; port 0 takes any free one.
    #[arg(long, value_name = "ADDRESS")]
    bind: Option<String>,
    /// Ask for no token. Loopback addresses only.
    #[arg(long)]
    no_auth: bool,
}

/// Serves until the process is told to stop.
pub async fn run(global: &Global, own: &Arguments) -> anyhow::Result<u8> {
    let library = open::library(global, &own.paths, own.bind.as_deref()).await?;
    let listener = listen(&library.config().server.bind, own.no_auth).await?;
    let address = listener.local_addr()?;
    let site = library.config().server.public_url.clone().unwrap_or_else(|| format!("http://{address}"));
    let stop = CancellationToken::new();
    let router = join(&library, &site, own.no_auth, &stop)?;
    announce(&library, address, &site)?;
    let greeting = greeting(&library, &site, own.no_auth, &router.sign_in_url);
    if global.json {
        output::print_json(&json!({"site": site, "mcp": format!("{site}/mcp"), "sign_in": router.sign_in_url}))?;
    } else {
        output::print(&greeting)?;
    }
    let warm = tokio::spawn(first_then_warm(Arc::clone(&library), stop.clone()));
    let signalled = stop.clone();
    tokio::spawn(async move {
        stop_signal().await;
        signalled.cancel();
    });
    let ended = stop.clone();
    axum::serve(listener, router.router.into_make_service_with_connect_info::<SocketAddr>()).with_graceful_shutdown(ended.cancelled_owned()).await?;
    stop.cancel();
    let _ = warm.await;
    let _ = std::fs::remove_file(served_file(library.folder()));
    Ok(exit::DONE)
}

/// Opens the port. Without a token only loopback is served: anything else would be open to the network.
async fn listen(bind: &str, is_open: bool) -> anyhow::Result<TcpListener> {
    let addresses: Vec<SocketAddr> = match tokio::net::lookup_host(bind).await {
        Ok(addresses) => addresses.collect(),
        Err(error) => {
            return Err(Error::bad_input(format!("\"{bind}\" is no address to serve at: {error}."))
                .hint("Write host and port, such as 127.0.0.1:4242.")
                .into());
        }
    };
    if is_open && addresses.iter().any(|address| !address.ip().is_loopback()) {
        return Err(Error::new(ErrorKind::Refused, format!("--no-auth is refused for {bind}: anybody on the network could read the library."))
            .hint("Leave out --no-auth, or serve at 127.0.0.1.")
            .into());
    }
    TcpListener::bind(addresses.as_slice()).await.map_err(|error| {
        Error::new(ErrorKind::Unreachable, format!("The address {bind} cannot be served: {error}."))
            .hint("Another ibid may run there (ibid status). Use --bind with another port.")
            .into()
    })
}

/// Everything that one port answers.
struct Site {
    router: axum::Router,
    sign_in_url: Option<String>,
}

fn join(library: &Arc<Library>, site: &str, is_open: bool, stop: &CancellationToken) -> anyhow::Result<Site> {
    let config = &library.config().server;
    let mut hosts = config.allowed_hosts.clone();
    // Whoever is told to open the public address must be let in under its name.
    hosts.extend(config.public_url.as_deref().and_then(|url| url.split_once("://")).and_then(|(_, rest)| rest.split('/').next()).map(str::to_owned));
    let rules = HostRules { hosts, origins: config.allowed_origins.clone() };
    let mut options = HttpOptions { hosts: rules.clone(), shutdown: stop.clone(), ..HttpOptions::default() };
    if !is_open {
        options.authenticator = Arc::new(TokenHolders(Arc::clone(library)));
    }
    let product = Arc::new(Product::new(Arc::clone(library), Some(site.to_owned())));
    let sign_in = web::SignIn::new();
    let client_lines = Client::ALL
        .iter()
        .filter(|client| client.speaks_http())
        .map(|client| (client.word(), shown(*client, "ibid", &way(site, (!is_open).then_some("<token>")))))
        .collect();
    let pages = web::router(web::WebOptions {
        library: Arc::clone(library),
        sign_in: sign_in.clone(),
        require_sign_in: !is_open,
        secure_cookies: site.starts_with("https://"),
        client_lines,
        version: env!("CARGO_PKG_VERSION").to_owned(),
    });
    // One check for all: the pages are as private as the tools.
    let pages = pages.layer(axum::middleware::from_fn_with_state(Arc::new(rules), ::mcp::http::guard_host));
    let sign_in_url = if is_open { None } else { Some(format!("{site}{}", sign_in.new_link(library.clock().now_ms())?)) };
    Ok(Site { router: ::mcp::http::router(product, options).merge(pages), sign_in_url })
}

/// Holders of the owner's token and of named tokens.
struct TokenHolders(Arc<Library>);

impl Authenticator for TokenHolders {
    fn authenticate<'a>(&'a self, token: Option<&'a str>) -> Boxed<'a, Result<Caller, Refusal>> {
        Box::pin(async move {
            let secret = token.ok_or(Refusal::Missing)?;
            match self.0.tokens().caller(secret).await {
                Ok(Some(caller)) if caller.is_owner => Ok(Caller::owner()),
                Ok(Some(caller)) => Ok(Caller::new(caller.name, Vec::new())),
                Ok(None) => Err(Refusal::Invalid),
                Err(_) => Err(Refusal::Unavailable),
            }
        })
    }
}

fn way(site: &str, token: Option<&str>) -> Way {
    Way::Http { url: format!("{site}/mcp"), token: token.map(str::to_owned) }
}

fn greeting(library: &Library, site: &str, is_open: bool, sign_in_url: &Option<String>) -> String {
    use std::fmt::Write as _;
    let config = library.config();
    let mut out = format!("ibid serves \"{}\" ({} collections) at {site}\n\n", config.name, config.collections.len());
    match sign_in_url {
        Some(url) => {
            let _ = writeln!(out, "Open in a browser (works once, for ten minutes):\n  {url}\n");
        }
        None => {
            let _ = writeln!(out, "Open in a browser:\n  {site}/\n");
        }
    }
    // The token itself is shown when it is made and on request, not at every start: terminals are shared and recorded.
    let tokens = library.tokens();
    let _ = writeln!(out, "Connect a client:");
    for client in Client::ALL.into_iter().filter(|client| client.speaks_http()) {
        let hidden = if client.is_command() { "$(ibid token show)" } else { "<what ibid token show prints>" };
        let token = (!is_open).then(|| if tokens.is_new { tokens.owner_secret() } else { hidden });
        let _ = writeln!(out, "  {:15} {}", client.word(), shown(client, "ibid", &way(site, token)));
    }
    let _ = writeln!(out, "Clients that start their own process (Claude Desktop is one): ibid connect CLIENT");
    if tokens.is_new && !is_open {
        let _ = writeln!(
            out,
            "\nThe token above was made just now and is kept in {} (owner only). Show it again with: ibid token show",
            tokens.owner_path().display()
        );
    }
    out
}

/// Reads everything once, telling how far it is, then stays warm.
async fn first_then_warm(library: Arc<Library>, stop: CancellationToken) {
    output::bring_up_to_date(&library).await;
    if let Ok(status) = library.status().await {
        let documents: i64 = status.collections.iter().map(|collection| collection.documents).sum();
        let problems: i64 = status.collections.iter().map(|collection| collection.errors + collection.warnings).sum();
        let _ = output::print(&format!("Ready: {documents} documents, {problems} problems in their files (ibid check shows them)."));
        if !std::io::stderr().is_terminal() {
            tracing::info!(documents, problems, "ready");
        }
    }
    library.keep_warm(stop).await;
}

async fn stop_signal() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let terminated = async {
            match signal(SignalKind::terminate()) {
                Ok(mut signals) => {
                    signals.recv().await;
                }
                Err(_) => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            () = terminated => {}
        }
    }
    #[cfg(not(unix))]
    let _ = tokio::signal::ctrl_c().await;
}

fn served_file(folder: &Path) -> PathBuf {
    folder.join("serve.json")
}

/// Leaves a note where the library is served, for `ibid status`, `ibid connect --http` and links for people.
fn announce(library: &Library, address: SocketAddr, site: &str) -> anyhow::Result<()> {
    let note = json!({"pid": std::process::id(), "address": address.to_string(), "site": site});
    std::fs::write(served_file(library.folder()), note.to_string())?;
    Ok(())
}

/// A fresh sign-in link of the running site, asked for with the owner's token; `None` where it needs none or does not answer.
pub fn sign_in_link(site: &str, token: &str) -> Option<String> {
    use std::io::{Read as _, Write as _};
    let address = site.strip_prefix("http://")?;
    let mut stream = std::net::TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(std::time::Duration::from_secs(3))).ok()?;
    write!(
        stream,
        "POST /sign-in/code HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    )
    .ok()?;
    let mut answer = String::new();
    stream.take(16_384).read_to_string(&mut answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    head.starts_with("HTTP/1.1 200").then(|| body.trim().to_owned())
}

/// Where the library with this state folder is served now, if it is: the note is believed only when something listens there.
pub fn running(folder: &Path) -> Option<String> {
    let note: Value = serde_json::from_str(&std::fs::read_to_string(served_file(folder)).ok()?).ok()?;
    let mut address: SocketAddr = note["address"].as_str()?.parse().ok()?;
    if address.ip().is_unspecified() {
        address.set_ip(if address.is_ipv4() { IpAddr::from([127, 0, 0, 1]) } else { IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1]) });
    }
    std::net::TcpStream::connect_timeout(&address, std::time::Duration::from_millis(300)).ok()?;
    Some(note["site"].as_str()?.to_owned())
}
