#!/bin/sh
# The pages of the detection methods, compared with the program: each method stands in the table of docs/methods/README.md with a
# page that names it in its heading and has its cost at worst as `scree methods` prints it; options are fields of
# scree_detector_def; each linked image exists; and the drawings are those of tools/docs/draw.py, if there is a Python.
# Usage: test_method_pages.sh PROGRAM. Ends with "test_method_pages: N passed, N failed".
set -u
scree=${1:?usage: test_method_pages.sh PROGRAM}
case $scree in /*) ;; *) scree=$PWD/$scree ;; esac
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

good() { passed=$((passed + 1)); }
bad() {
    failed=$((failed + 1))
    echo "FAILED: $1"
}
# good if a file has this text
has() { if grep -qF -- "$2" "$1"; then good; else bad "$3"; fi; }

# ---- each method has a page with its cost ----------------------------------------------------------------

# name, tab, memory at worst, tab, time at worst: the second table
"$scree" methods | awk -F '  +' '/memory at worst/ { costs = 1; next } costs && NF == 3 { print $1 "\t" $2 "\t" $3 }' >"$work/costs"
"$scree" methods | awk '!NF { exit } NR > 1 { print $1 }' >"$work/names"

# check_method NAME: its row, its page, its cost
check_method() {
    page=$(sed -n "s/^| \`$1\` |.*](\([a-z0-9-]*\.md\)) |\$/\1/p" docs/methods/README.md)
    if [ -z "$page" ]; then
        bad "docs/methods/README.md has no row for $1"
        return
    fi
    page=docs/methods/$page
    if [ ! -f "$page" ]; then
        bad "the row of $1 leads to $page, which is not there"
        return
    fi
    if head -n 1 "$page" | grep -qF "\`$1\`"; then good; else bad "$page does not name $1 in its heading"; fi
    cost=$(awk -F '\t' -v name="$1" '$1 == name { print $3 " | " $2 " |" }' "$work/costs")
    if [ -z "$cost" ]; then bad "scree methods prints no cost of $1"; fi
    grep -F "| \`$1\` |" "$page" >"$work/row"
    has "$work/row" "$cost" "$page: the cost of $1 is not \"$cost\""
}
while read -r name; do check_method "$name"; done <"$work/names"
if [ "$(wc -l <"$work/names")" -gt 15 ]; then good; else bad "scree methods names few methods"; fi

# ---- options are fields ------------------------------------------------------------------------------------

for page in docs/methods/*.md; do
    # first columns of the tables of options, which may name several
    awk '/^## / { options = /^## Options/ } options && /^\| `/' "$page" | cut -d '|' -f 2 | grep -o '`[a-z_]*`' | tr -d '`' >"$work/options"
    while read -r option; do
        if grep -qE "[ ,*]$option(\[[0-9]\])?[;,]" include/scree/detect.h; then good; else
            bad "$page: scree/detect.h has no field $option"
        fi
    done <"$work/options"
    cat "$work/options" >>"$work/all"
done
if [ "$(wc -l <"$work/all")" -gt 15 ]; then good; else bad "the pages have few options"; fi

# ---- images ----------------------------------------------------------------------------------------------------

for page in docs/methods/*.md docs/concepts/detection.md; do
    grep -o '!\[[^]]*\]([^)]*)' "$page" | sed 's/.*(//; s/)$//' >"$work/images"
    case $page in
        docs/methods/README.md) ;;
        *) if [ -s "$work/images" ]; then good; else bad "$page has no drawing"; fi ;;
    esac
    while read -r image; do
        if [ -s "$(dirname "$page")/$image" ]; then good; else bad "$page shows $image, which is not there"; fi
    done <"$work/images"
done
for image in docs/images/method-*.svg docs/images/concept-*.svg; do
    if [ "$(wc -c <"$image")" -le 20000 ]; then good; else bad "$image is larger than 20 kB"; fi
    if grep -qF "$(basename "$image")" docs/methods/*.md docs/concepts/*.md; then good; else bad "no page shows $image"; fi
done
if ! command -v python3 >/dev/null; then
    echo "the drawings: skipped (no python3)"
elif PYTHONDONTWRITEBYTECODE=1 python3 tools/docs/draw.py --check; then
    good
else
    bad "drawings differ from tools/docs/draw.py"
fi

echo "test_method_pages: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
