#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Open3D's tensors on the SYCL device against numpy: arithmetic, indexing, reductions, conversions,
linear algebra, at odd sizes, and a cloud of points that is moved, thinned and counted. Prints
"pass|fail CASE"."""
import sys

import numpy as np
import open3d as o3d
import open3d.core as o3c

DEVICE = o3c.Device("SYCL:0")
DRAW = np.random.default_rng(20261127)


def there(array):
    return o3c.Tensor(array, device=DEVICE)


def same(tensor, array):
    back = tensor.cpu().numpy()
    return back.shape == np.shape(array) and back.dtype == np.asarray(array).dtype and np.array_equal(back, array)


def near(tensor, array, relative=1e-5):
    back = tensor.cpu().numpy()
    return back.shape == np.shape(array) and np.allclose(back, array, rtol=relative, atol=relative)


def copies():
    a = DRAW.standard_normal((5, 7, 11)).astype(np.float32)
    return same(there(a), a) and same(there(a)[1:4, ::2, 3], a[1:4, ::2, 3]) and same(there(a[0]).T(), a[0].T)


def arithmetic():
    results = []
    for kind in (np.float32, np.float64, np.int32, np.int64):
        a = (DRAW.random((37, 29)) * 100 + 1).astype(kind)
        b = (DRAW.random((37, 1)) * 100 + 1).astype(kind)
        results += [same(there(a) + there(b), a + b), same(there(a) - there(b), a - b), same(there(a) * there(b), a * b),
                    same(there(a) > there(b), a > b), same(-there(a), -a)]
    a = DRAW.random((101,))
    return all(results) and near(there(a) / there(a + 1), a / (a + 1), 1e-14)


def functions():
    a = DRAW.random((1003,)).astype(np.float32)
    return all((near(there(a).sqrt(), np.sqrt(a)), near(there(a).sin(), np.sin(a)), near(there(a).cos(), np.cos(a)),
                near(there(a).exp(), np.exp(a)), same(there(a).floor(), np.floor(a)), same(there(a - 0.5).abs(), np.abs(a - 0.5))))


def reductions():
    a = DRAW.integers(-1000, 1000, (13, 57, 3)).astype(np.int64)
    results = []
    for axes in ((0,), (1,), (2,), (0, 1), (0, 1, 2)):
        results += [same(there(a).sum(axes), a.sum(axes)), same(there(a).min(axes), a.min(axes)), same(there(a).max(axes), a.max(axes))]
    results += [same(there(a).argmax((1,)), a.argmax(1)), same(there(a).argmin((0,)), a.argmin(0))]
    return all(results)


def indices():
    a = DRAW.standard_normal((211, 5)).astype(np.float32)
    rows = DRAW.integers(0, 211, 97)
    kept = a[:, 0] > 0
    c = there(a.copy())
    c[there(rows)] = there(np.zeros((97, 5), np.float32))
    d = a.copy()
    d[rows] = 0
    return same(there(a)[there(rows)], a[rows]) and same(there(a)[there(kept)], a[kept]) and same(c, d) and same(there(kept).nonzero()[0], kept.nonzero()[0])


def conversions():
    a = (DRAW.random((333,)) * 200 - 100).astype(np.float64)
    return all(same(there(a).to(kind), a.astype(other)) for kind, other in
               ((o3c.float32, np.float32), (o3c.int32, np.int32), (o3c.int64, np.int64), (o3c.int16, np.int16)))


def algebra():
    a, b = DRAW.standard_normal((37, 29)), DRAW.standard_normal((29, 53))
    square, right = DRAW.standard_normal((17, 17)) + 17 * np.eye(17), DRAW.standard_normal((17, 3))
    values = there(square).svd()[1]
    return all((near(there(a) @ there(b), a @ b, 1e-12), near(there(square).inv(), np.linalg.inv(square), 1e-10),
                near(there(square).solve(there(right)), np.linalg.solve(square, right), 1e-10),
                near(values, np.linalg.svd(square)[1], 1e-10)))


def points():
    cloud = DRAW.random((5003, 3)).astype(np.float32)
    move = np.array([[0, -1, 0, 3], [1, 0, 0, -2], [0, 0, 1, 0.5], [0, 0, 0, 1]], np.float32)
    on_device = o3d.t.geometry.PointCloud(there(cloud)).transform(there(move))
    moved = cloud @ move[:3, :3].T + move[:3, 3]
    return near(on_device.point.positions, moved, 1e-6) and near(on_device.get_center(), moved.mean(0), 1e-4) and \
        near(on_device.get_max_bound(), moved.max(0), 1e-6) and near(on_device.get_min_bound(), moved.min(0), 1e-6)


def main():
    failed = 0
    for case in (copies, arithmetic, functions, reductions, indices, conversions, algebra, points):
        try:
            good = case()
        except Exception as error:  # which case it was matters more than where
            print(f"{case.__name__}: {error}")
            good = False
        failed += not good
        print("pass" if good else "fail", case.__name__, flush=True)
    return failed != 0


sys.exit(main())
