"""Puts the client of mcp-use behind replyproof's adapter protocol, JSON lines on
standard input and output:

    replyproof check --adapter '.venv/bin/python adapter.py'

It is meant to be copied for another client in Python: what stands here is the
client's own, protocol.py speaks the protocol and can stay as it is.
"""

import asyncio
import os
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from importlib.metadata import version

os.environ["MCP_USE_ANONYMIZED_TELEMETRY"] = "false"  # nothing but the server is spoken to

import httpx
from mcp import McpError, types
from mcp_use.client import MCPClient
from pydantic import ValidationError

from protocol import serve

PROTOCOL = types.LATEST_PROTOCOL_VERSION  # of mcp 1, which is below

# What a caller of call_tool can tell apart. It knows nothing of requests for
# input, which the protocol has since 2026-07-28. Of an McpError with one of these
# codes nothing says whether the server or the SDK below made it; what ends the
# connection is a RuntimeError, whatever it was.
LOCAL = {
    httpx.codes.REQUEST_TIMEOUT: "RPC_ERROR|NO_FINAL_RESPONSE",
    types.CONNECTION_CLOSED: "RPC_ERROR|NO_FINAL_RESPONSE",
    32600: "RPC_ERROR|HTTP_ERROR",  # of a 404
}
TELLS = {"SUCCESS", "TOOL_ERROR", "RPC_ERROR", "INVALID_TOOL_RESULT", "ERROR", *LOCAL.values()}

noticed = []  # what the client's message handler was told to be wrong


async def notice(message):
    if isinstance(message, Exception):
        noticed.append(message)


def judge(error):
    """What an error of call_tool, or of the connection, tells any caller."""
    text = "; ".join(f"{type(e).__name__}: {e}" for e in [error, *noticed])
    if isinstance(error, McpError):
        code = error.error.code
        # What is wrong with a body is told to the message handler only, and the
        # call waits until its time is over.
        late = code == httpx.codes.REQUEST_TIMEOUT and noticed
        return {"saw": "ERROR" if late else LOCAL.get(code, "RPC_ERROR"), "code": code, "text": text}
    return {"saw": "INVALID_TOOL_RESULT" if isinstance(error, ValidationError) else "ERROR", "text": text}


@asynccontextmanager
async def connect(url, timeout):
    # Where auth is left out it asks at each connection whether the server has OAuth, which this one has not.
    client = MCPClient({"mcpServers": {"server": {"url": url, "auth": None}}}, message_handler=notice)
    session = await client.create_session("server")
    try:
        yield session, timedelta(seconds=timeout)
    finally:
        with suppress(TimeoutError):  # of its own it waits for up to half a minute
            async with asyncio.timeout(timeout / 8):
                await client.close_all_sessions()


async def call(connection, tool, arguments):
    noticed.clear()
    session, timeout = connection
    result = await session.call_tool(tool, arguments, timeout)
    return "TOOL_ERROR" if result.isError else "SUCCESS"


async def alive(connection):
    session, _ = connection
    try:
        await session.list_tools()
    except Exception:  # of a loss that the client notices now; it then reconnects by itself
        await session.list_tools()


ready = {"name": "mcp-use", "version": version("mcp-use"), "protocol_version": PROTOCOL, "tells": sorted(TELLS)}
asyncio.run(serve(ready, connect, call, alive, judge))
