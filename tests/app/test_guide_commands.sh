#!/bin/sh
# Every command of the guide runs, on the scenes that its page shows or names: runs take a few steps only, and pictures are small.
# Left out are ./do, the lab (a server; tests/lab), and lines that show the form of a command. usage: test_guide_commands.sh PROGRAM
set -u
# shellcheck source=tests/app/program.sh
. "$(dirname "$0")/program.sh"
record_begin app/test_guide_commands
root=$(cd "$tests/.." && pwd)
steps=${STEPS:-8}

needs_lua

# scenes PAGE: writes each block of Lua that follows a `NAME.lua`
scenes() {
    awk '
        /^```lua$/ { inside = 1; if (name) { file = name; name = "" } else { file = "" } next }
        /^```/ { inside = 0; next }
        inside { if (file) print > file; next }
        { while (match($0, /`[a-z_]+\.lua`/)) { name = substr($0, RSTART + 1, RLENGTH - 2); $0 = substr($0, RSTART + RLENGTH) } }' "$1"
}
# commands PAGE: what stands in blocks of sh, without comments and without forms
commands() {
    awk '/^```/ { shell = /^```sh$/; next } shell { sub(/ +#.*/, ""); print }' "$1" | grep -E '^(scree|cp) ' | grep -v '[][<>]' | grep -v '^scree lab'
}
# parameter FILE NAME: says `local NAME = param(...)` where the page says in a second block how to
parameter() {
    value=$(sed -n "s/.*\<$2 = \([0-9.]*\).*/\1/p" "$1" | head -n 1)
    sed -i "1i local $2 = param(\"$2\", $value)
            s/\<$2 = [0-9.]*/$2 = $2/" "$1"
}
# a file of a series that a short run does not reach stands for its last one
last_of_series() {
    [ -e "$1" ] && { echo "$1"; return; }
    last=
    for file in $(echo "$1" | sed 's/-[0-9]\{6,\}\./-*./'); do [ -e "$file" ] && last=$file; done
    echo "${last:-$1}"
}
# take WORD...: like `run`, in the folder of the page; `out` is a folder there
take() {
    (cd "$here" && ulimit -f 40000 && exec timeout 300 "$@") < /dev/null > out 2> err
    code=$?
}
# command PAGE WORD...
command() {
    shown="$1: $2 $3"
    program=$2
    shift 2
    count=$#
    while [ "$count" -gt 0 ]; do
        case $1 in
            out/*) set -- "$@" "$(cd "$here" && last_of_series "$1")" ;;
            *) set -- "$@" "$1" ;;
        esac
        shown="$shown $1"
        shift
        count=$((count - 1))
    done
    case "$program $1" in
        "cp "*) take cp "$@" ;;
        "scree run") take "$scree" "$@" --steps "$steps" --force --quiet ;;
        "scree render") take "$scree" "$@" --size 160x120 ;;
        *) take "$scree" "$@" ;;
    esac
    code_is 0
}

tried=0
for page in "$root"/docs/guide/*.md; do
    name=$(basename "$page" .md)
    commands "$page" > lines
    [ -s lines ] || continue
    here=$work/pages/$name
    mkdir -p "$here/examples"
    cp -r "$root/examples/scenes" "$here/examples/"
    # pictures of runs are not what is tested
    sed -i '/^picture/d; s/, "picture"}/}/' "$here"/examples/scenes/*.lua
    (cd "$here" && scenes "$page")
    case $name in
        first-scene) parameter "$here/heap.lua" friction ;;
        # it goes on with the run of another page
        running) take "$scree" run examples/scenes/drum.lua --steps 2 --quiet ;;
    esac
    while read -r words; do
        # words of a command are words, and patterns are for the shell
        # shellcheck disable=SC2086
        command "$name" $words
        tried=$((tried + 1))
    done < lines
done
if [ $tried -ge 60 ]; then good; else bad "the guide has $tried commands"; fi

# errors that the guide shows are those of the program
# shows_error PAGE SCENE CHANGE: the page has the line that comes of a slip in a scene of its own
shows_error() {
    here=$work/pages/$1
    (cd "$here" && scenes "$root/docs/guide/$1.md")
    sed "$3" "$here/$2" > "$2"
    run check "$2" --seconds 0
    code_is 3
    if grep -qF -- "$(cat err)" "$root/docs/guide/$1.md"; then good; else bad "docs/guide/$1.md shows another error"; fi
}
shows_error first-scene heap.lua 's/density/densty/'
shows_error formulas press.lua 's/lid.force_z/lid.forcez/'

program_end test_guide_commands
