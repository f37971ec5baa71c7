#!/bin/sh
# Makes the captures of this folder again: calls the tools of server.go through
# Chromium, curl and mitmproxy, all on loopback. Needs Go, curl, Node with npm,
# Python 3 with venv, and Chromium (CHROMIUM names it, /usr/bin/chromium if not).
# Afterwards run the tests of cmd/internal/capture, whose verdicts are written out.
set -eu
cd "$(dirname "$0")"
scratch=$(mktemp -d)
pids=
trap 'for p in $pids; do kill "$p" 2>/dev/null || :; done; rm -rf "$scratch"' EXIT

wait_for() { # FILE: until it has a line
	for _ in $(seq 100); do [ -s "$1" ] && return; sleep 0.1; done
	echo "make.sh: nothing came: $1" >&2; exit 1
}
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

go build -o "$scratch/server" server.go
"$scratch/server" > "$scratch/address" &
pids="$pids $!"
wait_for "$scratch/address"
address=$(cat "$scratch/address")
closed=$(free_port)

# plain puts the same address into every file, so that they differ only where it matters.
plain() { sed -i "s/$address/127.0.0.1:8080/g; s/127.0.0.1:$closed/127.0.0.1:9/g; s/port $closed/port 9/g; s/(127.0.0.1) port ${address#*:}/(127.0.0.1) port 8080/g; s/127.0.0.1 port ${address#*:}/127.0.0.1 port 8080/g" "$@"; }

call() { # ID TOOL
	printf '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"%s","arguments":{"city":"Oslo"}}}' "$1" "$2"
}
post() { # CURL ARGUMENTS…: without user's own settings
	curl -q --noproxy '*' -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' \
		-H 'MCP-Protocol-Version: 2026-07-28' "$@" || :
}

# curl
curl --version | sed -n 1p > curl.version
rm -f curl-*.txt
post -sSi "http://$address/mcp" -d "$(call 1 ok)" > curl-i.txt 2>&1
post -sSi -L "http://$address/moved" -H 'Expect: 100-continue' -d "$(call 1 ok)" > curl-i-continue-redirect.txt 2>&1
{ post -sSi "http://$address/mcp" -d "$(call 1 ok)"; post -sSi "http://$address/mcp" -d "$(call 1 stream)"; post -sSi "http://$address/mcp" -d "$(call 1 down)"; } > curl-i-three.txt 2>&1
post -sSi "http://$address/mcp" -d "$(call 1 cut)" > curl-i-cut.txt 2>&1
post -sSv "http://$address/mcp" -d "$(call 1 params)" > curl-v.txt 2>&1
post -v "http://$address/mcp" -d "$(call 1 stream)" > curl-v-meter-stream.txt 2>&1
post -sSv "http://$address/mcp" -d "$(call 1 ok)" --next -q --noproxy '*' -sSv "http://$address/mcp" -H 'Content-Type: application/json' -d "$(call 1 down)" > curl-v-next.txt 2>&1
post -sSv -L "http://$address/moved" -H 'Expect: 100-continue' -d "$(call 1 fails)" > curl-v-continue-redirect.txt 2>&1
post -sSv "http://$address/mcp" -d "$(call 1 cut)" > curl-v-cut.txt 2>&1
post -sSv -m 1 "http://$address/mcp" -d "$(call 1 late)" > curl-v-timeout.txt 2>&1
post -sSv "http://127.0.0.1:$closed/mcp" -d "$(call 1 ok)" > curl-v-refused.txt 2>&1

# Chromium, driven by Playwright, which writes the HAR
npm install --prefix "$scratch" --no-save --no-audit --no-fund --loglevel=error playwright-core@1.64.1
PLAYWRIGHT=$scratch node chromium.mjs "$address" "$closed" chromium.har

# mitmproxy as a reverse proxy, and as a forward proxy with CONNECT
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install --quiet mitmproxy==11.0.2
proxy=$(free_port)
"$scratch/venv/bin/mitmdump" --set confdir="$scratch/mitm" --listen-host 127.0.0.1 -p "$proxy" --set connection_strategy=lazy \
	--mode "reverse:http://$address" --set hardump="$PWD/mitmproxy.har" > "$scratch/mitm.log" 2>&1 &
mitm=$!
pids="$pids $mitm"
for _ in $(seq 100); do curl -q --noproxy '*' -s -o /dev/null "http://127.0.0.1:$proxy/" && break; sleep 0.2; done
post -sS "http://127.0.0.1:$proxy/mcp" -d '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}' > "$scratch/out" 2>&1
post -sS "http://127.0.0.1:$proxy/mcp" -d '{"jsonrpc":"2.0","id":"list","method":"tools/list"}' > "$scratch/out" 2>&1
id=0
for tool in ok fails params input other down login stream unfinished cut bytes flaky flaky; do
	id=$((id + 1))
	post -sS "http://127.0.0.1:$proxy/mcp" -d "$(call $id $tool)" > "$scratch/out" 2>&1
done
post -sS -m 1 "http://127.0.0.1:$proxy/mcp" -d "$(call '"timeout"' late)" > "$scratch/out" 2>&1
sleep 1
kill -INT "$mitm"; wait "$mitm" || :
tunnel=$(free_port)
"$scratch/venv/bin/mitmdump" --set confdir="$scratch/mitm" --listen-host 127.0.0.1 -p "$tunnel" > "$scratch/mitm.log" 2>&1 &
mitm=$!
pids="$pids $mitm"
for _ in $(seq 100); do curl -q --noproxy '*' -s -o /dev/null "http://127.0.0.1:$tunnel/" && break; sleep 0.2; done
curl -q -sSi -p -x "http://127.0.0.1:$tunnel" "http://$address/mcp" -H 'Content-Type: application/json' -d "$(call 1 down)" > curl-i-tunnel.txt 2>&1 || :
curl -q -sSv -p -x "http://127.0.0.1:$tunnel" "http://$address/mcp" -H 'Content-Type: application/json' -d "$(call 1 down)" > curl-v-tunnel.txt 2>&1 || :
kill -INT "$mitm"; wait "$mitm" || :
sed -i "s/127.0.0.1:$proxy/127.0.0.1:8081/g; s/127.0.0.1:$tunnel/127.0.0.1:8082/g; s/port $tunnel/port 8082/g" curl-*.txt mitmproxy.har
plain curl-*.txt chromium.har mitmproxy.har
ls -l
