#!/bin/sh
# Installs and builds every adapter that the toolchains here suffice for, or those
# whose folders are named, those in Go and Rust into bin/, and says which it left out
# and why. What is there already and fits its lock file is left as it is.
#
#	cmd/adapters/build.sh            # all
#	cmd/adapters/build.sh go-sdk     # one
set -u
cd "$(dirname "$0")"
for name; do
	[ -f "$name/go.mod" ] || [ -f "$name/package-lock.json" ] || [ -f "$name/requirements.txt" ] ||
		[ -f "$name/Cargo.lock" ] || [ -f "$name/pom.xml" ] || {
		echo "build.sh: $name: no adapter of that name stands in cmd/adapters" >&2
		exit 2
	}
done
[ $# -gt 0 ] || set -- */
failed=
python=${PYTHON:-python3}

# install_python puts what the lock file names into a virtual environment of its
# own, wheels alone, and compiles what the adapter imports and nothing else.
install_python() {
	"$python" -m venv --clear .venv &&
		.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-compile \
			--require-hashes --only-binary :all: -r requirements.txt &&
		.venv/bin/python adapter.py </dev/null >&2 &&
		touch .venv/.installed
}

build_go() { "${GO:-go}" build -o "../bin/$name" .; }

build_node() { npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2; }

# build_rust renames what it built into place, since the old one may be running.
build_rust() {
	cargo build --locked --quiet --target-dir target && mkdir -p ../bin &&
		cp "target/debug/$name" "../bin/$name.new" && mv "../bin/$name.new" "../bin/$name"
}

# has tells whether all of the tools are here, and which is not.
has() {
	for tool; do
		command -v "$tool" >/dev/null || {
			echo "left out: $name: $tool is not installed"
			return 1
		}
	done
}

# has_python tells whether Python is new enough and whole.
has_python() {
	"$python" -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || {
		echo "left out: $name: python 3.11 or later with venv is not installed"
		return 1
	}
}

# newer tells whether what was made is newer than each file that it is made of.
newer() {
	made=$1
	shift
	for source; do
		[ "$name/$made" -nt "$name/$source" ] || return 1
	done
	echo "built: $name (nothing to do)"
}

# build runs a command in the folder of the adapter.
build() {
	if (cd "$name" && "$@"); then
		echo "built: $name"
	else
		failed="$failed $name"
	fi
}

for folder; do
	name=${folder%/}
	if [ -f "$name/go.mod" ]; then
		has "${GO:-go}" && build build_go
	elif [ -f "$name/package-lock.json" ]; then
		has node npm && { newer node_modules/.package-lock.json package-lock.json || build build_node; }
	elif [ -f "$name/requirements.txt" ]; then
		has_python && { newer .venv/.installed requirements.txt || build install_python; }
	elif [ -f "$name/Cargo.lock" ]; then
		has cargo && build build_rust
	elif [ -f "$name/pom.xml" ]; then
		has javac mvn && { newer "target/$name.jar" jars.sha256 Adapter.java || build ./build.sh; }
	fi
done
if [ -n "$failed" ]; then
	echo "failed:$failed" >&2
	exit 1
fi
