#!/bin/sh
# Installs and builds every adapter that the toolchains here suffice for, those in
# Go and Rust into bin/, and says which it left out and why. What is there already
# and fits its lock file is left as it is.
set -u
cd "$(dirname "$0")"
failed=
python=${PYTHON:-python3}

# install_python puts what the lock file names into a virtual environment of its
# own, wheels alone, and compiles what the adapter imports and nothing else.
install_python() {
	"$python" -m venv --clear .venv &&
		.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-compile \
			--require-hashes --only-binary :all: -r requirements.txt &&
		.venv/bin/python adapter.py </dev/null &&
		touch .venv/.installed
}

for folder in */; do
	name=${folder%/}
	if [ -f "$name/go.mod" ]; then
		if ! command -v "${GO:-go}" >/dev/null; then
			echo "left out: $name: go is not installed"
		elif (cd "$name" && "${GO:-go}" build -o "../bin/$name" .); then
			echo "built: $name"
		else
			failed="$failed $name"
		fi
	elif [ -f "$name/package-lock.json" ]; then
		if ! command -v node >/dev/null; then
			echo "left out: $name: node is not installed"
		elif ! command -v npm >/dev/null; then
			echo "left out: $name: npm is not installed"
		elif [ "$name/node_modules/.package-lock.json" -nt "$name/package-lock.json" ]; then
			echo "built: $name (nothing to do)"
		elif (cd "$name" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2); then
			echo "built: $name"
		else
			failed="$failed $name"
		fi
	elif [ -f "$name/requirements.txt" ]; then
		if ! "$python" -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
			echo "left out: $name: python 3.11 or later with venv is not installed"
		elif [ "$name/.venv/.installed" -nt "$name/requirements.txt" ]; then
			echo "built: $name (nothing to do)"
		elif (cd "$name" && install_python >&2); then
			echo "built: $name"
		else
			failed="$failed $name"
		fi
	elif [ -f "$name/Cargo.lock" ]; then
		if ! command -v cargo >/dev/null; then
			echo "left out: $name: cargo is not installed"
		elif (cd "$name" && cargo build --locked --quiet --target-dir target && mkdir -p ../bin &&
			cp "target/debug/$name" "../bin/$name.new" && mv "../bin/$name.new" "../bin/$name"); then
			echo "built: $name"
		else
			failed="$failed $name"
		fi
	elif [ -f "$name/pom.xml" ]; then
		if ! command -v javac >/dev/null; then
			echo "left out: $name: javac is not installed"
		elif ! command -v mvn >/dev/null; then
			echo "left out: $name: mvn is not installed"
		elif [ "$name/target/$name.jar" -nt "$name/jars.sha256" ] && [ "$name/target/$name.jar" -nt "$name/Adapter.java" ]; then
			echo "built: $name (nothing to do)"
		elif "$name/build.sh"; then
			echo "built: $name"
		else
			failed="$failed $name"
		fi
	fi
done
if [ -n "$failed" ]; then
	echo "failed:$failed" >&2
	exit 1
fi
