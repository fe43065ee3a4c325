# Verbs of ./do, which reads this file and has its variables: the documentation as a site, and its tests.
# shellcheck shell=sh disable=SC2154

need_docs() {
    need mkdocs mkdocs "build the site"
    [ -d /usr/share/mkdocs/themes/material ] ||
        lack mkdocs-material "the theme Material is needed to build the site"
    need doxygen doxygen "turn the headers into pages"
    need mandoc mandoc "turn the manual into pages"
}

# the site in build/docs/site: docs/, the C interface, the manual, and lists that are made
make_site() {
    rm -rf build/docs
    mkdir -p build/docs/pages/man
    doxygen tools/docs/Doxyfile >build/docs/doxygen.log 2>&1 || { cat build/docs/doxygen.log >&2; die "doxygen failed"; }
    mv build/docs/doxygen/html build/docs/pages/api
    for page in man/*.[1-9]; do
        mandoc -T lint -W warning "$page" || die "$page has mistakes"
        mandoc -T html -O style=mandoc.css "$page" >"build/docs/pages/man/$(basename "$page").html"
    done
    printf 'body { max-width: 50em; margin: 2em auto; font-family: sans-serif; line-height: 1.4 }\n' \
        >build/docs/pages/man/mandoc.css
    python3 tools/docs/make_pages.py build/docs || die "the pages of the site cannot be made"
    mkdocs build --quiet --config-file build/docs/mkdocs.yml || die "mkdocs failed"
}

# ./do docs [--open]
do_docs() {
    case ${1:-} in
        '' | --open) ;;
        *) die "docs: unknown option '$1'" ;;
    esac
    need_docs
    provide
    make_site
    echo "docs: $PWD/build/docs/site/index.html"
    [ "${1:-}" = --open ] || return 0
    # its search needs a server
    echo "open http://127.0.0.1:8000 in a browser; Ctrl-C ends"
    exec python3 -m http.server --bind 127.0.0.1 --directory build/docs/site 8000
}

# ./do gallery [NAME...]: docs/images/film-NAME.webm of each example scene
do_gallery() {
    need_build
    need ffmpeg ffmpeg "make films"
    ready
    configure release
    build release --target scree_program
    sh tools/docs/gallery_films.sh build/release/scree "$@"
}

# the site is built without a warning; its links, what it loads, its spelling, the texts of the C interface; and a browser looks
do_test_docs() {
    need_docs
    need hunspell hunspell "look at the spelling"
    [ -e /usr/share/hunspell/en_GB.dic ] || lack hunspell-en-gb "a dictionary is needed to look at the spelling"
    provide
    make_site
    status=0
    {
        python3 tests/docs/check_site.py build/docs/site || status=1
        python3 tests/docs/check_spelling.py tests/docs/words.txt || status=1
        python3 tests/docs/check_interface.py build/docs/doxygen.log || status=1
        test_site_in_browser || status=1
    } >build/docs/check.log 2>&1
    grep -vE '^[0-9]+ passed' build/docs/check.log | head -n 60 || true
    awk '/^[0-9]+ passed, [0-9]+ failed$/ { passed += $1; failed += $3 }
        END { printf "%d passed, %d failed\n", passed, failed }' build/docs/check.log
    return $status
}

# where a browser cannot be had, it does not look
test_site_in_browser() {
    # what cannot be installed ends the subshell only
    # shellcheck disable=SC2310
    (need_browser) || { [ $? = 77 ] && return; }
    cp tests/docs/browser.mjs build/lab/docs.mjs
    node build/lab/docs.mjs build/docs/site
}
