#!/bin/sh
# What the documents say of the program, held against it: links lead somewhere, every example scene has a page with a
# command and a picture, commands have options and parameters that there are, and the table for those who come from
# other programs names functions and fields of scenes. Usage: test_guide.sh PROGRAM
set -u
scree=${1:?usage: test_guide.sh PROGRAM}
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
# good if there is such a line in a file
has_line() { if grep -q -- "$2" "$1"; then good; else bad "$3"; fi; }

# ---- links -------------------------------------------------------------------------------------------------

for page in README.md CHANGELOG.md docs/*.md docs/*/*.md; do
    grep -o '](\([^)]*\))' "$page" | sed 's/^](//; s/)$//; s/#.*//' >"$work/links"
    while read -r link; do
        case $link in '' | http*) continue ;; esac
        if [ -e "$(dirname "$page")/$link" ]; then good; else bad "$page links to $link, which is not there"; fi
    done <"$work/links"
done

# ---- every example has a page, a command and a picture ------------------------------------------------------

for scene in examples/scenes/*.lua; do
    name=$(basename "$scene" .lua)
    page=$(grep -lE "^scree (run|new) (examples/scenes/)?$name(\.lua)?( |$)" docs/guide/*.md | grep -v README | head -n 1)
    if [ -z "$page" ]; then
        bad "no page of the guide has a command for $scene"
        continue
    fi
    good
    has_line "$page" "](../images/scene-$name.png)" "$page has no picture of $name"
    has_line docs/guide/README.md "]($(basename "$page"))" "the guide's list lacks $page"
done
for picture in docs/images/*.png; do
    if [ "$(head -c 8 "$picture" | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ]; then good; else bad "$picture is no PNG"; fi
done

# ---- every field of the language stands in an example --------------------------------------------------------

for page in examples/scenes/*.lua README.md docs/guide/*.md docs/howto/*.md; do
    [ "$page" = docs/guide/reference.md ] || cat "$page"
done >"$work/examples"
awk '/^```/ { inside = /lua/; next } inside' docs/guide/reference.md >>"$work/examples"
sed -n 's/^| `\([a-z_]*\)` |.*/\1/p' docs/guide/reference.md | sort -u >"$work/fields"
while read -r field; do
    if grep -qE "(^|[^a-z_])$field *=" "$work/examples"; then good; else bad "no example says what $field is"; fi
done <"$work/fields"
if [ "$(wc -l <"$work/fields")" -gt 150 ]; then good; else bad "the reference has few fields"; fi

# ---- commands ---------------------------------------------------------------------------------------------------

# try_command PAGE WORD...: a line of a page that begins with scree
try_command() {
    page=$1 program=$scree
    [ "$2" = scree ] || program=$scree-bench
    shift 2 # and the program
    before=
    verb=$1
    case $verb in help) verb=${2:-run} ;; esac
    case "$1 ${2:-}" in "mesh "*) verb="$1 $2" ;; esac
    help=$work/$(echo "$(basename "$program") $verb" | tr ' ' _)
    # a verb of two words is two words
    # shellcheck disable=SC2086
    if [ -s "$help" ] || "$program" help $verb >"$help" 2>&1; then good; else
        rm -f "$help"
        bad "$page: there is no verb $verb"
        return
    fi
    scene=
    for word; do case $word in *.lua) scene=examples/scenes/$(basename "$word") ;; esac; done
    for word; do
        case $word in
            --*) has_line "$help" "^  ${word%%=*}[ ,]" "$page: scree $verb has no option $word" ;;
        esac
        case ${before:-} in
            --set | --sweep)
                # of scenes that the page itself shows, nothing is known here
                if [ -e "$scene" ]; then
                    has_line "$scene" "param(\"${word%%=*}\"" "$page: $scene has no parameter ${word%%=*}"
                fi ;;
        esac
        before=$word
    done
}
for page in README.md docs/*.md docs/guide/*.md docs/howto/*.md docs/methods/*.md docs/concepts/*.md; do
    # within ```sh, without comments, and not what only shows the form of a command
    awk '/^```/ { shell = /^```sh/ } shell && /^scree(-bench)? / { sub(/ #.*/, ""); print }' "$page" | grep -v '[][<>]' >"$work/lines"
    while read -r words; do
        # words of a command are words here
        # shellcheck disable=SC2086
        try_command "$page" $words
    done <"$work/lines"
done

# ---- from other programs ------------------------------------------------------------------------------------------

table=docs/guide/from-liggghts-and-yade.md
if "$scree" scene >/dev/null 2>&1; then
    # what stands between backquotes in the last column
    sed -n 's/|$//; s/^| .*| \([^|]*\)$/\1/p' "$table" | grep -o '`[^`]*`' | tr -d '`' >"$work/said"
    while read -r said; do
        case $said in
            --*)
                option=${said%%[ =]*}
                "$scree" help run >"$work/help"
                has_line "$work/help" "^  ${option}[ ,]" "$table: scree run has no $option" ;;
            "scree "*)
                # shellcheck disable=SC2086
                try_command "$table" $said ;;
            [a-z]*" {"*)
                # as `motion = spin { ... }`: what counts is the function
                said=$(echo "$said" | sed 's/^[a-z_]* = \([a-z_]* {\)/\1/')
                function=${said%% *}
                if "$scree" scene "$function" >"$work/help" 2>&1; then good; else bad "$table: there is no $function"; fi
                # values of laws are the law's; fields of what stands inside are its own
                fields=$(echo "$said" | sed 's/values = {[^}]*}/values =/; s/\([a-z_]* =\) [a-z_]* {[^}]*}/\1/g' | grep -o '[a-z_]* =' | tr -d ' =')
                for field in $fields; do
                    has_line "$work/help" "^  $field  " "$table: $function has no field $field"
                done
                law=$(echo "$said" | sed -n 's/.*law = \("[a-z-]*"\).*/\1/p')
                [ -z "$law" ] || has_line "$work/help" "$law" "$table: there is no law $law"
                for value in $(echo "$said" | sed -n 's/.*values = {\([^}]*\)}.*/\1/p' | grep -o '[a-z_]* =' | tr -d ' ='); do
                    has_line "$work/help" "$value" "$table: laws have no value $value"
                done ;;
        esac
    done <"$work/said"
else
    echo "the table of scenes: skipped (this program cannot read scenes)"
fi

echo "test_guide: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
