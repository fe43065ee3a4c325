# What tests of the program from outside share: they run it, and look at its exit code and at what it says. A test
# that sources this was given the program as $1. It is in an empty folder then, and ends with
# program_end NAME. A failed check prints what was run and what came.
# shellcheck shell=sh disable=SC2034
scree=${1:?usage: test_NAME.sh PROGRAM}
case $scree in /*) ;; *) scree=$PWD/$scree ;; esac
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
tests=$(cd "$(dirname "$0")/.." && pwd)
kept=$tests/data/checkpoints
# shellcheck source=tests/harness/record.sh
. "$tests/harness/record.sh"
cd "$work" || exit 1
passed=0
failed=0
unset SCREE_SIMD NO_COLOR || true

# run ARGS...: exit code in $code, output in the files out and err; stdin is the file in, if there.
# `run bench detect` runs scree-bench, which lies beside scree. A run may take 300 seconds and write 20 MB, so that
# no fault can fill the disk or never end.
run() {
    program=$scree
    [ "${1:-}" != bench ] || { program=$scree-bench; shift; }
    shown="$(basename "$program") $*"
    [ -f in ] || : > in
    (ulimit -f 40000; exec timeout 300 "$program" "$@") < in > out 2> err
    code=$?
    rm -f in
}

good() { passed=$((passed + 1)); }
bad() {
    failed=$((failed + 1))
    echo "FAILED: $shown: $1"
    echo "  exit code $code; stdout: $(head -c 300 out | tr '\n\000' '|?')"
    echo "  stderr: $(head -c 300 err | tr '\n\000' '|?')"
}

code_is() { if [ "$code" -eq "$1" ]; then good; else bad "exit code should be $1"; fi; }
says() { if grep -qF -- "$1" out; then good; else bad "stdout should say: $1"; fi; }
complains() { if grep -qF -- "$1" err; then good; else bad "stderr should say: $1"; fi; }
silent() { if [ -s out ]; then bad "stdout should be empty"; else good; fi; }
calm() { if [ -s err ]; then bad "stderr should be empty"; else good; fi; }
output_is() {
    printf "$1" > wanted
    if cmp -s wanted out; then good; else bad "stdout should be $(tr '\n' '|' < wanted)"; fi
}

# refuses CODE TEXT ARGS...: the code, exactly one line on stderr with the text, nothing on stdout
refuses() {
    wanted_code=$1 wanted_text=$2
    shift 2
    run "$@"
    code_is "$wanted_code"
    complains "$wanted_text"
    silent
    lines=$(wc -l < err)
    if [ "$lines" -eq 1 ]; then good; else bad "one line on stderr, not $lines"; fi
    if grep -q "^$(basename "$program"): " err; then good; else bad "errors begin with the name of the program"; fi
}

# ends the test where the program cannot read scenes
needs_lua() {
    echo 'run { steps = 1 }' > any.lua
    run run any.lua --out any
    if grep -q 'built without Lua' err; then
        echo 'this program cannot read scenes: skipped'
        exit 77
    fi
}

# whether the program was built with the address sanitizer, which makes it many times as slow
sanitized() { grep -q __asan_init "$scree"; }

# file_refused TEXT BYTES: a file with these bytes (printf) is bad input, named with its place
file_refused() {
    printf "$2" > bad.csv
    refuses 3 "$1" detect bad.csv
}

# program_end NAME: the line that is counted
program_end() {
    record_end
    echo "$1: $passed passed, $failed failed"
    [ "$failed" -eq 0 ]
}
