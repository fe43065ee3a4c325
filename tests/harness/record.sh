# What a shell test proves of docs/checklist.md, in the form of tests/test.h: see there. A test that sources this counts
# its failures in $failed, and says
#     record_begin app/test_run          # once, first
#     proves 'IS-27 GC-39' name_of_check
#     ...                                # its checks
#     proved "12 rows of engines"        # passed if $failed is what it was
#     record_end                         # once, last
# shellcheck shell=sh

record_begin() {
    record_program=$1
    record_file=
    [ "${SCREE_TEST_RECORD:-}" ] || return 0
    # the test may go elsewhere
    record_file=$(cd "$SCREE_TEST_RECORD" && pwd)/$(echo "$1" | tr / _).txt
    : > "$record_file" || exit 1
}

proves() {
    record_rows=$1 record_check=$2
    record_before=${failed:?}
}

proved() {
    [ "$record_file" ] || return 0
    record_state=failed
    [ "$failed" -ne "$record_before" ] || record_state=passed
    for record_row in $record_rows; do
        printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$record_row" "$record_state" "$record_program" "$record_check" "${1:-}" \
            "${SCREE_TEST_EFFORT:-quick}" >> "$record_file"
    done
}

record_end() {
    [ -z "$record_file" ] || echo '# ended' >> "$record_file"
}
