#!/bin/sh
# Asks both real servers again and compares the verdicts of their answers with
# the cases real/… of the corpus; exit 1 on a difference. With -freeze it writes
# the cases anew. Needs Go, Node 20 or later and npm; stops all that it starts.
set -eu
cd "$(dirname "$0")"
case " $* " in
*" -only go-sdk "*) ;; # the Go SDK's server alone needs no npm
*) npm ci --ignore-scripts --no-audit --no-fund --loglevel=error ;;
esac
binary=$(mktemp -d)
trap 'rm -rf "$binary"' EXIT
go build -o "$binary/capture" .
"$binary/capture" "$@"
