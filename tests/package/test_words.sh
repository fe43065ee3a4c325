#!/bin/sh
# The public interface is in the field's words: old words of this project occur neither in the public headers nor in the
# language of scenes. Give more files as arguments to look at them, too.
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
whoever
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
if [ $failed -ne 0 ]; then
    echo "FAILED: old words; docs/glossary.md has the field's"
    exit 1
fi
echo "no old word"
