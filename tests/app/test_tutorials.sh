#!/bin/sh
# The tutorials as a reader would follow them: files are saved, and commands run, as the pages say. The page of Python is left to the
# tests of the module. usage: test_tutorials.sh PROGRAM
set -u
# shellcheck source=tests/app/program.sh
. "$(dirname "$0")/program.sh"
# shellcheck source=tests/harness/build_flags.sh
. "$tests/harness/build_flags.sh"
record_begin app/test_tutorials

needs_lua

build=$(dirname "$scree")
sources=$(cd "$tests/.." && pwd)
pages=$sources/docs/tutorials
code=0
: >out
: >err

# what a reader would have installed
mkdir bin
ln -s "$build/scree" bin/scree
cat >bin/pkg-config <<END
#!/bin/sh
echo "-I$sources/include $build/libscree.a -lm -lpthread -ldl $(build_flags "$build")"
END
chmod +x bin/pkg-config
# the compiler that made the library, which knows its sanitizers
ln -s "$(command -v "$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")")" bin/cc
PATH=$PWD/bin:$PATH

# blocks PAGE: writes a script that does what the page says
blocks() {
    awk '
        /^Save this as `.*`:$/ { split($0, part, "`"); file = part[2] }
        /^```/ && inside { if (kind == "file") print "END_OF_FILE"; inside = 0; next }
        /^```sh$/ { inside = 1; kind = "sh"; next }
        /^```/ { inside = 1; kind = file ? "file" : ""; if (file) print "cat >" file " <<\047END_OF_FILE\047"; file = ""; next }
        inside && kind { print }' "$1"
}

for page in "$pages"/*.md; do
    name=$(basename "$page" .md)
    case $name in README | from-python) continue ;; esac
    mkdir "$name"
    shown="docs/tutorials/$name.md"
    {
        echo "set -eu"
        blocks "$page"
    } >"$name/script"
    [ "$(grep -c '^scree \|^\./' "$name/script")" -ge 1 ] || bad "$name: no command was found in the page"
    if (cd "$name" && sh ./script >said 2>complained); then good; else bad "$name: $(tail -n 3 "$name/complained")"; fi
    # each ends in a picture or a curve
    if [ "$(find "$name" -name '*.png' -size +1k -o -name '*.svg' -size +1k | wc -l)" -ge 1 ]; then good; else bad "$name: no picture was made"; fi
    # and is in the list
    if grep -q "($name.md)" "$pages/README.md"; then good; else bad "$name is not in the list of tutorials"; fi
done
if grep -q 'metrics: .* all the same' second-try/said; then good; else bad "second-try: the continued run differs"; fi

program_end test_tutorials
