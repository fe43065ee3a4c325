#!/bin/sh
# Installs the packages of ./do package on this machine, which should be a fresh one, and uses each: a scene runs, a program in C is built
# and runs, Python imports, the static program gives the same digest. usage, as root: try_packages.sh FOLDER
set -u

folder=$(cd "$1" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0
failed=0

# try WORDS COMMAND...
try() {
    words=$1
    shift
    if "$@" >said 2>&1; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAILED: $words: $(tail -n 3 said)"
    fi
}

apt-get -qq update >/dev/null
for name in libscree1 libscree-dev scree python3-scree; do
    set -- "$folder/${name}"_*_*.deb
    DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install "$1" >said 2>&1 ||
        { tail -n 5 said; echo "0 passed, 1 failed"; exit 1; }
done
DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install gcc libc6-dev pkg-config >/dev/null 2>&1

cat >fall.lua <<'END'
glass = material { density = 2500, young = 1e6 }
gravity { 0, 0, -9.81 }
wall { shape = plane { point = {0, 0, 0}, normal = {0, 0, 1} }, material = glass }
body { shape = sphere { radius = 0.01 }, material = glass, position = {0, 0, 0.05} }
run { time = 0.1 }
END
cat >fall.c <<'END'
#include <scree/scree.h>
int main(void) { return scree_world_create(NULL, NULL) != SCREE_BAD_ARGUMENT; }
END
digest() { sed -n 's/^digest //p' "$1"; }

try "the program runs a scene" scree run fall.lua --out run
cp said by_package
try "the examples are there" test -s /usr/share/doc/scree/examples/scenes/drum.lua -o -s /usr/share/doc/scree/examples/scenes/drum.lua.gz
# the words of pkg-config are words
# shellcheck disable=SC2046
try "a program in C is built" cc fall.c $(pkg-config --cflags --libs scree) -o fall
try "and runs" ./fall
try "Python" python3 -c 'import scree; w = scree.World(step=1e-4); w.add_spheres([[0, 0, 1.0]], 0.1, material=w.add_material()); w.step(10)'
tar -xzf "$folder"/scree-*-linux-*.tar.gz
try "the static program runs a scene" ./scree run fall.lua --out run2
if [ -n "$(digest said)" ] && [ "$(digest said)" = "$(digest by_package)" ]; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    echo "FAILED: the static program has another digest"
fi
try "the static program needs no library" sh -c '! ldd ./scree'
tar -xzf "$folder"/scree-*-single-file.tar.gz
try "the single file compiles" cc -std=c17 -O1 -c scree.c -o scree.o
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
