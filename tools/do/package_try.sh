# Verbs of ./do, which reads this file and has its variables: packages, each installed in a fresh system and used there.
# shellcheck shell=sh disable=SC2154,SC2016,SC1091

# ./do test packages [SUITE]: in new systems of the release of this machine, or of another that debootstrap knows
do_test_packages() {
    [ "$(id -u)" = 0 ] || die "a fresh system can only be made as root: sudo ./do test packages"
    need debootstrap debootstrap "make a fresh system"
    [ -e build/package/SHA256SUMS ] || need_package
    ready
    [ -e build/package/SHA256SUMS ] || do_package
    suite=${1:-$(. /etc/os-release && echo "$VERSION_CODENAME")}
    packages=$PWD/build/package
    fresh=$(mktemp -d "${TMPDIR:-/var/tmp}/scree-packages.XXXXXX")
    trap 'leave_system; rm -rf --one-file-system "$fresh" "$scratch"' EXIT
    passed=0 failed=0
    log=$packages/tried.log
    : >"$log"
    say "making a fresh system: $suite"
    debootstrap --variant=minbase "$suite" "$fresh/base" >"$log" 2>&1 ||
        { tail -n 5 "$log" >&2; die "debootstrap cannot make a system of $suite: see $log"; }
    try_in_system "packages of Debian" try_debian
    try_in_system "program without libraries" try_static
    try_in_system "wheel" try_wheel
    try_in_system "library as one file" try_single_file
    try_in_system "sources" try_sources
    echo "$passed passed, $failed failed"
    [ $failed = 0 ]
}

# leave_system: nothing is mounted in the present one any more
leave_system() {
    umount "$fresh/system/proc" 2>/dev/null || true
}

# try_in_system NAME FUNCTION: in a new copy of the fresh system, which has what was packed in /packages
try_in_system() {
    leave_system
    rm -rf --one-file-system "$fresh/system"
    cp -a "$fresh/base" "$fresh/system"
    cp /etc/resolv.conf "$fresh/system/etc/resolv.conf" 2>/dev/null || true
    for setting in /etc/apt/apt.conf.d/99*; do
        [ ! -e "$setting" ] || cp "$setting" "$fresh/system/etc/apt/apt.conf.d/"
    done
    mount -t proc proc "$fresh/system/proc" 2>/dev/null || true
    mkdir "$fresh/system/packages"
    cp "$packages"/*.deb "$packages"/*.tar.gz "$packages"/*.whl "$fresh/system/packages/"
    echo "== $1" >>"$log"
    if "$2" >>"$log" 2>&1; then
        say "$1: installed and used"
        passed=$((passed + 1))
    else
        tail -n 20 "$log" >&2
        say "$1: FAILED, see $log"
        failed=$((failed + 1))
    fi
    leave_system
}

# in_system TEXT: a script in the system, which ends at the first command that fails
in_system() {
    chroot "$fresh/system" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive sh -euxc "
            apt_get() { apt-get -qq -y --no-install-recommends \"\$@\"; }
            cd /root
            $1"
}

try_debian() {
    in_system '
        apt_get update
        find /usr /etc -name "*scree*" ! -name "*screen*" | sort >before
        apt_get install /packages/*.deb
        scree --version
        scree new drum
        scree run drum.lua --steps 200 --out drum --quiet
        scree info drum/checkpoints/*
        scree render drum/checkpoints/* --out drum.png && test -s drum.png
        scree-bench --version
        python3 -c "
import scree
world = scree.Scene.example(\"discs\").build()
world.step(5)
print(scree.__version__, world.digest)"
        apt_get install gcc libc6-dev pkg-config
        example=$(find /usr/share/doc/libscree-dev/examples -name "bouncing_balls.c*")
        case $example in *.gz) gzip -dc "$example" ;; *) cat "$example" ;; esac >balls.c
        cc -std=c17 balls.c -o balls $(pkg-config --cflags --libs scree) -lm && ./balls
        cc -std=c17 balls.c -o balls-static /usr/lib/*/libscree.a -lm -lpthread -ldl && ./balls-static
        apt-get -qq -y purge scree libscree1 libscree-dev python3-scree
        find /usr /etc -name "*scree*" ! -name "*screen*" | sort >after
        diff before after'
}

try_static() {
    in_system '
        tar -xzf /packages/scree-*-linux-*.tar.gz
        ./scree --version
        ./scree new drum
        ./scree run drum.lua --steps 200 --out drum --quiet
        ./scree info drum/checkpoints/*'
}

try_wheel() {
    in_system '
        apt_get update
        apt_get install python3-venv python3-numpy
        python3 -m venv --system-site-packages venv
        venv/bin/pip install --no-index --no-deps /packages/*.whl
        venv/bin/python -c "
import scree
world = scree.World(step=1e-4)
world.add_spheres([[0, 0, 0], [1, 0, 0]], radius=0.6, material=world.add_material(young=1e6))
world.step(5)
print(scree.__version__, world.digest)"'
}

try_single_file() {
    in_system '
        apt_get update
        apt_get install gcc libc6-dev
        mkdir one && tar -xzf /packages/scree-*-single-file.tar.gz -C one
        printf "%s\n" "#include \"scree.h\"" "#include <stdio.h>" "int main(void) { return printf(\"%u\\n\", scree_version()) < 0; }" >one/try.c
        cc -std=c17 -O2 one/scree.c one/try.c -o one/try -lm -lpthread && one/try'
}

# as a distributor would: with cmake, and a program that finds the library
try_sources() {
    in_system '
        apt_get update
        apt_get install gcc libc6-dev cmake make pkg-config
        rm /packages/*-linux-*.tar.gz /packages/*-single-file.tar.gz
        tar -xzf /packages/scree-*.tar.gz && cd scree-*/
        cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DSCREE_BUILD_TESTS=OFF
        cmake --build build -j "$(getconf _NPROCESSORS_ONLN)"
        cmake --install build --prefix /usr/local
        ldconfig
        cc -std=c17 examples/bouncing_balls.c -o balls $(PKG_CONFIG_PATH=/usr/local/lib/pkgconfig:$(dirname "$(find /usr/local -name scree.pc)") pkg-config --cflags --libs scree) -lm
        ./balls'
}
