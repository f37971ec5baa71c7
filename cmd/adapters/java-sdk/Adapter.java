// Puts the client of the official Java SDK, io.modelcontextprotocol.sdk:mcp,
// behind replyproof's adapter protocol, JSON lines on standard input and output:
//
//   replyproof check --adapter 'java -jar cmd/adapters/java-sdk/target/java-sdk.jar'              # 2025-11-25
//   replyproof check --adapter 'java -jar cmd/adapters/java-sdk/target/java-sdk.jar 2025-06-18'   # or an earlier one
//
// It is meant to be copied for another client in Java: judge, connect and call are
// the client's own, main can stay as it is. Standard output is for the protocol
// alone: what is printed, by a logger's console or otherwise, goes to standard error.

import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.client.transport.McpHttpClientTransportAuthorizationException;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpTransportException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import reactor.core.Exceptions;

final class Adapter {
	// What a caller of callTool can tell apart, by classes of exceptions. Of a status
	// other than 401 and 403 there is the text of one alone, and a media type has the
	// same class. A request for input is not known to this client's revisions.
	private static final String MALFORMED = "MALFORMED_JSON|INVALID_ENVELOPE";
	private static final String INVALID = "INVALID_ENVELOPE|INVALID_TOOL_RESULT";
	private static final String REFUSED = "HTTP_ERROR|UNEXPECTED_CONTENT_TYPE";
	private static final List<String> TELLS = List.of(
		"SUCCESS", "TOOL_ERROR", "RPC_ERROR", "HTTP_ERROR", "NO_FINAL_RESPONSE", MALFORMED, INVALID, REFUSED, "ERROR");

	/** What an exception of callTool tells any caller. */
	private static Map<String, Object> judge(Throwable error) {
		Map<String, Object> verdict = new LinkedHashMap<>();
		if (error instanceof McpError rpc) {
			verdict.put("saw", "RPC_ERROR");
			verdict.put("code", rpc.getJsonRpcError().code());
		} else if (error instanceof McpHttpClientTransportAuthorizationException refused) {
			verdict.put("saw", "HTTP_ERROR");
			verdict.put("status", refused.getResponseInfo().statusCode());
		} else if (error instanceof McpTransportException) {
			verdict.put("saw", error.getCause() instanceof IOException ? MALFORMED : REFUSED);
		} else if (error instanceof IllegalArgumentException) {
			verdict.put("saw", INVALID);
		} else if (error instanceof IOException || error instanceof TimeoutException) {
			verdict.put("saw", "NO_FINAL_RESPONSE");
		} else {
			verdict.put("saw", "ERROR");
		}
		verdict.put("text", error.toString());
		return verdict;
	}

	private final String protocol;
	private Duration timeout; // of a call
	private boolean warm; // it has made one, the slowest, which gets more
	private String url;
	private McpAsyncClient client; // made anew after each call that failed
	private int closed;
	private final ExecutorService threads = Executors.newCachedThreadPool();

	private Adapter(String protocol) {
		this.protocol = protocol;
	}

	private void connect(String to) {
		if (client != null && to.equals(url)) {
			return;
		}
		close();
		URI uri = URI.create(to);
		client = McpClient.async(HttpClientStreamableHttpTransport.builder(uri.resolve("/").toString())
				.endpoint(uri.getRawPath()).supportedProtocolVersions(List.of(protocol))
				.customizeClient(http -> http.executor(threads)).build())
			.clientInfo(McpSchema.Implementation.builder("java-sdk", "1").build()).build();
		url = to;
		String got = client.initialize().block(Duration.ofSeconds(10)).protocolVersion();
		if (!got.equals(protocol)) {
			throw new IllegalStateException("got protocol version " + got + ", want " + protocol);
		}
	}

	private void close() {
		if (client != null) {
			client.close();
			client = null;
			if (++closed % 50 == 0) {
				System.gc(); // that of java.net.http has a thread until it is collected
			}
		}
	}

	private Map<String, Object> call(String to, String tool, Map<String, Object> arguments) {
		try {
			connect(to);
		} catch (RuntimeException e) {
			close();
			return Map.of("saw", "ERROR", "text", "connect: " + Exceptions.unwrap(e));
		}
		Duration limit = warm ? timeout : Duration.ofMillis(Math.max(timeout.toMillis(), 9000));
		try {
			CallToolResult result = client.callTool(CallToolRequest.builder(tool).arguments(arguments).build())
				.timeout(limit).block();
			warm = true;
			return Map.of("saw", Boolean.TRUE.equals(result.isError()) ? "TOOL_ERROR" : "SUCCESS");
		} catch (RuntimeException e) {
			Map<String, Object> verdict = judge(Exceptions.unwrap(e));
			verdict.put("alive", alive());
			// Nothing of this call is left for a later one.
			close();
			return verdict;
		}
	}

	/** Whether the connection still serves: it lists the tools. */
	private boolean alive() {
		try {
			client.listTools(McpSchema.FIRST_PAGE).timeout(timeout.dividedBy(2)).block();
			return true;
		} catch (RuntimeException e) {
			return false;
		}
	}

	@SuppressWarnings("unchecked")
	public static void main(String[] args) throws IOException {
		PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
		System.setOut(System.err);
		System.setProperty("slf4j.internal.verbosity", "ERROR"); // no word of there being no logger
		String protocol = args.length > 0 ? args[0] : "2025-11-25";
		Adapter adapter = new Adapter(protocol);
		McpJsonMapper json = McpJsonDefaults.getMapper();
		BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String line; (line = lines.readLine()) != null;) {
			Map<String, Object> ask = json.readValue(line, new TypeRef<Map<String, Object>>() {});
			Map<String, Object> answer = new LinkedHashMap<>();
			if ("start".equals(ask.get("cmd"))) {
				// A call gets a part of the time, so that the client can say that it was
				// too long, and the connection be looked at.
				adapter.timeout = Duration.ofMillis(((Number) ask.get("deadline_ms")).longValue() * 6 / 10);
				answer.put("ready", true);
				answer.put("name", "java-sdk");
				answer.put("version", McpClient.class.getPackage().getImplementationVersion());
				answer.put("kind", "client");
				answer.put("protocol_version", protocol);
				answer.put("tells", TELLS);
			} else {
				answer.put("seq", ask.get("seq"));
				answer.putAll(adapter.call((String) ask.get("url"), (String) ask.get("tool"),
					(Map<String, Object>) ask.get("arguments")));
			}
			out.println(json.writeValueAsString(answer));
		}
		System.exit(0); // whatever the client's threads still do
	}
}
