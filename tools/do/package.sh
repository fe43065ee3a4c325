# Verbs of ./do, which reads this file and has its variables: what is given to others to install.
# shellcheck shell=sh disable=SC2154

need_package() {
    need_python
    need dpkg-buildpackage dpkg-dev "make packages of Debian"
    dpkg -s build-essential >/dev/null 2>&1 || lack build-essential "every package of Debian is built with build-essential"
    need dh debhelper "make packages of Debian"
    need dh_python3 dh-python "make the package of the module of Python"
    need lintian lintian "judge the packages"
    need fakeroot fakeroot "make packages of Debian"
    # the packages name these as what they are built with
    for package in liblua5.4-dev libwebsockets-dev ninja-build pkg-config python3-dev python3-setuptools; do
        dpkg -s "$package" >/dev/null 2>&1 || lack "$package" "$package is needed to build the packages"
    done
}

# sources, packages of Debian, a program without libraries, the wheel, the library as one file: build/package
do_package() {
    need_package
    ready
    version=$(sed -n 's/^project(scree VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
    out=$PWD/build/package
    rm -rf "$out"
    mkdir -p "$out"
    package_sources
    package_debian
    package_static
    make_wheel
    cp build/wheel/*.whl "$out/"
    sh tools/amalgamate.sh >/dev/null
    tar -C build/amalgamated -czf "$out/scree-$version-single-file.tar.gz" scree.c scree.h
    (cd "$out" && sha256sum ./*.deb ./*.tar.gz ./*.whl >SHA256SUMS)
    ls -l "$out" | awk 'NR > 1 && !/^d/ { print $5, $NF }'
    echo "the packages are in $out"
}

# what git knows, in a folder named as the version
package_sources() {
    mkdir -p "$out/scree-$version"
    git ls-files -z | tar --null -T - -cf - | tar -C "$out/scree-$version" -xf -
    tar -C "$out" --exclude="scree-$version/debian" -czf "$out/scree-$version.tar.gz" "scree-$version"
}

package_debian() {
    say "building the packages of Debian"
    ln "$out/scree-$version.tar.gz" "$out/scree_$version.orig.tar.gz"
    (cd "$out/scree-$version" && DEB_BUILD_OPTIONS="parallel=$jobs nocheck" dpkg-buildpackage -us -uc) >"$out/debian.log" 2>&1 ||
        { tail -n 40 "$out/debian.log" >&2; die "the packages of Debian cannot be built: see $out/debian.log"; }
    lintian --allow-root --fail-on error "$out"/scree_*.changes >"$out/lintian.log" 2>&1 ||
        { cat "$out/lintian.log" >&2; die "lintian finds errors"; }
    rm -rf "$out/scree-$version"
}

# a program that needs no library of the machine it runs on
package_static() {
    say "building the program without libraries"
    log=$out/static.log
    {
        cmake -S . -B build/static -DCMAKE_BUILD_TYPE=Release -DSCREE_STATIC=ON -DSCREE_BUILD_TESTS=OFF -DSCREE_BUILD_EXAMPLES=OFF &&
            cmake --build build/static -j "$jobs" --target scree_program scree_bench_program
    } >"$log" 2>&1 || { tail -n 40 "$log" >&2; die "the program cannot be built: see $log"; }
    strip -o "$out/scree" build/static/scree
    strip -o "$out/scree-bench" build/static/scree-bench
    tar -C "$out" -czf "$out/scree-$version-linux-$(uname -m).tar.gz" scree scree-bench
    rm "$out/scree" "$out/scree-bench"
}
