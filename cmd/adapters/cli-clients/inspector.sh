#!/bin/sh
# Calls the one tool with MCP Inspector in its command-line mode, as replyproof
# check --client starts a client: the server's URL is the last argument. All that
# it tells apart is a success and the rest. It waits a minute for a response and
# cannot be told otherwise, so that a limit of LIMIT seconds is put around it; give
# check a --deadline of ten more.
case ${MCP_CONFORMANCE_PROTOCOL_VERSION:-2026-07-28} in
2026-*) era=modern ;;
*) era=legacy ;;
esac
bin=$(dirname "$0")/node_modules/.bin
PATH=$bin:$PATH exec timeout "${LIMIT:-20}" "$bin/mcp-inspector" --cli "$1" --transport http --protocol-era "$era" \
	--stored-auth-only --method tools/call --tool-name add_numbers --tool-args-json '{"a":1,"b":2}'
