use std::time::Duration;

use rmcp::{
    RoleClient, ServiceError, ServiceExt,
    model::{
        CallToolRequestParams, CallToolResponse, ClientCapabilities, ClientConfig, Implementation,
        ProtocolVersion,
    },
    service::{ClientLifecycleMode, ClientServiceExt, RunningService},
    transport::{StreamableHttpClientTransport, streamable_http_client::StreamableHttpError},
};

use crate::{Call, Verdict};

/// What a caller of `call_tool_once` can tell apart. A status other than 429 and
/// 5xx, and a body that cannot be read as a response, are one kind of error, which
/// differ in its text alone.
pub const TELLS: &[&str] = &[
    "SUCCESS", "TOOL_ERROR", "INPUT_REQUIRED", "RPC_ERROR", "HTTP_ERROR", "UNEXPECTED_CONTENT_TYPE",
    "INVALID_TOOL_RESULT", "NO_FINAL_RESPONSE", UNREADABLE, "ERROR",
];

const UNREADABLE: &str = "HTTP_ERROR|MALFORMED_JSON|INVALID_ENVELOPE|INVALID_TOOL_RESULT";

/// What the results of `call_tool_once` tell any caller.
fn judge(result: Result<CallToolResponse, ServiceError>) -> Verdict {
    let error = match result {
        Ok(CallToolResponse::Complete(result)) => {
            let failed = result.is_error == Some(true);
            return saw(if failed { "TOOL_ERROR" } else { "SUCCESS" });
        }
        Ok(CallToolResponse::InputRequired(_)) => return saw("INPUT_REQUIRED"),
        // A task, which was not asked for: call_tool calls it unexpected.
        Ok(_) => return saw("INVALID_TOOL_RESULT"),
        Err(error) => error,
    };
    let mut verdict = match &error {
        ServiceError::McpError(rpc) => Verdict { code: Some(rpc.code.0.into()), ..saw("RPC_ERROR") },
        ServiceError::UnexpectedResponse => saw("INVALID_TOOL_RESULT"),
        ServiceError::TransportClosed | ServiceError::Timeout { .. } => saw("NO_FINAL_RESPONSE"),
        ServiceError::TransportSend(sent) => match sent.error.downcast_ref() {
            Some(error) => judge_sent(error),
            None => saw("ERROR"),
        },
        _ => saw("ERROR"),
    };
    verdict.text = Some(error.to_string());
    verdict
}

/// What the error of the transport tells that a call which failed has within it.
fn judge_sent(error: &StreamableHttpError<reqwest::Error>) -> Verdict {
    let status = |status| Verdict { status: Some(status), ..saw("HTTP_ERROR") };
    match error {
        StreamableHttpError::HttpStatus(error) => status(error.status),
        StreamableHttpError::AuthRequired(_) => status(401),
        StreamableHttpError::InsufficientScope(_) => status(403),
        StreamableHttpError::SessionExpired => status(404),
        StreamableHttpError::UnexpectedContentType(_) => saw("UNEXPECTED_CONTENT_TYPE"),
        StreamableHttpError::UnexpectedServerResponse(_) => saw(UNREADABLE),
        StreamableHttpError::Client(error) if error.is_redirect() => saw("HTTP_ERROR"),
        StreamableHttpError::Client(_)
        | StreamableHttpError::Sse(_)
        | StreamableHttpError::Io(_)
        | StreamableHttpError::UnexpectedEndOfStream => saw("NO_FINAL_RESPONSE"),
        _ => saw("ERROR"),
    }
}

fn saw(saw: &'static str) -> Verdict {
    Verdict { saw, ..Default::default() }
}

/// Holds the connection, which is made at the first call and made anew after each
/// call that failed: nothing that the client still does for it, such as to resume
/// its stream, reaches into the next one.
pub struct Client {
    protocol: String,
    pub timeout: Duration, // of a call
    warm: bool,            // it has made one, the slowest, which gets more
    connected: Option<(String, RunningService<RoleClient, ClientConfig>)>,
}

impl Client {
    pub fn new(protocol: &str) -> Self {
        Self { protocol: protocol.into(), timeout: Duration::ZERO, warm: false, connected: None }
    }

    pub async fn call(&mut self, call: Call) -> Verdict {
        if let Err(error) = self.connect(&call.url).await {
            return Verdict { text: Some(format!("connect: {error}")), ..saw("ERROR") };
        }
        let Some((_, service)) = &self.connected else { unreachable!() };
        let limit = if self.warm { self.timeout } else { self.timeout.max(Duration::from_secs(9)) };
        // Requests for input come back to the caller instead of being fulfilled.
        let params = CallToolRequestParams::new(call.tool).with_arguments(call.arguments);
        let (mut verdict, failed) = match tokio::time::timeout(limit, service.call_tool_once(params)).await {
            Ok(result) => {
                let failed = result.is_err();
                (judge(result), failed)
            }
            Err(late) => (Verdict { text: Some(late.to_string()), ..saw("NO_FINAL_RESPONSE") }, true),
        };
        self.warm = self.warm || !failed;
        if failed {
            // Whether the connection still serves: it lists the tools.
            let listed = tokio::time::timeout(self.timeout / 2, service.list_tools(None)).await;
            verdict.alive = Some(matches!(listed, Ok(Ok(_))));
            self.close().await;
        }
        verdict
    }

    async fn connect(&mut self, url: &str) -> Result<(), Box<dyn std::error::Error>> {
        if self.connected.as_ref().is_some_and(|(to, _)| to == url) {
            return Ok(());
        }
        self.close().await;
        let version: ProtocolVersion = serde_json::from_value(self.protocol.clone().into())?;
        let info = ClientConfig::new(ClientCapabilities::default(), Implementation::new("rmcp", "1"))
            .with_protocol_version(version.clone());
        let transport = StreamableHttpClientTransport::from_uri(url);
        let service = tokio::time::timeout(Duration::from_secs(10), async {
            if version.has_initialize() {
                return info.serve(transport).await;
            }
            let lifecycle = ClientLifecycleMode::Discover { preferred_versions: vec![version.clone()] };
            info.serve_with_lifecycle(transport, lifecycle).await
        })
        .await??;
        self.connected = Some((url.into(), service));
        Ok(())
    }

    /// Ends the connection, and does not wait long for what it still has to say.
    pub async fn close(&mut self) {
        if let Some((_, mut service)) = self.connected.take() {
            let _ = service.close_with_timeout(Duration::from_millis(100)).await;
        }
    }
}

/// The version of the crate, which names itself in its own build.
pub fn version() -> String {
    Implementation::from_build_env().version
}
