# Verbs of ./do, which reads this file and has its variables: measuring, beside other libraries and engines.
# shellcheck shell=sh disable=SC2154

peer_names='grid cgal boost nanoflann embree bullet ode fcl box2d chipmunk'

# other libraries, each from its package; one that cannot be had is left out of the measuring
need_peers() {
    for pair in cgal:CGAL/box_intersection_d.h boost:boost/geometry/index/rtree.hpp \
        nanoflann:nanoflann.hpp embree:embree3/rtcore.h \
        bullet:bullet/BulletCollision/BroadphaseCollision/btDbvt.h ode:ode/ode.h fcl:fcl/config.h \
        box2d:box2d/b2_broad_phase.h chipmunk:chipmunk/chipmunk.h; do
        [ -e "/usr/include/${pair#*:}" ] || peers="$peers lib${pair%%:*}-dev"
    done
    # $peers is a list of words
    # shellcheck disable=SC2086
    invite "other libraries" $peers
}

do_bench_peers() {
    need_build
    works c++ "" ${CXX:+"$CXX"} c++ g++ clang++ >/dev/null ||
        lack g++ "a C++ compiler is needed to build what measures other libraries"
    peers=
    need_peers
    ready
    configure peers
    grep -h 'peer .* is left out' build/peers.configure.log >&2 || true
    build peers --target scree_bench_program --target peer_scree --target mesh_scree
    # another version of a library may be too new or too old for its program
    for name in $peer_names; do
        grep -q "PEER_$name-NOTFOUND" build/peers/CMakeCache.txt && continue
        cmake --build --preset peers -j "$jobs" --target "peer_$name" >"build/peers.$name.log" 2>&1 ||
            say "peer_$name cannot be built, and is left out: see build/peers.$name.log"
        [ -e "bench/peers/mesh_$name.cpp" ] || continue
        cmake --build --preset peers -j "$jobs" --target "mesh_$name" >"build/meshes.$name.log" 2>&1 ||
            say "mesh_$name cannot be built, and is left out: see build/meshes.$name.log"
    done
    if [ "${1:-}" = meshes ]; then
        shift
    else
        build/peers/scree-bench peers --programs build/peers/bench/peers "$@"
        [ $# = 0 ] || return 0
    fi
    build/peers/scree-bench meshes --peers build/peers/bench/peers "$@"
}

# other engines, each from its package; one that cannot be had is left out of the measuring
need_engines() {
    engines=
    for pair in lammps:lmp liggghts:liggghts yade:yade; do
        has "${pair#*:}" || engines="$engines ${pair%%:*}"
    done
    # $engines is a list of words
    # shellcheck disable=SC2086
    invite "other engines" $engines
}

do_bench() {
    case ${1:-} in
        peers)
            shift
            do_bench_peers "$@"
            return
            ;;
        python)
            shift
            do_bench_python "$@"
            return
            ;;
        site)
            shift
            do_bench_site "$@"
            return
            ;;
        lab)
            need_build
            ready
            configure release
            build release --target lab_speed
            build/release/tests/lab/speed
            need_browser
            build release --target scree_program
            cp tests/lab/pictures.mjs build/lab/
            node build/lab/pictures.mjs build/release/scree
            return
            ;;
        triaxial)
            shift
            need_build
            ready
            configure release
            build release --target scree_program
            sh tools/triaxial.sh build/release/scree "$@"
            return
            ;;
        engines) need_engines ;;
    esac
    need_build
    ready
    configure release
    build release --target scree_bench_program
    mkdir -p out
    build/release/scree-bench "$@"
}
