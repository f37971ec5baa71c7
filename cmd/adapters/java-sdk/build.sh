#!/bin/sh
# Fetches what the adapter needs, compares it with jars.sha256, and compiles the
# adapter to target/java-sdk.jar. After a change of the version in pom.xml, -lock
# writes jars.sha256 anew.
set -eu
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")"
rm -rf target
mkdir -p target/classes
mvn -B -q dependency:copy-dependencies >&2
sums=$(cd target/lib && if command -v sha256sum >/dev/null; then sha256sum -- *; else shasum -a 256 -- *; fi)
if [ "${1-}" = -lock ]; then
	printf '%s\n' "$sums" >jars.sha256
elif ! printf '%s\n' "$sums" | diff jars.sha256 - >&2; then
	echo "java-sdk: what was fetched is not what jars.sha256 says" >&2
	exit 1
fi
javac -encoding UTF-8 -d target/classes -cp 'target/lib/*' Adapter.java
{
	printf 'Main-Class: Adapter\nClass-Path: \n'
	(cd target && printf '  %s\n' lib/*)
} >target/manifest
jar --create --file target/java-sdk.jar --manifest target/manifest -C target/classes .
