# SPDX-License-Identifier: Apache-2.0
"""dpnp's arrays on the device against numpy's; prints "pass|fail CASE difference".

Element by element, sums, sorting, search, linear algebra, Fourier transforms; odd sizes, several types.
"""
import dpctl
import dpnp
import numpy as np

RANDOM = np.random.RandomState(0)
DEVICE = dpctl.get_devices()[0]


def on_device(array):
    return dpnp.asarray(array, device=DEVICE)


def arrays(kind, shape):
    values = RANDOM.rand(*shape) * 200 - 100
    return values.astype(kind) if kind[0] != "c" else (values + 1j * RANDOM.rand(*shape)).astype(kind)


CASES = {
    "sin": (lambda m, a, b: m.sin(a) * 2 + b, "f4 f8 c8", 1e-5),
    "exp-log": (lambda m, a, b: m.log(m.exp(a / 50) + m.abs(b)), "f4 f8", 1e-5),
    "integers": (lambda m, a, b: (a // 7) * 3 + (a ^ b) % 5, "i4 i8", 0),
    "where": (lambda m, a, b: m.where(a > b, a, b * 2), "f4 i8 f8", 0),
    "sum": (lambda m, a, b: m.sum(a, axis=0) + m.mean(b, axis=0), "f4 f8 i4", 1e-4),
    "cumulative": (lambda m, a, b: m.cumsum(a, axis=1), "f8 i8", 1e-9),
    "least-most": (lambda m, a, b: m.stack([m.min(a, axis=1), m.max(b, axis=1)]), "f4 i4", 0),
    "sort": (lambda m, a, b: m.sort(a, axis=1), "f4 i4 f8", 0),
    "argsort": (lambda m, a, b: m.argsort(a, axis=1), "f8", 0),
    "unique": (lambda m, a, b: m.unique((a / 10).astype("i4")), "f4", 0),
    "product": (lambda m, a, b: a @ b.T, "f4 f8 i4", 1e-3),
    "take": (lambda m, a, b: m.take(a, m.argmax(b, axis=1), axis=1), "f8 i4", 0),
    "transposed": (lambda m, a, b: (a.T + b.T).reshape(-1)[::3], "f4 i8", 0),
}


def difference(found, expected):
    found, expected = dpnp.asnumpy(found), np.asarray(expected)
    if found.shape != expected.shape:
        return np.inf
    size = max(1.0, float(np.abs(expected).max())) if expected.size else 1.0
    return float(np.abs(found - expected).max()) / size if expected.size else 0.0


def main():
    print(DEVICE.name)
    for name, (function, kinds, limit) in CASES.items():
        for kind in kinds.split():
            a, b = arrays(kind, (37, 101)), arrays(kind, (37, 101))
            expected = function(np, a, b)
            away = difference(function(dpnp, on_device(a), on_device(b)), expected)
            print("pass" if away <= limit else "fail", f"{name}-{kind}", "%.2e" % away, flush=True)


main()
