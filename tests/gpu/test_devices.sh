#!/bin/sh
# scree info --devices: a row for each device, JSON that says the same, and a sentence where there is none.
# Usage: test_devices.sh PROGRAM. Ends with "test_devices: N passed, N failed".
set -u
scree=${1:?usage: test_devices.sh PROGRAM}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
# a cache of its own: others may be writing to that of the build
POCL_CACHE_DIR=$work/pocl
# POCL's threads end while leaks are looked for, which ends the sanitizer
export POCL_CACHE_DIR ASAN_OPTIONS=detect_leaks=0
mkdir -p "$POCL_CACHE_DIR"
passed=0
failed=0

# says TEXT FILE: a check
says() {
    if grep -q -- "$1" "$2"; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAILED: no \"$1\" in:"
        sed 's/^/  /' "$2" | head -n 20
    fi
}
end() {
    echo "test_devices: $passed passed, $failed failed"
    [ "$failed" -eq 0 ]
    exit
}

# a loader that finds no driver is there as well as one that is missing: both say what to install
OCL_ICD_VENDORS=$work/none OCL_ICD_FILENAMES='' OPENCL_VENDOR_PATH=$work/none \
    "$scree" info --devices >"$work/none.text" 2>"$work/none.err"
says "install" "$work/none.text"
OCL_ICD_VENDORS=$work/none OCL_ICD_FILENAMES='' OPENCL_VENDOR_PATH=$work/none \
    "$scree" info --devices --json >"$work/none.json" 2>"$work/none.err"
says '"devices": \[\]' "$work/none.json"
says '"why": ".*install' "$work/none.json"

"$scree" info --devices >"$work/text" 2>"$work/err"
status=$?
{ echo "status $status" && cat "$work/err"; } >"$work/status"
says "status 0" "$work/status"
if ! grep -q '^gpu:0 ' "$work/text"; then
    says "install" "$work/text"
    echo "skipped: rows of devices: $(head -n 1 "$work/text")"
    end
fi
says '^choice .* fp64 .* memory .* bandwidth .* arithmetic$' "$work/text"
says ' GB/s ' "$work/text"
says 'as the host' "$work/text"
"$scree" info --json --devices >"$work/json" 2>"$work/err"
says '"number": 0' "$work/json"
says '"exact": true' "$work/json"
says '"why": null' "$work/json"
if command -v python3 >/dev/null 2>&1; then
    python3 - "$work/json" "$work/text" >"$work/read" 2>&1 <<'PYTHON'
import json, sys
devices = json.load(open(sys.argv[1]))["devices"]
rows = [line for line in open(sys.argv[2]) if line.startswith("gpu:") and not line.split(" ")[0].endswith(":")]
assert len(devices) == len(rows), (len(devices), len(rows))
for device in devices:
    assert device["memory"] >= device["largest_buffer"] > 0
    assert (device["bandwidth"] > 0) == device["exact"]
    assert device["exact"] == (device["error"] is None)
print("agree")
PYTHON
    says "^agree$" "$work/read"
fi
end
