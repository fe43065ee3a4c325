# Verbs of ./do, which reads this file and has its variables: the page without a server, the engine as WebAssembly.
# shellcheck shell=sh disable=SC2154

# Lua 5.4 to be compiled with the engine: Debian's source package, with its corrections; $LUA_SOURCES are others'
need_lua_sources() {
    lua=${LUA_SOURCES:-}
    if [ "$lua" ]; then
        [ -e "$lua/lapi.c" ] || die "LUA_SOURCES: there is no lapi.c in $lua"
        lua=$(cd "$lua" && pwd)
        return 0
    fi
    lua=$PWD/build/lua/lua/src
    [ -e "$lua/lapi.c" ] && return 0
    has apt-get || die "no apt-get here: give the folder of Lua 5.4's sources, src/ of what https://www.lua.org/ftp/ has," \
        "as LUA_SOURCES=FOLDER ./do site"
    need dpkg-source dpkg-dev "unpack the sources of Lua"
    provide
    place=$PWD/build/lua
    mkdir -p "$place/lists/partial" "$place/sources"
    # what the machine knows, asked for sources; its own lists stay as they are
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ ! -e "$list" ] || sed -n 's/^deb /deb-src /p' "$list" >"$place/sources/$(basename "$list" .list).list"
    done
    for list in /etc/apt/sources.list.d/*.sources; do
        [ ! -e "$list" ] || sed 's/^Types:.*/Types: deb-src/' "$list" >"$place/sources/$(basename "$list")"
    done
    say "getting the sources of Lua 5.4 with apt-get, to build/lua"
    options="-qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts=$place/sources"
    options="$options -o Dir::State::lists=$place/lists -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache="
    # a list that has no sources is no matter, as long as one has those of Lua; $options are words
    # shellcheck disable=SC2086
    (cd "$place" && { apt-get $options update || true; } && apt-get $options source --download-only lua5.4) \
        >"$place/apt.log" 2>&1 || { cat "$place/apt.log" >&2; die "apt-get has no sources of lua5.4"; }
    (cd "$place" && rm -rf lua && dpkg-source -x lua5.4_*.dsc lua) >"$place/unpack.log" 2>&1 ||
        { cat "$place/unpack.log" >&2; die "the sources of Lua cannot be unpacked"; }
    # what Debian's rules make when they build it; scenes load no modules, wherever those are
    echo '#define DEB_HOST_MULTIARCH ""' >"$lua/lua5.4-deb-multiarch.h"
}

# engine NAME OPTION...: compile it to build/site-NAME
engine() {
    name=$1
    shift
    log=build/site-$name.log
    # emscripten looks for Debian's modules where another node does not
    NODE_PATH=/usr/share/nodejs
    export NODE_PATH
    if ! [ -e "build/site-$name/CMakeCache.txt" ] && [ -z "${CMAKE_GENERATOR:-}" ] && has ninja; then
        set -- -G Ninja "$@"
    fi
    emcmake cmake -S . -B "build/site-$name" -DCMAKE_BUILD_TYPE=Release -DSCREE_BUILD_SITE=ON \
        -DSCREE_BUILD_APP=OFF -DSCREE_BUILD_TESTS=OFF -DSCREE_BUILD_EXAMPLES=OFF -DSCREE_INSTALL=OFF \
        -DSCREE_WEBSOCKETS=OFF "-DSCREE_LUA_SOURCES=$lua" "$@" >"$log" 2>&1 ||
        { cat "$log" >&2; die "emcmake failed"; }
    say "compiling the engine ($name)"
    cmake --build "build/site-$name" -j "$jobs" --target scree_site >"$log" 2>&1 ||
        { tail -n 40 "$log" >&2; die "emscripten failed: see $log"; }
}

do_site() {
    need cmake cmake "build"
    has ninja || need make make "build"
    need emcc emscripten "compile the engine for browsers"
    provide
    need_lua_sources
    mkdir -p build/site/plain build/site/threads
    engine simd -DSCREE_SITE_SIMD=ON
    engine plain -DSCREE_SITE_SIMD=OFF
    engine threads -DSCREE_SITE_SIMD=ON -DSCREE_SITE_THREADS=ON
    cp lab/page/*.js lab/page/*.css lab/page/*.svg lab/page/*.png build/site/
    cp docs/methods/*.md docs/images/method-*.svg build/site/
    cp lab/site/*.js build/site/
    # a web host says nothing of what a page may do, so it says so itself
    policy="default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'"
    policy="$policy; base-uri 'none'; form-action 'none'"
    sed "s|<meta charset=\"utf-8\">|&\n<meta http-equiv=\"content-security-policy\" content=\"$policy\">|" \
        lab/page/index.html >build/site/index.html
    cp build/site-simd/scree.js build/site-simd/scree.wasm build/site/
    cp build/site-plain/scree.js build/site-plain/scree.wasm build/site/plain/
    cp build/site-threads/scree.js build/site-threads/scree.worker.js build/site-threads/scree.wasm build/site/threads/
    say "build/site is ready for any web host; to look at it here:"
    say "    python3 -m http.server --bind 127.0.0.1 -d build/site"
}

do_test_site() {
    need_build
    ready
    need_browser
    do_site
    configure release
    build release --target lab_digests
    cp tests/lab/browser*.mjs tests/lab/box_font.mjs build/lab/
    mkdir -p build/lab/site
    status=0
    node tests/lab/site_digests.mjs build/release/tests/lab/digests build/site || status=1
    node build/lab/browser.mjs build/site build/lab/site build/release/tests/lab/digests || status=1
    return $status
}

# the engine in WebAssembly beside the same in the machine's own code, and how much a browser has to fetch
do_bench_site() {
    need_build
    need node nodejs "run WebAssembly"
    ready
    do_site
    configure release
    build release --target lab_digests
    node tests/lab/site_digests.mjs build/release/tests/lab/digests build/site --speed "$@"
}
