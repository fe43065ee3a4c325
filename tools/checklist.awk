# Joins rows of docs/checklist.md with what tests and benchmarks wrote of them (tests/test.h, app/bench/record.h).
# Reads, one after the other:
#   lines "place ROW PATH" of where checks are, "file DATE COMMIT" before the lines of each file of the record;
#   then the page. Wants -v form=table|open|page. Exit code 1 if a row failed or was not run that is not for later.

BEGIN {
    FS = "\t"
    rank["passed"] = 1
    rank["miss"] = 2
    rank["failed"] = 3
    verdict["passed"] = "holds"
    verdict["miss"] = "refuted"
}

# The check that decides: the worst; of equal ones the first with a figure.
function take(row, state, check, figure) {
    checks[row]++
    holding[row] += state == "passed"
    if (row in best && rank[state] < rank[best[row]])
        return
    if (row in best && state == best[row] && (figures[row] != "" || figure == ""))
        return
    best[row] = state
    names[row] = check
    figures[row] = figure
    dates[row] = date
    strengths[row] = lines[n, 6]
}

# All lines of a file, once it is known whether its program came to its end.
function take_file(    k, state, figure) {
    for (k = 1; k <= count; k++) {
        n = k
        state = lines[k, 2]
        figure = lines[k, 5]
        if (!ended) {
            state = "failed"
            figure = "the program did not come to its end"
        }
        if (!(state in rank)) {
            print "checklist: a record says " state " of " lines[k, 1] > "/dev/stderr"
            exit bad = 2
        }
        take(lines[k, 1], state, lines[k, 3] " " lines[k, 4], figure)
        note_strength(lines[k, 3] ~ /^bench / ? "benchmarks" : "tests", lines[k, 6])
    }
    count = ended = 0
}

function note_strength(what, strength) {
    if (!((what, strength) in seen)) {
        seen[what, strength] = 1
        strong[what] = strong[what] (strong[what] == "" ? "" : "; ") strength
    }
}

FILENAME == "-" && $1 == "place" {
    if (!($2 in place))
        place[$2] = $3
    next
}

FILENAME == "-" && $1 == "file" {
    take_file()
    date = $2
    if (!($3 in commit))
        commits = commits (commits == "" ? "" : ", ") $3
    commit[$3] = 1
    next
}

FILENAME == "-" && $0 == "# ended" {
    ended = 1
    next
}

FILENAME == "-" {
    count++
    for (k = 1; k <= 6; k++)
        lines[count, k] = $k
    next
}

!is_joined {
    take_file()
    is_joined = 1
    head()
}

/^## / && form == "page" {
    printf "\n%s\n\n| row | feature or claim | verdict | check | figure | date |\n|---|---|---|---|---|---|\n", $0
}

/^\| (PFC|HG|IS|GC|NW)-[0-9]/ {
    line = $0
    gsub(/\\\|/, "\001", line)
    # the last column is "later", or what is to be said of the row whatever is measured
    split(line, cell, /[ ]*\|[ ]*/)
    row = cell[2]
    rows++
    if (row in best)
        state = best[row]
    else if (cell[5] == "later")
        state = "later"
    else
        state = "not run"
    states[state]++
    known[row] = 1
    show(row, state, cell[3], cell[5] == "later" ? "" : cell[5])
}

function head() {
    if (commits == "")
        commits = "none"
    if (form == "page") {
        print "# The checklist in its last full run"
        print ""
        print "Written by `./do checklist --write` from what tests and benchmarks recorded; see [checklist.md](../checklist.md)."
        print "Refuted, as measured: the published claim does not hold here, which is no fault. Asserted: by a test, without a figure."
        print ""
    }
    printf "%s of commit %s. Tests: %s. Benchmarks: %s.\n", form == "page" ? "Record" : "record", commits,
        strong["tests"] == "" ? "none" : strong["tests"],
        strong["benchmarks"] == "" ? "none" : strong["benchmarks"]
    if (form != "page")
        print ""
}

# "holds", "refuted, as measured", "failed", "not run", "later"
function word_of(state) {
    return state in verdict ? verdict[state] : state
}

# the check that decides, and how many others there are and hold
function check_of(row,    check) {
    check = row in names ? names[row] : row in place ? place[row] : "no check"
    if (!(row in checks) || checks[row] == 1)
        return check
    if (holding[row] == checks[row])
        return check " (+" checks[row] - 1 ")"
    return check " (" holding[row] " of " checks[row] " hold)"
}

function figure_of(row, state, remark,    figure) {
    figure = figures[row]
    if (figure == "" && state == "passed")
        figure = "asserted"
    if (row in strengths && strengths[row] !~ /^(full|quick)$/)
        figure = figure (figure == "" ? "" : " ") "[" strengths[row] "]"
    if (state == "miss")
        figure = "as measured: " figure
    return figure (figure == "" || remark == "" ? "" : " -- ") remark
}

function show(row, state, text, remark,    check, figure) {
    check = check_of(row)
    figure = figure_of(row, state, remark)
    gsub(/\001/, "|", figure)
    if (form == "page") {
        gsub(/\001/, "\\|", text)
        gsub(/\|/, "\\|", figure)
        printf "| %s | %s | %s | %s | %s | %s |\n", row, text, word_of(state), check, figure, dates[row]
    } else if (form == "table" || (state != "passed" && state != "later"))
        printf "%-7s %-8s %-10s %s%s%s\n", row, word_of(state), dates[row], check, figure == "" ? "" : ": ", figure
}

END {
    if (bad)
        exit bad
    for (row in best)
        if (!(row in known)) {
            print "checklist: the record has " row ", which is no row of the page" > "/dev/stderr"
            bad = 2
        }
    printf "%s%d rows: %d hold, %d refuted as measured, %d failed, %d not run, %d later\n", form == "page" ? "\n" : "", rows,
        states["passed"], states["miss"], states["failed"], states["not run"], states["later"]
    exit bad ? bad : states["failed"] + states["not run"] > 0
}
