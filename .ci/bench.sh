#!/usr/bin/env bash
# The tables of make bench: the classifier beside its peers, and its cost by size.
# ROUNDS (6) runs over all benchmarks, so that what else the machine does meets
# every judge alike; benchstat takes the medians. Needs Go.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
: "${GO:=go}" "${ROUNDS:=6}" "${BENCHTIME:=100ms}" "${BENCH:=.}"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd classifier/bench && "$GO" test -c -o "$work/bench.test" .)
for round in $(seq "$ROUNDS"); do
	echo "round $round of $ROUNDS" >&2
	"$work/bench.test" -test.run='^$' -test.bench="$BENCH" -test.benchtime="$BENCHTIME" -test.benchmem -test.timeout=0 >>"$work/results"
done

# table NAME UNIT ROWS COLUMNS HOW: medians by benchstat, as a Markdown table. HOW
# is ratio, which divides each figure by the first of its row and tells that as a
# time; count; or nano.
table() {
	"$GO" tool -modfile=.ci/tools.mod benchstat -format csv -filter ".name:$1 .unit:$2" -row "$3" -col "$4" "$work/results" 2>/dev/null |
		awk -F, -v how="$5" '
		function figure(x) { return sprintf(x < 9.95 ? "%.1f" : "%.0f", x) }
		function time(x) { return x < 1e-6 ? sprintf("%.0f ns", x * 1e9) : x < 1e-3 ? sprintf("%.1f µs", x * 1e6) : sprintf("%.1f ms", x * 1e3) }
		/^,/ && !columns {
			line = "|"; rule = "| ---"
			for (i = 2; i <= NF; i++) if ($i != "") { at[++columns] = i; line = line " | " $i; rule = rule " | ---:" }
			print line " |"; print rule " |"; next
		}
		/^,/ || /^geomean/ || !columns || NF < 2 { next }
		{
			gsub("_", " ", $1)
			line = "| " $1
			for (i = 1; i <= columns; i++) {
				x = $at[i]
				if (how == "ratio") x = i == 1 ? time(x) : figure(x / $at[1])
				if (how == "nano") x = sprintf("%.2f", x * 1e9)
				line = line " | " x
			}
			print line " |"
		}'
}

sizes='/size@(150B 2KB 64KB 1MB 32MB)'
echo "machine: $(sed -n 's/^cpu: //p' "$work/results" | head -1), $(nproc) cores, $("$GO" env GOVERSION) $("$GO" env GOOS)/$("$GO" env GOARCH); medians of $ROUNDS rounds"
printf '\nA tool result: the processor time of the classifier, and how many times as much the others take\n\n'
table JSON cpu-ns/op "$sizes" /judge ratio
printf '\nA stream: the same\n\n'
table Stream cpu-ns/op /stream /judge ratio
printf '\nAllocations for a tool result\n\n'
table JSON allocs/op "$sizes" /judge count
printf '\nAllocations for a stream\n\n'
table Stream allocs/op /stream /judge count
printf '\nNanoseconds a byte by size, which stay what they are while the cost is linear\n\n'
table Growth ns/byte /shape /size nano
