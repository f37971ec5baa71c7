import json, sys

def judge(answer):  # yours
    return "SUCCESS" if answer["status"] == 200 and answer.get("body") else "ERROR"

for line in sys.stdin:
    ask = json.loads(line)
    print(json.dumps(
        {"ready": True, "name": "mine", "version": "1", "kind": "classifier", "tells": ["SUCCESS", "ERROR"]}
        if ask.get("cmd") == "start" else {"seq": ask["seq"], "saw": judge(ask["case"])}), flush=True)
