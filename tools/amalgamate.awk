# Joins sources into one translation unit. A project header is put where it is first included, a file
# without an include guard (kernels, written to be included several times) wherever it is included.
#
# In one translation unit the file-scope names of different sources may collide. So each source is read
# first for the names that it defines at file scope (statics, types, enumerators), and a name that two
# sources define becomes NAME_in_FILE in both, also in what they include again and again. This is done
# on tokens: strings, comments and members after . or -> stay. Macros of a source are undefined at its
# end.

BEGIN {
    space = "[ \t]"
    if (mode == "header") {
        print "/*  scree as one header: see scree.c beside it. Made by tools/amalgamate.sh. */"
        emit(ARGV[1], "")
        exit
    }
    for (i = 1; i < ARGC; i++)
        find_all_names(ARGV[i], ARGV[i])
    print "/*  scree as one source: cc -O3 scree.c user.c -lm -pthread. Made by tools/amalgamate.sh. */"
    print "/* inline functions of private headers, of which not all are used */"
    print "#if defined(__clang__)\n#pragma clang diagnostic ignored \"-Wunused-function\"\n#endif\n"
    print "#ifndef _POSIX_C_SOURCE\n#define _POSIX_C_SOURCE 200809L\n#endif\n"
    print "#include \"scree.h\"\n"
    for (i = 1; i < ARGC; i++) {
        print "\n/* ---- " ARGV[i] " ---- */\n"
        macro_count = 0
        emit(ARGV[i], ARGV[i])
        for (m = 1; m <= macro_count; m++)
            print "#undef " macros[m]
    }
    exit
}

# ---- reading ---------------------------------------------------------------------------------------

function read_lines(path,    line, n) {
    if (path in line_count)
        return
    n = 0
    while ((r = (getline line < path)) > 0)
        text[path, ++n] = line
    if (r < 0) {
        print "amalgamate: cannot read " path > "/dev/stderr"
        failed = 1
        exit 1
    }
    close(path)
    line_count[path] = n
    for (r = 1; r <= n; r++)
        if (text[path, r] ~ /^#ifndef SCREE_[A-Z0-9_]*_H$/)
            guarded[path] = 1
}

# the project file that a line includes, "" if none
function included(line,    name) {
    if (line !~ /^#include "/)
        return ""
    name = line
    sub(/^#include "/, "", name)
    sub(/".*/, "", name)
    return (name ~ /^scree\// ? "include/" : "src/") name
}

# ---- names at file scope ---------------------------------------------------------------------------

# the line without comments, strings and characters; block comments go over lines in `in_comment`
function bare(line,    out, at, c) {
    out = ""
    while (line != "") {
        if (in_comment) {
            at = index(line, "*/")
            if (!at)
                return out
            line = substr(line, at + 2)
            in_comment = 0
        } else if (match(line, /\/\*|\/\/|"([^"\\]|\\.)*"|'([^'\\]|\\.)*'/)) {
            c = substr(line, RSTART, 2)
            out = out substr(line, 1, RSTART - 1)
            at = RSTART + RLENGTH
            if (c == "//")
                return out
            if (c == "/*")
                in_comment = 1
            else
                out = out " 0 "
            line = substr(line, at)
        } else
            return out line
    }
    return out
}

function define(name, owner) {
    if (name == "" || name ~ /^scree_/ || (name, owner) in defines)
        return
    defines[name, owner] = 1
    definers[name]++
}

# A file without a guard defines its names in each source that includes it. Names of headers are not
# changed, so that a source which uses the same name has to give way.
function find_all_names(path, owner,    i, file) {
    if ((path, owner) in searched)
        return
    searched[path, owner] = 1
    read_lines(path)
    find_names(path, owner)
    for (i = 1; i <= line_count[path]; i++) {
        file = included(text[path, i])
        if (file != "" && file !~ /^include\//) {
            read_lines(file)
            find_all_names(file, file in guarded ? file : owner)
        }
    }
}

# Collects what stands at brace depth 0 up to `{`, `=` or `;`, and the enumerators.
function find_names(path, owner,    i, line, c, depth, statement, in_enum, skipping) {
    in_comment = depth = in_enum = 0
    statement = ""
    for (i = 1; i <= line_count[path]; i++) {
        line = bare(text[path, i])
        if (skipping || line ~ /^[ \t]*#/) {
            skipping = line ~ /\\$/
            continue
        }
        while (line != "") {
            if (!match(line, /[{};=,]/)) {
                statement = statement " " line
                break
            }
            c = substr(line, RSTART, 1)
            statement = statement " " substr(line, 1, RSTART - 1)
            line = substr(line, RSTART + 1)
            if (depth == 0 && c != "," && c != "}")
                at_file_scope(statement, c, owner)
            if (depth == 1 && in_enum && (c == "," || c == "}" || c == "="))
                enumerator(statement, owner)
            if (c == "{") {
                if (depth == 0)
                    in_enum = statement ~ /(^|[ \t])enum([ \t]|$)/
                if (depth == 0 && statement ~ /(^|[ \t])typedef[ \t]/)
                    in_typedef = 1
                depth++
            } else if (c == "}") {
                depth--
                if (depth == 0)
                    in_enum = 0
            }
            if (depth == 0 && c == "," && !in_typedef)
                statement = statement ","
            else if (depth == 0 && c == "=")
                statement = "="
            else if (!(depth == 1 && in_enum && c == "="))
                statement = c == "," && depth == 0 ? statement "," : ""
            else
                statement = "="
            if (c == ";" && depth == 0)
                in_typedef = 0
        }
    }
}

function enumerator(statement, owner) {
    gsub(/[ \t]+/, "", statement)
    if (statement ~ /^[A-Za-z_][A-Za-z0-9_]*$/)
        define(statement, owner)
}

function at_file_scope(statement, c, owner,    name, tag) {
    gsub(/[ \t]+/, " ", statement)
    sub(/^ /, "", statement)
    sub(/ $/, "", statement)
    if (in_typedef && c == ";") { # the end of "typedef struct ... {...} name"
        define(last_word(statement), owner)
        return
    }
    if (match(statement, /(struct|union|enum) [A-Za-z_][A-Za-z0-9_]*$/) && c == "{") {
        tag = substr(statement, RSTART, RLENGTH)
        sub(/^[a-z]+ /, "", tag)
        define(tag, owner)
        return
    }
    if (statement ~ /^typedef /) {
        name = statement
        if (match(name, /\(\*[A-Za-z_][A-Za-z0-9_]*\)/))
            name = substr(name, RSTART + 2, RLENGTH - 3)
        else if (match(name, /[A-Z][A-Z0-9_]*\([a-z0-9_]*\)$/)) {
            if (c == ";")
                define_by_macro(substr(name, RSTART, RLENGTH - 1), owner)
            return
        } else {
            sub(/\(.*/, "", name)
            name = last_word(name)
        }
        if (c == ";")
            define(name, owner)
        return
    }
    # parts of kernels that headers define for each level once have no macro in their names, and stay
    if (statement ~ /^SCREE_KERNEL_PART / && statement !~ /[A-Z0-9_]\([a-z0-9_]*\) ?\(/)
        return
    if (statement !~ /^(static|SCREE_KERNEL_PART) / || statement == "static")
        return
    gsub(/__attribute__ ?\(\(.*\)\) ?/, "", statement)
    # WIDE_FN(name), to be name_avx2 and more; what a function returns may be such a name as well
    if (match(statement, /[A-Z][A-Z0-9_]*\([a-z0-9_]*\) ?\(/)) {
        name = substr(statement, RSTART, RLENGTH)
        sub(/\) ?\($/, "", name)
        define_by_macro(name, owner)
        return
    }
    if (match(statement, /[A-Z][A-Z0-9_]*\([a-z0-9_]*\)/)) {
        define_by_macro(substr(statement, RSTART, RLENGTH - 1), owner)
        return
    }
    if (match(statement, /\(\*[a-z]* ?[A-Za-z_][A-Za-z0-9_]*(\[[^]]*\])*\)\(/)) # a pointer to a function
        statement = substr(statement, RSTART, RLENGTH - 2)
    else
        sub(/\(.*/, "", statement)
    sub(/\[.*/, "", statement)
    define(last_word(statement), owner)
}

# "WIDE_FN(name" defines name
function define_by_macro(name, owner) {
    sub(/.*\(/, "", name)
    define(name, owner)
    macro_made[name, owner] = 1
}

function last_word(statement) {
    sub(/[^A-Za-z0-9_]+$/, "", statement)
    sub(/^.*[^A-Za-z0-9_]/, "", statement)
    return statement
}

# ---- writing ---------------------------------------------------------------------------------------

# `owner` is the source whose names are renamed, "" in headers, which are shared
function emit(path, owner,    i, line, file) {
    read_lines(path)
    in_comment = 0
    for (i = 1; i <= line_count[path]; i++) {
        line = text[path, i]
        file = included(line)
        if (file == "") {
            if (owner == path && match(line, /^#define [A-Za-z_][A-Za-z0-9_]*/))
                macros[++macro_count] = substr(line, 9, RLENGTH - 8)
            print owner == "" ? line : renamed(line, owner)
            continue
        }
        if (mode == "source" && file ~ /^include\//)
            continue # scree.h has it
        read_lines(file)
        if (!(file in guarded))
            emit(file, owner)
        else if (!(file in written)) {
            written[file] = 1
            emit(file, "")
        }
    }
}

function renamed(line, owner,    out, token, before) {
    out = ""
    while (line != "") {
        if (in_comment) {
            at = index(line, "*/")
            if (!at)
                return out line
            out = out substr(line, 1, at + 1)
            line = substr(line, at + 2)
            in_comment = 0
            continue
        }
        if (!match(line, /\/\*|\/\/.*|"([^"\\]|\\.)*"|'([^'\\]|\\.)*'|[A-Za-z_][A-Za-z0-9_]*|[0-9][A-Za-z0-9_.]*/))
            return out line
        token = substr(line, RSTART, RLENGTH)
        before = out substr(line, 1, RSTART - 1)
        line = substr(line, RSTART + RLENGTH)
        if (token == "/*")
            in_comment = 1
        out = before new_name(token, before, owner)
    }
    return out
}

function new_name(token, before, owner,    base, level) {
    if (before ~ /(\.|->) *$/ && before !~ /\.\.\. *$/)
        return token
    base = token
    level = ""
    if (!((base, owner) in defines) && match(base, /_[a-z0-9]+$/)) {
        level = substr(base, RSTART) # what a macro made of a name
        base = substr(base, 1, RSTART - 1)
        if (!((base, owner) in macro_made))
            return token
    }
    if (!((base, owner) in defines) || definers[base] < 2)
        return token
    return base "_in_" file_name(owner) level
}

function file_name(path) {
    sub(/\.c$/, "", path)
    sub(/^.*\//, "", path)
    gsub(/[^A-Za-z0-9_]/, "_", path)
    return path
}
