#!/bin/sh
# Where each row of docs/checklist.md is proven: the first test or benchmark that bears its id, as
# `pfc_08_` in a name or `PFC-08` in a text. Ends with the counts; exit 1 if a row is open that is not
# marked "later". `checklist.sh OPEN` lists only open rows.
set -eu
cd "$(dirname "$0")/.."
only=${1:-all}

# every mention of an id in tests and benchmarks: "PFC-08 file:line"
mentions=$(grep -rnoiE '\b(pfc|hg|is|gc|nw)[-_][0-9]{2}' tests bench app --include='*.c' --include='*.h' \
    --include='*.sh' | awk -F: '{ id = toupper($3); sub(/_/, "-", id); if (!(id in seen)) { seen[id] = 1
        print id, $1 ":" $2 } }')

printf '%s\n' "$mentions" | awk -v only="$only" '
    NR == FNR { where[$1] = $2; next }
    /^\| (PFC|HG|IS|GC|NW)-[0-9]/ {
        split($0, cell, /[ ]*\|[ ]*/)
        id = cell[2]; state = cell[5]; rows++
        if (id in where) { proven++; note = where[id] }
        else if (state == "later") { later++; note = "later" }
        else { open++; note = "OPEN" }
        if (only == "all" || note == "OPEN") printf "%-8s %-34s %s\n", id, note, cell[3]
    }
    END {
        printf "%d rows: %d proven, %d later, %d open\n", rows, proven, later, open
        exit open > 0
    }' - docs/checklist.md
