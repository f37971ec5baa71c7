"""Puts the MCP client of pydantic-ai, an MCPToolset over FastMCP's client, behind
replyproof's adapter protocol, JSON lines on standard input and output:

    replyproof check --adapter '.venv/bin/python adapter.py'              # protocol version 2026-07-28
    replyproof check --adapter '.venv/bin/python adapter.py 2025-11-25'

It is meant to be copied for another client in Python: what stands here is the
client's own, protocol.py speaks the protocol and can stay as it is.
"""

import asyncio
import sys
from contextlib import asynccontextmanager
from importlib.metadata import version

from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport
from fastmcp.exceptions import ToolError
from mcp import InputRequiredRoundsExceededError, MCPError, types
from pydantic import ValidationError
from pydantic_ai.mcp import MCPToolset

from protocol import serve

PROTOCOL = sys.argv[1] if len(sys.argv) > 1 else "2026-07-28"

# What a caller of direct_call_tool can tell apart. The SDK below has its own
# failures come as an MCPError with one of these codes, as a server's errors do;
# what ends the connection is CONNECTION_CLOSED or a RuntimeError, whatever it was.
LOCAL = {
    types.REQUEST_TIMEOUT: "RPC_ERROR|NO_FINAL_RESPONSE",
    types.CONNECTION_CLOSED: "RPC_ERROR|NO_FINAL_RESPONSE",
    types.INTERNAL_ERROR: "RPC_ERROR|HTTP_ERROR",
    types.METHOD_NOT_FOUND: "RPC_ERROR|HTTP_ERROR",
    types.INVALID_REQUEST: "RPC_ERROR|HTTP_ERROR|UNEXPECTED_CONTENT_TYPE|NO_FINAL_RESPONSE",
    types.PARSE_ERROR: "RPC_ERROR|MALFORMED_JSON|INVALID_ENVELOPE|INVALID_TOOL_RESULT",
}
TELLS = {"SUCCESS", "TOOL_ERROR", "INPUT_REQUIRED", "RPC_ERROR", "INVALID_TOOL_RESULT", "ERROR", *LOCAL.values()}


def judge(error):
    """What an error of direct_call_tool, or of the connection, tells any caller."""
    text = f"{type(error).__name__}: {error}"
    if isinstance(error, MCPError):
        return {"saw": LOCAL.get(error.code, "RPC_ERROR"), "code": error.code, "text": text}
    return {"saw": "INVALID_TOOL_RESULT" if isinstance(error, ValidationError) else "ERROR", "text": text}


@asynccontextmanager
async def connect(url, timeout):
    # Requests for input end the call: of the rounds in which they are fulfilled there are none.
    mode = "legacy" if PROTOCOL < "2026-07-28" else PROTOCOL
    # The transport is named, since to find it by the URL FastMCP tries each time to import its server, which is not there.
    client = Client(StreamableHttpTransport(url), mode=mode, timeout=timeout, input_required_max_rounds=0)
    async with MCPToolset(client, tool_error_behavior="error", cache_tools=False) as toolset:
        if client.protocol_version != PROTOCOL:
            raise RuntimeError(f"got protocol version {client.protocol_version}, want {PROTOCOL}")
        await toolset.list_tools()  # or the first success would have it done
        yield toolset


async def call(toolset, tool, arguments):
    try:
        await toolset.direct_call_tool(tool, arguments)
    except ToolError:
        return "TOOL_ERROR"
    except InputRequiredRoundsExceededError:
        return "INPUT_REQUIRED"
    return "SUCCESS"


async def alive(toolset):
    await toolset.list_tools()


ready = {
    "name": "pydantic-ai", "version": version("pydantic-ai-slim"), "protocol_version": PROTOCOL, "tells": sorted(TELLS),
}
asyncio.run(serve(ready, connect, call, alive, judge))
