"""Detection from arrays against comparing each body with each."""

import numpy as np
import pytest
from conftest import brute_pairs, same

import scree

METHODS = list(scree.methods())


def cloud(rng, n=300, d=3, dtype=np.float64):
    return rng.random((n, d)).astype(dtype), (0.02 + 0.06 * rng.random(n)).astype(dtype)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("d", [2, 3])
def test_every_method_finds_all_pairs(rng, method, d):
    x, r = cloud(rng, d=d)
    assert same(scree.pairs(x, r, method=method), brute_pairs(x, r))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("layout", ["C", "F", "sliced", "reversed", "wide", "readonly", "unaligned"])
def test_any_layout(rng, dtype, d, layout):
    x, r = cloud(rng, d=d, dtype=dtype)
    wanted = scree.pairs(x, r, canonical=True)
    if layout == "F":
        x = np.asfortranarray(x)
    elif layout == "sliced":
        x, r = np.repeat(x, 2, axis=0)[::2], np.repeat(r, 3)[::3]
    elif layout == "reversed":
        x, r = x[::-1].copy()[::-1], r[::-1].copy()[::-1]
    elif layout == "wide":
        big = np.zeros((len(x), 7), dtype)
        big[:, 2 : 2 + d] = x
        x = big[:, 2 : 2 + d]
    elif layout == "readonly":
        x.flags.writeable = False
    elif layout == "unaligned":
        raw = np.zeros(x.nbytes + 1, np.uint8)[1:].view(np.uint8)
        y = np.frombuffer(raw.data, dtype=np.uint8)[: x.nbytes].view(dtype).reshape(x.shape)
        y[...] = x
        x = y
    assert np.array_equal(scree.pairs(x, r, canonical=True), wanted)


def test_arrays_that_overlap_themselves():
    line = np.arange(12.0)
    windows = np.lib.stride_tricks.sliding_window_view(line, 3)
    assert np.array_equal(scree.pairs(windows, 1.0, canonical=True), scree.pairs(windows.copy(), 1.0, canonical=True))
    point = np.broadcast_to(np.array([1.0, 2.0, 3.0]), (5, 3))
    assert len(scree.pairs(point, np.broadcast_to(0.5, 5))) == 10
    assert len(scree.pairs(np.broadcast_to(np.arange(4.0)[:, None], (4, 3)), 1.0)) == 3


def test_numbers_of_other_kinds_are_converted():
    assert scree.pairs([[0, 0, 0], [1, 0, 0]], 1).tolist() == [[0, 1]]
    assert scree.pairs(np.array([[0, 0, 0], [1, 0, 0]], np.int16), [1, 1]).tolist() == [[0, 1]]
    assert scree.pairs(np.array([[0, 0, 0], [1, 0, 0]], np.float16), 1).tolist() == [[0, 1]]


def test_result_is_an_array_of_its_own(rng):
    x, r = cloud(rng)
    p = scree.pairs(x, r)
    assert p.dtype == np.uint32 and p.ndim == 2 and p.shape[1] == 2 and p.flags.c_contiguous and p.flags.writeable
    before = p.copy()
    scree.pairs(x[::-1], r)
    assert np.array_equal(p, before)
    p[:] = 0
    assert (p[:, 0] <= p[:, 1]).all()


def test_no_bodies_and_one():
    assert scree.pairs(np.zeros((0, 3)), np.zeros(0)).shape == (0, 2)
    assert scree.pairs([[0, 0, 0.0]], 1.0).shape == (0, 2)
    start, neighbor = scree.neighbors(np.zeros((0, 2)), 1.0)
    assert start.tolist() == [0] and neighbor.size == 0


def test_canonical_is_sorted_and_the_same_set(rng):
    x, r = cloud(rng)
    p = scree.pairs(x, r, canonical=True)
    assert np.array_equal(p, np.array(sorted(map(tuple, p.tolist()))))
    assert same(p, scree.pairs(x, r))


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_threads_do_not_matter(rng, threads):
    x, r = cloud(rng, 2000)
    r = r * 0.3
    assert np.array_equal(scree.pairs(x, r, canonical=True, threads=threads), brute_pairs(x, r))


@pytest.mark.parametrize("d", [2, 3])
def test_boxes(rng, d):
    lower = rng.random((200, d))
    upper = lower + 0.1 * rng.random((200, d))
    meets = ((lower[:, None] <= upper[None]) & (lower[None] <= upper[:, None])).all(-1)
    assert same(scree.pairs(lower=lower, upper=upper), np.argwhere(np.triu(meets, 1)))


@pytest.mark.parametrize("d", [2, 3])
def test_periodic(rng, d):
    x, r = cloud(rng, 150, d)
    shift = x[:, None] - x[None]
    shift -= np.round(shift)
    near = (shift**2).sum(-1) <= (r[:, None] + r[None]) ** 2
    assert same(scree.pairs(x, r, period=(1,) * d), np.argwhere(np.triu(near, 1)))


def test_tilted_cell():
    # across the upper border, where the image is shifted along x
    assert scree.pairs([[1, 0.1, 0], [1, 9.9, 0.0]], 0.3, period=(10, 10, 0)).tolist() == [[0, 1]]
    assert scree.pairs([[1, 0.1, 0], [1, 9.9, 0.0]], 0.3, period=(10, 10, 0), tilt=(3, 0, 0)).tolist() == []


def test_groups_masks_owners_flags():
    x, r = [[0, 0, 0.0]] * 4, 1.0
    assert len(scree.pairs(x, r)) == 6
    assert scree.pairs(x, r, groups=[1, 1, 2, 2], canonical=True).tolist() == [[0, 1], [2, 3]]
    assert scree.pairs(x, r, groups=[1, 1, 2, 2], masks=[2, 2, 1, 1], canonical=True).tolist() == [[0, 2], [0, 3], [1, 2], [1, 3]]
    assert scree.pairs(x, r, owners=[5, 5, 0, 0], canonical=True).tolist() == [[0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    assert len(scree.pairs(x, r, flags=scree.FIXED)) == 0
    assert len(scree.pairs(x, r, flags=[scree.NO_BOUND, 0, 0, 0])) == 3
    far = [[k * 100.0, 0, 0] for k in range(4)]
    assert len(scree.pairs(far, r, flags=[scree.INFINITE, 0, 0, 0])) == 3


@pytest.mark.parametrize("half", [False, True])
def test_neighbors_are_the_pairs(rng, half):
    x, r = cloud(rng)
    start, neighbor = scree.neighbors(x, r, half=half)
    wanted = {i: [] for i in range(len(x))}
    for i, j in brute_pairs(x, r):
        wanted[i].append(j)
        if not half:
            wanted[j].append(i)
    assert len(start) == len(x) + 1
    for i in range(len(x)):
        assert neighbor[start[i] : start[i + 1]].tolist() == sorted(wanted[i])


def test_update_moves_bodies(rng):
    x, r = cloud(rng)
    with scree.Detector() as detector:
        for _ in range(5):
            x = x + 0.02 * rng.standard_normal(x.shape)
            detector.update(x, r)
            assert same(detector.pairs(), brute_pairs(x, r))
        assert detector.stats().updates == 5 and detector.stats().bodies == len(x)


def test_update_of_some_rows(rng):
    x, r = cloud(rng)
    with scree.Detector(method="bvh8") as detector:
        detector.update(x, r)
        x[[3, 50]] = [0.5, 0.5, 0.5]
        detector.update(x, r, rows=[3, 50])
        assert same(detector.pairs(), brute_pairs(x, r))


def test_insert_and_remove(rng):
    x, r = cloud(rng)
    with scree.Detector() as detector:
        ids = detector.insert(x, r)
        assert ids.tolist() == list(range(len(x)))
        detector.remove(ids[::2])
        kept = brute_pairs(x[1::2], r[1::2]) * 2 + 1
        assert same(detector.pairs(), kept)
        again = detector.insert(x[:1], r[:1])
        assert again[0] in ids[::2]
        detector.clear()
        assert detector.pairs().shape == (0, 2) and detector.stats().bodies == 0


def test_own_ids(rng):
    x, r = cloud(rng, 50)
    ids = np.arange(50) * 3 + 7
    with scree.Detector() as detector:
        detector.update(x, r, ids=ids)
        assert same(detector.pairs(), ids[brute_pairs(x, r)])


def test_queries(rng):
    x, r = cloud(rng)
    with scree.Detector() as detector:
        detector.update(x, r)
        far = np.linalg.norm(x - 0.5, axis=1)
        assert detector.query(sphere=([0.5] * 3, 0.2)).tolist() == np.flatnonzero(far <= r + 0.2).tolist()
        inside = ((x + r[:, None] >= 0.2) & (x - r[:, None] <= 0.4)).all(1)
        assert set(detector.query(box=([0.2] * 3, [0.4] * 3))) <= set(np.flatnonzero(inside))
        ids, distances = detector.query(nearest=([0.5] * 3, 5), distances=True)
        assert np.allclose(distances, np.sort(np.maximum(far - r, 0))[:5]) and len(ids) == 5
        ray = detector.query(ray=([-1, 0.5, 0.5], [1, 0, 0]))
        hit = np.flatnonzero(np.hypot(x[:, 1] - 0.5, x[:, 2] - 0.5) <= r)
        assert sorted(ray) == hit.tolist()
        assert detector.query(ray=([-1, 0.5, 0.5], [1, 0, 0]), first=True).tolist() == ray[:1].tolist()
        assert len(detector.query(sphere=([0.5] * 3, 2), groups=0)) == 0
        assert len(detector.query(sphere=([0.5] * 3, 20))) == len(x)  # more than fit the first try


def test_explain_and_method(rng):
    x, r = cloud(rng)
    with scree.Detector() as detector:
        detector.update(x, r)
        detector.pairs()
        said = detector.explain()
        assert said.method in METHODS and said.bodies == len(x) and len(said.alternatives) >= 1
        assert detector.method["name"] == "auto"
        assert "auto" in repr(detector) and "300 spheres" in repr(detector)


def test_margin(rng):
    x, r = cloud(rng)
    with scree.Detector(margin={"kind": "skin", "length": 0.05}) as detector:
        did = detector.advance(x, r, dt=1e-3)
        assert did.ran and did.mapped == len(x)
        x = x + 0.01 * rng.standard_normal(x.shape).clip(-1, 1)
        did = detector.advance(x, r, dt=1e-3)
        assert not did.ran
        found = set(map(tuple, detector.pairs().tolist()))
        assert set(map(tuple, brute_pairs(x, r).tolist())) <= found
        moved, left = detector.leeway(0, [*x[0], r[0]])
        assert moved < 0.05 and left > 0
    with scree.Detector(margin={"kind": "skin", "length": 0.05}) as detector:
        detector.advance(x, r, dt=1e-3, velocity=np.ones_like(x))
        assert 0 < detector.longest_step(x, r, velocity=np.ones_like(x)) < np.inf


def test_image_set_cell_outline():
    with scree.Detector(method="bvh8", period=(10, 10, 10)) as detector:
        detector.update([[0.1, 5, 5], [9.9, 5, 5.0]], 0.2)
        assert detector.image(0, 1) == (-1, 0, 0)
        assert len(detector.pairs()) == 1
        detector.set_cell((20, 20, 20))
        assert len(detector.pairs()) == 0
        assert {"lower", "upper", "level"} <= set(detector.outline().dtype.names)


def test_close_and_context():
    detector = scree.Detector()
    detector.close()
    detector.close()
    assert detector.closed and "closed" in repr(detector)
    with pytest.raises(ValueError, match="closed"):
        detector.pairs()


@pytest.mark.parametrize("name", ["stripe_factor", "cell_factor", "bin_factor"])
def test_parameters_of_methods_are_read(name):
    scree.Detector(method="flat", **{name: 2.5}).close()
    with pytest.raises(ValueError, match=name.split("_")[0]):
        scree.Detector(**{name: -1.0})


def test_nested_parameters():
    scree.Detector(method="hash-grids", hash_grids={"cells": (32, 32, 32), "factor": 2.5}).close()
    with pytest.raises(TypeError, match="wrong"):
        scree.Detector(hash_grids={"wrong": 1})
    with pytest.raises(ValueError):
        scree.Detector(method="hash-grids", hash_grids={"cells": (3, 3, 3)})


def test_coarse_reports_more(rng):
    x, r = cloud(rng)
    with scree.Detector(method="flat", coarse=True) as detector:
        detector.update(x, r)
        assert len(detector.pairs()) >= len(brute_pairs(x, r))


def test_skip_unusable():
    with scree.Detector(unusable="skip") as detector:
        detector.update([[0, 0, 0], [np.nan, 0, 0], [0.5, 0, 0]], 1.0)
        assert detector.pairs().tolist() == [[0, 2]] and detector.stats().rejected == 1
