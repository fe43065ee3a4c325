# Verbs of ./do, which reads this file and has its variables: the module of Python, its wheel, its tests.
# shellcheck shell=sh disable=SC2154

# what the system's own Python needs; others have their own ways
python=/usr/bin/python3

# away from here, where the folder build/ would pass for the module of that name
has_module() { (cd / && $python -c "import $1") >/dev/null 2>&1; }

need_python() {
    need_build
    need python3 python3 "build the module of Python"
    [ -e "$($python -c 'import sysconfig; print(sysconfig.get_path("include"))' 2>/dev/null)/Python.h" ] ||
        lack python3-dev "the headers of Python are needed to build its module"
    has_module build || lack python3-build "build is needed to make a wheel"
    has_module setuptools || lack python3-setuptools "setuptools is needed to make a wheel"
    has_module wheel || lack python3-wheel "wheel is needed to make a wheel"
    has_module ensurepip || lack python3-venv "venv is needed to try a wheel"
    has_module numpy || lack python3-numpy "NumPy is needed to use it"
}

# build_module PRESET [OPTION...]
build_module() {
    preset=$1
    shift
    configure "$preset" -DSCREE_BUILD_PYTHON=ON "-DPython3_EXECUTABLE=$python" "$@"
    build "$preset" --target scree_python
}

# the wheel in build/wheel, and build/venv with nothing but it
make_wheel() {
    build_module release
    rm -rf build/wheel build/venv python/build python/src/scree.egg-info
    log=$PWD/build/wheel.log
    (cd python && SCREE_BUILD=$OLDPWD/build/release JOBS=$jobs $python -m build --no-isolation --wheel --outdir ../build/wheel) \
        >"$log" 2>&1 || { tail -n 40 "$log" >&2; die "the wheel cannot be built: see $log"; }
    rm -rf python/build python/src/scree.egg-info
    $python -m venv --system-site-packages build/venv >"$log" 2>&1 || { cat "$log" >&2; die "there is no venv"; }
    build/venv/bin/pip install --no-index --no-deps build/wheel/scree-*.whl >"$log" 2>&1 ||
        { cat "$log" >&2; die "the wheel cannot be installed"; }
}

do_python() {
    need_python
    ready
    make_wheel
    (cd build && venv/bin/python -c 'import scree
world = scree.World(gravity=(0, 0, -9.81), step=1e-4)
world.add_spheres([[0, 0, 1.0]], 0.1, material=world.add_material())
world.step(10)
print("scree", scree.__version__, "from", scree.__file__)') || die "the wheel does not work"
    for wheel in build/wheel/*.whl; do
        echo "the wheel is $PWD/$wheel"
    done
    echo "a Python that has it: $PWD/build/venv/bin/python; in an environment of your own: pip install WHEEL"
}

do_test_python() {
    need_python
    has_module pytest || lack python3-pytest "pytest is needed to test the module of Python"
    # without these notebooks are run cell by cell
    has_module nbconvert || invite "notebooks as users run them" python3-nbconvert python3-ipykernel
    ready
    configure release
    build release --target scree_program
    make_wheel
    run_pytest build/venv/bin/python "$@"
}

# run_pytest PYTHON [ARGUMENT...]: and the line "N passed, N failed"
run_pytest() {
    with=$PWD/$1
    shift
    status=0
    # away from the sources, so that what is tried is what was installed
    (cd build && SCREE_PROGRAM=$PWD/release/scree SCREE_ROOT=$OLDPWD \
        "$with" -m pytest -c ../python/pyproject.toml --rootdir ../python ../python/tests "$@") >build/pytest.log 2>&1 ||
        status=$?
    grep -E '^(FAILED|ERROR)|^E  ' build/pytest.log | head -n 60 || true
    count_pytest build/pytest.log
}

# count_pytest LOG: by its last line, with $status that of pytest
count_pytest() {
    tail -n 1 "$1"
    passed=$(tail -n 1 "$1" | grep -oE '[0-9]+ passed' | grep -oE '[0-9]+') || passed=0
    failed=$(grep -cE '^(FAILED|ERROR)' "$1") || true
    [ "$status" = 0 ] || [ "$failed" != 0 ] || failed=1
    echo "$passed passed, $failed failed"
    return "$status"
}

# `pip install ./python` as a user has it: from the sources alone, into an environment of its own, without the network
do_test_python_install() {
    need_python
    ready
    rm -rf build/python build/venv-install python/build python/src/scree.egg-info
    mkdir -p build
    log=$PWD/build/install.log
    $python -m venv --system-site-packages build/venv-install >"$log" 2>&1 || { cat "$log" >&2; die "there is no venv"; }
    (unset SCREE_BUILD; JOBS=$jobs build/venv-install/bin/pip install --no-index --no-build-isolation --no-deps ./python) >"$log" 2>&1 ||
        { tail -n 40 "$log" >&2; die "pip install ./python fails: see $log"; }
    rm -rf python/build python/src/scree.egg-info
    # away from the sources, so that what is tried is what was installed
    (cd build && venv-install/bin/python - <<'END') || die "what pip has installed does not work"
import sys
import scree

assert scree.__file__.startswith(sys.prefix), scree.__file__
world = scree.Scene.example("discs").build() if scree.has_scenes else scree.World(step=1e-4)
world.step(5)
assert "<canvas" in world.view().page
print("scree", scree.__version__, "from", scree.__file__)
END
    build/venv-install/bin/pip uninstall -y scree >>"$log" 2>&1 || die "scree cannot be uninstalled: see $log"
    ! (cd build && venv-install/bin/python -c 'import scree') 2>/dev/null || die "scree is still there after pip uninstall"
    echo "1 passed, 0 failed"
}

# the module with sanitizers, in a Python that has none: these must be there first
do_test_python_asan() {
    need_python
    has_module pytest || lack python3-pytest "pytest is needed to test the module of Python"
    ready
    build_module asan
    rm -rf build/asan/package
    mkdir -p build/asan/package
    cp -r python/src/scree build/asan/package/
    cp build/asan/python/_scree.abi3.so build/asan/package/scree/
    $python python/still_page.py build/asan/package/scree/still.html
    status=0
    # what Python itself never frees is no leak of ours
    (cd build && LD_PRELOAD="$($cc -print-file-name=libasan.so) $($cc -print-file-name=libubsan.so)" \
        ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 PYTHONMALLOC=malloc PYTHONPATH=$PWD/asan/package \
        SCREE_ROOT=$OLDPWD SCREE_PYTHON_QUICK=1 \
        $python -m pytest -c ../python/pyproject.toml --rootdir ../python ../python/tests "$@") >build/pytest-asan.log 2>&1 ||
        status=$?
    grep -E '^(FAILED|ERROR)|ERROR: AddressSanitizer|runtime error' build/pytest-asan.log | head -n 40 || true
    count_pytest build/pytest-asan.log
}

# beside scipy and freud, where they are installed
do_bench_python() {
    need_python
    ready
    make_wheel
    build/venv/bin/python bench/python/bench_pairs.py "$@"
}
