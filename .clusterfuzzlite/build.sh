#!/usr/bin/env bash
# Builds every fuzz target for libFuzzer into $OUT, each with its seeds and the
# dictionary beside it, as OSS-Fuzz and ClusterFuzzLite want them. They set $OUT,
# $CXX, $CXXFLAGS and $LIB_FUZZING_ENGINE; .ci/libfuzzer sets them for a machine
# with clang and no containers. TARGETS, if set, names the targets to build.
set -euo pipefail
: "${OUT:?folder to build into}" "${CXX:=clang++}" "${LIB_FUZZING_ENGINE:=-fsanitize=fuzzer}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

go run ./fuzz/libfuzzer dictionary > "$work/dictionary"
for target in ${TARGETS:-$(go run ./fuzz/libfuzzer targets)}; do
	go build -tags libfuzzer -gcflags=all=-d=libfuzzer -buildmode=c-archive \
		-ldflags="-X main.target=$target" -o "$work/$target.a" ./fuzz/libfuzzer
	# CXXFLAGS is a list of flags.
	# shellcheck disable=SC2086
	"$CXX" ${CXXFLAGS:-} "$work/$target.a" $LIB_FUZZING_ENGINE -lpthread -o "$OUT/$target"
	cp "$work/dictionary" "$OUT/$target.dict"
	go run ./fuzz/libfuzzer seeds "$target" "$work/seeds/$target"
	python3 - "$work/seeds/$target" "$OUT/${target}_seed_corpus.zip" <<-'PY'
		import os, sys, zipfile
		with zipfile.ZipFile(sys.argv[2], "w", zipfile.ZIP_DEFLATED) as z:
		    for name in sorted(os.listdir(sys.argv[1])):
		        z.write(os.path.join(sys.argv[1], name), name)
	PY
done
