//! Puts the client of the official Rust SDK, the crate `rmcp`, behind
//! replyproof's adapter protocol:
//!
//!     replyproof check --adapter 'cmd/adapters/bin/rmcp'              # protocol version 2026-07-28
//!     replyproof check --adapter 'cmd/adapters/bin/rmcp 2025-11-25'   # or an earlier one
//!
//! It is meant to be copied for another client in Rust. This file speaks the
//! protocol, JSON lines on standard input and output, and can stay as it is; all
//! that is the client's own stands in client.rs. Standard output is for the
//! protocol alone: a subscriber of `tracing` must write to standard error.
mod client;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

/// A line that comes in: the start, or one call to make.
#[derive(Deserialize)]
#[serde(untagged)]
enum Ask {
    Start { deadline_ms: u64 },
    Call(Call),
}

#[derive(Deserialize)]
pub struct Call {
    seq: u64,
    url: String,
    tool: String,
    arguments: serde_json::Map<String, serde_json::Value>,
}

/// Answers the start.
#[derive(Serialize)]
struct Ready<'a> {
    ready: bool,
    name: &'a str,
    version: &'a str,
    kind: &'a str,
    protocol_version: &'a str,
    tells: &'a [&'a str],
}

/// Answers a call: what the client made of it.
#[derive(Serialize, Default)]
pub struct Verdict {
    seq: u64,
    saw: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alive: Option<bool>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let protocol = std::env::args().nth(1).unwrap_or("2026-07-28".into());
    let mut client = client::Client::new(&protocol);
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    let mut out = tokio::io::stdout();
    while let Some(line) = lines.next_line().await? {
        let mut answer = match serde_json::from_str(&line)? {
            Ask::Start { deadline_ms } => {
                // A call gets a part of the time, so that the client can say
                // that it was too long, and the connection be looked at.
                client.timeout = Duration::from_millis(deadline_ms) * 6 / 10;
                serde_json::to_vec(&Ready {
                    ready: true,
                    name: "rmcp",
                    version: &client::version(),
                    kind: "client",
                    protocol_version: &protocol,
                    tells: client::TELLS,
                })?
            }
            Ask::Call(call) => {
                let seq = call.seq;
                serde_json::to_vec(&Verdict { seq, ..client.call(call).await })?
            }
        };
        answer.push(b'\n');
        out.write_all(&answer).await?;
        out.flush().await?;
    }
    client.close().await;
    Ok(())
}
