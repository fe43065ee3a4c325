#!/bin/sh
# The project is in the field's words: old words of it occur neither in the public headers, the language of scenes and the
# documentation, nor in messages, names and comments of the code. Give more files as arguments to look at them, too.
# usage: test_words.sh PROGRAM BUILD-FOLDER [FILE...]
set -eu

program=$1
shift 2
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# extended regular expressions, each a whole word; docs/glossary.md has what to write instead
cat >"$work/words" <<'END'
account(s|ed)? for
amid
anew
as ever
bears?
borders?
certificates?
come(s)? in again
crowds?
culprits?
dearer
foremost
gives? way
goes on
great(er|est)?
heirs?
held against
halos?
himself
lawless
leans?
ledgers?
lest
loose walls?
most_[a-z_]+
nobody
paces?
put to rest
remembered
resting
roll call
same bytes
serial numbers?
somebody
steppers?
to the bit
turn_damping
twins?
unrest
unsettled
what is missing to
who (are|did|has|is|rests|the|touches)
whoever
whom
without a word
END
words=$(paste -sd '|' "$work/words")

# old_words FILE...: each line with one; false if there is none
old_words() { grep -nwiE -- "($words)" "$@"; }

# the test itself would find one
printf 'A body that goes on.\nA balance.\nThe ledger.\n' >"$work/sample"
if [ "$(old_words "$work/sample" | wc -l)" -ne 2 ]; then
    echo "FAILED: the search for words finds none"
    exit 1
fi

# Uses that are right, as FILE:WORD: stripes have borders, surrogates have halos; names in files and of earlier versions.
allowed='docs/methods/stripe-sort\.md:borders?|docs/(checklist|results/(checklist|thesis))\.md:borders?
docs/lab\.md:border|app/detect/methods.*:borders|src/detect/stripe_sort\.c:borders
docs/(architecture|files|security|checklist|results/(checklist|reliability|surrogate))\.md:halos?|app/convert/mesh_(picture|tree)\.c:halos?
docs/checkpoint\.md:(remembered|account)|src/(world/save/.*|dist/snapshot_rows\.c):([a-z]*\.)?remembered
scene/lua/.*_functions\.c:(halo|most_rate|stepper|ledger|turn_damping|resting)|app/bench/surrogate_flat\.c:halo|src/(law/law|picture/roster)\.c:(halo|resting)
scene/lua/output_functions\.c:resting'
allowed=$(printf '%s' "$allowed" | paste -sd '|')

# The same for names and comments, whose names are split at underscores: what the code takes from a paper or a file format,
# and names of earlier versions.
allowed_names='(src/detect/stripe_sort|tests/detect/test_(sorting_methods|gcd_sorts))\.c:borders?
(src/(shape/surrogate|narrow/mesh_surrogate)[a-z_]*\.[ch]|src/io/surrogate_file\.h|bench/cases/surrogate\.[ch]):halos?
src/world/collide/shape_pairs\.c:halo|app/convert/mesh_(picture|tree)\.[ch]:halos?
tests/(shape/test_surrogate|narrow/(test_mesh_)?surrogate[a-z_]*|fuzz/fuzz_surrogate_file)\.[ch]:halos?
tests/(scene/test_old_names|package/old_names)\.c:.*'
allowed_names=$(printf '%s' "$allowed_names" | paste -sd '|')

# Prints FILE:LINE:WORD of each old word in the files, of those in their string literals, and of those in the rest of them.
words_of() { (cd "$root" && grep -nHwioE -- "($words)" "$@"); }
words_of_messages() {
    (cd "$root" && awk -v where="$work/where" '
        /^ *(\/\*|\*)/ || /^#/ { next }
        { line = $0; texts = ""
          while (match(line, /"([^"\\]|\\.)*"/)) {
              texts = texts " " substr(line, RSTART + 1, RLENGTH - 2)
              line = substr(line, RSTART + RLENGTH) }
          if (texts != "") { print texts; print FILENAME ":" FNR > where } }' "$@") >"$work/messages"
    grep -nwioE -- "($words)" "$work/messages" |
        awk -F: 'NR == FNR { at[FNR] = $0; next } { print at[$1] ":" $2 }' "$work/where" -
}
words_of_names() {
    (cd "$root" && awk -v where="$work/where" '
        { gsub(/"([^"\\]|\\.)*"/, "")
          gsub(/at_most_/, "at ")
          gsub(/(^|[^A-Za-z])(MOST|most)_/, " most@")
          gsub(/_/, " ")
          gsub(/@/, "_")
          print
          print FILENAME ":" FNR > where }' "$@") >"$work/names"
    grep -nwioE -- "($words)" "$work/names" |
        awk -F: 'NR == FNR { at[FNR] = $0; next } { print at[$1] ":" $2 }' "$work/where" -
}
unless_allowed() { awk -F: -v allowed="^($1)$" '$1 ":" tolower($3) !~ allowed'; }

failed=0
for header in "$root"/include/scree/*.h; do
    case $header in
    */deprecated.h | */rest.h) continue ;;
    esac
    ! old_words /dev/null "$header" || failed=1
done
# without Lua there is no language
if "$program" scene --markdown >"$work/reference.md" 2>/dev/null; then
    ! old_words /dev/null "$work/reference.md" || failed=1
else
    echo "skipped: the language of scenes (built without Lua)"
fi
for file; do
    ! old_words /dev/null "$file" || failed=1
done
(cd "$root" && find docs examples README.md CONTRIBUTING.md -type f \
    \( -name '*.md' -o -name '*.lua' -o -name '*.c' -o -name '*.py' -o -name '*.ipynb' \) \
    ! -path docs/glossary.md) >"$work/pages"
(cd "$root" && find src scene app lab python bench common -name '*.c' -o -name '*.h') >"$work/code"
(cd "$root" && find include src scene app lab python bench common tests -name '*.[ch]' -o -name '*.cl' -o -name '*.cpp') |
    grep -v -e '/deprecated\.h$' -e '/rest\.h$' >"$work/sources"
# shellcheck disable=SC2046 # names of files have no spaces
{
    words_of $(cat "$work/pages")
    words_of_messages $(cat "$work/code")
} | unless_allowed "$allowed" >"$work/found" || true
# shellcheck disable=SC2046
words_of_names $(cat "$work/sources") | unless_allowed "$allowed_names" >>"$work/found" || true
if [ -s "$work/found" ]; then
    cat "$work/found"
    failed=1
fi
if [ $failed -ne 0 ]; then
    echo "FAILED: old words; docs/glossary.md has the field's"
    exit 1
fi
echo "no old word"
