#!/usr/bin/env bash
# Checked by tests/deploy/test_action.py.
# The step *Audit* of action.yml: AUDIT_FILES (a path a line), AUDIT_MISSING and AUDIT_CARD say what is asked for. The card
# goes to its file and to the summary of the job; where it is and its first line are outputs.
set -euo pipefail
files=()
while IFS= read -r line; do
    if [ -n "${line//[[:space:]]/}" ]; then files+=("$line"); fi
done <<<"$AUDIT_FILES"
if [ "${#files[@]}" -eq 0 ]; then
    echo "::error::no file is named"
    exit 1
fi
mkdir -p -- "$(dirname -- "$AUDIT_CARD")"
said=$(mktemp)
trap 'rm -f "$said"' EXIT
if ! benchhealth audit --missing "$AUDIT_MISSING" --output "$AUDIT_CARD" -- "${files[@]}" >/dev/null 2>"$said"; then
    echo "::error::$(grep '^benchhealth:' "$said" | tail -n 1 || tail -n 1 "$said")"
    exit 1
fi
cat -- "$AUDIT_CARD" >>"$GITHUB_STEP_SUMMARY"
first=$(head -n 1 -- "$AUDIT_CARD")
{
    printf 'card=%s\n' "$AUDIT_CARD"
    printf 'finding=%s\n' "${first#\#\#\# }"
} >>"$GITHUB_OUTPUT"
