# From public headers a C program that calls each function with nothing: no handle, no struct, no text, numbers 0. Then
# with a world and a detector, and else nothing. Each in a process of its own; it prints who ends otherwise than by
# returning. The last line is how many functions there are.
function argument(type, with_handles)
{
    if (with_handles && type ~ /^(const )?scree_world \*$/) return "world"
    if (with_handles && type ~ /^(const )?scree_detector \*$/) return "detector"
    return "(" type "){0}"
}
function call(with_handles,  i, list)
{
    list = ""
    for (i = 1; i <= types; i++)
        list = list (i > 1 ? ", " : "") argument(type[i], with_handles)
    return name "(" list ")"
}
function take(text,  open, head, rest, words, word, parts, part, i, t, is_array)
{
    sub(/;.*/, "", text)
    sub(/^ *SCREE_API */, "", text)
    open = index(text, "(")
    head = substr(text, 1, open - 1)
    rest = substr(text, open + 1)
    sub(/\)[^)]*$/, "", rest)
    words = split(head, word, /[ *]+/)
    name = word[words]
    parts = split(rest, part, /,/)
    types = 0
    for (i = 1; i <= parts; i++) {
        t = part[i]
        gsub(/^ +| +$/, "", t)
        gsub(/ +/, " ", t)
        if (t == "void" || t == "") continue
        is_array = t ~ /\[/
        sub(/\[.*/, "", t)
        sub(/[A-Za-z_0-9]+$/, "", t)
        type[++types] = t (is_array ? "*" : "")
    }
    print "    TRY(" call(0) ");"
    print "    TRY(" call(1) ");"
    functions++
}
BEGIN {
    print "#include <scree/scree.h>"
    print "#include <stdio.h>"
    print "#include <sys/wait.h>"
    print "#include <unistd.h>"
    print "static int failed;"
    print "static void look(const char *call, int state)"
    print "{"
    print "    if (state != 0)"
    print "        failed++, printf(\"%s ends with %d\\n\", call, state);"
    print "}"
    print "#define TRY(...) do { fflush(stdout); pid_t child = fork(); int state = 0; \\"
    print "    if (child == 0) { (void)(__VA_ARGS__, 0); _exit(0); } \\"
    print "    waitpid(child, &state, 0); look(#__VA_ARGS__, state); } while (0)"
    print "int main(void)"
    print "{"
    print "    scree_world_def world_def = scree_default_world_def();"
    print "    scree_detector_def detector_def = scree_default_detector_def();"
    print "    world_def.step.dt = 1e-3;"
    print "    scree_world *world;"
    print "    scree_detector *detector;"
    print "    if (scree_world_create(&world_def, &world) || scree_detector_create(&detector_def, &detector)) return 2;"
}
/^SCREE_API/ { text = ""; is_on = 1 }
is_on { text = text " " $0 }
is_on && /;/ { is_on = 0; take(text) }
END {
    print "    scree_world_destroy(world);"
    print "    scree_detector_destroy(detector);"
    print "    printf(\"%d functions\\n\", " functions ");"
    print "    return failed != 0;"
    print "}"
}
