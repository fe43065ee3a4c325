"""Pairs and steps from Python: beside the same calls from C, and beside scipy and freud where they are installed.

Times are of the processor, so that a machine that does other things tells about the same.
"""

import argparse
import ctypes
import os
import statistics
import subprocess
import tempfile
import time

import numpy as np

import scree

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# the same bodies and calls from C; times in seconds, the least of some
C_TIMES = r"""
#include "scree/scree.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
double pairs(const double *x, const double *r, size_t n, unsigned long long *count)
{
    double began = now();
    scree_detector_def def = scree_default_detector_def();
    scree_detector *detector;
    scree_pairs found = {0};
    if (scree_detector_create(&def, &detector))
        return -1;
    scree_table table = scree_table_spheres(n, scree_doubles(x, 24), scree_doubles(x + 1, 24), scree_doubles(x + 2, 24), scree_doubles(r, 8));
    scree_detector_update(detector, &table, NULL);
    scree_detector_pairs(detector, NULL, &found);
    *count = found.count;
    scree_detector_destroy(detector);
    return now() - began;
}
double steps(size_t count)
{
    scree_world_def def = scree_default_world_def();
    def.step.dt = 1e-5;
    scree_world *world;
    if (scree_world_create(&def, &world))
        return -1;
    scree_material_def material = scree_default_material_def();
    scree_body_def body = scree_default_body_def();
    scree_world_add_material(world, &material, &body.material);
    body.shape = scree_shape_sphere(0.1);
    scree_world_add_body(world, &body, NULL);
    double began = now();
    for (size_t i = 0; i < count; i++)
        scree_world_step(world, 1);
    double took = now() - began;
    scree_world_destroy(world);
    return took / (double)count;
}
"""


def library():
    folder = tempfile.mkdtemp()
    with open(f"{folder}/times.c", "w") as file:
        file.write(C_TIMES)
    subprocess.run(["cc", "-O3", "-shared", "-fPIC", f"-I{ROOT}/include", f"{folder}/times.c", "-Wl,--whole-archive", f"{ROOT}/build/release/libscree.a",
                    "-Wl,--no-whole-archive", "-Wl,-Bsymbolic", "-o", f"{folder}/times.so", "-lm", "-lpthread"], check=True)
    made = ctypes.CDLL(f"{folder}/times.so")
    made.pairs.restype = made.steps.restype = ctypes.c_double
    made.steps.argtypes = [ctypes.c_size_t]
    return made


def seconds(function):
    began = time.process_time()
    function()
    return time.process_time() - began


def compare_pairs(made, n, repeats):
    """Times of Python and C in turn, so that both see the same machine."""
    rng = np.random.default_rng(1)
    x = rng.random((n, 3))
    r = np.full(n, 0.5 * (3.5 / n / (4 / 3 * np.pi) * 2) ** (1 / 3))
    count = ctypes.c_ulonglong()
    pointer = ctypes.POINTER(ctypes.c_double)
    python, c = [], []
    for _ in range(repeats):
        c.append(made.pairs(x.ctypes.data_as(pointer), r.ctypes.data_as(pointer), ctypes.c_size_t(n), ctypes.byref(count)))
        python.append(seconds(lambda: scree.pairs(x, r)))
    found = scree.pairs(x, r)
    assert len(found) == count.value
    low = min(c)
    print(f"{n} points, {len(found)} pairs: C {1e3 * low:.1f} ms, Python {1e3 * min(python):.1f} ms ({100 * (min(python) / low - 1):+.1f} %; of "
          f"medians {100 * (statistics.median(python) / statistics.median(c) - 1):+.1f} %)")
    return x, r, found


def others(x, r, found, repeats):
    """Other libraries on the same points, which must find the same pairs."""
    distance = 2 * r[0]
    keys = np.sort(found[:, 0].astype(np.int64) * len(x) + found[:, 1])

    def say(name, run, pairs_of):
        took = min(seconds(run) for _ in range(repeats))
        pairs = np.sort(pairs_of(run()), axis=1)
        equal = np.array_equal(np.sort(pairs[:, 0].astype(np.int64) * len(x) + pairs[:, 1]), keys)
        print(f"  {name:24} {1e3 * took:9.1f} ms   {'the same pairs' if equal else 'OTHER PAIRS'}")

    print(f"  {'scree.pairs':24} {1e3 * min(seconds(lambda: scree.pairs(x, r)) for _ in range(repeats)):9.1f} ms")
    try:
        from scipy.spatial import cKDTree
    except ImportError:
        print("  scipy is not installed")
    else:
        say("scipy.spatial.cKDTree", lambda: cKDTree(x).query_pairs(distance, output_type="ndarray"), lambda p: p)
    try:
        import freud
    except ImportError:
        print("  freud is not installed")
    else:
        def query():
            box = freud.box.Box.cube(1000)  # not periodic at this distance
            return freud.locality.AABBQuery(box, x).query(x, {"r_max": distance, "exclude_ii": True}).toNeighborList()

        say("freud.locality.AABBQuery", query, lambda nl: np.array(nl)[np.array(nl)[:, 0] < np.array(nl)[:, 1]])


def compare_steps(made, count):
    world = scree.World(step=1e-5)
    world.add_spheres([[0, 0, 0]], 0.1, material=world.add_material())
    step = world.step

    def run():
        for _ in range(count):
            step()

    python, c = [], []
    # in turn, so that both see the same machine
    for _ in range(15):
        c.append(made.steps(count))
        python.append(seconds(run) / count)
    python, c = min(python), min(c)
    print(f"a step of one body, called one by one: C {1e6 * c:.2f} us, Python {1e6 * python:.2f} us ({1e6 * (python - c):+.2f} us)")


def view_without_copy(n):
    """What a view of so many positions takes: of Python's memory, and of the process."""
    import tracemalloc

    world = scree.World(step=1e-5)
    material = world.add_material()
    for begin in range(0, n, 1_000_000):
        count = min(1_000_000, n - begin)
        world.add_spheres(np.arange(3 * begin, 3 * (begin + count), dtype=float).reshape(-1, 3), 0.1, material=material)
    tracemalloc.start()
    before = resident_bytes()
    view = world.position
    grown = resident_bytes() - before
    taken = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    copied = 0 if not view.flags.owndata and grown < view.nbytes / 100 else view.nbytes
    print(f"a view of {len(view)} positions: {copied} bytes of {view.nbytes} copied; {taken} bytes of Python's objects, {grown} more bytes resident")
    assert not copied


def resident_bytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--n", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--view", type=int, default=10_000_000, help="positions to look at; they take 4 GB")
    options = parser.parse_args()
    made = library()
    compare_steps(made, 20000)
    view_without_copy(options.view)
    for n in sorted({100_000, options.n}):
        others(*compare_pairs(made, n, options.repeats), repeats=3)


if __name__ == "__main__":
    main()
