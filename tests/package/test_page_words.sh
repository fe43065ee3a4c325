#!/bin/sh
# Words that this project has replaced by the field's own (docs/glossary.md) do not come back: in README, man pages, docs but for
# the glossary and pages that programs write, and messages of the programs and of scenes. The list may only grow.
# Usage: test_page_words.sh PROGRAM. Ends with "test_page_words: N passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# one a line, as whole words; a blank within is a blank or the end of a line
cat > "$work/words" << 'END'
amid
anew
as ever
blame
blamed
crowd
culprit
dearer
foremost
go on with
goes on from
greatest
heir
held against
laboratory
lawless
lest
nobody
roll call
serial number
serial numbers
same bytes
somebody
stand-in
to the bit
twin
twins
unrest
unsettled
whoever
without a word
END

pages() {
    printf '%s\n' README.md CONTRIBUTING.md man/*.1 man/*.3 docs/*.md docs/*/*.md tools/docs/home.md | grep -v '^docs/results/' |
        grep -vxE 'docs/(glossary|checklist)[.]md'
}
sources() { find app common scene lab/server -name '*.[ch]' | LC_ALL=C sort; }

# the text of pages as one line each, without code
list_text() {
    pages | while read -r page; do
        awk '/^```/ { code = !code; next } !code' "$page" | tr '\n' ' ' | sed 's/`[^`]*`//g; s/](\([^)]*\))/]/g' |
            awk -v page="$page" '{ print page ": " $0 }'
    done
}

# string literals of sources with a blank in them, those that lie next to each other as one: a line each
list_messages() {
    sources | while read -r source; do
        grep -v '^#' "$source" | tr '\n' ' ' | sed -E "s#/[*]([^*]|[*]+[^*/])*[*]+/##g; s/'\"'//g; s/\" *\"//g" | grep -oE '"([^"\\]|\\.)*"' | grep ' ' |
            sed "s|^|$source: |"
    done
}

# looks_for WORD FILE: the places, one a line, with a little around them
looks_for() {
    pattern=$(printf '%s' "$1" | sed 's/ /  */g')
    grep -iE "(^|[^a-z_-])$pattern([^a-z_-]|\$)" "$2" | sed -E "s/^([^:]*): .*[^a-zA-Z_-](.{0,40}$pattern.{0,40}).*/\1: ...\2.../I"
}

# absent WORD FILE WHERE
absent() {
    looks_for "$1" "$2" > "$work/found"
    if [ -s "$work/found" ]; then
        failed=$((failed + 1))
        echo "FAILED: \"$1\" in $3"
        sed 's/^/  /' "$work/found" | head -n 5
    else
        passed=$((passed + 1))
    fi
}

list_text > "$work/text"
list_messages > "$work/messages"
while read -r word; do
    absent "$word" "$work/text" 'the pages'
    absent "$word" "$work/messages" 'messages'
done < "$work/words"

# the lists hold what they are for, and a word that is planted is found
lines=$(wc -l < "$work/messages")
if [ "$lines" -gt 1000 ] && [ "$(wc -l < "$work/text")" -gt 30 ]; then passed=$((passed + 1)); else
    failed=$((failed + 1)) && echo "FAILED: $lines messages are too few, or pages"
fi
echo 'x.md: all of the foremost bodies' > "$work/planted"
if [ -n "$(looks_for foremost "$work/planted")" ] && [ -z "$(looks_for most "$work/planted")" ]; then
    passed=$((passed + 1))
else
    failed=$((failed + 1)) && echo 'FAILED: a planted word is not found, or a part of one is'
fi

echo "test_page_words: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
