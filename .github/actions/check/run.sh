#!/bin/sh
# Runs replyproof check with what the action's inputs say, which are in the
# environment, and puts its summary into that of the job. Its status is that of
# the check.
set -u

set -- check --seed "${SEED:-1}" --severity "${SEVERITY:-minor}" --report-dir "${REPORT_DIR:-replyproof-report}"
[ -z "${ADAPTER:-}" ] || set -- "$@" --adapter "$ADAPTER"
[ -z "${CLIENT:-}" ] || set -- "$@" --client "$CLIENT"
[ -z "${PROTOCOL_VERSION:-}" ] || set -- "$@" --protocol-version "$PROTOCOL_VERSION"
[ -z "${CASES:-}" ] || set -- "$@" --cases "$CASES"
[ -z "${NUMBER:-}" ] || set -- "$@" --number "$NUMBER"
[ -z "${DEADLINE:-}" ] || set -- "$@" --deadline "$DEADLINE"
[ -z "${START_TIMEOUT:-}" ] || set -- "$@" --start-timeout "$START_TIMEOUT"
[ -z "${JOBS:-}" ] || set -- "$@" --jobs "$JOBS"
[ -z "${BASELINE:-}" ] || set -- "$@" --baseline "$BASELINE"

replyproof "$@"
status=$?
summary="${REPORT_DIR:-replyproof-report}/summary.md"
if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -f "$summary" ]; then
	cat "$summary" >>"$GITHUB_STEP_SUMMARY"
fi
exit "$status"
