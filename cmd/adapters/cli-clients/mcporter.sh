#!/bin/sh
# Calls the one tool with mcporter, as replyproof check --client starts a client:
# the server's URL is the last argument. All that it tells apart is a success and
# the rest, and it speaks 2025-11-25. A call gets LIMIT seconds; give check a
# --deadline of ten more. mcporter.json keeps it from the servers of editors.
here=$(dirname "$0")
bin=$here/node_modules/.bin
PATH=$bin:$PATH exec "$bin/mcporter" --config "$here/mcporter.json" call --http-url "$1" --allow-http --no-oauth \
	--timeout "${LIMIT:-20}000" --output json --tool add_numbers --args '{"a":1,"b":2}'
