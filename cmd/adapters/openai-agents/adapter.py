"""Puts the MCP client of openai-agents, MCPServerStreamableHttp, behind
replyproof's adapter protocol, JSON lines on standard input and output:

    replyproof check --adapter '.venv/bin/python adapter.py'

It is meant to be copied for another client in Python: what stands here is the
client's own, protocol.py speaks the protocol and can stay as it is.
"""

import asyncio
from contextlib import asynccontextmanager
from importlib.metadata import version

from agents.mcp import MCPServerStreamableHttp
from mcp import MCPError, types
from pydantic import ValidationError

from protocol import serve

# The client takes the newest version that the server has, and cannot be told to
# take another.
PROTOCOL = "2026-07-28"

# What a caller of call_tool can tell apart. The SDK below has its own failures
# come as an MCPError with one of these codes, as a server's errors do. A request
# for input is a RuntimeError like any other: there is no way to answer it.
LOCAL = {
    types.REQUEST_TIMEOUT: "RPC_ERROR|NO_FINAL_RESPONSE",
    types.CONNECTION_CLOSED: "RPC_ERROR|NO_FINAL_RESPONSE",
    types.INTERNAL_ERROR: "RPC_ERROR|HTTP_ERROR",
    types.METHOD_NOT_FOUND: "RPC_ERROR|HTTP_ERROR",
    types.INVALID_REQUEST: "RPC_ERROR|HTTP_ERROR|UNEXPECTED_CONTENT_TYPE|NO_FINAL_RESPONSE",
    types.PARSE_ERROR: "RPC_ERROR|MALFORMED_JSON|INVALID_ENVELOPE|INVALID_TOOL_RESULT",
}
TELLS = {"SUCCESS", "TOOL_ERROR", "RPC_ERROR", "INVALID_TOOL_RESULT", "ERROR", *LOCAL.values()}


def judge(error):
    """What an error of call_tool, or of the connection, tells any caller."""
    text = f"{type(error).__name__}: {error}"
    if isinstance(error, MCPError):
        return {"saw": LOCAL.get(error.code, "RPC_ERROR"), "code": error.code, "text": text}
    return {"saw": "INVALID_TOOL_RESULT" if isinstance(error, ValidationError) else "ERROR", "text": text}


@asynccontextmanager
async def connect(url, timeout):
    async with MCPServerStreamableHttp({"url": url}, client_session_timeout_seconds=timeout) as server:
        if server.session.protocol_version != PROTOCOL:
            raise RuntimeError(f"got protocol version {server.session.protocol_version}, want {PROTOCOL}")
        await server.list_tools()  # or the first success would have it done
        yield server


async def call(server, tool, arguments):
    result = await server.call_tool(tool, arguments)
    return "TOOL_ERROR" if result.is_error else "SUCCESS"


async def alive(server):
    await server.list_tools()


ready = {
    "name": "openai-agents", "version": version("openai-agents"), "protocol_version": PROTOCOL, "tells": sorted(TELLS),
}
asyncio.run(serve(ready, connect, call, alive, judge))
