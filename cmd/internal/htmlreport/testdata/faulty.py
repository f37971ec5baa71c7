"""A small faulty judge behind the adapter protocol: python3 faulty.py

Python's json takes NaN and the last of what stands twice, str.splitlines
knows more line ends than a stream has, and the id is compared with ==, so that
1 is True.
"""
import base64
import json
import sys


def read(answer):
    body = answer["body"].encode() if "body" in answer else base64.b64decode(answer.get("body_base64", ""))
    headers = answer.get("headers") or {}
    pairs = headers.items() if isinstance(headers, dict) else headers
    kind = next((value for name, value in pairs if name.lower() == "content-type"), "application/json")
    text = body.decode("utf-8", "replace")
    if "event-stream" not in kind:
        return json.loads(text)
    data = [line[5:].strip() for line in text.splitlines() if line.startswith("data:")]
    for line in data:
        message = json.loads(line)
        if isinstance(message, dict) and message.get("id") == answer.get("request_id"):
            return message
    raise ValueError("no response in the stream")


def judge(answer):
    if not 200 <= answer["status"] < 300:
        return {"saw": "ERROR", "status": answer["status"]}
    message = read(answer)
    if message["id"] != answer.get("request_id"):
        raise ValueError("another id")
    if "error" in message:
        return {"saw": "RPC_ERROR", "code": int(message["error"]["code"])}
    if message["result"].get("resultType") == "input_required":
        return {"saw": "INPUT_REQUIRED"}
    return {"saw": "TOOL_ERROR" if message["result"].get("isError") else "SUCCESS"}


for line in sys.stdin:
    ask = json.loads(line)
    if ask.get("cmd") == "start":
        answer = {"ready": True, "name": "loose-python", "version": "0.8.0", "kind": "classifier",
                  "tells": ["SUCCESS", "TOOL_ERROR", "INPUT_REQUIRED", "RPC_ERROR", "ERROR"]}
    else:
        try:
            answer = {"seq": ask["seq"], **judge(ask["case"])}
        except Exception as error:  # whatever it is, the call has failed
            answer = {"seq": ask["seq"], "saw": "ERROR", "text": str(error)[:100]}
    print(json.dumps(answer), flush=True)
