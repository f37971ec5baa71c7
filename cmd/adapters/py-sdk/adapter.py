"""Puts the client of mcp 2, the official Python SDK, behind replyproof's adapter
protocol, JSON lines on standard input and output:

    replyproof check --adapter '.venv/bin/python adapter.py'              # protocol version 2026-07-28
    replyproof check --adapter '.venv/bin/python adapter.py 2025-11-25'

It is meant to be copied for another client in Python: what stands here is the
client's own, protocol.py speaks the protocol and can stay as it is.
"""

import asyncio
import sys
from contextlib import asynccontextmanager
from importlib.metadata import version

import httpx2
from mcp import Client, MCPError, types
from pydantic import ValidationError

from protocol import serve

PROTOCOL = sys.argv[1] if len(sys.argv) > 1 else "2026-07-28"

# What a caller of call_tool can tell apart. Most failures of the exchange come as
# an MCPError, as a server's errors do, with one of these codes: whose it is,
# nothing says. Others end the connection, and come as what they are.
LOCAL = {
    types.REQUEST_TIMEOUT: "RPC_ERROR|NO_FINAL_RESPONSE",
    types.CONNECTION_CLOSED: "RPC_ERROR|NO_FINAL_RESPONSE",
    types.INTERNAL_ERROR: "RPC_ERROR|HTTP_ERROR",
    types.METHOD_NOT_FOUND: "RPC_ERROR|HTTP_ERROR",
    types.INVALID_REQUEST: "RPC_ERROR|HTTP_ERROR|UNEXPECTED_CONTENT_TYPE|NO_FINAL_RESPONSE",
    types.PARSE_ERROR: "RPC_ERROR|MALFORMED_JSON|INVALID_ENVELOPE|INVALID_TOOL_RESULT",
}
ERRORS = {
    ValidationError: "INVALID_TOOL_RESULT",
    httpx2.DecodingError: "UNEXPECTED_CONTENT_TYPE",
    httpx2.ProtocolError: "HTTP_ERROR|NO_FINAL_RESPONSE",
    httpx2.TransportError: "NO_FINAL_RESPONSE",
}
TELLS = {"SUCCESS", "TOOL_ERROR", "INPUT_REQUIRED", "RPC_ERROR", "ERROR", *LOCAL.values(), *ERRORS.values()}


def judge(error):
    """What an error of call_tool, or of the connection, tells any caller."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    text = f"{type(error).__name__}: {error}"
    if isinstance(error, MCPError):
        return {"saw": LOCAL.get(error.code, "RPC_ERROR"), "code": error.code, "text": text}
    return {"saw": next((word for kind, word in ERRORS.items() if isinstance(error, kind)), "ERROR"), "text": text}


@asynccontextmanager
async def connect(url, timeout):
    mode = "legacy" if PROTOCOL < "2026-07-28" else PROTOCOL
    async with Client(url, mode=mode, read_timeout_seconds=timeout, cache=None) as client:
        if client.protocol_version != PROTOCOL:
            raise RuntimeError(f"got protocol version {client.protocol_version}, want {PROTOCOL}")
        await client.list_tools()  # or the first success would have it done
        yield client


async def call(client, tool, arguments):
    # Requests for input come back to the caller instead of being fulfilled.
    result = await client.session.call_tool(tool, arguments, allow_input_required=True)
    if isinstance(result, types.InputRequiredResult):
        return "INPUT_REQUIRED"
    return "TOOL_ERROR" if result.is_error else "SUCCESS"


async def alive(client):
    await client.list_tools()


ready = {"name": "py-sdk", "version": version("mcp"), "protocol_version": PROTOCOL, "tells": sorted(TELLS)}
asyncio.run(serve(ready, connect, call, alive, judge))
