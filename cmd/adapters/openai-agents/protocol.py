"""The part of an adapter that speaks replyproof's protocol, JSON lines on
standard input and output. It is the same for every client in Python: copy it as
it is. Standard output is for the protocol alone; whatever the client prints goes
to standard error.
"""

import asyncio
import functools
import json
import os
import ssl
import sys
import threading
import time

FIRST = 9.0  # seconds for the first call, which is the slowest

# A client connects anew after each call that fails, and makes ready for TLS each
# time, which takes longer than all the rest and which no server here speaks.
ssl.create_default_context = functools.cache(ssl.create_default_context)


async def serve(ready, connect, call, alive, judge):
    """Answer the lines of standard input until it ends.

    ready           what the answer to the start says of the client
    connect(url, timeout)               an asynchronous context manager: a connection, of which no call takes
                                        longer than timeout, in seconds
    call(connection, tool, arguments)   make the call; the word for its result
    alive(connection)                   raise unless the connection still serves
    judge(error)                        what an error of these says to any caller: {"saw": word, "text": …}
    """
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # also for a logger that holds standard output already

    def say(line):
        print(json.dumps(line), file=out, flush=True)

    lines = _lines()
    if (start := await lines.get()) is None:
        return
    # A call gets a part of the time, so that the client can say that it was too
    # long, and the connection be looked at.
    timeout, warm = start["deadline_ms"] * 0.6 / 1000, False
    say({"ready": True, "kind": "client", **ready})

    ask = await lines.get()
    while ask is not None:
        url, called, verdict = ask["url"], None, None
        try:
            async with connect(url, timeout if warm else max(timeout, FIRST)) as connection:
                while ask is not None and ask["url"] == url:
                    called = ask
                    try:
                        saw = await call(connection, ask["tool"], ask["arguments"])
                    except Exception as error:
                        verdict = {**judge(error), "alive": False}
                        verdict["alive"] = await _serves(alive, connection, timeout / 4)
                        break
                    say({"seq": ask["seq"], "saw": saw})
                    ask = _NOTHING
                    if not warm:
                        warm = True
                        break
                    ask = await lines.get()
        except Exception as error:  # the connection has died, or could not be made
            if verdict is None and ask is called:
                verdict = {**judge(error), "alive": False}
            elif called is None:
                verdict = {"saw": "ERROR", "text": f"connect: {type(error).__name__}: {error}", "alive": False}
        if verdict is None and ask is called:  # not to be called again
            verdict = {"saw": "ERROR", "text": "the connection ended without an error", "alive": False}
        # After a failed call the connection is made anew: what the client still
        # does for that call must not reach into the next one.
        if ask is _NOTHING:
            ask = await lines.get()
        elif verdict is not None:
            say({"seq": ask["seq"], **verdict})
            ask = await lines.get()
    os._exit(0)  # the connection is closed; to take the interpreter down can last for seconds


_NOTHING = {"url": None}  # in place of a line that has been answered


async def _serves(alive, connection, timeout):
    try:
        async with asyncio.timeout(timeout):
            await alive(connection)
        return True
    except Exception:
        return False


def _lines():
    """The lines of standard input, in a queue, and None where it ends: the process then has two seconds."""
    queue, loop = asyncio.Queue(), asyncio.get_running_loop()

    def read():
        for line in sys.stdin:
            loop.call_soon_threadsafe(queue.put_nowait, json.loads(line))
        loop.call_soon_threadsafe(queue.put_nowait, None)
        time.sleep(1.5)
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    return queue
