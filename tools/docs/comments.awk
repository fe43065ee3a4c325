# The comments of scree's headers as doxygen wants them: one that begins a line describes what follows, one behind a declaration
# what stands before it; of a declaration of several members each gets the text. A # in a comment would be a link.

# members "type a, b[3], *c;" of a struct, each with the text
function each_member(declaration, text, behind,    type, names, count, k, line) {
    match(declaration, /^ *(const |struct |unsigned )*[a-z_0-9]+ (\(\*)?/)
    type = substr(declaration, 1, RLENGTH)
    sub(/;.*/, "", declaration)
    count = split(substr(declaration, RLENGTH + 1), names, /, /)
    for (k = 1; k <= count; k++)
        line = line (behind || k == 1 ? "" : text " ") type names[k] ";" (behind ? " " text " " : " ")
    return line
}
function is_several(line) {
    sub(/\/\*.*/, "", line)
    return line ~ /^    [a-z].*, .*; *$/ && line !~ /[(){}]/
}

FNR == 1 { print "/** @file */"; inside = 0; before = "" }
{
    gsub(/\r/, "")
    is_alone = !inside && $0 ~ /^ *\/\* /
    is_behind = !inside && !is_alone && $0 ~ /[;,{) a-z0-9] *\/\* /
    if (is_alone)
        sub(/\/\* +/, "/** ")
    if (is_behind)
        sub(/\/\* /, "/**< ")
    at = inside ? 1 : index($0, "/**")
    if (at) {
        text = substr($0, at)
        gsub(/#/, "\\#", text)
        $0 = substr($0, 1, at - 1) text
        inside_before = inside
        inside = text !~ /\*\/ *$/
        # a text that goes on in the next line stays as it is
        if (is_behind && !inside && is_several($0)) {
            print each_member(substr($0, 1, at - 1), text, 1)
            before = ""
            next
        }
        if (is_alone)
            before = ""
        if (is_alone || (inside_before && before != ""))
            before = before " " text
        else if (is_behind)
            before = ""
        print
        next
    }
    if (before != "" && is_several($0)) {
        print each_member($0, before, 0)
        before = ""
        next
    }
    before = ""
    print
}
