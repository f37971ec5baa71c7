"""Puts the tools of langchain-mcp-adapters, as an agent calls them, behind
replyproof's adapter protocol, JSON lines on standard input and output:

    replyproof check --adapter '.venv/bin/python adapter.py'

It is meant to be copied for another client in Python: what stands here is the
client's own, protocol.py speaks the protocol and can stay as it is.
"""

import asyncio
from contextlib import asynccontextmanager
from datetime import timedelta
from importlib.metadata import version

import httpx
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_mcp_adapters.tools import load_mcp_tools
from mcp import McpError, types
from pydantic import ValidationError

from protocol import serve

PROTOCOL = types.LATEST_PROTOCOL_VERSION  # of mcp 1, which is below

# What a caller of a tool can tell apart. It knows nothing of requests for input,
# which the protocol has since 2026-07-28. Of an McpError with one of these codes
# nothing says whether the server or the SDK below made it.
LOCAL = {
    httpx.codes.REQUEST_TIMEOUT: "RPC_ERROR|NO_FINAL_RESPONSE",
    types.CONNECTION_CLOSED: "RPC_ERROR|NO_FINAL_RESPONSE",
    32600: "RPC_ERROR|HTTP_ERROR",  # of a 404
}
ERRORS = {
    ValidationError: "INVALID_TOOL_RESULT",
    httpx.HTTPStatusError: "HTTP_ERROR",
    httpx.DecodingError: "UNEXPECTED_CONTENT_TYPE",
    httpx.ProtocolError: "HTTP_ERROR|NO_FINAL_RESPONSE",
    httpx.TransportError: "NO_FINAL_RESPONSE",
}
TELLS = {"SUCCESS", "TOOL_ERROR", "RPC_ERROR", "ERROR", *LOCAL.values(), *ERRORS.values()}

noticed = []  # what the connection's message handler was told to be wrong


async def notice(message):
    if isinstance(message, Exception):
        noticed.append(message)


def judge(error):
    """What an error of a tool, or of the connection, tells any caller."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    text = "; ".join(f"{type(e).__name__}: {e}" for e in [error, *noticed])
    if isinstance(error, McpError):
        code = error.error.code
        # What is wrong with a body is told to the message handler only, and the
        # call waits until its time is over.
        late = code == httpx.codes.REQUEST_TIMEOUT and noticed
        return {"saw": "ERROR" if late else LOCAL.get(code, "RPC_ERROR"), "code": code, "text": text}
    verdict = {"saw": next((word for kind, word in ERRORS.items() if isinstance(error, kind)), "ERROR"), "text": text}
    if isinstance(error, httpx.HTTPStatusError):
        verdict["status"] = error.response.status_code
    return verdict


@asynccontextmanager
async def connect(url, timeout):
    session = {"read_timeout_seconds": timedelta(seconds=timeout), "message_handler": notice}
    client = MultiServerMCPClient({"server": {"transport": "http", "url": url, "session_kwargs": session}})
    async with client.session("server") as session:
        yield session, {tool.name: tool for tool in await load_mcp_tools(session)}


async def call(connection, tool, arguments):
    noticed.clear()
    _, tools = connection
    message = await tools[tool].ainvoke({"type": "tool_call", "id": "1", "name": tool, "args": arguments})
    return "TOOL_ERROR" if message.status == "error" else "SUCCESS"


async def alive(connection):
    session, _ = connection
    await session.list_tools()


ready = {
    "name": "langchain-mcp-adapters", "version": version("langchain-mcp-adapters"), "protocol_version": PROTOCOL,
    "tells": sorted(TELLS),
}
asyncio.run(serve(ready, connect, call, alive, judge))
