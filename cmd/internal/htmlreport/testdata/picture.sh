#!/bin/sh
# Draws the README's picture, a part of the page of real runs of the faulty judges beside this file:
# picture.sh PICTURE. Needs Go, Node, Python and Chromium; make picture calls it.
set -eu
out=$(realpath "$1")
cd "$(dirname "$0")/../../../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/replyproof" ./cmd/replyproof
cd cmd/internal/htmlreport/testdata
judge() {
	name=$1
	shift
	status=0
	"$work/replyproof" check --adapter "$*" --cases corpus --seed 1 --report-dir "$work/runs/$name" >/dev/null 2>&1 || status=$?
	[ "$status" -le 1 ] || { echo "picture.sh: check of $name: status $status" >&2; exit 1; }
}
judge 1 node ../../../adapters/article/adapter.mjs
judge 2 node faulty.mjs body-first
judge 3 node faulty.mjs last-event
judge 4 node faulty.mjs last-event-next
judge 5 python3 faulty.py
judge 6 node faulty.mjs optimist
judge 7 node faulty.mjs status-only
"$work/replyproof" report "$work"/runs/* --out "$work/report.html"
cd ../browser
go test -count=1 -run 'TestPicture$' . -args -picture "$out" -pictured "$work/report.html"
