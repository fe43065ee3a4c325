# Verbs of ./do, which reads this file and has its variables: how sources look, and what other programs find in them.
# shellcheck shell=sh disable=SC2154

# one version, because each lays out code a little differently
clang_format() { clang-format-14 "$@"; }

sources() { git ls-files --cached --others --exclude-standard -- "$@"; }

do_format() {
    need clang-format-14 clang-format-14 "format"
    provide
    sources '*.c' '*.h' '*.inc' '*.cpp' | xargs clang-format-14 -i
}

do_lint() {
    deep=
    [ "${1:-}" != --deep ] || deep=yes
    need_build
    need clang-format-14 clang-format-14 "check the format"
    need clang-tidy clang-tidy "find mistakes"
    need cppcheck cppcheck "find mistakes"
    need clang clang "warn as a second compiler"
    need shellcheck shellcheck "find mistakes in scripts"
    ready
    configure release
    passed=0 failed=0
    judge format lint_format
    judge warnings lint_warnings
    judge clang-tidy lint_tidy
    judge cppcheck lint_cppcheck
    judge shellcheck lint_shell
    echo "$passed passed, $failed failed"
    [ $failed -eq 0 ]
}

judge() {
    if "$2"; then
        say "$1: clean"
        passed=$((passed + 1))
    else
        say "$1: FAILED"
        failed=$((failed + 1))
    fi
}

lint_format() {
    sources '*.c' '*.h' '*.inc' '*.cpp' | xargs clang-format-14 --dry-run -Werror
}

lint_warnings() {
    lua=$(pkg-config --cflags lua5.4 2>/dev/null || pkg-config --cflags lua54 2>/dev/null ||
        pkg-config --cflags lua)
    # what clang-tidy looks at it warns of as well, with the flags of the build; tests are warned of by the compiler that
    # builds them; $lua is a list of words
    # shellcheck disable=SC2086
    sources 'lab/site/*.c' 'bench/*.c' 'examples/*.c' |
        xargs -n 4 -P "$jobs" clang -fsyntax-only -std=c17 -D_POSIX_C_SOURCE=200809L \
            -ffp-contract=off -DSCREE_HAVE_LUA -DSCREE_HAVE_WEBSOCKETS -Iinclude -Isrc -Ibench -Iscene -Iscene/lua -Ilab/server -I. \
            $lua \
            -Werror -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wvla -Wundef
}

lint_tidy() {
    # the files that the build knows, so that flags are those of the build; what it makes itself may not be there yet.
    # Tests take as long again, and compilers say what is wrong with them. Several files at a time, as beginning takes as long as
    # what is looked at in a small one. The analyzer gives up on a function after so many states; with its own limit, three times
    # that, it takes nearly three times as long: ./do lint --deep.
    limit="--extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=max-nodes=75000"
    [ -z "$deep" ] || limit=
    # $limit is a list of words
    # shellcheck disable=SC2086
    sed -n 's|^ *"file": "'"$PWD"'/\(.*\)".*|\1|p' build/release/compile_commands.json |
        grep -E '^(src|scene|lab|app|common|python)/' | sort -u |
        xargs -n 8 -P "$jobs" clang-tidy -p build/release --quiet $limit 2>"$scratch/tidy.err" >"$scratch/tidy" ||
        { cat "$scratch/tidy"; grep -v 'warnings generated' "$scratch/tidy.err" >&2; return 1; }
}

lint_cppcheck() {
    # one job: several see no call from one file into another; of vectors it does not know how long they are. What is
    # defined is what is built, so that it does not try all that might be
    cppcheck --quiet --enable=warning,performance,portability --error-exitcode=1 --inline-suppr \
        --std=c11 --suppress=missingIncludeSystem --suppress=ctuArrayIndex --template=gcc \
        -D__x86_64__ -D__GNUC__=12 -DSCREE_HAVE_LUA -DSCREE_HAVE_WEBSOCKETS \
        -Iinclude -Isrc -Ibench -Itests -Iscene -Ilab/server -I. src scene lab app common bench
}

lint_shell() {
    sources 'do' '.ci/run' '*.sh' | xargs shellcheck --severity=warning
}
