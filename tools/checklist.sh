#!/bin/sh
# Rows of docs/checklist.md and what is recorded of each: state, date, check and figure; ends with the counts. Exit code
# 1 if a row failed or was not run that is not for later.
#   checklist.sh [open] [--record FOLDER] [--rows PAGE] [--write [PAGE]] [--places]
# open: only rows that do not hold; --write: as docs/results/checklist.md; --places: the sources with checks, by row.
set -eu
cd "$(dirname "$0")/.."
form=table record=build/record page=docs/checklist.md target=docs/results/checklist.md places=

usage() {
    echo "checklist: $1" >&2
    exit 2
}

while [ $# -gt 0 ]; do
    case $1 in
        open) form=open ;;
        --places) places=1 ;;
        --record | --rows)
            [ $# -gt 1 ] || usage "$1 of what?"
            case $1 in --record) record=$2 ;; --rows) page=$2 ;; esac
            shift ;;
        --write)
            form=page
            case ${2:-} in "" | -*) ;; *) target=$2; shift ;; esac ;;
        *) usage "what is '$1'?" ;;
    esac
    shift
done

# where checks are: a line for each row and file. Names of tests, PROVES of C, proves of sh, and claims of benchmarks.
find_places() {
    grep -roE 'TEST\((pfc|hg|is|gc|nw)_[0-9]{2}_((pfc|hg|is|gc|nw)_[0-9]{2}_)*|PROVES\("[^"]*"\)|^ *proves '"'[^']*'" \
        tests --include='*.c' --include='*.sh' | grep -v '^tests/harness/'
    grep -roE '"(PFC|HG|IS|GC|NW)-[0-9]{2}( (PFC|HG|IS|GC|NW)-[0-9]{2})*"' app bench --include='*.c'
}

list_places() {
    find_places | awk '{
        path = $0
        sub(/:.*/, "", path)
        text = toupper(substr($0, length(path) + 2))
        gsub(/_/, "-", text)
        while (match(text, /(PFC|HG|IS|GC|NW)-[0-9][0-9]/)) {
            print "place\t" substr(text, RSTART, RLENGTH) "\t" path
            text = substr(text, RSTART + RLENGTH)
        }
    }' | sort -u
}

# the files of the record, each after a line with its date and commit; a file that is newer than the commit that was
# written down is of another run
list_record() {
    for file in "$record"/*.txt; do
        [ -e "$file" ] || continue
        commit=unknown
        if [ -e "$record/commit" ] && [ -z "$(find "$file" -newer "$record/commit")" ]; then
            commit=$(cat "$record/commit")
        fi
        printf 'file\t%s\t%s\n' "$(date -r "$file" +%F)" "$commit"
        cat "$file"
    done
}

join_rows() {
    { list_places; list_record; } | awk -v form="$form" -f tools/checklist.awk - "$page"
}

if [ "$places" ]; then
    list_places
elif [ "$form" = page ]; then
    status=0
    join_rows > "$target.new" || status=$?
    [ $status -le 1 ] || { rm -f "$target.new"; exit $status; }
    mv "$target.new" "$target"
    tail -n 1 "$target"
    exit $status
else
    join_rows
fi
